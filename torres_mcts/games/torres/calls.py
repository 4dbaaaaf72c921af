"""The kernels that Python calls, each on an array of states: few, so that little has to be compiled or loaded."""

from torres_mcts.core.jit import entry_kernel
from torres_mcts.core.menu import list_menu
from torres_mcts.games.torres.engine import hidden, turns
from torres_mcts.games.torres.engine.board import survey
from torres_mcts.games.torres.engine.offers import offer_actions


@entry_kernel
def survey_board(states):
    """Work out all that the board of states[0] implies."""
    survey(states[0])


@entry_kernel
def list_legal(states, menus, actions):
    """Write the legal actions of states[0] into a buffer and return their number."""
    offer_actions(states[0], menus[0])
    return list_menu(menus[0], actions)


@entry_kernel
def play_legal(states, action):
    """Play a legal action in states[0]."""
    turns.play_action(states[0], action)


@entry_kernel
def deal_hidden(states, observer, rng):
    """Deal all that the observer does not know of states[0]."""
    hidden.determinize(states[0], observer, rng)
