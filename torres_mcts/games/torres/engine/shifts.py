"""The card `shift`: which top blocks may be lifted, and where each may go (rules, section 4)."""

import numpy as np

from torres_mcts.core.bits import EMPTY, NEIGHBOURS, bit, count, drop_lowest, flood, lowest, neighbours
from torres_mcts.core.jit import kernel
from torres_mcts.core.menu import offer
from torres_mcts.games.torres.engine.actions import card_word
from torres_mcts.games.torres.engine.state import SHIFT


@kernel
def offer_shifts(state, menu):
    """Offer every free top block with every square that it may go to."""
    bare = ~state.planes[1]
    targets = (state.growable | (bare & ~state.beside_many)) & state.free
    founding = bare & ~state.beside_one
    allowed = targets & enough_castles(state, np.int64(state.castle_count), founding)
    sources = state.planes[1] & state.free
    while sources != EMPTY:
        square = lowest(sources)
        sources = drop_lowest(sources)
        if state.heights[square] > 1:  # every area stays as it is
            offer(menu, card_word(SHIFT, square), allowed & ~bit(square))
        else:
            offer(menu, card_word(SHIFT, square), last_block_targets(state, square))


@kernel
def enough_castles(state, castles, founding):
    """Return the targets that leave at least `min_castles`: all, the founding ones, or none."""
    if castles >= state.rules.min_castles:
        return ~EMPTY
    if castles + 1 >= state.rules.min_castles:
        return founding
    return EMPTY


@kernel
def last_block_targets(state, square):
    """Return where the only block of a square may go, judged on the board without it."""
    castle = state.castle_squares[state.castle_of[square]]
    rest = castle & ~bit(square)
    if rest != EMPTY and flood(bit(lowest(rest)), rest) != rest:
        return EMPTY
    area = count(rest)
    bare = ~(state.planes[1] & ~bit(square))
    one, many = edges_without(state, square, neighbours(rest))
    growable = (state.growable & ~castle) | (rest & ~state.planes[area])
    targets = growable | (bare & ~many)
    if rest & state.planes[area + 1] != EMPTY:  # too high now unless the block comes back beside it
        targets = neighbours(rest) & bare & one & ~many
    castles = np.int64(state.castle_count) - (1 if rest == EMPTY else 0)
    targets &= enough_castles(state, castles, bare & ~one)
    return targets & state.free & ~bit(square)


@kernel
def edges_without(state, square, still_beside):
    """Return the bare squares beside a castle, and beside two, once a square's only block is lifted."""
    one = state.beside_one
    many = state.beside_many
    changed = NEIGHBOURS[square] & ~state.planes[1] & ~still_beside
    while changed != EMPTY:
        here = bit(lowest(changed))
        castles = count_castles_beside(state, lowest(changed)) - 1
        changed = drop_lowest(changed)
        one &= ~here
        many &= ~here
        if castles >= 1:
            one |= here
        if castles >= 2:
            many |= here
    return one, many


@kernel
def count_castles_beside(state, square):
    """Count the castles that a bare square lies beside."""
    built = NEIGHBOURS[square] & state.planes[1]
    castles = 0
    while built != EMPTY:
        built &= ~state.castle_squares[state.castle_of[lowest(built)]]
        castles += 1
    return castles
