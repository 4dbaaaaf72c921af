"""The builder: a castle is worth its area, so build wide.

A square more in a castle is worth the level of the best knight in it, in this year and in every later one, and only one
card can take it away again. So the builder spends its blocks on the area of the castles that carry its knights, on
the widest above all, and leaves cards to others. Its weakness: a wide castle is worth as much to every guest.
"""

from dataclasses import dataclass
from typing import ClassVar

from torres_mcts.agents.heuristics.heuristic import Heuristic, Taste


@dataclass(frozen=True)
class BuilderEngine(Heuristic):
    """Makes the castles under its knights wide."""

    name: ClassVar[str] = "builder"
    taste: ClassVar[Taste] = Taste(own={"areas": 1.5, "widest": 3.0, "cards": -3.0})
