"""`torres schema`: the JSON Schemas of our files."""

import click

from torres_mcts.commands.shell import Command, output_option, write_result


@click.command(cls=Command)
@click.argument("kind", type=click.Choice(["position", "game"]), default="position")
@output_option
def schema(kind: str, output: str | None) -> None:
    """Print the JSON Schema of a position file (or of a game record)."""
    from torres_mcts.core.files import to_json
    from torres_mcts.games.torres.format.model import game_schema, position_schema

    write_result(to_json(position_schema() if kind == "position" else game_schema()), output)
