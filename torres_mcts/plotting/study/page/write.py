"""Write what a study says as one HTML file that needs nothing else: question, answer, pictures, details, settings."""

from collections.abc import Callable
from typing import Any

from torres_mcts.plotting.page.markup import Markup, element
from torres_mcts.plotting.page.sections import left_out
from torres_mcts.plotting.page.shell import package_text, write_page
from torres_mcts.plotting.study.findings import Findings
from torres_mcts.plotting.study.page import effects, facts, games
from torres_mcts.plotting.study.page.answer import answer_section, headline
from torres_mcts.plotting.study.pictures import list_pictures
from torres_mcts.studies.report import answer

SCHEMA = "torres-study-report/1"
SECTIONS: dict[str, Callable[[Findings, str], Markup]] = {
    "effects": effects.effects_section,
    "tornado": effects.tornado_section,
    "slices": effects.slices_section,
    "seats": games.seats_section,
    "sources": games.sources_section,
    "winning": games.winning_section,
    "cards": games.cards_section,
    "boards": games.boards_section,
}


def write_report(findings: Findings, line: str, *, see: Callable[[str], None] = lambda name: None) -> str:
    """Return the page of a study, the same for the same games.

    line: the command that writes it
    see:  called with the name of each part before it is worked out
    """
    results = findings.results
    pictures, reasons = list_pictures(findings, see=see)
    notes = {picture.name: picture.caption for picture in pictures}
    main = element(
        "main",
        answer_section(findings),
        *(draw(findings, notes[name]) for name, draw in SECTIONS.items() if name in notes),
        left_out(reasons),
        facts.rules_section(findings),
        facts.metrics_section(findings),
        facts.forfeit_section(findings),
        facts.origin_section(findings, line),
    )
    tables = {name: table.to_dicts() for picture in pictures for name, table in picture.tables.items()}
    return write_page(
        title=f"Torres study: {results.name}",
        words=page_words(findings),
        main=main,
        version=results.version,
        numbers=numbers_of(findings, tables),
        style=package_text("tournament.css") + package_text("study.css"),
    )


def page_words(findings: Findings) -> Markup:
    """Write the title and what was played."""
    results = findings.results
    variants = len(results.rule_sets) - 1
    words = (
        f"{results.name} · {variants} variant{'s' * (variants != 1)} and the base, {findings.run.study.players} players"
        f" · {results.games:,} games, {results.blocks:,} deals of each"
    )
    return element("div", element("h1", "Torres study"), element("p", words))


def numbers_of(findings: Findings, tables: dict[str, Any]) -> dict[str, Any]:
    """Return all numbers of the page, for a reader to download."""
    results = findings.results
    return {
        "schema": SCHEMA,
        "answer": [headline(findings), *answer(results)],
        "results": results.to_dict(),
        "tables": tables,
    }
