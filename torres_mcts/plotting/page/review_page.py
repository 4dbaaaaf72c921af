"""Write the review of a game as one HTML file that needs nothing else: curve, table that sorts, costliest turns."""

from collections.abc import Mapping, Sequence
from pathlib import PurePath

from torres_mcts.analysis.review_report import PlayerSum, Review, ReviewTurn, TurnPart, Worth
from torres_mcts.plotting.page.board_svg import turn_svg
from torres_mcts.plotting.page.markup import Markup, element, join
from torres_mcts.plotting.page.players import player_mark
from torres_mcts.plotting.page.sections import section
from torres_mcts.plotting.page.shell import write_page
from torres_mcts.plotting.page.tables import Cell, described, interval, percent, signed, sortable_table
from torres_mcts.plotting.page.turns import in_notation
from torres_mcts.plotting.review_plot import CurvePoint, curve_of
from torres_mcts.plotting.review_view import VIEW_NOTE, costliest_part, result_words, settings_words, when, worn_in
from torres_mcts.plotting.terminal import Livery

WIDE, HIGH = 720.0, 300.0
LEFT, RIGHT, TOP, BOTTOM = 44.0, 12.0, 10.0, 34.0
TICKS = 12  # turns named below the curve, at most
MISSING = -1e9  # sorts below every number
CURVE_STYLE = Markup(
    ".curve { display: block; width: 100%; height: auto; } .curve text { fill: var(--quiet); font: 12px system-ui,"
    " sans-serif; } .curve .grid { stroke: var(--line); } .curve .costly { stroke: var(--accent); stroke-dasharray:"
    " 3 3; } .curve .path { fill: none; stroke-width: 2.5; } .curve .end { text-anchor: middle; } .curve .side {"
    " text-anchor: end; } .legend { display: flex; flex-wrap: wrap; gap: 0.3rem 1.5rem; }"
)
LUCK_NOTE = (
    "Luck is what the cards that came are worth to the player who drew, less what any that might have come are worth "
    "on average: the same turn in the same deals, played on for two more turns of the player."
)


def write_review(review: Review) -> str:
    """Return the page of a review, the same for the same review."""
    name = "game" if review.source in (None, "-") else PurePath(str(review.source)).name
    words = element("div", element("h1", "Torres review"), element("p", f"{name} · {result_words(review)}"))
    worn = worn_in(review)
    main = element(
        "main",
        curve_section(review, worn),
        costliest_section(review, worn),
        sums_section(review, worn),
        turns_section(review, worn),
        made_section(review),
    )
    return write_page(
        title=f"Torres review: {name}",
        words=words,
        main=main,
        version=review.engine.version,
        numbers=review.model_dump(mode="json", by_alias=True),
        style=CURVE_STYLE,
    )


# The curve.


def curve_section(review: Review, worn: Mapping[str, Livery]) -> Markup:
    """Draw the win probabilities."""
    legend = element("p", *(player_mark(name, worn) for name in review.players), class_="legend")
    return section(
        "curve", "Win probability", legend, curve_svg(review, worn), note=f"{VIEW_NOTE} {curve_words(review)}"
    )


def curve_words(review: Review) -> str:
    """Say what else the curve shows."""
    ends = " The last point is the result." if review.result.wins is not None and not review.interrupted else ""
    return f"Bands are 95 % intervals, dashed lines the costliest turns.{ends}"


