"""The greedy turn: the turn with the best static value that a beam finds."""

import numpy as np

from torres_mcts.core.jit import kernel
from torres_mcts.core.protocol import play_action
from torres_mcts.core.rng import draw_below, draw_unit
from torres_mcts.search.turns import ROOT, generate


@kernel
def best_end(table):
    """Return the end with the best static value, the first found of several."""
    best = 0
    for end in range(1, table.counts[1]):
        if table.end_values[end] > table.end_values[best]:
            best = end
    return best


@kernel
def play_end(table, state, rng, end):
    """Play a turn of the table in the state that the table was made for."""
    length = 0
    entry = table.end_entries[end]
    while entry != ROOT:
        table.path[length] = table.actions[entry]
        length += 1
        entry = table.parents[entry]
    for place in range(length - 1, -1, -1):
        play_action(state, table.path[place], rng)
    play_action(state, table.end_actions[end], rng)


@kernel
def play_greedily(table, states, menus, rng, width, epsilon):
    """Play the greedy turn in states[0], up to its end or its first draw; with probability epsilon any turn found."""
    generate(table, states, menus, rng, width)
    end = best_end(table)
    if epsilon > 0.0 and draw_unit(rng) < epsilon:
        end = draw_below(rng, np.int64(table.counts[1]))
    play_end(table, states[0], rng, end)
