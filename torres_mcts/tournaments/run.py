"""Play a tournament: go on where its store is, until its stopping rule has seen enough."""

from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from statistics import fmean

from torres_mcts.tournaments.block import Block, PlayedGame, play_block, warm_up_all
from torres_mcts.tournaments.executors import Executor, new_executor
from torres_mcts.tournaments.schedule import list_blocks, list_lineups
from torres_mcts.tournaments.spec import Spec
from torres_mcts.tournaments.statistics.outcomes import Outcome, whole_blocks
from torres_mcts.tournaments.statistics.stopping import Verdict, judge
from torres_mcts.tournaments.store import Store


@dataclass(frozen=True)
class Standing:
    """How far a tournament is."""

    games: int  # in the store
    games_wanted: int  # in all, unless the stopping rule has seen enough before
    forfeits: int
    blocks: int  # whole ones, from the first up to a gap
    blocks_wanted: int
    points: dict[str, float]  # mean rank points of each agent in these blocks; empty without one
    verdicts: dict[str, Verdict]  # of the agents that the stopping rule looks at, if it is more than a number of blocks

    @property
    def is_over(self) -> bool:
        """Whether nothing more need be played."""
        decided = bool(self.verdicts) and all(verdict.is_over for verdict in self.verdicts.values())
        return decided or self.blocks >= self.blocks_wanted

    @property
    def leader(self) -> str | None:
        """The agent with the most rank points; None without a whole block."""
        return max(self.points, key=lambda name: self.points[name], default=None)


class Tally:
    """What the games so far come to, counted on with each block instead of from the start."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.games_a_block = len(list_lineups(spec)) * spec.rules.players
        self.games = self.forfeits = self.blocks = 0
        self.open: dict[int, list[Outcome]] = {}  # games of blocks that are not counted yet
        self.points: dict[str, list[float]] = {name: [] for name in spec.names}  # of whole blocks, in their order
        self.last: Standing | None = None

    def add(self, games: Iterable[PlayedGame]) -> None:
        """Count games; what they say counts as soon as their block is whole, and all before it."""
        for game in games:
            self.games += 1
            self.forfeits += game.forfeit is not None
            outcome = game.outcome
            self.open.setdefault(game.block, []).append(
                Outcome(0, outcome.agents, outcome.scores, outcome.forfeits)  # each block is looked at alone
            )
        while len(self.open.get(self.blocks, [])) == self.games_a_block:
            block = self.open.pop(self.blocks)
            for name, points in self.points.items():
                points += whole_blocks(block, name, games=sum(name in game.agents for game in block)).tolist()
            self.blocks += 1

    def standing(self) -> Standing:
        """Return how far the tournament is."""
        last = self.last
        if last is None or last.blocks != self.blocks:  # else both are as they were
            points = {name: fmean(points) for name, points in self.points.items()} if self.blocks else {}
            verdicts = {name: judge(self.spec.stop, self.points[name]) for name in self.spec.judged}
        else:
            points, verdicts = last.points, last.verdicts
        self.last = Standing(
            games=self.games,
            games_wanted=self.spec.blocks * self.games_a_block,
            forfeits=self.forfeits,
            blocks=self.blocks,
            blocks_wanted=self.spec.blocks,
            points=points,
            verdicts=verdicts,
        )
        return self.last


def stand(spec: Spec, games: Iterable[PlayedGame]) -> Standing:
    """Return how far a tournament is with some games."""
    tally = Tally(spec)
    tally.add(games)
    return tally.standing()


def run(
    spec: Spec,
    store: Store,
    *,
    workers: int = 1,
    executor: Executor | None = None,
    see: Callable[[Standing], None] = lambda standing: None,
) -> Standing:
    """Play what is missing, block by block; each is in the store before the next one counts.

    Games are stored in the order of play, so that the content of the store, but for times, depends neither on the
    number of workers nor on interruptions, and ends with the block in which the stopping rule was met.

    see: called before the first block and after each
    """
    store.bind(spec)
    tally, games = Tally(spec), store.games(spec)
    tally.add(games)
    see(standing := tally.standing())
    if standing.is_over:
        return standing
    done = {(game.lineup, game.block) for game in games}
    missing = (Block(spec, lineup, number) for lineup, number in list_blocks(spec) if (lineup, number) not in done)
    hashes = spec.config_hashes(list_lineups(spec))
    warm_up_all(spec)  # compiled once, before workers would do it side by side
    if executor is None:
        executor = new_executor(workers, warm_up_all, spec)
    with closing(executor.map(play_block, missing)) as blocks:
        for played in blocks:
            store.add(hashes[played[0].lineup], played)
            tally.add(played)
            see(standing := tally.standing())
            if standing.is_over:
                break
    return standing
