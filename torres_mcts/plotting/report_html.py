"""Write a report as one HTML file that needs nothing else: drawings, tables that sort, light and dark."""

import json
from functools import cache
from importlib.resources import files
from pathlib import PurePath

from torres_mcts.analysis.report import Report
from torres_mcts.plotting.page import sections, turns
from torres_mcts.plotting.page.markup import Markup, element, join

# Nothing may be loaded from anywhere, even if a text of the report were to slip through as markup.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)
THEMES = ("auto", "light", "dark")


def write_html(report: Report) -> str:
    """Return the page of a report, the same for the same report."""
    title = f"Torres analysis: {page_name(report)}"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", http_equiv="Content-Security-Policy", content=POLICY),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="generator", content=f"torres-mcts {report.engine.version}"),
        element("title", title),
        element("style", style_sheet()),
        element("script", Markup(package_text("report.js"))),
    )
    body = element("body", page_header(report), page_main(report), embedded(report))
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en', data_theme='auto')}\n"


def page_name(report: Report) -> str:
    """Return the short name of what was analysed."""
    return "position" if report.source in (None, "-") else PurePath(str(report.source)).name


def page_header(report: Report) -> Markup:
    """Write the title, the moment of the game and the switch of the theme."""
    root = report.root
    moment = f"{page_name(report)} · year {root.year}, round {root.round} · {root.ap} action points left"
    return element("header", element("div", element("h1", "Torres analysis"), element("p", moment)), theme_switch())


def theme_switch() -> Markup:
    """Write the switch between light and dark."""
    radios = [
        element(
            "label",
            element("input", type="radio", name="theme", value=theme, checked=theme == "auto"),
            element("span", theme),
        )
        for theme in THEMES
    ]
    return element("fieldset", element("legend", "Theme"), *radios, class_="themes", hidden=True)


def page_main(report: Report) -> Markup:
    """Write everything that the report says."""
    cards = [turns.turn_card(report, turn) for turn in report.turns]
    candidates = sections.section(
        "turns",
        "The turns",
        turns.turn_table(report) if cards else element("p", "No turn was tried."),
        element("div", *cards, class_="turn-cards"),
        note=(
            "Wins, margin and points are those of the player to move, with 95 % intervals. Differences to the best "
            "turn are measured in the same deals with the same luck, so they are known better than the wins themselves."
        ),
    )
    return element(
        "main",
        turns.answer(report) if report.turns else None,
        sections.warning_list(report),
        candidates,
        sections.position_section(report),
        sections.hidden_section(report),
        sections.maps_section(report),
        sections.engine_section(report),
    )


def embedded(report: Report) -> Markup:
    """Write the report itself into the page, where no text of it can end the script."""
    text = json.dumps(report.model_dump(mode="json", by_alias=True), allow_nan=False)
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return element("script", Markup(text), type="application/json", id="report")


def style_sheet() -> Markup:
    """Return the style sheet, with the dark colours for those who choose them and those whose system does."""
    dark = package_text("dark.css")
    chosen = f'@media screen {{ :root[data-theme="dark"] {{ {dark} }} }}'
    preferred = f'@media screen and (prefers-color-scheme: dark) {{ :root:not([data-theme="light"]) {{ {dark} }} }}'
    return join(Markup(package_text("report.css")), Markup(chosen), Markup(preferred))


@cache
def package_text(name: str) -> str:
    """Return a text file that lies beside the page's modules."""
    return files("torres_mcts.plotting.page").joinpath(name).read_text(encoding="utf-8")
