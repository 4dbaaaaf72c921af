"""Run the command `torres` from a checkout: python cli.py show examples/positions/middle-game.json"""

from torres_mcts.commands.main import torres

torres(prog_name="torres")
