"""Tests of the report's page in a real browser: it loads, sorts, switches themes, and fits on a phone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.chromium import Chromium
from tests.plotting.full_report import full_report
from torres_mcts.plotting.report_html import write_html

pytestmark = pytest.mark.browser

RANKS = "[...document.querySelectorAll('table.turns tbody tr')].map(row => Number(row.cells[0].dataset.value))"
GROUND = "getComputedStyle(document.body).backgroundColor"
LIGHT, DARK = "rgb(251, 250, 246)", "rgb(23, 21, 19)"
EVIL = "<img src=x onerror=alert(1)>" + "W" * 60


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    chromium = Chromium(tmp_path_factory.mktemp("profile"))
    yield chromium
    chromium.close()


@pytest.fixture
def page(browser: Chromium, tmp_path: Path) -> Chromium:
    """Return the browser with the report of a position in it."""
    return open_report(browser, tmp_path)


def open_report(browser: Chromium, folder: Path, name: str = "middle-game", **changes: object) -> Chromium:
    """Write a report's page and open it, as if for the first time."""
    path = folder / "report.html"
    path.write_text(write_html(full_report(name, **changes)), encoding="utf-8")  # type: ignore[arg-type]
    browser.resize(1280, 900)
    browser.prefer("light")
    browser.open(path)
    browser.evaluate("localStorage.clear()")
    browser.open(path)
    return browser


def click(browser: Chromium, selector: str) -> None:
    """Click on the first element of a kind."""
    browser.evaluate(f"document.querySelector({selector!r}).click()")


@pytest.mark.parametrize("name", ["middle-game", "four-players", "last-turn"])
def test_it_loads_without_errors_or_requests(name: str, browser: Chromium, tmp_path: Path) -> None:
    open_report(browser, tmp_path, name)
    assert browser.complaints() == []
    assert browser.requests() == [(tmp_path / "report.html").as_uri()]


def test_every_board_is_shown(page: Chromium) -> None:
    sizes = page.evaluate(
        "[...document.querySelectorAll('svg.board')].map(b => b.getBoundingClientRect()).map(r => [r.width, r.height])"
    )
    assert len(sizes) == len(full_report().turns) + 1 + 1 + 3
    assert all(width > 200 and height > 200 for width, height in sizes)


def test_a_click_on_a_heading_sorts_and_another_turns_round(page: Chromium) -> None:
    assert page.evaluate(RANKS) == [1, 2, 3, 4, 5]
    click(page, "table.turns th:nth-child(3) button")
    assert page.evaluate(RANKS) == [1, 2, 3, 4, 5]
    click(page, "table.turns th:nth-child(3) button")
    assert page.evaluate(RANKS) == [5, 4, 3, 2, 1]
    assert page.evaluate("document.querySelector('table.turns th:nth-child(3)').ariaSort") == "ascending"
    click(page, "table.turns th:nth-child(2) button")  # by the words of the turn
    assert page.evaluate(RANKS) == [3, 1, 2, 4, 5]
    assert page.evaluate("document.querySelectorAll('table.turns th[aria-sort]').length") == 1


def test_tables_sort_by_keyboard(page: Chromium) -> None:
    page.evaluate("document.querySelector('table.turns th button').focus()")
    page.press("Enter", 13, "\r")
    page.press("Enter", 13, "\r")
    assert page.evaluate(RANKS) == [5, 4, 3, 2, 1]
    page.press("Tab", 9)
    assert page.evaluate("document.activeElement.closest('th').cellIndex") == 1


def test_every_table_sorts_by_every_heading(page: Chromium) -> None:
    page.evaluate("document.querySelectorAll('th button').forEach(button => button.click())")
    assert page.complaints() == []


def test_the_theme_follows_the_system_unless_chosen(page: Chromium) -> None:
    assert page.evaluate(GROUND) == LIGHT
    page.prefer("dark")
    assert page.evaluate(GROUND) == DARK
    click(page, "input[value=light]")
    assert page.evaluate(GROUND) == LIGHT
    page.prefer("light")
    click(page, "input[value=dark]")
    assert page.evaluate(GROUND) == DARK
    click(page, "input[value=auto]")
    assert page.evaluate(GROUND) == LIGHT


def test_the_chosen_theme_is_remembered(page: Chromium, tmp_path: Path) -> None:
    click(page, "input[value=dark]")
    page.open(tmp_path / "report.html")
    assert page.evaluate(GROUND) == DARK
    assert page.evaluate("document.querySelector('input[name=theme]:checked').value") == "dark"


def test_it_works_where_nothing_can_be_stored(browser: Chromium, tmp_path: Path) -> None:
    page = write_html(full_report())
    path = tmp_path / "report.html"
    forbid = "<script>Object.defineProperty(window,'localStorage',{get(){throw Error('forbidden')}})</script>"
    path.write_text(page.replace("<head>", "<head>" + forbid), encoding="utf-8")
    browser.prefer("light")
    browser.open(path)
    click(browser, "input[value=dark]")
    assert browser.evaluate(GROUND) == DARK
    assert browser.complaints() == []


@pytest.mark.parametrize("name", ["middle-game", "four-players"])
@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_nothing_sticks_out_of_the_page(width: int, name: str, browser: Chromium, tmp_path: Path) -> None:
    open_report(browser, tmp_path, name)
    browser.resize(width, 844, is_phone=width < 500)
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    wide = "[...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1)"
    assert browser.evaluate(f"{wide}.filter(e => !e.closest('svg')).map(e => e.outerHTML.slice(0, 80))") == []


def test_a_hostile_name_is_only_a_name(browser: Chromium, tmp_path: Path) -> None:
    open_report(browser, tmp_path, rename={"blue": EVIL})
    browser.resize(390, 844, is_phone=True)
    assert browser.complaints() == []
    assert browser.evaluate("document.images.length") == 0
    assert browser.evaluate("document.documentElement.scrollWidth") <= 390
    assert EVIL in browser.evaluate("document.querySelector('h2').textContent")


def test_the_numbers_can_be_downloaded(page: Chromium) -> None:
    assert page.evaluate("document.getElementById('download').href").startswith("blob:")
    schema = "fetch(document.getElementById('download').href).then(r => r.json()).then(r => r.schema)"
    kept = "JSON.parse(document.getElementById('report').textContent).schema"
    assert page.evaluate(kept) == "torres-analysis/1"
    with pytest.raises(RuntimeError):  # even so near an address is out of bounds for the page's own scripts
        page.evaluate(schema)
