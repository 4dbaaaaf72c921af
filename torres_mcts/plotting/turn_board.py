"""Draw a position with a turn on it as a figure: arrows, new blocks, new knights, cards played."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, PathPatch
from matplotlib.patheffects import Normal, Stroke
from matplotlib.transforms import Affine2D

from torres_mcts.plotting.board import RADIUS, draw_field, new_figure, save_drawing
from torres_mcts.plotting.geometry import END_ROOM, START_ROOM, piece_centre
from torres_mcts.plotting.page.board_svg import towards, turn_svg
from torres_mcts.plotting.panel import as_path, draw_panel, knight_path, write
from torres_mcts.plotting.terminal import Livery, Square, liveries, square_name
from torres_mcts.plotting.turn_trace import Leg, Trace, Way, aside_words, board_after, trace_turn

__all__ = ["draw_turn", "turn_figure", "turn_svg"]

MARK, MARK_INK, PLAIN = "#a3117f", "#ffffff", "#fff4fb"  # a red purple that no player wears


def draw_turn(
    position: Mapping[str, Any],
    actions: Sequence[str],
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    dpi: int = 150,
) -> None:
    """Draw a position with a turn on it into a .png or .svg file, which appears whole or not at all."""
    save_drawing(lambda: turn_figure(position, actions, title=title), path, dpi=dpi)


def turn_figure(position: Mapping[str, Any], actions: Sequence[str], *, title: str | None = None) -> Figure:
    """Draw the board as a turn leaves it, with what has changed marked; the players as they were before."""
    trace = trace_turn(position, actions)
    figure, board, panel = new_figure(title or " ".join(actions) or None)
    draw_field(board, board_after(position, trace), busy=trace.busy())
    draw_panel(panel, position)
    worn = liveries(position)
    for square in trace.changed():
        draw_frame(board, square)
    for way in trace.ways:
        if way.piece >= 0:
            draw_ghost(board, worn[way.piece], way.legs[0].origin, trace)
    for way in trace.ways:
        draw_way(board, way, trace)
    draw_tags(board, trace)
    write_asides(board, trace)
    return figure


def draw_frame(axes: Axes, square: Square) -> None:
    """Frame a square on which something is different."""
    corner = (square[0] - 0.43, square[1] - 0.43)
    frame = FancyBboxPatch(corner, 0.86, 0.86, boxstyle="round,pad=0,rounding_size=0.09", fill=False, ec=MARK, lw=2.2)
    frame.set(zorder=5, gid="changed-" + square_name(square))
    axes.add_patch(frame)


def draw_ghost(axes: Axes, livery: Livery, square: Square, trace: Trace) -> None:
    """Draw pale and dashed the knight that stood here."""
    x, y = piece_centre(square, trace.heights)
    path = knight_path(livery).transformed(Affine2D().scale(RADIUS * 0.95).translate(x, y))
    ghost = PathPatch(path, fc=livery.colour, alpha=0.3, lw=0, zorder=5)
    edge = PathPatch(path, fill=False, ec=MARK, lw=1.3, linestyle=(0, (2.5, 2)), zorder=5)
    edge.set_gid("ghost-" + square_name(square))
    axes.add_patch(ghost)
    axes.add_patch(edge)


def draw_way(axes: Axes, way: Way, trace: Trace) -> None:
    """Draw where a piece went: an arrow through all its stops, dashed where a card helped."""
    for index, leg in enumerate(way.legs):
        draw_leg(axes, leg, trace.bend(leg), starts=index == 0, ends=index == len(way.legs) - 1)


def draw_leg(axes: Axes, leg: Leg, bend: tuple[float, float], *, starts: bool, ends: bool) -> None:
    """Draw one step of a way, with room for the piece on its last square and a little for the ghost on its first."""
    start = towards(leg.origin, bend, START_ROOM if starts else 0.0)
    end = towards(leg.target, bend, END_ROOM if ends else 0.0)
    path = as_path([("M", [start]), ("Q", [bend, end])])
    arrow = FancyArrowPatch(path=path, arrowstyle="-|>" if ends else "-", mutation_scale=20)
    arrow.set(color=MARK, lw=3, zorder=10, capstyle="round", gid=f"way-{square_name(leg.origin)}")
    arrow.set_path_effects([Stroke(linewidth=6, foreground="white"), Normal()])
    if leg.card:
        arrow.set_linestyle((0, (2.2, 1.8)))
    axes.add_patch(arrow)
    if not ends:
        x, y = leg.target
        axes.plot([x], [y], "o", color=MARK, ms=7, mec="white", mew=1.5, zorder=11)


def draw_tags(axes: Axes, trace: Trace) -> None:
    """Write onto their squares how many blocks came or went, which knights are new, and the cards played."""
    for (x, y), blocks in sorted(trace.built.items()):
        if blocks:
            words = f"{blocks:+d}".replace("-", "−")
            draw_tag(axes, x + 0.27, y + 0.33, words, f"built-{square_name((x, y))}")
    for x, y in trace.placed:
        draw_tag(axes, x + 0.08, y - 0.38, "new", f"new-{square_name((x, y))}", size=8.5)
    for card, place in trace.cards:
        if place is not None:
            draw_tag(axes, place[0], place[1] - 0.4, card, f"card-{square_name(place)}", size=8.5, is_card=True)


def draw_tag(
    axes: Axes, x: float, y: float, words: str, gid: str, *, size: float = 10.5, is_card: bool = False
) -> None:
    """Write words onto a little tag."""
    box = {"boxstyle": "round,pad=0.2", "fc": PLAIN if is_card else MARK, "ec": MARK, "lw": 1.2}
    colour = MARK if is_card else MARK_INK
    write(axes, x, y, words, size, ha="center", weight="bold", color=colour, bbox=box, zorder=12, gid=gid)


def write_asides(axes: Axes, trace: Trace) -> None:
    """Write below the board what does not show on it."""
    words = aside_words(trace)
    if words:
        write(axes, -0.5, -0.98, "also: " + ", ".join(words), 8.5, weight="bold", color=MARK, gid="asides")
