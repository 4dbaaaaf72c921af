"""The report of a tournament in a real browser: it loads, sorts, switches themes, and fits on a phone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.chromium import Chromium
from tests.browser.test_report_page import DARK, GROUND, LIGHT, click
from tests.tournaments.specs import AGENTS
from tests.tournaments.synthetic_run import FAMILY, LONG, synthetic_run
from torres_mcts.plotting.tournament.findings import Findings
from torres_mcts.plotting.tournament.page.write import write_report

pytestmark = pytest.mark.browser

RATED = "[...document.querySelectorAll('table.elo tbody tr')].map(row => row.cells[0].dataset.value)"
WIDE = (
    "[...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1)"
    ".filter(e => !e.closest('svg') && !e.closest('.scroll table') && !e.closest('pre code'))"
    ".map(e => e.outerHTML.slice(0, 80))"
)
CONTRAST = """
(() => {
  const light = (text) => {
    const [r, g, b] = text.match(/[\\d.]+/g).map(Number).map((v) => v / (text.startsWith('color') ? 1 : 255))
      .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paint = (over, under) => {
    const most = over.startsWith('color') ? 1 : 255;
    const [r, g, b, a = 1] = over.match(/[\\d.]+/g).map(Number).map((v, i) => i < 3 ? v / most : v);
    const below = under.match(/[\\d.]+/g).map(Number).map((v) => v / 255);
    return 'color ' + [r, g, b].map((v, i) => a * v + (1 - a) * below[i]).join(' ');
  };
  const ground = getComputedStyle(document.body).backgroundColor;
  return Math.min(...[...document.querySelectorAll('.matrix .ahead, .matrix .behind')].map((cell) => {
    const style = getComputedStyle(cell);
    const [a, b] = [light(style.color), light(paint(style.backgroundColor, ground))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }));
})()
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    chromium = Chromium(tmp_path_factory.mktemp("profile"))
    yield chromium
    chromium.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Write the reports of a small run and of one with many agents of long names."""
    runs = {
        "two": synthetic_run(tmp_path_factory.mktemp("two"), AGENTS, blocks=5),
        "many": synthetic_run(tmp_path_factory.mktemp("many"), FAMILY | LONG, blocks=5, forfeits=2),
    }
    for run in runs.values():
        (run.folder / "report.html").write_text(write_report(Findings(run), "report"), encoding="utf-8")
    return {name: run.folder / "report.html" for name, run in runs.items()}


def open_page(browser: Chromium, page: Path) -> Chromium:
    browser.resize(1280, 900)
    browser.prefer("light")
    browser.open(page)
    browser.evaluate("localStorage.clear()")
    browser.open(page)
    return browser


@pytest.mark.parametrize("name", ["two", "many"])
def test_it_loads_without_errors_or_requests(name: str, browser: Chromium, pages: dict[str, Path]) -> None:
    open_page(browser, pages[name])
    assert browser.complaints() == []
    assert browser.requests() == [pages[name].as_uri()]


@pytest.mark.parametrize("name", ["two", "many"])
@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_nothing_sticks_out_of_the_page(width: int, name: str, browser: Chromium, pages: dict[str, Path]) -> None:
    open_page(browser, pages[name])
    browser.resize(width, 844, is_phone=width < 500)
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    assert browser.evaluate(WIDE) == []


def test_a_wide_matrix_scrolls_in_its_place_and_names_stay(browser: Chromium, pages: dict[str, Path]) -> None:
    open_page(browser, pages["many"])
    browser.resize(390, 844, is_phone=True)
    browser.evaluate("document.querySelector('.scroll').scrollLeft = 300")
    assert browser.evaluate("document.querySelector('.scroll').scrollLeft") == 300
    assert browser.evaluate("document.querySelector('.matrix th[scope=row]').getBoundingClientRect().left") >= 0


def test_a_click_on_a_heading_sorts(browser: Chromium, pages: dict[str, Path]) -> None:
    open_page(browser, pages["many"])
    before = browser.evaluate(RATED)
    click(browser, "table.elo th:nth-child(2) button")
    assert browser.evaluate(RATED) == before
    click(browser, "table.elo th:nth-child(2) button")
    assert browser.evaluate(RATED) == before[::-1]
    browser.evaluate("document.querySelectorAll('th button').forEach(button => button.click())")
    assert browser.complaints() == []


def test_words_in_a_matrix_can_be_read_in_both_themes(browser: Chromium, pages: dict[str, Path]) -> None:
    open_page(browser, pages["many"])
    assert browser.evaluate(GROUND) == LIGHT
    assert browser.evaluate(CONTRAST) >= 4.5
    click(browser, "input[value=dark]")
    assert browser.evaluate(GROUND) == DARK
    assert browser.evaluate(CONTRAST) >= 4.5


def test_every_chart_has_a_size_and_takes_the_theme(browser: Chromium, pages: dict[str, Path]) -> None:
    open_page(browser, pages["many"])
    sizes = "[...document.querySelectorAll('svg.chart')].map(c => [c.clientWidth, c.clientHeight])"
    assert all(width > 50 and height > 8 for width, height in browser.evaluate(sizes))
    fill = "getComputedStyle(document.querySelector('.course .way')).stroke"
    before = browser.evaluate(fill)
    click(browser, "input[value=dark]")
    assert browser.evaluate(fill) != before


def test_the_numbers_can_be_downloaded(browser: Chromium, pages: dict[str, Path]) -> None:
    open_page(browser, pages["two"])
    assert browser.evaluate("document.getElementById('download').href").startswith("blob:")
    kept = "JSON.parse(document.getElementById('report').textContent).schema"
    assert browser.evaluate(kept) == "torres-tournament-report/1"
