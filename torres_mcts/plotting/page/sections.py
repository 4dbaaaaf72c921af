"""The other parts of a report's page: warnings, the position, hidden cards, maps, how the answer was found."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from torres_mcts.analysis.report import CardChance, Estimate, Hand, Report, is_clear
from torres_mcts.core.files import read_text, to_json
from torres_mcts.plotting.page import charts
from torres_mcts.plotting.page.board_svg import turn_svg
from torres_mcts.plotting.page.markup import Markup, element, escape, join
from torres_mcts.plotting.page.players import places_chart, player_mark, player_table, score_chart, worn_by
from torres_mcts.plotting.page.tables import Cell, described, interval, percent, signed, sortable_table
from torres_mcts.plotting.terminal import card_notes, counted, held_cards, rules_words, stack_words

STOPPED = {
    "running": "it has not stopped yet",
    "time": "the time was up",
    "iterations": "the iterations were used up",
    "confidence": "it was sure enough",
    "proved": "the answer was proved",
    "listed": "every turn found was played to the end of the game",
    "interrupted": "it was interrupted",
    "forced": "there is only one turn",
}


def section(name: str, title: str, *parts: Any, note: Any = None) -> Markup:
    """Write a part of the page with its title."""
    words = None if note is None else element("p", note, class_="quiet")
    return element("section", element("h2", title, id=name), words, *parts, aria_labelledby=name, class_=name)


def left_out(reasons: Sequence[str]) -> Markup | None:
    """Say which parts do not apply, and why."""
    if not reasons:
        return None
    return element("p", "Left out: ", "; ".join(reasons), ".", class_="quiet left-out")


def repeat_section(facts: Sequence[Markup], file: Path, program: str, line: str) -> Markup:
    """Write the settings of a run, and how to repeat it.

    file: says what was played; the program plays it again
    line: the command that wrote the page
    """
    kind = program.rpartition("-")[2]
    download = element("a", "Download the numbers as JSON", id="download", download=f"{kind}.json", hidden=True)
    text = Markup("".join(f"{escape(row)}\n" for row in read_text(file).splitlines()))
    again = element(
        "p", "Save this as ", element("code", file.name), " and play it again with ",
        element("code", f"{program} run {file.name}"), "; this page is written by ", element("code", line), ".",
    )  # fmt: skip
    return section(
        "engine", "Settings, and how to repeat it", element("dl", *facts, class_="facts"), again,
        element("pre", element("code", text), tabindex="0"), element("p", download),
    )  # fmt: skip


def warning_list(report: Report) -> Markup | None:
    """Write what the reader should know before trusting the numbers."""
    if not report.warnings:
        return None
    items = [element("li", warning) for warning in report.warnings]
    title = element("h2", "To be known", id="warnings")
    return element("section", title, element("ul", *items), class_="warnings", aria_labelledby="warnings")


def position_section(report: Report) -> Markup:
    """Show the position, and how its players stand."""
    board = turn_svg(report.position, label="The position before the turn")
    picture = element("div", board, element("p", "Number: height. ×n: area of the castle.", class_="key"))
    charts_of_players = element("div", score_chart(report), places_chart(report), class_="pair")
    columns = element("div", picture, element("div", *seats(report)), class_="pair position-pair")
    return section(
        "position", "The position", columns, player_table(report), charts_of_players, note=rules_words(report.position)
    )


def seats(report: Report) -> list[Markup]:
    """Write what each player has."""
    worn = worn_by(report)
    cards = []
    for player in report.position["players"]:
        facts = [
            described("knights on the board", len(player["knights"])),
            described("blocks", stack_words(player)),
            described("hand", ", ".join(held_cards(player, "×")) or "none"),
            described("played", ", ".join(counted(player["played"], "×")) or "none"),
        ]
        title = element("h3", player_mark(player["name"], worn), element("span", f"{player['score']} points"))
        kind = "seat moving" if player["name"] == report.position["to_move"] else "seat"
        cards.append(element("div", title, element("dl", *facts), class_=kind))
    notes = "; ".join(card_notes(report.position))
    return cards + ([element("p", notes, class_="quiet")] if notes else [])


def hidden_section(report: Report) -> Markup | None:
    """Show what the opponents may hold, and which of it would hurt."""
    hands = [hand_table(report, hand) for hand in report.hidden if hand.cards]
    if not hands:
        return None
    note = "How likely each card is in an opponent's hand, and what it costs the player to move when it is there."
    return section("hidden", "What the others may hold", *hands, note=note)


def hand_table(report: Report, hand: Hand) -> Markup:
    """Write one opponent's possible cards into a table."""
    cards = f"{hand.size} card{'s' * (hand.size != 1)}"
    known = f", of which known: {', '.join(counted(hand.known, '×'))}" if hand.known else ""
    title = element("h3", player_mark(hand.player, worn_by(report)), element("span", cards + known))
    titles = ["card", "held", "before play"]
    is_judged = any(card.harm is not None for card in hand.cards)
    if is_judged:
        titles += ["wins if held", "if not", "harm", "worth knowing"]
    rows = [card_row(card)[: len(titles)] for card in hand.cards]
    return element(
        "div", title, sortable_table(f"Cards of {hand.player}", titles, rows, kind="hand-cards"), class_="hand"
    )


