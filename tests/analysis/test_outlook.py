"""The outlook: exact at the end of the game, sharp near it, fair to all, and right about fresh games."""

import math
from pathlib import Path

import numpy as np
import pytest

from torres_mcts import Position, Rules
from torres_mcts.analysis.hands_played import replay_positions
from torres_mcts.analysis.outlook import look_at, read_outlook
from torres_mcts.analysis.outlook_fit import check_model, fit_model, moment_count, play_games
from torres_mcts.games.torres.heuristics import outlook as model
from torres_mcts.games.torres.record import GameRecord

pytestmark = pytest.mark.kernel

GAMES = Path(__file__).resolve().parents[2] / "examples" / "games"


def test_the_end_of_the_game_is_exact():
    final = GameRecord.load(GAMES / "game-2017-four-players.json").replay().final
    found = look_at(final.state_array, final.rules, 0)
    assert found.means[0].tolist() == list(final.scores.values())
    assert found.spreads[0] == 0.0
    best = max(final.scores.values())
    assert found.wins[0].tolist() == [float(score == best) for score in final.scores.values()]


def test_those_who_tie_share_the_win():
    final = GameRecord.load(GAMES / "game-2017-four-players.json").replay().final
    states = final.state_array.copy()
    states[0]["scores"][:4] = [100, 120, 120, 90]
    found = look_at(states, final.rules, 0)
    assert found.wins[0].tolist() == [0.0, 0.5, 0.5, 0.0]
    assert found.places[0, 1].tolist() == [0.5, 0.5, 0.0, 0.0]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_places_sum_to_one_for_players_and_places(players):
    position = Position.new(Rules.preset("2017", players=players), seed=1)
    places = look_at(position.state_array, position.rules, 0).places[0]
    assert places.sum(axis=0) == pytest.approx(np.ones(players), abs=1e-6)
    assert places.sum(axis=1) == pytest.approx(np.ones(players), abs=1e-6)


def test_two_players_by_quadrature_agree_with_the_closed_form():
    rows, wins = np.zeros((1, model.READ_COLUMNS)), np.zeros((1, 2))
    fitted = np.zeros((4, model.COLUMNS))
    fitted[3, [model.POINTS_SLOPE, model.SWING]] = 1.0, 5.0
    rows[0, [model.MOMENT, model.POINTS, model.POINTS + 1]] = 3, 57, 50
    model.judge_rows(rows, fitted, wins)
    assert wins[0, 0] == pytest.approx(0.5 * math.erfc(-7 / (5 * math.sqrt(2)) / math.sqrt(2)), abs=2e-3)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_nearer_the_end_the_sharper(players):
    fitted = read_outlook(players)
    assert len(fitted) == moment_count(Rules.preset("2017", players=players))
    swings = fitted[model.TURN_MOMENT + 1 :, model.SWING]
    assert swings[0] < 5 < 8 < swings[-1]
    assert (np.diff(swings[:6]) > 0).all()
    assert (fitted[:, [model.ESTIMATE_SLOPE, model.POINTS_SLOPE]] >= 0).all()


def test_the_leader_of_a_recorded_game_becomes_the_favourite():
    record = GameRecord.load(GAMES / "game-2017-two-players.json")
    *_, late, final = (p for p in replay_positions(record) if p.phase == "turn" or p.is_over)
    assert look_at(late.state_array, late.rules, 0).wins[0, final.names.index(final.winners[0])] > 0.9


@pytest.mark.slow
def test_win_probabilities_hold_in_fresh_games():
    games = play_games(Rules.preset("2017"), games=40, seed=99)
    check = check_model(read_outlook(2), games)
    assert check.brier < 0.22 < check.brier_flat
    low, high = sum(check.counts[:5]), sum(check.counts[5:])
    observed = np.array(check.observed) * np.array(check.counts)
    said = np.array(check.said) * np.array(check.counts)
    assert observed[:5].sum() / low == pytest.approx(said[:5].sum() / low, abs=0.12)
    assert observed[5:].sum() / high == pytest.approx(said[5:].sum() / high, abs=0.12)
    assert fit_model(games).shape == read_outlook(2).shape
