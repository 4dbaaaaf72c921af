"""What a run says, worked out once for all pictures and the report."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from torres_mcts import __version__
from torres_mcts.tournaments.folder import Run
from torres_mcts.tournaments.run import Standing, stand
from torres_mcts.tournaments.statistics.budgets import Family, find_families
from torres_mcts.tournaments.statistics.comparisons import told_apart
from torres_mcts.tournaments.statistics.convergence import Step, follow_ratings
from torres_mcts.tournaments.statistics.estimates import Estimate, estimate_in_blocks
from torres_mcts.tournaments.statistics.outcomes import Outcome
from torres_mcts.tournaments.statistics.ratings import Ratings, rate
from torres_mcts.tournaments.statistics.scores import Scores, score_table
from torres_mcts.tournaments.statistics.tables import CrossCell, SeatTable, cross_table, seat_table


@dataclass(frozen=True, eq=False)
class Findings:
    """A run and what its games say."""

    run: Run
    anchor: str | None = None  # the agent whose rating is 0

    @cached_property
    def outcomes(self) -> list[Outcome]:
        """The games in the order of play."""
        return [game.outcome for game in self.run.games]

    @cached_property
    def standing(self) -> Standing:
        """How far the run is, and why it stopped."""
        return stand(self.run.spec, self.run.games)

    @cached_property
    def ratings(self) -> Ratings:
        """The ratings; an error says why there are none."""
        return rate(self.outcomes, anchor=self.anchor)

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents that have played, the strongest first."""
        return self.ratings.agents

    @cached_property
    def told_apart(self) -> np.ndarray:
        """Which pairs of agents surely differ, [agents, agents] bool."""
        return told_apart(self.ratings)

    @cached_property
    def cross(self) -> dict[tuple[str, str], CrossCell]:
        """Who beats whom."""
        return cross_table(self.outcomes)

    @cached_property
    def seats(self) -> SeatTable:
        """What each seat got."""
        return seat_table(self.outcomes, self.run.spec.rules.players)

    @cached_property
    def scores(self) -> list[Scores]:
        """The final points of each agent."""
        return score_table(self.outcomes)

    @cached_property
    def steps(self) -> list[Step]:
        """The ratings after more and more blocks."""
        return follow_ratings(self.outcomes, anchor=self.anchor)

    @cached_property
    def families(self) -> list[Family]:
        """Agents that differ in their budget alone."""
        entrants = [entrant for entrant in self.run.spec.entrants if entrant.name in self.agents]
        return find_families(entrants, self.run.spec.limit)

    @cached_property
    def turn_seconds(self) -> dict[str, Estimate]:
        """The time that each agent thought for a turn; games that ended by forfeit take no part."""
        turns = sum(len(stacks) for stacks in self.run.spec.rules.stacks)
        whole = [game for game in self.run.games if game.forfeit is None]
        return {
            agent: estimate_in_blocks(
                (game.block, seconds / turns)
                for game in whole
                for name, seconds in zip(game.agents, game.result.seconds, strict=True)
                if name == agent
            )
            for agent in self.agents
            if any(agent in game.lineup for game in whole)
        }

    @property
    def zero(self) -> str:
        """What has the rating 0, in words."""
        return "the mean of all agents" if self.anchor is None else self.anchor

    @property
    def size(self) -> str:
        """How much was played, in words."""
        blocks = len({outcome.block for outcome in self.outcomes})
        return f"{len(self.outcomes):,} games, {blocks:,} blocks"

    @property
    def footer(self) -> str:
        """What every picture names: the run, its size, seed, version and config hash."""
        spec = self.run.spec
        return f"{spec.name} · {self.size} · seed {spec.seed} · torres-mcts {__version__} · config {spec.hash}"