def card_row(chance: CardChance) -> list[Cell]:
    """Write the row of a card."""
    held = join(element("b", percent(chance.posterior, 0)), charts.share_bar(chance.posterior))
    return [
        Cell(chance.card, chance.card),
        Cell(held, chance.posterior),
        Cell(percent(chance.prior, 0), chance.prior),
        Cell("–" if chance.win_if_held is None else percent(chance.win_if_held.mean), mean_of(chance.win_if_held)),
        Cell("–" if chance.win_if_not is None else percent(chance.win_if_not.mean), mean_of(chance.win_if_not)),
        Cell(harm_words(chance.harm), mean_of(chance.harm)),
        Cell(harm_words(chance.worth_knowing), mean_of(chance.worth_knowing)),
    ]


def harm_words(harm: Estimate | None) -> Markup:
    """Say what a card costs or its knowledge brings, and clearly where it is clear."""
    if harm is None:
        return element("span", "–")
    words = element("b", f"{signed(100 * harm.mean)} %", class_="hurts" if is_clear(harm) else None)
    return join(words, element("small", interval(harm, 100)))


def mean_of(estimate: Estimate | None) -> float:
    """Return the number by which an estimate sorts; one that is missing sorts as the lowest."""
    return -1.0 if estimate is None else estimate.mean


def maps_section(report: Report) -> Markup:
    """Draw what the board is expected to look like at the end of the year."""
    highest = max((value for row in report.maps.height for value in row), default=0.0)
    mover = report.root.player
    figures = [
        heat_figure("Height of the castles", report.maps.height, most=max(highest, 1.0), decimals=1),
        heat_figure(f"A knight of {mover}, in %", report.maps.own_knight, most=1.0, factor=100.0),
        heat_figure("A knight of another player, in %", report.maps.other_knight, most=1.0, factor=100.0),
    ]
    note = "What is expected on each square at the end of the year after the best turn."
    return section("maps", "Maps", element("div", *figures, class_="trio"), note=note)


def heat_figure(title: str, board: list[list[float]], **options: Any) -> Markup:
    """Draw one map with its title."""
    return element("figure", element("figcaption", title), charts.heat_map(board, label=title, **options))


def engine_section(report: Report) -> Markup:
    """Say how the answer was found."""
    engine, root = report.engine, report.root
    limits = ", ".join(
        f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}"
        for name, value in engine.limit.items()
        if value is not None
    )
    turns = "the best proved without listing all"
    if root.turn_count is not None:
        turns = f"{root.turn_count:,} distinct, {'all there are' if root.exhaustive else 'not all there are'}"
    knowledge = "everything, hidden cards included" if root.viewpoint is None else f"what {root.viewpoint} knows"
    audit = [] if report.audit is None else [described("audit", in_brief(report.audit))]
    facts = [
        *audit,
        described("engine", f"{engine.name} {engine.version}"),
        described("seed", engine.seed),
        described("knowledge used", knowledge),
        described("turns found", turns),
        described("turns tried", f"{root.considered:,}"),
        described("playouts", engine.playouts),
        described("limits", limits or "none"),
        described("stopped because", STOPPED[engine.stopped_by]),
        described("iterations", f"{engine.iterations:,}", f"{engine.iterations_per_second:,.0f} a second"),
        described("time", f"{engine.seconds:.1f} s on {engine.threads} thread{'s' * (engine.threads != 1)}"),
        described("rules hash", element("code", engine.rules_hash)),
        *(described(name.replace("_", " "), in_brief(value)) for name, value in sorted(engine.parameters.items())),
    ]
    download = element("a", "Download the numbers as JSON", id="download", download="analysis.json", hidden=True)
    return section("engine", "How it was found", element("dl", *facts, class_="facts"), element("p", download))


def in_brief(value: Any) -> str:
    """Write a setting on one line."""
    return value if isinstance(value, str) else to_json(value, indent=None).strip()
