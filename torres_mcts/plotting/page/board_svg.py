"""Draw a board as a small SVG for a page: its colours come from the page, so that it suits light and dark."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from torres_mcts.plotting.geometry import (
    CROWN,
    CROWN_PEARLS,
    END_ROOM,
    RADIUS,
    SHAPES,
    START_ROOM,
    Step,
    area_square,
    castle_outline,
    find_castles,
    piece_centre,
    polygon,
)
from torres_mcts.plotting.page.markup import Markup, element, join, short
from torres_mcts.plotting.terminal import SIDE, Livery, Square, ink_on, liveries, shade, unplayable_squares
from torres_mcts.plotting.turn_trace import BLOCK, KING, Trace, Way, aside_words, trace_turn

UNIT = 40.0  # of a square, in units of the drawing
LEFT, TOP, RIGHT, BOTTOM = 16.0, 2.0, 2.0, 18.0
CHIP_HEIGHT = 20.0
DISC = UNIT * RADIUS
HEAD_LENGTH, HEAD_WIDTH = 0.25, 0.27  # of an arrow, in squares
Point = tuple[float, float]


def turn_svg(position: Mapping[str, Any], actions: Sequence[str] = (), *, label: str | None = None) -> Markup:
    """Draw the board as a turn leaves it, with everything that the turn changes marked on it."""
    trace = trace_turn(position, actions)
    chips = aside_words(trace)
    worn = liveries(position)
    return board_frame(
        castles(trace),
        marked_squares(trace),
        pieces(trace, worn),
        *(area_tag(square, area) for square, area in area_bearers(trace).items()),
        *(arrow(way, trace) for way in trace.ways),
        tags(trace),
        chip_row(chips),
        closed=unplayable_squares(position),
        label=label or ("Board after " + " ".join(actions) if actions else "Board"),
        more=CHIP_HEIGHT if chips else 0.0,
    )


def board_frame(
    *parts: Markup | None, label: str, kind: str = "board", closed: Iterable[Square] = (), more: float = 0.0
) -> Markup:
    """Draw an empty board and some parts on it, with more room below."""
    width, height = LEFT + SIDE * UNIT + RIGHT, TOP + SIDE * UNIT + BOTTOM + more
    box = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {short(width)} {short(height)}"}
    return element("svg", ground(closed), *parts, **box, class_=kind, role="img", aria_label=label)


def at(x: float, y: float) -> Point:
    """Return a point of the board, in squares, as a point of the drawing."""
    return LEFT + (x + 0.5) * UNIT, TOP + (SIDE - 0.5 - y) * UNIT


def path_data(steps: Sequence[Step], centre: Point | None = None, scale: float = 1.0) -> str:
    """Write a shape as the data of a path: on the board, or about a centre of the drawing."""
    words = []
    for letter, points in steps:
        places = [at(*p) if centre is None else (centre[0] + scale * p[0], centre[1] - scale * p[1]) for p in points]
        words.append(letter + " ".join(f"{short(float(x))} {short(float(y))}" for x, y in places))
    return "".join(words)


def text(x: float, y: float, words: Any, size: float, **attributes: Any) -> Markup:
    """Write words of a size, which whatever is around them sets, with their centre at a point of the drawing."""
    return element("text", words, x=float(x), y=float(y + 0.36 * size), **attributes)


def square_box(square: Square, inset: float = 0.0, **attributes: Any) -> Markup:
    """Draw the box of a square."""
    x, y = at(square[0] - 0.5, square[1] + 0.5)
    side = UNIT - 2 * inset
    return element("rect", x=x + inset, y=y + inset, width=side, height=side, **attributes)


def ground(closed: Iterable[Square]) -> Markup:
    """Draw the bare board with the names of files and ranks."""
    x, y = at(-0.5, SIDE - 0.5)
    odd = "".join(
        f"M{point(at(file - 0.5, rank + 0.5))}h40v40h-40z"
        for file in range(SIDE)
        for rank in range(SIDE)
        if (file + rank) % 2
    )
    names = [text(at(index, 0)[0], TOP + SIDE * UNIT + 9, "abcdefgh"[index], 11.0) for index in range(SIDE)]
    names += [text(LEFT / 2 - 1, at(0, index)[1], index + 1, 11.0) for index in range(SIDE)]
    return join(
        element("rect", x=x, y=y, width=SIDE * UNIT, height=SIDE * UNIT, class_="field"),
        element("path", d=odd, class_="field odd"),
        *(square_box(square, class_="closed") for square in sorted(closed)),
        element("rect", x=x, y=y, width=SIDE * UNIT, height=SIDE * UNIT, class_="edge"),
        element("g", *names, font_size=11, class_="names"),
    )


def castles(trace: Trace) -> Markup:
    """Draw every castle as one body with the heights of its towers."""
    parts = []
    for castle in find_castles(trace.heights):
        outline = path_data(castle_outline(castle))
        parts.append(element("path", d=outline, class_="shadow", transform="translate(1.5 2)"))
        for height in sorted({trace.heights[square] for square in castle}):
            tops = "".join(stone(square, castle) for square in sorted(castle) if trace.heights[square] == height)
            parts.append(element("path", d=tops, fill=shade(height), class_="stone"))
        parts.append(element("path", d=outline, class_="castle"))
    return join(*parts, heights(trace))


def stone(square: Square, castle: frozenset[Square]) -> str:
    """Return the box of a tower's top, a little smaller where the castle ends, under the outline's round corners."""
    x, y = square
    beyond = [(x - 1, y), (x + 1, y), (x, y + 1), (x, y - 1)]
    west, east, north, south = (0.0 if neighbour in castle else 1.6 for neighbour in beyond)
    left, top = at(x - 0.5, y + 0.5)
    width = short(UNIT - west - east)
    return f"M{point((left + west, top + north))}h{width}v{short(UNIT - north - south)}h-{width}z"


def heights(trace: Trace) -> Markup:
    """Write the height of every tower, in the corner where something else is drawn on it."""
    busy = trace.busy()
    bearers = area_bearers(trace)
    groups: dict[tuple[str, float], list[Markup]] = {}
    for (x, y), height in sorted(trace.heights.items()):
        if height:
            size = 13.0 if (x, y) in busy else 18.0
            aside = 0.31 if (x, y) in busy else 0.07 * ((x, y) in bearers)
            place = at(x - aside, y + 0.9 * aside)
            groups.setdefault((ink_on(shade(height)), size), []).append(text(*place, height, size))
    return join(
        *(element("g", *texts, fill=ink, font_size=size, class_="height") for (ink, size), texts in groups.items())
    )


def area_bearers(trace: Trace) -> dict[Square, int]:
    """Return the squares that bear the areas of their castles."""
    busy = trace.busy()
    return {area_square(castle, busy): len(castle) for castle in find_castles(trace.heights) if len(castle) > 1}


def area_tag(square: Square, area: int) -> Markup:
    """Write a castle's area, which multiplies a knight's level, in the corner of one of its squares."""
    words = f"×{area}"
    width = 5.0 + 5.2 * len(words)
    x, y = at(square[0] + 0.5, square[1] - 0.5)
    box = element("rect", x=x - width - 2.5, y=y - 13.5, width=width, height=11, rx=2.5)
    return element("g", box, text(x - width / 2 - 2.5, y - 8, words, 8.5), font_size=8.5, class_="area")


def marked_squares(trace: Trace) -> Markup:
    """Frame every square on which something is different."""
    return join(*(square_box(square, 2.5, rx=4, class_="changed") for square in trace.changed()))


def pieces(trace: Trace, worn: Sequence[Livery]) -> Markup:
    """Draw knights and king where the turn leaves them, and ghosts where they came from."""
    parts = []
    for way in trace.ways:
        origin = way.legs[0].origin
        if way.piece >= 0:
            parts.append(knight(worn[way.piece], piece_centre(origin, trace.heights), "knight ghost"))
        elif way.piece == KING:
            parts.append(king(piece_centre(origin, trace.heights), "king ghost"))
    for livery, squares in zip(worn, trace.knights, strict=True):
        parts += [knight(livery, piece_centre(square, trace.heights), "knight") for square in sorted(squares)]
    if trace.king is not None:
        parts.append(king(piece_centre(trace.king, trace.heights), "king"))
    return join(*parts)


def knight(livery: Livery, place: Point, kind: str) -> Markup:
    """Draw a knight in a player's livery: shape, colour and letter."""
    x, y = at(*place)
    letter = text(x, y, livery.letter, 12.0, fill=livery.ink)
    return element("g", knight_body(livery, (x, y), DISC), letter, font_size=12, class_=kind)


