"""Shapes that every drawing of a board shares: castles with their outlines, knights, the king's crown.

A shape is a list of steps in the letters of SVG: M to start, L for a line, Q for a curve with its control point, Z to
close. Lengths are in squares with a1 at (0, 0) and ranks upward, those of pieces in radii.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from torres_mcts.plotting.terminal import Square

Step = tuple[str, list[tuple[float, float]]]
Corner = tuple[int, int]

INSET, ROUNDING = 0.035, 0.09  # of a castle's outline, in squares
RADIUS = 0.28  # of a knight, in squares
START_ROOM, END_ROOM = 0.08, 0.27  # between the ends of an arrow and the middles of its squares
BESIDE_NUMBER = (0.08, -0.07)  # where a piece stands on a tower, to leave its number free


def polygon(*points: tuple[float, float]) -> list[Step]:
    """Return the closed shape through some points."""
    return [("M", [points[0]]), *(("L", [point]) for point in points[1:]), ("Z", [])]


SHAPES: dict[str, list[Step]] = {  # of knights, about as wide and high as a circle of radius 1; the circle is no path
    "square": polygon((-0.92, -0.92), (0.92, -0.92), (0.92, 0.92), (-0.92, 0.92)),
    "diamond": polygon((0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)),
    "shield": [
        ("M", [(-0.95, 0.9)]),
        ("L", [(0.95, 0.9)]),
        ("L", [(0.95, 0.05)]),
        ("Q", [(0.95, -0.75), (0, -1.2)]),
        ("Q", [(-0.95, -0.75), (-0.95, 0.05)]),
        ("Z", []),
    ],
}
CROWN = polygon((-0.58, -0.45), (0.58, -0.45), (0.74, 0.38), (0.3, 0.02), (0, 0.62), (-0.3, 0.02), (-0.74, 0.38))
CROWN_PEARLS = [(-0.74, 0.42), (0, 0.64), (0.74, 0.42)]


def find_castles(heights: Mapping[Square, int]) -> list[frozenset[Square]]:
    """Return the castles: the largest sets of squares with blocks that hang together by edges."""
    unseen = {square for square, height in heights.items() if height > 0}
    castles = []
    for start in sorted(unseen):
        castle, frontier = set[Square](), [start] if start in unseen else []
        while frontier:
            file, rank = frontier.pop()
            if (file, rank) in unseen:
                unseen.remove((file, rank))
                castle.add((file, rank))
                frontier += [(file + 1, rank), (file - 1, rank), (file, rank + 1), (file, rank - 1)]
        if castle:
            castles.append(frozenset(castle))
    return castles


def outline_loops(castle: Iterable[Square]) -> list[list[Corner]]:
    """Walk round the castle, and round its courtyards, with the castle to the left.

    A corner is named like the square above it and to its right.
    """
    squares = set(castle)
    edges: dict[Corner, list[Corner]] = defaultdict(list)
    for x, y in sorted(squares):
        corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
        beyond = [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]
        for side, neighbour in enumerate(beyond):
            if neighbour not in squares:
                edges[corners[side]].append(corners[(side + 1) % 4])
    loops = []
    while edges:
        start = next(iter(edges))
        loop = [start]
        while len(loop) == 1 or loop[-1] != start:
            here = loop[-1]
            x, y = loop[-2] if len(loop) > 1 else here
            left = (here[0] - (here[1] - y), here[1] + (here[0] - x))
            ways = edges[here]
            # Where two squares of a castle touch by a corner only, turning left keeps them apart.
            way = left if left in ways else ways[0]
            ways.remove(way)
            if not ways:
                del edges[here]
            loop.append(way)
        loops.append(loop[:-1])
    return loops


def castle_outline(castle: Iterable[Square]) -> list[Step]:
    """Return the castle's outline, a little inside its squares and with rounded corners."""
    steps: list[Step] = []
    for loop in outline_loops(castle):
        first = len(steps)
        for index, (x, y) in enumerate(loop):
            before, after = loop[index - 1], loop[(index + 1) % len(loop)]
            ax, ay, bx, by = x - before[0], y - before[1], after[0] - x, after[1] - y
            if (ax, ay) == (bx, by):
                continue
            px, py = x - 0.5 - INSET * (ay + by), y - 0.5 + INSET * (ax + bx)
            steps.append(("L", [(px - ROUNDING * ax, py - ROUNDING * ay)]))
            steps.append(("Q", [(px, py), (px + ROUNDING * bx, py + ROUNDING * by)]))
        steps[first] = ("M", steps[first][1])
        steps.append(("Z", []))
    return steps


def area_square(castle: Iterable[Square], occupied: Iterable[Square]) -> Square:
    """Return the square of a castle that bears its area: a free one, low, far to the right."""
    taken = set(occupied)
    return min(castle, key=lambda square: (square in taken, square[1], -square[0]))


def piece_centre(square: Square, heights: Mapping[Square, int]) -> tuple[float, float]:
    """Return where on its square a piece stands: a little aside if a number is there too."""
    x, y = BESIDE_NUMBER if heights[square] else (0, 0)
    return square[0] + x, square[1] + y
