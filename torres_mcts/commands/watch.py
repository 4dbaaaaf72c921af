"""What a running analysis shows on stderr, and what Ctrl-C does to it."""

import math
import signal
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

READING, SEARCHING = "reading the position", "finding the turns"
FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
BAR_WIDTH = 20
PLAIN_SIGNS = str.maketrans("━╌±" + FRAMES, "=.~" + "*" * len(FRAMES))  # for terminals with ASCII alone


class Watch:
    """A live view of an analysis on a terminal: iterations, the best turn so far, time left; silent elsewhere."""

    def __init__(self, *, is_on: bool = True) -> None:
        from rich.console import Console
        from rich.live import Live

        self.is_on = is_on
        self.console = Console(stderr=True, highlight=False)
        self.note = READING
        self.notice: str | None = None
        self.report: Any = None
        self.seen = self.began = time.monotonic()
        self.live = Live(self, console=self.console, transient=True, refresh_per_second=8)

    def __enter__(self) -> "Watch":
        self.announce(READING)
        return self

    def __exit__(self, *_error: Any) -> None:
        self.stop()

    def stop(self) -> None:
        """Clear the view, so that something can be printed."""
        self.live.stop()

    def announce(self, note: str) -> None:
        """Say what is being done until there is a report."""
        self.note, self.report = note, None
        if self.is_on and self.console.is_terminal and not self.live.is_started:
            self.live.start()

    def warn(self, notice: str) -> None:
        """Say, until there is a report, that it takes longer than usual."""
        self.notice, self.report = notice, None

    def show(self, report: Any) -> None:
        """Show a new report."""
        self.report, self.seen = report, time.monotonic()

    def __rich__(self) -> Any:
        line = self._line()
        if not self.console.encoding.startswith("utf"):
            line.plain = line.plain.translate(PLAIN_SIGNS).encode("ascii", "replace").decode()
        return line

    def _line(self) -> Any:
        from rich.text import Text

        now = time.monotonic()
        line = Text(f"{FRAMES[int(8 * now) % len(FRAMES)]} ", "cyan")
        if self.report is None or not self.report.turns:
            return line.append(f"{self.notice or self.note} ({now - self.began:.0f} s)", "default")
        engine, best = self.report.engine, self.report.turns[0]
        seconds = engine.seconds + now - self.seen
        share, left = _progress(engine.limit, engine.iterations, seconds)
        filled = round(BAR_WIDTH * share)
        line.append("━" * filled).append("╌" * (BAR_WIDTH - filled), "dim")
        margin = 50 * (best.win.ci95[1] - best.win.ci95[0])
        line.append(f" {left}, {engine.iterations:,} iterations, ", "default")
        line.append(f"wins {100 * best.win.mean:.1f} ± {margin:.1f} %", "bold default")
        line.append(f"\n  {' '.join(best.actions)}", "green")
        line.no_wrap, line.overflow = True, "ellipsis"
        return line


def _progress(limit: dict[str, Any], iterations: int, seconds: float) -> tuple[float, str]:
    """Return the share of the limit that is used up, and what is left of it in words."""
    shares = [(0.0, f"{seconds:.0f} s")]
    if limit.get("time"):
        shares.append((seconds / limit["time"], f"{max(0, math.ceil(limit['time'] - seconds))} s left"))
    if limit.get("iterations"):
        share = iterations / limit["iterations"]
        shares.append((share, f"{share:.0%}"))
    share, words = max(shares[1:] or shares)
    return min(1.0, share), words


class Interruption:
    """What Ctrl-C does: the first asks a running search to end, the next one ends it at once."""

    def __init__(self) -> None:
        self.is_asked = False
        self.is_searching = False
        self.usual: Any = None

    def __enter__(self) -> "Interruption":
        self.usual = signal.signal(signal.SIGINT, self._receive)
        return self

    def __exit__(self, *_error: Any) -> None:
        signal.signal(signal.SIGINT, self.usual)

    def __call__(self) -> bool:
        return self.is_asked

    def _receive(self, _number: int, _frame: FrameType | None) -> None:
        if self.is_asked or not self.is_searching:
            raise KeyboardInterrupt
        self.is_asked = True


def follow(steps: Iterator[Any], interruption: Interruption, see: Callable[[Any], None]) -> Any:
    """Run an analysis to its end and return the last report, marked if Ctrl-C cut it short.

    see: called with each report
    """
    report = None
    try:
        for report in steps:
            interruption.is_searching = True
            see(report)
    except KeyboardInterrupt:
        if report is None:
            raise
        engine = report.engine.model_copy(update={"stopped_by": "interrupted"})
        report = report.model_copy(update={"engine": engine})
        see(report)
    finally:
        interruption.is_searching = False
    return report
