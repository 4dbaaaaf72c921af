"""Best-arm identification over whole turns: every candidate is tried in the same hidden worlds with the same luck.

A world is a determinization from the observer's view. In each world every candidate turn is played, followed by greedy
turns of all players to the end of the stage (chosen with the help of books, `replies.py`) or, if wanted, by a quick
playout; what is left is estimated. Worlds and playouts are seeded by their number alone (common random numbers), so
candidates are compared in pairs, and the result does not depend on the number of threads.
"""

import math
import time as clock
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from torres_mcts.core.jit import entry_kernel
from torres_mcts.core.menu import new_menus
from torres_mcts.core.protocol import determinize, player_count, player_to_move
from torres_mcts.core.rng import new_rng, reseed
from torres_mcts.search.limits import Limit
from torres_mcts.search.rewards import write_rewards
from torres_mcts.search.turns.generator import Turns, list_turns, new_table
from torres_mcts.search.turns.replies import new_books
from torres_mcts.search.turns.trying import (
    LINE_STREAM,
    LUCK_STREAM,
    Desk,
    TurnEngine,
    horizon_of,
    new_desk,
    new_plan,
    open_books,
    try_candidate,
)

WORLD_STREAM = 1 << 40  # far from the streams that deal and play games
TRIALS_EACH = 4  # with an iteration limit, at least so many for each candidate on average
CHUNK = 8  # playouts that a thread does between two looks at the clock, about


class TurnResult(NamedTuple):
    """What came of the candidates; best first."""

    sequences: list[tuple[int, ...]]
    values: np.ndarray  # [candidates] static values
    visits: np.ndarray  # [candidates] worlds that each was tried in
    rewards: np.ndarray  # [candidates] mean reward of the player to move
    rewards_se: np.ndarray  # [candidates]
    behind: np.ndarray  # [candidates] mean paired difference to the best, in reward
    behind_se: np.ndarray  # [candidates]
    scores: np.ndarray  # [candidates, players] mean points at the horizon, or expected from there
    turn_count: int
    exhaustive: bool
    iterations: int
    seconds: float


@entry_kernel
def write_books(books, table, states, menus, rng, plan, observer, seed, line):
    """Fill the books of a line, in a world of its own; lines begin with the best candidates in turn."""
    reseed(rng, seed, np.uint64(LINE_STREAM + line))
    states[1] = states[0]
    determinize(states[1], observer, rng)
    candidate = line % plan.lengths.size
    open_books(books[line], table, states, menus[0], rng, plan, candidate, horizon_of(states[0], plan))


@entry_kernel
def try_worlds(books, table, states, menus, rng, plan, active, observer, seed, first, rewards, scores):
    """Try the active candidates in the worlds from `first` on.

    books: [lines, plies] BOOK, read only
    rewards: [worlds, active] float64, of the player to move; scores: [worlds, active, players] float64
    """
    player = player_to_move(states[0])
    players = player_count(states[0])
    stage_limit = horizon_of(states[0], plan)
    all_rewards = np.empty(players)
    for world in range(rewards.shape[0]):
        reseed(rng, seed, np.uint64(WORLD_STREAM + first + world))
        states[1] = states[0]
        determinize(states[1], observer, rng)
        for index in range(active.size):
            reseed(rng, seed, np.uint64(LUCK_STREAM + first + world))
            try_candidate(books, table, states, menus[0], rng, plan, active[index], stage_limit)
            write_rewards(states[2], plan.weights, scores[world, index], all_rewards)
            rewards[world, index] = all_rewards[player]


@entry_kernel
def describe_root(states):
    """Return the player to move and the number of players."""
    return player_to_move(states[0]), player_count(states[0])


