"""`torres bench`: how fast the engine is on this machine."""

import math

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
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def bench(
    preset: str,
    players: int,
    overrides: tuple[str, ...],
    seconds: float,
    repeat: int,
    seed: int,
    timed: bool,
    as_json: bool,
) -> None:
    """Measure full random playouts from the start of a game, on one thread.

    Every playout shuffles anew; every action is drawn uniformly from all legal ones. CPU time is the steadier
    measure on a shared machine.
    """
    from torres_mcts.analysis.speed import measure_first_call, measure_playouts
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
