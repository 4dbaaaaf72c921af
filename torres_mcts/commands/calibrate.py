"""`torres calibrate`: win probabilities against results, intervals against long-run values."""

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
@rules_options
@click.option("--agent", default="turns:iterations=32", show_default=True, help="Who plays the games.")
@click.option("--games", type=click.IntRange(2, 10**6), default=60, show_default=True, help="Games to play.")
@click.option("--positions", type=click.IntRange(1, 100), default=4, show_default=True, help="Analysed in each game.")
@click.option("--iterations", type=click.IntRange(24, 10**7), default=120, show_default=True, help="Of each analysis.")
@click.option("--repeats", type=click.IntRange(0, 1000), default=0, show_default=True,
              help="Analyses of one position of each game, whose intervals are compared with a long one.")  # fmt: skip
@click.option("--reference", type=click.IntRange(24, 10**8), default=2400, show_default=True,
              help="Iterations of that long one.")  # fmt: skip
@click.option("--workers", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes.")
@click.option("--png", metavar="FILE", help="Draw what was said against what happened.")
@click.option("-o", "--output", metavar="FILE", help="Write everything to a file; the same line resumes from it.")
@seed_option
def calibrate(
    preset: str,
    players: int,
    overrides: tuple[str, ...],
    agent: str,
    games: int,
    positions: int,
    iterations: int,
    repeats: int,
    reference: int,
    workers: int,
    png: str | None,
    output: str | None,
    seed: int | None,
) -> None:
    """Check the analysis against games: is what it calls 70 % won seven times in ten?

    An agent plays games against itself; positions are drawn from each and analysed from what the player to move knew.
    With --repeats one position of each game is analysed again with other seeds, to see how often the 95 % interval of
    the best turn holds what a long analysis says of that turn. The file given with -o holds everything as JSON, is
    brought up to date after every game, and the same line goes on from it.
    """
    from rich.console import Console
    from rich.progress import Progress

    check_targets({"output": output, "png": png})
    with compilation_notice():
        from torres_mcts.studies.calibration import Plan
        from torres_mcts.studies.calibration import calibrate as run

        rules, console = read_rules(preset, players, overrides), Console(stderr=True)
        bar = Progress(console=console, transient=True, disable=not console.is_terminal)
        with chosen_seed(seed) as number, bar as progress:
            task = progress.add_task("games", total=games)
            plan = Plan(rules, agent, games, positions, iterations, repeats, reference, number)
            path = None if output is None else Path(output)
            try:
                result = run(plan, workers=workers, path=path, see=lambda done: progress.update(task, completed=done))
            except KeyboardInterrupt:
                click.echo(f"interrupted{'; the same line goes on' if path and seed is not None else ''}", err=True)
                raise SystemExit(INTERRUPTED) from None
    if png is not None:
        from torres_mcts.core.files import write_bytes
        from torres_mcts.plotting.calibration_plot import reliability_png

        write_bytes(png, reliability_png(result))
    _show(result)


def _show(result: Any) -> None:
    """Print what came of it."""
    plan, brier = result.plan, result.brier
    click.echo(f"{plan.agent}, {plan.rules.players} players, {plan.games} games, seed {plan.seed}")
    click.echo(f"Brier score {brier}, equal chances {result.plain_brier:.3f}")
    click.echo(f"{'said':>8}{'happened':>12}  95 %{'positions':>19}")
    for tenth in result.tenths:
        happened = tenth.happened
        click.echo(f"{tenth.said:8.3f}{happened.mean:12.3f}  [{happened.low:.3f}, {happened.high:.3f}]{tenth.count:>8}")
    if result.coverage is not None:
        click.echo(f"95 % intervals of the best turn that hold the long-run value: {result.coverage}")
