"""`torres-study`: from an example to a report, exit codes, one line for each mistake."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.tournaments.faulty import Faulty
from torres_mcts.agents.engines import ENGINES
from torres_mcts.commands.main import torres
from torres_mcts.commands.study import study

TEXT = """\
name = "small"
question = "Does a late bonus matter?"
players = 2
blocks = {blocks}
seed = 5
agents = "{agent}"
metrics = ["scores.all_mean", "seats.seat1_points"]
[limit]
iterations = 1
[variants.late-bonus]
king_bonus = [5, 10, 25]
[margins]
seats = 0.4
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of its own, where `results` is made."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(*words: str) -> Result:
    return CliRunner().invoke(study, words)


def write_study(blocks: int = 4, agent: str = "random") -> str:
    Path("small.toml").write_text(TEXT.format(blocks=blocks, agent=agent))
    return "small.toml"


def refusal(*words: str) -> str:
    """Return the line with which a call is refused."""
    result = call(*words)
    assert result.exit_code == 2, result.output
    return result.stderr


def test_a_run_keeps_its_games_and_the_others_read_them() -> None:
    first = call("run", write_study())
    assert first.exit_code == 0, first.output
    assert first.stdout.splitlines()[0] == "results/small: 8 games, 4 blocks, 0 by forfeit"
    assert Path("results/small/study.toml").read_text() == Path("small.toml").read_text()
    assert call("run", "small.toml").stdout == first.stdout
    status = call("status", "small").stdout.splitlines()
    assert status == [
        "small: 2 players, seed 5, 1 variants and the base",
        "     4 of 4 blocks  base",
        "     4 of 4 blocks  late-bonus: king_bonus=5/10/25",
    ]
    report = call("report", "small").stdout
    assert "question: Does a late bonus matter?" in report
    assert "4 of 4 blocks, 8 games: random on every seat, 1 iterations a turn" in report
    assert "common random numbers" in report
    assert "fewer than 20 blocks" in report
    assert CliRunner().invoke(torres, ["study", "report", "results/small"]).stdout == report


def test_a_report_is_for_programs_too() -> None:
    call("run", write_study())
    result = call("report", "small", "--json", "--csv", "effects.csv", "-o", "report.json")
    assert result.exit_code == 0, result.output
    data = json.loads(Path("report.json").read_text())
    assert data["schema"] == "torres-study-results/1"
    assert [(one["metric"], one["label"]) for one in data["effects"]] == [
        ("scores", "all_mean"),
        ("seats", "seat1_points"),
    ]
    effect = data["effects"][0]
    assert effect["difference"]["change"]["mean"] == pytest.approx(
        effect["difference"]["variant"]["mean"] - effect["difference"]["base"]["mean"]
    )
    assert {one["name"]: one["changes"] for one in data["rule_sets"]}["late-bonus"] == {"king_bonus": [5, 10, 25]}
    assert data["metrics"][0]["definition"]
    with open("effects.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["change"]) for row in rows] == [one["difference"]["change"]["mean"] for one in data["effects"]]


def test_an_export_holds_every_game() -> None:
    call("run", write_study(blocks=2))
    assert call("export", "small", "--csv", "games.csv", "--jsonl", "games.jsonl").exit_code == 0
    games = [json.loads(line) for line in Path("games.jsonl").read_text().splitlines()]
    assert [(game["variant"], game["deal"]) for game in games] == [
        ("base", 0),
        ("base", 1),
        ("late-bonus", 0),
        ("late-bonus", 1),
    ]
    with open("games.csv", newline="") as file:
        seats = list(csv.DictReader(file))
    assert [int(seat["score"]) for seat in seats] == [score for game in games for score in game["scores"]]


def test_a_plan_counts_games_and_says_how_sure_effects_will_be() -> None:
    file = write_study()
    words = call("plan", file).stdout
    assert "small: 2 rule sets, 4 blocks, 8 games" in words
    assert "nobody knows" in words
    assert "4.4 h" not in words
    assert (
        "1.0 h at 900 s a game with 2 workers"
        in call("plan", file, "--seconds-per-game", "900", "--workers", "2").stdout
    )
    assert "the spread is measured by a RUN" in refusal("plan", file, "--half-width", "1")
    call("run", file)
    plan = json.loads(call("plan", file, "--half-width", "0.5", "--value", "scores.all_mean", "--json").stdout)
    (effect,) = plan["effects"]
    assert effect["blocks_range"][0] <= effect["blocks"] <= effect["blocks_range"][1]
    assert plan["seconds_per_game"] > 0
    table = call("plan", "small").stdout
    assert "late-bonus  seats.seat1_points" in table
    assert "no effect on it" in refusal("plan", "small", "--value", "scores.nothing")


def test_check_lists_what_will_be_played_or_all_mistakes() -> None:
    assert call("check", write_study()).stdout.splitlines() == [
        "small: 1 variants and the base, 4 games each",
        "base: preset=2017 players=2",
        "late-bonus: king_bonus=5/10/25",
    ]
    Path("bad.toml").write_text(Path("small.toml").read_text().replace("seed", "sed").replace("draw", "drw"))
    assert refusal("check", "bad.toml").splitlines() == [
        "Error: bad.toml: 2 mistakes",
        "bad.toml: seed: is required",
        "bad.toml: line 5: sed: unknown field; did you mean 'seed'?",
    ]
    assert not Path("results").exists()
    assert "bad.toml: 2 mistakes" in refusal("run", "bad.toml")
    assert not Path("results").exists()


def test_the_example_is_written_once_and_can_be_checked() -> None:
    assert call("new", "-o", "mine.toml").exit_code == 0
    assert call("new").stdout == Path("mine.toml").read_text()
    assert "mine.toml: is there already" in refusal("new", "-o", "mine.toml")
    assert "my-study: 3 variants and the base, 40 games each" in call("check", "mine.toml").stdout


def test_forfeits_are_told_by_the_exit_code_and_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENGINES, "faulty", Faulty)
    assert call("run", write_study(blocks=2, agent="faulty")).exit_code == 3
    lines = [line for line in call("status", "small").stdout.splitlines() if line.startswith("forfeit: ")]
    assert len(lines) == 4
    assert lines[0].startswith("forfeit: faulty, base, block 0, rotation 0, seed ")
    assert "RuntimeError: lost my way" in lines[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run", "none.toml"], "none.toml: cannot be read"),
        (["report", "smal"], "smal: is not the folder of a run, nor its name"),
        (["run", "x.toml", "--workers", "2", "--cluster", "tcp://a:1"], "--workers: are processes on this machine"),
        (["export", "small", "--csv", "games.txt"], "--csv games.txt: the name must end in .csv"),
    ],
)
def test_bad_input_is_one_line(words: list[str], said: str) -> None:
    line = refusal(*words)
    assert line.startswith(f"Error: {said}")
    assert len(line.splitlines()) == 1


def test_the_folder_of_a_tournament_is_refused(here: Any) -> None:
    from tests.tournaments.specs import spec_data, to_toml
    from torres_mcts.commands.tournament import tournament

    Path("spec.toml").write_text(to_toml(spec_data(blocks=1)))
    assert CliRunner().invoke(tournament, ["run", "spec.toml"]).exit_code == 0
    assert "is a database of another program; choose another folder" in refusal("run", write_study())
    assert not Path("results/small/study.toml").exists()
