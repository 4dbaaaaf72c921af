"""Write what a run says as one HTML file that needs nothing else."""

from collections.abc import Callable
from typing import Any

from torres_mcts import __version__
from torres_mcts.plotting.page.markup import Markup, element
from torres_mcts.plotting.page.sections import left_out
from torres_mcts.plotting.page.shell import package_text, write_page
from torres_mcts.plotting.tournament.findings import Findings
from torres_mcts.plotting.tournament.page import facts, sections
from torres_mcts.plotting.tournament.page.answer import answer_section
from torres_mcts.plotting.tournament.pictures import list_pictures

SCHEMA = "torres-tournament-report/1"


def write_report(findings: Findings, line: str, *, see: Callable[[str], None] = lambda name: None) -> str:
    """Return the page of a run, the same for the same games.

    line: the command that writes it
    see:  called with the name of each part before it is worked out
    """
    spec = findings.run.spec
    pictures, reasons = list_pictures(findings, see=see)
    notes = {picture.name: picture.caption for picture in pictures}
    parts = [draw(findings, notes[name]) for name, draw in sections.SECTIONS.items() if name in notes]
    main = element(
        "main",
        answer_section(findings),
        *parts,
        left_out(reasons),
        facts.time_section(findings),
        facts.forfeit_section(findings),
        facts.end_section(findings),
        facts.origin_section(findings, line),
    )
    tables = {name: table.to_dicts() for picture in pictures for name, table in picture.tables.items()}
    return write_page(
        title=f"Torres tournament: {spec.name}",
        words=page_words(findings),
        main=main,
        version=__version__,
        numbers=numbers_of(findings, tables),
        style=package_text("tournament.css"),
    )


def page_words(findings: Findings) -> Markup:
    """Write the title and what was played."""
    spec = findings.run.spec
    words = (
        f"{spec.name} · {spec.format}, {len(findings.agents)} agents, {spec.rules.players} players · {findings.size}"
    )
    return element("div", element("h1", "Torres tournament"), element("p", words))


def numbers_of(findings: Findings, tables: dict[str, Any]) -> dict[str, Any]:
    """Return all numbers of the page, for a reader to download."""
    spec, standing = findings.run.spec, findings.standing
    return {
        "schema": SCHEMA,
        "name": spec.name,
        "format": spec.format,
        "settings": spec.settings,
        "config": spec.hash,
        "agents": {entrant.name: entrant.text for entrant in spec.entrants},
        "anchor": findings.anchor,
        "games": standing.games,
        "blocks": standing.blocks,
        "forfeits": standing.forfeits,
        "is_over": standing.is_over,
        "stopped": facts.end_words(findings),
        "tables": tables,
    }
