"""Samples of whole turns: the states that each candidate leads to in the same worlds with the same luck.

What a search for play sums up at once (`arms.py`), an analysis wants to see world by world. A world is given by the
caller, by its number; with the seed that number decides the luck too, so a sample does not depend on the number of
threads, nor on when it is taken.
"""

from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import NamedTuple

import numpy as np

from torres_mcts.core.jit import entry_kernel, kernel
from torres_mcts.core.menu import new_menus
from torres_mcts.core.protocol import draws_chance, hash_state, play_action, player_to_move, stage_of
from torres_mcts.core.rng import new_rng, reseed
from torres_mcts.search.playout import NO_STAGE_LIMIT, is_finished
from torres_mcts.search.turns.arms import (
    BEAM_ENDS,
    BEAM_ENTRIES,
    LUCK_STREAM,
    STATES,
    TurnEngine,
    new_plan,
    open_book,
    try_candidate,
)
from torres_mcts.search.turns.generator import DRAW_MARK, Turns, TurnTable, new_table, static_value
from torres_mcts.search.turns.greedy import play_greedily
from torres_mcts.search.turns.replies import new_books


@entry_kernel
def sample_worlds(table, books, states, menus, rng, plan, active, horizon, worlds, seed, first, leaves):
    """Try the active candidates in some worlds, numbered from `first`, and keep where each leads.

    horizon: stages after this one at whose end a playout is cut; below 0 it goes to the end
    worlds:  [worlds] records; leaves: [worlds, active] records, filled
    """
    stage_limit = NO_STAGE_LIMIT if horizon < 0 else stage_of(states[0]) + horizon
    for world in range(worlds.size):
        states[1] = worlds[world]
        reseed(rng, seed, np.uint64(LUCK_STREAM + first + world))
        open_book(books[0], table, states, menus[0], rng, plan, stage_limit)
        for index in range(active.size):
            reseed(rng, seed, np.uint64(LUCK_STREAM + first + world))
            try_candidate(table, books[0], states, menus[0], rng, plan, active[index], stage_limit)
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
            play_greedily(table, states, menus[0], rng, width, sweeps)
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


class _Desk(NamedTuple):
    """What one thread works with."""

    table: TurnTable
    books: np.ndarray
    states: np.ndarray
    menus: np.ndarray
    rng: np.ndarray


class Sampler:
    """Tries turns in worlds, on some threads; to be used in a `with` block."""

    def __init__(self, states: np.ndarray, engine: TurnEngine, *, seed: int, threads: int) -> None:
        self.engine, self.seed = engine, np.uint64(seed)
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

    def sample(self, active: np.ndarray, worlds: np.ndarray, first: int) -> np.ndarray:
        """Return where the active candidates lead in some worlds, numbered from `first`: [worlds, active] records."""
        leaves = np.empty((len(worlds), len(active)), worlds.dtype)
        horizon = -1 if self.engine.horizon is None else self.engine.horizon
        bounds = np.linspace(0, len(worlds), len(self.desks) + 1).astype(int)

        def work(number: int) -> None:
            start, end = int(bounds[number]), int(bounds[number + 1])
            if start < end:
                part = leaves[start:end]
                sample_worlds(
                    *self.desks[number], self.plan, active, horizon, worlds[start:end], self.seed, first + start, part
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
                table, _, states, menus, rng = self.desks[number]
                turn, part = np.array(actions, np.int64), ends[start:end]
                scratch = states[2:5]
                play_stage(table, scratch, menus, rng, turn, width, sweeps, worlds[start:end], self.seed, start, part)

        list(self.pool.map(work, range(len(self.desks))))
        return ends
