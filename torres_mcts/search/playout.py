"""Playouts: games played to the end by a simple policy."""

import numpy as np

from torres_mcts.core.jit import entry_kernel, kernel
from torres_mcts.core.menu import draw_action
from torres_mcts.core.protocol import choose_quickly, determinize, is_over, list_actions, play_action, stage_of
from torres_mcts.core.rng import draw_unit, reseed

NOBODY_KNOWS_MORE = 0  # at the start of a game the first player knows no more than anybody
NO_STAGE_LIMIT = 2**62  # play to the end of the game


@kernel
def play_random(state, menu, rng):
    """Play to the end, every legal action equally likely; return the number of actions and of all choices."""
    actions = 0
    choices = 0
    while not is_over(state):
        list_actions(state, menu)
        choices += menu.size
        actions += 1
        play_action(state, draw_action(menu, rng), rng)
    return actions, choices


@kernel
def is_finished(state, stage_limit):
    """Tell whether the game is over, or past the stage where playouts are cut."""
    return is_over(state) or stage_of(state) > stage_limit


@kernel
def play_out(state, menu, rng, epsilon, stage_limit):
    """Play until the game is over or its stage exceeds the limit; return the number of actions.

    epsilon: share of uniformly random actions; the others are chosen quickly (at 1 none is)
    """
    actions = 0
    while not is_finished(state, stage_limit):
        list_actions(state, menu)
        if epsilon >= 1.0 or draw_unit(rng) < epsilon:
            action = draw_action(menu, rng)
        else:
            action = np.int64(choose_quickly(state, menu, rng))
        play_action(state, action, rng)
        actions += 1
    return actions


@kernel
def start_playout(states, rng, seed, playout):
    """Make states[1] a freshly shuffled copy of the start of a game in states[0]."""
    reseed(rng, seed, np.uint64(playout))
    states[1] = states[0]
    determinize(states[1], NOBODY_KNOWS_MORE, rng)


@entry_kernel
def run_playouts(states, menus, rng, seed, first, actions, choices):
    """Play random games from states[0], numbered from `first`; write the number of actions and choices of each.

    actions, choices: [playouts] int64
    """
    for playout in range(actions.size):
        start_playout(states, rng, seed, first + playout)
        actions[playout], choices[playout] = play_random(states[1], menus[0], rng)
