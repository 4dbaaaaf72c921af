"""The greedy turn: the turn with the best static value that a beam finds."""

import numpy as np

from torres_mcts.core.jit import kernel
from torres_mcts.core.protocol import play_action
from torres_mcts.core.rng import draw_below, draw_unit
from torres_mcts.search.turns import generate, trace


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
def play_greedily(table, states, menu, rng, width, epsilon):
    """Play the greedy turn in states[0], up to its end or its first draw; with probability epsilon any turn found."""
    generate(table, states, menu, rng, width)
    end = best_end(table)
    if epsilon > 0.0 and draw_unit(rng) < epsilon:
        end = draw_below(rng, table.desks[0].end_count)
    play_end(table, states[0], rng, end)
