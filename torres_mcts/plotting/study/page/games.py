"""What the games look like, on the page: seats, sources of points, win probabilities, cards, boards."""

from torres_mcts.plotting.page import charts, drawings
from torres_mcts.plotting.page.markup import Markup, element, join
from torres_mcts.plotting.page.sections import heat_figure, section
from torres_mcts.plotting.page.tables import Cell, interval, percent, sortable_table
from torres_mcts.plotting.pictures.marks import scale_for
from torres_mcts.plotting.study.boards import KINDS, board_maps
from torres_mcts.plotting.study.cards import TITLES as CARD_TITLES
from torres_mcts.plotting.study.cards import card_values, ordered_cards
from torres_mcts.plotting.study.findings import Findings, some_of, words_of
from torres_mcts.plotting.study.page.effects import number
from torres_mcts.plotting.study.sources import PARTS, TITLES, share_of, total_of
from torres_mcts.plotting.study.winning import Fan, fans_of
from torres_mcts.plotting.terminal import SIDE
from torres_mcts.studies.diary import SOURCES
from torres_mcts.studies.metrics.metric import YEARS
from torres_mcts.studies.report import say_chance
from torres_mcts.studies.variants import BASE

MOST_BOARDS = 24  # rule sets


def seats_section(findings: Findings, note: str) -> Markup:
    """Draw what each seat wins under each rule set."""
    players = findings.run.study.players
    most = max(seat.high for table in findings.seats.values() for seat in table.wins.seats)
    rows = []
    for name, table in findings.seats.items():
        row = [Cell(element("b", name), name)]
        for seat in table.wins.seats:
            bar = drawings.seat_bar(seat, table.wins.fair, most)
            row.append(
                Cell(join(element("b", percent(seat.mean)), bar, element("small", interval(seat, 100))), seat.mean)
            )
        rows.append([*row, Cell(say_chance(table.wins.p_value), table.wins.p_value)])
    titles = ["rules", *(f"seat {seat + 1}" for seat in range(players)), "all equal?"]
    drawn = sortable_table("Share of the wins of each seat", titles, rows, kind="seats-table")
    return section("seats", "What the seats win", drawn, note=note)


def sources_section(findings: Findings, note: str) -> Markup:
    """Draw where points come from under each rule set."""
    key = element(
        "p", *(element("span", TITLES[source], class_=f"key-of {source}") for source in SOURCES), class_="sources-key"
    )
    most = max(total_of(findings, name, "game") for name in findings.sources) or 1.0
    rows = []
    for name, values in findings.sources.items():
        row = [Cell(element("b", name), name)]
        total = total_of(findings, name, "game")
        row.append(Cell(join(element("b", f"{total:.1f}"), stacked_bar(findings, name, "game", most)), total))
        for source in SOURCES:
            value = values[f"game_{source}"]
            shown = join(f"{value.mean:.1f}", element("small", interval(value)))
            row.append(Cell(shown, value.mean))
        rows.append(row)
    titles = ("rules", "points of a player", *(TITLES[source] for source in SOURCES))
    table = sortable_table("Points by source, whole game", titles, rows, kind="sources-table")
    return section("sources", "Where the points come from", key, table, _years(findings), note=note)


def _years(findings: Findings) -> Markup:
    """Draw the sources of each year, folded away."""
    most = max(total_of(findings, name, f"year{year}") for name in findings.sources for year in YEARS) or 1.0
    rows = []
    for name in findings.sources:
        row = [Cell(element("b", name), name)]
        for year in YEARS:
            total = total_of(findings, name, f"year{year}")
            row.append(
                Cell(join(element("b", f"{total:.1f}"), stacked_bar(findings, name, f"year{year}", most)), total)
            )
        rows.append(row)
    titles = ("rules", *(PARTS[f"year{year}"] for year in YEARS))
    table = sortable_table("Points by source in each year", titles, rows, kind="years-table")
    return element("details", element("summary", "Year by year"), table)


