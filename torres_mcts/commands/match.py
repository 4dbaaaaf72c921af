"""`torres match`: two agents against each other, in blocks of rotated seats."""

from pathlib import Path
from typing import Any

import click

from torres_mcts.commands.shell import (
    INTERRUPTED,
    Command,
    check_targets,
    chosen_seed,
    compilation_notice,
    read_rules,
    rules_options,
    seed_option,
)


@click.command(cls=Command)
@click.argument("focus")
@click.argument("opponent")
@rules_options
@click.option("--blocks", type=click.IntRange(1, 10**6), default=20, show_default=True, help="Deals to play.")
@click.option("--time", type=float, help="Seconds for each turn.")
@click.option("--iterations", type=int, help="Iterations for each turn.")
@click.option("--workers", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes.")
@click.option("-o", "--output", metavar="FILE", help="Write every block to a file; the same line resumes from it.")
@seed_option
def match(
    focus: str,
    opponent: str,
    preset: str,
    players: int,
    overrides: tuple[str, ...],
    blocks: int,
    time: float | None,
    iterations: int | None,
    workers: int,
    output: str | None,
    seed: int | None,
) -> None:
    """Let the agent FOCUS play against OPPONENT on all other seats.

    Every deal is played once from each seat of FOCUS: that is a block. An agent is an engine with parameters, such as
    greedy, climber:width=16 or ismcts:iterations=2000, or a class of your own, such as mine.py:MyAgent; a limit of its
    own goes before the common one. Without --time and --iterations each turn has 1 second.
    """
    from rich.console import Console
    from rich.progress import Progress

    with compilation_notice():
        from torres_mcts.search.limits import Limit
        from torres_mcts.tournaments.match import Match, run_match

        check_targets({"output": output})
        rules = read_rules(preset, players, overrides)
        limit = Limit(time=1.0 if time is None and iterations is None else time, iterations=iterations)
        console, result, interrupted = Console(stderr=True), None, False
        bar = Progress(console=console, transient=True, disable=not console.is_terminal)
        with chosen_seed(seed) as number, bar as progress:
            task = progress.add_task("blocks", total=blocks)
            played = Match(focus, opponent, rules, limit, number)
            try:
                for result in run_match(played, blocks=blocks, workers=workers, path=Path(output) if output else None):
                    progress.update(task, completed=len(result.blocks), description=f"wins {result.wins.mean:.1%}")
            except KeyboardInterrupt:
                interrupted = True
    if result is not None:
        _show(result)
    if interrupted:
        goes_on = f"; the same line with --seed {number} goes on" if output and result is not None else ""
        click.echo(f"interrupted{goes_on}", err=True)
        raise SystemExit(INTERRUPTED)


def _show(result: Any) -> None:
    """Print what came of a match."""
    match, (own, other) = result.match, result.seconds_per_decision
    players = match.rules.players
    click.echo(
        f"{match.focus} against {match.opponent}, {players} players, {len(result.blocks)} blocks, seed {match.seed}"
    )
    click.echo(f"wins         {result.wins}   (fair {1 / players:.3f})")
    click.echo(f"rank points  {result.rank_points}   (fair 0.500)")
    click.echo(f"margin       {result.margin.mean:+.1f} [{result.margin.low:+.1f}, {result.margin.high:+.1f}]")
    click.echo(f"seconds a choice  {own:.3f} and {other:.3f}")
