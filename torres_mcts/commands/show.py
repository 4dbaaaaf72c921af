"""`torres show`: a position to look at."""

from typing import Any

import click

from torres_mcts.commands.shell import Command, compilation_notice, terminal_console
from torres_mcts.core.errors import TorresError


@click.command(cls=Command)
@click.argument("file")
@click.option("--viewpoint", metavar="NAME", help="Show only what this player knows.")
@click.option("--png", metavar="FILE", help="Draw the board as a PNG picture.")
@click.option("--svg", metavar="FILE", help="Draw the board as an SVG picture.")
@click.option("--json", "as_json", is_flag=True, help="Print the canonical position instead.")
def show(file: str, viewpoint: str | None, png: str | None, svg: str | None, as_json: bool) -> None:
    """Show a position: heights, knights, king, scores, stacks, hands.

    In the terminal in colour; with --png or --svg as a picture.
    """
    with compilation_notice():
        from torres_mcts.core.files import to_json
        from torres_mcts.games.torres.position import Position
        from torres_mcts.plotting.terminal import board_lines

        position = Position.load(file)
        if viewpoint is not None:
            position = position.view(viewpoint)
        data = position.to_dict()
        for path, suffix in ((png, ".png"), (svg, ".svg")):
            if path is not None:
                _draw(data, path, suffix)
        if as_json:
            click.echo(to_json(data), nl=False)
        elif png is None and svg is None:
            terminal_console().print(board_lines(data))


def _draw(data: dict[str, Any], path: str, suffix: str) -> None:
    """Draw the board into a file of the kind that the option names."""
    from torres_mcts.plotting.board import save_board

    if not path.lower().endswith(suffix):
        raise TorresError(f"--{suffix[1:]} {path}: the name must end in {suffix}")
    save_board(data, path)
