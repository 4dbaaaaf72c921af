"""The report of a tournament: one valid file, complete, the same for the same run, with an answer in words."""

import json
import re
from pathlib import Path

import pytest

from tests.plotting.test_report_html import Outline
from tests.tournaments.specs import AGENTS
from tests.tournaments.synthetic_run import FAMILY, LONG, synthetic_run
from torres_mcts import __version__
from torres_mcts.plotting.tournament.findings import Findings
from torres_mcts.plotting.tournament.page.write import write_report

LINE = "torres-tournament report small"


@pytest.fixture(scope="module")
def family(tmp_path_factory: pytest.TempPathFactory) -> Findings:
    return Findings(synthetic_run(tmp_path_factory.mktemp("family"), FAMILY, blocks=12, forfeits=2))


@pytest.fixture(scope="module")
def page(family: Findings) -> str:
    return write_report(family, LINE)


def words_of(page: str) -> str:
    return " ".join(Outline(page).texts)


def test_the_page_is_well_formed_and_complete(page: str) -> None:
    outline = Outline(page)
    names = [str(attributes["id"]) for _, attributes in outline.tags if "id" in attributes]
    assert len(names) == len(set(names))
    assert [name for name in names if name not in ("report", "download")] == [
        "answer", "ratings", "cross", "superiority", "seats", "points", "convergence", "budget", "time", "forfeits",
        "end", "engine",
    ]  # fmt: skip


def test_the_page_needs_nothing_else(page: str) -> None:
    check_alone(page)


def check_alone(page: str) -> None:
    """Fail if a page loads anything from elsewhere."""
    assert set(re.findall(r"https?://[^\"'\s<>]*", page)) <= {"http://www.w3.org/2000/svg"}
    outline = Outline(page)
    assert not any(attributes.get("src") for _, attributes in outline.tags)
    assert outline.having("link") == []


def test_the_same_run_gives_the_same_page(family: Findings, page: str) -> None:
    assert write_report(Findings(family.run), LINE) == page


def test_the_answer_says_who_is_best_and_how_sure_that_is(family: Findings, page: str) -> None:
    words = words_of(page)
    best, second = family.agents[:2]
    assert "Which of 4 agents plays best at tables of 2?" in words
    assert f"above the next, {second}; the chance that it is the stronger of the two is" in words
    assert best == "search-400"
    rivals = [name for number, name in enumerate(family.agents) if number and not family.told_apart[0, number]]
    assert rivals
    assert f"It cannot be told apart from {', '.join(rivals)} (all 6 pairs compared at once" in words
    assert "Elo a doubling" in words


def test_an_anchor_that_is_the_best_is_called_the_anchor(family: Findings) -> None:
    words = words_of(write_report(Findings(family.run, anchor="search-400"), LINE))
    assert "the anchor, from which all ratings count" in words
    assert "It is +" in words


def test_a_clear_winner_is_called_one(tmp_path: Path) -> None:
    findings = Findings(synthetic_run(tmp_path, AGENTS, blocks=40, step=1.5))
    words = words_of(write_report(findings, LINE))
    assert "It is stronger than quick (5 % risk)." in words
    assert "Left out: " in words
    assert "budget: no two agents differ in iterations or time alone" in words


def test_what_was_never_turned_round_is_said(tmp_path: Path) -> None:
    findings = Findings(synthetic_run(tmp_path, AGENTS, blocks=10, step=9.0))
    assert "how large that gap is nobody knows: chance; quick." in words_of(write_report(findings, LINE))


def test_one_block_is_a_page_without_intervals(tmp_path: Path) -> None:
    words = words_of(write_report(Findings(synthetic_run(tmp_path, AGENTS, blocks=1)), LINE))
    assert "95 % interval not known" in words
    assert "It cannot be told apart from" in words


def test_origin_and_way_to_repeat_are_named(family: Findings, page: str) -> None:
    words = words_of(page)
    for part in (__version__, family.run.spec.hash, LINE, "torres-tournament run spec.toml"):
        assert part in words
    assert (family.run.folder / "spec.toml").read_text() in words


def test_forfeits_are_listed_with_their_errors(page: str) -> None:
    assert "2 of 144 games: the agent crashed" in words_of(page)
    assert page.count("RuntimeError: lost &lt;my&gt; way</code>") == 2


def test_the_end_says_why_or_how_far(tmp_path: Path, page: str) -> None:
    assert "all 12 blocks are played" in words_of(page)
    stop = {"rule": "sprt", "elo": [0, 30], "minimum": 2}
    run = synthetic_run(tmp_path, AGENTS, blocks=60, played=20, step=0.0, stop=stop)
    words = words_of(write_report(Findings(run), LINE))
    assert "not over yet: 20 of 60 blocks are whole" in words
    assert "quick: going on after 20 blocks, rank points" in words


def test_the_numbers_are_in_the_page(family: Findings, page: str) -> None:
    text = re.search(r'<script type="application/json" id="report">(.*?)</script>', page, re.DOTALL)
    assert text is not None
    numbers = json.loads(text[1])
    assert numbers["schema"] == "torres-tournament-report/1"
    assert numbers["settings"]["seed"] == 5
    assert [row["agent"] for row in numbers["tables"]["ratings"]] == list(family.agents)
    assert set(numbers["tables"]) >= {"cross", "superiority", "scores", "seats", "convergence", "budget-gains"}


def test_pairs_that_never_met_stay_empty(tmp_path: Path) -> None:
    findings = Findings(synthetic_run(tmp_path, LONG, blocks=3, players=3, format="gauntlet"))
    cross = write_report(findings, LINE).partition('id="cross"')[2].partition("</section>")[0]
    assert cross.count('class="own"') == 8
    assert cross.count('class="unmet"') == 8 * 7 - 2 * 7
