"""`torres tune`: fit the weights of the static value."""

import click

from torres_mcts.commands.shell import (
    Command,
    compilation_notice,
    output_option,
    read_rules,
    rules_options,
    write_result,
)


@click.command(cls=Command)
@rules_options
@click.option("--games", type=click.IntRange(10, 10**6), default=3000, show_default=True, help="Games to play.")
@click.option("--seed", type=click.IntRange(0, 2**31), default=1, show_default=True, help="One seed, one result.")
@output_option
def tune(preset: str, players: int, overrides: tuple[str, ...], games: int, seed: int, output: str | None) -> None:
    """Fit the weights of the static value to self-play and write them, with what was done, as TOML.

    The weights in use are games/torres/heuristics/weights.toml; a changed file takes effect at the next start, which
    compiles anew.
    """
    from rich.console import Console
    from rich.progress import Progress

    with compilation_notice():
        from torres_mcts.games.torres.heuristics.tuning import fit_weights

        rules = read_rules(preset, players, overrides)
        with Progress(console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task("games", total=games)
            fit = fit_weights(
                rules, games=games, seed=seed, progress=lambda done: progress.update(task, completed=done)
            )
        write_result(fit.to_toml(), output)
