"""An agent of your own: a class with a method `choose`. Play it with

torres match examples/agents/hermit.py:Hermit random --blocks 2
torres match examples/agents/hermit.py:Hermit:shyness=0.5 greedy --blocks 2

The hermit knows nothing of points. It plays action by action, and likes its knights high up and far from others.
"""

import random

from torres_mcts import Position


class Hermit:
    """One object is made for each game and seat; its arguments are the parameters of the agent."""

    def __init__(self, shyness: float = 1.0) -> None:
        self.shyness = shyness  # what a square of distance to the nearest stranger is worth, in levels

    def choose(self, position: Position, *, limit: object, seed: int) -> list[str]:
        """Return the actions to play next: one at least, at the most up to the end of the turn.

        position: what the player to move sees; cards that this player does not know are unknown in it
        limit:    time in seconds or iterations that the tournament grants for a turn (the hermit is quick anyway)
        seed:     for luck: with the same position and seed the answer must be the same
        """
        luck = random.Random(seed)
        actions = position.legal_actions()
        luck.shuffle(actions)  # among equals, any
        usual = [action for action in actions if not action.startswith(("buy", "card", "score"))]
        return [max(usual or actions, key=lambda action: self.liking(position.play(action), position.to_move))]

    def liking(self, position: Position, name: str | None) -> float:
        """Return how much the hermit likes a position."""
        board = position.to_dict()
        players = {player["name"]: player["knights"] for player in board["players"]}
        own = players.pop(name)
        strangers = [square for squares in players.values() for square in squares]
        levels = sum(level_of(board["heights"], square) for square in own)
        return levels + sum(
            self.shyness * min((distance(square, other) for other in strangers), default=0) for square in own
        )


def level_of(heights: list[str], square: str) -> int:
    """Return the height of a square; the rows of a position are written from the top."""
    sign = heights[8 - int(square[1])]["abcdefgh".index(square[0])]
    return 0 if sign == "." else int(sign, 36)


def distance(one: str, other: str) -> int:
    """Return the steps between two squares."""
    return abs(ord(one[0]) - ord(other[0])) + abs(int(one[1]) - int(other[1]))
