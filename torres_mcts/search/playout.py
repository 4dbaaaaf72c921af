"""Playouts: games played to the end by a simple policy."""

import numpy as np

from torres_mcts.core.jit import entry_kernel, kernel
from torres_mcts.core.menu import draw_action
from torres_mcts.core.protocol import determinize, is_over, list_actions, play_action
from torres_mcts.core.rng import reseed

NOBODY_KNOWS_MORE = 0  # at the start of a game the first player knows no more than anybody


@kernel
def play_random(state, menu, rng):
    """Play to the end, every legal action equally likely; return the number of actions."""
    actions = 0
    while not is_over(state):
        list_actions(state, menu)
        play_action(state, draw_action(menu, rng), rng)
        actions += 1
    return actions


@kernel
def start_playout(states, rng, seed, playout):
    """Make states[1] a freshly shuffled copy of the start of a game in states[0]."""
    reseed(rng, seed, np.uint64(playout))
    states[1] = states[0]
    determinize(states[1], NOBODY_KNOWS_MORE, rng)


@entry_kernel
def run_playouts(states, menus, rng, seed, first, actions):
    """Play random games from states[0], numbered from `first`; write the number of actions of each.

    actions: [playouts] int64
    """
    for playout in range(actions.size):
        start_playout(states, rng, seed, first + playout)
        actions[playout] = play_random(states[1], menus[0], rng)


@entry_kernel
def count_branching(states, menus, rng, seed, playouts):
    """Return the mean number of legal actions over the decisions of some random games."""
    choices = 0
    decisions = 0
    for playout in range(playouts):
        start_playout(states, rng, seed, playout)
        while not is_over(states[1]):
            list_actions(states[1], menus[0])
            choices += menus[0].size
            decisions += 1
            play_action(states[1], draw_action(menus[0], rng), rng)
    return choices / decisions
