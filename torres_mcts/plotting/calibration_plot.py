"""Draw what was said against what happened."""

import io

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from torres_mcts.plotting.review_plot import SETTINGS
from torres_mcts.studies.calibration import Calibration

SIZE, DPI = (6.0, 6.0), 150
COLOUR = "#0072b2"


def reliability_png(result: Calibration) -> bytes:
    """Return the reliability diagram as a PNG picture: 95 % intervals over games, numbers of positions beside."""
    plan, brier = result.plan, result.brier
    with matplotlib.rc_context(SETTINGS):
        figure = Figure(figsize=SIZE, dpi=DPI, layout="constrained")
        canvas, axes = FigureCanvasAgg(figure), figure.add_subplot()
        axes.plot([0, 100], [0, 100], color="#888888", linestyle=":", label="as good as its word")
        for tenth in result.tenths:
            ends = [100 * tenth.happened.low, 100 * tenth.happened.high]
            axes.plot([100 * tenth.said] * 2, ends, color=COLOUR, linewidth=1.5)
            axes.plot(100 * tenth.said, 100 * tenth.happened.mean, "o", color=COLOUR)
            axes.annotate(str(tenth.count), (100 * tenth.said, 100 * tenth.happened.mean), (6, -10), fontsize=8,
                          textcoords="offset points")  # fmt: skip
        axes.set(xlim=(-2, 102), ylim=(-2, 102), xlabel="said: wins in %", ylabel="happened: won in %")
        axes.set_title(
            f"Win probabilities of the analysis, {plan.rules.players} players, {plan.games} games\n"
            f"Brier score {brier.mean:.3f} ± {brier.mean - brier.low:.3f}, equal chances {result.plain_brier:.3f}",
            fontsize=10,
        )
        version = plan.to_dict()["version"]
        figure.text(
            0.99,
            0.005,
            f"torres-mcts {version}, {plan.agent}, {plan.iterations} iterations, seed {plan.seed}",
            ha="right",
            fontsize=6.5,
            color="#555555",
        )
        axes.grid(alpha=0.3)
        axes.legend(loc="upper left", fontsize=8)
        buffer = io.BytesIO()
        canvas.print_png(buffer)
    return buffer.getvalue()
