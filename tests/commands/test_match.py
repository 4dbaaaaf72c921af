"""`torres match`: the table, a file that goes on, one-line errors before any time is spent."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from torres_mcts.commands.main import torres

LINE = ("match", "greedy:width=1,sweeps=1", "random", "--blocks", "1", "--iterations", "5", "--seed", "1")


def test_the_table_and_the_file_say_what_was_played(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    first = CliRunner().invoke(torres, [*LINE, "-o", str(path)])
    assert first.exit_code == 0, first.output
    assert "greedy:width=1,sweeps=1 against random, 2 players, 1 blocks, seed 1" in first.stdout
    assert len(path.read_text().splitlines()) == 2
    assert CliRunner().invoke(torres, [*LINE, "-o", str(path)]).stdout == first.stdout  # read, not played again


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["-o", "/nowhere/at/all.jsonl"], "no such folder"),
        (["--time", "-1"], "limit.time"),
        (["--players", "5"], "players"),
    ],
)
def test_bad_input_is_refused_in_one_line(more: list[str], said: str) -> None:
    result = CliRunner().invoke(torres, [*LINE, *more])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert said in result.stderr
