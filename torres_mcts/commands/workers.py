"""Who plays a run: the options of tournaments and studies for it, and the line that goes on after Ctrl-C."""

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from torres_mcts.commands.shell import INTERRUPTED, Function
from torres_mcts.core.errors import TorresError

FORFEITS = 3  # the exit code of a run that is done, with games lost by forfeit


def run_options(function: Function) -> Function:
    """Add who plays, and where the games are kept."""
    for option in (
        click.option("--folder", metavar="DIR", help="Where the games are kept; results/NAME if left out."),
        click.option(
            "--cluster", metavar="ADDRESS", help="Play on the workers of this Dask scheduler, as tcp://HOST:8786."
        ),
        click.option("--workers", type=click.IntRange(1, 256), help="Processes on this machine; 1 if left out."),
    ):
        function = option(function)
    return function


def check_workers(workers: int | None, cluster: str | None) -> None:
    """Refuse two kinds of workers at once."""
    if workers is not None and cluster is not None:
        raise TorresError("--workers: are processes on this machine; those of --cluster are started with dask worker")


@contextmanager
def hired(prepare: Callable[..., None], argument: Any, *, workers: int | None, cluster: str | None) -> Iterator[Any]:
    """Yield who plays the blocks; a cluster is connected before anything is written.

    prepare: called with the argument once in each further process
    """
    from torres_mcts.tournaments.executors import new_executor

    if cluster is None:
        yield new_executor(workers or 1, prepare, argument)
    else:
        from torres_mcts.tournaments.cluster import connect

        with connect(cluster, prepare, argument) as executor:
            yield executor


@contextmanager
def resumable(
    program: str, file: str, *, workers: int | None, cluster: str | None, folder: str | None
) -> Iterator[None]:
    """Answer Ctrl-C with the line that goes on, and exit code 1."""
    try:
        yield
    except KeyboardInterrupt:
        line = [program, "run", file]
        for option, value in {"--workers": workers, "--cluster": cluster, "--folder": folder}.items():
            line += [option, str(value)] if value is not None else []
        click.echo(f"interrupted; this goes on: {shlex.join(line)}", err=True)
        raise SystemExit(INTERRUPTED) from None