def knight_body(livery: Livery, centre: Point, radius: float) -> Markup:
    """Draw the shape of a player's knights."""
    if livery.shape == "circle":
        return element("circle", cx=centre[0], cy=centre[1], r=radius, fill=livery.colour)
    return element("path", d=path_data(SHAPES[livery.shape], centre, radius), fill=livery.colour)


def king(place: Point, kind: str) -> Markup:
    """Draw the king: a golden crown on a dark disc."""
    x, y = at(*place)
    size = 0.9 * DISC
    pearls = [element("circle", cx=x + size * dx, cy=y - size * dy, r=1.6, class_="crown") for dx, dy in CROWN_PEARLS]
    disc = element("circle", cx=x, cy=y, r=1.15 * DISC, class_="disc")
    return element("g", disc, element("path", d=path_data(CROWN, (x, y), size), class_="crown"), *pearls, class_=kind)


def arrow(way: Way, trace: Trace) -> Markup:
    """Draw where a piece went: one arrow through all its stops, dashed where a card helped."""
    halos, lines, ends = [], [], []
    for index, leg in enumerate(way.legs):
        is_last = index == len(way.legs) - 1
        bend = trace.bend(leg)
        start = towards(leg.origin, bend, START_ROOM if index == 0 else 0.0)
        tip = towards(leg.target, bend, END_ROOM if is_last else 0.0)
        base = towards(leg.target, bend, END_ROOM + HEAD_LENGTH) if is_last else tip
        line = path_data([("M", [start]), ("Q", [bend, base])])
        halos.append(line)
        lines.append(element("path", d=line, class_="leg by-card" if leg.card else "leg"))
        if is_last:
            ends.append(element("path", d=path_data(head(base, tip)), class_="head"))
        else:
            x, y = at(*leg.target)
            ends.append(element("circle", cx=x, cy=y, r=3.2, class_="head"))
    halo = element("path", d="".join(halos), class_="halo")
    return element("g", halo, *lines, *ends, class_="way of-block" if way.piece == BLOCK else "way")


