"""A menu: the legal actions of a state as rows of (word, board), cheap to fill and to draw from.

A row stands for the actions `word + square`, one for each square of its board. A game fills the menu once;
counting, listing and drawing uniformly are the same for every game and never look at the state again.
"""

import numpy as np

from torres_mcts.core.bits import EMPTY, count, drop_lowest, lowest, select
from torres_mcts.core.jit import kernel
from torres_mcts.core.rng import draw_below

ROW_LIMIT = 640  # Torres needs up to 520: 334 ways to deal out leftovers, and one row for each knight and each card
ROWS_AT_ONCE = 16  # compared in one go when an action is looked up
NO_END = np.int32(2**31 - 1)

MENU = np.dtype(
    [
        ("rows", np.int64),  # rows in use
        ("size", np.int64),  # actions of all rows
        ("ends", np.int32, (ROW_LIMIT,)),  # actions up to and with a row; NO_END in the first rows that are not used
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
    for row in range(ROWS_AT_ONCE):
        menu.ends[row] = NO_END


@kernel
def offer(menu, word, board):
    """Add the actions `word + square` for every square of a board."""
    if board != EMPTY:
        add_row(menu, word, board, count(board))


@kernel
def offer_one(menu, action):
    """Add a single action."""
    add_row(menu, action & ~63, np.uint64(1) << np.uint64(action & 63), 1)


@kernel
def add_row(menu, word, board, number):
    """Add a row with so many actions."""
    row = menu.rows
    size = menu.size + number
    menu.boards[row] = board
    menu.words[row] = word
    menu.ends[row] = size
    menu.rows = row + 1
    menu.size = size


@kernel
def action_at(menu, index):
    """Return the action at an index from 0 to menu.size - 1."""
    row = 0
    for other in range(ROWS_AT_ONCE):  # no branch to guess wrong: the compiler makes one comparison of it
        row += menu.ends[other] <= index
    if row == ROWS_AT_ONCE:
        while menu.ends[row] <= index:
            row += 1
    before = menu.ends[row - 1] if row > 0 else 0
    return menu.words[row] + select(menu.boards[row], index - before)


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
