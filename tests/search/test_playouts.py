"""Playouts on Nim, where the quick choice takes one thing from the first heap."""

from typing import Any

import numba
import numpy as np
import pytest

from tests.small_games.nim import new_nim
from torres_mcts.core.menu import new_menus
from torres_mcts.core.rng import new_rng
from torres_mcts.search.playout import NO_STAGE_LIMIT, play_out, play_random

pytestmark = pytest.mark.kernel
HEAPS = [3, 4, 5]


@numba.njit
def run_play_out(states: Any, menus: Any, rng: Any, epsilon: Any, stage_limit: Any) -> Any:
    """Call play_out."""
    return play_out(states[0], menus[0], rng, epsilon, stage_limit)


@numba.njit
def run_random(states: Any, menus: Any, rng: Any) -> Any:
    """Call play_random."""
    return play_random(states[0], menus[0], rng)[0]


def test_quick_playouts_follow_the_quick_choice_to_the_end() -> None:
    states = new_nim(HEAPS)
    assert run_play_out(states, new_menus(), new_rng(1), 0.0, NO_STAGE_LIMIT) == sum(HEAPS)
    assert states["heaps"].sum() == 0


@pytest.mark.parametrize("seed", range(20))
def test_random_playouts_never_ask_for_a_quick_choice(seed: int) -> None:
    states, others = new_nim(HEAPS), new_nim(HEAPS)
    rng, other_rng = new_rng(seed), new_rng(seed)
    lengths = run_play_out(states, new_menus(), rng, 1.0, NO_STAGE_LIMIT), run_random(others, new_menus(), other_rng)
    assert lengths[0] == lengths[1]
    assert rng.tolist() == other_rng.tolist()
    assert states.tobytes() == others.tobytes()


def test_epsilon_is_the_share_of_random_actions() -> None:
    rng, menus = new_rng(1), new_menus()
    lengths = {}
    for epsilon in (0.0, 0.3, 1.0):
        lengths[epsilon] = np.mean(
            [run_play_out(new_nim(HEAPS), menus, rng, epsilon, NO_STAGE_LIMIT) for _ in range(500)]
        )
    assert lengths[0.0] > lengths[0.3] > lengths[1.0]


@pytest.mark.parametrize(("limit", "empty"), [(1, 2), (2, 3), (3, 4), (0, 1)])
def test_a_playout_stops_where_the_stage_exceeds_the_limit(limit: int, empty: int) -> None:
    states = new_nim(HEAPS)
    run_play_out(states, new_menus(), new_rng(1), 1.0, limit)
    assert (states["heaps"][0] == 0).sum() == empty
