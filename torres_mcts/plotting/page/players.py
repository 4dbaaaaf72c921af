"""Show players on a page: their names in their colours, how they stand, how the game may end for them."""

import math
from collections.abc import Mapping

from torres_mcts.analysis.report import PlayerOutlook, Report
from torres_mcts.plotting.page import charts
from torres_mcts.plotting.page.board_svg import knight_body
from torres_mcts.plotting.page.markup import Markup, element, join
from torres_mcts.plotting.page.tables import Cell, interval, percent, sortable_table
from torres_mcts.plotting.terminal import Livery, liveries

PLACES = ("1st", "2nd", "3rd", "4th")
ROOM = 0.04  # beside the longest box, as a part of the scale


def worn_by(report: Report) -> dict[str, Livery]:
    """Return what each player wears."""
    names = [player["name"] for player in report.position["players"]]
    return dict(zip(names, liveries(report.position), strict=True))


def player_mark(name: str, worn: Mapping[str, Livery]) -> Markup:
    """Write a player's name behind a knight in the player's colour and shape."""
    livery = worn.get(name)
    if livery is None:
        return element("span", name, class_="player")
    letter = element("text", livery.letter, x=12, y=16.2, font_size=12, fill=livery.ink)
    parts = (knight_body(livery, (12.0, 12.0), 9.5), letter)
    mark = element("svg", *parts, viewBox="0 0 24 24", class_="mark", aria_hidden="true")
    return element("span", mark, name, class_="player")


def player_table(report: Report) -> Markup:
    """Write how each player stands."""
    worn = worn_by(report)
    titles = ("player", "points now", "wins", "final points", "spread")
    return sortable_table(
        "How the players stand if the best turn is played",
        titles,
        [player_row(player, worn, player.name == report.root.player) for player in report.root.players],
        kind="players",
    )


def player_row(player: PlayerOutlook, worn: Mapping[str, Livery], is_moving: bool) -> list[Cell]:
    """Write one player's row."""
    final = player.final_score
    mark = element("b", "to move", class_="badge") if is_moving else None
    return [
        Cell(join(player_mark(player.name, worn), mark), player.name),
        Cell(player.score_now, player.score_now),
        Cell(
            join(
                element("b", percent(player.win.mean)),
                charts.probability_bar(player.win),
                element("small", interval(player.win, 100)),
            ),
            player.win.mean,
        ),
        Cell(join(element("b", f"{final.mean:.1f}"), element("small", interval(final))), final.mean),
        Cell(join("± ", f"{final.sd:.1f}"), final.sd),
    ]


def score_scale(players: list[PlayerOutlook]) -> tuple[float, float]:
    """Return a scale of round numbers on which all scores of all players fit."""
    values = [value for player in players for value in player.final_score.quantiles.values()]
    values += [player.final_score.mean for player in players] + [float(player.score_now) for player in players]
    room = ROOM * (max(values) - min(values))
    step = round_step((max(values) - min(values)) / 4)
    return step * math.floor((min(values) - room) / step), step * math.ceil((max(values) + room) / step)


def round_step(length: float) -> int:
    """Return a round number of about this size.

    >>> round_step(11), round_step(38)
    (10, 20)
    """
    return max((step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500) if step <= length), default=1)


def score_chart(report: Report) -> Markup:
    """Draw the final scores of all players on one scale."""
    players, worn = report.root.players, worn_by(report)
    scale = score_scale(players)
    rows = []
    for player in players:
        quantiles = player.final_score.quantiles
        words = f"{player.final_score.mean:.0f}"
        if "5" in quantiles and "95" in quantiles:
            words += f" ({quantiles['5']:.0f} to {quantiles['95']:.0f})"
        name = element("div", player_mark(player.name, worn), element("small", words))
        rows.append(element("div", name, charts.spread_box(player.final_score, player.score_now, scale), class_="row"))
    return element(
        "figure",
        element("figcaption", "Final points"),
        *rows,
        score_axis(scale),
        element(
            "p",
            "Line: nine games in ten. Box: one game in two, with the median. Thick tick: mean. Dotted: points now.",
            class_="key",
        ),
        class_="rows scores",
    )


def score_axis(scale: tuple[float, float]) -> Markup:
    """Write the numbers of a scale below a chart."""
    low, high = scale
    step = round_step((high - low) / 4)
    ticks = [
        element("span", value, style=f"left:{charts.place(value, scale):.1f}%")
        for value in range(round(low), round(high) + 1, step)
    ]
    return element("div", element("div"), element("div", *ticks, class_="axis"), class_="row", aria_hidden="true")


def places_chart(report: Report) -> Markup:
    """Draw with which probability each player comes first, second and so on."""
    worn = worn_by(report)
    rows = []
    for player in report.root.players:
        words = ", ".join(
            f"{PLACES[index]} {percent(share, 0)}" for index, share in enumerate(player.places[: len(PLACES)])
        )
        name = element("div", player_mark(player.name, worn), element("small", words))
        rows.append(element("div", name, charts.places_bar(player.places), class_="row"))
    caption = element("figcaption", "Places, the first on the left")
    return element("figure", caption, *rows, class_="rows")
