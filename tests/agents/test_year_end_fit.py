"""The value between years: planted weights are found again, and states between years are valued by it."""

import tomllib

import numpy as np
import pytest
from click.testing import CliRunner

from torres_mcts import Rules
from torres_mcts.agents.year_end_fit import fit_year_ends, least_squares, sample_game, write_terms
from torres_mcts.commands.main import torres
from torres_mcts.core.jit import entry_kernel
from torres_mcts.games.torres.engine.state import KING
from torres_mcts.games.torres.heuristics.value import (
    TERMS,
    WEIGHTS,
    YEAR_ENDS,
    YEAR_ENDS_FILE,
    estimate_score,
    read_year_ends,
)
from torres_mcts.games.torres.record import GameRecord

pytestmark = pytest.mark.kernel


@entry_kernel
def value_of(states, player):
    """Return the static value, for Python."""
    return estimate_score(states[0], player)


@pytest.fixture(scope="module")
def rules() -> Rules:
    return Rules.preset("2017", players=2)


def test_planted_weights_are_found_again():
    luck = np.random.default_rng(1)
    planted, terms = luck.normal(size=len(TERMS)), luck.normal(size=(4000, len(TERMS))) * 5
    gains = terms @ planted + luck.normal(size=4000) * 3
    assert np.abs(least_squares(terms, gains) - planted).max() < 0.1


def test_a_game_gives_a_difference_for_each_pair_after_each_of_two_years(rules: Rules):
    found = sample_game(rules, 5)
    assert [(terms.shape, gains.shape) for terms, gains in found] == [((1, len(TERMS)), (1,))] * 2
    assert all(not terms[:, TERMS.index("constant")].any() for terms, _ in found)
    three = sample_game(Rules.preset("2017", players=3), 5)
    for _, gains in three:  # of players 0 and 1, 0 and 2, 1 and 2
        assert gains[0] + gains[2] == gains[1]


def test_one_seed_gives_one_fit_and_the_file_reads_back(rules: Rules, tmp_path):
    one, other = (fit_year_ends(rules, games=3, check_games=2, seed=7) for _ in range(2))
    assert one.to_toml() == other.to_toml()
    path = tmp_path / "year_ends.toml"
    path.write_text(one.to_toml())
    assert np.abs(read_year_ends(path) - one.weights).max() < 0.001


def test_between_years_points_count_as_they_are_and_the_board_by_its_own_weights():
    record = GameRecord.load("examples/games/game-2017-two-players.json")
    years = set()
    for at in range(len(record.actions)):
        position = record.position_after(at)
        state, year = position.state, int(position.state["year"])
        if state["phase"] == KING and year > 0 and year not in years:
            years.add(year)
            terms = np.zeros((1, 2, len(TERMS)))
            write_terms(position.state_array, terms)
            for player in range(2):
                expected = state["scores"][player] + YEAR_ENDS[year - 1] @ terms[0, player]
                assert value_of(position.state_array, player) == pytest.approx(expected)
    assert years == {1, 2}


def test_a_board_promises_less_between_years_than_the_choice_of_turns_takes_it_for():
    castles = TERMS.index("castles")
    assert (YEAR_ENDS[:, castles] < WEIGHTS[1:, castles]).all()
    assert "Written by `torres tune --year-ends`" in YEAR_ENDS_FILE.read_text()


def test_the_command_writes_the_file(tmp_path):
    path = tmp_path / "fit.toml"
    result = CliRunner().invoke(torres, ["tune", "--year-ends", "--games", "10", "--seed", "2", "-o", str(path)])
    assert result.exit_code == 0, result.output
    assert set(tomllib.loads(path.read_text())) == {"after1", "after2"}
    assert "10 games of greedy turns" in path.read_text()


def test_two_fits_at_once_are_refused():
    result = CliRunner().invoke(torres, ["tune", "--year-ends", "--hands"])
    assert result.exit_code == 2
    assert "choose one" in result.stderr
