"""Samples of whole turns: the states that each candidate leads to in the same worlds with the same luck.

What a search for play sums up at once (`arms.py`), an analysis wants to see world by world. A world is given by the
caller, by its number; with the seed that number decides the luck too, so a sample does not depend on the number of
threads, nor on when it is taken.
"""

from concurrent.futures import ThreadPoolExecutor
from types import TracebackType

import numpy as np

from torres_mcts.core.jit import entry_kernel, kernel
from torres_mcts.core.protocol import draws_chance, hash_state, play_action, player_to_move, stage_of
from torres_mcts.core.rng import reseed
from torres_mcts.search.playout import is_finished
from torres_mcts.search.turns.generator import DRAW_MARK, Turns, static_value
from torres_mcts.search.turns.greedy import CALM, play_greedily
from torres_mcts.search.turns.replies import new_books
from torres_mcts.search.turns.trying import (
    LINE_STREAM,
    LUCK_STREAM,
    TurnEngine,
    horizon_of,
    new_desk,
    new_plan,
    open_books,
    try_candidate,
)


@entry_kernel
def write_line_books(books, table, states, menus, rng, plan, worlds, seed, line):
    """Fill the books of a line, which begins with the candidate of its number in the world of its number."""
    reseed(rng, seed, np.uint64(LINE_STREAM + line))
    states[1] = worlds[line]
    candidate = line % plan.lengths.size
    open_books(books[line], table, states, menus[0], rng, plan, candidate, horizon_of(states[0], plan))


@entry_kernel
def sample_worlds(books, table, states, menus, rng, plan, active, worlds, seed, first, leaves):
    """Try the active candidates in some worlds, numbered from `first`, and keep where each leads.

    books: [lines, plies] BOOK, read only; worlds: [worlds] records; leaves: [worlds, active] records, filled
    """
    stage_limit = horizon_of(states[0], plan)
    for world in range(worlds.size):
        states[1] = worlds[world]
        for index in range(active.size):
            reseed(rng, seed, np.uint64(LUCK_STREAM + first + world))
            try_candidate(books, table, states, menus[0], rng, plan, active[index], stage_limit)
            leaves[world, index] = states[2]


@entry_kernel
def play_stage(table, states, menus, rng, actions, width, sweeps, worlds, seed, first, ends):
    """Play a turn and then greedy turns to the end of the stage in some worlds, numbered from `first`.

    states: three records, scratch; worlds, ends: [worlds] records, the latter filled
    """
    for world in range(worlds.size):
        reseed(rng, seed, np.uint64(LUCK_STREAM + first + world))
        states[0] = worlds[world]
        stage_limit = stage_of(states[0])
        for place in range(actions.size):
            play_action(states[0], actions[place], rng)
        while not is_finished(states[0], stage_limit):
            play_greedily(table, states, menus[0], rng, width, sweeps, CALM)
        ends[world] = states[0]


@kernel
def play_all(states, rng, actions):
    """Play all but the last of some actions in states[0], that one too in states[1]."""
    for place in range(actions.size - 1):
        play_action(states[0], actions[place], rng)
    states[1] = states[0]
    play_action(states[1], actions[actions.size - 1], rng)


@entry_kernel
def judge_turn(states, rng, actions):
    """Play a turn; return the hash of its end as the generator has it, and its static value.

    states: two records, the first the start of the turn, changed
    """
    player = player_to_move(states[0])
    play_all(states, rng, actions)
    value = static_value(states[1], player)
    if draws_chance(states[0], actions[actions.size - 1]):
        return hash_state(states[0]) ^ DRAW_MARK, value
    return hash_state(states[1]), value


class Sampler:
    """Tries turns in worlds, on some threads; to be used in a `with` block."""

    def __init__(self, states: np.ndarray, engine: TurnEngine, *, seed: int, threads: int) -> None:
        self.engine, self.seed = engine, np.uint64(seed)
        self.desks = [new_desk(states, seed) for _ in range(threads)]
        self.books = new_books(engine.lines)
        self.pool = ThreadPoolExecutor(threads)

    def __enter__(self) -> "Sampler":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.pool.shutdown(cancel_futures=True)

    def set_turns(self, found: Turns) -> None:
        """Take some turns as candidates, known by their places in the list."""
        self.plan = new_plan(self.engine, found)

    def write_books(self, worlds: np.ndarray) -> None:
        """Fill the books from the first candidates, a line in each of some worlds."""
        self.books = new_books(min(self.engine.lines, len(worlds)))

        def work(number: int) -> None:
            for line in range(number, len(self.books), len(self.desks)):
                write_line_books(self.books, *self.desks[number], self.plan, worlds, self.seed, line)

        list(self.pool.map(work, range(len(self.desks))))

    def sample(self, active: np.ndarray, worlds: np.ndarray, first: int) -> np.ndarray:
        """Return where the active candidates lead in some worlds, numbered from `first`: [worlds, active] records."""
        leaves = np.empty((len(worlds), len(active)), worlds.dtype)
        bounds = np.linspace(0, len(worlds), len(self.desks) + 1).astype(int)

        def work(number: int) -> None:
            start, end = int(bounds[number]), int(bounds[number + 1])
            if start < end:
                part = leaves[start:end]
                sample_worlds(
                    self.books,
                    *self.desks[number],
                    self.plan,
                    active,
                    worlds[start:end],
                    self.seed,
                    first + start,
                    part,
                )

        list(self.pool.map(work, range(len(self.desks))))
        return leaves

    def play_stage(self, actions: tuple[int, ...], worlds: np.ndarray, width: int, sweeps: int) -> np.ndarray:
        """Return where a turn and then greedy turns lead at the end of the stage in the first worlds: [worlds]."""
        ends = np.empty(len(worlds), worlds.dtype)
        bounds = np.linspace(0, len(worlds), len(self.desks) + 1).astype(int)

        def work(number: int) -> None:
            start, end = int(bounds[number]), int(bounds[number + 1])
            if start < end:
                table, states, menus, rng = self.desks[number]
                turn, part = np.array(actions, np.int64), ends[start:end]
                scratch = states[2:5]
                play_stage(table, scratch, menus, rng, turn, width, sweeps, worlds[start:end], self.seed, start, part)

        list(self.pool.map(work, range(len(self.desks))))
        return ends
