"""What a running tournament or study shows on stderr: games, rate, time left, and who leads."""

import time
from collections.abc import Callable
from typing import Any

import click

PLAIN_INTERVAL = 30.0  # seconds between lines where there is no terminal


class Ticker:
    """A bar on a terminal; elsewhere a line now and then."""

    def __init__(self, tell: Callable[[Any, int, float], str] | None = None) -> None:
        """Show what `tell` says of how far it is, the games and the seconds of this run; a tournament if left out."""
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        console = Console(stderr=True)
        columns = BarColumn(20), TextColumn("{task.description}", markup=False)
        self.bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self.task = self.bar.add_task("", total=None)
        self.tell = tell or describe
        self.first: int | None = None
        self.began = self.shown = time.monotonic()

    def __enter__(self) -> "Ticker":
        self.bar.start()
        return self

    def __exit__(self, *_error: Any) -> None:
        self.bar.stop()

    def show(self, standing: Any) -> None:
        """Show how far it is."""
        now = time.monotonic()
        if self.first is None:
            self.first, self.began = standing.games, now
        line = self.tell(standing, standing.games - self.first, now - self.began)
        self.bar.update(self.task, completed=standing.games, total=standing.games_wanted, description=line)
        if self.bar.disable and now - self.shown >= PLAIN_INTERVAL:
            self.shown = now
            click.echo(line, err=True)


def describe(standing: Any, games: int, seconds: float) -> str:
    """Say how far a tournament is on one line.

    games:   played in this run
    seconds: of this run
    """
    parts = describe_games(standing, games, seconds, is_cap=bool(standing.verdicts))
    if standing.leader is not None:
        parts.append(f"{standing.leader} leads with {standing.points[standing.leader]:.3f}")
    for name, verdict in standing.verdicts.items():
        if verdict.rule.hypotheses is not None and verdict.ratio is not None:
            low, high = verdict.rule.hypotheses.bounds
            parts.append(f"test of {name} at {verdict.ratio:.2f} in [{low:.2f}, {high:.2f}]")
    return ", ".join(parts)


def describe_games(standing: Any, games: int, seconds: float, *, is_cap: bool = False) -> list[str]:
    """Say how many games there are, how fast they come and how long it will take.

    is_cap: it may end before all games are played
    """
    parts = [f"{standing.games} of {standing.games_wanted} games"]
    if games and seconds > 0:
        left = (standing.games_wanted - standing.games) * seconds / games
        parts += [f"{games / seconds:.2g} a second", f"{'at most ' * is_cap}{duration(left)} left"]
    if standing.forfeits:
        parts.append(f"{standing.forfeits} by forfeit")
    return parts


def duration(seconds: float) -> str:
    """Write a time with the unit that fits.

    >>> duration(75), duration(5400), duration(9.6)
    ('1.2 min', '1.5 h', '10 s')
    """
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.1f} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"
