"""The report of a study in a real browser: it loads, sorts, switches themes, and fits on a phone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.chromium import Chromium
from tests.browser.test_report_page import DARK, GROUND, LIGHT, click
from tests.browser.test_tournament_page import WIDE as TOO_WIDE
from tests.browser.test_tournament_page import open_page
from tests.studies.synthetic_study import WIDE, synthetic_study
from torres_mcts.plotting.study.findings import Findings
from torres_mcts.plotting.study.page.write import write_report

pytestmark = pytest.mark.browser

CHANGES = "[...document.querySelector('table.effect').tBodies[0].rows].map(row => Number(row.cells[1].dataset.value))"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    chromium = Chromium(tmp_path_factory.mktemp("profile"))
    yield chromium
    chromium.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Write the reports of a small study and of one to which all pictures apply."""
    runs = {
        "small": synthetic_study(tmp_path_factory.mktemp("small"), blocks=4, players=4),
        "wide": synthetic_study(tmp_path_factory.mktemp("wide"), blocks=8, forfeits=1, **WIDE),
    }
    for run in runs.values():
        (run.folder / "report.html").write_text(write_report(Findings(run), "report"), encoding="utf-8")
    return {name: run.folder / "report.html" for name, run in runs.items()}


@pytest.mark.parametrize("name", ["small", "wide"])
def test_it_loads_without_errors_or_requests(name: str, browser: Chromium, pages: dict[str, Path]) -> None:
    open_page(browser, pages[name])
    assert browser.complaints() == []
    assert browser.requests() == [pages[name].as_uri()]


@pytest.mark.parametrize("name", ["small", "wide"])
@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_nothing_sticks_out_of_the_page(width: int, name: str, browser: Chromium, pages: dict[str, Path]) -> None:
    open_page(browser, pages[name])
    browser.resize(width, 844, is_phone=width < 500)
    browser.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    assert browser.evaluate(TOO_WIDE) == []


def test_a_click_on_a_heading_sorts(browser: Chromium, pages: dict[str, Path]) -> None:
    open_page(browser, pages["wide"])
    click(browser, "table.effect th:nth-child(2) button")
    assert browser.evaluate(CHANGES) == sorted(browser.evaluate(CHANGES), reverse=True)
    click(browser, "table.effect th:nth-child(2) button")
    assert browser.evaluate(CHANGES) == sorted(browser.evaluate(CHANGES))
    assert browser.complaints() == []


def test_other_boards_are_folded_away_until_asked_for(browser: Chromium, pages: dict[str, Path]) -> None:
    open_page(browser, pages["wide"])
    shown = "[...document.querySelectorAll('.boards details')].map(one => one.open)"
    assert browser.evaluate(shown) == [True] + [False] * (len(browser.evaluate(shown)) - 1)
    click(browser, ".boards details:nth-of-type(2) summary")
    assert browser.evaluate(shown)[1]


def test_every_chart_has_a_size_and_takes_the_theme(browser: Chromium, pages: dict[str, Path]) -> None:
    open_page(browser, pages["wide"])
    browser.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    sizes = "[...document.querySelectorAll('svg.chart')].map(c => [c.clientWidth, c.clientHeight])"
    assert all(width > 50 and height > 8 for width, height in browser.evaluate(sizes))
    assert browser.evaluate(GROUND) == LIGHT
    fill = "getComputedStyle(document.querySelector('.source.castles')).fill"
    before = browser.evaluate(fill)
    click(browser, "input[value=dark]")
    assert browser.evaluate(GROUND) == DARK
    assert browser.evaluate(fill) != before


def test_the_numbers_can_be_downloaded(browser: Chromium, pages: dict[str, Path]) -> None:
    open_page(browser, pages["small"])
    assert browser.evaluate("document.getElementById('download').href").startswith("blob:")
    kept = "JSON.parse(document.getElementById('report').textContent).schema"
    assert browser.evaluate(kept) == "torres-study-report/1"
