"""`torres-tournament`: many games between agents, kept in a folder, and what they say."""

import math
from pathlib import Path
from typing import Any

import click

from torres_mcts import __version__
from torres_mcts.commands.shell import (
    Command,
    Group,
    check_targets,
    compilation_notice,
    output_option,
    write_result,
)
from torres_mcts.commands.ticker import Ticker
from torres_mcts.commands.tournament_compare import compare
from torres_mcts.commands.tournament_options import KEYS, given_options, read_spec, spec_options
from torres_mcts.commands.tournament_pictures import plot, report
from torres_mcts.commands.tournament_plan import plan
from torres_mcts.commands.workers import FORFEITS, check_workers, hired, resumable, run_options
from torres_mcts.core.errors import TorresError

json_option = click.option("--json", "as_json", is_flag=True, help="JSON lines instead of a table.")


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="torres-tournament")
def tournament() -> None:
    """Tournaments between agents: play them, look at them, rate the agents.

    A RUN is the folder of a tournament, or its name under results/.
    """


tournament.add_command(plan)
tournament.add_command(compare)


@tournament.command("run", cls=Command)
@click.argument("spec", required=False)
@run_options
@spec_options
def run(spec: str | None, workers: int | None, cluster: str | None, folder: str | None, **options: Any) -> None:
    """Play the tournament of the TOML file SPEC, or of the options; the same line goes on where it was interrupted.

    Exit codes: 0 done, 1 interrupted, 2 bad input, 3 done with games lost by forfeit.
    """
    given = given_options(options)
    if spec is not None and given:
        raise TorresError(f"{KEYS[next(iter(given))]}: belongs in the file; give either SPEC or options")
    if spec is None and not given:
        raise TorresError("give the file of a tournament, or options: --agent A --agent B --blocks N --iterations N")
    check_workers(workers, cluster)
    with compilation_notice():
        from torres_mcts.core.files import name_of, read_text
        from torres_mcts.tournaments.block import warm_up_all
        from torres_mcts.tournaments.folder import RESULTS, SPEC_FILE, open_folder
        from torres_mcts.tournaments.run import run as play
        from torres_mcts.tournaments.spec import parse_spec

        if spec is None:
            read, text = read_spec(given)
        else:
            text = read_text(spec)
            read = parse_spec(text, name_of(spec))
        place = RESULTS / read.name if folder is None else Path(folder)
        again = str(place / SPEC_FILE) if spec in (None, "-") else str(spec)
        with (
            resumable("torres-tournament", again, workers=workers, cluster=cluster, folder=folder),
            hired(warm_up_all, read, workers=workers, cluster=cluster) as executor,
            open_folder(place, read, text) as store,
            Ticker() as ticker,
        ):
            standing = play(read, store, executor=executor, see=ticker.show)
    click.echo(f"{place}: {standing.games} games, {standing.blocks} blocks, {standing.forfeits} by forfeit")
    _show_end(standing)
    if standing.forfeits:
        raise SystemExit(FORFEITS)


def _show_end(standing: Any) -> None:
    """Print the points, and what stopped the tournament."""
    for name, points in sorted(standing.points.items(), key=lambda item: -item[1]):
        click.echo(f"{points:8.3f}  {name}")
    for name, verdict in standing.verdicts.items():
        click.echo(f"{name}: {verdict}")
    if not standing.verdicts:
        click.echo(f"{standing.blocks} of {standing.blocks_wanted} blocks{' are played' * standing.is_over}")


@tournament.command("status", cls=Command)
@click.argument("run")
def status(run: str) -> None:
    """Show how far a RUN is, why it stopped, and every game that was lost by forfeit."""
    from torres_mcts.tournaments.folder import read_run
    from torres_mcts.tournaments.run import stand

    found = read_run(run)
    spec, standing = found.spec, stand(found.spec, found.games)
    click.echo(f"{spec.name}: {spec.format}, {len(spec.names)} agents, {spec.rules.players} players, seed {spec.seed}")
    click.echo(f"{standing.games} of {standing.games_wanted} games, {standing.forfeits} by forfeit")
    _show_end(standing)
    for game in found.games:
        if game.forfeit is not None:
            agent = game.agents[game.forfeit.seat]
            click.echo(f"forfeit: {agent}, game {game.id}, seed {game.forfeit.seed}: {game.forfeit.error}")


@tournament.command("rate", cls=Command)
@click.argument("run")
@click.option("--anchor", metavar="AGENT", help="The agent whose rating is 0; the mean of all if left out.")
@json_option
def rate(run: str, anchor: str | None, as_json: bool) -> None:
    """Rate the agents of a RUN in Elo, with 95 % intervals over blocks and the effect of the seat taken out."""
    from torres_mcts.tournaments.folder import read_run
    from torres_mcts.tournaments.statistics.ratings import rate as rate_outcomes

    ratings = rate_outcomes([game.outcome for game in read_run(run).games], anchor=anchor)
    if as_json:
        _echo_json(
            {"agent": rating.agent, **_estimate(rating.elo), "games": rating.games, "blocks": rating.blocks}
            for rating in ratings.ratings
        )
    else:
        _show_ratings(ratings)


