"""`torres-study plan`: how much a study plays, how long that takes, and how sure its effects will be."""

import math
from pathlib import Path
from typing import Any

import click

from torres_mcts import __version__
from torres_mcts.commands.shell import Command
from torres_mcts.commands.ticker import duration
from torres_mcts.core.errors import TorresError


@click.command("plan", cls=Command)
@click.argument("study")
@click.option("--value", metavar="METRIC.VALUE", help="Only this value, or those that a pattern with * fits.")
@click.option(
    "--half-width",
    type=click.FloatRange(0, 1e9, min_open=True),
    help="Wanted of the 95 % interval of an effect, in the unit of its value.",
)
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="That will play.")
@click.option(
    "--seconds-per-game", type=click.FloatRange(0, 1e6, min_open=True), help="In place of the speed of the run."
)
@click.option("--json", "as_json", is_flag=True, help="JSON instead of a table.")
def plan(
    study: str,
    value: str | None,
    half_width: float | None,
    workers: int,
    seconds_per_game: float | None,
    as_json: bool,
) -> None:
    """Say how many games a STUDY has, how long they take and how sure its effects will be.

    STUDY is the file of a study, or a RUN. Speed and spread are those of the blocks that were played so far. With
    --half-width: how many blocks it takes until the interval of each effect reaches no further to each side.
    """
    from torres_mcts.core.files import to_json

    if half_width is not None and not math.isfinite(half_width):
        raise TorresError("--half-width: expected a finite number")
    read, run = _read(study)
    seconds = seconds_per_game or (run.seconds_per_game if run is not None else None)
    rule_sets = len({read.config_hash(one) for one in read.rule_sets})
    a_block = rule_sets * len(read.tables)
    rows = _effects(run, value, half_width, read.blocks) if run is not None else []
    if half_width is not None and not rows:
        raise TorresError("--half-width: the spread is measured by a RUN of 2 blocks or more; play some first")
    data = {
        "version": __version__,
        "study": read.name,
        "config": read.hash,
        "rule_sets": rule_sets,
        "blocks": read.blocks,
        "games": read.blocks * a_block,
        "workers": workers,
        "seconds_per_game": seconds,
        "hours": _hours(read.blocks * a_block, seconds, workers),
        "half_width": half_width,
        "effects": [{**row, "hours": _hours(row["blocks"] * a_block, seconds, workers)} for row in rows],
    }
    if as_json:
        click.echo(to_json(data), nl=False)
    else:
        _show(data)


def _read(text: str) -> tuple[Any, Any]:
    """Return a study by its file or its run, and the run if there is one."""
    from torres_mcts.studies.file.read import load_study
    from torres_mcts.studies.store import STUDY_FILE, read_study_run
    from torres_mcts.tournaments.storage.folders import RESULTS

    if not Path(text).is_file():
        run = read_study_run(text)
        return run.study, run
    read = load_study(text)
    folder = RESULTS / read.name
    if (folder / STUDY_FILE).is_file() and (run := read_study_run(str(folder))).study.hash == read.hash:
        return read, run
    return read, None


def _hours(games: int, seconds: float | None, workers: int) -> float | None:
    return None if seconds is None else games * seconds / workers / 3600


def _effects(run: Any, value: str | None, half_width: float | None, blocks: int) -> list[dict[str, Any]]:
    """Return for each effect the sd of a block, and the blocks that the precision takes or what the blocks bring."""
    from torres_mcts.studies.results import evaluate
    from torres_mcts.studies.spec import Wanted
    from torres_mcts.tournaments.statistics.estimates import student_factor
    from torres_mcts.tournaments.statistics.planning import blocks_for_precision, sd_interval

    wanted = None if value is None else Wanted.read(value)
    rows = []
    for effect in evaluate(run).effects:
        if wanted is not None and not (effect.metric == wanted.metric and wanted.covers(effect.label)):
            continue
        played = effect.difference.blocks
        sd = effect.difference.change.se * math.sqrt(played)
        if not math.isfinite(sd):
            continue
        if half_width is None:
            needed, span, reach = blocks, None, student_factor(blocks - 1) * sd / math.sqrt(blocks)
        else:
            ends = sd_interval(sd, effect.difference.groups)
            needed, reach = blocks_for_precision(half_width, sd), half_width
            span = [blocks_for_precision(half_width, end) for end in ends]
        name = f"{effect.metric}.{effect.label}"
        measured = {"variant": effect.variant, "value": name, "sd": sd, "blocks_played": played}
        rows.append({**measured, "blocks": needed, "blocks_range": span, "half_width": reach})
    if wanted is not None and not rows:
        raise TorresError(f"--value {value}: the run has no effect on it that can be measured yet")
    return rows


def _show(data: dict[str, Any]) -> None:
    click.echo(f"{data['study']}: {data['rule_sets']} rule sets, {data['blocks']} blocks, {data['games']} games")
    if data["seconds_per_game"] is None:
        click.echo("how long they take nobody knows: play some blocks, or give --seconds-per-game")
    else:
        crew = f"{data['workers']} worker{'s' * (data['workers'] > 1)}"
        click.echo(f"{duration(3600 * data['hours'])} at {data['seconds_per_game']:.3g} s a game with {crew}")
    if not data["effects"]:
        return
    width = max(len(f"{row['variant']}  {row['value']}") for row in data["effects"])
    click.echo(f"{'effect':<{width}}{'sd':>10}{'blocks':>9}{'+-':>10}{'hours':>9}  95 % of blocks")
    for row in data["effects"]:
        hours = "-" if row["hours"] is None else f"{row['hours']:.3g}"
        span = "-" if row["blocks_range"] is None else f"[{row['blocks_range'][0]}, {row['blocks_range'][1]}]"
        name = f"{row['variant']}  {row['value']}"
        click.echo(f"{name:<{width}}{row['sd']:>10.3g}{row['blocks']:>9}{row['half_width']:>10.3g}{hours:>9}  {span}")
