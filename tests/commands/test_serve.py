"""`torres serve`: answers with ids, whatever the order; nothing that is sent ends the server."""

import io
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.commands.sample_report import EXAMPLES, MIDDLE_GAME, sample_report
from torres_mcts import __version__
from torres_mcts.commands.request import Request
from torres_mcts.commands.server import LINE_LIMIT, Server

ROOT = Path(__file__).resolve().parents[2]
GAME = str(EXAMPLES / "games" / "game-2017-two-players.json")
POSITION = json.loads(Path(MIDDLE_GAME).read_text())
PATIENCE = 60  # seconds


@pytest.fixture
def made_up(monkeypatch):
    """Make up analyses: each ends when it has had its iterations, in steps of a hundredth of a second."""
    running, most = [], []

    def run(self, should_stop):
        running.append(self)
        most.append(len(running))
        report = sample_report()
        try:
            for step in range(self.limit.iterations or 10**9):
                stopped_by = "interrupted" if should_stop() else "iterations"
                engine = report.engine.model_copy(update={"iterations": step + 1, "stopped_by": stopped_by})
                yield report.model_copy(update={"engine": engine})
                if stopped_by == "interrupted":
                    return
                time.sleep(0.01)
        finally:
            running.remove(self)

    monkeypatch.setattr(Request, "run", run)
    return most


def converse(*queries: object, concurrency: int = 1) -> list[dict]:
    """Send lines (objects as JSON), and return all answers after the end."""
    lines = [query if isinstance(query, bytes) else json.dumps(query).encode() for query in queries]
    answers: list[str] = []
    server = Server(answers.append, concurrency, 1, 10.0)
    server.serve(io.BytesIO(b"\n".join(lines)))
    return [json.loads(answer) for answer in answers]


def query(name: str = "a", **more: object) -> dict:
    return {"id": name, "position": POSITION, "limit": {"iterations": 2}} | more


def test_every_query_is_answered_with_its_id_before_the_end(made_up):
    answers = converse(query("a"), query("b"), {"id": "c", "file": MIDDLE_GAME, "limit": {"iterations": 1}})
    assert {answer["id"] for answer in answers} == {"a", "b", "c"}
    for answer in answers:
        assert answer["isDuringSearch"] is False
        assert answer["report"]["schema"] == "torres-analysis/1"


def test_a_short_query_overtakes_a_long_one_where_two_are_worked_on(made_up):
    answers = converse(query("long", limit={"iterations": 30}), query("short", limit={"iterations": 1}), concurrency=2)
    assert [answer["id"] for answer in answers] == ["short", "long"]


def test_no_more_queries_are_worked_on_than_allowed(made_up):
    converse(*(query(str(number)) for number in range(8)), concurrency=2)
    assert max(made_up) <= 2


def test_intermediate_reports_come_where_they_are_wanted(made_up):
    answers = converse(query("a", limit={"iterations": 20}, reportEvery=0.03))
    assert [answer["isDuringSearch"] for answer in answers] == [True] * (len(answers) - 1) + [False]
    assert 2 <= len(answers) <= 12
    assert len(converse(query("a", limit={"iterations": 20}))) == 1


@pytest.mark.parametrize("key", ["id", "terminateId"])
def test_a_query_that_is_worked_on_is_ended_and_answers_with_what_it_has(made_up, key):
    action = {"action": "terminate", key: "a"}
    echo, answer = converse(query("a", limit={"iterations": 10**6}), action)
    if "report" in echo:
        echo, answer = answer, echo
    assert echo == action
    assert answer["id"] == "a"
    assert answer.get("noResults") or answer["report"]["engine"]["stopped_by"] == "interrupted"


def test_all_queries_are_ended(made_up):
    endless = [query(name, limit={"iterations": 10**6}) for name in "abc"]
    answers = converse(*endless, {"action": "terminate_all", "id": "t"})
    assert len(answers) == 4
    assert {"b", "c"} <= {answer["id"] for answer in answers if answer.get("noResults")}


def test_the_version_is_told():
    (answer,) = converse({"action": "query_version", "id": "v"})
    assert answer == {"action": "query_version", "id": "v", "version": __version__, "schema": "torres-analysis/1"}


