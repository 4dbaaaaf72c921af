"""`torres check`: is a position file right?"""

import click

from torres_mcts.commands.shell import BAD_INPUT, Command, compilation_notice


@click.command(cls=Command)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line: file, ok, error.")
def check(files: tuple[str, ...], as_json: bool) -> None:
    """Check position files: a line each, exit code 2 if one of them is impossible."""
    with compilation_notice():
        from torres_mcts.core.errors import TorresError
        from torres_mcts.core.files import name_of, to_json
        from torres_mcts.games.torres.position import Position

        bad = 0
        for file in files:
            try:
                position = Position.load(file)
                result = {"file": file, "ok": True, "error": None}
                line = f"{name_of(file)}: ok: {position.rules.name}, {len(position.names)} players, {position.summary}"
            except TorresError as error:
                bad += 1
                result = {"file": file, "ok": False, "error": str(error)}
                line = str(error)
            click.echo(to_json(result, indent=None) if as_json else line, nl=not as_json)
        if bad:
            raise SystemExit(BAD_INPUT)
