"""How ratings settle as blocks are added."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from torres_mcts.tournaments.statistics.outcomes import Outcome
from torres_mcts.tournaments.statistics.ratings import Ratings, connected_groups, rate

STEPS = 20
FIRST = 2  # a single block has no interval


@dataclass(frozen=True)
class Step:
    """The ratings after some blocks."""

    blocks: int
    ratings: Ratings


def follow_ratings(outcomes: Sequence[Outcome], *, anchor: str | None = None, steps: int = STEPS) -> list[Step]:
    """Rate all agents anew after some numbers of blocks, the last of them all there are.

    Numbers of blocks at which some agent has not played, or groups of agents have not met, are left out.

    outcomes: in the order of their blocks

    >>> games = [Outcome(deal, ("a", "b"), (3, 1) if deal % 4 else (1, 3)) for deal in range(400)]
    >>> [step.blocks for step in follow_ratings(games, steps=5)]
    [2, 8, 28, 106, 400]
    """
    blocks = list(dict.fromkeys(outcome.block for outcome in outcomes))
    agents = {agent for outcome in outcomes for agent in outcome.agents}
    found = []
    for size in step_sizes(len(blocks), steps):
        kept: set[Hashable] = set(blocks[:size])
        first = [outcome for outcome in outcomes if outcome.block in kept]
        groups = connected_groups(first)
        if len(groups) == 1 and set(groups[0]) == agents:
            found.append(Step(size, rate(first, anchor=anchor)))
    return found


def step_sizes(count: int, steps: int) -> list[int]:
    """Return numbers of blocks up to all of them, each larger than the one before by about the same factor.

    >>> step_sizes(6, 20), step_sizes(1, 20)
    ([2, 3, 4, 5, 6], [])
    """
    if count < FIRST:
        return []
    return sorted({round(size) for size in np.geomspace(FIRST, count, steps).tolist()})
