"""Means over blocks with honest intervals: a block, not a game, is what counts as one observation."""

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """A value with its standard error and 95 % interval."""

    mean: float
    se: float
    low: float
    high: float

    @property
    def ci95(self) -> tuple[float, float]:
        """Both ends of the interval."""
        return self.low, self.high

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


def student_factor(freedom: float) -> float:
    """Return how many standard errors a 95 % interval reaches; infinite without a degree of freedom.

    >>> round(student_factor(1000), 2), student_factor(0)
    (1.96, inf)
    """
    return float(special.stdtrit(freedom, (1 + CONFIDENCE) / 2)) if freedom > 0 else math.inf


def estimate_share(blocks: Sequence[float] | np.ndarray, weights: np.ndarray | None = None) -> Estimate:
    """Return the mean of block means that lie from 0 to 1.

    Two further blocks, one of 0 and one of 1, take part in the interval (after Agresti and Coull), so that a clean
    sweep does not claim to be certain. Blocks of different size count by their weights, the number of games each; the
    standard error is then that of a ratio.

    >>> print(estimate_share([0.5, 1.0, 0.5, 1.0]))
    0.750 [0.238, 1.000]
    """
    blocks = np.asarray(blocks, dtype=float)
    weights = np.ones(len(blocks)) if weights is None else weights
    mean = float(np.average(blocks, weights=weights))
    padded = np.concatenate([blocks, [0.0, 1.0]])
    weights = np.concatenate([weights, np.full(2, weights.mean())])
    count, centre = len(padded), float(np.average(padded, weights=weights))
    squares = float(np.sum((weights * (padded - centre)) ** 2))
    error = math.sqrt(squares * count / (count - 1)) / float(weights.sum())
    return interval_around(mean, centre, error, count - 1, bounds=(0.0, 1.0))


def interval_around(
    mean: float,
    centre: float,
    error: float,
    freedom: float,
    *,
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> Estimate:
    """Return Student's interval around a centre, stretched to hold the mean and cut at the bounds.

    >>> print(interval_around(1.0, 0.8, 0.1, 10, bounds=(0.0, 1.0)))
    1.000 [0.577, 1.000]
    """
    if not (freedom > 0 and math.isfinite(error)):
        return Estimate(mean, math.inf, *bounds)
    reach = student_factor(freedom) * error
    return Estimate(mean, error, max(bounds[0], min(mean, centre - reach)), min(bounds[1], max(mean, centre + reach)))


def estimate_mean(blocks: Sequence[float] | np.ndarray) -> Estimate:
    """Return the mean of block means with Student's interval; infinite with a single block.

    >>> print(estimate_mean([3.0, 5.0, 4.0]))
    4.000 [1.516, 6.484]
    """
    mean = float(np.mean(blocks))
    error = float(np.std(blocks, ddof=1) / math.sqrt(len(blocks))) if len(blocks) > 1 else math.inf
    return interval_around(mean, mean, error, len(blocks) - 1)


def estimate_in_blocks(values: Iterable[tuple[Hashable, float]]) -> Estimate:
    """Return the mean over blocks of values that are given with their block.

    >>> print(estimate_in_blocks([(0, 2.0), (0, 4.0), (1, 5.0), (2, 4.0)]))
    4.000 [1.516, 6.484]
    """
    blocks: dict[Hashable, list[float]] = {}
    for block, value in values:
        blocks.setdefault(block, []).append(value)
    return estimate_mean([sum(block) / len(block) for block in blocks.values()])


def share_reaches(blocks: Sequence[float] | np.ndarray) -> np.ndarray:
    """Return how far the interval of `estimate_share` reaches to each side after each block.

    >>> share_reaches([0.5, 1.0, 0.5, 1.0]).round(3)
    array([1.242, 0.762, 0.519, 0.428])
    """
    blocks = np.asarray(blocks, dtype=float)
    count = np.arange(1, len(blocks) + 1) + 2
    total, squares = 1 + np.cumsum(blocks), 1 + np.cumsum(blocks**2)
    variance = (squares - total**2 / count) / (count - 1)
    return special.stdtrit(count - 1, (1 + CONFIDENCE) / 2) * np.sqrt(variance / count)
