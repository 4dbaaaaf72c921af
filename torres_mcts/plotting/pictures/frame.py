"""The frame of every picture: title above, an explanation and the origin below; as PNG, SVG and CSV."""

import csv
import io
import math
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath

from torres_mcts.plotting.review_plot import SETTINGS

INK, QUIET, LINE, PAPER = "#1f1f1f", "#5c5c5c", "#d5d5d5", "#ffffff"
BLUE, ORANGE, GREEN = "#0072b2", "#d55e00", "#009e73"  # after Okabe and Ito: told apart by colour-blind readers, too
DPI = 160
MARGIN = 0.3  # inches
TITLE_SIZE, TEXT_SIZE, SMALL_SIZE, FOOTER_SIZE = 14, 10, 8.5, 7.5  # points
TITLE_ROOM, LINE_ROOM, FOOTER_ROOM = 0.5, 0.19, 0.3  # inches
NARROWEST = 6.5  # inches: narrower, no caption reads well
LETTER = 0.069  # inches, the mean width of a letter of a caption
STYLE: dict[Any, Any] = {
    **SETTINGS,
    "svg.hashsalt": "torres-mcts",
    "text.color": INK,
    "axes.labelcolor": QUIET,
    "axes.edgecolor": QUIET,
    "axes.labelsize": TEXT_SIZE,
    "axes.unicode_minus": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
}

Row = Sequence[Any]


@dataclass(frozen=True)
class Table:
    """Data of a picture: a line for each row."""

    columns: tuple[str, ...]
    rows: Sequence[Row]

    def to_csv(self) -> str:
        """Write it as CSV."""
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(self.rows)
        return file.getvalue()

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows for JSON, which has no infinite numbers."""
        return [
            {
                name: None if isinstance(value, float) and not math.isfinite(value) else value
                for name, value in zip(self.columns, row, strict=True)
            }
            for row in self.rows
        ]


@dataclass(frozen=True)
class Sheet:
    """The part of a figure that a picture may draw on, measured in inches from its lower left corner."""

    figure: Figure
    left: float
    bottom: float

    @property
    def wide(self) -> float:
        """The width of the whole figure."""
        return float(self.figure.get_size_inches()[0])

    @property
    def high(self) -> float:
        """The height of the whole figure."""
        return float(self.figure.get_size_inches()[1])

    def axes(self, left: float, bottom: float, width: float, height: float, **options: Any) -> Axes:
        """Add axes at a place of the sheet."""
        place = self.place(left, bottom)
        return self.figure.add_axes((*place, width / self.wide, height / self.high), **options)

    def place(self, left: float, bottom: float) -> tuple[float, float]:
        """Return a place of the sheet in parts of the figure."""
        return (self.left + left) / self.wide, (self.bottom + bottom) / self.high


@dataclass(frozen=True)
class Picture:
    """A drawing, what it shows in words, and its data."""

    name: str  # of its files, without the ending
    title: str
    caption: str
    width: float  # inches of the drawing
    height: float
    draw: Callable[[Sheet], None]
    table: Table
    more_tables: dict[str, Table] = field(default_factory=dict)  # by what their names end in
    no_room: str = ""  # says at the end of the caption what had no room on the drawing

    @property
    def tables(self) -> dict[str, Table]:
        """All tables by the names of their files, without the ending."""
        return {self.name: self.table, **{f"{self.name}-{end}": table for end, table in self.more_tables.items()}}


def text_width(words: str, size: float, *, is_bold: bool = False) -> float:
    """Return how wide a text is, in inches.

    >>> 0.9 < text_width("torres-mcts", 12) < 1.1
    True
    """
    font = FontProperties(family="DejaVu Sans", weight="bold" if is_bold else "normal")
    return float(TextPath((0, 0), words, size=size, prop=font, usetex=False).get_extents().width) / 72 if words else 0.0


def size_to_fit(words: str, width: float, size: float) -> float:
    """Return the font size at which a text has room in some inches, at most the one given.

    >>> size_to_fit("short", 5.0, 10), size_to_fit("long" * 40, 5.0, 10) < 7
    (10, True)
    """
    return min(size, size * width / max(text_width(words, size), 1e-9))


def render(picture: Picture, footer: str) -> dict[str, bytes]:
    """Return the files of a picture by name; the same picture gives the same files."""
    with matplotlib.rc_context(STYLE):
        png, svg = io.BytesIO(), io.BytesIO()
        FigureCanvasAgg(figure := compose(picture, footer)).print_png(png)
        FigureCanvasSVG(figure).print_svg(svg, metadata={"Date": None, "Creator": "torres-mcts"})
    tables = {f"{name}.csv": table.to_csv().encode() for name, table in picture.tables.items()}
    return {f"{picture.name}.png": png.getvalue(), f"{picture.name}.svg": svg.getvalue(), **tables}


def compose(picture: Picture, footer: str) -> Figure:
    """Put a picture into its frame."""
    width = max(picture.width, NARROWEST)
    lines = textwrap.wrap(f"{picture.caption} {picture.no_room}".strip(), round(width / LETTER))
    below = FOOTER_ROOM + LINE_ROOM * len(lines) + 0.15
    wide, high = width + 2 * MARGIN, picture.height + below + TITLE_ROOM + 2 * MARGIN
    figure = Figure(figsize=(wide, high), dpi=DPI, facecolor=PAPER)
    size = size_to_fit(picture.title, width, TITLE_SIZE)
    figure.text(MARGIN / wide, 1 - MARGIN / high, picture.title, size=size, weight="bold", va="top")
    for number, line in enumerate(lines):
        height = MARGIN + below - 0.15 - LINE_ROOM * number
        figure.text(MARGIN / wide, height / high, line, size=SMALL_SIZE, color=QUIET, va="top")
    small = size_to_fit(footer, width, FOOTER_SIZE)
    figure.text(MARGIN / wide, 0.8 * MARGIN / high, footer, size=small, color=QUIET, va="bottom")
    picture.draw(Sheet(figure, MARGIN, MARGIN + below))
    return figure
