"""`torres random`: a random game as a record."""

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


@click.command("random", cls=Command)
@rules_options
@seed_option
@output_option
def random_game(preset: str, players: int, overrides: tuple[str, ...], seed: int | None, output: str | None) -> None:
    """Play a game in which every legal action is equally likely, and write its record."""
    with compilation_notice(), chosen_seed(seed) as chosen:
        from torres_mcts.core.files import to_json
        from torres_mcts.games.torres.position import Position
        from torres_mcts.games.torres.record import play_randomly

        rules = read_rules(preset, players, overrides)
        record = play_randomly(Position.new(rules, seed=chosen), seed=chosen)
        write_result(to_json(record.to_dict()), output)
