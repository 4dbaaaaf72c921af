"""The report of a study: one valid file, complete, the same for the same run, with an answer in words."""

import json
import re
from pathlib import Path

import pytest

from tests.plotting.test_report_html import Outline
from tests.plotting.test_tournament_page import check_alone, words_of
from tests.studies.synthetic_study import WIDE, synthetic_study
from torres_mcts import __version__
from torres_mcts.plotting.study.findings import Findings
from torres_mcts.plotting.study.page.write import write_report
from torres_mcts.studies.results import Verdict

LINE = "torres-study report small --html report.html"


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Findings:
    return Findings(synthetic_study(tmp_path_factory.mktemp("wide"), blocks=16, forfeits=2, **WIDE))


@pytest.fixture(scope="module")
def page(wide: Findings) -> str:
    return write_report(wide, LINE)


def test_the_page_goes_from_the_question_to_the_settings(page: str) -> None:
    names = [str(attributes["id"]) for _, attributes in Outline(page).tags if "id" in attributes]
    assert len(names) == len(set(names))
    assert [name for name in names if name not in ("report", "download")] == [
        "answer", "effects", "tornado", "slices", "seats", "sources", "winning", "cards", "boards", "rules", "metrics",
        "forfeits", "engine",
    ]  # fmt: skip


def test_the_page_needs_nothing_else(page: str) -> None:
    check_alone(page)


def test_the_same_run_gives_the_same_page(wide: Findings, page: str) -> None:
    assert write_report(Findings(wide.run), LINE) == page


def test_question_and_answer_stand_at_the_top_with_numbers(wide: Findings, page: str) -> None:
    words = words_of(page)
    assert "What do the <king's bonus> and the action points do?" in words
    open_ones = sum(effect.verdict == Verdict.OPEN for effect in wide.results.effects)
    assert f"of {len(wide.results.effects)} comparisons show an effect" in words
    assert f"{open_ones} are undecided." in words
    assert "Final points (all mean) is lower: -9.00" in words
    assert words.index("comparisons show") < words.index("What the variants change")


def test_every_effect_is_in_a_table(wide: Findings, page: str) -> None:
    tables = page.partition('id="effects"')[2].partition("</section>")[0]
    assert tables.count("<tbody>") == len(wide.values)
    assert tables.count("<tr>") == len(wide.values) + len(wide.results.effects)


def test_settings_definitions_and_the_way_to_repeat_are_named(wide: Findings, page: str) -> None:
    words = words_of(page)
    for part in (__version__, wide.run.study.hash, LINE, "torres-study run study.toml", "Mean rank points (1 first"):
        assert part in words
    assert (wide.run.folder / "study.toml").read_text() in words
    assert "king_bonus=5/10/25 draw=4" in words


def test_forfeits_are_listed_with_their_errors(page: str) -> None:
    assert "2 games: the agent crashed" in words_of(page)
    assert page.count("RuntimeError: lost &lt;my&gt; way</code>") == 2


def test_the_numbers_are_in_the_page(wide: Findings, page: str) -> None:
    text = re.search(r'<script type="application/json" id="report">(.*?)</script>', page, re.DOTALL)
    assert text is not None
    numbers = json.loads(text[1])
    assert numbers["schema"] == "torres-study-report/1"
    assert numbers["results"]["config"] == wide.results.config
    assert set(numbers["tables"]) == {
        "effects", "tornado", "slices", "seats", "sources", "winning", "cards", "boards",
    }  # fmt: skip


def test_a_study_without_games_is_a_page_that_says_so(tmp_path: Path) -> None:
    words = words_of(write_report(Findings(synthetic_study(tmp_path, blocks=4, played=0)), LINE))
    assert "Nothing can be measured yet." in words
    assert "So far no seat has played a game that counts" in words
    assert "Left out: effects: nothing can be measured yet; tornado: " in words


def test_one_block_is_a_page_without_intervals(tmp_path: Path) -> None:
    words = words_of(write_report(Findings(synthetic_study(tmp_path, blocks=4, played=1)), LINE))
    assert "interval not known" in words
    assert "1 of 4" in words.replace("of each rule set ", "")
