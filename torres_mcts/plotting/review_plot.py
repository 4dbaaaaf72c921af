"""Draw the win probabilities of a game, turn by turn, as a picture."""

import io
from typing import Any, NamedTuple

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from torres_mcts.analysis.review_report import Review
from torres_mcts.core.files import write_bytes
from torres_mcts.plotting.review_view import worn_in

SIZE, DPI = (9.0, 4.5), 150
MARKERS = {"shield": "v", "circle": "o", "diamond": "D", "square": "s"}
FALLBACK_MARKER = "o"
SETTINGS: dict[Any, Any] = {"font.family": "DejaVu Sans", "text.parse_math": False}


class CurvePoint(NamedTuple):
    """The win probability of a player after a turn."""

    turn: int
    win: float
    low: float
    high: float


def curve_of(review: Review, player: str) -> list[CurvePoint]:
    """Return the win probability of a player after every turn judged, and the result where the game is over."""
    points = [
        CurvePoint(turn.number, turn.wins[player].mean, *turn.wins[player].ci95)
        for turn in review.turns
        if turn.wins is not None
    ]
    if review.result.wins is not None and not review.interrupted and points:
        share = review.result.wins[player]
        points.append(CurvePoint(points[-1].turn + 1, share, share, share))
    return points


def draw_curve(review: Review, path: str) -> None:
    """Draw the curves of all players into a PNG file, written whole or not at all."""
    write_bytes(path, curve_png(review))


def curve_png(review: Review) -> bytes:
    """Return the curves of all players as a PNG picture."""
    with matplotlib.rc_context(SETTINGS):
        figure = Figure(figsize=SIZE, dpi=DPI, layout="constrained")
        canvas, axes = FigureCanvasAgg(figure), figure.add_subplot()
        for player, livery in worn_in(review).items():
            points = curve_of(review, player)
            turns, wins = [point.turn for point in points], [100 * point.win for point in points]
            low, high = [100 * point.low for point in points], [100 * point.high for point in points]
            marker = MARKERS.get(livery.shape, FALLBACK_MARKER)
            axes.fill_between(turns, low, high, color=livery.colour, alpha=0.2, linewidth=0)
            axes.plot(turns, wins, color=livery.colour, marker=marker, markersize=5, label=livery.name)
        for number in review.costliest:
            axes.axvline(number, color="#888888", linestyle=":", linewidth=1)
        axes.set(xlabel="turn", ylabel="wins in %", ylim=(-2, 102))
        axes.set_title("Win probability after each turn, as its player saw it (dotted: costliest turns)", fontsize=10)
        axes.grid(alpha=0.3)
        axes.legend(loc="best")
        buffer = io.BytesIO()
        canvas.print_png(buffer)
    return buffer.getvalue()
