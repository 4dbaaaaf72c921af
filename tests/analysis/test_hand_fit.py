"""Fitting the temperature: known peaks are found, errors are those of a mean, scores those of the hands held."""

import numpy as np
import pytest

from tests.analysis.hand_games import shopping_game
from torres_mcts import Rules
from torres_mcts.analysis.hand_fit import (
    TEMPERATURES,
    check_temperature,
    fit_curves,
    fit_hands,
    fit_temperature,
    play_greedy_game,
    score_record,
)
from torres_mcts.analysis.hands import hand_posterior
from torres_mcts.analysis.hands_played import fitted_temperature, weigh_hands
from torres_mcts.core.errors import TorresError
from torres_mcts.games.torres.record import GameRecord


def test_the_fit_of_parabolas_is_the_mean_of_their_peaks_with_its_standard_error():
    peaks = np.log([2.0, 3.0, 1.5, 5.0, 2.5, 4.0, 3.3])
    curves = 7.0 - (np.log(TEMPERATURES) - peaks[:, np.newaxis]) ** 2
    fit = fit_curves(np.hstack([curves, np.full((len(peaks), 1), 2.0)]))
    temperature = np.exp(peaks.mean())
    assert fit.temperature == pytest.approx(temperature)
    assert fit.se == pytest.approx(temperature * peaks.std(ddof=1) / np.sqrt(len(peaks)))
    assert fit.gain == pytest.approx(5.0 - peaks.var())
    assert fit.games == 7


def test_a_peak_at_the_edge_of_the_grid_is_refused():
    rising = np.tile(np.append(np.log(TEMPERATURES), 0.0), (3, 1))
    with pytest.raises(TorresError, match=r"edge of the grid \(1000 points\)"):
        fit_curves(rising)


def score_plainly(record: GameRecord, temperature: float | None, width: int) -> tuple[float, int]:
    """Add up log-probabilities of the hands held at the ends of turns, each followed from the start anew."""
    score, moments, position = 0.0, 0, record.position
    for number, action in enumerate(record.actions, 1):
        mover, position = position.to_move, position.play(action)
        if not action.startswith("end"):
            continue
        opponent, observer = str(mover), next(name for name in position.names if name != mover)
        hand = position.to_dict()["players"][position.names.index(opponent)]["hand"]
        if temperature is None:
            posterior = hand_posterior(position, observer, opponent)
        else:
            posterior = weigh_hands(
                record, number, observer=observer, opponent=opponent, temperature=temperature, width=width
            )
        if len(posterior.hands) > 1:
            score += float(np.log(posterior.probability(hand)))
            moments += 1
    return score, moments


def test_the_score_is_the_log_probability_of_the_hands_held():
    record = play_greedy_game(Rules.preset("2017"), seed=3)
    record = GameRecord(record.position, record.actions[:70])
    scores, moments = score_record(record, np.array([2.0, np.inf]), width=2)
    weighed, number = score_plainly(record, 2.0, 2)
    uniform, _ = score_plainly(record, None, 2)
    assert moments == number > 3
    assert scores == pytest.approx([weighed, uniform])
    assert abs(weighed - uniform) > 0.01


def test_a_game_is_the_same_for_the_same_seed_and_greedy_turns_fit_their_hands():
    records = [play_greedy_game(Rules.preset("2017"), seed=seed) for seed in range(500, 503)]
    assert play_greedy_game(Rules.preset("2017"), seed=500) == records[0]
    check = check_temperature(records, fitted_temperature())
    assert check.games == 3
    assert check.mean > 0
    assert check.weighed - check.uniform == pytest.approx(check.mean * check.games / check.moments)


def test_bad_input_gets_one_line():
    record = shopping_game("2017", 2, 3)
    with pytest.raises(TorresError, match="1 given; a temperature with a standard error needs two games"):
        fit_temperature([GameRecord(record.position, record.actions[:5])])
    with pytest.raises(TorresError, match="the record hides cards"):
        score_record(GameRecord(record.position.view("red"), ()), np.array([1.0]))
    with pytest.raises(TorresError, match="own decks only, not with cards: common"):
        fit_hands(Rules.preset("1999"), games=10, check_games=5, seed=1)
