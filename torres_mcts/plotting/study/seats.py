"""Seat bars: what each seat wins under each rule set."""

from matplotlib.axes import Axes

from torres_mcts.plotting.pictures.frame import Picture, Table
from torres_mcts.plotting.pictures.listing import LeftOutError
from torres_mcts.plotting.pictures.marks import shorten_middle
from torres_mcts.plotting.study.findings import Findings, some_of
from torres_mcts.plotting.study.panels import Panels
from torres_mcts.plotting.tournament.seats import draw_seats
from torres_mcts.studies.report import say_chance

MOST = 12  # panels
AXIS_ROOM = 0.5  # inches
CAPTION = (
    "Bars: share of the wins of each seat in %, shared wins in equal parts; lines: 95 % intervals over deals (blocks); "
    "dashed: equal seats. p: the chance of seats this different if all were equal (one test of all seats). {verdict}"
)


def picture(findings: Findings) -> Picture:
    """Return the bars, a panel for each rule set."""
    if not findings.seats:
        raise LeftOutError("seats: there are no games that count yet")
    names, more = some_of(list(findings.seats), MOST, "rule sets")
    players = findings.run.study.players
    panels = Panels(len(names), 3, wide=1.1 + 0.35 * players, high=1.7, across=0.75, down=1.2)
    top = max(seat.high for name in names for seat in findings.seats[name].wins.seats)

    def draw(axes: Axes, name: str) -> None:
        wins = findings.seats[name].wins
        draw_seats(axes, f"{shorten_middle(name, 24)}\n{say_chance(wins.p_value)}", wins)
        axes.set_ylim(0, 118 * top)

    return Picture(
        name="seats",
        title="What the seats win",
        caption=CAPTION.format(verdict=verdict(findings)),
        no_room=more,
        width=panels.width,
        height=panels.height,
        draw=lambda sheet: panels.draw(sheet, names, draw, AXIS_ROOM),
        table=Table(
            ("variant", "seat", "measure", "share", "low", "high", "fair", "p_value", "games", "blocks"),
            [
                (name, seat + 1, measure, share.mean, share.low, share.high, value.fair, value.p_value, table.games,
                 table.blocks)
                for name, table in findings.seats.items()
                for measure, value in (("wins", table.wins), ("rank_points", table.rank_points))
                for seat, share in enumerate(value.seats)
            ],
        ),
    )  # fmt: skip


def verdict(findings: Findings) -> str:
    """Say under which rules the seats differ; several tests at once are held to 5 % in all (Bonferroni)."""
    if not findings.seats:
        return "So far no seat has played a game that counts."
    unequal = [name for name, table in findings.seats.items() if table.wins.p_value * len(findings.seats) < 0.05]
    tests = f"{len(findings.seats)} tests, 5 % risk in all"
    if not unequal:
        return f"Under no rule set is it shown that seats win differently ({tests})."
    named, more = unequal[:4], len(unequal) - 4
    return f"Seats win differently under {', '.join(named)}{f' and {more} more' * (more > 0)} ({tests})."
