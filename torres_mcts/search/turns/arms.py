"""Best-arm identification over whole turns: every candidate is tried in the same hidden worlds with the same luck.

A world is a determinization from the observer's view. In each world every candidate turn is played, followed by some
greedy turns of the players to come and, if wanted, a quick playout to the end of the stage; what is left is estimated.
Worlds and playouts are seeded by their number alone (common random numbers), so candidates are compared in pairs,
and the result does not depend on the number of threads.
"""

import math
import time as clock
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from torres_mcts.core.errors import TorresError, shorten
from torres_mcts.core.jit import entry_kernel, kernel
from torres_mcts.core.menu import new_menus
from torres_mcts.core.protocol import determinize, play_action, player_count, player_to_move, stage_of
from torres_mcts.core.rng import new_rng, reseed
from torres_mcts.search.limits import Limit, check_whole
from torres_mcts.search.playout import NO_STAGE_LIMIT, is_finished, play_out
from torres_mcts.search.rewards import Reward, write_rewards
from torres_mcts.search.turns.generator import Turns, TurnTable, list_turns, new_table
from torres_mcts.search.turns.greedy import play_greedily
from torres_mcts.search.turns.replies import fill_book, new_books, reply_by_book

WORLD_STREAM = 1 << 40  # far from the streams that deal and play games
LUCK_STREAM = 1 << 41
STATES = 5  # root, world, and three for the turn under way
TRIALS_EACH = 4  # with an iteration limit, at least so many for each candidate on average
CHUNK = 4  # worlds that a thread takes at once
BEAM_ENTRIES, BEAM_ENDS = 60_000, 20_000  # of the tables for greedy turns


@dataclass(frozen=True)
class TurnEngine:
    """How candidates are found and tried."""

    candidates: int = 64  # turns taken into the comparison, the best by static value
    state_limit: int = 300_000  # states that the generator may meet
    tries_all: bool = False  # it first tries to find all turns there are; else it goes by its beam at once
    beam_width: int = 64  # of that beam
    sweeps: int = 8  # of that beam
    reply_turns: int = 1  # greedy turns played after a candidate
    reply_width: int = 4  # beam of the greedy turns
    reply_sweeps: int = 1  # of that beam
    book: bool = True  # the first of them is chosen from a book of good replies as well
    book_width: int = 16  # beam that fills the book
    book_sweeps: int = 4  # of that beam
    rollout: bool = False  # a quick playout after them
    epsilon: float = 0.1  # share of random actions in it
    exact_states: int = 30_000  # that solving the last turn of a game may meet; 0: it is tried like any other
    halving: bool = True  # drop the worse half after each round; else all candidates are tried alike to the end
    horizon: int | None = 0  # stages after this one at whose end a playout is cut; None plays to the end
    reward: Reward = field(default_factory=lambda: Reward(win=0, margin=1, margin_scale=40))

    def __post_init__(self) -> None:
        for name in ("candidates", "state_limit", "beam_width", "sweeps", "reply_sweeps", "book_sweeps"):
            check_whole(f"engine.{name}", getattr(self, name), 1)
        for name in ("reply_turns", "reply_width", "book_width", "exact_states"):
            check_whole(f"engine.{name}", getattr(self, name), 0)
        if self.horizon is not None:
            check_whole("engine.horizon", self.horizon, 0)
        if not 0 <= self.epsilon <= 1:
            raise TorresError(f"engine.epsilon: expected a number from 0 to 1, not {shorten(self.epsilon)}")


REPLY_TURNS, REPLY_WIDTH, REPLY_SWEEPS, USES_BOOK, BOOK_WIDTH, BOOK_SWEEPS, ROLLS_OUT, HORIZON = range(8)


class Plan(NamedTuple):
    """The candidates and how to try them, as kernels take them."""

    actions: np.ndarray  # [candidates, most] int64
    lengths: np.ndarray  # [candidates] int64
    is_cut: np.ndarray  # [candidates] bool
    weights: np.ndarray  # [4] float64, of the reward
    numbers: np.ndarray  # [8] int64, in the places named below
    epsilons: np.ndarray  # [1] float64


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


@kernel
def open_book(book, table, states, menu, rng, plan, stage_limit):
    """Fill the book of the world in states[1] with replies to the first candidate."""
    book.size = 0
    if plan.numbers[USES_BOOK] == 0 or plan.numbers[REPLY_TURNS] == 0 or plan.is_cut[0]:
        return
    states[2] = states[1]
    work = states[2:5]
    for place in range(plan.lengths[0]):
        play_action(work[0], plan.actions[0, place], rng)
    if not is_finished(work[0], stage_limit):
        fill_book(book, table, work, menu, rng, plan.numbers[BOOK_WIDTH], plan.numbers[BOOK_SWEEPS])


