"""The greedy turn: the turn with the best static value that a beam finds."""

import numpy as np

from torres_mcts.core.jit import kernel
from torres_mcts.core.protocol import play_action
from torres_mcts.search.turns.generator import DRAW_MARK, generate, trace


@kernel
def best_end(table):
    """Return the end with the best static value, the first found of several."""
    best = 0
    for end in range(1, table.desks[0].end_count):
        if table.ends[end].value > table.ends[best].value:
            best = end
    return best


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
def play_greedily(table, states, menu, rng, width, sweeps):
    """Play a greedy turn in states[0], draws included. If the table has no room for all turns, those found must do.

    states: three records, the last two scratch
    """
    while True:
        generate(table, states, menu, rng, width, sweeps)
        end = best_end(table)
        goes_on = is_cut(table, end)
        play_end(table, states[0], rng, end)
        if not goes_on:
            return