@pytest.mark.parametrize(
    ("line", "field", "words"),
    [
        (b"garbage", None, "not JSON"),
        (b"[1]", None, "expected a JSON object"),
        (b"\xff\xfe", None, "not UTF-8"),
        (b"[" * 10_000, None, "nested too deeply"),
        (b'{"id": "a", "id": "b"}', None, "occurs twice"),
        (b"x" * (LINE_LIMIT + 10), None, "longer than 1 MiB"),
        ({"position": POSITION}, "id", "id: is required"),
        (query(7), "id", "id: expected a text"),
        (query(tunrs=["end"]), "tunrs", "did you mean 'turns'"),
        (query(limit={"tim": 3}), "limit", "did you mean 'time'"),
        (query(limit={"iterations": 0}), "limit", "limit.iterations"),
        (query(limit={"time": -1}), "limit", "limit.time"),
        (query(position=None), "position", "give either a position or a file"),
        (query(file=MIDDLE_GAME), "position", "give either a position or a file"),
        (query(position=None, file="missing.json"), "file", "cannot be read"),
        (query(position=None, file="-"), "file", "name a file"),
        (query(position={**POSITION, "year": 5}), "position", "year: must be at most 3"),
        (query(position=None, file=GAME), "file", "--at"),
        (query(engine="deep-blue"), "engine", "is not one of"),
        (query(viewpoint="pink"), "viewpoint", "is not a player"),
        (query(known={"red": ["clim"]}), "known", "did you mean 'climb'"),
        (query(omniscient=True, viewpoint="red"), "omniscient", "exclude"),
        (query(seed=-1), "seed", "seed: must be at least 0"),
        (query(reportEvery=0), "reportEvery", "reportEvery"),
        ({"action": "terminat"}, "action", "did you mean 'terminate'"),
        ({"action": "terminate", "id": "nobody"}, "terminateId", "no query 'nobody'"),
        ({"action": "terminate", "terminateID": "a"}, "terminateID", "did you mean 'terminateId'"),
        ({"action": ["x"]}, "action", "unknown"),
    ],
    ids=lambda value: "",
)
def test_what_is_wrong_is_answered_and_the_next_query_works(made_up, line, field, words):
    error, answer = sorted(converse(line, query("next")), key=lambda answer: "error" not in answer)
    assert words in error["error"]
    assert error["field"] == field
    if isinstance(line, dict) and "action" not in line:
        assert error["id"] == line.get("id")
    assert "\n" not in error["error"]
    assert answer["report"]


def test_an_id_in_use_is_refused(made_up):
    error, answer = converse(query("a", limit={"iterations": 20}), query("a"))
    assert error["field"] == "id"
    assert answer["report"]


def test_a_record_with_at_is_analysed(made_up):
    (answer,) = converse({"id": "a", "file": GAME, "at": 40, "limit": {"iterations": 1}})
    assert answer["report"]


def test_a_fault_of_ours_is_answered_too(monkeypatch):
    monkeypatch.setattr(Request, "run", lambda self, **_more: 1 // 0)
    (answer,) = converse(query("a"))
    assert "internal error: ZeroDivisionError" in answer["error"]


def test_a_reader_that_has_gone_ends_all_work(made_up):
    def write(_line):
        raise BrokenPipeError

    server = Server(write, 1, 1, 10.0)
    lines = [json.dumps(query(name, limit={"iterations": 10**6})).encode() for name in "ab"]
    began = time.monotonic()
    server.serve(io.BytesIO(b"garbage\n" + b"\n".join(lines)))
    assert time.monotonic() - began < 5


@pytest.fixture
def server():
    """Start the real server."""
    command = [sys.executable, str(ROOT / "cli.py"), "serve", "--concurrency", "2", "--threads", "1"]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    )
    yield process
    process.kill()
    process.communicate()


def send(process: subprocess.Popen, *queries: object) -> None:
    assert process.stdin is not None
    for one in queries:
        process.stdin.write((one if isinstance(one, str) else json.dumps(one)) + "\n")
    process.stdin.flush()


def hear(process: subprocess.Popen) -> dict:
    assert process.stdout is not None
    return json.loads(process.stdout.readline())


def test_the_real_server_answers_ends_queries_and_ends_with_its_input(server):
    quick = {"limit": {"iterations": 24}, "engine": "turns:candidates=4,state_limit=20000"}
    send(server, "garbage", query("endless", limit={"time": 600}, reportEvery=0.1), query("quick", **quick))
    assert "not JSON" in hear(server)["error"]
    heard = [hear(server)]
    while not (
        any(answer["id"] == "quick" and not answer["isDuringSearch"] for answer in heard)
        and any(answer["id"] == "endless" and answer["isDuringSearch"] for answer in heard)
    ):
        heard.append(hear(server))
    send(server, {"action": "terminate", "terminateId": "endless"}, query("bad", turns=["fly:e4"], **quick))
    send(server, query("again", turns=["score end"], **quick))
    out, err = server.communicate(timeout=PATIENCE)  # closes its input
    answers = {
        (answer["id"], answer.get("isDuringSearch")): answer
        for answer in map(json.loads, out.splitlines())
        if "id" in answer
    }
    assert answers["endless", False]["report"]["engine"]["stopped_by"] == "interrupted"
    assert answers["again", False]["report"]["turns"][-1]["asked"]
    assert (answers["bad", None]["field"], "unknown action" in answers["bad", None]["error"]) == ("turns", True)
    assert server.returncode == 0
    assert "Traceback" not in err


def test_ctrl_c_ends_the_real_server_with_what_it_has(server):
    send(server, query("endless", limit={"time": 600}, reportEvery=0.1))
    assert hear(server)["isDuringSearch"]
    server.send_signal(signal.SIGINT)
    out, err = server.communicate(timeout=PATIENCE)
    assert json.loads(out.splitlines()[-1])["report"]["engine"]["stopped_by"] == "interrupted"
    assert server.returncode == 1
    assert "Traceback" not in err
