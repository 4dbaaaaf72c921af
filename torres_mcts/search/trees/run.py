"""Run a tree search: several independent trees on some threads, until a limit is reached, summed up at the root.

The number of trees is fixed and each draws from random streams of its own (seed, tree, iteration), so with a limit of
iterations the result does not depend on the number of threads or on how fast they are. The trees advance in rounds;
between rounds the search looks at the clock, reports progress and asks whether to stop.
"""

import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from numbers import Integral, Real

import numpy as np

from torres_mcts.core.errors import TorresError, shorten, suggest
from torres_mcts.core.jit import entry_kernel
from torres_mcts.core.protocol import is_over, player_count, player_to_move, stage_of
from torres_mcts.search.limits import Limit
from torres_mcts.search.playout import NO_STAGE_LIMIT
from torres_mcts.search.rewards import NOT_PARANOID, Reward
from torres_mcts.search.trees.ismcts import run_ismcts
from torres_mcts.search.trees.phases import Desk, Settings, new_desk
from torres_mcts.search.trees.tree import EDGES, NODES, PLAYER_LIMIT, Tree, new_tree
from torres_mcts.search.trees.uct import run_uct

ENGINES = ("cheat", "uct", "pimc", "so-ismcts", "mo-ismcts")
MERGING = ("cheat", "uct", "pimc")  # engines that search fully known worlds
BACKUPS = ("maxn", "paranoid")
ONE_WORLD = 2**62
FIRST_STREAM = 0x5EA7C4  # no other user of the seed draws from these streams: a deal must never repeat the true one
STREAM_BITS = 40
ROUND_SECONDS = 0.05
FIRST_ROUND = 8
FIRST_MILESTONE = 64
MILESTONE_GROWTH = 1.25


@dataclass(frozen=True)
class TreeEngine:
    """A tree search and its parameters.

    >>> TreeEngine("pimc", epsilon=0.2, reward=Reward(win=1, margin=1)).trees
    8
    """

    name: str = "so-ismcts"
    exploration: float = 0.7  # the c of UCB1, for rewards from 0 to 1
    reward: Reward = field(default_factory=Reward)
    backup: str = "maxn"  # each player wants the own reward; or paranoid: all others want to harm the player to move
    epsilon: float = 1.0  # share of random actions in playouts; the others are the game's quick choice
    horizon: int | None = None  # cut where the game's stage has grown by more than this; None plays to the end
    trees: int = 8
    world_iterations: int = 500  # iterations for each world of pimc

    def __post_init__(self) -> None:
        _check_choice("name", self.name, ENGINES)
        _check_choice("backup", self.backup, BACKUPS)
        if not isinstance(self.reward, Reward):
            raise TorresError(f"engine.reward: expected a Reward, not {shorten(self.reward)}")
        _check_number("exploration", self.exploration, math.inf)
        _check_number("epsilon", self.epsilon, 1)
        if self.horizon is not None:
            _check_whole("engine.horizon", self.horizon, 0)
        _check_whole("engine.trees", self.trees, 1)
        _check_whole("engine.world_iterations", self.world_iterations, 1)

    @property
    def is_merging(self) -> bool:
        """Tell whether nodes of equal states are merged."""
        return self.name in MERGING


@dataclass(frozen=True, eq=False)
class RootSummary:
    """What a search found about the actions of its root, most visited first.

    Rewards and scores are those of every player, not only of the one to move; they are means over the iterations
    through an action. Standard errors are those between the trees, nan where fewer than two trees have visits:
    they tell how far independent searches agree, not how far a search of this kind is from the truth.
    """

    engine: TreeEngine
    player: int  # to move
    observer: int  # whose knowledge was used
    seed: int
    iterations: int
    seconds: float
    stopped_by: str  # "iterations", "time", "confidence", "request"; "" while it runs
    nodes: int  # in use in all trees together
    is_full: bool  # whether a tree ran out of nodes or edges
    actions: np.ndarray  # [actions] int64; of so-ismcts as the observer sees them, else as the player to move does
    visits: np.ndarray  # [actions] int64
    rewards: np.ndarray  # [actions, players] float64
    rewards_se: np.ndarray  # [actions, players] float64
    scores: np.ndarray  # [actions, players] float64, points at the end or expected where playouts were cut
    scores_se: np.ndarray  # [actions, players] float64

    @property
    def best(self) -> int:
        """The most visited action."""
        return int(self.actions[0])

    @property
    def reward(self) -> np.ndarray:
        """The mean reward of every player over all iterations."""
        return (self.visits / self.visits.sum()) @ self.rewards


