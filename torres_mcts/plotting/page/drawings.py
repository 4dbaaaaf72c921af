"""Drawings of the report that take the colours of the page: matrices, violins, seats, courses of ratings."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from torres_mcts.plotting.page import charts
from torres_mcts.plotting.page.markup import Markup, element
from torres_mcts.tournaments.statistics.estimates import Estimate

DEEPEST = 60.0  # percent of colour at shares of 0 and 1: words stay readable on it in both themes
HALF_HEIGHT = 4.6  # of a violin, in a chart 10 high


class MatrixCell(NamedTuple):
    """What a matrix says of a pair."""

    share: float  # from 0 to 1: the colour
    words: str
    notes: tuple[str, ...]
    is_bold: bool


def matrix(names: Sequence[str], cell_of: Callable[[str, str], MatrixCell | None], label: str) -> Markup:
    """Write a matrix of agents, which scrolls in its own place where it is too wide."""
    heads = [element("th", number, scope="col", title=name) for number, name in enumerate(names, 1)]
    rows = []
    for number, one in enumerate(names, 1):
        cells = [_cell(None if one == other else cell_of(one, other), one == other, one, other) for other in names]
        name = element("th", element("span", one), element("span", number, class_="rank"), scope="row")
        rows.append(element("tr", name, *cells))
    table = element(
        "table",
        element("thead", element("tr", element("td"), *heads)),
        element("tbody", *rows),
        class_="matrix",
    )
    return element("div", table, class_="scroll", tabindex="0", role="region", aria_label=label)


def _cell(cell: MatrixCell | None, is_own: bool, one: str, other: str) -> Markup:
    if cell is None:
        return element("td", class_="own" if is_own else "unmet")
    part = 2 * abs(cell.share - 0.5) * DEEPEST
    words = element("b" if cell.is_bold else "span", cell.words, class_="share")
    notes = [element("small", note) for note in cell.notes]
    kind = "ahead" if cell.share >= 0.5 else "behind"
    return element("td", words, *notes, class_=kind, style=f"--part:{part:.0f}%", title=f"{one} against {other}")


def violin(grid: np.ndarray, density: np.ndarray, quantiles: Sequence[float]) -> Markup:
    """Draw how values spread: their density, nine in ten, half of them, the median."""
    scale = float(grid[0]), float(grid[-1])
    low, lower, median, upper, high = (charts.place(value, scale) for value in quantiles)
    xs = [charts.place(float(value), scale) for value in grid]
    above = [(x, 5 - HALF_HEIGHT * float(part)) for x, part in zip(xs, density, strict=True) if part > 0.002]
    below = [(x, 10 - y) for x, y in reversed(above)]
    return charts.stretched(
        element("path", d=path_of([*above, *below]) + "Z", class_="cloud"),
        charts.line(low, 5, high, 5, "tail"),
        charts.box(lower, upper, 3.4, 6.6, "half"),
        charts.line(median, 2.6, median, 7.4, "median"),
        kind="violin",
    )


def path_of(points: Sequence[tuple[float, float]]) -> str:
    """Return a way through points as SVG writes it.

    >>> path_of([(0.0, 1.0), (2.25, 3.0)])
    'M0.0 1.0L2.2 3.0'
    """
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def seat_bar(share: Estimate, fair: float, most: float) -> Markup:
    """Draw the share of a seat with its interval and the fair share."""
    scale = 0.0, max(most, fair)
    level = charts.place(fair, scale)
    return charts.stretched(
        charts.box(0, 100, 0, 10, "track"),
        charts.box(0, charts.place(share.mean, scale), 0, 10, "fill"),
        charts.line(level, 0, level, 10, "fair"),
        charts.whisker(share, scale),
        kind="seat-bar",
    )


def course(steps: Sequence[tuple[int, Estimate]], scale: charts.Range, last: int) -> Markup:
    """Draw a rating over the number of blocks, with the band of its intervals and its last value."""

    def up(value: float) -> float:
        return 10 - charts.place(value, scale) / 10

    xs = [charts.place(blocks, (0, last)) for blocks, _ in steps]
    top = [(x, up(elo.high)) for x, (_, elo) in zip(xs, steps, strict=True)]
    bottom = [(x, up(elo.low)) for x, (_, elo) in zip(xs, steps, strict=True)]
    way = [(x, up(elo.mean)) for x, (_, elo) in zip(xs, steps, strict=True)]
    end = way[-1][1]
    return charts.stretched(
        charts.box(0, 100, 0, 10, "track"),
        element("path", d=path_of([*top, *reversed(bottom)]) + "Z", class_="band"),
        charts.line(0, end, 100, end, "zero"),
        element("path", d=path_of(way), class_="way"),
        kind="course",
    )
