"""`torres new`: a fresh game."""

import click

from torres_mcts.commands.shell import (
    Command,
    chosen_seed,
    compilation_notice,
    output_option,
    read_rules,
    rules_options,
    seed_option,
    write_result,
)


@click.command(cls=Command)
@rules_options
@click.option("--names", metavar="A,B,...", help="The players' names in seating order, separated by commas.")
@click.option(
    "--setup",
    metavar="random|ACTIONS",
    help="Play the set-up out, too: at random, or as given: --setup 'knight:c3 knight:f6 king:a4'.",
)
@seed_option
@output_option
def new(
    preset: str,
    players: int,
    overrides: tuple[str, ...],
    names: str | None,
    setup: str | None,
    seed: int | None,
    output: str | None,
) -> None:
    """Write the position at the start of a game: decks shuffled, master card drawn."""
    with compilation_notice(), chosen_seed(seed) as chosen:
        from torres_mcts.core.files import to_json
        from torres_mcts.games.torres.position import Position
        from torres_mcts.games.torres.record import play_setup

        rules = read_rules(preset, players, overrides)
        position = Position.new(rules, seed=chosen, names=tuple(names.split(",")) if names else None)
        if setup == "random":
            position = play_setup(position, seed=chosen)
        elif setup is not None:
            for action in setup.split():
                position = position.play(action)
        write_result(to_json(position.to_dict()), output)
