"""`torres-study plot`, and the page of `torres-study report --html`: what a study says, drawn and in words."""

import shlex
from pathlib import Path
from typing import Any

import click

from torres_mcts.commands.plots import ALL, PLOTS, chosen, working, write_plots
from torres_mcts.commands.shell import Command, write_result

NAMES = ("effects", "tornado", "slices", "seats", "sources", "winning", "cards", "boards")


@click.command("plot", cls=Command)
@click.argument("run")
@click.option(
    "--what", type=click.Choice([*NAMES, ALL]), multiple=True, default=(ALL,), help="Which plots; all if left out."
)
@click.option("--folder", metavar="DIR", help="Where they are written; the folder plots of the run if left out.")
def plot(run: str, what: tuple[str, ...], folder: str | None) -> None:
    """Draw what a RUN says: each plot as PNG and SVG, with its data as CSV beside it."""
    from torres_mcts.plotting.study.findings import Findings
    from torres_mcts.plotting.study.pictures import list_pictures
    from torres_mcts.studies.store import read_study_run

    found = Findings(read_study_run(run))
    place = found.run.folder / PLOTS if folder is None else Path(folder)
    with working() as say:
        pictures, reasons = list_pictures(found, chosen(what, NAMES), see=say)
    write_plots(place, pictures, reasons, found.footer, is_choice=ALL not in what)


def write_page(found: Any, run: str, html: str) -> None:
    """Write the page of a study that was read.

    run: how the user named it
    """
    from torres_mcts.plotting.study.findings import Findings
    from torres_mcts.plotting.study.page.write import write_report

    with working() as say:
        text = write_report(Findings(found), shlex.join(["torres-study", "report", run, "--html", html]), see=say)
    write_result(text, html)
