"""`torres tune --hands`: a temperature with what was done, in one file; rules without own decks are refused."""

import tomllib
from functools import partial

from click.testing import CliRunner

from torres_mcts.analysis import hand_fit
from torres_mcts.analysis.hands_played import fitted_temperature
from torres_mcts.commands.main import torres


def test_tune_fits_the_temperature_of_hands_and_checks_it_on_fresh_games(tmp_path, monkeypatch):
    monkeypatch.setattr(hand_fit, "fit_hands", partial(hand_fit.fit_hands, width=2))  # to save time
    path = tmp_path / "hands.toml"
    result = CliRunner().invoke(torres, ["tune", "--hands", "--games", "10", "--seed", "2", "-o", str(path)])
    assert result.exit_code == 0, result.output
    found = tomllib.loads(path.read_text())
    assert "in 10 games of" in path.read_text()
    assert fitted_temperature(path) == found["temperature"] > 0
    assert found["se"] > 0
    assert found["check"]["games"] == 5
    assert found["check"]["uniform_per_moment"] < 0


def test_tune_refuses_to_fit_hands_without_own_decks():
    result = CliRunner().invoke(torres, ["tune", "--hands", "--preset", "1999"])
    assert result.exit_code == 2
    assert result.stderr == (
        "Error: hands are weighed with own decks only, not with cards: common; choose such rules\n"
    )
