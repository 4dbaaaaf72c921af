"""`torres-analyze` with the real engine, as a user meets it: in this process, in a pipe, on a terminal, with Ctrl-C."""

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.commands.sample_report import EXAMPLES, MIDDLE_GAME
from torres_mcts.commands.analyze import analyze

ROOT = Path(__file__).resolve().parents[2]
OPENING = str(EXAMPLES / "positions" / "opening.json")
LAST_TURN = str(EXAMPLES / "positions" / "last-turn.json")
GAME = str(EXAMPLES / "games" / "game-2017-two-players.json")
COMMAND = [sys.executable, str(ROOT / "cli.py"), "analyze"]
QUICK = ("--iterations", "48", "--threads", "1", "--engine", "turns:candidates=8,state_limit=20000")
PATIENCE = 120  # seconds; a machine that has to compile takes its time


def run(*arguments: str) -> Result:
    return CliRunner().invoke(analyze, arguments)


def refuse(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    lines = [line for line in result.stderr.splitlines() if not line.startswith("compil")]
    assert len(lines) == 1, lines
    return lines[0]


def without_times(text: str) -> dict:
    data = json.loads(text)
    for key in ("seconds", "iterations_per_second", "threads"):
        del data["engine"][key]
    return data


def test_the_same_seed_gives_the_same_json_on_one_and_two_threads():
    one, two = (run(MIDDLE_GAME, "--json", *QUICK, "--threads", threads).stdout for threads in ("1", "2"))
    assert without_times(one) == without_times(two)
    other = run(MIDDLE_GAME, "--json", *QUICK, "--seed", "1").stdout
    assert without_times(one) != without_times(other)


def test_my_turn_is_judged_and_shown_as_mine():
    data = json.loads(run(MIDDLE_GAME, "--json", *QUICK, "--top", "1", "--turn", "score score end").stdout)
    assert [turn["asked"] for turn in data["turns"]] == [False, True]
    assert data["turns"][1]["actions"] == ["score", "score", "end"]
    assert " yours" in run(MIDDLE_GAME, *QUICK, "--turn", "score").stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([MIDDLE_GAME, "--turn", "move:a1-a2 end"], "has no knight on a1"),
        ([MIDDLE_GAME, "--turn", "fly:e4"], "unknown action"),
        ([MIDDLE_GAME, "--turn", "end score"], "the turn is over before it"),
        ([MIDDLE_GAME, "--turn", ""], "no action given"),
        ([MIDDLE_GAME, "--known", "blue:climb"], "whose own hand is known"),
        ([MIDDLE_GAME, "--known", "red:climb,ap6,ap7,jump"], "cannot be red's hand"),
        ([MIDDLE_GAME, "--engine", "cheat"], "looks at hidden cards"),
    ],
    ids=lambda value: " ".join(value[1:]) if isinstance(value, list) else "",
)
def test_what_the_position_does_not_allow_gets_one_clear_line_and_nothing_is_written(arguments, words, tmp_path):
    targets = [word for kind in ("html", "png", "svg") for word in (f"--{kind}", str(tmp_path / f"report.{kind}"))]
    assert words in refuse(*QUICK, *arguments, *targets, "--json", "-o", str(tmp_path / "report.json"))
    assert list(tmp_path.iterdir()) == []


def test_whose_knowledge_is_used_is_said():
    def viewpoint(*options):
        return json.loads(run(GAME, "--at", "60", "--json", *QUICK, *options).stdout)["root"]["viewpoint"]

    assert viewpoint("--viewpoint", "Blue") == "blue"
    assert viewpoint("--omniscient") is None
    assert "from every card of the file" in " ".join(run(GAME, "--at", "60", *QUICK, "--omniscient").stdout.split())


def test_known_cards_are_taken_as_held():
    data = json.loads(run(MIDDLE_GAME, "--json", *QUICK, "--known", "RED:climb").stdout)
    assert data["hidden"][0]["known"] == ["climb"]


def test_the_plays_of_a_record_tell_what_is_held():
    data = json.loads(run(GAME, "--at", "100", "--json", *QUICK).stdout)
    chances = [card for hand in data["hidden"] for card in hand["cards"]]
    assert any(card["prior"] != card["posterior"] for card in chances)


