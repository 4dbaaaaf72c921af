"""Ratings of agents from games of two to four players, on the Elo scale, with the seat's share taken out."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from scipy import special
from scipy.linalg import block_diag, helmert
from scipy.sparse.csgraph import connected_components

from torres_mcts.core.errors import TorresError, suggest
from torres_mcts.tournaments.statistics.estimates import Estimate, interval_around
from torres_mcts.tournaments.statistics.outcomes import Outcome
from torres_mcts.tournaments.statistics.plackett_luce import (
    NO_ROW,
    Player,
    Ranking,
    Rankings,
    collect_rankings,
    fit_rankings,
    measure_slopes,
)

ELO = 400 / math.log(10)  # for one unit of strength
RIDGE = 0.01  # a normal prior ten units (1700 Elo) wide: felt only where an agent never loses or never wins


def points_of_elo(elo: float) -> float:
    """Return the rank points that an agent can expect at a table of equal opponents, for any number of players.

    >>> round(points_of_elo(100), 3)
    0.64
    """
    return 1 / (1 + math.exp(-elo / ELO))


def elo_of_points(points: float) -> float:
    """Return by how much an agent is stronger than equal opponents, given its expected rank points.

    >>> round(elo_of_points(0.64), 1), elo_of_points(1.0)
    (100.0, inf)
    """
    if points in (0, 1):
        return math.inf if points else -math.inf
    return ELO * math.log(points / (1 - points))


@dataclass(frozen=True)
class Rating:
    """How strong an agent is, in Elo above the anchor."""

    agent: str
    elo: Estimate
    games: int
    blocks: int


@dataclass(frozen=True, eq=False)
class Ratings:
    """What the games of some agents say about their strength; everything by agent, the strongest first."""

    agents: tuple[str, ...]
    anchor: str | None  # the agent at zero; None: the mean of all
    tiers: tuple[tuple[str, ...], ...]  # none ever lost to or tied with a lower one: only the ridge limits the gap
    games: tuple[int, ...]
    blocks: tuple[int, ...]
    seats: dict[int, tuple[Estimate, ...]]  # by number of players, in Elo above the mean of its seats
    unknown_seats: tuple[int, ...]  # numbers of players for which agents moved too little to tell seat from agent
    strengths: np.ndarray  # [agents] Elo above the mean, most likely
    centres: np.ndarray  # [agents] the same for intervals
    covariance: np.ndarray  # [agents, agents] of the centres

    @property
    def ratings(self) -> tuple[Rating, ...]:
        """The rating of each agent; the anchor's own is zero without doubt."""
        return tuple(
            Rating(agent, self._above_anchor(agent), self.games[number], self.blocks[number])
            for number, agent in enumerate(self.agents)
        )

    def difference(self, agent: str, other: str) -> Estimate:
        """Return by how many Elo an agent is stronger than another."""
        pair = [self._number(agent), self._number(other)]
        return self._estimate(self._unit(pair[0]) - self._unit(pair[1]), pair)

    def combine(self, weights: Mapping[str, float]) -> Estimate:
        """Return a weighted sum of strengths, with weights that sum to zero, such as a slope over some agents."""
        numbers = [self._number(agent) for agent in weights]
        contrast = np.zeros(len(self.agents))
        contrast[numbers] = list(weights.values())
        return self._estimate(contrast, numbers)

    @cached_property
    def superiority(self) -> np.ndarray:
        """The chance that the agent of the row is stronger than that of the column, if nothing was known before."""
        chances = np.full((len(self.agents),) * 2, 0.5)
        for row, column in combinations(range(len(self.agents)), 2):
            contrast = self._unit(row) - self._unit(column)
            gap, error = float(contrast @ self.centres), self._error(contrast)
            freedom = min(self.blocks[row], self.blocks[column]) - 1
            if freedom > 0 and error > 0:
                chances[row, column] = special.stdtr(freedom, gap / error)
                chances[column, row] = 1 - chances[row, column]
        return chances

    def _number(self, agent: str) -> int:
        if agent not in self.agents:
            raise TorresError(f"no games of agent {agent!r}{suggest(agent, self.agents)}")
        return self.agents.index(agent)

    def _unit(self, number: int) -> np.ndarray:
        return np.eye(len(self.agents))[number]

    def _above_anchor(self, agent: str) -> Estimate:
        if self.anchor is not None:
            return self.difference(agent, self.anchor)
        number = self._number(agent)
        return self._estimate(self._unit(number) - 1 / len(self.agents), [number])

    def _error(self, contrast: np.ndarray) -> float:
        return math.sqrt(max(float(contrast @ self.covariance @ contrast), 0.0))

    def _estimate(self, contrast: np.ndarray, numbers: Sequence[int]) -> Estimate:
        """Return a sum of strengths with its interval; agents that took part in few blocks widen it."""
        if not contrast.any():
            return Estimate(0.0, 0.0, 0.0, 0.0)
        freedom = min(self.blocks[number] for number in numbers) - 1
        centre = float(contrast @ self.centres)
        return interval_around(float(contrast @ self.strengths), centre, self._error(contrast), freedom)


