"""Score violins: how the final points of each agent spread."""

import numpy as np

from torres_mcts.plotting.pictures import marks
from torres_mcts.plotting.pictures.frame import BLUE, INK, PAPER, SMALL_SIZE, Picture, Sheet, Table
from torres_mcts.plotting.pictures.listing import LeftOutError
from torres_mcts.plotting.tournament.findings import Findings
from torres_mcts.tournaments.statistics.scores import QUANTILES

ROW = 0.6  # inches
PLOT_WIDTH = 5.0
AXIS_ROOM = 0.5
VALUE_ROOM = 1.5
WIDEST = 0.42  # of a violin to each side, in rows
SMALL_VIOLIN = 10  # with fewer values the values themselves are drawn
POINTS_OF_GRID = 160
CAPTION = (
    "Final points over all seats; the wider, the more often (all violins are equally wide at their widest). White dot: "
    "median; thick line: half of the games; thin line: nine in ten; with fewer than ten games each is a dot. At the "
    "right the mean, with its 95 % interval over whole deals (blocks). Games that ended by forfeit take no part."
)


def picture(findings: Findings) -> Picture:
    """Return the violins."""
    table = findings.scores
    if not table:
        raise LeftOutError("scores: every game ended by forfeit, so there are no final points")
    names = [scores.agent for scores in table]
    left = marks.name_room(names)

    def draw(sheet: Sheet) -> None:
        axes = sheet.axes(left, AXIS_ROOM, PLOT_WIDTH, ROW * len(names))
        grid, densities = violin_shapes(findings)
        marks.clear_rows(axes, len(names), (float(grid[0]), float(grid[-1])))
        marks.write_names(axes, names)
        for row, scores in enumerate(table):
            low, lower, median, upper, high = scores.quantiles
            if len(scores.values) < SMALL_VIOLIN:
                axes.plot(scores.values, np.full(len(scores.values), row), "o", color=BLUE, alpha=0.6, markersize=6)
            else:
                width = WIDEST * densities[row]
                axes.fill_between(grid, row - width, row + width, color=BLUE, alpha=0.35, linewidth=0)
                axes.plot([low, high], [row, row], color=INK, linewidth=1, zorder=3)
                axes.plot([lower, upper], [row, row], color=INK, linewidth=5, solid_capstyle="butt", zorder=3)
                axes.plot(median, row, "o", color=PAPER, markersize=4, zorder=4)
            marks.write_value(axes, row, mean_words(findings, row), size=SMALL_SIZE + 1)
        axes.set_xlabel("points at the end of the game")

    values = [
        (scores.agent, float(score), int(times))
        for scores in table
        for score, times in zip(*np.unique(scores.values, return_counts=True), strict=True)
    ]
    return Picture(
        name="scores",
        title="Final points",
        caption=CAPTION,
        width=left + PLOT_WIDTH + VALUE_ROOM,
        height=ROW * len(names) + AXIS_ROOM,
        draw=draw,
        table=Table(
            ("agent", "games", "mean", "low", "high", *(f"quantile_{part}" for part in QUANTILES)),
            [
                (scores.agent, len(scores.values), mean.mean, mean.low, mean.high, *scores.quantiles)
                for scores in table
                for mean in [scores.mean]
            ],
        ),
        more_tables={"values": Table(("agent", "score", "times"), values)},
    )


def mean_words(findings: Findings, row: int) -> str:
    """Write the mean points of an agent with their interval."""
    mean = findings.scores[row].mean
    if not np.isfinite(mean.se):
        return f"{mean.mean:.0f}"
    return f"{mean.mean:.1f}  [{mean.low:.1f}, {mean.high:.1f}]"


def violin_shapes(findings: Findings) -> tuple[np.ndarray, np.ndarray]:
    """Return a grid of points and how densely the scores of each agent lie there, 1 at the most.

    Returns [grid] and [agents, grid].
    """
    values = np.concatenate([scores.values for scores in findings.scores])
    room = 0.08 * float(np.ptp(values)) + 2
    grid = np.linspace(values.min() - room, values.max() + room, POINTS_OF_GRID)
    densities = np.array([scores.density(grid) for scores in findings.scores])
    return grid, densities / densities.max(axis=1, keepdims=True)
