"""Blocks, castles and the ways of knights: what the board allows, whoever is to move (rules, section 3).

Castles never join and only lifting a block can shrink one, so their squares are kept and updated in place.
Where a knight may walk depends on heights alone until pieces are taken away from it, so it is remembered
for each square and forgotten around a block that changes.
"""

import numpy as np

from torres_mcts.core.bits import (
    EMPTY,
    NEIGHBOURS,
    bit,
    count,
    drop_lowest,
    flood,
    lowest,
    neighbours,
)
from torres_mcts.core.jit import kernel
from torres_mcts.games.torres.engine.state import NO_CASTLE, NO_KING


@kernel
def survey(state):
    """Work out everything that heights, knights, king and playable squares imply."""
    for level in range(state.planes.size):
        state.planes[level] = EMPTY
    for square in range(64):
        for level in range(state.heights[square] + 1):
            state.planes[level] |= bit(square)
    state.free = state.rules.playable
    for player in range(state.rules.players):
        state.free &= ~state.knights[player]
    if state.king != NO_KING:
        state.free &= ~bit(state.king)
    state.growable = EMPTY
    state.castle_count = 0
    state.castle_of[:] = NO_CASTLE
    rest = state.planes[1]
    while rest != EMPTY:
        squares = flood(bit(lowest(rest)), state.planes[1])
        rest &= ~squares
        found_castle(state, squares)
    survey_edges(state)
    state.reach_known = EMPTY


@kernel
def found_castle(state, squares):
    """Enter a new castle and return its number."""
    castle = np.int64(state.castle_count)
    state.castle_count += 1
    state.castle_squares[castle] = squares
    state.growable = (state.growable & ~squares) | (squares & ~state.planes[count(squares)])
    while squares != EMPTY:
        state.castle_of[lowest(squares)] = castle
        squares = drop_lowest(squares)
    return castle


@kernel
def survey_edges(state):
    """Work out which bare squares lie beside one castle and beside more."""
    state.beside_one = EMPTY
    state.beside_many = EMPTY
    for castle in range(state.castle_count):
        beside = neighbours(state.castle_squares[castle]) & ~state.planes[1]
        state.beside_many |= state.beside_one & beside
        state.beside_one |= beside


@kernel
def add_block(state, square):
    """Put a block on a square, into its castle, the adjacent one or a new one."""
    height = np.int64(state.heights[square]) + 1
    state.heights[square] = height
    state.planes[height] |= bit(square)
    if height == 1:
        castle = widen(state, square)
    else:
        castle = np.int64(state.castle_of[square])
        if height == count(state.castle_squares[castle]):
            state.growable &= ~bit(square)
    forget_reach(state, castle)


@kernel
def widen(state, square):
    """Enter a square that has just got its first block into a castle; return the castle."""
    near = NEIGHBOURS[square]
    built = near & state.planes[1]
    if built == EMPTY:
        castle = found_castle(state, bit(square))
        newly_beside = near
    else:
        castle = np.int64(state.castle_of[lowest(built)])
        squares = state.castle_squares[castle]
        newly_beside = near & ~neighbours(squares) & ~state.planes[1]
        squares |= bit(square)
        state.castle_squares[castle] = squares
        state.castle_of[square] = castle
        state.growable |= squares & ~state.planes[count(squares)]  # the area grew; `shift` may have lowered it before
    state.beside_many |= state.beside_one & newly_beside
    state.beside_one |= newly_beside
    return castle


@kernel
def lift_block(state, square):
    """Take the top block off a square; its castle must stay in one piece."""
    height = np.int64(state.heights[square])
    castle = np.int64(state.castle_of[square])
    forget_reach(state, castle)
    state.heights[square] = height - 1
    state.planes[height] &= ~bit(square)
    if height > 1:
        state.growable |= bit(square)
        return
    squares = state.castle_squares[castle] & ~bit(square)
    state.castle_of[square] = NO_CASTLE
    state.castle_squares[castle] = squares
    state.growable &= ~bit(square)
    if squares == EMPTY:
        remove_castle(state, castle)
    else:
        state.growable = (state.growable & ~squares) | (squares & ~state.planes[count(squares)])
    survey_edges(state)


@kernel
def remove_castle(state, castle):
    """Strike an empty castle off the list; the last one takes its number."""
    state.castle_count -= 1
    last = np.int64(state.castle_count)
    squares = state.castle_squares[last]
    state.castle_squares[castle] = squares
    if last != castle:
        while squares != EMPTY:
            state.castle_of[lowest(squares)] = castle
            squares = drop_lowest(squares)


@kernel
def forget_reach(state, castle):
    """Forget where knights in and beside a castle may walk."""
    squares = state.castle_squares[castle]
    state.reach_known &= ~(squares | neighbours(squares))


@kernel
def block_targets(state):
    """Return the squares that may get a block from a stack or the supply."""
    bare = state.beside_one & ~state.beside_many & ~state.planes[1]
    return (state.growable | bare) & state.free


@kernel
def reach_of(state, square):
    """Return where a knight on a square may walk if no piece stood in the way."""
    if state.reach_known & bit(square) == EMPTY:
        state.reach[square] = find_reach(state, square)
        state.reach_known |= bit(square)
    return state.reach[square]


@kernel
def find_reach(state, square):
    """Walk: a step at most one level up, or in through a door, down inside, and out of another door."""
    level = np.int64(state.heights[square])
    near = NEIGHBOURS[square]
    reach = near & ~state.planes[level + 2]
    inside = near & state.planes[level + 1]
    if inside == EMPTY:
        return reach
    for floor in range(level, 0, -1):
        inside = flood(inside, state.planes[floor + 1])
        reach |= neighbours(inside) & ~state.planes[floor + 1]
    while inside != EMPTY:  # the ground floor of every castle entered
        castle = state.castle_squares[state.castle_of[lowest(inside)]]
        reach |= neighbours(castle) & ~state.planes[1]
        inside &= ~castle
    return reach & ~bit(square)


@kernel
def squares_with_door(state):
    """Return the squares beside a castle square that is higher than themselves."""
    doors = EMPTY
    level = 1
    while state.planes[level] != EMPTY:
        doors |= neighbours(state.planes[level]) & state.planes[level - 1] & ~state.planes[level]
        level += 1
    return doors


@kernel
def castles_without_piece(state):
    """Return the free squares of the castles that carry no knight and no king."""
    squares = EMPTY
    for castle in range(state.castle_count):
        if state.castle_squares[castle] & ~state.free == EMPTY:
            squares |= state.castle_squares[castle]
    return squares


@kernel
def far_from_blocks(state):
    """Return the free squares at least three orthogonal steps away from every block."""
    near = state.planes[1]
    near |= neighbours(near)
    near |= neighbours(near)
    return state.free & ~near
