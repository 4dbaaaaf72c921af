"""The sprinter: a point now is better than two later, so take it.

Points on the score track count three times for the sprinter, and points that the year would bring if it ended now count
twice. So it turns action points into points where others would save or prepare, and takes the castle that pays this
year. Its weakness: what it has not prepared in the first year is missing in the third.
"""

from dataclasses import dataclass
from typing import ClassVar

from torres_mcts.agents.heuristics.heuristic import Heuristic, Taste


@dataclass(frozen=True)
class SprinterEngine(Heuristic):
    """Takes points as early as it can."""

    name: ClassVar[str] = "sprinter"
    taste: ClassVar[Taste] = Taste(own={"score": 2.0, "standing": 1.0})
