"""`torres-study`: what a change of the rules does to the game, from many games on the same luck."""

from pathlib import Path
from typing import Any

import click

from torres_mcts import __version__
from torres_mcts.commands.shell import Command, Group, check_targets, compilation_notice, output_option, write_result
from torres_mcts.commands.study_pictures import plot
from torres_mcts.commands.study_plan import plan
from torres_mcts.commands.study_results import export, report, status
from torres_mcts.commands.ticker import Ticker, describe_games
from torres_mcts.commands.workers import FORFEITS, check_workers, hired, resumable, run_options
from torres_mcts.core.errors import TorresError


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="torres-study")
def study() -> None:
    """Studies of rules: play variants on the same deals, and say what they change, with intervals.

    A STUDY is a TOML file; a RUN is the folder of a study that was begun, or its name under results/.
    """


@study.command("new", cls=Command)
@output_option
def new(output: str | None) -> None:
    """Write an example of a STUDY in which every key is explained, to be changed."""
    from torres_mcts.studies.file.example import write_example

    check_targets({"output": output})
    if output not in (None, "-") and Path(str(output)).exists():
        raise TorresError(f"{output}: is there already; choose another name")
    write_result(write_example(), output)


@study.command("check", cls=Command)
@click.argument("study_file", metavar="STUDY")
def check(study_file: str) -> None:
    """Find all mistakes of a STUDY at once, each with its line and field; without one, list what will be played."""
    from torres_mcts.studies.file.read import load_study
    from torres_mcts.studies.variants import name_of_changes

    read = load_study(study_file)
    games = len(read.tables) * read.blocks
    click.echo(f"{read.name}: {len(read.variants)} variants and the base, {games} games each")
    click.echo(f"base: {name_of_changes(read.base.rules.to_dict())}")
    for variant in read.variants:
        click.echo(f"{variant.name}: {name_of_changes(variant.changes)}")


@study.command("run", cls=Command)
@click.argument("study_file", metavar="STUDY")
@run_options
def run(study_file: str, workers: int | None, cluster: str | None, folder: str | None) -> None:
    """Play the STUDY of a TOML file; the same line goes on where it was interrupted.

    Exit codes: 0 done, 1 interrupted, 2 bad input, 3 done with games lost by forfeit.
    """
    check_workers(workers, cluster)
    with compilation_notice():
        from torres_mcts.core.files import name_of, read_text
        from torres_mcts.studies.file.read import parse_study
        from torres_mcts.studies.run import run as play
        from torres_mcts.studies.run import warm_up_study
        from torres_mcts.studies.store import STUDY_FILE, open_study
        from torres_mcts.tournaments.storage.folders import RESULTS

        text = read_text(study_file)
        read = parse_study(text, name_of(study_file))
        place = RESULTS / read.name if folder is None else Path(folder)
        again = str(place / STUDY_FILE) if study_file == "-" else study_file
        with (
            resumable("torres-study", again, workers=workers, cluster=cluster, folder=folder),
            hired(warm_up_study, read, workers=workers, cluster=cluster) as executor,
            open_study(place, read, text) as store,
            Ticker(_tell) as ticker,
        ):
            progress = play(read, store, executor=executor, see=ticker.show)
    click.echo(f"{place}: {progress.games} games, {progress.blocks} blocks, {progress.forfeits} by forfeit")
    click.echo(f"torres-study report {place} says what they show")
    if progress.forfeits:
        raise SystemExit(FORFEITS)


def _tell(progress: Any, games: int, seconds: float) -> str:
    """Say how far a study is on one line."""
    parts = describe_games(progress, games, seconds)
    return ", ".join([*parts, f"{progress.blocks} of {progress.blocks_wanted} blocks of all rule sets"])


for command in (plan, status, report, plot, export):
    study.add_command(command)
