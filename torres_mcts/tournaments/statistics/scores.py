"""The points that agents reach at the end of their games."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

import numpy as np

from torres_mcts.tournaments.statistics.estimates import Estimate, estimate_in_blocks
from torres_mcts.tournaments.statistics.outcomes import Outcome

QUANTILES = (5, 25, 50, 75, 95)


@dataclass(frozen=True, eq=False)
class Scores:
    """The final points of an agent, over all its seats."""

    agent: str
    values: np.ndarray  # [seats played] float64, sorted
    mean: Estimate  # over blocks

    @property
    def quantiles(self) -> tuple[float, ...]:
        """What 5, 25, 50, 75 and 95 % of the values are at most."""
        return tuple(np.percentile(self.values, QUANTILES).tolist())

    def density(self, grid: np.ndarray) -> np.ndarray:
        """Return how densely the values lie around each point of a grid: normal curves of Silverman's width.

        >>> points = Scores("a", np.array([1.0, 2.0, 3.0]), Estimate(2.0, 0.0, 2.0, 2.0))
        >>> bool(points.density(np.linspace(-9, 13, 500)).sum() * 22 / 499 > 0.999)
        True
        """
        width = bandwidth(self.values)
        away = (grid[:, None] - self.values) / width
        return np.exp(-(away**2) / 2).mean(axis=1) / (width * np.sqrt(2 * np.pi))


def bandwidth(values: np.ndarray) -> float:
    """Return Silverman's width of the curves of a density; half a point at least, as points are whole numbers.

    >>> bandwidth(np.array([7.0]))
    0.5
    """
    low, high = np.percentile(values, [25, 75])
    spreads = [spread for spread in (float(np.std(values)), float(high - low) / 1.34) if spread > 0]
    return max(0.5, 0.9 * min(spreads, default=0.0) * len(values) ** -0.2)


def score_table(outcomes: Iterable[Outcome]) -> list[Scores]:
    """Return the points of each agent, the best mean first; games that ended by forfeit have no final points.

    >>> table = score_table([Outcome(0, ("a", "b"), (9, 5)), Outcome(1, ("b", "a"), (4, 8))])
    >>> [(scores.agent, scores.mean.mean) for scores in table]
    [('a', 8.5), ('b', 4.5)]
    """
    found: dict[str, list[tuple[Hashable, float]]] = {}
    for outcome in outcomes:
        if not outcome.forfeits:
            for agent, score in zip(outcome.agents, outcome.scores, strict=True):
                found.setdefault(agent, []).append((outcome.block, score))
    table = [
        Scores(agent, np.sort(np.array([score for _, score in values])), estimate_in_blocks(values))
        for agent, values in sorted(found.items())
    ]
    return sorted(table, key=lambda scores: -scores.mean.mean)
