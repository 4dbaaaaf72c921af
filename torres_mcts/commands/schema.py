"""`torres schema`: the JSON Schemas of our files."""

import click

from torres_mcts.commands.shell import Command, output_option, write_result


@click.command(cls=Command)
@click.argument("kind", type=click.Choice(["position", "game", "analysis", "review"]), default="position")
@output_option
def schema(kind: str, output: str | None) -> None:
    """Print the JSON Schema of a position file (or of a game record, of an analysis, of a review)."""
    from torres_mcts.analysis.report import report_schema
    from torres_mcts.analysis.review_report import review_schema
    from torres_mcts.core.files import to_json
    from torres_mcts.games.torres.format.model import game_schema, position_schema

    schemas = {"position": position_schema, "game": game_schema, "analysis": report_schema, "review": review_schema}
    write_result(to_json(schemas[kind]()), output)
