"""Any measure of blocks with an honest interval: leave out one group of blocks after the other and see what changes.

A measure may be a mean, a quantile, a correlation: nothing is asked of it but that it can be computed without some of
the blocks. Groups are of nearly equal size, so the jackknife is that of unequal groups (Busing, Meijer, van der Leeden
1999), which is the plain one where each group is one block.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from torres_mcts.tournaments.statistics.estimates import Estimate, interval_around

MOST_GROUPS = 50
Measure = Callable[[Sequence[Any]], Mapping[str, float]]


@dataclass(frozen=True, eq=False)
class Profile:
    """The values of a measure on all blocks, and on all but one group of them for each group."""

    whole: dict[str, float]
    leftovers: dict[str, np.ndarray]  # [groups] float64; nan where there is no value
    sizes: np.ndarray  # [groups] int64, blocks of each group

    def pseudo_values(self, label: str) -> np.ndarray:
        """Return what each group seems to say alone: for a mean it is the mean of the group."""
        weights = self.sizes.sum() / self.sizes
        return weights * self.whole[label] - (weights - 1) * self.leftovers[label]

    def estimate(self, label: str) -> Estimate:
        """Return a value with its interval; without bounds where the groups cannot tell."""
        return estimate_from(self.whole[label], self.pseudo_values(label), self.sizes)


def profile(measure: Measure, blocks: Sequence[Any]) -> Profile:
    """Measure all blocks, and all but one group for each of at most 50 groups of neighbours."""
    count = len(blocks)
    groups = np.arange(count) * min(count, MOST_GROUPS) // max(count, 1)
    sizes = np.bincount(groups)
    whole = dict(measure(blocks))
    if len(sizes) < 2:
        return Profile(whole, {label: np.full(len(sizes), math.nan) for label in whole}, sizes)
    ends = np.cumsum(sizes)
    partial = [measure([*blocks[: end - size], *blocks[end:]]) for size, end in zip(sizes, ends, strict=True)]
    return Profile(
        whole, {label: np.array([values.get(label, math.nan) for values in partial]) for label in whole}, sizes
    )


def estimate(measure: Measure, blocks: Sequence[Any]) -> dict[str, Estimate]:
    """Return each value of a measure with its interval over blocks; without bounds where groups cannot tell.

    >>> def mean(blocks):
    ...     return {"mean": sum(blocks) / len(blocks)}
    >>> print(estimate(mean, [3.0, 5.0, 4.0])["mean"])
    4.000 [1.516, 6.484]
    """
    found = profile(measure, blocks)
    return {label: found.estimate(label) for label in found.whole}


def estimate_from(value: float, pseudo: np.ndarray, sizes: np.ndarray) -> Estimate:
    """Return a value with the interval that its pseudo-values give."""
    return interval_around(value, value, standard_error(pseudo, sizes), len(sizes) - 1)


def standard_error(pseudo: np.ndarray, sizes: np.ndarray) -> float:
    """Return the standard error of a value from its pseudo-values; infinite where it cannot be known.

    >>> round(standard_error(np.array([3.0, 5.0, 4.0]), np.array([1, 1, 1])), 4)
    0.5774
    """
    if len(sizes) < 2 or not np.isfinite(pseudo).all():
        return math.inf
    share = sizes / sizes.sum()
    return math.sqrt(float(np.sum((pseudo - share @ pseudo) ** 2 * share / (1 - share)) / len(sizes)))