def curve_svg(review: Review, worn: Mapping[str, Livery]) -> Markup:
    """Draw a curve for each player."""
    curves = {name: curve_of(review, name) for name in review.players}
    turns = sorted({point.turn for points in curves.values() for point in points})
    if not turns:
        return element("p", "No turn was judged.")
    first, last = turns[0], max(turns[-1], turns[0] + 1)

    def x(turn: float) -> float:
        return LEFT + (WIDE - LEFT - RIGHT) * (turn - first) / (last - first)

    def y(share: float) -> float:
        return TOP + (HIGH - TOP - BOTTOM) * (1 - share)

    def way(places: Sequence[tuple[float, float]]) -> str:
        return " ".join(f"{x(turn):.1f},{y(share):.1f}" for turn, share in places)

    def drawn(name: str, points: list[CurvePoint]) -> Markup:
        colour = worn[name].colour
        band = [(point.turn, point.high) for point in points] + [(point.turn, point.low) for point in reversed(points)]
        dots = [
            element(
                "circle",
                element("title", f"{name}, turn {point.turn}: {percent(point.win)}"),
                cx=x(point.turn),
                cy=y(point.win),
                r=3.5,
                fill=colour,
            )
            for point in points
        ]
        line = way([(point.turn, point.win) for point in points])
        area = element("polygon", points=way(band), fill=colour, fill_opacity=0.18)
        return join(area, element("polyline", points=line, stroke=colour, class_="path"), *dots)

    levels = [0.0, 0.25, 0.5, 0.75, 1.0]
    grid = [element("line", x1=LEFT, x2=WIDE - RIGHT, y1=y(level), y2=y(level), class_="grid") for level in levels]
    names = [element("text", f"{100 * level:.0f} %", x=LEFT - 6, y=y(level) + 4, class_="side") for level in levels]
    step = max(1, -(-(last - first) // TICKS))
    ticks = [
        element("text", turn, x=x(turn), y=HIGH - BOTTOM + 18, class_="end") for turn in range(first, last + 1, step)
    ]
    costly = [
        element("line", x1=x(number), x2=x(number), y1=y(1), y2=y(0), class_="costly") for number in review.costliest
    ]
    return element(
        "svg",
        *grid,
        *names,
        *ticks,
        *costly,
        *(drawn(name, points) for name, points in curves.items()),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDE:.0f} {HIGH:.0f}",
        class_="curve",
        role="img",
        aria_label="Win probability of each player after each turn",
    )


# The costliest turns.


def costliest_section(review: Review, worn: Mapping[str, Livery]) -> Markup:
    """Show the costliest turns with what was played and what was better."""
    turns = [turn for number in review.costliest for turn in review.turns if turn.number == number]
    shown = [costly_turn(turn, worn) for turn in turns] or [element("p", "No turn lost anything.")]
    return section("costliest", "The costliest turns", *shown)


def costly_turn(turn: ReviewTurn, worn: Mapping[str, Livery]) -> Markup:
    """Show one costly turn: the two boards side by side."""
    part = costliest_part(turn)
    place = f", part {turn.parts.index(part) + 1} of {len(turn.parts)}" if len(turn.parts) > 1 else ""
    title = element("h3", f"Turn {turn.number}", player_mark(turn.player, worn), element("span", when(turn) + place))
    pair = element("div", board_of(part, "Played"), board_of(part, "Best found"), class_="pair")
    facts = element(
        "dl",
        *worth_facts("loss", part.loss),
        *(worth_facts("loss of the whole turn", turn.loss) if place else []),
        *worth_facts("luck of the draw", part.luck),
        class_="facts",
    )
    return element("article", title, pair, facts, class_="turn", id=f"turn-{turn.number}")


def worth_facts(title: str, worth: Worth | None) -> list[Markup]:
    """Write a difference in wins and in points."""
    if worth is None:
        return []
    return [
        described(f"{title}, wins", f"{signed(100 * worth.win.mean)} %", interval(worth.win, 100)),
        described(f"{title}, points", signed(worth.margin.mean), interval(worth.margin)),
    ]


def board_of(part: TurnPart, title: str) -> Markup:
    """Draw the board with what was played, or with what was best."""
    is_played = title == "Played"
    actions, words = (part.actions, part.words) if is_played else (part.best or [], part.best_words or [])
    steps = element("ol", *(element("li", word) for word in words), class_="steps")
    board = turn_svg(part.position or {}, actions, label=f"{title}: {', '.join(words)}")
    notation = element("p", in_notation(actions), class_="notation")
    return element("figure", element("figcaption", title), board, steps, notation)


# Tables.


def sums_section(review: Review, worn: Mapping[str, Livery]) -> Markup:
    """Write what each player lost in all."""
    titles = ("player", "turns judged", "loss, wins", "loss, points", "draws", "luck, wins", "luck, points")
    rows = [sum_row(total, worn) for total in review.sums]
    return section("sums", "Sums", sortable_table("All turns of each player", titles, rows), note=LUCK_NOTE)


def sum_row(total: PlayerSum, worn: Mapping[str, Livery]) -> list[Cell]:
    """Write one player's sums."""
    return [
        Cell(player_mark(total.player, worn), total.player),
        Cell(total.turns, total.turns),
        *worth_cells(total.loss),
        Cell(total.draws, total.draws),
        *worth_cells(total.luck),
    ]


def worth_cells(worth: Worth | None) -> list[Cell]:
    """Write a difference in wins and in points into two places of a table."""
    if worth is None:
        return [Cell("–", MISSING), Cell("–", MISSING)]
    wins = join(element("b", f"{signed(100 * worth.win.mean)} %"), element("small", interval(worth.win, 100)))
    points = join(element("b", signed(worth.margin.mean)), element("small", interval(worth.margin)))
    return [Cell(wins, worth.win.mean), Cell(points, worth.margin.mean)]


def turns_section(review: Review, worn: Mapping[str, Livery]) -> Markup:
    """Write all turns into one table."""
    titles = (
        "turn",
        "player",
        "when",
        "played",
        "loss, wins",
        "loss, points",
        "luck, wins",
        "luck, points",
        "wins after",
    )
    rows = [turn_row(turn, worn, is_shown=turn.number in review.costliest) for turn in review.turns]
    note = "A bar in a turn is a draw: what follows was decided when the cards were known, and is judged by itself."
    return section("all", "All turns", sortable_table("Turns in the order of play", titles, rows), note=note)


def turn_row(turn: ReviewTurn, worn: Mapping[str, Livery], *, is_shown: bool) -> list[Cell]:
    """Write one turn's row."""
    played = [join(" | " if index else None, in_notation(part.actions)) for index, part in enumerate(turn.parts)]
    badge = None if turn.status == "judged" else element("b", turn.status, class_="badge")
    own = None if turn.wins is None else turn.wins[turn.player]
    number = element("a", turn.number, href=f"#turn-{turn.number}") if is_shown else turn.number
    return [
        Cell(number, turn.number),
        Cell(player_mark(turn.player, worn), turn.player),
        Cell(f"{turn.year}.{turn.round}", turn.year + turn.round / 100),
        Cell(join(*played, badge), " ".join(turn.parts[0].actions)),
        *worth_cells(turn.loss),
        *worth_cells(turn.luck),
        Cell("–", MISSING) if own is None else Cell(element("b", percent(own.mean)), own.mean),
    ]


def made_section(review: Review) -> Markup:
    """Say how the review was made."""
    download = element("a", "Download the numbers as JSON", id="download", download="review.json", hidden=True)
    cut = element("p", "Interrupted: later turns were not judged.") if review.interrupted else None
    words = element("p", settings_words(review))
    return section("engine", "How it was made", cut, words, element("p", download))
