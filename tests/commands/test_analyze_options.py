"""`torres-analyze`: what each option does and which are refused; the analysis itself is made up, to save time."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.commands.sample_report import EXAMPLES, FOUR_PLAYERS, MIDDLE_GAME, sample_report
from torres_mcts.commands.analyze import analyze
from torres_mcts.commands.main import torres
from torres_mcts.commands.request import Request
from torres_mcts.search.limits import Limit

GAME = str(EXAMPLES / "games" / "game-2017-two-players.json")
STEPS = 3


@pytest.fixture(autouse=True)
def asked(monkeypatch):
    """Make up the analyses; return the requests that were made."""
    requests = []

    def run(self, **_more):
        requests.append(self)
        for step in range(STEPS):
            report = sample_report(source=self.options["source"])
            engine = report.engine.model_copy(update={"iterations": 100 * (step + 1)})
            yield report.model_copy(update={"engine": engine})

    monkeypatch.setattr(Request, "run", run)
    return requests


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(analyze, arguments, input=stdin)


def refuse(*arguments: str, stdin: str | None = None) -> str:
    """Run a command that must be refused; return its one line."""
    result = run(*arguments, stdin=stdin)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith("Error: ")
    return lines[0]


def test_without_options_it_thinks_ten_seconds_on_all_cores(asked):
    result = run(MIDDLE_GAME)
    assert result.exit_code == 0, result.output
    (request,) = asked
    assert request.limit == Limit(time=10.0)
    assert request.options["threads"] >= 1
    assert request.options["seed"] == 0
    assert (request.options["engine"], request.options["top"]) == ("turns", 5)


def test_a_pipe_gets_plain_text_of_80_columns_and_nothing_on_stderr():
    result = run(MIDDLE_GAME)
    assert "\x1b" not in result.output
    assert max(len(line) for line in result.stdout.splitlines()) <= 80
    assert result.stderr == ""
    assert CliRunner().invoke(torres, ["analyze", MIDDLE_GAME]).stdout == result.stdout


def test_every_setting_reaches_the_analysis(asked):
    result = run(
        *(MIDDLE_GAME, "--time", "3", "--iterations", "500", "--confidence", "0.9", "--top", "7", "--threads", "2"),
        *("--seed", "11", "--engine", "turns:candidates=32", "--viewpoint", "BLUE", "--known", "RED:climb,ap7"),
        *("--turn", "score end", "--turn", "end"),
    )
    assert result.exit_code == 0, result.output
    (request,) = asked
    assert request.limit == Limit(time=3.0, iterations=500, confidence=0.9)
    options = dict(request.options)
    assert {name: options[name] for name in ("top", "threads", "seed", "engine")} == {
        "top": 7,
        "threads": 2,
        "seed": 11,
        "engine": "turns",
    }
    assert options["parameters"] == {"candidates": 32}
    assert (options["viewpoint"], options["known"]) == ("blue", {"RED": ["climb", "ap7"]})
    assert options["turns"] == (("score", "end"), ("end",))
    assert options["source"] == MIDDLE_GAME


def test_a_parameter_that_is_usual_for_play_is_not_lost(asked):
    run(MIDDLE_GAME, "--engine", "turns:candidates=64,tries_all=false")
    assert asked[0].options["parameters"] == {"candidates": 64, "tries_all": False}


def test_confidence_alone_has_ten_seconds_at_most(asked):
    run(MIDDLE_GAME, "--confidence", "0.99")
    assert asked[0].limit == Limit(time=10.0, confidence=0.99)


def test_a_limit_of_the_engine_counts_where_no_option_gives_one(asked):
    run(MIDDLE_GAME, "--engine", "turns:iterations=50")
    run(MIDDLE_GAME, "--engine", "turns:iterations=50", "--time", "2")
    assert [request.limit for request in asked] == [Limit(iterations=50), Limit(time=2.0)]


def test_json_is_one_object_and_one_line_for_each_of_several_files():
    data = json.loads(run(MIDDLE_GAME, "--json").stdout)
    assert data["schema"] == "torres-analysis/1"
    assert data["source"] == MIDDLE_GAME
    lines = run(MIDDLE_GAME, FOUR_PLAYERS, "--json").stdout.splitlines()
    assert [json.loads(line)["source"] for line in lines] == [MIDDLE_GAME, FOUR_PLAYERS]


def test_several_files_are_shown_one_after_the_other():
    result = run(MIDDLE_GAME, FOUR_PLAYERS)
    assert result.stdout.count("BEST TURNS") == 2


def test_stream_prints_a_line_for_each_report_and_the_final_one_last():
    lines = run(MIDDLE_GAME, "--stream").stdout.splitlines()
    assert [json.loads(line)["engine"]["iterations"] for line in lines] == [100, 200, 300]


def test_the_last_line_of_a_stream_tells_what_an_audit_found(monkeypatch):
    found = {"permutations": 3, "iterations": 100, "clean": True}
    monkeypatch.setattr(Request, "audited", lambda _self, report, **_more: report.model_copy(update={"audit": found}))
    lines = run(MIDDLE_GAME, "--stream", "--audit").stdout.splitlines()
    assert json.loads(lines[-1])["audit"] == found


def interrupt(*_arguments, **_more):
    """Be Ctrl-C."""
    raise KeyboardInterrupt


def test_ctrl_c_during_an_audit_shows_the_analysis(monkeypatch):
    monkeypatch.setattr(Request, "audited", interrupt)
    result = run(MIDDLE_GAME, "--audit")
    assert result.exit_code == 1
    assert "BEST TURNS" in result.stdout
    assert "! interrupted before the audit was done" in result.stdout


@pytest.mark.parametrize("is_early", [True, False], ids=["before a report of the second", "after one"])
def test_ctrl_c_shows_what_is_known_of_each_file_where_the_result_was_to_be_written(monkeypatch, tmp_path, is_early):
    steps = Request.run

    def run_and_interrupt(self, *, should_stop):
        if self.options["source"] == FOUR_PLAYERS:
            if is_early:
                interrupt()
            should_stop.is_asked = True
        yield from steps(self)

    monkeypatch.setattr(Request, "run", run_and_interrupt)
    result = run(MIDDLE_GAME, FOUR_PLAYERS, "--json", "-o", str(tmp_path / "out.json"))
    assert result.exit_code == 1
    known = [MIDDLE_GAME] if is_early else [MIDDLE_GAME, FOUR_PLAYERS]
    assert [json.loads(line)["source"] for line in result.stdout.splitlines()] == known
    assert "interrupted, so not written: " in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_standard_input_is_read(asked):
    result = run("-", "--json", stdin=Path(MIDDLE_GAME).read_text())
    assert json.loads(result.stdout)["source"] == "-"
    assert asked[0].position.to_move == "blue"


def test_a_record_is_analysed_after_some_actions_with_the_plays_until_then(asked):
    assert run(GAME, "--at", "40").exit_code == 0
    (request,) = asked
    assert len(request.options["record"].actions) == 40
    assert request.options["record"].position_after(40) == request.position


@pytest.mark.parametrize("option", [["--json"], []])
def test_output_goes_to_a_file(tmp_path, option):
    target = tmp_path / "report"
    result = run(MIDDLE_GAME, *option, "-o", str(target))
    assert result.stdout == ""
    assert target.read_text() == run(MIDDLE_GAME, *option).stdout
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


@pytest.mark.parametrize(("kind", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("html", b"<!")])
def test_pictures_and_pages_are_written_beside_the_report(tmp_path, kind, start):
    target = tmp_path / f"report.{kind}"
    result = run(MIDDLE_GAME, f"--{kind}", str(target))
    assert result.exit_code == 0, result.output
    assert "BEST TURNS" in result.stdout
    assert target.read_bytes().startswith(start)
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["missing.json"], "missing.json: cannot be read"),
        ([], "Missing argument"),
        ([GAME], "this is a record of a game; say with --at N"),
        ([GAME, "--at", "100000"], "the record has"),
        ([MIDDLE_GAME, "--at", "3"], "--at goes with a record"),
        ([MIDDLE_GAME, MIDDLE_GAME, "--turn", "end"], "--turn goes with one FILE, not with 2"),
        ([MIDDLE_GAME, MIDDLE_GAME, "--html", "x.html"], "--html goes with one FILE"),
        (["-", "-"], "only once"),
        ([MIDDLE_GAME, "missing.json"], "missing.json: cannot be read"),
        ([MIDDLE_GAME, "--time", "0"], "limit.time: expected seconds above 0"),
        ([MIDDLE_GAME, "--time", "nan"], "limit.time"),
        ([MIDDLE_GAME, "--iterations", "0"], "limit.iterations"),
        ([MIDDLE_GAME, "--iterations", "many"], "--iterations"),
        ([MIDDLE_GAME, "--confidence", "1"], "limit.confidence"),
        ([MIDDLE_GAME, "--top", "0"], "--top"),
        ([MIDDLE_GAME, "--threads", "0"], "--threads"),
        ([MIDDLE_GAME, "--seed", "-1"], "--seed"),
        ([MIDDLE_GAME, "--engine", "deep-blue"], "engine: 'deep-blue' is not one of"),
        ([MIDDLE_GAME, "--engine", "turns:candidate=3"], "did you mean 'candidates'"),
        ([MIDDLE_GAME, "--engine", "turns:candidates=0"], "engine.candidates: expected a whole number of at least 1"),
        ([MIDDLE_GAME, "--viewpoint", "pink"], "viewpoint: 'pink' is not a player"),
        ([MIDDLE_GAME, "--known", "red"], "write PLAYER:CARD,CARD"),
        ([MIDDLE_GAME, "--known", "pink:climb"], "known: 'pink' is not a player"),
        ([MIDDLE_GAME, "--known", "red:clim"], "did you mean 'climb'"),
        ([MIDDLE_GAME, "--omniscient", "--viewpoint", "red"], "omniscient and viewpoint exclude each other"),
        ([MIDDLE_GAME, "--omniscient", "--known", "red:climb"], "omniscient and known exclude each other"),
        ([MIDDLE_GAME, "--omniscient", "--audit"], "--audit and --omniscient exclude each other"),
        ([MIDDLE_GAME, "--stream", "-o", "x.json"], "choose one of them"),
        ([MIDDLE_GAME, "--png", "board.jpg"], "must end in .png"),
        ([MIDDLE_GAME, "--svg", "board.png"], "must end in .svg"),
        ([MIDDLE_GAME, "--html", "report.txt"], "must end in .html"),
        ([MIDDLE_GAME, "--html", "/nowhere/report.html"], "cannot be written: no such folder"),
        ([MIDDLE_GAME, "-o", "/nowhere/report.json"], "cannot be written: no such folder"),
        ([MIDDLE_GAME, "-o", "/tmp"], "--output /tmp: cannot be written: is a folder"),
        ([MIDDLE_GAME, "-o", MIDDLE_GAME], "is the file to be read; choose another name"),
        ([MIDDLE_GAME, "-o", "x.svg", "--svg", "./x.svg"], "--svg ./x.svg: is the file of --output, too"),
        ([MIDDLE_GAME, "--colour"], "--colour"),
    ],
    ids=lambda value: " ".join(Path(word).name for word in value) if isinstance(value, list) else "",
)
def test_bad_input_gets_one_clear_line_and_nothing_is_searched(arguments, words, asked, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert words in refuse(*arguments)
    assert asked == []
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_allows_no_new_files_is_refused_before_anything_is_searched(asked, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_arguments: False)  # root may write anywhere
    assert "the folder allows no new files" in refuse(MIDDLE_GAME, "--html", str(tmp_path / "r.html"))
    assert asked == []


def test_a_device_is_written_to_as_it_is():
    assert run(MIDDLE_GAME, "--json", "-o", os.devnull).exit_code == 0


def test_a_game_that_is_over_is_refused():
    record = json.loads(Path(GAME).read_text())
    assert "the game is over" in refuse(GAME, "--at", str(len(record["actions"])))
