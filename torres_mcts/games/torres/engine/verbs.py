"""Torres behind the verbs of the search protocol: one line of wiring for each verb."""

import numba
from numba.extending import overload

from torres_mcts.core import protocol
from torres_mcts.games.torres.engine import hidden, offers, turns
from torres_mcts.games.torres.engine.state import OVER, STATE

STATE_TYPE = numba.from_dtype(STATE)


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
