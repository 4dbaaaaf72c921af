"""`torres-tournament plot` and `torres-tournament report`: what a run says, drawn and in words."""

import shlex
from pathlib import Path

import click

from torres_mcts.commands.plots import ALL, PLOTS, REPORT, chosen, working, write_plots
from torres_mcts.commands.shell import Command, check_targets, write_result

NAMES = ("ratings", "cross", "superiority", "scores", "seats", "convergence", "budget")
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
    from torres_mcts.plotting.tournament.findings import Findings
    from torres_mcts.plotting.tournament.pictures import list_pictures
    from torres_mcts.tournaments.folder import read_run

    found = Findings(read_run(run), anchor)
    place = found.run.folder / PLOTS if folder is None else Path(folder)
    with working() as say:
        pictures, reasons = list_pictures(found, chosen(what, NAMES), see=say)
    write_plots(place, pictures, reasons, found.footer, is_choice=ALL not in what)


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
