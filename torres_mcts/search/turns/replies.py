"""Good replies, kept for a world: what answers one turn well often answers another.

To find the best reply to every candidate turn afresh takes a wide beam each time. Instead one wide beam, after the
first candidate, fills a book of replies for the world; after every candidate the replies of the book that are legal
there are tried beside a narrow beam. What comes of a candidate in a world depends on no candidate but the first.
"""

import numpy as np

from torres_mcts.core.jit import kernel
from torres_mcts.core.menu import is_offered
from torres_mcts.core.protocol import list_actions, play_action, player_to_move
from torres_mcts.search.turns.generator import generate, static_value, trace
from torres_mcts.search.turns.greedy import best_end, is_cut, play_end, play_greedily

REPLIES = 64
LENGTH_LIMIT = 24  # longer replies are not kept
NO_REPLY = -1

BOOK = np.dtype(
    [
        ("size", np.int64),
        ("lengths", np.int64, (REPLIES,)),
        ("actions", np.int64, (REPLIES, LENGTH_LIMIT)),
    ],
    align=True,
)


def new_books() -> np.ndarray:
    """Return an empty book, in an array."""
    return np.zeros(1, BOOK)


@kernel
def note_reply(book, table, end):
    """Put a turn of the table into the book, unless it ends before a draw or is too long."""
    length = trace(table, np.int64(table.ends[end].entry))
    if is_cut(table, end) or length + 1 > LENGTH_LIMIT:
        return
    line = book.size
    book.size += 1
    book.lengths[line] = length + 1
    for place in range(length):
        book.actions[line, place] = table.desks[0].path[length - 1 - place]
    book.actions[line, length] = table.ends[end].action


@kernel
def note_best(book, table):
    """Fill the book with the best turns of the table."""
    values = np.empty(table.desks[0].end_count)
    for end in range(values.size):
        values[end] = -table.ends[end].value
    order = np.argsort(values)
    book.size = 0
    for place in range(values.size):
        if book.size == REPLIES:
            return
        note_reply(book, table, order[place])


@kernel
def try_reply(book, line, states, menu, rng):
    """Play a reply of the book in states[1], from states[0]; tell whether it is legal there."""
    states[1] = states[0]
    for place in range(book.lengths[line]):
        list_actions(states[1], menu)
        if not is_offered(menu, book.actions[line, place]):
            return False
        play_action(states[1], book.actions[line, place], rng)
    return True


@kernel
def best_reply(book, states, menu, rng, bound):
    """Return the reply of the book with the best static value above the bound, or NO_REPLY."""
    player = player_to_move(states[0])
    best = NO_REPLY
    for line in range(book.size):
        if try_reply(book, line, states, menu, rng):
            value = static_value(states[1], player)
            if value > bound:
                bound = value
                best = line
    return best


@kernel
def fill_book(book, table, states, menu, rng, width, sweeps):
    """Fill the book with the best turns that a wide beam finds in states[0]."""
    generate(table, states, menu, rng, width, sweeps)
    note_best(book, table)


@kernel
def reply_by_book(book, table, states, menu, rng, width, sweeps):
    """Play the best reply that the book or a narrow beam finds in states[0].

    states: three records, the last two scratch
    """
    generate(table, states, menu, rng, width, sweeps)
    end = best_end(table)
    line = best_reply(book, states, menu, rng, table.ends[end].value)
    if line != NO_REPLY:
        try_reply(book, line, states, menu, rng)
        states[0] = states[1]
        return
    goes_on = is_cut(table, end)
    play_end(table, states[0], rng, end)
    if goes_on:
        play_greedily(table, states, menu, rng, width, sweeps)
