"""Marks that several pictures share: intervals, names of rows, scales for numbers that may be infinite."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from torres_mcts.plotting.pictures.frame import LINE, QUIET, SMALL_SIZE, TEXT_SIZE, text_width
from torres_mcts.tournaments.statistics.estimates import Estimate

GAP = 0.12  # inches between a name and what it names
WIDEST_NOTE = 44  # letters of a note below a name
Range = tuple[float, float]


def elo_words(value: float) -> str:
    """Write a rating.

    >>> elo_words(12.4), elo_words(-0.2), elo_words(-31)
    ('+12', '0', '−31')
    """
    words = f"{value:+.0f}"
    return "0" if float(words) == 0 else words.replace("-", "−")


def elo_interval(estimate: Estimate) -> str:
    """Write the interval of a rating.

    >>> elo_interval(Estimate(3.0, 2.0, -1.2, 7.2)), elo_interval(Estimate(3.0, math.inf, -math.inf, math.inf))
    ('−1 to +7', 'not known')
    >>> elo_interval(Estimate(0.0, 0.0, 0.0, 0.0))
    'fixed'
    """
    if estimate.low == estimate.high:
        return "fixed"
    if not (math.isfinite(estimate.low) and math.isfinite(estimate.high)):
        return "not known"
    return f"{elo_words(estimate.low)} to {elo_words(estimate.high)}"


def scale_for(estimates: Iterable[Estimate], *, least: float) -> Range:
    """Return the ends of a scale on which all finite values have room, and zero.

    >>> scale_for([Estimate(10.0, 5.0, 0.0, 20.0), Estimate(5.0, math.inf, -math.inf, math.inf)], least=40)
    (-14.0, 34.0)
    """
    values = [0.0] + [value for each in estimates for value in (each.mean, each.low, each.high) if math.isfinite(value)]
    low, high = min(values), max(values)
    room = max(0.0, least - (high - low)) / 2 + 0.1 * max(least, high - low)
    return low - room, high + room


def shorten_middle(words: str, letters: int = WIDEST_NOTE) -> str:
    """Cut a long text in its middle, where agents differ least.

    >>> shorten_middle("turns:iterations=64,temperature=2", 20)
    'turns:iterat…ature=2'
    """
    if len(words) <= letters:
        return words
    end = (letters - 1) * 2 // 5
    return f"{words[: letters - 1 - end]}…{words[len(words) - end :]}"


def name_room(names: Iterable[str], notes: Iterable[str] = ()) -> float:
    """Return how many inches the names of rows take."""
    widths = [text_width(name, TEXT_SIZE, is_bold=True) for name in names]
    return max(widths + [text_width(note, SMALL_SIZE) for note in notes]) + GAP


def write_names(axes: Axes, names: Sequence[str], notes: Sequence[str] | None = None) -> None:
    """Write names left of the rows of axes, row 0 the top one, with quiet notes below them."""
    for row, name in enumerate(names):
        note = "" if notes is None else notes[row]
        options = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points", "ha": "right"}
        place, shift = (0, row), -72 * GAP
        if note:
            axes.annotate(name, place, (shift, 1), size=TEXT_SIZE, weight="bold", va="bottom", **options)  # type: ignore[arg-type]
            axes.annotate(note, place, (shift, -1), size=SMALL_SIZE, color=QUIET, va="top", **options)  # type: ignore[arg-type]
        else:
            axes.annotate(name, place, (shift, 0), size=TEXT_SIZE, weight="bold", va="center", **options)  # type: ignore[arg-type]


def draw_interval(axes: Axes, row: float, estimate: Estimate, scale: Range, colour: str, *, marker: str = "o") -> None:
    """Draw a value with its interval along a row; one without an end runs off the scale with an arrow."""
    low, high = max(estimate.low, scale[0]), min(estimate.high, scale[1])
    axes.plot([low, high], [row, row], color=colour, linewidth=2.5, solid_capstyle="butt", zorder=3)
    for end, is_cut, caret in ((low, estimate.low < low, 4), (high, estimate.high > high, 5)):
        if is_cut:
            axes.plot(end, row, marker=caret, color=colour, markersize=9, zorder=3, clip_on=False)
    axes.plot(estimate.mean, row, marker, color=colour, markersize=8, markeredgecolor="white", zorder=4)


def clear_rows(axes: Axes, count: int, scale: Range) -> None:
    """Prepare axes for rows from top to bottom along one scale."""
    axes.set(xlim=scale, ylim=(count - 0.5, -0.5), yticks=[])
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x", color=LINE, linewidth=0.7)
    axes.set_axisbelow(True)
    axes.tick_params(axis="x", length=0)


def mark_scale(axes: Axes, scale: Range, most: int) -> None:
    """Put at most so many numbers below a scale, none so near its ends that it would stick out."""
    room = 0.04 * (scale[1] - scale[0])
    ticks = MaxNLocator(most).tick_values(*scale)
    axes.set_xticks([tick for tick in ticks if scale[0] + room <= tick <= scale[1] - room])


def write_value(
    axes: Axes, row: float, words: str, *, size: float = TEXT_SIZE, shift: float = GAP, **options: Any
) -> None:
    """Write a value right of a row, shifted by some inches."""
    axes.annotate(
        words, (1, row), (72 * shift, 0), xycoords=("axes fraction", "data"), textcoords="offset points", size=size,
        va="center_baseline", **options,
    )  # fmt: skip
