"""Playouts: games played to the end by a simple policy."""

import numpy as np

from torres_mcts.core.jit import entry_kernel, kernel
from torres_mcts.core.menu import draw_action
from torres_mcts.core.protocol import determinize, is_over, list_actions, play_action
from torres_mcts.core.rng import reseed


@kernel
def play_random(state, menu, rng):
    """Play to the end, every legal action equally likely; return the number of actions."""
    actions = 0
    while not is_over(state):
        list_actions(state, menu)
        play_action(state, draw_action(menu, rng), rng)
        actions += 1
    return actions


@entry_kernel
def run_playouts(states, menus, rng, seed, playouts):
    """Play random games from a shuffled copy of states[0] each, in states[1]; return the number of actions."""
    actions = 0
    for playout in range(playouts):
        reseed(rng, seed, np.uint64(playout))
        states[1] = states[0]
        determinize(states[1], 0, rng)
        actions += play_random(states[1], menus[0], rng)
    return actions
