"""`torres-tournament plot` and `torres-tournament report`: what a run says, drawn and in words."""

import shlex
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
    pictures, reasons = list_pictures(found, names)
    if reasons and ALL not in what:
        raise TorresError(reasons[0])
    files = render_all(found, pictures)
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
    from torres_mcts.tournaments.folder import read_run

    check_targets({"output": output})
    found = Findings(read_run(run), anchor)
    target = str(found.run.folder / REPORT) if output is None else output
    words = ["torres-tournament", "report", run, *(["--anchor", anchor] if anchor is not None else [])]
    write_result(write_report(found, shlex.join(words)), target)
    if target != "-":
        click.echo(target)
