"""The card-collector: a card kept is a surprise for the last year, so buy and wait.

Cards do what action points cannot, and they count most where points are highest: at the end. So the card-collector buys
whenever it can in the first two years and parts with a card only for a good price; in the third year it lets go
and plays card after card. Its weakness: what it pays for cards is missing on the board.
"""

from dataclasses import dataclass
from typing import ClassVar

from torres_mcts.agents.heuristics.heuristic import Heuristic, Taste


@dataclass(frozen=True)
class CardCollectorEngine(Heuristic):
    """Hoards cards for the last year."""

    name: ClassVar[str] = "card-collector"
    taste: ClassVar[Taste] = Taste(own={"cards": (8.0, 8.0, 0.0)})
