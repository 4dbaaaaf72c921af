"""Draw a position as a figure: the board with castles, knights and king, and the players beside it."""

import io
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path as FilePath
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch, Polygon, Rectangle
from matplotlib.path import Path
from matplotlib.transforms import Affine2D

from torres_mcts.core.errors import FileError, printable
from torres_mcts.core.files import write_bytes
from torres_mcts.plotting.geometry import (
    CROWN,
    CROWN_PEARLS,
    RADIUS,
    area_square,
    castle_outline,
    find_castles,
    piece_centre,
)
from torres_mcts.plotting.panel import (
    GRAY_INK,
    PANEL_HEIGHT,
    PANEL_WIDTH,
    as_path,
    draw_knight,
    draw_panel,
    fitted,
    write,
)
from torres_mcts.plotting.terminal import (
    KING_COLOUR,
    KING_INK,
    SIDE,
    UNPLAYABLE,
    Square,
    ink_on,
    liveries,
    read_heights,
    shade,
    square_at,
    square_name,
    unplayable_squares,
)

Position = Mapping[str, Any]

POINTS = 72  # to the inch
BOARD_WIDTH, TITLE_HEIGHT = 547.0, 32.0  # in points; the board is as high as the panel
PAPER, OUTLINE = "#fbfaf6", "#4a3826"
FIELDS = ("#e3e7d9", "#e9ece0")  # ground, in two shades that take turns
SAVE_SETTINGS: dict[Any, Any] = {  # same position, same bytes, whatever the user has configured
    "svg.hashsalt": "torres",
    "svg.fonttype": "path",
    "svg.id": None,
    "savefig.bbox": "standard",
    "savefig.facecolor": "auto",
    "savefig.transparent": False,
}


def draw_board(position: Position, *, title: str | None = None) -> Figure:
    """Draw a canonical position."""
    figure, board, panel = new_figure(title)
    draw_field(board, position)
    draw_panel(panel, position)
    return figure


def save_board(position: Position, path: str | os.PathLike[str], *, title: str | None = None, dpi: int = 150) -> None:
    """Draw a position into a .png or .svg file, which appears whole or not at all."""
    save_drawing(lambda: draw_board(position, title=title), path, dpi=dpi)


def save_drawing(draw: Callable[[], Figure], path: str | os.PathLike[str], *, dpi: int = 150) -> None:
    """Make a drawing and write it into a .png or .svg file, which appears whole or not at all."""
    suffix = FilePath(path).suffix.lower()
    if suffix not in (".png", ".svg"):
        raise FileError(f"{path}: cannot draw a board into this kind of file; the name must end in .png or .svg")
    metadata = {"Software": None} if suffix == ".png" else {"Date": None}
    picture = io.BytesIO()
    with matplotlib.rc_context(SAVE_SETTINGS):
        draw().savefig(picture, format=suffix[1:], dpi=dpi, metadata=metadata)
    write_bytes(path, picture.getvalue())


def new_figure(title: str | None) -> tuple[Figure, Axes, Axes]:
    """Return an empty figure with its title, and the axes of board and panel."""
    height = PANEL_HEIGHT + (TITLE_HEIGHT if title else 0)
    size = (BOARD_WIDTH + PANEL_WIDTH) / POINTS, height / POINTS
    figure = Figure(figsize=size, facecolor=PAPER)
    FigureCanvasAgg(figure)
    board, panel = lay_out(figure)
    if title:
        words = fitted(printable(title), 15, BOARD_WIDTH + PANEL_WIDTH - 50, bold=True)
        write(board, -0.5, 7.88, words, 15, weight="bold", gid="title")
    return figure, board, panel


def draw_field(axes: Axes, position: Position, *, busy: Iterable[Square] = ()) -> None:
    """Draw the board with everything on it; busy squares have their number in the corner, as under pieces."""
    draw_squares(axes, position)
    draw_castles(axes, position)
    draw_heights(axes, position, busy)
    draw_pieces(axes, position)


def lay_out(figure: Figure) -> tuple[Axes, Axes]:
    """Add the axes of the board, in squares with a1 at (0, 0), and of the panel, in points."""
    width, height = figure.get_figwidth() * POINTS, figure.get_figheight() * POINTS
    share = PANEL_HEIGHT / height
    board = figure.add_axes((0, 0, BOARD_WIDTH / width, share), label="board")
    panel = figure.add_axes((BOARD_WIDTH / width, 0, PANEL_WIDTH / width, share), label="panel")
    board.set(xlim=(-1.0, 7.7), ylim=(-1.1, 7.6))
    panel.set(xlim=(0, PANEL_WIDTH), ylim=(0, PANEL_HEIGHT))
    for axes in (board, panel):
        axes.set_axis_off()
    return board, panel


def draw_squares(axes: Axes, position: Position) -> None:
    """Draw the bare board: ground, squares out of play, names of files and ranks."""
    closed = unplayable_squares(position)
    axes.add_patch(Rectangle((-0.5, -0.5), SIDE, SIDE, fill=False, ec="#b9bfa9", lw=2.5, zorder=1))
    for file, rank in read_heights(position):
        square = Rectangle((file - 0.5, rank - 0.5), 1, 1, lw=0.6, ec="#d3d8c6", zorder=1)
        square.set(fc=FIELDS[(file + rank) % 2])
        if (file, rank) in closed:
            square.set(fc=UNPLAYABLE, ec="#6d7076", hatch="////")
            square.set_gid("unplayable-" + square_name((file, rank)))
        axes.add_patch(square)
    for index in range(SIDE):
        write(axes, index, -0.72, "abcdefgh"[index], 11, ha="center", color=GRAY_INK)
        write(axes, -0.72, index, str(index + 1), 11, ha="center", color=GRAY_INK)
    legend = "number: height      ×n: area of the castle"
    write(axes, 7.5, -0.98, legend, 7.5, ha="right", color=GRAY_INK)


