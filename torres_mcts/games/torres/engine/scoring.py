"""Points: the score track, castles, the king's bonus and the master cards (rules, sections 7, 8, 10)."""

import numpy as np

from torres_mcts.core.bits import EMPTY, bit, count, drop_lowest, flood, lowest
from torres_mcts.core.jit import kernel
from torres_mcts.games.torres.engine.state import (
    MASTER_CASTLES,
    MASTER_CHAIN,
    MASTER_DIAGONALS,
    MASTER_DIFFERENT_LEVELS,
    MASTER_EDGES,
    MASTER_ROW,
    MASTER_SAME_LEVEL,
    MASTER_SQUARE,
    NO_MASTER,
    YEARS,
)

LONG_DIAGONALS = np.uint64(0x8142_2418_1824_4281)
BORDER = np.uint64(0xFF81_8181_8181_81FF)
CASTLES_WANTED = np.array([4, 5, 6])
CASTLES_BONUS = np.array([5, 15, 30])
PLACE_BONUS = np.array([2, 5, 10])
FILE_OF = np.arange(64) % 8
RANK_OF = np.arange(64) // 8


@kernel
def award(state, player, points):
    """Move a player's marker forward, on from an occupied space to the next that is not."""
    if points <= 0:
        return
    score = np.int64(state.scores[player]) + points
    track = np.int64(state.rules.score_track)
    if track > 0:
        while is_occupied(state, player, score % track, track):
            score += 1
    state.scores[player] = score


@kernel
def is_occupied(state, player, space, track):
    """Tell whether the marker of another player stands on a space."""
    for other in range(state.rules.players):
        if other != player and np.int64(state.scores[other]) % track == space:
            return True
    return False


@kernel
def score_year(state):
    """Score castles, then the king, then the master card, each in clockwise order from the start player."""
    players = np.int64(state.rules.players)
    for turn in range(players):
        player = (np.int64(state.first) + turn) % players
        award(state, player, castle_points(state, player))
    for turn in range(players):
        player = (np.int64(state.first) + turn) % players
        award(state, player, king_points(state, player))
    if state.rules.master_card < NO_MASTER:
        for turn in range(players):
            player = (np.int64(state.first) + turn) % players
            award(state, player, master_points(state, player))


@kernel
def castle_points(state, player):
    """Add up area times the level of the player's highest knight over all castles."""
    points = 0
    for castle in range(state.castle_count):
        squares = state.castle_squares[castle]
        if squares & state.knights[player] != EMPTY:
            points += count(squares) * highest_level(state, squares & state.knights[player])
    return points


@kernel
def highest_level(state, squares):
    """Return the height of the highest of some squares."""
    highest = np.int64(0)
    while squares != EMPTY:
        highest = max(highest, np.int64(state.heights[lowest(squares)]))
        squares = drop_lowest(squares)
    return highest


@kernel
def king_points(state, player):
    """Return the bonus for a knight on this year's level of the king's castle."""
    year = np.int64(state.year) - 1
    level = np.int64(state.rules.king_level[year])
    if level == 0 or level >= state.planes.size - 1:
        return 0
    castle = state.castle_squares[state.castle_of[state.king]]
    on_level = castle & state.planes[level] & ~state.planes[level + 1]
    if on_level & state.knights[player] == EMPTY:
        return 0
    return np.int64(state.rules.king_bonus[year])


@kernel
def master_points(state, player):
    """Return what the master card gives a player at the end of this year."""
    card = state.rules.master_card
    year = np.int64(state.year) - 1
    knights = state.knights[player]
    if card == MASTER_CASTLES:
        return CASTLES_BONUS[year] if castles_occupied(state, knights) == CASTLES_WANTED[year] else 0
    if card == MASTER_DIAGONALS:
        return place_points(state, player, LONG_DIAGONALS) * PLACE_BONUS[year]
    if card == MASTER_EDGES:
        return place_points(state, player, BORDER) * PLACE_BONUS[year]
    if year != YEARS - 1:
        return 0
    if card == MASTER_SQUARE:
        return 50 if has_square(knights) else 0
    if count(knights) < state.rules.master_min_knights:
        return 0
    return all_knights_points(state, card, knights)


@kernel
def all_knights_points(state, card, knights):
    """Return what a master card gives for something that all of a player's knights have in common."""
    if card == MASTER_ROW:
        return 50 if is_row(knights) else 0
    if card == MASTER_SAME_LEVEL:
        return 50 if count_levels(state, knights) <= 1 else 0
    if card == MASTER_DIFFERENT_LEVELS:
        return 40 if count_levels(state, knights) == count(knights) else 0
    if card == MASTER_CHAIN:
        return 40 if knights == EMPTY or flood(bit(lowest(knights)), knights) == knights else 0
    return 0  # a card still to be drawn


@kernel
def castles_occupied(state, knights):
    """Count the castles that carry one of some knights."""
    castles = 0
    for castle in range(state.castle_count):
        if state.castle_squares[castle] & knights != EMPTY:
            castles += 1
    return castles


@kernel
def place_points(state, player, place):
    """Count a player's knights on a place, one more for having strictly the most there."""
    mine = count(state.knights[player] & place)
    for other in range(state.rules.players):
        if other != player and count(state.knights[other] & place) >= mine:
            return mine
    return mine + 1


@kernel
def has_square(knights):
    """Tell whether four knights stand on the corners of an upright square."""
    rest = knights
    while rest != EMPTY:
        corner = lowest(rest)
        rest = drop_lowest(rest)
        for side in range(1, 8 - max(FILE_OF[corner], RANK_OF[corner])):
            corners = bit(corner) | bit(corner + side) | bit(corner + 8 * side) | bit(corner + 9 * side)
            if knights & corners == corners:
                return True
    return False


@kernel
def is_row(knights):
    """Tell whether all knights stand on one row, column or diagonal line."""
    if knights == EMPTY:
        return True
    file, rank = FILE_OF[lowest(knights)], RANK_OF[lowest(knights)]
    same_file = same_rank = same_rising = same_falling = True
    while knights != EMPTY:
        across = FILE_OF[lowest(knights)] - file
        up = RANK_OF[lowest(knights)] - rank
        same_file &= across == 0
        same_rank &= up == 0
        same_rising &= across == up
        same_falling &= across == -up
        knights = drop_lowest(knights)
    return same_file or same_rank or same_rising or same_falling


@kernel
def count_levels(state, knights):
    """Count the different levels that some knights stand on."""
    levels = 0
    while knights != EMPTY:
        level = np.int64(state.heights[lowest(knights)])
        knights &= ~(state.planes[level] & ~state.planes[level + 1])
        levels += 1
    return levels
