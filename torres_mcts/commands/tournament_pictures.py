"""`torres-tournament plot` and `torres-tournament report`: what a run says, drawn and in words."""

import contextlib
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from torres_mcts.commands.shell import Command, check_targets, write_result
from torres_mcts.core.errors import FileError, TorresError

ALL = "all"
NAMES = ("ratings", "cross", "superiority", "scores", "seats", "convergence", "budget")
PLOTS, REPORT = "plots", "report.html"
anchor_option = click.option(
    "--anchor", metavar="AGENT", help="The agent whose rating is 0; the mean of all if left out."
)


@contextlib.contextmanager
def working() -> Iterator[Callable[[str], None]]:
    """Yield a function that says on a terminal what is being worked out; elsewhere it says nothing."""
    from rich.console import Console

    with Console(stderr=True, highlight=False).status("working out the ratings") as status:
        yield lambda name: status.update(f"working out: {name}")


@click.command("plot", cls=Command)
@click.argument("run")
@click.option(
    "--what", type=click.Choice([*NAMES, ALL]), multiple=True, default=(ALL,), help="Which plots; all if left out."
)
@click.option("--folder", metavar="DIR", help="Where they are written; the folder plots of the run if left out.")
@anchor_option
def plot(run: str, what: tuple[str, ...], folder: str | None, anchor: str | None) -> None:
    """Draw what a RUN says: each plot as PNG and SVG, with its data as CSV beside it."""
    from torres_mcts.core.files import name_of, write_bytes
    from torres_mcts.plotting.tournament.findings import Findings
    from torres_mcts.plotting.tournament.pictures import list_pictures, render_all
    from torres_mcts.tournaments.folder import read_run

    found = Findings(read_run(run), anchor)
    place = found.run.folder / PLOTS if folder is None else Path(folder)
    names = NAMES if ALL in what else [name for name in NAMES if name in what]
    with working() as say:
        pictures, reasons = list_pictures(found, names, see=say)
        if reasons and ALL not in what:
            raise TorresError(reasons[0])
        files = render_all(found, pictures, see=say)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise FileError(f"{name_of(place)}: cannot be made: {getattr(error, 'strerror', None) or error}") from None
    for name, data in files.items():
        write_bytes(place / name, data)
    for reason in reasons:
        click.echo(f"left out: {reason}", err=True)
    click.echo(f"{place}: {', '.join(picture.name for picture in pictures)}")


@click.command("report", cls=Command)
@click.argument("run")
@click.option("-o", "--output", metavar="FILE", help="The file; report.html in the folder of the run if left out.")
@anchor_option
def report(run: str, output: str | None, anchor: str | None) -> None:
    """Write all that a RUN says as one HTML file that needs nothing else."""
    from torres_mcts.plotting.tournament.findings import Findings
    from torres_mcts.plotting.tournament.page.write import write_report
    from torres_mcts.tournaments.folder import GAMES_FILE, SPEC_FILE, read_run

    found = Findings(read_run(run), anchor)
    check_targets({"output": output}, [str(found.run.folder / name) for name in (SPEC_FILE, GAMES_FILE)])
    target = str(found.run.folder / REPORT) if output is None else output
    words = ["torres-tournament", "report", run, *(["--anchor", anchor] if anchor is not None else [])]
    with working() as say:
        text = write_report(found, shlex.join(words), see=say)
    write_result(text, target)
    if target != "-":
        click.echo(target)
