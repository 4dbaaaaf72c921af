"""Show turns on a page: the answer, a table of all that were tried, and a card with a board for each."""

from collections.abc import Sequence

from torres_mcts.analysis.report import Report, Sources, Turn
from torres_mcts.plotting.page import charts
from torres_mcts.plotting.page.board_svg import turn_svg
from torres_mcts.plotting.page.markup import Markup, element, join
from torres_mcts.plotting.page.players import player_mark, worn_by
from torres_mcts.plotting.page.tables import Cell, chance, described, interval, percent, signed, sortable_table, turned

SOURCES = {"castles": "castles", "king": "king", "master": "master card", "actions": "by actions"}


def answer(report: Report) -> Markup:
    """Say what to play, how good that is, and how sure."""
    best = report.turns[0]
    title = join(player_mark(report.root.player, worn_by(report)), " should play")
    words = element(
        "div",
        element("h2", title, id="answer"),
        steps(best),
        notation(best),
        element("p", element("strong", percent(best.win.mean)), element("span", " to win"), class_="verdict"),
        charts.probability_bar(best.win),
        element("p", precision(best), class_="quiet"),
        element("p", certainty(report), class_="sure"),
        element(
            "dl",
            described("margin at the end", signed(best.margin.mean), interval(best.margin)),
            described("points this year", f"{best.year_points.mean:.1f}", interval(best.year_points)),
            lead(report),
            class_="facts",
        ),
        class_="words",
    )
    board = element("div", turn_board(report, best), class_="picture")
    return element("section", board, words, class_="answer", aria_labelledby="answer")


def precision(turn: Turn) -> str:
    """Say how well the wins of a turn are known."""
    deals = f"{turn.win.n:,} deal{'s' * (turn.win.n != 1)}"
    if turn.win.se == 0 and turn.status != "proved":
        return f"the same in all of {deals}; how well the engine judges what follows is not part of it"
    return f"95 % interval {interval(turn.win, 100)} %, from {deals}"


def lead(report: Report) -> Markup | None:
    """Say by how much the best turn leads."""
    second = report.second
    if second is None:
        return None
    behind = second.win_behind_best
    return described("wins against the second", f"{signed(100 * behind.mean)} %", interval(behind, 100))


def certainty(report: Report) -> str:
    """Say in words how sure it is that the first turn is the best."""
    best, second = report.turns[0], report.second
    if best.status == "proved":
        return "This is proved: every line was played to the end."
    if report.root.considered == 1:
        return "No other turn was tried."
    if report.rests_on_outlook:
        return (
            f"By the outlook it is the best of the {report.root.considered} turns tried. "
            "The playouts end here all alike, so how sure that is they cannot tell."
        )
    sure = f"It is the best of the {report.root.considered} turns tried with a probability of "
    sure += f"{chance(best.best_probability)}. "
    if second is None:
        return sure
    if second.win_behind_best.ci95[0] > 0:
        return sure + "In the same deals it does better than the second."
    if second.margin_behind_best.ci95[0] > 0:
        return sure + "In the same deals it ends with more points than the second."
    return sure + "The second cannot be told apart from it yet."


def turn_board(report: Report, turn: Turn) -> Markup:
    """Draw the board with a turn on it."""
    label = f"Board after turn {turn.rank}: {', '.join(turn.words) or ' '.join(turn.actions)}"
    return turn_svg(report.position, turn.actions, label=label)


def steps(turn: Turn) -> Markup:
    """Write a turn in words, one line for each step."""
    return element("ol", *(element("li", words) for words in turn.words or turn.actions), class_="steps")


def in_notation(actions: Sequence[str]) -> Markup:
    """Write actions in notation, each on one line."""
    words = (
        join(" " if index else None, element("span", action, class_="action")) for index, action in enumerate(actions)
    )
    return element("code", *words)


def notation(turn: Turn) -> Markup:
    """Write a turn in notation."""
    return element("p", in_notation(turn.actions), class_="notation")


