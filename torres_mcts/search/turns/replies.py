"""Good replies, kept in books: what answers one turn well often answers another.

To find a good turn for every player to come after every candidate takes a wide beam each time. Instead a few lines are
played with wide beams before anything is tried, each from one of the best candidates in a world of its own, and every
turn on the way leaves a book of the best turns found there. In a playout the turns of the books for the same ply that
are legal are tried beside a narrow beam. Books are written before the candidates are tried and then only read, so
what comes of a candidate does not depend on the number of threads.
"""

import numpy as np

from torres_mcts.core.jit import kernel
from torres_mcts.core.menu import is_offered
from torres_mcts.core.protocol import hash_state, list_actions, play_action, player_to_move
from torres_mcts.search.playout import is_finished
from torres_mcts.search.turns.generator import generate, static_value, trace
from torres_mcts.search.turns.greedy import CALM, best_end, is_cut, play_best, whim_of

REPLIES = 64
LENGTH_LIMIT = 24  # longer replies are not kept
PLIES = 16  # turns to come that have books; later ones have a narrow beam only
NO_REPLY = -1

BOOK = np.dtype(
    [
        ("size", np.int64),
        ("lengths", np.int64, (REPLIES,)),
        ("actions", np.int64, (REPLIES, LENGTH_LIMIT)),
    ],
    align=True,
)


def new_books(lines: int) -> np.ndarray:
    """Return empty books: [lines, plies]."""
    return np.zeros((lines, PLIES), BOOK)


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
def best_reply(books, states, menu, rng, mood, bound):
    """Return line and number of the reply with the best value and whim above the bound; NO_REPLY for both if none has.

    books: [lines] of the same ply
    """
    player = player_to_move(states[0])
    best = (NO_REPLY, NO_REPLY)
    for line in range(books.size):
        for reply in range(books[line].size):
            if try_reply(books[line], reply, states, menu, rng):
                value = static_value(states[1], player) + whim_of(mood, hash_state(states[1]))
                if value > bound:
                    bound = value
                    best = (line, reply)
    return best


@kernel
def write_line(books, table, states, menu, rng, width, sweeps, turns, stage_limit):
    """Play some turns in states[0], each the best that a wide beam finds; leave the best of each in a book.

    books: [plies] BOOK, filled; states: three records, the last two scratch
    """
    for ply in range(min(turns, books.size)):
        if is_finished(states[0], stage_limit):
            return
        generate(table, states, menu, rng, width, sweeps)
        note_best(books[ply], table)
        play_best(table, states, menu, rng, width, sweeps, CALM)


@kernel
def reply_by_books(books, table, states, menu, rng, width, sweeps, mood):
    """Play the best turn that the books or a narrow beam find in states[0], in some mood.

    books: [lines] of the same ply; states: three records, the last two scratch
    """
    generate(table, states, menu, rng, width, sweeps)
    line, reply = best_reply(books, states, menu, rng, mood, best_end(table, mood)[1])
    if line == NO_REPLY:
        play_best(table, states, menu, rng, width, sweeps, mood)
    else:
        try_reply(books[line], reply, states, menu, rng)
        states[0] = states[1]
