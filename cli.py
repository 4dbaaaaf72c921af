"""Run the command `torres` from a checkout: python cli.py show examples/positions/middle-game.json"""

from torres_mcts.commands.main import torres

if __name__ == "__main__":  # workers of a match import this file, too
    torres(prog_name="torres")