def search_turns(
    states: np.ndarray,
    engine: TurnEngine,
    *,
    limit: Limit,
    seed: int,
    threads: int = 1,
    observer: int | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> TurnResult:
    """Find the best turn of states[0] by sequential halving over the candidates.

    observer: the player whose knowledge may be used; the player to move if left out
    """
    started = clock.monotonic()
    player, players = describe_root(states)
    found = list_turns(
        np.repeat(states[:1], 3),
        new_menus(),
        new_rng(seed),
        table=new_table(engine.state_limit, engine.state_limit),
        width=engine.beam_width,
        sweeps=engine.sweeps,
        tries_all=engine.tries_all,
        most=affordable_candidates(engine.candidates, limit),
        plans=int(engine.plan_share * affordable_candidates(engine.candidates, limit)),
    )
    trial = _Trial(states, engine, found, int(players), seed, threads, player if observer is None else observer)
    active = np.arange(len(found.sequences))
    rounds = 0 if len(active) == 1 else math.ceil(math.log2(len(active))) if engine.halving else 1
    if rounds:
        trial.write_books()
    for number in range(rounds):
        until = None
        if limit.time is not None:
            left = started + limit.time - clock.monotonic()
            if left <= 0 and number > 0:
                break  # all have been tried at least once
            until = clock.monotonic() + left / (rounds - number)
        share = None if limit.iterations is None else limit.iterations // rounds
        trial.run_round(active, share, until, should_stop)
        if engine.halving:
            active = trial.best_half(active)
        if limit.confidence is not None and trial.is_clear(active, limit.confidence):
            break
        if should_stop is not None and should_stop():
            break
    return trial.result(clock.monotonic() - started)


def affordable_candidates(candidates: int, limit: Limit) -> int:
    """Return how many candidates an iteration limit can compare: each is tried four times on average.

    >>> affordable_candidates(64, Limit(iterations=100))
    25
    """
    return candidates if limit.iterations is None else min(candidates, max(2, limit.iterations // TRIALS_EACH))


class _Trial:
    """The samples of all candidates; each has been tried in the worlds from the first one on."""

    def __init__(
        self, states: np.ndarray, engine: TurnEngine, found: Turns, players: int, seed: int, threads: int, observer: int
    ) -> None:
        self.found, self.plan = found, new_plan(engine, found)
        self.seed, self.observer, self.players = np.uint64(seed), observer, players
        self.rewards: list[list[np.ndarray]] = [[] for _ in found.sequences]
        self.score_sums = np.zeros((len(found.sequences), players))
        self.worlds = self.iterations = 0
        self.desks = [new_desk(states, seed) for _ in range(threads)]
        self.books = new_books(engine.lines)

    def write_books(self) -> None:
        """Fill the books, a thread every so many lines."""

        def work(number: int) -> None:
            for line in range(number, len(self.books), len(self.desks)):
                write_books(self.books, *self.desks[number], self.plan, self.observer, self.seed, line)

        with ThreadPoolExecutor(len(self.desks)) as pool:
            list(pool.map(work, range(len(self.desks))))

    def run_round(
        self, active: np.ndarray, share: int | None, until: float | None, should_stop: Callable[[], bool] | None
    ) -> None:
        """Try the active candidates in further worlds: `share` playouts in all, or as many as there is time for."""
        wanted = None if share is None else max(1, share // len(active))
        done = 0
        with ThreadPoolExecutor(len(self.desks)) as pool:
            while wanted is None or done < wanted:
                chunk = max(1, CHUNK // len(active))
                sizes = _split(chunk * len(self.desks) if wanted is None else wanted - done, chunk)[: len(self.desks)]
                firsts = [self.worlds + sum(sizes[:index]) for index in range(len(sizes))]
                parts = list(pool.map(self._run_chunk, self.desks, [active] * len(sizes), firsts, sizes))
                for rewards, scores in parts:
                    for index, candidate in enumerate(active):
                        self.rewards[candidate].append(rewards[:, index])
                        self.score_sums[candidate] += scores[:, index].sum(axis=0)
                self.worlds += sum(sizes)
                done += sum(sizes)
                self.iterations += sum(sizes) * len(active)
                if (until is not None and clock.monotonic() >= until) or (should_stop is not None and should_stop()):
                    return

    def _run_chunk(self, desk: Desk, active: np.ndarray, first: int, size: int) -> tuple[np.ndarray, np.ndarray]:
        rewards = np.empty((size, len(active)))
        scores = np.empty((size, len(active), self.players))
        try_worlds(self.books, *desk, self.plan, active, self.observer, self.seed, first, rewards, scores)
        return rewards, scores

    def samples(self, candidate: int) -> np.ndarray:
        """Return the rewards of a candidate, world by world."""
        return np.concatenate(self.rewards[candidate]) if self.rewards[candidate] else np.empty(0)

    def best_half(self, active: np.ndarray) -> np.ndarray:
        """Return the better half of the active candidates, in their old order."""
        means = np.array([self.samples(candidate).mean() for candidate in active])
        return np.sort(active[np.argsort(-means, kind="stable")[: max(1, math.ceil(len(active) / 2))]])

    def is_clear(self, active: np.ndarray, confidence: float) -> bool:
        """Tell whether the best candidate is better than every other still active, all at once (Bonferroni)."""
        means = [self.samples(candidate).mean() for candidate in active]
        best = int(active[int(np.argmax(means))])
        bound = NormalDist().inv_cdf(1 - (1 - confidence) / max(1, len(active) - 1))
        pairs = [self.difference(best, int(candidate)) for candidate in active if candidate != best]
        return all(mean > bound * error for mean, error in pairs)

    def difference(self, best: int, candidate: int) -> tuple[float, float]:
        """Return how much better one candidate is than another in the worlds that both were tried in, and the error."""
        one, other = self.samples(best), self.samples(candidate)
        both = min(len(one), len(other))
        pairs = one[:both] - other[:both]
        return _mean(pairs), _standard_error(pairs)

    def result(self, seconds: float) -> TurnResult:
        """Rank the candidates: those that lasted longest first, by their means."""
        samples = [self.samples(candidate) for candidate in range(len(self.found.sequences))]
        ranked = sorted(range(len(samples)), key=lambda one: (-len(samples[one]), -_mean(samples[one]), one))
        pairs = [self.difference(ranked[0], candidate) for candidate in ranked]
        visits = np.array([len(samples[candidate]) for candidate in ranked])
        return TurnResult(
            sequences=[self.found.sequences[candidate] for candidate in ranked],
            values=self.found.values[ranked],
            visits=visits,
            rewards=np.array([_mean(samples[candidate]) for candidate in ranked]),
            rewards_se=np.array([_standard_error(samples[candidate]) for candidate in ranked]),
            behind=np.array([mean for mean, _ in pairs]),
            behind_se=np.array([error for _, error in pairs]),
            scores=self.score_sums[ranked] / np.maximum(visits, 1)[:, None],
            turn_count=self.found.turn_count,
            exhaustive=self.found.exhaustive,
            iterations=self.iterations,
            seconds=seconds,
        )


def _split(worlds: int, chunk: int) -> list[int]:
    """Split some worlds into chunks.

    >>> _split(7, 3)
    [3, 3, 1]
    """
    return [min(chunk, worlds - first) for first in range(0, worlds, chunk)]


def _mean(samples: np.ndarray) -> float:
    return float(samples.mean()) if len(samples) else math.nan


def _standard_error(samples: np.ndarray) -> float:
    return float(samples.std(ddof=1) / math.sqrt(len(samples))) if len(samples) > 1 else math.nan
