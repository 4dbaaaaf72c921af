"""The random generator against its definition in plain Python, and its fairness (chi-square, fixed seeds)."""

from collections import Counter
from itertools import permutations
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare, kstest

from torres_mcts.core.rng import draw_below, draw_unit, new_rng, next_word, shuffle

pytestmark = pytest.mark.kernel

WORD = 2**64
words = st.integers(0, WORD - 1)
LEAST_LIKELY = 0.001


@numba.njit
def draw_words(rng: Any, words: Any) -> None:
    """Fill an array with random words."""
    for index in range(words.size):
        words[index] = next_word(rng)


@numba.njit
def draw_numbers(rng: Any, limit: Any, numbers: Any) -> None:
    """Fill an array with numbers below a limit."""
    for index in range(numbers.size):
        numbers[index] = draw_below(rng, limit)


@numba.njit
def draw_units(rng: Any, numbers: Any) -> None:
    """Fill an array with numbers from 0 to 1."""
    for index in range(numbers.size):
        numbers[index] = draw_unit(rng)


@numba.njit
def shuffle_rows(rng: Any, rows: Any, size: Any) -> None:
    """Shuffle the first items of each row."""
    for row in range(rows.shape[0]):
        shuffle(rng, rows[row], size)


def generator(state: int) -> np.ndarray:
    """Return a generator in a given state."""
    return np.array([state], np.uint64)


class SplitMix:
    """SplitMix64 (Steele, Lea, Flood 2014) on Python's integers."""

    def __init__(self, state: int) -> None:
        self.state = state

    def next(self) -> int:
        """Return the next word."""
        self.state = (self.state + 0x9E3779B97F4A7C15) % WORD
        word = self.state
        word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % WORD
        word = (word ^ word >> 27) * 0x94D049BB133111EB % WORD
        return word ^ word >> 31

    def below(self, limit: int) -> int:
        """Return a number below a limit: of 32-bit words those are dropped that would favour some numbers."""
        while True:
            product = (self.next() >> 32) * limit
            if product % 2**32 >= 2**32 % limit:
                return product >> 32


def test_the_words_are_those_of_the_published_generator() -> None:
    words = np.zeros(3, np.uint64)
    draw_words(generator(1234567), words)
    assert words.tolist() == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@given(words)
def test_the_words_are_those_of_the_definition(state: int) -> None:
    drawn, twin = np.zeros(5, np.uint64), SplitMix(state)
    draw_words(generator(state), drawn)
    assert drawn.tolist() == [twin.next() for _ in drawn]


@given(words, st.one_of(st.integers(1, 100), st.integers(1, 2**32)))
def test_the_numbers_below_a_limit_are_those_of_the_definition(state: int, limit: int) -> None:
    drawn, twin = np.zeros(20, np.int64), SplitMix(state)
    draw_numbers(generator(state), limit, drawn)
    assert drawn.tolist() == [twin.below(limit) for _ in drawn]


@pytest.mark.parametrize("limit", [2, 3, 7, 44, 100])
def test_the_numbers_below_a_limit_come_alike(limit: int) -> None:
    drawn = np.zeros(2000 * limit, np.int64)
    draw_numbers(new_rng(limit), limit, drawn)
    assert chisquare(np.bincount(drawn, minlength=limit)).pvalue > LEAST_LIKELY


def test_the_numbers_below_a_large_limit_are_not_biased() -> None:
    # Without rejection the lowest third of the numbers below 3 x 2**30 would come twice as often as the others.
    limit = 3 * 2**30
    drawn = np.zeros(30_000, np.int64)
    draw_numbers(new_rng(1), limit, drawn)
    assert chisquare(np.bincount(drawn % 3, minlength=3)).pvalue > LEAST_LIKELY
    assert drawn.max() < limit


@given(words)
def test_a_unit_number_is_the_highest_53_bits_of_a_word(state: int) -> None:
    drawn, twin = np.zeros(5), SplitMix(state)
    draw_units(generator(state), drawn)
    assert drawn.tolist() == [(twin.next() >> 11) / 2**53 for _ in drawn]


def test_unit_numbers_come_alike_everywhere_from_0_to_1() -> None:
    drawn = np.zeros(20_000)
    draw_units(new_rng(1), drawn)
    assert kstest(drawn, "uniform").pvalue > LEAST_LIKELY


def test_a_shuffle_makes_every_order_alike() -> None:
    rows = np.tile(np.arange(4), (4800, 1))
    shuffle_rows(new_rng(1), rows, 4)
    counts = Counter(map(tuple, rows.tolist()))
    assert chisquare([counts[order] for order in permutations(range(4))]).pvalue > LEAST_LIKELY


def test_a_shuffle_leaves_the_items_beyond_its_size_alone() -> None:
    rows = np.tile(np.arange(6), (50, 1))
    shuffle_rows(new_rng(1), rows, 4)
    assert {tuple(row[4:]) for row in rows.tolist()} == {(4, 5)}


def test_the_same_seed_and_stream_give_the_same_numbers() -> None:
    assert new_rng(7, 3).tolist() == new_rng(7, 3).tolist()


def test_seeds_and_streams_all_start_elsewhere() -> None:
    starts = {int(new_rng(seed, stream)[0]) for seed in range(40) for stream in range(40)}
    assert len(starts) == 1600


def test_neighbouring_streams_have_no_numbers_in_common() -> None:
    drawn = np.zeros((20, 500), np.uint64)
    for stream in range(20):
        draw_words(new_rng(1, stream), drawn[stream])
    assert np.unique(drawn).size == drawn.size


def test_the_first_numbers_of_neighbouring_streams_come_alike() -> None:
    first = np.zeros(7000, np.int64)
    for stream in range(first.size):
        draw_numbers(new_rng(1, stream), 7, first[stream : stream + 1])
    assert chisquare(np.bincount(first, minlength=7)).pvalue > LEAST_LIKELY


@pytest.mark.parametrize("seed", [-1, 2**64, 2**64 + 5])
def test_a_seed_of_any_size_is_accepted(seed: int) -> None:
    assert new_rng(seed).tolist() == new_rng(seed % WORD).tolist()