def badges(turn: Turn) -> Markup:
    """Say what is special about a turn."""
    words = [("your turn", turn.asked), ("proved", turn.status == "proved"), ("goes on after the draw", turn.goes_on)]
    return join(*(element("b", word, class_="badge") for word, holds in words if holds))


def difference_scale(turns: list[Turn]) -> tuple[float, float]:
    """Return the scale on which all differences to the best fit."""
    bounds = [bound for turn in turns for bound in turned(turn.win_behind_best).ci95] + [-0.005, 0.005]
    return 1.05 * min(bounds), 1.05 * max(bounds)


def turn_table(report: Report) -> Markup:
    """Write all turns that were tried into one table."""
    titles = ("rank", "turn", "wins", "against the best", "is best", "margin", "this year", "deals")
    scale = difference_scale(report.turns)
    rows = [turn_row(turn, scale) for turn in report.turns]
    return sortable_table("Turns, the best first", titles, rows, kind="turns")


def turn_row(turn: Turn, scale: tuple[float, float]) -> list[Cell]:
    """Write one turn's row."""
    ahead = turned(turn.win_behind_best)
    chart = charts.difference_mark(ahead, scale)
    words = element("b", "–" if turn.rank == 1 else signed(100 * ahead.mean))
    note = "the best" if turn.rank == 1 else interval(ahead, 100)
    return [
        Cell(element("a", turn.rank, href=f"#turn-{turn.rank}"), turn.rank),
        Cell(join(in_notation(turn.actions), badges(turn)), " ".join(turn.actions)),
        Cell(
            join(
                element("b", percent(turn.win.mean)),
                charts.probability_bar(turn.win),
                element("small", interval(turn.win, 100)),
            ),
            turn.win.mean,
        ),
        Cell(join(words, chart, element("small", note)), ahead.mean),
        Cell(join(element("b", chance(turn.best_probability))), turn.best_probability),
        Cell(join(element("b", signed(turn.margin.mean)), element("small", interval(turn.margin))), turn.margin.mean),
        Cell(element("b", f"{turn.year_points.mean:.1f}"), turn.year_points.mean),
        Cell(f"{turn.visits:,}", turn.visits),
    ]


def turn_card(report: Report, turn: Turn) -> Markup:
    """Show one turn with its board and all that is known of it."""
    wins, margin = turned(turn.win_behind_best), turned(turn.margin_behind_best)
    against = None
    if turn.rank > 1:
        against = join(
            described("wins against the best", f"{signed(100 * wins.mean)} %", interval(wins, 100)),
            described("margin against the best", signed(margin.mean), interval(margin)),
        )
    facts = element(
        "dl",
        described("wins", percent(turn.win.mean), interval(turn.win, 100)),
        described("is the best", chance(turn.best_probability)),
        described("margin", signed(turn.margin.mean), interval(turn.margin)),
        described("points this year", f"{turn.year_points.mean:.1f}", interval(turn.year_points)),
        against,
        class_="facts",
    )
    title = element("h3", f"Turn {turn.rank}", badges(turn))
    words = element("div", steps(turn), notation(turn), facts, sources(turn.sources), variation(report, turn))
    return element("article", title, turn_board(report, turn), words, class_="turn", id=f"turn-{turn.rank}")


def sources(points: Sources) -> Markup | None:
    """Say what this year's points would come from."""
    parts = {words: getattr(points, name) for name, words in SOURCES.items()}
    total = sum(parts.values())
    items = [element("li", element("b", f"{value:g}"), f" {words}") for words, value in parts.items() if value]
    if not items:
        return None
    title = element("h4", f"If the year ended now: {total:g} points")
    return element("div", title, element("ul", *items, class_="sources"))


def variation(report: Report, turn: Turn) -> Markup | None:
    """Write how play may go on."""
    if not turn.variation:
        return None
    worn = worn_by(report)
    lines = [element("li", player_mark(step.player, worn), " ", in_notation(step.actions)) for step in turn.variation]
    return element("div", element("h4", "How it may go on, in one deal"), element("ol", *lines, class_="variation"))
