"""Small charts for a page: they stretch with their place, take its colours, and leave all words to the page."""

from collections.abc import Sequence
from typing import Protocol

from torres_mcts.analysis.report import Board, Spread
from torres_mcts.plotting.page.board_svg import UNIT, at, board_frame, square_box, text
from torres_mcts.plotting.page.markup import Markup, element, join
from torres_mcts.plotting.terminal import SIDE

Range = tuple[float, float]
QUANTILES = ("5", "25", "50", "75", "95")


class Measured(Protocol):
    """A value with its 95 % interval, of whatever kind."""

    @property
    def mean(self) -> float: ...
    @property
    def ci95(self) -> tuple[float, float]: ...


def stretched(*parts: Markup | None, kind: str) -> Markup:
    """Return a drawing 100 wide and 10 high that fills its place, whatever its shape."""
    box = {"viewBox": "0 0 100 10", "preserveAspectRatio": "none", "aria_hidden": "true"}
    return element("svg", *parts, class_=f"chart {kind}", **box)


def box(left: float, right: float, top: float, bottom: float, kind: str) -> Markup:
    """Draw a box between two places of a chart."""
    return element("rect", x=left, y=top, width=max(0.0, right - left), height=bottom - top, class_=kind)


def line(x0: float, y0: float, x1: float, y1: float, kind: str) -> Markup:
    """Draw a line of a chart, as thick in a wide place as in a narrow one."""
    return element("line", x1=x0, y1=y0, x2=x1, y2=y1, class_=kind)


def place(value: float, scale: Range) -> float:
    """Return where a value stands on a scale, in hundredths; values beyond it stand at its ends.

    >>> place(3, (2, 4)), place(9, (2, 4))
    (50.0, 100.0)
    """
    low, high = scale
    return 100.0 * min(1.0, max(0.0, (value - low) / ((high - low) or 1)))


def whisker(estimate: Measured, scale: Range) -> Markup:
    """Draw the interval of an estimate."""
    low, high = (place(bound, scale) for bound in estimate.ci95)
    ends = [line(end, 2.5, end, 7.5, "whisker") for end in (low, high)]
    return join(line(low, 5, high, 5, "whisker"), *ends)


def probability_bar(estimate: Measured) -> Markup:
    """Draw a probability as a bar from 0 to 1 with its interval."""
    end = place(estimate.mean, (0, 1))
    return stretched(
        box(0, 100, 0, 10, "track"), box(0, end, 0, 10, "fill"), whisker(estimate, (0, 1)), kind="probability"
    )


def share_bar(share: float) -> Markup:
    """Draw a plain share as a bar from 0 to 1."""
    return stretched(box(0, 100, 0, 10, "track"), box(0, place(share, (0, 1)), 0, 10, "fill"), kind="share")


def difference_mark(estimate: Measured, scale: Range) -> Markup:
    """Draw a difference with its interval on a scale that has a line at 0."""
    zero, mean = place(0, scale), place(estimate.mean, scale)
    return stretched(
        box(0, 100, 0, 10, "track"),
        line(zero, 0, zero, 10, "zero"),
        whisker(estimate, scale),
        line(mean, 0.5, mean, 9.5, "mean"),
        kind="difference",
    )


def spread_box(spread: Spread, now: float, scale: Range) -> Markup:
    """Draw how far outcomes spread: nine in ten, one in two, the median, the mean; and the present value."""
    marks = {key: place(spread.quantiles[key], scale) for key in QUANTILES if key in spread.quantiles}
    parts = [box(0, 100, 0, 10, "track"), line(place(now, scale), 0, place(now, scale), 10, "now")]
    if "5" in marks and "95" in marks:
        parts += [line(marks["5"], 5, marks["95"], 5, "tail")]
        parts += [line(marks[end], 3, marks[end], 7, "tail") for end in ("5", "95")]
    if "25" in marks and "75" in marks:
        parts.append(box(marks["25"], marks["75"], 1.5, 8.5, "half"))
    if "50" in marks:
        parts.append(line(marks["50"], 1.5, marks["50"], 8.5, "median"))
    mean = place(spread.mean, scale)
    return stretched(*parts, line(mean, 0, mean, 10, "mean"), kind="spread")


def places_bar(places: Sequence[float]) -> Markup:
    """Draw the probabilities of the places as one bar, the first place first."""
    parts, start = [], 0.0
    for index, share in enumerate(places):
        parts.append(box(start, start + 100 * share, 0, 10, f"place place-{min(index + 1, 4)}"))
        start += 100 * share
    return stretched(*parts, kind="places")


def heat_map(board: Board, *, most: float, decimals: int = 0, factor: float = 1.0, label: str) -> Markup:
    """Draw a board of numbers, coloured up to the most and written after multiplying by the factor."""
    cells = []
    for row, values in enumerate(board):
        for file, value in enumerate(values):
            rank = SIDE - 1 - row
            part = min(1.0, max(0.0, value / most if most else 0.0))
            words = f"{factor * value:.{decimals}f}"
            if part > 0:
                cells.append(square_box((file, rank), 0.75, rx=3, fill_opacity=round(part, 2), class_="heat"))
            if float(words):
                cells.append(text(*at(file, rank), words, 0.32 * UNIT))
    return board_frame(element("g", *cells, font_size=0.32 * UNIT, class_="numbers"), label=label, kind="board map")
