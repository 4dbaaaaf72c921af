"""`torres-tournament plan`: how much must be played for a wanted precision, and how long that takes."""

import math
from typing import Any

import click

from torres_mcts import __version__
from torres_mcts.commands.shell import Command
from torres_mcts.core.errors import TorresError, shorten, suggest

positive = click.FloatRange(0, 1e9, min_open=True)


@click.command("plan", cls=Command)
@click.argument("run", required=False)
@click.option(
    "--half-width",
    type=click.FloatRange(1e-4, 0.5),
    help="Wanted of the 95 % interval of the mean rank points, as 0.02.",
)
@click.option(
    "--elo", type=click.FloatRange(0.1, 1000), help="Wanted half-width of the 95 % interval of the rating, as 10."
)
@click.option("--agent", metavar="NAME", help="Of the RUN; all if left out.")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="That will play.")
@click.option("--sd", type=positive, help="Without a RUN: standard deviation of a block, in the unit of the precision.")
@click.option("--games-per-block", type=click.IntRange(1), help="Without a RUN: line-ups times players.")
@click.option("--seconds-per-game", type=positive, help="Without a RUN, or in place of its speed.")
@click.option("--json", "as_json", is_flag=True, help="JSON lines instead of a table.")
def plan(
    run: str | None,
    half_width: float | None,
    elo: float | None,
    agent: str | None,
    workers: int,
    sd: float | None,
    games_per_block: int | None,
    seconds_per_game: float | None,
    as_json: bool,
) -> None:
    """Say how many blocks, games and hours a precision takes.

    From what a RUN has measured of spread and speed, or without one from --sd, --games-per-block and
    --seconds-per-game. The range of blocks and hours is that of the 95 % interval of the measured spread.
    """
    if (half_width is None) == (elo is None):
        raise TorresError("give either --half-width, in rank points, or --elo")
    goal: dict[str, Any] = {
        "half_width": half_width if elo is None else elo,
        "unit": "rank points" if elo is None else "Elo",
    }
    if not all(math.isfinite(value) for value in (goal["half_width"], sd or 1.0, seconds_per_game or 1.0)):
        raise TorresError("--half-width, --elo, --sd and --seconds-per-game: expected finite numbers")
    if run is None:
        stated = {"--sd": sd, "--games-per-block": games_per_block, "--seconds-per-game": seconds_per_game}
        for option, value in stated.items():
            if value is None:
                raise TorresError(f"{option}: is required without a RUN")
        if agent is not None:
            raise TorresError("--agent: goes with a RUN")
        spreads = [{"agent": None, "sd": sd, "blocks_played": 0}]
    else:
        for option, given in {"--sd": sd, "--games-per-block": games_per_block}.items():
            if given is not None:
                raise TorresError(f"{option}: is measured by the RUN; leave one of both out")
        spreads, games_per_block, measured = _measure(run, agent, elo is not None)
        seconds_per_game = seconds_per_game or measured
    rows = [_plan_row(goal, spread, games_per_block, seconds_per_game, workers) for spread in spreads]
    _show(goal, rows, as_json)


def _measure(run: str, agent: str | None, in_elo: bool) -> tuple[list[dict[str, Any]], int, float]:
    """Return the spread of each agent of a run, games of a block and seconds of a game."""
    from torres_mcts.tournaments.folder import read_run
    from torres_mcts.tournaments.run import Tally
    from torres_mcts.tournaments.statistics.planning import sd_of_shares
    from torres_mcts.tournaments.statistics.ratings import rate

    found = read_run(run)
    if agent is not None and agent not in found.spec.names:
        raise TorresError(f"--agent: no agent is called {shorten(agent)}{suggest(agent, found.spec.names)}")
    tally = Tally(found.spec)
    tally.add(found.games)
    if tally.blocks < 2:
        raise TorresError(f"{found.spec.name}: has {tally.blocks} whole blocks; a spread needs 2 or more")
    if in_elo:
        ratings = rate([game.outcome for game in found.games]).ratings
        sds = {rating.agent: rating.elo.se * math.sqrt(rating.blocks) for rating in ratings}
    else:
        sds = {name: sd_of_shares(points) for name, points in tally.points.items()}
    wanted = found.spec.names if agent is None else (agent,)
    for name in wanted:
        if not math.isfinite(sds[name]):
            raise TorresError(f"{name}: its rating has no spread that can be known yet; play more, or use --half-width")
    seconds = sum(sum(game.result.seconds) for game in found.games) / len(found.games)
    return (
        [{"agent": name, "sd": sds[name], "blocks_played": tally.blocks} for name in wanted],
        tally.games_a_block,
        seconds,
    )


def _plan_row(goal: dict[str, Any], spread: dict[str, Any], games: Any, seconds: Any, workers: int) -> dict[str, Any]:
    """Return what one agent's precision takes; without blocks the sd is taken as it is."""
    from torres_mcts.tournaments.statistics.planning import blocks_for_precision, sd_interval
    from torres_mcts.tournaments.statistics.planning import plan as cost

    sd, played = spread["sd"], spread["blocks_played"]
    ends = sd_interval(sd, played) if played else (sd, sd)
    least, blocks, most = (blocks_for_precision(goal["half_width"], value) for value in (ends[0], sd, ends[1]))
    hours = [
        cost(number, games_per_block=games, seconds_per_game=seconds, workers=workers).hours
        for number in (least, blocks, most, max(1, blocks - played))
    ]
    return {
        "version": __version__,
        **spread,
        **goal,
        "blocks": {"mean": blocks, "low": least, "high": most},
        "games": blocks * games,
        "seconds_per_game": seconds,
        "workers": workers,
        "hours": {"mean": hours[1], "low": hours[0], "high": hours[2]},
        "blocks_left": max(0, blocks - played),
        "hours_left": hours[3] if blocks > played else 0.0,
    }


def _show(goal: dict[str, Any], rows: list[dict[str, Any]], as_json: bool) -> None:
    from torres_mcts.core.files import to_json

    if as_json:
        for row in rows:
            click.echo(to_json(row, indent=None), nl=False)
        return
    first = rows[0]
    click.echo(
        f"for 95 % intervals of +-{goal['half_width']:g} {goal['unit']}, at {first['seconds_per_game']:.3g} s of"
        f" thinking a game and {first['workers']} worker{'s' * (first['workers'] > 1)}:"
    )
    click.echo(f"{'sd':>8}{'blocks':>9}  {'95 %':^17}{'games':>10}{'hours':>9}{'left':>9}  agent")
    for row in rows:
        span = f"[{row['blocks']['low']}, {row['blocks']['high']}]" if row["blocks_played"] else "-"
        click.echo(
            f"{row['sd']:8.3g}{row['blocks']['mean']:9}  {span:^17}{row['games']:10}{row['hours']['mean']:9.3g}"
            f"{row['hours_left']:9.3g}  {row['agent'] or 'as stated'}"
        )
