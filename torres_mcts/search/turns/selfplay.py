"""Whole games of greedy turns, with the state at every decision kept, for fitting what follows from a position."""

from torres_mcts.core.jit import entry_kernel, kernel
from torres_mcts.core.menu import draw_action
from torres_mcts.core.protocol import choose_quickly, ends_turn, is_over, list_actions, play_action
from torres_mcts.core.rng import draw_unit
from torres_mcts.search.turns.greedy import CALM, play_greedily


@kernel
def play_loosely(state, menu, rng, epsilon):
    """Play a turn of quick choices, a share of them at random."""
    while not is_over(state):
        list_actions(state, menu)
        if draw_unit(rng) < epsilon:
            action = draw_action(menu, rng)
        else:
            action = choose_quickly(state, menu, rng)
        was_last = ends_turn(state, action)
        play_action(state, action, rng)
        if was_last:
            return


@entry_kernel
def keep_game(table, states, menus, rng, width, sweeps, loose_turns, epsilon, kept):
    """Play the game in states[0] and keep the state at the start of each turn; return how many were kept.

    states:      three records, the last two scratch
    loose_turns: the first turns are quick choices instead, for variety, and are not kept
    kept:        records, filled
    """
    turn = 0
    count = 0
    while not is_over(states[0]):
        if turn < loose_turns:
            play_loosely(states[0], menus[0], rng, epsilon)
        else:
            if count < kept.size:
                kept[count] = states[0]
                count += 1
            play_greedily(table, states, menus[0], rng, width, sweeps, CALM)
        turn += 1
    return count
