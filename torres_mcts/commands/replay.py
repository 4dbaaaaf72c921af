"""`torres replay`: a recorded game, year by year."""

from typing import Any

import click

from torres_mcts.commands.shell import Command, compilation_notice, terminal_console


@click.command(cls=Command)
@click.argument("game")
@click.option("--at", type=click.IntRange(0), metavar="N", help="Print the position after N actions, as JSON, instead.")
@click.option("--viewpoint", metavar="NAME", help="With --at: write only what this player knows.")
@click.option("--json", "as_json", is_flag=True, help="Print scores by year and the final position as JSON.")
def replay(game: str, at: int | None, viewpoint: str | None, as_json: bool) -> None:
    """Replay the record of a game, check it, and show the scores by year.

    A record holds the initial position and the actions; scores and a final position in it are checked.
    """
    with compilation_notice():
        from torres_mcts.core.errors import TorresError
        from torres_mcts.core.files import name_of, to_json
        from torres_mcts.games.torres.record import GameRecord

        if viewpoint is not None and at is None:
            raise TorresError("--viewpoint goes with --at N, the position to write")
        record = GameRecord.load(game)
        if at is not None:
            position = record.position_after(at)
            shown = position if viewpoint is None else position.view(viewpoint)
            click.echo(to_json(shown.to_dict()), nl=False)
            return
        try:
            replayed = record.replay()
        except TorresError as error:
            raise type(error)(f"{name_of(game)}: {error}") from None
        if as_json:
            click.echo(to_json({**replayed.to_dict(), "final": replayed.final.to_dict()}), nl=False)
        else:
            _print_years(replayed)


def _print_years(replayed: Any) -> None:
    """Print a table of the scores after each year."""
    from rich.table import Table
    from rich.text import Text

    from torres_mcts.games.torres.text import printable

    final = replayed.final
    table = Table(title=f"{final.rules.name}, {len(final.names)} players, {replayed.action_count} actions")
    table.add_column("after")
    for name in final.names:
        table.add_column(Text(printable(name)), justify="right")
    for row in replayed.years:
        table.add_row(f"year {row['year']}", *(str(score) for score in row["scores"]))
    if not final.is_over:
        table.add_row("now", *(str(score) for score in final.scores.values()))
    console = terminal_console()
    console.print(table)
    winners = " and ".join(printable(name) for name in final.winners)
    console.print(Text(f"won by {winners}" if final.is_over else f"not over: {final.summary}"))
