"""`torres-tournament plot` and `report`: files beside each other, one-line errors, nothing half done."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.tournaments.specs import AGENTS, spec_data, to_toml
from tests.tournaments.synthetic_run import FAMILY, synthetic_run
from torres_mcts.commands.tournament import tournament
from torres_mcts.commands.tournament_pictures import NAMES
from torres_mcts.plotting.tournament.pictures import PICTURES
from torres_mcts.tournaments.folder import open_folder
from torres_mcts.tournaments.spec import make_spec


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of its own, where `results` is."""
    monkeypatch.chdir(tmp_path)
    synthetic_run(Path("results/small"), AGENTS, blocks=4)
    return tmp_path


def call(*words: str) -> Result:
    return CliRunner().invoke(tournament, words)


def files() -> list[Path]:
    """List all that is there, but for the notes that SQLite makes when it reads."""
    return sorted(path for path in Path().rglob("*") if not path.name.endswith(("-shm", "-wal")))


def test_the_command_knows_every_picture() -> None:
    assert tuple(PICTURES) == NAMES


def test_all_plots_lie_in_the_folder_of_the_run() -> None:
    result = call("plot", "small")
    assert result.exit_code == 0, result.output
    drawn = [name for name in NAMES if name != "budget"]
    assert result.stdout == f"results/small/plots: {', '.join(drawn)}\n"
    assert result.stderr == "left out: budget: no two agents differ in iterations or time alone\n"
    endings = {f"{name}.{ending}" for name in drawn for ending in ("png", "svg", "csv")}
    assert {path.name for path in Path("results/small/plots").iterdir()} == {*endings, "scores-values.csv"}


def test_plots_may_be_chosen_and_put_elsewhere() -> None:
    synthetic_run(Path("results/more"), FAMILY, blocks=4, name="more")
    result = call("plot", "more", "--what", "budget", "--what", "seats", "--folder", "deep/er", "--anchor", "search-50")
    assert result.exit_code == 0, result.output
    assert {path.suffix for path in Path("deep/er").iterdir()} == {".png", ".svg", ".csv"}
    assert {path.stem for path in Path("deep/er").iterdir()} == {"budget", "budget-gains", "seats"}


def test_a_report_is_one_file() -> None:
    result = call("report", "small", "--anchor", "chance")
    assert result.exit_code == 0, result.output
    assert result.stdout == "results/small/report.html\n"
    page = Path("results/small/report.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert "torres-tournament report small --anchor chance" in page
    assert call("report", "small", "--anchor", "chance", "-o", "other.html").stdout == "other.html\n"
    assert Path("other.html").read_text() == page
    assert call("report", "small", "--anchor", "chance", "-o", "-").stdout == page


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["plot", "smal"], "smal: is not the folder of a run, nor its name; did you mean 'small'?"),
        (["plot", "small", "--what", "budget"], "budget: no two agents differ in iterations or time alone"),
        (["plot", "small", "--what", "rating"], "--what"),
        (["plot", "small", "--anchor", "quik"], "did you mean 'quick'?"),
        (["plot", "small", "--folder", "results/small/spec.toml"], "spec.toml: cannot be made"),
        (["plot", "empty"], "there are no games to rate"),
        (["report", "empty"], "there are no games to rate"),
        (["report", "small", "-o", "no/where.html"], "no such folder"),
        (["report", "small", "-o", "results/small/games.sqlite"], "is the file to be read"),
        (["report", "small", "--anchor", "quik"], "did you mean 'quick'?"),
    ],
)
def test_bad_input_is_refused_in_one_line_and_nothing_is_written(words: list[str], said: str) -> None:
    data = spec_data(name="empty")
    open_folder(Path("results/empty"), make_spec(data), to_toml(data)).connection.close()
    before = files()
    result = call(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert said in result.stderr
    assert files() == before
