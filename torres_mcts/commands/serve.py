"""`torres serve`: analyses for programs, as JSON lines on standard input and output."""

import signal
import sys
from typing import Any

import click

from torres_mcts.commands.analyze import COMPILE_SECONDS
from torres_mcts.commands.shell import INTERRUPTED, Command, compilation_notice, core_count
from torres_mcts.core.errors import TorresError


@click.command(cls=Command)
@click.option(
    "--concurrency",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Queries that are worked on at once.",
)
@click.option(
    "--threads", type=click.IntRange(1, 256), help="Cores for a query that names none.  [default: a fair share]"
)
@click.option("--time", type=float, default=10.0, show_default=True, help="Seconds for a query without a limit.")
def serve(concurrency: int, threads: int | None, time: float) -> None:
    """Answer queries, one JSON object a line, until standard input ends.

    A query has an "id", a "position" (or a "file") and settings such as "limit", "turns", "seed" and "top"; answers
    carry its id and come when they are ready. docs/analysis.md describes the lines.
    """
    with compilation_notice(seconds=COMPILE_SECONDS):
        from torres_mcts.commands.server import Server
        from torres_mcts.search.limits import Limit

        Limit(time=time)  # says what is wrong with it
        if sys.stdin is None:
            raise TorresError("standard input: is closed; it brings the queries")
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that starts it with & has it ignored
        server = Server(_write, concurrency, threads or max(1, core_count() // concurrency), time)
        try:
            server.serve(sys.stdin.buffer)
        except KeyboardInterrupt:
            server.stop()
            raise SystemExit(INTERRUPTED) from None


def _write(line: Any) -> None:
    """Write a line to standard output at once."""
    click.echo(line, nl=False)
