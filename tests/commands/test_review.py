"""`torres review` as a user meets it: table, JSON, page, picture, errors, Ctrl-C."""

import json
import os
import signal
import subprocess
import sys
import time
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from torres_mcts.analysis.review_report import Review, review_schema
from torres_mcts.commands.main import torres
from torres_mcts.core.files import to_json
from torres_mcts.games.torres.record import GameRecord
from torres_mcts.plotting.page.review_page import write_review
from torres_mcts.plotting.review_plot import curve_of, curve_png
from torres_mcts.plotting.review_view import plain_review

pytestmark = pytest.mark.kernel

ROOT = Path(__file__).resolve().parents[2]
GAME = ROOT / "examples" / "games" / "game-2017-two-players.json"
QUICK = ("--iterations", "24", "--threads", "1")
PATIENCE = 120  # seconds; a machine that has to compile takes its time


def run(*arguments: str) -> Result:
    return CliRunner().invoke(torres, ["review", *arguments])


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A record of the set-up and two turns, one of them with draws."""
    whole = GameRecord.load(GAME)
    path = tmp_path_factory.mktemp("games") / "short.json"
    GameRecord(whole.position, whole.actions[:19]).save(path)
    return str(path)


@pytest.fixture(scope="module")
def written(record: str) -> tuple[Review, Path]:
    """The review of that record, and where its page and picture are."""
    folder = Path(record).parent
    files = ("--html", str(folder / "r.html"), "--png", str(folder / "r.png"), "-o", str(folder / "r.json"))
    result = run(record, "--json", *QUICK, *files)
    assert result.exit_code == 0, result.output
    assert result.stdout == ""
    return Review.model_validate(json.loads((folder / "r.json").read_text())), folder


class Page(HTMLParser):
    """The tags of a page, checked to be closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict]] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "input", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_table_fits_80_columns(written):
    review, _ = written
    text = plain_review(review)
    assert max(map(len, text.splitlines())) <= 80
    for words in ("COSTLIEST TURNS", "SUMS", "ALL TURNS", "set-up", "played", "better", "what its player knew"):
        assert words in text
    assert plain_review(review, is_unicode=False).isascii()


def test_an_interrupted_review_says_so(written):
    review = written[0].model_copy(update={"interrupted": True})
    assert "INTERRUPTED" in plain_review(review)
    assert "Interrupted" in write_review(review)


def test_the_page_has_curve_table_and_boards(written):
    review, folder = written
    text = (folder / "r.html").read_text()
    assert text == write_review(review)
    page = Page(text)
    kinds = [(tag, attributes.get("class", "")) for tag, attributes in page.tags]
    assert kinds.count(("svg", "curve")) == 1
    assert kinds.count(("svg", "board")) == 2 * len(review.costliest)
    assert kinds.count(("table", "sortable")) == 2
    assert sum(tag == "polyline" for tag, _ in kinds) == len(review.players)
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")


def test_names_cannot_break_the_page(written):
    data = written[0].model_dump_json(by_alias=True).replace('"red"', '"</script><b>"')
    text = write_review(Review.model_validate_json(data))
    Page(text)
    assert "</script><b>" not in text


def test_the_picture_is_a_png(written):
    review, folder = written
    assert (folder / "r.png").read_bytes() == curve_png(review)
    assert curve_png(review).startswith(b"\x89PNG")
    assert [point.turn for point in curve_of(review, "red")] == [4, 5]


def test_a_record_without_a_judged_turn_can_be_shown(tmp_path):
    whole = GameRecord.load(GAME)
    path = tmp_path / "set-up.json"
    GameRecord(whole.position, whole.actions[:3]).save(path)
    result = run(str(path), *QUICK, "--html", str(tmp_path / "r.html"), "--png", str(tmp_path / "r.png"))
    assert result.exit_code == 0, result.output
    assert "No turn was judged" in (tmp_path / "r.html").read_text()


def test_the_schema_is_printed():
    assert CliRunner().invoke(torres, ["schema", "review"]).stdout == to_json(review_schema())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.json"], "nowhere.json"),
        ([str(ROOT / "examples" / "positions" / "opening.json")], "this is a position"),
        ([str(GAME), "--player", "pink"], "'pink' is not a player"),
        ([str(GAME), "--time", "0"], "limit.time"),
        ([str(GAME), "--iterations", "0"], "limit.iterations"),
        ([str(GAME), "--html", "page.txt"], "must end in .html"),
        ([str(GAME), "--png", "/nowhere/at/all.png"], "no such folder"),
        ([str(GAME), "--threads", "0"], "--threads"),
    ],
)
def test_bad_input_gets_one_line(arguments, words):
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    lines = [line for line in result.stderr.splitlines() if not line.startswith("compil")]
    assert len(lines) == 1
    assert words in lines[0]


def test_ctrl_c_prints_the_turns_judged_until_then(tmp_path):
    command = [sys.executable, str(ROOT / "cli.py"), "review", str(GAME), "--json", "--iterations", "24"]
    page = tmp_path / "r.html"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [*command, "--html", str(page)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True
    ) as process:
        time.sleep(5)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert not page.exists()
    if stdout:  # else it had not come far enough: a slow machine
        assert json.loads(stdout)["interrupted"]
        assert "interrupted, so not written" in stderr
    else:
        assert "interrupted before there was a result" in stderr
