"""Nim for two players or more: take any number of things from one heap; who takes the last thing wins.

An action is 8 * heap + things taken.
"""

from collections.abc import Sequence
from functools import cache

import numba
import numpy as np
from numba.extending import overload

from tests.small_games import SOURCE_FIELD
from torres_mcts.core import protocol
from torres_mcts.core.jit import kernel
from torres_mcts.core.menu import clear_menu, offer_one
from torres_mcts.core.rng import mix

HEAPS = 4
NIM = np.dtype(
    [("heaps", np.int64, (HEAPS,)), ("nim_mover", np.int64), ("players", np.int64), SOURCE_FIELD], align=True
)
NIM_TYPE = numba.from_dtype(NIM)


def new_nim(heaps: Sequence[int], *, players: int = 2) -> np.ndarray:
    """Return the state with these heaps and player 0 to move."""
    states = np.zeros(1, NIM)
    states["players"] = players
    states["heaps"][0, : len(heaps)] = heaps
    return states


def plain_moves(heaps: tuple[int, ...]) -> dict[int, tuple[int, ...]]:
    """Return the heaps after each action, in plain Python."""
    return {
        8 * heap + taken: (*heaps[:heap], things - taken, *heaps[heap + 1 :])
        for heap, things in enumerate(heaps)
        for taken in range(1, things + 1)
    }


@cache
def is_won(heaps: tuple[int, ...]) -> bool:
    """Tell by trying everything whether the first of two players wins."""
    return any(not is_won(after) for after in plain_moves(heaps).values())


def winning_moves(heaps: tuple[int, ...]) -> set[int]:
    """Return the actions that win against every defence."""
    return {action for action, after in plain_moves(heaps).items() if not is_won(after)}


@kernel
def things_left(state):
    """Count the things on all heaps."""
    left = 0
    for heap in range(HEAPS):
        left += state.heaps[heap]
    return left


@kernel
def offer_things(state, menu):
    """List the legal actions."""
    clear_menu(menu)
    for heap in range(HEAPS):
        for taken in range(1, state.heaps[heap] + 1):
            offer_one(menu, 8 * heap + taken)


@kernel
def take_things(state, action):
    """Play an action."""
    state.heaps[action // 8] -= action % 8
    state.nim_mover = (state.nim_mover + 1) % state.players


@kernel
def score(state, player):
    """Return 1 for who took the last thing."""
    return 1 if things_left(state) == 0 and (player + 1) % state.players == state.nim_mover else 0


@kernel
def digest(state):
    """Hash heaps and mover."""
    word = np.uint64(state.nim_mover)
    for heap in range(HEAPS):
        word = word * np.uint64(8) + np.uint64(state.heaps[heap])
    return mix(word)


@overload(protocol.list_actions)
def _list_actions(state, menu):
    if state == NIM_TYPE:
        return lambda state, menu: offer_things(state, menu)
    return None


@overload(protocol.play_action)
def _play_action(state, action, rng):
    if state == NIM_TYPE:
        return lambda state, action, rng: take_things(state, action)
    return None


@overload(protocol.is_over)
def _is_over(state):
    if state == NIM_TYPE:
        return lambda state: things_left(state) == 0
    return None


@overload(protocol.player_to_move)
def _player_to_move(state):
    if state == NIM_TYPE:
        return lambda state: state.nim_mover
    return None


@overload(protocol.player_count)
def _player_count(state):
    if state == NIM_TYPE:
        return lambda state: state.players
    return None


@overload(protocol.score_of)
def _score_of(state, player):
    if state == NIM_TYPE:
        return lambda state, player: score(state, player)
    return None


@overload(protocol.determinize)
def _determinize(state, observer, rng):
    if state == NIM_TYPE:
        return lambda state, observer, rng: None
    return None


@overload(protocol.observed_action)
def _observed_action(state, action, observer):
    if state == NIM_TYPE:
        return lambda state, action, observer: action
    return None


@overload(protocol.hash_state)
def _hash_state(state):
    if state == NIM_TYPE:
        return lambda state: digest(state)
    return None


@overload(protocol.ends_turn)
def _ends_turn(state, action):
    if state == NIM_TYPE:
        return lambda state, action: True
    return None


@overload(protocol.draws_chance)
def _draws_chance(state, action):
    if state == NIM_TYPE:
        return lambda state, action: False
    return None


@overload(protocol.turn_budget)
def _turn_budget(state):
    if state == NIM_TYPE:
        return lambda state: 1
    return None


@overload(protocol.stage_of)
def _stage_of(state):
    """The number of empty heaps: it grows during the game."""
    if state == NIM_TYPE:
        return lambda state: HEAPS - np.count_nonzero(state.heaps)
    return None


@overload(protocol.estimate_score)
def _estimate_score(state, player):
    """Nobody knows before the end: both may expect half the point."""
    if state == NIM_TYPE:
        return lambda state, player: 0.5 if things_left(state) > 0 else float(score(state, player))
    return None


@overload(protocol.choose_quickly)
def _choose_quickly(state, menu, rng):
    """Take the first thing there is, always: a rule that tests recognise."""
    if state == NIM_TYPE:
        return lambda state, menu, rng: 8 * first_heap(state) + 1
    return None


@kernel
def first_heap(state):
    """Return the first heap that is not empty."""
    heap = 0
    while state.heaps[heap] == 0:
        heap += 1
    return heap
