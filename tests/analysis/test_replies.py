"""Greedy turns in playouts on Torres: whims draw by a softmax, books only ever make a turn better."""

import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from torres_mcts import Position
from torres_mcts.core.jit import entry_kernel
from torres_mcts.core.menu import new_menus
from torres_mcts.core.protocol import player_to_move, stage_of
from torres_mcts.core.rng import new_rng
from torres_mcts.games.torres import verbs  # noqa: F401 (teaches the search this game)
from torres_mcts.search.playout import is_finished
from torres_mcts.search.turns.generator import DRAW_MARK, generate_turns, new_table, static_value
from torres_mcts.search.turns.greedy import CALM, Mood, play_greedily, whim_of
from torres_mcts.search.turns.replies import PLIES, new_books, reply_by_books, write_line

pytestmark = pytest.mark.kernel

POSITIONS = Path(__file__).resolve().parents[2] / "examples" / "positions"
WIDE, SWEEPS = 8, 2


@entry_kernel
def draw_by_whim(values, temperature, picks):
    """Pick the best of some ends by value and whim, in one mood after the other."""
    for draw in range(picks.size):
        mood = Mood(np.uint64(draw * 7919 + 1), temperature)
        best = -np.inf
        for end in range(values.size):
            value = values[end] + whim_of(mood, np.uint64(end * 104729 + 3))
            if value > best:
                best = value
                picks[draw] = end


@entry_kernel
def fill_books(books, table, states, menus, rng, width, sweeps):
    """Write a line to the end of the stage."""
    write_line(books, table, states, menus[0], rng, width, sweeps, books.size, stage_of(states[0]))


@entry_kernel
def play_year(books, table, states, menus, rng, values):
    """Play greedy turns with books to the end of the stage; write what each was worth to its player, and how many."""
    stage = stage_of(states[0])
    turns = 0
    while turns < values.size and not is_finished(states[0], stage):
        player = player_to_move(states[0])
        reply_by_books(books[:, turns], table, states, menus[0], rng, 1, 1, CALM)
        values[turns] = static_value(states[0], player)
        turns += 1
    return turns


@entry_kernel
def play_narrowly(table, states, menus, rng):
    """Play one greedy turn of a narrow beam; return what it is worth to its player."""
    player = player_to_move(states[0])
    play_greedily(table, states, menus[0], rng, 1, 1, CALM)
    return static_value(states[0], player)


def fresh(name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    states = Position.load(POSITIONS / f"{name}.json").determinize(1).state_array
    return np.repeat(states, 3), new_menus(), new_rng(4)


def test_whims_draw_turns_by_a_softmax_of_their_values():
    values, temperature = np.array([0.0, 1.0, 2.0, -6.0]), 1.5
    picks = np.zeros(20_000, np.int64)
    draw_by_whim(values, temperature, picks)
    shares = np.array([math.exp(value / temperature) for value in values])
    expected = shares / shares.sum() * picks.size
    assert stats.chisquare(np.bincount(picks, minlength=4), expected).pvalue > 1e-4


def test_without_temperature_the_best_turn_is_played():
    picks = np.zeros(100, np.int64)
    draw_by_whim(np.array([0.0, 0.01, -1.0]), 0.0, picks)
    assert set(picks) == {1}


@pytest.mark.parametrize("name", ["middle-game", "four-players", "1999-common-deck"])
def test_a_turn_from_the_book_is_as_good_as_the_wide_beam_that_wrote_it(name):
    table, books = new_table(60_000, 20_000), new_books(1)
    fill_books(books[0], table, *fresh(name), WIDE, SWEEPS)
    generate_turns(table, *fresh(name), WIDE, SWEEPS)
    ends = table.ends[: table.desks[0]["end_count"]]
    is_cut = ends["digest"] == table.entries["digest"][ends["entry"]] ^ DRAW_MARK
    values = np.zeros(PLIES)
    play_year(books, table, *fresh(name), values)
    assert values[0] >= ends["value"][~is_cut].max() - 1e-9


@pytest.mark.parametrize("name", ["middle-game", "four-players"])
def test_books_of_another_line_never_make_the_next_turn_worse(name):
    table, books = new_table(60_000, 20_000), new_books(2)
    for line, other in enumerate(("middle-game", "opening")):  # most of these turns are not even legal here
        fill_books(books[line], table, *fresh(other), WIDE, SWEEPS)
    alone = play_narrowly(table, *fresh(name))
    values = np.zeros(1)
    assert play_year(books, table, *fresh(name), values) == 1
    assert values[0] >= alone - 1e-9


def test_a_line_ends_with_the_year():
    table, books = new_table(60_000, 20_000), new_books(1)
    states, menus, rng = fresh("middle-game")
    fill_books(books[0], table, states, menus, rng, WIDE, SWEEPS)
    position = Position.load(POSITIONS / "middle-game.json")
    turns_of_the_year = sum(len(player["stacks"]) for player in position.to_dict()["players"])
    assert np.count_nonzero(books[0]["size"]) == turns_of_the_year