def draw_castles(axes: Axes, position: Position) -> None:
    """Draw every castle as one body of shaded squares, with its area where it has several."""
    heights = read_heights(position)
    occupied = {square_at(name) for player in position["players"] for name in player["knights"]}
    if position["king"] is not None:
        occupied.add(square_at(position["king"]))
    for castle in find_castles(heights):
        body = as_path(castle_outline(castle))
        shadow = body.transformed(Affine2D().translate(0.055, -0.065))
        axes.add_patch(PathPatch(shadow, fc="#3a3a2a", alpha=0.28, lw=0, zorder=2))
        outline = PathPatch(body, fill=False, ec=OUTLINE, lw=1.8, zorder=4)
        outline.set_gid("castle-" + square_name(min(castle)))
        axes.add_patch(outline)
        for square in sorted(castle):
            draw_blocks(axes, square, heights, outline)
        if len(castle) > 1:
            draw_area(axes, area_square(castle, occupied), len(castle))


def draw_area(axes: Axes, square: Square, area: int) -> None:
    """Write a castle's area, which multiplies a knight's level, onto a tag on one square."""
    x, y = square
    tag = {"boxstyle": "round,pad=0.18", "fc": PAPER, "ec": OUTLINE, "lw": 0.8}
    options = {"ha": "right", "bbox": tag, "zorder": 9, "gid": "area-" + square_name(square)}
    write(axes, x + 0.435, y - 0.345, f"×{area}", 8.5, **options)


def draw_blocks(axes: Axes, square: Square, heights: Mapping[Square, int], outline: PathPatch) -> None:
    """Draw the blocks of one square from above, with an edge towards each lower neighbour."""
    x, y = square
    top = Rectangle((x - 0.5, y - 0.5), 1, 1, fc=shade(heights[square]), ec=OUTLINE, lw=0.5)
    top.set(zorder=3, gid="square-" + square_name(square))
    axes.add_patch(top)
    top.set_clip_path(outline)
    neighbours = [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]
    drops = [max(0, heights[square] - heights.get(neighbour, 0)) for neighbour in neighbours]
    south, east, north, west = (min(0.045 + 0.015 * drop, 0.11) if drop else 0.0 for drop in drops)
    outer = [(x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5)]
    left, right, low, high = x - 0.5 + west, x + 0.5 - east, y - 0.5 + south, y + 0.5 - north
    inner = [(left, low), (right, low), (right, high), (left, high)]
    for side, (colour, alpha) in enumerate([("black", 0.3), ("black", 0.18), ("white", 0.5), ("white", 0.3)]):
        after = (side + 1) % 4
        edge = Polygon([outer[side], outer[after], inner[after], inner[side]], fc=colour, alpha=alpha)
        edge.set(lw=0, zorder=3)
        axes.add_patch(edge)
        edge.set_clip_path(outline)


def draw_heights(axes: Axes, position: Position, busy: Iterable[Square] = ()) -> None:
    """Write the height of every tower, in the corner where a piece stands on it."""
    occupied = {square_name(square) for square in busy}
    occupied |= {name for player in position["players"] for name in player["knights"]}
    occupied.add(position["king"])
    for (x, y), height in read_heights(position).items():
        if height:
            name = square_name((x, y))
            options: dict[str, Any] = {
                "weight": "bold",
                "color": ink_on(shade(height)),
                "zorder": 5,
            }
            if name in occupied:
                options |= {"x": x - 0.39, "y": y + 0.28, "size": 14}
            else:
                options |= {"x": x, "y": y - 0.01, "size": 21, "ha": "center"}
            write(axes, words=str(height), gid=f"height-{name}", **options)


def draw_pieces(axes: Axes, position: Position) -> None:
    """Draw all knights and the king."""
    heights = read_heights(position)
    for seat, livery in enumerate(liveries(position)):
        for name in position["players"][seat]["knights"]:
            centre = piece_centre(square_at(name), heights)
            draw_knight(axes, livery, centre, RADIUS, 14, gid=f"knight-{seat}-{name}")
    if position["king"] is not None:
        centre = piece_centre(square_at(position["king"]), heights)
        draw_king(axes, centre, gid="king-" + position["king"])


def draw_king(axes: Axes, centre: tuple[float, float], *, gid: str) -> None:
    """Draw the king: a golden crown on a dark disc."""
    place = Affine2D().scale(RADIUS * 1.12).translate(*centre)
    disc = place.transform_path(Path.unit_circle())
    axes.add_patch(PathPatch(disc, fc=KING_COLOUR, ec="white", lw=4, zorder=6))
    axes.add_patch(PathPatch(disc, fc=KING_COLOUR, ec=KING_INK, lw=1.5, zorder=7, gid=gid))
    crown = PathPatch(place.transform_path(as_path(CROWN)), fc=KING_INK, ec=KING_INK, lw=1, zorder=8)
    crown.set(joinstyle="round", gid=f"{gid}-crown")
    axes.add_patch(crown)
    for x, y in CROWN_PEARLS:
        pearl = Path.unit_circle().transformed(Affine2D().scale(0.13).translate(x, y) + place)
        axes.add_patch(PathPatch(pearl, fc=KING_INK, lw=0, zorder=8))