@dataclass(frozen=True)
class _Worker:
    """One tree and all that its thread needs."""

    tree: Tree
    desk: Desk
    stream: np.uint64


@entry_kernel
def inspect_root(states, facts):
    """Write of states[0]: whether the game is over, its players, the player to move and the stage.

    facts: [4] int64, filled
    """
    facts[0] = is_over(states[0])
    facts[1] = player_count(states[0])
    facts[2] = player_to_move(states[0])
    facts[3] = stage_of(states[0])


def search_tree(
    states: np.ndarray,
    engine: TreeEngine,
    *,
    limit: Limit,
    seed: int,
    threads: int = 1,
    observer: int | None = None,
    progress: Callable[[RootSummary], object] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> RootSummary:
    """Search the actions of the state in states[0] and sum up what was found.

    states:      the record of a game whose verbs are known (its module was imported); not changed
    observer:    the player whose knowledge may be used, None for the player to move; `cheat` uses all that there is
    progress:    called after every round with the summary so far
    should_stop: asked after every round; true ends the search
    """
    facts = np.zeros(4, np.int64)
    inspect_root(states, facts)
    over, players, player, stage = (int(fact) for fact in facts)
    if over:
        raise TorresError("search: the game is over, so there is nothing to search")
    if players > PLAYER_LIMIT:
        raise TorresError(f"search: at most {PLAYER_LIMIT} players, not {players}")
    _check_whole("seed", seed, None)
    _check_whole("threads", threads, 1)
    observer = player if observer is None else observer
    _check_whole("observer", observer, 0)
    if observer >= players:
        raise TorresError(f"observer: expected a player from 0 to {players - 1}, not {shorten(observer)}")
    if limit.confidence is not None and engine.trees == 1:
        raise TorresError("limit.confidence: needs an engine of at least 2 trees, whose results are compared")
    return _Search(states, engine, limit, seed, players, player, observer, stage).run(threads, progress, should_stop)


class _Search:
    """The trees of one search, and where it stands."""

    def __init__(
        self,
        states: np.ndarray,
        engine: TreeEngine,
        limit: Limit,
        seed: int,
        players: int,
        player: int,
        observer: int,
        stage: int,
    ) -> None:
        self.engine, self.limit, self.seed = engine, limit, int(seed)
        self.players, self.player, self.observer = players, player, int(observer)
        self.settings = _settings(engine, player, int(observer), stage)
        self.kernel = run_uct if engine.is_merging else run_ismcts
        budget = _node_budget(engine, limit, players)
        self.workers = [_new_worker(states, budget, players, index, engine) for index in range(engine.trees)]
        self.done = [0] * engine.trees
        self.targets: list[float] = [math.inf] * engine.trees
        if limit.iterations is not None:
            share, rest = divmod(int(limit.iterations), engine.trees)
            self.targets = [share + (index < rest) for index in range(engine.trees)]
        self.began = 0.0

    def run(
        self,
        threads: int,
        progress: Callable[[RootSummary], object] | None,
        should_stop: Callable[[], bool] | None,
    ) -> RootSummary:
        """Run rounds until a limit is reached or somebody asks to stop."""
        self._advance(0, 0)  # compiled now, if it was not: that takes no time from the limit
        self.began = time.perf_counter()
        milestones = _milestones()
        milestone = next(milestones) if self.limit.confidence is not None else math.inf
        step = FIRST_ROUND
        with ThreadPoolExecutor(min(threads, self.engine.trees)) as pool:
            while True:
                start = time.perf_counter()
                goal = min(max(self.done) + step, milestone)
                list(pool.map(self._advance, range(self.engine.trees), [goal] * self.engine.trees))
                stopped_by = self._reached()
                if not stopped_by and min(self.done) >= milestone:
                    milestone = next(milestones)
                    stopped_by = "confidence" if self._is_clear() else ""
                if not stopped_by and should_stop is not None and should_stop():
                    stopped_by = "request"
                if progress is not None:
                    progress(self.summary(stopped_by))
                if stopped_by:
                    return self.summary(stopped_by)
                step = self._next_step(step, time.perf_counter() - start)

    def _advance(self, index: int, goal: float) -> None:
        """Run one tree until it has so many iterations, or its share of the limit."""
        worker, first = self.workers[index], self.done[index]
        count = int(min(goal, self.targets[index])) - first
        if count > 0 or first == goal == 0:
            arguments = (worker.tree, worker.desk, self.settings, np.uint64(self.seed % 2**64))
            self.kernel(*arguments, worker.stream, first, count)
            self.done[index] = first + count

    def _reached(self) -> str:
        """Name the limit that is reached, if one is."""
        if all(done >= target for done, target in zip(self.done, self.targets, strict=True)):
            return "iterations"
        if self.limit.time is not None and time.perf_counter() - self.began >= self.limit.time:
            return "time"
        return ""

    def _next_step(self, step: int, seconds: float) -> int:
        """Return how many iterations of each tree make the next round: about ROUND_SECONDS, never past the time."""
        left = math.inf
        if self.limit.time is not None:
            left = max(self.limit.time - (time.perf_counter() - self.began), 0.0)
        wanted = step * min(ROUND_SECONDS, left) / max(seconds, 1e-9)
        return max(1, min(int(wanted), 2 * step))

    def _is_clear(self) -> bool:
        """Tell whether the most visited action beats every other at the confidence asked for.

        Differences of means are judged by Student's t between trees, the error shared out over all others (Bonferroni).
        """
        from scipy.special import stdtrit

        assert self.limit.confidence is not None
        summary = self.summary("")
        if len(summary.actions) == 1:
            return True
        means, errors = summary.rewards[:, self.player], summary.rewards_se[:, self.player]
        spread = np.hypot(errors[0], errors[1:])
        bound = stdtrit(self.engine.trees - 1, 1 - (1 - self.limit.confidence) / (len(means) - 1))
        return bool(np.all(means[0] - means[1:] > bound * spread))  # false for nan

    def summary(self, stopped_by: str) -> RootSummary:
        """Sum up the trees."""
        notes = [worker.desk.notes[0] for worker in self.workers]
        actions = np.unique(np.concatenate([note["root_actions"][: note["root_count"]] for note in notes]))
        visits = np.stack([_spread(actions, note, "root_visits") for note in notes])
        rewards = np.stack([_spread(actions, note, "root_rewards") for note in notes])[:, :, : self.players]
        scores = np.stack([_spread(actions, note, "root_scores") for note in notes])[:, :, : self.players]
        total = visits.sum(axis=0)
        means, errors = _ratio(rewards, visits)
        score_means, score_errors = _ratio(scores, visits)
        order = np.lexsort((actions, -means[:, self.player], -total))
        return RootSummary(
            engine=self.engine,
            player=self.player,
            observer=self.observer,
            seed=self.seed,
            iterations=sum(self.done),
            seconds=time.perf_counter() - self.began,
            stopped_by=stopped_by,
            nodes=sum(int(worker.tree.used[NODES]) for worker in self.workers),
            is_full=any(_is_full(worker.tree) for worker in self.workers),
            actions=actions[order],
            visits=total[order],
            rewards=means[order],
            rewards_se=errors[order],
            scores=score_means[order],
            scores_se=score_errors[order],
        )


def _is_full(tree: Tree) -> bool:
    """Tell whether a tree has no room for another node or edge."""
    return bool(tree.used[NODES] == tree.nodes.size or tree.used[EDGES] == tree.edges.size)


def _spread(actions: np.ndarray, notes: np.void, field: str) -> np.ndarray:
    """Bring what one tree noted of its root into the order of the actions of all; 0 for actions that it never met."""
    size, column = int(notes["root_count"]), notes[field]
    spread = np.zeros((len(actions), *column.shape[1:]), column.dtype)
    spread[np.searchsorted(actions, notes["root_actions"][:size])] = column[:size]
    return spread


def _ratio(sums: np.ndarray, visits: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean of each action over all trees and its standard error as a ratio of sums over trees.

    sums:   [trees, actions, players]
    visits: [trees, actions]
    """
    trees, total = len(visits), visits.sum(axis=0)[:, None]
    means = sums.sum(axis=0) / total
    if trees == 1:
        return means, np.full_like(means, np.nan)
    residuals = sums - means * visits[:, :, None]
    errors = np.sqrt(trees / (trees - 1) * (residuals**2).sum(axis=0)) / total
    errors[(visits > 0).sum(axis=0) < 2] = np.nan
    return means, errors


def _settings(engine: TreeEngine, player: int, observer: int, stage: int) -> Settings:
    """Say to the kernels what the parameters mean for this root."""
    return Settings(
        observer=observer,
        is_fair=engine.name != "cheat",
        is_multiple=engine.name == "mo-ismcts",
        world_iterations=int(engine.world_iterations) if engine.name == "pimc" else ONE_WORLD,
        exploration=float(engine.exploration),
        epsilon=float(engine.epsilon),
        stage_limit=NO_STAGE_LIMIT if engine.horizon is None else stage + int(engine.horizon),
        paranoid=player if engine.backup == "paranoid" else NOT_PARANOID,
        weights=engine.reward.weights(),
    )


def _node_budget(engine: TreeEngine, limit: Limit, players: int) -> int:
    """Return how many nodes each tree may have."""
    budget = int(limit.nodes) // int(engine.trees)
    if budget <= players:
        least = (players + 1) * engine.trees
        raise TorresError(f"limit.nodes: {engine.trees} trees need at least {least}, not {shorten(limit.nodes)}")
    return min(budget, engine.world_iterations + 2) if engine.name == "pimc" else budget


def _new_worker(states: np.ndarray, budget: int, players: int, index: int, engine: TreeEngine) -> _Worker:
    """Return an empty tree with its working memory and random streams."""
    return _Worker(
        tree=new_tree(budget, players, is_merging=engine.is_merging),
        desk=new_desk(states),
        stream=np.uint64((FIRST_STREAM + index) << STREAM_BITS),
    )


def _milestones() -> Iterator[int]:
    """Yield the iterations of each tree at which confidence is judged: the same ones however fast the search is."""
    milestone = FIRST_MILESTONE
    while True:
        yield milestone
        milestone = int(milestone * MILESTONE_GROWTH)


def _check_choice(name: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        raise TorresError(
            f"engine.{name}: {shorten(value)} is not one of {', '.join(known)}{suggest(str(value), known)}"
        )


def _check_number(name: str, value: object, most: float) -> None:
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not (is_number and math.isfinite(value) and 0 <= value <= most):  # type: ignore[operator,arg-type]
        span = f"from 0 to {most}" if math.isfinite(most) else "of at least 0"
        raise TorresError(f"engine.{name}: expected a number {span}, not {shorten(value)}")


def _check_whole(name: str, value: object, least: int | None) -> None:
    is_whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not is_whole or (least is not None and int(value) < least):  # type: ignore[call-overload]
        more = "" if least is None else f" of at least {least}"
        raise TorresError(f"{name}: expected a whole number{more}, not {shorten(value)}")