def connected_groups(outcomes: Iterable[Outcome]) -> list[tuple[str, ...]]:
    """List the groups of agents that are connected by games, if only through others; the largest first.

    >>> lineups = [("a", "b"), ("d", "c"), ("b", "e")]
    >>> connected_groups(Outcome(deal, lineup, (3, 1)) for deal, lineup in enumerate(lineups))
    [('a', 'b', 'e'), ('c', 'd')]
    """
    outcomes = list(outcomes)
    agents = sorted({agent for outcome in outcomes for agent in outcome.agents})
    groups = _components(agents, outcomes, "weak")
    return sorted(groups, key=lambda group: (-len(group), group))


def _components(agents: Sequence[str], outcomes: Sequence[Outcome], connection: str) -> list[tuple[str, ...]]:
    """List groups within which each agent is linked to each other by a chain of agents that did at least as well."""
    numbers = {agent: number for number, agent in enumerate(agents)}
    held = np.zeros((len(agents), len(agents)), dtype=bool)  # the row's agent did at least as well as the column's
    for lineup, ranks in {(outcome.agents, outcome.ranks) for outcome in outcomes}:
        for seat, agent in enumerate(lineup):
            for other, opponent in enumerate(lineup):
                held[numbers[agent], numbers[opponent]] |= ranks[seat] <= ranks[other]
    count, labels = connected_components(held, directed=True, connection=connection)
    return [tuple(agent for agent, own in zip(agents, labels, strict=True) if own == label) for label in range(count)]


@dataclass(frozen=True, eq=False)
class _Layout:
    """Which feature is whose: a row for each agent, then one for each seat of each number of players."""

    agents: tuple[str, ...]
    tables: tuple[int, ...]  # numbers of players
    features: np.ndarray  # [rows, parameters] parameters are such that agents, and the seats of a table, sum to zero
    owners: np.ndarray  # [parameters] 0 for agents, else the number of players

    @classmethod
    def of(cls, outcomes: Sequence[Outcome]) -> "_Layout":
        agents = tuple(sorted({agent for outcome in outcomes for agent in outcome.agents}))
        tables = tuple(sorted({len(outcome.agents) for outcome in outcomes}))
        features = block_diag(*[helmert(size).T for size in (len(agents), *tables)])
        owners = np.repeat([0, *tables], [len(agents) - 1, *[table - 1 for table in tables]])
        return cls(agents, tables, features, owners)

    def seat_rows(self, table: int) -> range:
        """Return the rows of the seats of a number of players."""
        first = len(self.agents) + sum(other for other in self.tables if other < table)
        return range(first, first + table)

    def players(self, outcome: Outcome) -> tuple[Player, ...]:
        """Return the rows of the players of a game."""
        seats = self.seat_rows(len(outcome.agents))
        return tuple((self.agents.index(agent), seats[seat]) for seat, agent in enumerate(outcome.agents))


