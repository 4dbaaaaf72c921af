"""The command group `torres`."""

import click

from torres_mcts import __version__
from torres_mcts.commands.analyze import analyze
from torres_mcts.commands.bench import bench
from torres_mcts.commands.calibrate import calibrate
from torres_mcts.commands.check import check
from torres_mcts.commands.legal import legal
from torres_mcts.commands.match import match
from torres_mcts.commands.new import new
from torres_mcts.commands.play import play
from torres_mcts.commands.random_game import random_game
from torres_mcts.commands.replay import replay
from torres_mcts.commands.review import review
from torres_mcts.commands.schema import schema
from torres_mcts.commands.serve import serve
from torres_mcts.commands.shell import Group
from torres_mcts.commands.show import show
from torres_mcts.commands.study import study
from torres_mcts.commands.tournament import tournament
from torres_mcts.commands.tune import tune


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="torres")
def torres() -> None:
    """Positions and games of Torres: analyse them, make them, look at them, check them, play on, measure the engine.

    Every command reads a file or - for standard input, and answers bad input with one line and exit code 2.
    """


for command in (
    *(analyze, review, serve, new, show, check, legal, play, replay, random_game, schema),
    *(match, tournament, study, tune, calibrate, bench),
):
    torres.add_command(command)
