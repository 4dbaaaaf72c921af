"""Hide and seek: player 0 hides on the left in one of three places or on the right in one, player 1 names a side.

Player 1 does not see where player 0 goes: for player 1 all four actions look the same. Hiding is action 0, 1, 2
(left) or 3 (right); seeking is LEFT or RIGHT. Who seeks in the right place wins, else who hides.
"""

import numba
import numpy as np
from numba.extending import overload

from tests.small_games import SOURCE_FIELD
from torres_mcts.core import protocol
from torres_mcts.core.jit import kernel
from torres_mcts.core.menu import clear_menu, draw_action, offer_one
from torres_mcts.core.rng import draw_below, mix

PLAYERS = 2
PLACES = 4
RIGHT_PLACE = 3
LEFT, RIGHT = 10, 11
HIDDEN = 20  # what player 1 sees of hiding
NOT_YET = -1

HIDING = np.dtype([("place", np.int64), ("sought", np.int64), SOURCE_FIELD], align=True)
HIDING_TYPE = numba.from_dtype(HIDING)


def new_hiding(place: int = NOT_YET) -> np.ndarray:
    """Return the state before hiding, or after it."""
    states = np.zeros(1, HIDING)
    states["place"], states["sought"] = place, NOT_YET
    return states


@kernel
def offer_places(state, menu):
    """List the legal actions."""
    clear_menu(menu)
    if state.place == NOT_YET:
        for place in range(PLACES):
            offer_one(menu, place)
    elif state.sought == NOT_YET:
        offer_one(menu, LEFT)
        offer_one(menu, RIGHT)


@kernel
def play(state, action):
    """Play an action."""
    if state.place == NOT_YET:
        state.place = action
    else:
        state.sought = action


@kernel
def score(state, player):
    """Return 1 for the winner once the game is over."""
    is_found = (state.sought == RIGHT) == (state.place == RIGHT_PLACE)
    return 1 if state.sought != NOT_YET and is_found == (player == 1) else 0


@kernel
def deal_place(state, observer, rng):
    """Hide player 0 anew where player 1 does not know the place."""
    if observer == 1 and state.place != NOT_YET:
        state.place = draw_below(rng, PLACES)


@overload(protocol.list_actions)
def _list_actions(state, menu):
    if state == HIDING_TYPE:
        return lambda state, menu: offer_places(state, menu)
    return None


@overload(protocol.play_action)
def _play_action(state, action, rng):
    if state == HIDING_TYPE:
        return lambda state, action, rng: play(state, action)
    return None


@overload(protocol.is_over)
def _is_over(state):
    if state == HIDING_TYPE:
        return lambda state: state.sought != NOT_YET
    return None


@overload(protocol.player_to_move)
def _player_to_move(state):
    if state == HIDING_TYPE:
        return lambda state: 0 if state.place == NOT_YET else 1
    return None


@overload(protocol.player_count)
def _player_count(state):
    if state == HIDING_TYPE:
        return lambda state: PLAYERS
    return None


@overload(protocol.score_of)
def _score_of(state, player):
    if state == HIDING_TYPE:
        return lambda state, player: score(state, player)
    return None


@overload(protocol.determinize)
def _determinize(state, observer, rng):
    if state == HIDING_TYPE:
        return lambda state, observer, rng: deal_place(state, observer, rng)
    return None


@overload(protocol.observed_action)
def _observed_action(state, action, observer):
    if state == HIDING_TYPE:
        return lambda state, action, observer: HIDDEN if observer == 1 and action < PLACES else action
    return None


@overload(protocol.hash_state)
def _hash_state(state):
    if state == HIDING_TYPE:
        return lambda state: mix(np.uint64(32 * (state.place + 1) + state.sought + 1))
    return None


@overload(protocol.ends_turn)
def _ends_turn(state, action):
    if state == HIDING_TYPE:
        return lambda state, action: True
    return None


@overload(protocol.draws_chance)
def _draws_chance(state, action):
    if state == HIDING_TYPE:
        return lambda state, action: False
    return None


@overload(protocol.turn_budget)
def _turn_budget(state):
    if state == HIDING_TYPE:
        return lambda state: 1
    return None


@overload(protocol.stage_of)
def _stage_of(state):
    if state == HIDING_TYPE:
        return lambda state: 0 if state.place == NOT_YET else 1
    return None


@overload(protocol.estimate_score)
def _estimate_score(state, player):
    if state == HIDING_TYPE:
        return lambda state, player: float(score(state, player))
    return None


@overload(protocol.choose_quickly)
def _choose_quickly(state, menu, rng):
    if state == HIDING_TYPE:
        return lambda state, menu, rng: draw_action(menu, rng)
    return None
