"""`torres play`: play on from a position."""

import click

from torres_mcts.commands.shell import Command, compilation_notice, output_option, write_result


@click.command(cls=Command)
@click.argument("file")
@click.argument("actions", nargs=-1, required=True, metavar="ACTION...")
@click.option("--viewpoint", metavar="NAME", help="Write only what this player knows.")
@output_option
def play(file: str, actions: tuple[str, ...], viewpoint: str | None, output: str | None) -> None:
    """Play actions in a position and write the position after, as JSON.

    An action is written as `torres legal` lists it: torres play start.json knight:c3 knight:f6
    """
    with compilation_notice():
        from torres_mcts.core.files import to_json
        from torres_mcts.games.torres.position import Position

        position = Position.load(file)
        for text in actions:
            for action in text.split():
                position = position.play(action)
        if viewpoint is not None:
            position = position.view(viewpoint)
        write_result(to_json(position.to_dict()), output)
