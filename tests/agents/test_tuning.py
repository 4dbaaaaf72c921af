"""Tuning: weights carried by the state play as compiled ones do, and better weights are recognised."""

import numpy as np
import pytest

from torres_mcts import Position, Rules
from torres_mcts.agents.tuned import TUNED
from torres_mcts.agents.tuning import Duel, climb, fit_start, fit_weights, play_duel
from torres_mcts.core.menu import new_menus
from torres_mcts.core.rng import new_rng
from torres_mcts.games.torres.heuristics.value import TERMS, WEIGHTS
from torres_mcts.search.turns.generator import new_table

pytestmark = pytest.mark.kernel


@pytest.fixture(scope="module")
def rules() -> Rules:
    return Rules.preset("2017", players=2)


def test_points_on_the_board_beat_no_idea_at_all(rules: Rules) -> None:
    nothing = np.zeros_like(WEIGHTS)
    margins = Duel(rules).play(WEIGHTS, nothing, deals=3, seed=1)
    assert margins.shape == (3, 2)
    assert margins.mean() > 20


def test_equal_weights_win_from_one_seat_what_they_lose_from_the_other(rules: Rules) -> None:
    margins = Duel(rules).play(WEIGHTS, WEIGHTS, deals=3, seed=2)
    assert np.array_equal(margins[:, 0], -margins[:, 1])


def test_each_seat_goes_by_its_own_set(rules: Rules) -> None:
    """Swapping the sets and the seat that goes by the first is the same game."""
    ends = []
    nothing = np.zeros_like(WEIGHTS)
    for sets, seat in (([WEIGHTS, nothing], 0), ([nothing, WEIGHTS], 1)):
        states = np.zeros(3, TUNED)
        states["state"] = Position.new(rules, seed=4).state_array[0]
        states["weights"] = np.stack(sets)
        play_duel(new_table(60_000, 20_000), states, new_menus(), new_rng(4), seat, 2, 1)
        ends.append(states[0]["state"]["scores"].tolist())
    assert ends[0] == ends[1]


def test_climbing_leaves_the_weights_that_are_not_changed_alone(rules: Rules) -> None:
    moved = climb(Duel(rules), WEIGHTS, steps=1, seed=3)
    constant = TERMS.index("constant")
    assert np.array_equal(moved[:, constant], WEIGHTS[:, constant])
    assert not np.array_equal(moved, WEIGHTS)


def test_the_file_says_what_was_done_and_one_seed_gives_one_file(rules: Rules) -> None:
    one, other = (fit_weights(rules, games=24, seed=7, fit_games=40).to_toml() for _ in range(2))
    assert one == other
    assert "seed 7" in one
    assert "24 games of greedy turns" in one
    assert "40 games of quick choices" in one


def test_least_squares_know_what_castles_bring(rules: Rules) -> None:
    weights, explained = fit_start(rules, games=200, seed=1)
    assert 0.5 < weights[2, TERMS.index("castles")] < 1.5  # in the last year a point on the board is about a point
    assert explained[0] < explained[2]
