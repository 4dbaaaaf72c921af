"""Where knights and towers stand when a year ends, square by square."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap

from torres_mcts.games.torres.format.model import HEIGHT_SIGNS
from torres_mcts.games.torres.format.notation import SQUARES
from torres_mcts.plotting.pictures.frame import BLUE, ORANGE, QUIET, SMALL_SIZE, TEXT_SIZE, Picture, Sheet, Table
from torres_mcts.plotting.pictures.listing import LeftOutError
from torres_mcts.plotting.pictures.marks import shorten_middle
from torres_mcts.plotting.study.findings import Findings, some_of
from torres_mcts.plotting.terminal import SIDE
from torres_mcts.plotting.tournament.matrices import ink_on
from torres_mcts.studies.log import GameLog
from torres_mcts.studies.metrics.metric import YEARS

MOST = 3  # rule sets that are drawn
BOARD, GAP, DOWN, TITLE_ROOM = 2.25, 0.3, 0.55, 0.45  # inches
LEFT = 0.25
KINDS = {"towers": "height of towers", "knights": "knights of all players"}
COLOURS = {
    "towers": LinearSegmentedColormap.from_list("towers", ["#ffffff", "#f9d3b8", ORANGE]),
    "knights": LinearSegmentedColormap.from_list("knights", ["#ffffff", "#b5d9ee", BLUE]),
}
CAPTION = (
    "Means over games of the board that is scored at the end of each year: how high the tower on each square is, and "
    "how many knights stand there. All boards of a kind have one scale of colours; empty squares are below 0.05."
)


def picture(findings: Findings) -> Picture:
    """Return six boards for each rule set."""
    if not findings.blocks:
        raise LeftOutError("boards: there are no games that count yet")
    maps = {name: board_maps(findings.games(name)) for name in findings.blocks}
    names, more = some_of(list(maps), MOST, "rule sets")
    most = {kind: max(float(maps[name][kind].max()) for name in names) or 1.0 for kind in KINDS}
    part = 2 * (BOARD + DOWN) + TITLE_ROOM

    def draw(sheet: Sheet) -> None:
        for number, name in enumerate(names):
            bottom = (len(names) - 1 - number) * part
            place = sheet.place(0, bottom + part - 0.28)
            sheet.figure.text(*place, shorten_middle(name, 60), size=TEXT_SIZE + 1, weight="bold", va="bottom")
            for row, kind in enumerate(KINDS):
                for column, year in enumerate(YEARS):
                    left = LEFT + column * (BOARD + GAP)
                    axes = sheet.axes(left, bottom + (1 - row) * (BOARD + DOWN) + 0.2, BOARD, BOARD)
                    _draw_board(axes, maps[name][kind][column], kind, most[kind])
                    axes.set_title(f"{KINDS[kind]}, year {year}", size=SMALL_SIZE, color=QUIET, loc="left", pad=3)

    return Picture(
        name="boards",
        title="Where towers and knights stand at year ends",
        caption=CAPTION,
        no_room=more,
        width=LEFT + 3 * BOARD + 2 * GAP,
        height=len(names) * part,
        draw=draw,
        table=Table(
            ("variant", "year", "square", "height", "knights", "games"),
            [
                (name, year, SQUARES[square], float(found["towers"][row, square]), float(found["knights"][row, square]),
                 len(findings.games(name)))
                for name, found in maps.items()
                for row, year in enumerate(YEARS)
                for square in range(SIDE * SIDE)
            ],
        ),
    )  # fmt: skip


def board_maps(games: list[GameLog]) -> dict[str, np.ndarray]:
    """Return mean height and mean number of knights: each [year, square] float64, squares a1, b1, ... h8."""
    heights, knights, counts = np.zeros((3, SIDE * SIDE)), np.zeros((3, SIDE * SIDE)), np.zeros((3, 1))
    for game in games:
        for year in game.years:
            heights[year.year - 1] += [HEIGHT_SIGNS.index(sign) for sign in year.heights]
            counts[year.year - 1] += 1
            for squares in year.knights:
                for square in squares:
                    knights[year.year - 1, SQUARES.index(square)] += 1
    counts = np.maximum(counts, 1)
    return {"towers": heights / counts, "knights": knights / counts}


def board_words(value: float) -> str:
    """Write the mean of a square; nothing where it is near 0.

    >>> board_words(0.26), board_words(0.04), board_words(2.0)
    ('.3', '', '2.0')
    """
    return "" if value < 0.05 else f"{value:.1f}".removeprefix("0")


def _draw_board(axes: Axes, values: np.ndarray, kind: str, most: float) -> None:
    axes.set(xlim=(-0.5, SIDE - 0.5), ylim=(-0.5, SIDE - 0.5), xticks=range(SIDE), yticks=range(SIDE))
    axes.set_xticklabels("abcdefgh", size=6.5)
    axes.set_yticklabels("12345678", size=6.5)
    axes.tick_params(length=0, pad=2)
    axes.spines[:].set_visible(True)
    edges = np.arange(SIDE + 1) - 0.5
    shares = values.reshape(SIDE, SIDE) / most
    axes.pcolormesh(edges, edges, shares, cmap=COLOURS[kind], vmin=0, vmax=1, edgecolors="#e6e6e6", linewidth=0.5)
    for square, value in enumerate(values):
        rank, file = divmod(square, SIDE)
        if words := board_words(float(value)):
            axes.text(file, rank, words, ha="center", va="center", size=7, color=ink_on(COLOURS[kind](value / most)))