def rate(
    outcomes: Iterable[Outcome], *, anchor: str | None = None, with_seats: bool = True, ridge: float = RIDGE
) -> Ratings:
    """Rate agents by the rankings of their games.

    The strength of a player is that of the agent plus an effect of the seat, which sums to zero over the seats of each
    number of players and is left out where the games cannot tell it from the agents. The block is the unit of all
    intervals. For these, each agent and each seat wins one further game against an average one and loses one (after
    Agresti and Coull), so that an agent that never lost does not claim to be certain.

    anchor: the agent whose rating is zero; the mean of all if None
    ridge: half of it times the sum of squared strengths is taken off the log-likelihood

    >>> won, lost = (3, 1), (1, 3)
    >>> games = [Outcome(deal, ("a", "b"), won if deal % 4 else lost) for deal in range(400)]
    >>> ratings = rate(games, anchor="b")
    >>> ratings.agents, round(ratings.ratings[0].elo.mean)
    (('a', 'b'), 191)
    """
    outcomes = list(outcomes)
    groups = connected_groups(outcomes)
    if len(groups) != 1:
        raise TorresError(_disconnected(groups))
    if anchor is not None and anchor not in groups[0]:
        raise TorresError(f"no games of the anchor {anchor!r}{suggest(anchor, groups[0])}")
    if not ridge > 0:
        raise TorresError(f"ridge: must be more than 0, not {ridge}")
    layout = _Layout.of(outcomes)
    numbers = {block: number for number, block in enumerate(dict.fromkeys(outcome.block for outcome in outcomes))}
    games = [(numbers[outcome.block], layout.players(outcome), outcome.ranks) for outcome in outcomes]
    further = _games_with_the_average(layout, len(numbers))
    padded = collect_rankings(games + further, layout.features)
    unknown = _unknown_seats(padded.first_clusters(len(numbers)), layout) if with_seats else layout.tables
    kept = ~np.isin(layout.owners, unknown)
    features, padded = ELO * layout.features[:, kept], padded.with_parameters(kept)
    likely = fit_rankings(padded.first_clusters(len(numbers)), ridge=ridge)
    cautious = fit_rankings(padded, ridge=ridge)
    strengths, centres = features @ likely.parameters, features @ cautious.parameters
    covariance = features @ cautious.covariance(len(numbers)) @ features.T
    order = sorted(range(len(layout.agents)), key=lambda number: -strengths[number])
    ranked = tuple(layout.agents[number] for number in order)
    tiers = _components(ranked, outcomes, "strong")
    return Ratings(
        agents=ranked,
        anchor=anchor,
        tiers=tuple(sorted(tiers, key=lambda tier: ranked.index(tier[0]))),
        games=tuple(sum(agent in outcome.agents for outcome in outcomes) for agent in ranked),
        blocks=tuple(len({outcome.block for outcome in outcomes if agent in outcome.agents}) for agent in ranked),
        seats={
            table: tuple(
                interval_around(float(strengths[row]), float(centres[row]), math.sqrt(covariance[row, row]), freedom)
                for row in layout.seat_rows(table)
            )
            for table in layout.tables
            if table not in unknown
            for freedom in [len({outcome.block for outcome in outcomes if len(outcome.agents) == table}) - 1]
        },
        unknown_seats=unknown if with_seats else (),
        strengths=strengths[order],
        centres=centres[order],
        covariance=covariance[np.ix_(order, order)],
    )


def _unknown_seats(rankings: Rankings, layout: _Layout) -> tuple[int, ...]:
    """List the numbers of players for which some seat cannot be told from the agents that sat on it."""
    information = measure_slopes(rankings, np.zeros(len(layout.owners))).information
    known, unknown = layout.owners == 0, []
    for table in layout.tables:
        trial = known | (layout.owners == table)
        if np.linalg.matrix_rank(information[np.ix_(trial, trial)], hermitian=True) == trial.sum():
            known = trial
        else:
            unknown.append(table)
    return tuple(unknown)


def _games_with_the_average(layout: _Layout, first: int) -> list[Ranking]:
    """List a game won and a game lost by each agent and each seat against an average one, each a cluster of its own.

    first: the cluster of the first of them
    """
    sides = [(number, NO_ROW) for number in range(len(layout.agents))]
    sides += [(NO_ROW, row) for table in layout.tables for row in layout.seat_rows(table)]
    results = [(side, ranks) for side in sides for ranks in ((1, 2), (2, 1))]
    return [(first + number, (side, (NO_ROW, NO_ROW)), ranks) for number, (side, ranks) in enumerate(results)]


def _disconnected(groups: Sequence[tuple[str, ...]]) -> str:
    """Say why some agents cannot be compared."""
    if not groups:
        return "there are no games to rate"
    shown = "; ".join(", ".join(group) for group in groups)
    return f"no games connect these groups of agents, so their ratings cannot be compared: {shown}"