def _show_ratings(ratings: Any) -> None:
    """Print the ratings of agents and seats."""
    click.echo(f"{'Elo':>7}  {'95 %':^17}{'games':>7}{'blocks':>8}  agent")
    for rating in ratings.ratings:
        interval = f"[{rating.elo.low:+.0f}, {rating.elo.high:+.0f}]"
        click.echo(f"{rating.elo.mean:+7.0f}  {interval:^17}{rating.games:7}{rating.blocks:8}  {rating.agent}")
    for players, seats in ratings.seats.items():
        values = ", ".join(f"{seat.mean:+.0f} [{seat.low:+.0f}, {seat.high:+.0f}]" for seat in seats)
        click.echo(f"seats of {players} players: {values}")
    if len(ratings.tiers) > 1:
        tiers = "; ".join(" ".join(tier) for tier in ratings.tiers)
        click.echo(f"never behind those after the semicolon, so how large that gap is nobody knows: {tiers}")


@tournament.command("table", cls=Command)
@click.argument("run")
@json_option
def table(run: str, as_json: bool) -> None:
    """Show who beats whom in a RUN: how often the agent of the row was ahead of that of the column, ties half."""
    from torres_mcts.tournaments.folder import read_run
    from torres_mcts.tournaments.statistics.tables import cross_table

    found = read_run(run)
    cells, names = cross_table(game.outcome for game in found.games), found.spec.names
    if as_json:
        _echo_json(
            {"agent": one, "other": other, **_estimate(cell.share), "games": cell.games, "blocks": cell.blocks}
            for (one, other), cell in cells.items()
        )
    else:
        _show_table(cells, names)


def _show_table(cells: Any, names: tuple[str, ...]) -> None:
    """Print a line for each agent, a column for each opponent."""
    width = max(map(len, names))
    click.echo(" " * width + "".join(f"  {name:>5}" for name in names))
    for one in names:
        shares = [f"{cells[one, other].share.mean:.3f}" if (one, other) in cells else "-" for other in names]
        line = "".join(f"  {share:>{max(5, len(name))}}" for share, name in zip(shares, names, strict=True))
        click.echo(f"{one:<{width}}{line}")
    click.echo("95 % intervals over blocks:")
    for row, one in enumerate(names):
        for other in names[row + 1 :]:
            if (one, other) in cells:
                cell = cells[one, other]
                click.echo(f"{one} against {other}  {cell.share}  {cell.games} games, {cell.blocks} blocks")


@tournament.command("export", cls=Command)
@click.argument("run")
@click.option("--csv", metavar="FILE", help="Write a line for each seat of each game.")
@click.option("--jsonl", metavar="FILE", help="Write a line for each game.")
def export(run: str, csv: str | None, jsonl: str | None) -> None:
    """Write the games of a RUN for other programs; to stdout as JSON lines if no file is named."""
    from torres_mcts.tournaments.export import to_csv, to_json_lines
    from torres_mcts.tournaments.folder import read_run

    check_targets({"csv": csv, "jsonl": jsonl})
    found = read_run(run)
    if csv is not None:
        write_result(to_csv(found.spec, found.games), csv)
    if jsonl is not None or csv is None:
        write_result(to_json_lines(found.spec, found.games), jsonl)


@tournament.command("replay", cls=Command)
@click.argument("run")
@click.argument("game")
@output_option
def replay(run: str, game: str, output: str | None) -> None:
    """Write the record of a GAME of a RUN, for torres replay and torres review.

    The id of a GAME is its block and the agents by seat, as 12:careful:chance; status names that of each forfeit,
    export those of all games. The actions are those that were played, checked against the scores that were stored.
    """
    with compilation_notice():
        from torres_mcts.core.files import to_json
        from torres_mcts.tournaments.export import to_record
        from torres_mcts.tournaments.folder import read_game, read_run

        check_targets({"output": output})
        found = read_run(run)
        played = read_game(found, game)
        write_result(to_json(to_record(found.spec, played).to_dict()), output)
    if played.forfeit is not None:
        agent = played.agents[played.forfeit.seat]
        click.echo(f"up to the turn that {agent} lost by forfeit: {played.forfeit.error}", err=True)


def _estimate(estimate: Any) -> dict[str, float | None]:
    """Return a value and its 95 % interval; None where it has no end."""
    values = {"mean": estimate.mean, "low": estimate.low, "high": estimate.high}
    return {name: value if math.isfinite(value) else None for name, value in values.items()}


def _echo_json(rows: Any) -> None:
    from torres_mcts.core.files import to_json

    for row in rows:
        click.echo(to_json(row, indent=None), nl=False)


for command in (plot, report):
    tournament.add_command(command)
