"""`torres tune`: fit the weights of the static value, within and between years, hand inference, or the outlook."""

from typing import Any

import click

from torres_mcts.commands.shell import (
    Command,
    compilation_notice,
    output_option,
    read_rules,
    rules_options,
    write_result,
)

WEIGHT_GAMES, YEAR_END_GAMES, HAND_GAMES, OUTLOOK_GAMES = 7200, 1000, 100, 1500
TABLES = 3  # numbers of players that the outlook is fitted for


@click.command(cls=Command)
@rules_options
@click.option("--year-ends", is_flag=True, help="Fit what the board is worth between years, not the weights.")
@click.option("--hands", is_flag=True, help="Fit how far plays tell what a player holds, not the weights.")
@click.option("--outlook", is_flag=True, help="Fit how points go on from a position, for 2, 3 and 4 players.")
@click.option(
    "--games",
    type=click.IntRange(10, 10**6),
    help=f"Games to play.  [default: {WEIGHT_GAMES}; with --year-ends {YEAR_END_GAMES} and half as many to check; "
    f"with --hands {HAND_GAMES}, and half as many to check; "
    f"with --outlook {OUTLOOK_GAMES} for each number of players, and half as many to check]",
)
@click.option("--seed", type=click.IntRange(0, 2**31), default=1, show_default=True, help="One seed, one result.")
@output_option
def tune(
    preset: str,
    players: int,
    overrides: tuple[str, ...],
    year_ends: bool,
    hands: bool,
    outlook: bool,
    games: int | None,
    seed: int,
    output: str | None,
) -> None:
    """Fit the weights of the static value to self-play and write them, with what was done, as TOML.

    The weights in use are games/torres/heuristics/weights.toml; a changed file takes effect at the next start, which
    compiles anew. With --year-ends the value between years is fitted instead, in year_ends.toml beside it. With --hands
    the temperature by which hand inference weighs plays is fitted, and checked on fresh games; the one in use is
    analysis/hands.toml. With --outlook the model that turns positions into win probabilities is fitted to the preset,
    without changes, and checked on fresh games; it is analysis/outlook.toml.
    """
    from rich.console import Console
    from rich.progress import Progress

    if year_ends + hands + outlook > 1:
        raise click.UsageError("--year-ends, --hands and --outlook are different fits; choose one")
    if outlook and overrides:
        raise click.UsageError("--outlook is fitted to a preset without changes")
    fit_one, usual_games = (
        (_fit_year_ends, YEAR_END_GAMES)
        if year_ends
        else (_fit_hands, HAND_GAMES)
        if hands
        else (_fit_outlook, OUTLOOK_GAMES)
        if outlook
        else (_fit_weights, WEIGHT_GAMES)
    )
    games = games or usual_games
    total = games if fit_one is _fit_weights else (TABLES if outlook else 1) * (games + games // 2)
    with compilation_notice():
        rules = read_rules(preset, players, overrides)
        console = Console(stderr=True)
        with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
            task = progress.add_task("games", total=total)
            fit = fit_one(rules, games=games, seed=seed, progress=lambda done: progress.update(task, completed=done))
        write_result(fit.to_toml(), output)


def _fit_weights(rules: Any, **options: Any) -> Any:
    """Fit the weights of the static value."""
    from torres_mcts.agents.tuning import fit_weights

    return fit_weights(rules, **options)


def _fit_year_ends(rules: Any, games: int, **options: Any) -> Any:
    """Fit the value between years and check it on half as many games."""
    from torres_mcts.agents.year_end_fit import fit_year_ends

    return fit_year_ends(rules, games=games, check_games=games // 2, **options)


def _fit_hands(rules: Any, games: int, **options: Any) -> Any:
    """Fit the temperature of hand inference and check it on half as many games."""
    from torres_mcts.analysis.hand_fit import fit_hands

    return fit_hands(rules, games=games, check_games=games // 2, **options)


def _fit_outlook(rules: Any, games: int, **options: Any) -> Any:
    """Fit the outlook and check it on half as many games."""
    from torres_mcts.analysis.outlook_fit import fit_outlook

    return fit_outlook(rules, games=games, check_games=games // 2, **options)
