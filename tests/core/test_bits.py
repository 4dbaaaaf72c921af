"""Boards of bits against sets of squares."""

from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from torres_mcts.core import bits
from torres_mcts.core.bits import bit, count, drop_lowest, flood, has, lowest, neighbours, select, select_stepwise

pytestmark = pytest.mark.kernel

squares_sets = st.frozensets(st.integers(0, 63))
some_squares = st.frozensets(st.integers(0, 63), min_size=1)
any_square = st.integers(0, 63)


def to_board(squares: Any) -> np.uint64:
    """Return a set of squares as a board."""
    return np.uint64(sum(1 << square for square in squares))


def to_set(board: Any) -> set[int]:
    """Return a board as a set of squares."""
    return {square for square in range(64) if int(board) >> square & 1}


def beside(square: int, steps: list[tuple[int, int]]) -> set[int]:
    """Return the squares of the 8 x 8 board some steps (files, ranks) away."""
    places = [(square % 8 + files, square // 8 + ranks) for files, ranks in steps]
    return {file + 8 * rank for file, rank in places if 0 <= file < 8 and 0 <= rank < 8}


EDGES = [(1, 0), (-1, 0), (0, 1), (0, -1)]
CORNERS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]


@numba.njit
def measure(board: Any, square: Any, index: Any) -> Any:
    """Call the kernels that take one board."""
    return (
        count(board),
        lowest(board),
        drop_lowest(board),
        has(board, square),
        bit(square),
        select(board, index),
        neighbours(board),
        select_stepwise(board, index),
    )


@numba.njit
def fill(seed: Any, within: Any) -> Any:
    """Call flood."""
    return flood(seed, within)


@given(some_squares)
def test_count_counts_the_squares(squares: frozenset[int]) -> None:
    assert measure(to_board(squares), 0, 0)[0] == len(squares)


def test_an_empty_board_has_no_squares() -> None:
    assert measure(bits.EMPTY, 0, 0)[0] == 0


def test_a_full_board_has_64_squares() -> None:
    assert measure(bits.FULL, 0, 0)[0] == 64


@given(some_squares)
def test_lowest_is_the_smallest_square(squares: frozenset[int]) -> None:
    assert measure(to_board(squares), 0, 0)[1] == min(squares)


@given(some_squares)
def test_drop_lowest_drops_the_smallest_square_only(squares: frozenset[int]) -> None:
    assert to_set(measure(to_board(squares), 0, 0)[2]) == squares - {min(squares)}


@given(some_squares, any_square)
def test_has_tells_whether_a_square_is_there(squares: frozenset[int], square: int) -> None:
    assert measure(to_board(squares), square, 0)[3] == (square in squares)


@given(any_square)
def test_bit_is_the_board_of_one_square(square: int) -> None:
    assert to_set(measure(bits.FULL, square, 0)[4]) == {square}


@given(some_squares)
def test_select_counts_from_the_lowest_square(squares: frozenset[int]) -> None:
    selected = [measure(to_board(squares), 0, index)[5] for index in range(len(squares))]
    assert selected == sorted(squares)


@given(some_squares)
def test_select_without_the_processors_help_counts_alike(squares: frozenset[int]) -> None:
    selected = [measure(to_board(squares), 0, index)[7] for index in range(len(squares))]
    assert selected == sorted(squares)


@given(some_squares)
def test_neighbours_share_an_edge_and_never_wrap_round_the_board(squares: frozenset[int]) -> None:
    expected = set().union(*(beside(square, EDGES) for square in squares))
    assert to_set(measure(to_board(squares), 0, 0)[6]) == expected


@pytest.mark.parametrize("square", range(64))
def test_the_table_of_neighbours_holds_the_squares_that_share_an_edge(square: int) -> None:
    assert to_set(bits.NEIGHBOURS[square]) == beside(square, EDGES)


@pytest.mark.parametrize("square", range(64))
def test_the_table_of_diagonal_neighbours_holds_the_squares_that_share_a_corner(square: int) -> None:
    assert to_set(bits.DIAGONAL_NEIGHBOURS[square]) == beside(square, CORNERS)


@given(squares_sets, any_square)
def test_flood_reaches_whatever_is_connected_by_edges(squares: frozenset[int], start: int) -> None:
    within = squares | {start}
    reached, waiting = set(), [start]
    while waiting:
        square = waiting.pop()
        reached.add(square)
        waiting += [other for other in beside(square, EDGES) if other in within and other not in reached]
    assert to_set(fill(to_board({start}), to_board(within))) == reached
