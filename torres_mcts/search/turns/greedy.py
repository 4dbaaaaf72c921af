"""The greedy turn: the turn with the best static value that a beam finds, or one nearly as good, by whim."""

import math
from typing import NamedTuple

import numpy as np

from torres_mcts.core.jit import kernel
from torres_mcts.core.protocol import play_action
from torres_mcts.core.rng import mix
from torres_mcts.search.turns.generator import DRAW_MARK, generate, trace


class Mood(NamedTuple):
    """How a player of greedy turns strays from the best: temperature 0 never does."""

    key: np.uint64  # decides every whim: the same key and end of a turn, the same whim
    temperature: float  # in points of static value


CALM = Mood(np.uint64(0), 0.0)


@kernel
def whim_of(mood, digest):
    """Return what is added to the static value of a turn's end.

    It is Gumbel noise, so the turn with the highest sum is drawn by a softmax of the static values; and it hangs on the
    end of the turn alone, so in one mood the same turn is liked equally well after every candidate.
    """
    if mood.temperature == 0.0:
        return 0.0
    unit = (np.float64(mix(mood.key ^ digest) >> np.uint64(12)) + 0.5) * (1.0 / 4503599627370496.0)
    return -mood.temperature * math.log(-math.log(unit))


@kernel
def best_end(table, mood):
    """Return the end with the best static value and whim, the first found of several, and that value."""
    best = 0
    bound = -np.inf
    for end in range(table.desks[0].end_count):
        value = table.ends[end].value + whim_of(mood, table.ends[end].digest)
        if value > bound:
            bound = value
            best = end
    return best, bound


@kernel
def play_end(table, state, rng, end):
    """Play a turn of the table in the state that the table was made for."""
    for place in range(trace(table, np.int64(table.ends[end].entry)) - 1, -1, -1):
        play_action(state, table.desks[0].path[place], rng)
    play_action(state, table.ends[end].action, rng)


@kernel
def is_cut(table, end):
    """Tell whether a turn was cut before a draw: its hash is that of the state before it, marked."""
    return table.ends[end].digest == table.entries[table.ends[end].entry].digest ^ DRAW_MARK


@kernel
def play_best(table, states, menu, rng, width, sweeps, mood):
    """Play the best turn of the table that was made for states[0]; where a draw cuts it, a greedy turn goes on.

    states: three records, the last two scratch
    """
    while True:
        end = best_end(table, mood)[0]
        goes_on = is_cut(table, end)
        play_end(table, states[0], rng, end)
        if not goes_on:
            return
        generate(table, states, menu, rng, width, sweeps)


@kernel
def play_greedily(table, states, menu, rng, width, sweeps, mood):
    """Play a greedy turn in states[0], draws included. If the table has no room for all turns, those found must do.

    states: three records, the last two scratch
    """
    generate(table, states, menu, rng, width, sweeps)
    play_best(table, states, menu, rng, width, sweeps, mood)
