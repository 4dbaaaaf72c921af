"""Torres behind the verbs of the search protocol: one line of wiring for each verb."""

import numba
import numpy as np
from numba.extending import overload

from torres_mcts.core import protocol
from torres_mcts.core.jit import kernel
from torres_mcts.games.torres.engine import hashing, hidden, last_turn, offers, turns
from torres_mcts.games.torres.engine.actions import BUY, DETAIL, END_TURN, FAMILY_SHIFT, KEEP_CARD
from torres_mcts.games.torres.engine.piles import split_of
from torres_mcts.games.torres.engine.state import KEEP, KING, OVER, STATE, TURN
from torres_mcts.games.torres.heuristics import bounds as points
from torres_mcts.games.torres.heuristics import policy, value

STATE_TYPE = numba.from_dtype(STATE)
AP_LIMIT = 40  # more than a player can have: 20 in a turn, and two for each of nine cards


@overload(protocol.list_actions)
def _list_actions(state, menu):
    if state == STATE_TYPE:
        return lambda state, menu: offers.offer_actions(state, menu)
    return None


@overload(protocol.play_action)
def _play_action(state, action, rng):
    if state == STATE_TYPE:
        return lambda state, action, rng: turns.play_action(state, action)
    return None


@overload(protocol.is_over)
def _is_over(state):
    if state == STATE_TYPE:
        return lambda state: state.phase == OVER
    return None


@overload(protocol.player_to_move)
def _player_to_move(state):
    if state == STATE_TYPE:
        return lambda state: int(state.to_move)
    return None


@overload(protocol.player_count)
def _player_count(state):
    if state == STATE_TYPE:
        return lambda state: int(state.rules.players)
    return None


@overload(protocol.score_of)
def _score_of(state, player):
    if state == STATE_TYPE:
        return lambda state, player: int(state.scores[player])
    return None


@overload(protocol.determinize)
def _determinize(state, observer, rng):
    if state == STATE_TYPE:
        return lambda state, observer, rng: hidden.determinize(state, observer, rng)
    return None


@kernel
def observe(state, action, observer):
    """Hide which card another player keeps and which go back; how many go on top is seen."""
    if action >> FAMILY_SHIFT == KEEP_CARD and state.to_move != observer:
        return (KEEP_CARD << FAMILY_SHIFT) | split_of(action & DETAIL)
    return action


@overload(protocol.observed_action)
def _observed_action(state, action, observer):
    if state == STATE_TYPE:
        return lambda state, action, observer: observe(state, action, observer)
    return None


@overload(protocol.hash_state)
def _hash_state(state):
    if state == STATE_TYPE:
        return lambda state: hashing.hash_state(state)
    return None


@overload(protocol.ends_turn)
def _ends_turn(state, action):
    if state == STATE_TYPE:
        return lambda state, action: action >> FAMILY_SHIFT == END_TURN or (state.phase != TURN and state.phase != KEEP)
    return None


@overload(protocol.draws_chance)
def _draws_chance(state, action):
    if state == STATE_TYPE:
        return lambda state, action: action >> FAMILY_SHIFT == BUY
    return None


@kernel
def budget(state):
    """Return what every action of a turn lowers: cards that may still be played, then AP, then the choice of a card."""
    cards = max(np.int64(state.rules.cards_per_turn) - np.int64(state.cards_played), 0)
    return 2 * (cards * AP_LIMIT + np.int64(state.ap)) + (1 if state.phase == KEEP else 0)


@overload(protocol.turn_budget)
def _turn_budget(state):
    if state == STATE_TYPE:
        return lambda state: budget(state)
    return None


@overload(protocol.stage_of)
def _stage_of(state):
    if state == STATE_TYPE:
        return lambda state: int(state.year) + (1 if state.phase >= KING else 0)
    return None


@overload(protocol.estimate_score)
def _estimate_score(state, player):
    if state == STATE_TYPE:
        return lambda state, player: value.estimate_score(state, player)
    return None


@overload(protocol.choose_quickly)
def _choose_quickly(state, menu, rng):
    if state == STATE_TYPE:
        return lambda state, menu, rng: policy.choose_quickly(state, menu, rng)
    return None


@overload(protocol.turns_left)
def _turns_left(state):
    if state == STATE_TYPE:
        return lambda state: last_turn.turns_left(state)
    return None


@overload(protocol.list_last_actions)
def _list_last_actions(state, is_first, menu):
    if state == STATE_TYPE:
        return lambda state, is_first, menu: last_turn.offer_last_actions(state, is_first, menu)
    return None


@overload(protocol.late_action)
def _late_action(state):
    if state == STATE_TYPE:
        return lambda state: last_turn.late_action(state)
    return None


@overload(protocol.hash_last_turn)
def _hash_last_turn(state):
    if state == STATE_TYPE:
        return lambda state: last_turn.hash_last_turn(state)
    return None


@overload(protocol.bound_last_turn)
def _bound_last_turn(state, is_first, bounds):
    if state == STATE_TYPE:
        return lambda state, is_first, bounds: points.bound_scores(state, is_first, bounds)
    return None