def test_an_audit_says_that_hidden_cards_change_nothing():
    result = run(GAME, "--at", "60", *QUICK, "--iterations", "12", "--audit", "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["audit"]["clean"] is True


def test_other_engines_choose_a_turn_that_is_judged():
    data = json.loads(run(MIDDLE_GAME, "--json", "--engine", "greedy", "--iterations", "24").stdout)
    assert data["engine"]["name"] == "greedy"
    assert any(turn["chosen_by_engine"] for turn in data["turns"])


def test_confidence_ends_the_search_early():
    few = ("--engine", "turns:candidates=4,state_limit=20000", "--top", "2")
    engine = json.loads(run(MIDDLE_GAME, "--json", "--iterations", "4000", "--confidence", "0.6", *few).stdout)[
        "engine"
    ]
    assert (engine["stopped_by"], engine["iterations"] < 4000) == ("confidence", True)


def test_a_last_turn_too_large_to_be_proved_says_that_not_all_turns_were_listed():
    data = json.loads(run(LAST_TURN, "--json", "--engine", "turns:state_limit=2000", "--iterations", "50").stdout)
    assert (data["engine"]["stopped_by"], data["root"]["exhaustive"]) == ("listed", False)
    assert any("too many turns" in words for words in data["warnings"])


def test_every_file_is_written_whole(tmp_path):
    targets = [word for kind in ("html", "png", "svg") for word in (f"--{kind}", str(tmp_path / f"report.{kind}"))]
    result = run(OPENING, *QUICK, *targets, "--json", "-o", str(tmp_path / "report.json"))
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"report.{k}" for k in ("html", "json", "png", "svg")]
    assert "<html" in (tmp_path / "report.html").read_text()[:500]
    assert json.loads((tmp_path / "report.json").read_text())["schema"] == "torres-analysis/1"


def test_a_pipe_gets_lines_of_json_while_it_thinks():
    process = subprocess.run(
        [*COMMAND, "-", "--stream", *QUICK],
        input=Path(MIDDLE_GAME).read_bytes(),
        capture_output=True,
        check=True,
    )
    reports = [json.loads(line) for line in process.stdout.splitlines()]
    assert len(reports) >= 2
    counts = [report["engine"]["iterations"] for report in reports]
    assert counts == sorted(counts)
    assert reports[-1]["turns"][0]["variation"]
    assert b"\x1b" not in process.stdout + process.stderr


def read_terminal(handle: int, until: bytes = b"") -> bytes:
    """Read what a program writes on a terminal, to its end or until some words come."""
    seen, end = b"", time.monotonic() + PATIENCE
    while time.monotonic() < end and (not until or until not in seen):
        if select.select([handle], [], [], 1)[0]:
            try:
                part = os.read(handle, 1 << 16)
            except OSError:  # closed
                break
            if not part:
                break
            seen += part
    return seen


@pytest.fixture
def on_terminal():
    """Start the command on a terminal of 80 columns; return the process and the terminal."""
    opened = []

    def start(*arguments):
        ours, theirs = pty.openpty()
        environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "50"}
        for name in ("NO_COLOR", "FORCE_COLOR"):
            environment.pop(name, None)
        process = subprocess.Popen(
            [*COMMAND, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
        )
        os.close(theirs)
        opened.append((process, ours))
        return process, ours

    yield start
    for process, handle in opened:
        process.kill()
        process.wait()
        os.close(handle)


def test_a_terminal_gets_progress_and_colours(on_terminal):
    process, handle = on_terminal(MIDDLE_GAME, "--time", "1.5", "--threads", "1")
    seen = read_terminal(handle)
    assert process.wait(PATIENCE) == 0
    assert b"reading the position" in seen
    assert b"iterations, " in seen
    assert b"\x1b[" in seen[seen.index(b"BEST TURNS") :]


def test_ctrl_c_shows_what_was_found_on_a_terminal(on_terminal):
    process, handle = on_terminal(MIDDLE_GAME, "--time", "600", "--threads", "1")
    read_terminal(handle, b" left")
    process.send_signal(signal.SIGINT)
    seen = read_terminal(handle)
    assert process.wait(PATIENCE) == 1
    assert b"INTERRUPTED after" in seen
    assert b"BEST TURNS" in seen
    assert b"Traceback" not in seen


def test_ctrl_c_prints_json_marked_as_interrupted_and_writes_no_file(tmp_path):
    files = ["--html", tmp_path / "r.html", "--png", tmp_path / "r.png"]
    command = [*COMMAND, MIDDLE_GAME, "--stream", "--time", "600", "--threads", "1", *files]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    last = json.loads(out.splitlines()[-1])
    assert process.returncode == 1
    assert first["engine"]["stopped_by"] != "interrupted"
    assert last["engine"]["stopped_by"] == "interrupted"
    assert "interrupted, so not written: " in err
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []
