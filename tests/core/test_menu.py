"""Menus against a plain list of actions."""

from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from torres_mcts.core.menu import (
    ROW_LIMIT,
    action_at,
    clear_menu,
    draw_action,
    is_offered,
    list_menu,
    new_menus,
    offer,
    offer_one,
)
from torres_mcts.core.rng import new_rng

pytestmark = pytest.mark.kernel

# A row: a word (its lowest six bits are zero) and the squares of its board.
rows_lists = st.lists(
    st.tuples(st.integers(0, 2**24).map(lambda number: number << 6), st.frozensets(st.integers(0, 63))),
    max_size=40,
    unique_by=lambda row: row[0],
)


@numba.njit
def fill_menu(menus: Any, words: Any, boards: Any) -> None:
    """Clear a menu and offer some rows."""
    clear_menu(menus[0])
    for row in range(words.size):
        offer(menus[0], words[row], boards[row])


@numba.njit
def offer_singly(menus: Any, actions: Any) -> None:
    """Clear a menu and offer some actions one by one."""
    clear_menu(menus[0])
    for action in actions:
        offer_one(menus[0], action)


@numba.njit
def list_all(menus: Any, actions: Any) -> Any:
    """Call list_menu."""
    return list_menu(menus[0], actions)


@numba.njit
def look_up_all(menus: Any, actions: Any) -> None:
    """Call action_at for every index of the menu."""
    for index in range(menus[0].size):
        actions[index] = action_at(menus[0], index)


@numba.njit
def draw_many(menus: Any, rng: Any, actions: Any) -> None:
    """Draw actions."""
    for index in range(actions.size):
        actions[index] = draw_action(menus[0], rng)


@numba.njit
def find(menus: Any, action: Any) -> Any:
    """Call is_offered."""
    return is_offered(menus[0], action)


def menu_of(rows: list[tuple[int, frozenset[int]]]) -> np.ndarray:
    """Return a menu with some rows, its memory full of what was on it before."""
    menus = new_menus()
    offer_singly(menus, np.arange(0, 64 * 50, 64))
    boards = [sum(1 << square for square in squares) for _, squares in rows]
    fill_menu(menus, np.array([word for word, _ in rows], np.int64), np.array(boards, np.uint64))
    return menus


def actions_of(rows: list[tuple[int, frozenset[int]]]) -> list[int]:
    """List the actions of some rows, each row's from the lowest square."""
    return [word + square for word, squares in rows for square in sorted(squares)]


def listed(menus: np.ndarray) -> list[int]:
    """List the actions of a menu."""
    actions = np.zeros(64 * ROW_LIMIT, np.int64)
    return actions[: list_all(menus, actions)].tolist()


@given(rows_lists)
def test_a_menu_lists_every_action_offered_once(rows: list[tuple[int, frozenset[int]]]) -> None:
    assert listed(menu_of(rows)) == actions_of(rows)


@given(rows_lists)
def test_a_menu_knows_its_size(rows: list[tuple[int, frozenset[int]]]) -> None:
    assert menu_of(rows)[0]["size"] == len(actions_of(rows))


@given(rows_lists)
def test_the_action_at_an_index_is_that_of_the_list(rows: list[tuple[int, frozenset[int]]]) -> None:
    menus = menu_of(rows)
    actions = np.zeros(menus[0]["size"], np.int64)
    look_up_all(menus, actions)
    assert actions.tolist() == actions_of(rows)


@given(st.lists(st.integers(0, 2**30), max_size=60, unique=True))
def test_actions_offered_one_by_one_are_listed_in_that_order(actions: list[int]) -> None:
    menus = new_menus()
    offer_singly(menus, np.array(actions, np.int64))
    assert listed(menus) == actions


def test_a_menu_holds_as_many_rows_as_it_promises() -> None:
    actions = [64 * number + number % 64 for number in range(ROW_LIMIT)]
    menus = new_menus()
    offer_singly(menus, np.array(actions, np.int64))
    looked_up = np.zeros(ROW_LIMIT, np.int64)
    look_up_all(menus, looked_up)
    assert listed(menus) == looked_up.tolist() == actions


@given(rows_lists, st.integers(0, 2**30))
def test_only_actions_of_the_list_are_on_offer(rows: list[tuple[int, frozenset[int]]], other: int) -> None:
    menus, actions = menu_of(rows), actions_of(rows)
    near = {action + step for action in actions[:20] for step in (-64, -1, 0, 1, 64)}
    for action in {abs(action) for action in near} | {other}:
        assert find(menus, action) == (action in actions)


def test_a_cleared_menu_is_empty() -> None:
    assert listed(menu_of([])) == []


@pytest.mark.parametrize(
    "rows",
    [
        [(64, frozenset([5]))],
        [(0, frozenset([0, 63])), (64, frozenset([7])), (640, frozenset(range(20)))],
        [(64 * row, frozenset([row])) for row in range(30)],
    ],
)
def test_every_action_of_the_menu_is_drawn_alike(rows: list[tuple[int, frozenset[int]]]) -> None:
    actions = actions_of(rows)
    drawn = np.zeros(300 * len(actions), np.int64)
    draw_many(menu_of(rows), new_rng(1), drawn)
    counts = [int((drawn == action).sum()) for action in actions]
    assert sum(counts) == drawn.size
    assert len(counts) == 1 or chisquare(counts).pvalue > 0.001
