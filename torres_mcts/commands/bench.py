"""`torres bench`: how fast the engine is on this machine."""

import math
from typing import Any

import click

from torres_mcts.commands.shell import Command, compilation_notice, read_rules, rules_options
from torres_mcts.core.errors import TorresError


@click.command(cls=Command)
@rules_options
@click.option(
    "--seconds", type=click.FloatRange(0.05, 3600), default=3.0, show_default=True, help="How long to measure."
)
@click.option("--repeat", type=click.IntRange(1, 100), default=3, show_default=True, help="Parts; the spread is told.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True, help="Seed of the playouts.")
@click.option("--compile/--no-compile", "timed", default=True, help="Time the first call, cold and cached, too (20 s).")
@click.option("--search", is_flag=True, help="Measure the searches and the turn generator, too.")
@click.option("--tournament", is_flag=True, help="Measure tournaments with one worker and two, and the store, too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def bench(
    preset: str,
    players: int,
    overrides: tuple[str, ...],
    seconds: float,
    repeat: int,
    seed: int,
    timed: bool,
    search: bool,
    tournament: bool,
    as_json: bool,
) -> None:
    """Measure full random playouts from the start of a game, on one thread.

    Every playout shuffles anew; every action is drawn uniformly from all legal ones. CPU time is the steadier
    measure on a shared machine.
    """
    from torres_mcts.analysis.speed import measure_first_call, measure_playouts, measure_search
    from torres_mcts.core.files import to_json

    if not math.isfinite(seconds):
        raise TorresError(f"--seconds {seconds}: expected a number of seconds")

    rules = read_rules(preset, players, overrides)
    first_call = {}
    if timed:
        click.echo("timing the first call in fresh processes (about 20 s)", err=True)
        first_call = measure_first_call()
    with compilation_notice():
        result = measure_playouts(rules, seconds=seconds, parts=repeat, seed=seed) | first_call
        if search:
            result["search"] = measure_search(rules, seconds=seconds, seed=seed)
        if tournament:
            from torres_mcts.tournaments.speed import measure_tournament

            result["tournament"] = measure_tournament(rules, seconds=seconds, parts=repeat, seed=seed)
    if as_json:
        click.echo(to_json(result), nl=False)
        return
    low, high = result["playouts_per_cpu_second_range"]
    click.echo(f"rules                 {preset}, {players} players, seed {seed}, version {result['version']}")
    click.echo(f"playouts/s            {result['playouts_per_second']:,.0f}")
    click.echo(f"playouts/CPU s        {result['playouts_per_cpu_second']:,.0f}  (parts: {low:,.0f} to {high:,.0f})")
    click.echo(f"actions/s             {result['actions_per_second']:,.0f}")
    click.echo(f"ns/action (CPU)       {result['nanoseconds_per_action']:.1f}")
    click.echo(f"actions/playout       {result['actions_per_playout']:.1f} +- {result['actions_per_playout_se']:.1f}")
    click.echo(f"branching             {result['branching']:.1f}")
    click.echo(f"state                 {result['state_bytes']} bytes")
    if timed:
        click.echo(f"first call, no cache  {result['compile_seconds']:.1f} s (imports and compilation)")
        click.echo(f"first call, cached    {result['load_seconds']:.2f} s (imports and loading)")
    if search:
        _print_search(result["search"])
    if tournament:
        _print_tournament(result["tournament"])


def _print_search(result: dict[str, Any]) -> None:
    """Print what was measured of the searches."""
    for name, rate in result["iterations_per_second"].items():
        click.echo(f"{rate:12,.0f} iterations/s  {name}")
    turns = result["turns"]
    click.echo(f"two threads           {result['speed_up_2_threads']:.2f} times the iterations of one (so-ismcts)")
    click.echo(
        f"turn generator        {turns['distinct_turns']:,} distinct turns of {turns['orders']:,.0f} orders in "
        f"{turns['cpu_seconds']:.2f} CPU s ({turns['turns_per_cpu_second']:,.0f}/s)"
        f"{'' if turns['exhaustive'] else ', not all'}"
    )
    sizes = result["bytes_per_node"]
    click.echo(f"bytes per node        {sizes['tree']} (tree), {sizes['graph']} (equal states merged)")


def _print_tournament(result: dict[str, Any]) -> None:
    """Print what was measured of tournaments."""
    low, high = result["speed_up_2_workers_range"]
    rates = result["games_per_second"]
    click.echo(f"games/s               {rates['1']:.1f} with one worker, {rates['2']:.1f} with two ({result['agent']})")
    click.echo(
        f"two workers           {result['speed_up_2_workers']:.2f} times the games of one"
        f" (parts: {low:.2f} to {high:.2f})"
    )
    click.echo(
        f"store                 {result['store_seconds_per_game'] * 1e3:.2f} ms a game,"
        f" {result['store_share']:.1%} of the time at {result['store_share_at']} games/s"
    )
