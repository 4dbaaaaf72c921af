"""What the two matrices share: a square for each pair of agents, coloured from orange over white to blue."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Rectangle

from torres_mcts.plotting.pictures import marks
from torres_mcts.plotting.pictures.frame import BLUE, INK, LINE, ORANGE, Sheet

SQUARE = 0.74  # inches
HEAD_ROOM, FOOT_ROOM = 0.3, 0.15
COLOURS = LinearSegmentedColormap.from_list("orange-blue", [ORANGE, "#f9d3b8", "#ffffff", "#b5d9ee", BLUE])


class Square(NamedTuple):
    """What a matrix says of a pair."""

    share: float  # from 0 to 1, the colour
    words: str
    note: str
    is_bold: bool


def ink_on(colour: Sequence[float]) -> str:
    """Return the colour of words on some ground: dark where that is light.

    >>> ink_on((1.0, 1.0, 1.0)) == INK, ink_on((0.0, 0.2, 0.6))
    (True, 'white')
    """
    red, green, blue = colour[:3]
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 0.55 else "white"


def matrix_size(names: Sequence[str]) -> tuple[float, float]:
    """Return width and height of a matrix in inches."""
    side = SQUARE * len(names)
    return marks.name_room(numbered(names)) + side, side + HEAD_ROOM + FOOT_ROOM


def numbered(names: Sequence[str]) -> list[str]:
    """Return names with the numbers by which the columns call them.

    >>> numbered(["a", "b"])
    ['a  1', 'b  2']
    """
    return [f"{name}  {number}" for number, name in enumerate(names, 1)]


def draw_matrix(sheet: Sheet, names: Sequence[str], square_of: Callable[[str, str], Square | None]) -> None:
    """Draw a square for each pair of agents; pairs without one stay empty."""
    side = SQUARE * len(names)
    axes = sheet.axes(marks.name_room(numbered(names)), FOOT_ROOM, side, side)
    axes.set(xlim=(-0.5, len(names) - 0.5), ylim=(len(names) - 0.5, -0.5), xticks=[], yticks=[])
    axes.spines[:].set_visible(False)
    marks.write_names(axes, numbered(names))
    for column, other in enumerate(names):
        axes.annotate(
            str(column + 1), (column, 1), (0, 6), xycoords=("data", "axes fraction"), textcoords="offset points",
            ha="center", weight="bold",
        )  # fmt: skip
        for row, one in enumerate(names):
            square = None if one == other else square_of(one, other)
            _draw_square(axes, row, column, square)


def _draw_square(axes: Axes, row: int, column: int, square: Square | None) -> None:
    place = (column - 0.5, row - 0.5)
    if square is None:
        ground = LINE if row == column else "#f6f6f6"
        axes.add_patch(Rectangle(place, 1, 1, facecolor=ground, edgecolor="white", linewidth=1.5))
        return
    colour = COLOURS(square.share)
    axes.add_patch(Rectangle(place, 1, 1, facecolor=colour, edgecolor="white", linewidth=1.5))
    ink = ink_on(colour)
    weight = "bold" if square.is_bold else "normal"
    lift = 0.12 if square.note else 0.0
    axes.text(column, row - lift, square.words, ha="center", va="center", color=ink, size=13, weight=weight)
    axes.text(column, row + 0.24, square.note, ha="center", va="center", color=ink, size=8)
