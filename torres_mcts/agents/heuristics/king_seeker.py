"""The king-seeker: the king's bonus is the surest income, so live in his castle.

The bonus asks for one knight on the right level of one castle, and everybody who has one there gets it whole. So the
king-seeker keeps a knight in the king's castle or beside the level of the year, and where it may move the king it
moves him to its own knights. Its weakness: the other castles grow without it.
"""

from dataclasses import dataclass
from typing import ClassVar

from torres_mcts.agents.heuristics.heuristic import Heuristic, Taste


@dataclass(frozen=True)
class KingSeekerEngine(Heuristic):
    """Stays where the king is."""

    name: ClassVar[str] = "king-seeker"
    taste: ClassVar[Taste] = Taste(own={"king": 2.0, "king_near": 6.0, "in_king_castle": 8.0})
