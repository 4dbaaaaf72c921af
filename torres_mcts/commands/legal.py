"""`torres legal`: what may the player to move do?"""

import click

from torres_mcts.commands.shell import Command, compilation_notice


@click.command(cls=Command)
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
def legal(file: str, as_json: bool) -> None:
    """List every legal action of a position, one a line, sorted."""
    with compilation_notice():
        from torres_mcts.core.files import to_json
        from torres_mcts.games.torres.position import Position

        actions = Position.load(file).legal_actions()
        click.echo(to_json(actions) if as_json else "".join(f"{action}\n" for action in actions), nl=False)