@kernel
def try_candidate(table, book, states, menu, rng, plan, candidate, stage_limit):
    """Play a candidate and what follows it in states[2], from the world in states[1]."""
    states[2] = states[1]
    work = states[2:5]
    for place in range(plan.lengths[candidate]):
        play_action(work[0], plan.actions[candidate, place], rng)
    width, sweeps = plan.numbers[REPLY_WIDTH], plan.numbers[REPLY_SWEEPS]
    if plan.is_cut[candidate]:
        play_greedily(table, work, menu, rng, width, sweeps)
    for reply in range(plan.numbers[REPLY_TURNS]):
        if is_finished(work[0], stage_limit):
            break
        if reply == 0 and plan.numbers[USES_BOOK] == 1:
            reply_by_book(book, table, work, menu, rng, width, sweeps)
        else:
            play_greedily(table, work, menu, rng, width, sweeps)
    if plan.numbers[ROLLS_OUT] == 1:
        play_out(work[0], menu, rng, plan.epsilons[0], stage_limit)


@entry_kernel
def try_worlds(table, books, states, menus, rng, plan, active, observer, seed, first, rewards, scores):
    """Try the active candidates in the worlds from `first` on.

    rewards: [worlds, active] float64, of the player to move; scores: [worlds, active, players] float64
    """
    player = player_to_move(states[0])
    players = player_count(states[0])
    stage_limit = NO_STAGE_LIMIT
    if plan.numbers[HORIZON] >= 0:
        stage_limit = stage_of(states[0]) + plan.numbers[HORIZON]
    all_rewards = np.empty(players)
    for world in range(rewards.shape[0]):
        reseed(rng, seed, np.uint64(WORLD_STREAM + first + world))
        states[1] = states[0]
        determinize(states[1], observer, rng)
        open_book(books[0], table, states, menus[0], rng, plan, stage_limit)
        for index in range(active.size):
            reseed(rng, seed, np.uint64(LUCK_STREAM + first + world))
            try_candidate(table, books[0], states, menus[0], rng, plan, active[index], stage_limit)
            write_rewards(states[2], plan.weights, scores[world, index], all_rewards)
            rewards[world, index] = all_rewards[player]


@entry_kernel
def describe_root(states):
    """Return the player to move and the number of players."""
    return player_to_move(states[0]), player_count(states[0])


class _Desk(NamedTuple):
    """What one thread works with."""

    table: TurnTable
    books: np.ndarray
    states: np.ndarray
    menus: np.ndarray
    rng: np.ndarray


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
    )
    trial = _Trial(states, engine, found, int(players), seed, threads, player if observer is None else observer)
    active = np.arange(len(found.sequences))
    rounds = 0 if len(active) == 1 else math.ceil(math.log2(len(active))) if engine.halving else 1
    for number in range(rounds):
        until = None
        if limit.time is not None:
            left = started + limit.time - clock.monotonic()
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
        self.desks = [
            _Desk(
                new_table(BEAM_ENTRIES, BEAM_ENDS),
                new_books(),
                np.repeat(states[:1], STATES),
                new_menus(),
                new_rng(seed),
            )
            for _ in range(threads)
        ]

    def run_round(
        self, active: np.ndarray, share: int | None, until: float | None, should_stop: Callable[[], bool] | None
    ) -> None:
        """Try the active candidates in further worlds: `share` playouts in all, or as many as there is time for."""
        wanted = None if share is None else max(1, share // len(active))
        done = 0
        with ThreadPoolExecutor(len(self.desks)) as pool:
            while wanted is None or done < wanted:
                sizes = _split(
                    CHUNK * len(self.desks) if wanted is None else min(wanted - done, CHUNK * len(self.desks))
                )
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

    def _run_chunk(self, desk: _Desk, active: np.ndarray, first: int, size: int) -> tuple[np.ndarray, np.ndarray]:
        rewards = np.empty((size, len(active)))
        scores = np.empty((size, len(active), self.players))
        try_worlds(*desk, self.plan, active, self.observer, self.seed, first, rewards, scores)
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


def new_plan(engine: TurnEngine, found: Turns) -> Plan:
    """Return the candidates as arrays."""
    lengths = np.array([len(sequence) for sequence in found.sequences])
    actions = np.zeros((len(lengths), lengths.max()), np.int64)
    for candidate, sequence in enumerate(found.sequences):
        actions[candidate, : len(sequence)] = sequence
    horizon = -1 if engine.horizon is None else engine.horizon
    numbers = np.array(
        [
            engine.reply_turns,
            engine.reply_width,
            engine.reply_sweeps,
            int(engine.book),
            engine.book_width,
            engine.book_sweeps,
            int(engine.rollout),
            horizon,
        ]
    )
    return Plan(actions, lengths, found.is_cut, engine.reward.weights(), numbers, np.array([engine.epsilon]))


def _split(worlds: int) -> list[int]:
    """Split some worlds into chunks."""
    return [min(CHUNK, worlds - first) for first in range(0, worlds, CHUNK)]


def _mean(samples: np.ndarray) -> float:
    return float(samples.mean()) if len(samples) else math.nan


def _standard_error(samples: np.ndarray) -> float:
    return float(samples.std(ddof=1) / math.sqrt(len(samples))) if len(samples) > 1 else math.nan
