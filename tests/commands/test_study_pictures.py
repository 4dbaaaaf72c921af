"""`torres-study plot` and `report --html`: files beside each other, one-line errors, nothing half done."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.commands.test_tournament_pictures import files
from tests.studies.synthetic_study import synthetic_study
from torres_mcts.commands.study import study
from torres_mcts.commands.study_pictures import NAMES
from torres_mcts.plotting.study.pictures import PICTURES


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of its own, where `results` is."""
    monkeypatch.chdir(tmp_path)
    synthetic_study(Path("results/small"), blocks=4)
    return tmp_path


def call(*words: str) -> Result:
    return CliRunner().invoke(study, words)


def test_the_command_knows_every_picture() -> None:
    assert tuple(PICTURES) == NAMES


def test_all_plots_lie_in_the_folder_of_the_run() -> None:
    result = call("plot", "small")
    assert result.exit_code == 0, result.output
    drawn = [name for name in NAMES if name != "tornado"]
    assert result.stdout == f"results/small/plots: {', '.join(drawn)}\n"
    assert result.stderr.startswith("left out: tornado: no two rule parameters were changed alone")
    endings = {f"{name}.{ending}" for name in drawn for ending in ("png", "svg", "csv")}
    assert {path.name for path in Path("results/small/plots").iterdir()} == endings


def test_plots_may_be_chosen_and_put_elsewhere() -> None:
    result = call("plot", "small", "--what", "seats", "--folder", "deep/er")
    assert result.exit_code == 0, result.output
    assert {path.name for path in Path("deep/er").iterdir()} == {"seats.png", "seats.svg", "seats.csv"}


def test_a_report_may_be_a_page_as_well() -> None:
    result = call("report", "small", "--html", "page.html")
    assert result.exit_code == 0, result.output
    assert result.stdout == call("report", "small").stdout
    page = Path("page.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert "torres-study report small --html page.html" in page


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["plot", "smal"], "smal: is not the folder of a run, nor its name; did you mean 'small'?"),
        (["plot", "small", "--what", "tornado"], "tornado: no two rule parameters were changed alone"),
        (["plot", "small", "--what", "seat"], "--what"),
        (["plot", "small", "--folder", "results/small/study.toml"], "study.toml: cannot be made"),
        (["report", "small", "--html", "no/where.html"], "no such folder"),
        (["report", "small", "--html", "page.txt"], "--html page.txt: the name must end in .html"),
    ],
)
def test_bad_input_is_refused_in_one_line_and_nothing_is_written(words: list[str], said: str) -> None:
    before = files()
    result = call(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert said in result.stderr
    assert files() == before