def stacked_bar(findings: Findings, name: str, part: str, most: float) -> Markup:
    """Draw the points of a rule set as one bar of its sources."""
    boxes, start = [charts.box(0, 100, 0, 10, "track")], 0.0
    width = 100 * total_of(findings, name, part) / most
    for source in SOURCES:
        end = start + width * share_of(findings, name, part, source)
        boxes.append(charts.box(start, end, 0, 10, f"source {source}"))
        start = end
    return charts.stretched(*boxes, kind="stack")


def winning_section(findings: Findings, note: str) -> Markup:
    """Draw the later winner's win probability over the game, a small chart for each rule set."""
    figures = [
        element(
            "figure",
            element("figcaption", name, " ", element("span", f"{fan.games:,} games")),
            fan_chart(fan),
            element("p", f"0 to {len(fan.means) - 1} turns, 0 to 100 %", class_="key"),
            class_="small-chart",
        )
        for name, fan in fans_of(findings).items()
    ]
    title = "When the winner comes to the front"
    return section("winning", title, element("div", *figures, class_="small-charts"), note=note)


def fan_chart(fan: Fan) -> Markup:
    """Draw a fan: nine games in ten, half of them, the median, equal chances."""
    last = max(1, len(fan.means) - 1)

    def way(values: list[float]) -> list[tuple[float, float]]:
        return [(100 * turn / last, 10 - value / 10) for turn, value in enumerate(values)]

    low, lower, median, upper, high = (way(list(column)) for column in fan.quantiles.T)
    fair = 10 - 10 / fan.players
    return charts.stretched(
        charts.box(0, 100, 0, 10, "track"),
        *(charts.line(100 * end / last, 0, 100 * end / last, 10, "year-end") for end in fan.year_ends),
        element("path", d=drawings.path_of([*high, *reversed(low)]) + "Z", class_="band wide"),
        element("path", d=drawings.path_of([*upper, *reversed(lower)]) + "Z", class_="band"),
        charts.line(0, fair, 100, fair, "fair"),
        element("path", d=drawings.path_of(median), class_="way"),
        kind="course",
    )


def cards_section(findings: Findings, note: str) -> Markup:
    """Write what each card is worth, by each way to ask."""
    values = card_values(findings)
    scales = {way: scale_for(found.values(), least=1.0) for way, found in values.items()}
    rows = []
    for card in ordered_cards(values):
        row = [Cell(element("b", card), card)]
        for way, found in values.items():
            if card in found:
                mean, span = words_of(found[card])
                mark = charts.difference_mark(found[card], scales[way])
                row.append(Cell(join(element("b", f"{mean} %"), mark, element("small", span)), found[card].mean))
            else:
                row.append(Cell("–", -1e9))
        rows.append(row)
    titles = ["card"] + [
        f"{CARD_TITLES[way]}, from {number(scale[0])} to {number(scale[1])} %" for way, scale in scales.items()
    ]
    table = sortable_table("Worth of cards under the base rules", titles, rows, kind="cards-table")
    return section("cards", "What the cards are worth", table, note=note)


def boards_section(findings: Findings, note: str) -> Markup:
    """Draw where towers and knights stand at year ends: the base at once, each variant folded away."""
    names, more = some_of(list(findings.blocks), MOST_BOARDS, "rule sets")
    maps = {name: board_maps(findings.games(name)) for name in names}
    most = {kind: max(float(found[kind].max()) for found in maps.values()) or 1.0 for kind in KINDS}
    parts = []
    for name, found in maps.items():
        figures = []
        for kind, title in KINDS.items():
            for row, year in enumerate(YEARS):
                board = found[kind][row].reshape(SIDE, SIDE)[::-1].tolist()
                label = f"{title[0].upper()}{title[1:]}, year {year}"
                figures.append(heat_figure(label, board, most=most[kind], decimals=1))
        boards = element("div", *figures, class_="trio")
        shown = element("summary", name)
        parts.append(element("details", shown, boards, open=name == BASE))
    return section("boards", "Where towers and knights stand at year ends", *parts, note=f"{note} {more}")
