"""Any measure of blocks with an honest interval: measure again without some of the blocks and see what changes.

Means, shares, ratios and correlations: one group of blocks after the other is left out. Groups are of nearly equal
size, so the jackknife is that of unequal groups (Busing, Meijer, van der Leeden 1999), which is the plain one where
each group is one block. Quantiles jump instead of bending, and the jackknife is wrong about them: they are measured on
blocks that are drawn with replacement (bootstrap).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from torres_mcts.tournaments.statistics.estimates import Estimate, interval_around

MOST_GROUPS = 50
DRAWS = 100  # of blocks, for quantiles
DRAWING_SEED = 1
QUANTILE_LABELS = ("*_q[0-9][0-9]", "median")
Measure = Callable[[Sequence[Any]], Mapping[str, float]]


@dataclass(frozen=True, eq=False)
class Profile:
    """The values of a measure on all blocks, and how far they go astray on parts of them.

    deviations: for each label a vector whose length is the standard error; those of two rule sets on the same blocks
                can be taken from each other, which leaves the deviations of the difference
    """

    whole: dict[str, float]
    deviations: dict[str, np.ndarray]
    blocks: int

    @property
    def groups(self) -> int:
        """How many groups of blocks there are."""
        return min(self.blocks, MOST_GROUPS)

    def estimate(self, label: str) -> Estimate:
        """Return a value with its interval; without bounds where the parts cannot tell."""
        return estimate_from(self.whole[label], self.deviations[label], self.groups)


def profile(measure: Measure, blocks: Sequence[Any]) -> Profile:
    """Measure all blocks, and parts of them."""
    whole, count = dict(measure(blocks)), len(blocks)
    if count < 2:
        return Profile(whole, {label: np.array([math.nan]) for label in whole}, count)
    rough = {label for label in whole if any(fnmatchcase(label, pattern) for pattern in QUANTILE_LABELS)}
    deviations = _leave_out(measure, blocks, whole, [label for label in whole if label not in rough])
    return Profile(whole, deviations | _draw(measure, blocks, [label for label in whole if label in rough]), count)


def _leave_out(
    measure: Measure, blocks: Sequence[Any], whole: Mapping[str, float], labels: Sequence[str]
) -> dict[str, np.ndarray]:
    """Return the deviations of smooth values: without one group of neighbours after the other."""
    if not labels:
        return {}
    groups = min(len(blocks), MOST_GROUPS)
    sizes = np.bincount(np.arange(len(blocks)) * groups // len(blocks))
    partial = [
        measure([*blocks[: end - size], *blocks[end:]]) for size, end in zip(sizes, np.cumsum(sizes), strict=True)
    ]
    share = sizes / len(blocks)
    deviations = {}
    for label in labels:
        left = np.array([values.get(label, math.nan) for values in partial])
        alone = whole[label] / share - (1 / share - 1) * left  # what each group says alone: of a mean, its own
        deviations[label] = (alone - share @ alone) * np.sqrt(share / (1 - share) / groups)
    return deviations


def _draw(measure: Measure, blocks: Sequence[Any], labels: Sequence[str]) -> dict[str, np.ndarray]:
    """Return the deviations of quantiles: on blocks drawn with replacement, the same ones for every rule set."""
    if not labels:
        return {}
    count = len(blocks)
    chosen = np.random.default_rng(DRAWING_SEED).integers(0, count, (DRAWS, count))
    drawn = [measure([blocks[number] for number in numbers]) for numbers in chosen.tolist()]
    deviations = {}
    for label in labels:
        values = np.array([found.get(label, math.nan) for found in drawn])
        deviations[label] = (values - values.mean()) * math.sqrt(count / (count - 1) / (DRAWS - 1))
    return deviations


def estimate(measure: Measure, blocks: Sequence[Any]) -> dict[str, Estimate]:
    """Return each value of a measure with its interval over blocks; without bounds where the blocks cannot tell.

    >>> def mean(blocks):
    ...     return {"mean": sum(blocks) / len(blocks)}
    >>> print(estimate(mean, [3.0, 5.0, 4.0])["mean"])
    4.000 [1.516, 6.484]
    """
    found = profile(measure, blocks)
    return {label: found.estimate(label) for label in found.whole}


def estimate_from(value: float, deviations: np.ndarray, groups: int) -> Estimate:
    """Return a value with the interval that its deviations give."""
    return interval_around(value, value, standard_error(deviations), groups - 1)


def standard_error(deviations: np.ndarray) -> float:
    """Return the standard error that deviations stand for; infinite where it cannot be known.

    >>> standard_error(np.array([3.0, 4.0])), standard_error(np.array([1.0, math.nan]))
    (5.0, inf)
    """
    return float(np.linalg.norm(deviations)) if np.isfinite(deviations).all() else math.inf
