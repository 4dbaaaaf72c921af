"""Calibration: known sayings and results give known scores; a whole run is the same for any number of workers."""

import json

import pytest
from click.testing import CliRunner

from torres_mcts import Rules, TorresError
from torres_mcts.commands.main import torres
from torres_mcts.studies.calibration import Calibration, Judged, JudgedGame, Plan, calibrate

AGENT = "greedy:width=2,sweeps=1"


def plan(games: int = 2, **changes) -> Plan:
    rules = Rules.preset("2017", players=2)
    settings = {"agent": AGENT, "positions": 1, "iterations": 24, "repeats": 0, "reference": 48, "seed": 3, **changes}
    return Plan(rules=rules, games=games, **settings)


def judged(*games: list[tuple[float, float]], covered: int = 0, repeats: int = 0) -> Calibration:
    rows = [JudgedGame(tuple(Judged(1, *one) for one in game), covered, repeats) for game in games]
    return Calibration(plan(len(games)), tuple(rows))


def test_the_brier_score_is_the_mean_squared_error_over_games():
    result = judged([(0.8, 1.0), (0.4, 0.0)], [(0.5, 1.0)])
    assert result.brier.mean == pytest.approx(((0.04 + 0.16) / 2 + 0.25) / 2)
    assert result.plain_brier == pytest.approx(0.25)


def test_positions_are_grouped_by_what_was_said():
    result = judged([(0.01, 0.0), (0.93, 1.0)], [(0.99, 1.0), (1.0, 0.0)])
    low, high = result.tenths
    assert (low.count, low.said, low.happened.mean) == (1, 0.01, 0.0)
    assert (high.count, high.said) == (3, pytest.approx(0.973, abs=1e-3))
    assert high.happened.mean == pytest.approx((1.0 + 0.5) / 2)  # games, not positions, are the blocks
    assert 0 <= low.happened.low < low.happened.high <= 1


def test_coverage_is_the_share_of_intervals_that_hold():
    assert judged([(0.5, 1.0)], [(0.5, 0.0)], covered=9, repeats=10).coverage.mean == pytest.approx(0.9)
    assert judged([(0.5, 1.0)], [(0.5, 0.0)]).coverage is None


def test_the_number_of_workers_changes_nothing():
    wanted = plan(repeats=2)
    assert calibrate(wanted).to_dict() == calibrate(wanted, workers=2).to_dict()


def test_a_calibration_goes_on_from_its_file(tmp_path):
    path = tmp_path / "calibration.json"
    half = calibrate(plan(1), path=path)
    seen = []
    whole = calibrate(plan(2), path=path, see=seen.append)
    assert seen == [1, 2]
    assert whole.games[0] == half.games[0]
    assert whole == calibrate(plan(2))


def test_a_file_of_another_calibration_is_refused(tmp_path):
    path = tmp_path / "calibration.json"
    calibrate(plan(1), path=path)
    with pytest.raises(TorresError, match="holds another calibration"):
        calibrate(plan(1, seed=4), path=path)
    path.write_text("{}")
    with pytest.raises(TorresError, match="not a calibration that can be continued"):
        calibrate(plan(1), path=path)


def test_the_command_writes_everything_and_a_picture(tmp_path):
    out, png = tmp_path / "calibration.json", tmp_path / "calibration.png"
    words = ["calibrate", "--agent", AGENT, "--games", "2", "--positions", "2", "--iterations", "24", "--seed", "5"]
    result = CliRunner().invoke(torres, [*words, "-o", str(out), "--png", str(png)])
    assert result.exit_code == 0, result.output
    data = json.loads(out.read_text())
    assert data["plan"]["seed"] == 5
    assert [len(game["positions"]) for game in data["games"]] == [2, 2]
    assert png.read_bytes().startswith(b"\x89PNG")
    assert "Brier score" in result.output


def test_an_unknown_agent_is_refused_in_one_line():
    result = CliRunner().invoke(torres, ["calibrate", "--agent", "gredy", "--seed", "1"])
    assert result.exit_code == 2
    assert "did you mean 'greedy'" in result.stderr.splitlines()[-1]