def towards(origin: Point, target: Point, distance: float) -> Point:
    """Return the point so far from one place towards another."""
    dx, dy = target[0] - origin[0], target[1] - origin[1]
    part = distance / (math.hypot(dx, dy) or 1.0)
    return origin[0] + part * dx, origin[1] + part * dy


def head(base: Point, tip: Point) -> list[Step]:
    """Return the head of an arrow."""
    dx, dy = tip[0] - base[0], tip[1] - base[1]
    wide = HEAD_WIDTH / 2 / (math.hypot(dx, dy) or 1.0)
    return polygon(tip, (base[0] - wide * dy, base[1] + wide * dx), (base[0] + wide * dy, base[1] - wide * dx))


def point(place: Point) -> str:
    """Write a point of a path."""
    return f"{short(float(place[0]))} {short(float(place[1]))}"


def tags(trace: Trace) -> Markup:
    """Write onto their squares how many blocks came or went, which knights are new, and the cards played."""
    parts = []
    for (x, y), blocks in sorted(trace.built.items()):
        if blocks:
            parts.append(tag(*at(x + 0.27, y + 0.33), f"{blocks:+d}".replace("-", "−"), 9.5))
    parts += [tag(*at(x + 0.08, y - 0.36), "new", 8.0) for x, y in trace.placed]
    for card, place in trace.cards:
        if place is not None:
            parts.append(tag(*at(place[0], place[1] - 0.37), card, 8.0, kind="card"))
    return element("g", *parts, class_="tags") if parts else Markup("")


def tag(x: float, y: float, words: str, size: float, *, kind: str = "tag") -> Markup:
    """Write words onto a little tag."""
    width = 5.0 + 0.6 * size * len(words)
    x = min(max(x, LEFT + width / 2 + 1), LEFT + SIDE * UNIT - width / 2 - 1)
    high = size + 3.0
    box = element("rect", x=x - width / 2, y=y - high / 2, width=width, height=high, rx=3)
    return element("g", box, text(x, y, words, size), font_size=size, class_=kind)


def chip_row(words: Sequence[str]) -> Markup | None:
    """Write below the board what does not show on it."""
    if not words:
        return None
    x, y = LEFT, TOP + SIDE * UNIT + BOTTOM
    parts = []
    for word in words:
        width = 12.0 + 6.3 * len(word)
        box = element("rect", x=x, y=y, width=width, height=CHIP_HEIGHT - 3, rx=8)
        parts += [box, text(x + width / 2, y + CHIP_HEIGHT / 2 - 1.5, word, 11.0)]
        x += width + 6
    return element("g", *parts, font_size=11, class_="chips")
