"""The shell of every page: one HTML file that needs nothing else, in light and dark, with its numbers inside."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from torres_mcts.plotting.page.markup import Markup, element, join

# Nothing may be loaded from anywhere, even if a text of the report were to slip through as markup.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)
THEMES = ("auto", "light", "dark")


def write_page(*, title: str, words: Any, main: Markup, version: str, numbers: Any, style: str = "") -> str:
    """Return a page, the same for the same content.

    words:   stand at the top, beside the switch of the theme
    numbers: plain data, kept in the page for a reader to download
    style:   more style sheet, for this kind of page
    """
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", http_equiv="Content-Security-Policy", content=POLICY),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="generator", content=f"torres-mcts {version}"),
        element("title", title),
        element("style", join(style_sheet(), Markup(style))),
        element("script", Markup(package_text("report.js"))),
    )
    body = element("body", element("header", words, theme_switch()), main, embedded(numbers))
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en', data_theme='auto')}\n"


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


def embedded(numbers: Any) -> Markup:
    """Write plain data into the page, where no text of it can end the script."""
    text = json.dumps(numbers, allow_nan=False)
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
