"""A menu: the legal actions of a state as rows of (word, board), cheap to fill and to draw from.

A row stands for the actions `word + square`, one for each square of its board. A game fills the menu once;
counting, listing and drawing uniformly are the same for every game and never look at the state again.
"""

import numpy as np

from torres_mcts.core.bits import EMPTY, count, drop_lowest, lowest, select
from torres_mcts.core.jit import kernel
from torres_mcts.core.rng import draw_below

ROW_LIMIT = 256

MENU = np.dtype(
    [
        ("rows", np.int64),  # rows in use
        ("size", np.int64),  # actions of all rows
        ("boards", np.uint64, (ROW_LIMIT,)),  # none of them empty
        ("words", np.int64, (ROW_LIMIT,)),  # the lowest six bits are zero
    ]
)


def new_menus(number: int = 1) -> np.ndarray:
    """Return empty menus."""
    return np.zeros(number, MENU)


@kernel
def clear_menu(menu):
    """Take every action off the menu."""
    menu.rows = 0
    menu.size = 0


@kernel
def offer(menu, word, board):
    """Add the actions `word + square` for every square of a board."""
    if board != EMPTY:
        menu.boards[menu.rows] = board
        menu.words[menu.rows] = word
        menu.rows += 1
        menu.size += count(board)


@kernel
def offer_one(menu, action):
    """Add a single action."""
    menu.boards[menu.rows] = np.uint64(1) << np.uint64(action & 63)
    menu.words[menu.rows] = action & ~63
    menu.rows += 1
    menu.size += 1


@kernel
def action_at(menu, index):
    """Return the action at an index from 0 to menu.size - 1."""
    row = 0
    squares = count(menu.boards[0])
    while index >= squares:
        index -= squares
        row += 1
        squares = count(menu.boards[row])
    return menu.words[row] + select(menu.boards[row], index)


@kernel
def draw_action(menu, rng):
    """Return one action of the menu, all equally likely."""
    return action_at(menu, draw_below(rng, menu.size))


@kernel
def list_menu(menu, actions):
    """Write every action into a buffer and return their number."""
    size = 0
    for row in range(menu.rows):
        board = menu.boards[row]
        while board != EMPTY:
            actions[size] = menu.words[row] + lowest(board)
            size += 1
            board = drop_lowest(board)
    return size


@kernel
def is_offered(menu, action):
    """Tell whether an action is on the menu."""
    for row in range(menu.rows):
        if menu.words[row] == action & ~63:
            if (menu.boards[row] >> np.uint64(action & 63)) & np.uint64(1) != EMPTY:
                return True
    return False
