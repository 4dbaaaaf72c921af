"""A game of Torres whose static value is a matter of taste: a state carries the weights that one player goes by.

The terms are those of the usual static value and a few more that only a character cares about. One copy of the
beam is compiled for all characters: they differ in the numbers that the state carries.
"""

import numba
import numpy as np
from numba.extending import overload

from torres_mcts.agents.wrapped import pass_verbs_on
from torres_mcts.core import protocol
from torres_mcts.core.bits import EMPTY, count
from torres_mcts.core.jit import kernel
from torres_mcts.games.torres.engine.scoring import highest_level
from torres_mcts.games.torres.engine.state import OVER, STATE, YEARS
from torres_mcts.games.torres.heuristics.value import (
    TERMS,
    bonus_points,
    coming_year,
    is_between_years,
    terms_of,
)

OWN_TERMS = (
    "score",  # points made so far
    "standing",  # points, those included that the year would bring if it ended now
    "widest",  # area of the largest castle with a knight
    "highest",  # level of the highest knight
)
ALL_TERMS = (*TERMS, *OWN_TERMS)
CASTLES = TERMS.index("castles")
OWN, OTHERS = 0, 1  # whose terms are weighted: those of the player who plans, or of the best other one

TASTED = np.dtype(
    [
        ("state", STATE),
        ("weights", np.float64, (2, YEARS, len(ALL_TERMS))),  # [whose, year, term]
        ("year_ends", np.float64, (2, YEARS - 1, len(ALL_TERMS))),  # when a year has just been scored
        ("planner", np.int64),  # the player whose taste it is
    ],
    align=True,
)
TASTED_TYPE = numba.from_dtype(TASTED)


@kernel
def tasted_score(tasted, player):
    """Return what a player's position is worth by the planner's taste; at the end of the game the points alone."""
    state = tasted.state
    if state.phase == OVER:
        return np.float64(state.scores[player])
    whose = OWN if player == tasted.planner else OTHERS
    year = coming_year(state)
    weights = tasted.weights[whose, year]
    if year > 0 and is_between_years(state):
        weights = tasted.year_ends[whose, year - 1]
    terms = terms_of(state, player)
    score = 0.0
    for term in range(len(terms)):
        score += weights[term] * terms[term]
    own = own_terms_of(state, player, terms[CASTLES])
    for term in range(len(own)):
        score += weights[len(terms) + term] * own[term]
    return score


@kernel
def own_terms_of(state, player, castle_points):
    """Return the terms of a player in the order of OWN_TERMS."""
    score = np.float64(state.scores[player])
    standing = score
    if not is_between_years(state):
        standing += castle_points + bonus_points(state, player, 1) + bonus_points(state, player, 2)
    widest, highest = widest_area(state, player), highest_level(state, state.knights[player])
    return score, standing, np.float64(widest), np.float64(highest)


@kernel
def widest_area(state, player):
    """Return the area of the largest castle that carries a knight of a player."""
    widest = np.int64(0)
    for castle in range(state.castle_count):
        if state.castle_squares[castle] & state.knights[player] != EMPTY:
            widest = max(widest, count(state.castle_squares[castle]))
    return widest


pass_verbs_on(TASTED_TYPE)


@overload(protocol.estimate_score)
def _estimate_score(state, player):
    if state == TASTED_TYPE:
        return lambda state, player: tasted_score(state, player)
    return None
