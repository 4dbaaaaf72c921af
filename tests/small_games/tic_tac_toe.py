"""Tic-tac-toe: player 0 writes X and begins, player 1 writes O. An action is a square, 0 to 8, row by row."""

from functools import cache

import numba
import numpy as np
from numba.extending import overload

from tests.small_games import SOURCE_FIELD
from torres_mcts.core import protocol
from torres_mcts.core.bits import bit, count
from torres_mcts.core.jit import kernel
from torres_mcts.core.menu import action_at, clear_menu, offer
from torres_mcts.core.rng import mix

PLAYERS = 2
ALL_SQUARES = np.uint64(0b111_111_111)
PLAIN_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
LINES = np.array([sum(1 << square for square in line) for line in PLAIN_LINES], np.uint64)
TIC_TAC_TOE = np.dtype([("signs", np.uint64, (PLAYERS,)), SOURCE_FIELD], align=True)
TIC_TAC_TOE_TYPE = numba.from_dtype(TIC_TAC_TOE)


def new_tic_tac_toe(drawing: str) -> np.ndarray:
    """Return the state drawn as nine signs of X, O and a dot; whose turn it is follows from their number."""
    signs = drawing.replace(" ", "")
    states = np.zeros(1, TIC_TAC_TOE)
    for player, sign in enumerate("XO"):
        states["signs"][0, player] = sum(1 << square for square in range(9) if signs[square] == sign)
    return states


@cache
def value_of(signs: str) -> float:
    """Return what X gets with best play of both: 1 for a win, 0.5 for a draw, by trying everything."""
    for line in PLAIN_LINES:
        row = {signs[square] for square in line}
        if row == {"X"} or row == {"O"}:
            return float(row == {"X"})
    if "." not in signs:
        return 0.5
    values = values_of_moves(signs).values()
    return max(values) if signs.count("X") == signs.count("O") else min(values)


def values_of_moves(signs: str) -> dict[int, float]:
    """Return what X gets after each action."""
    mover = "X" if signs.count("X") == signs.count("O") else "O"
    squares = [square for square in range(9) if signs[square] == "."]
    return {square: value_of(signs[:square] + mover + signs[square + 1 :]) for square in squares}


@kernel
def mover_of(state):
    """Return the player to move."""
    return count(state.signs[0]) - count(state.signs[1])


@kernel
def has_line(state, player):
    """Tell whether a player has three in a row."""
    for line in LINES:
        if state.signs[player] & line == line:
            return True
    return False


@kernel
def is_finished_game(state):
    """Tell whether somebody has three in a row or the board is full."""
    return has_line(state, 0) or has_line(state, 1) or (state.signs[0] | state.signs[1]) == ALL_SQUARES


@kernel
def offer_squares(state, menu):
    """List the empty squares unless the game is over."""
    clear_menu(menu)
    if not is_finished_game(state):
        offer(menu, 0, ALL_SQUARES & ~(state.signs[0] | state.signs[1]))


@kernel
def write_sign(state, square):
    """Play an action."""
    state.signs[mover_of(state)] |= bit(square)


@overload(protocol.list_actions)
def _list_actions(state, menu):
    if state == TIC_TAC_TOE_TYPE:
        return lambda state, menu: offer_squares(state, menu)
    return None


@overload(protocol.play_action)
def _play_action(state, action, rng):
    if state == TIC_TAC_TOE_TYPE:
        return lambda state, action, rng: write_sign(state, action)
    return None


@overload(protocol.is_over)
def _is_over(state):
    if state == TIC_TAC_TOE_TYPE:
        return lambda state: is_finished_game(state)
    return None


@overload(protocol.player_to_move)
def _player_to_move(state):
    if state == TIC_TAC_TOE_TYPE:
        return lambda state: mover_of(state)
    return None


@overload(protocol.player_count)
def _player_count(state):
    if state == TIC_TAC_TOE_TYPE:
        return lambda state: PLAYERS
    return None


@overload(protocol.score_of)
def _score_of(state, player):
    if state == TIC_TAC_TOE_TYPE:
        return lambda state, player: 1 if has_line(state, player) else 0
    return None


@overload(protocol.determinize)
def _determinize(state, observer, rng):
    if state == TIC_TAC_TOE_TYPE:
        return lambda state, observer, rng: None
    return None


@overload(protocol.observed_action)
def _observed_action(state, action, observer):
    if state == TIC_TAC_TOE_TYPE:
        return lambda state, action, observer: action
    return None


@overload(protocol.hash_state)
def _hash_state(state):
    if state == TIC_TAC_TOE_TYPE:
        return lambda state: mix(state.signs[0] | (state.signs[1] << np.uint64(9)))
    return None


@overload(protocol.ends_turn)
def _ends_turn(state, action):
    if state == TIC_TAC_TOE_TYPE:
        return lambda state, action: True
    return None


@overload(protocol.draws_chance)
def _draws_chance(state, action):
    if state == TIC_TAC_TOE_TYPE:
        return lambda state, action: False
    return None


@overload(protocol.turn_budget)
def _turn_budget(state):
    if state == TIC_TAC_TOE_TYPE:
        return lambda state: 1
    return None


@overload(protocol.stage_of)
def _stage_of(state):
    """The number of signs on the board."""
    if state == TIC_TAC_TOE_TYPE:
        return lambda state: count(state.signs[0] | state.signs[1])
    return None


@overload(protocol.estimate_score)
def _estimate_score(state, player):
    if state == TIC_TAC_TOE_TYPE:
        return lambda state, player: 1.0 if has_line(state, player) else 0.0
    return None


@overload(protocol.choose_quickly)
def _choose_quickly(state, menu, rng):
    """Write into the first empty square."""
    if state == TIC_TAC_TOE_TYPE:
        return lambda state, menu, rng: action_at(menu, 0)
    return None
