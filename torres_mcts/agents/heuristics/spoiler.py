"""The spoiler: what the others do not get is as good as points, so stand in their way.

What the best opponent would have if the year ended now counts for the spoiler two times more than for others. So of two
turns it takes the one that leaves that opponent less, and it does not widen a castle in which somebody else stands
higher. Its weakness: with several opponents it works for all those that it does not harm.
"""

from dataclasses import dataclass
from typing import ClassVar

from torres_mcts.agents.heuristics.heuristic import Heuristic, Taste


@dataclass(frozen=True)
class SpoilerEngine(Heuristic):
    """Keeps the best opponent's points low."""

    name: ClassVar[str] = "spoiler"
    taste: ClassVar[Taste] = Taste(others={"standing": 2.0})
