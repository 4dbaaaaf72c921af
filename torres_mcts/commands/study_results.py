"""`torres-study status`, `report`, `export`: how far a run is, what it says, and its games for other programs."""

from typing import Any

import click

from torres_mcts.commands.shell import Command, check_targets, output_option, write_result
from torres_mcts.commands.study_pictures import write_page


@click.command("status", cls=Command)
@click.argument("run")
def status(run: str) -> None:
    """Show how far a RUN is: the blocks of each rule set, and every game that was lost by forfeit."""
    from torres_mcts.studies.store import read_study_run
    from torres_mcts.studies.variants import name_of_changes

    found = read_study_run(run)
    study = found.study
    click.echo(f"{study.name}: {study.players} players, seed {study.seed}, {len(study.variants)} variants and the base")
    for one in study.rule_sets:
        number = sum(block < study.blocks for block in found.blocks[one.name])
        changes = name_of_changes(one.changes)
        words = f": {changes}" if changes not in ("", one.name) else ""
        click.echo(f"{number:6} of {study.blocks} blocks  {one.name}{words}")
    for name, log in found.games:
        if log.forfeit is not None:
            place = f"{name}, block {log.deal}, rotation {log.rotation}"
            agent = log.agents[log.forfeit.seat]
            click.echo(f"forfeit: {agent}, {place}, seed {log.forfeit.seed}: {log.forfeit.error}")


@click.command("report", cls=Command)
@click.argument("run")
@click.option("--json", "as_json", is_flag=True, help="Everything as JSON instead of text.")
@click.option("--csv", metavar="FILE", help="Write a line for each effect as well.")
@click.option("--html", metavar="FILE", help="Write a page with pictures as well, one file that needs nothing else.")
@output_option
def report(run: str, as_json: bool, csv: str | None, html: str | None, output: str | None) -> None:
    """Say what a RUN shows: the answer in words, every effect with its interval, and what common luck has brought.

    Effects are differences from the base on the same deals. With a risk of 5 % anything in the whole table is called
    an effect wrongly (Holm); "no effect" is only said within a margin of the file.
    """
    from torres_mcts.core.files import to_json
    from torres_mcts.studies.export import effects_to_csv
    from torres_mcts.studies.report import write_report
    from torres_mcts.studies.results import evaluate

    check_targets({"csv": csv, "html": html, "output": output})
    found = _read(run)
    results = evaluate(found)
    if csv is not None:
        write_result(effects_to_csv(results), csv)
    if html is not None:
        write_page(found, run, html)
    write_result(to_json(results.to_dict()) if as_json else write_report(results), output)


@click.command("export", cls=Command)
@click.argument("run")
@click.option("--csv", metavar="FILE", help="Write a line for each seat of each game.")
@click.option("--jsonl", metavar="FILE", help="Write a line for each game, with its whole log.")
def export(run: str, csv: str | None, jsonl: str | None) -> None:
    """Write the games of a RUN for other programs; to stdout as JSON lines if no file is named."""
    from torres_mcts.studies.export import games_to_csv, games_to_json_lines

    check_targets({"csv": csv, "jsonl": jsonl})
    found = _read(run)
    if csv is not None:
        write_result(games_to_csv(found), csv)
    if jsonl is not None or csv is None:
        write_result(games_to_json_lines(found), jsonl)


def _read(run: str) -> Any:
    from torres_mcts.studies.store import read_study_run

    return read_study_run(run)
