"""What a position is worth to a player: named terms, weighted by the year (weights.toml, year_ends.toml)."""

import tomllib
from pathlib import Path

import numpy as np

from torres_mcts.core.bits import EMPTY, NEIGHBOURS, bit, count, drop_lowest, lowest, neighbours
from torres_mcts.core.jit import kernel
from torres_mcts.games.torres.engine.piles import count_cards
from torres_mcts.games.torres.engine.scoring import king_points, master_points
from torres_mcts.games.torres.engine.stacks import sum_stacks
from torres_mcts.games.torres.engine.state import FIRST, KEEP, KING, MASTER_RANDOM, NO_KING, OVER, YEARS

TERMS = (
    "castles",  # points of all castles if the year ended now
    "king",  # the king's bonus if the year ended now
    "master",  # the master card's bonus if the year ended now
    "knights",  # knights on the board
    "levels",  # sum of the levels of all knights
    "climb",  # points that one step up of a knight would add
    "areas",  # sum of the areas of all castles with a knight
    "growth",  # squares by which each castle with a knight can grow, at the most 3, times the knight's level
    "king_near",  # 1 if a knight of the king's castle could step onto this year's level
    "in_king_castle",  # 1 if a knight stands in the king's castle
    "cards",  # cards in hand
    "blocks",  # blocks in the player's stacks for later turns
    "turns",  # later turns that the player still has in this year
    "ap",  # action points left in the turn under way
    "constant",
)
GROWTH_LIMIT = 3  # squares: nobody builds more in a turn or two
WEIGHTS_FILE = Path(__file__).with_name("weights.toml")
YEAR_ENDS_FILE = Path(__file__).with_name("year_ends.toml")


def read_weights(path: Path = WEIGHTS_FILE) -> np.ndarray:
    """Return the weights of a file as [years, terms]."""
    years = tomllib.loads(path.read_text())
    return np.array([[years[f"year{year}"][term] for term in TERMS] for year in range(1, YEARS + 1)])


def read_year_ends(path: Path = YEAR_ENDS_FILE) -> np.ndarray:
    """Return the weights between years of a file as [years - 1, terms]."""
    ends = tomllib.loads(path.read_text())
    return np.array([[ends[f"after{year}"][term] for term in TERMS] for year in range(1, YEARS)])


WEIGHTS = read_weights()  # [years, terms] float64
YEAR_ENDS = read_year_ends()  # [years - 1, terms] float64, when a year has just been scored


@kernel
def coming_year(state):
    """Return the index of the year whose end is scored next."""
    return np.int64(state.year) - (0 if is_between_years(state) else 1)


@kernel
def is_between_years(state):
    """Tell whether the king is moved or the first player chosen: at the start, or when a year has been scored."""
    return state.phase == KING or state.phase == FIRST


@kernel
def estimate_score(state, player):
    """Return the points that a player may expect at the end of the game."""
    return weighted_score(state, player, WEIGHTS)


@kernel
def weighted_score(state, player, weights):
    """Return a player's points and the weighted terms; at the end of the game the points alone.

    weights: [years, terms] float64, within years
    """
    score = np.float64(state.scores[player])
    if state.phase == OVER:
        return score
    year = coming_year(state)
    terms = terms_of(state, player)
    if year > 0 and is_between_years(state):
        for term in range(len(terms)):
            score += YEAR_ENDS[year - 1, term] * terms[term]
    else:
        for term in range(len(terms)):
            score += weights[year, term] * terms[term]
    return score


@kernel
def terms_of(state, player):
    """Return the terms of a player in the order of TERMS."""
    knights = state.knights[player]
    points, climb, areas, growth = castle_terms(state, knights)
    return (
        np.float64(points),
        np.float64(bonus_points(state, player, 1)),
        np.float64(bonus_points(state, player, 2)),
        np.float64(count(knights)),
        np.float64(sum_levels(state, knights)),
        np.float64(climb),
        np.float64(areas),
        np.float64(growth),
        np.float64(is_near_bonus(state, knights)),
        np.float64(is_in_king_castle(state, knights)),
        np.float64(cards_held(state, player)),
        np.float64(blocks_held(state, player)),
        np.float64(turns_left(state, player)),
        np.float64(state.ap) if player == state.to_move else 0.0,
        1.0,
    )


