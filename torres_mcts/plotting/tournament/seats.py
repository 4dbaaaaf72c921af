"""Seat bars: what each seat wins."""

from matplotlib.axes import Axes

from torres_mcts.plotting.pictures.frame import BLUE, INK, NARROWEST, ORANGE, QUIET, TEXT_SIZE, Picture, Sheet, Table
from torres_mcts.plotting.tournament.findings import Findings
from torres_mcts.tournaments.statistics.tables import SeatTable, SeatValue

PANEL_HEIGHT = 2.7  # inches
RIGHT_ROOM, BELOW_ROOM, GAP = 0.7, 0.55, 0.9


def picture(findings: Findings) -> Picture:
    """Return the bars: share of the wins, and rank points where these are something else."""
    table = findings.seats
    panels = list(seat_measures(table).items())
    panel_width = (NARROWEST - RIGHT_ROOM - (len(panels) - 1) * GAP) / len(panels)

    def draw(sheet: Sheet) -> None:
        for number, (title, value) in enumerate(panels):
            left = number * (panel_width + GAP)
            draw_seats(sheet.axes(left, BELOW_ROOM, panel_width, PANEL_HEIGHT), f"{title} in %", value)

    return Picture(
        name="seats",
        title="What the seats are worth",
        caption=caption(findings),
        width=NARROWEST,
        height=PANEL_HEIGHT + BELOW_ROOM + 0.2,
        draw=draw,
        table=Table(
            ("seat", "measure", "share", "low", "high", "fair", "p_value", "games", "blocks"),
            [
                (seat + 1, measure, share.mean, share.low, share.high, value.fair, value.p_value, table.games,
                 table.blocks)
                for measure, value in (("wins", table.wins), ("rank_points", table.rank_points))
                for seat, share in enumerate(value.seats)
            ],
        ),
    )  # fmt: skip


def seat_measures(table: SeatTable) -> dict[str, SeatValue]:
    """Return what is measured of the seats; with two players, rank points are the same as wins."""
    return {"wins": table.wins} | ({"rank points": table.rank_points} if table.players > 2 else {})


def draw_seats(axes: Axes, title: str, value: SeatValue) -> None:
    """Draw a bar for each seat with its interval, and the fair share."""
    means = [100 * seat.mean for seat in value.seats]
    places = range(1, len(means) + 1)
    axes.bar(places, means, width=0.62, color=BLUE, alpha=0.75, linewidth=0)
    top = 100 * max(seat.high for seat in value.seats)
    for place, mean, seat in zip(places, means, value.seats, strict=True):
        axes.plot([place, place], [100 * seat.low, 100 * seat.high], color=INK, linewidth=2, solid_capstyle="butt")
        axes.text(place, 100 * seat.high + 0.03 * top, f"{mean:.1f}", ha="center", va="bottom", weight="bold")
    axes.axhline(100 * value.fair, color=ORANGE, linewidth=1.5, linestyle=(0, (5, 3)))
    axes.annotate(
        f"fair {100 * value.fair:.0f}", (1, 100 * value.fair), (4, 0), xycoords=("axes fraction", "data"),
        textcoords="offset points", va="center", color=ORANGE, size=9,
    )  # fmt: skip
    axes.set(xlim=(0.4, len(means) + 0.6), ylim=(0, 1.14 * top), xticks=list(places), xlabel="seat, in order of play")
    axes.tick_params(axis="both", length=0)
    axes.set_title(title, size=TEXT_SIZE, color=QUIET, loc="left", pad=8)
    axes.spines["left"].set_visible(False)
    axes.set_yticks([])


def caption(findings: Findings) -> str:
    """Explain the bars, and say whether the seats differ."""
    table = findings.seats
    words = (
        "Bars: share of each seat over all games; lines: 95 % intervals over whole deals; dashed: equal seats. "
        f"{seat_verdict(findings)}"
    )
    if not table.is_balanced:
        words += " Agents did not sit equally often on each seat, so a seat may owe its wins to the agents on it."
    return words


def seat_verdict(findings: Findings) -> str:
    """Say whether the seats differ."""
    p_value = findings.seats.wins.p_value
    shown = "p < 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"
    if p_value < 0.05:
        return f"The seats do not win equally often ({shown}, test of all seats at once)."
    return f"That all seats win equally often cannot be ruled out ({shown}, test of all seats at once)."
