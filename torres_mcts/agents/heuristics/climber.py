"""The climber: a castle is worth the level of the highest knight, so stand high.

A level more counts for every square of the castle, and a high place is hard to reach for others. So the climber brings
few knights onto the board, does not care for cards, and takes those few up step by step. Its weakness: a knight high
up scores in one castle only.
"""

from dataclasses import dataclass
from typing import ClassVar

from torres_mcts.agents.heuristics.heuristic import Heuristic, Taste


@dataclass(frozen=True)
class ClimberEngine(Heuristic):
    """Takes few knights high up."""

    name: ClassVar[str] = "climber"
    taste: ClassVar[Taste] = Taste(own={"levels": 1.0, "climb": 1.0, "highest": 6.0, "knights": -6.0, "cards": -2.0})
