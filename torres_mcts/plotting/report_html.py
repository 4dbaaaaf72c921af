"""Write a report as one HTML file that needs nothing else: drawings, tables that sort, light and dark."""

from pathlib import PurePath

from torres_mcts.analysis.report import Report
from torres_mcts.plotting.page import sections, turns
from torres_mcts.plotting.page.markup import Markup, element
from torres_mcts.plotting.page.shell import write_page


def write_html(report: Report) -> str:
    """Return the page of a report, the same for the same report."""
    return write_page(
        title=f"Torres analysis: {page_name(report)}",
        words=page_words(report),
        main=page_main(report),
        version=report.engine.version,
        numbers=report.model_dump(mode="json", by_alias=True),
    )


def page_name(report: Report) -> str:
    """Return the short name of what was analysed."""
    return "position" if report.source in (None, "-") else PurePath(str(report.source)).name


def page_words(report: Report) -> Markup:
    """Write the title and the moment of the game."""
    root = report.root
    moment = f"{page_name(report)} · year {root.year}, round {root.round} · {root.ap} action points left"
    return element("div", element("h1", "Torres analysis"), element("p", moment))


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
