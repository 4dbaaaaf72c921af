"""A game of Torres whose static value has weights that can be changed while it runs, for tuning.

The weights of `heuristics/value.py` are constants of the compiled kernels. Here a state carries weights of its own, two
sets of them, and says which set the player whose turn is planned goes by. The searches take it for any other game.
"""

import numba
import numpy as np
from numba.extending import overload

from torres_mcts.core import protocol
from torres_mcts.games.torres import verbs  # noqa: F401 (the verbs of the state within)
from torres_mcts.games.torres.engine.state import STATE, YEARS
from torres_mcts.games.torres.heuristics.value import TERMS, weighted_score

TUNED = np.dtype(
    [
        ("state", STATE),
        ("weights", np.float64, (2, YEARS, len(TERMS))),
        ("set_in_use", np.int64),  # of the two
    ],
    align=True,
)
TUNED_TYPE = numba.from_dtype(TUNED)


@overload(protocol.list_actions)
def _list_actions(state, menu):
    if state == TUNED_TYPE:
        return lambda state, menu: protocol.list_actions(state.state, menu)
    return None


@overload(protocol.play_action)
def _play_action(state, action, rng):
    if state == TUNED_TYPE:
        return lambda state, action, rng: protocol.play_action(state.state, action, rng)
    return None


@overload(protocol.is_over)
def _is_over(state):
    if state == TUNED_TYPE:
        return lambda state: protocol.is_over(state.state)
    return None


@overload(protocol.player_to_move)
def _player_to_move(state):
    if state == TUNED_TYPE:
        return lambda state: protocol.player_to_move(state.state)
    return None


@overload(protocol.player_count)
def _player_count(state):
    if state == TUNED_TYPE:
        return lambda state: protocol.player_count(state.state)
    return None


@overload(protocol.hash_state)
def _hash_state(state):
    if state == TUNED_TYPE:
        return lambda state: protocol.hash_state(state.state)
    return None


@overload(protocol.ends_turn)
def _ends_turn(state, action):
    if state == TUNED_TYPE:
        return lambda state, action: protocol.ends_turn(state.state, action)
    return None


@overload(protocol.draws_chance)
def _draws_chance(state, action):
    if state == TUNED_TYPE:
        return lambda state, action: protocol.draws_chance(state.state, action)
    return None


@overload(protocol.turn_budget)
def _turn_budget(state):
    if state == TUNED_TYPE:
        return lambda state: protocol.turn_budget(state.state)
    return None


@overload(protocol.estimate_score)
def _estimate_score(state, player):
    if state == TUNED_TYPE:
        return lambda state, player: weighted_score(state.state, player, state.weights[state.set_in_use])
    return None