@kernel
def bonus_points(state, player, kind):
    """Return the king's (1) or the master card's (2) bonus as if the year ended now."""
    if is_between_years(state):
        return 0  # just scored
    if kind == 1:
        return king_points(state, player) if state.king != NO_KING else 0
    return master_points(state, player) if state.rules.master_card < MASTER_RANDOM else 0


@kernel
def sum_levels(state, knights):
    """Add up the levels of some knights."""
    total = np.int64(0)
    level = 1
    while knights & state.planes[level] != EMPTY:
        total += count(knights & state.planes[level])
        level += 1
    return total


@kernel
def castle_terms(state, knights):
    """Return castle points, climb, areas and growth of some knights, in one walk over the castles."""
    points, climb, areas, growth = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    sites = state.beside_one & ~state.beside_many & ~state.planes[1] & state.free
    for castle in range(state.castle_count):
        squares = state.castle_squares[castle]
        around = neighbours(squares)
        near = knights & (squares | around)
        if near == EMPTY:
            continue
        area = count(squares)
        top, reachable = climbing_levels(state, squares, near)
        climb += max(reachable - top, 0) * area
        if near & squares != EMPTY:
            points += top * area
            areas += area
            growth += top * min(count(around & sites), GROWTH_LIMIT)
    return points, climb, areas, growth


@kernel
def climbing_levels(state, squares, near):
    """Return the highest level in a castle that knights in and beside it have, and that one step up would reach."""
    top, reachable = np.int64(0), np.int64(0)
    while near != EMPTY:
        square = lowest(near)
        near = drop_lowest(near)
        level = np.int64(state.heights[square])
        if squares & bit(square) != EMPTY:
            top = max(top, level)
        if NEIGHBOURS[square] & squares & state.planes[level + 1] & ~state.planes[level + 2] & state.free != EMPTY:
            reachable = max(reachable, level + 1)
    return top, reachable


@kernel
def is_near_bonus(state, knights):
    """Return 1 if a knight can step onto the level of the king's castle that the coming year's bonus asks for."""
    if state.king == NO_KING:
        return 0
    level = np.int64(state.rules.king_level[coming_year(state)])
    if level == 0 or level >= state.planes.size - 2:
        return 0
    castle = state.castle_squares[state.castle_of[state.king]]
    wanted = castle & state.planes[level] & ~state.planes[level + 1] & state.free
    return 1 if neighbours(wanted) & knights & state.planes[level - 1] != EMPTY else 0


@kernel
def is_in_king_castle(state, knights):
    """Return 1 if one of some knights stands in the king's castle, else 0."""
    if state.king == NO_KING:
        return 0
    return 1 if state.castle_squares[state.castle_of[state.king]] & knights != EMPTY else 0


@kernel
def cards_held(state, player):
    """Count a player's cards, the one about to be kept included."""
    choosing = state.phase == KEEP and player == state.to_move
    return count_cards(state.hands[player]) + np.int64(state.hidden_in_hand[player]) + (1 if choosing else 0)


@kernel
def blocks_held(state, player):
    """Count the blocks of a player's later turns: those of the turn under way are gone at its end, used or not."""
    if is_between_years(state):
        return sum_stacks(state.rules.year_stacks[coming_year(state)]) + np.int64(state.kept[player])
    stacks = np.int64(state.stacks[player])
    if player == state.to_move and state.in_use < 0:
        stacks >>= 4
    return sum_stacks(stacks) + np.int64(state.kept[player])


@kernel
def turns_left(state, player):
    """Count the turns that a player still has in the coming year, the one under way not included."""
    if is_between_years(state):
        return np.int64(state.rules.rounds[coming_year(state)])
    under_way = player == state.to_move and state.in_use < 0
    return np.int64(state.stack_count[player]) - (1 if under_way else 0)
