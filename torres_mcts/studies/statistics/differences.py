"""Paired differences: two rule sets on the same deals, what changed, and how much the common luck has helped.

Both have the same blocks, so the jackknife leaves the same deals out of both, and whatever luck they share is gone from
the difference. The gain is how many times more deals two separate samples would need for the same precision:
(variance of one + variance of the other) / variance of the difference.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from torres_mcts.studies.statistics.jackknife import Measure, Profile, estimate_from, profile, standard_error
from torres_mcts.tournaments.statistics.estimates import Estimate, student_factor

LEAST_GROUPS = 4  # of blocks, to say anything about a gain
ROUNDING = 1e-9  # of a value: a smaller standard error is none


@dataclass(frozen=True)
class Difference:
    """A value under two rule sets, the second less the first, over the blocks that both have."""

    base: Estimate
    variant: Estimate
    change: Estimate
    gain: Estimate | None  # of common random numbers; None where it cannot be known
    blocks: int
    groups: int  # of blocks, in the jackknife

    @property
    def freedom(self) -> int:
        """The degrees of freedom of the change."""
        return self.groups - 1

    @property
    def is_constant(self) -> bool:
        """Whether all groups of blocks say the same, so that nothing is known of how much they may differ."""
        return self.change.se <= self._rounding

    @property
    def is_nothing(self) -> bool:
        """Whether no group of blocks shows a change."""
        return self.is_constant and abs(self.change.mean) <= self._rounding

    @property
    def _rounding(self) -> float:
        return ROUNDING * max(abs(self.base.mean), abs(self.variant.mean))

    @property
    def p_value(self) -> float:
        """The chance of a change this far from zero, if there is none: Student's test, two-sided.

        Where all groups say the same it is the sign test: that they all agree has a chance of 2 / 2^groups.
        """
        if math.isnan(self.change.mean):
            return math.nan
        if self.is_constant:
            return 1.0 if self.is_nothing else 2.0**-self.freedom
        return self._tail(abs(self.change.mean) / self.change.se, sides=2)

    def p_equivalent(self, margin: float) -> float:
        """Return the p-value of "the change is the margin or more": two one-sided tests, of which the worse counts.

        Where all groups say the same it is the sign test once more, one-sided.
        """
        if math.isnan(self.change.mean):
            return math.nan
        room = margin - abs(self.change.mean)
        if self.is_constant:
            return 2.0 ** -(self.freedom + 1) if room > 0 else 1.0
        return self._tail(room / self.change.se, sides=1)

    def _tail(self, distance: float, sides: int) -> float:
        """Return the chance beyond so many standard errors; nothing is known without a degree of freedom."""
        if self.freedom < 1 or not math.isfinite(self.change.se):
            return 1.0
        return float(sides * special.stdtr(self.freedom, -distance))


def compare(measure: Measure, base: Sequence[Any], variant: Sequence[Any]) -> dict[str, Difference]:
    """Compare each value of a measure between two rule sets; block by block both have had the same luck.

    >>> def mean(blocks):
    ...     return {"mean": sum(blocks) / len(blocks)}
    >>> found = compare(mean, [1.0, 5.0, 3.0, 7.0], [2.5, 6.0, 4.5, 8.0])["mean"]
    >>> print(found.change, round(found.p_value, 4), round(found.gain.mean))
    1.250 [0.791, 1.709] 0.0032 145
    """
    return compare_profiles(profile(measure, base), profile(measure, variant))


def compare_profiles(base: Profile, variant: Profile) -> dict[str, Difference]:
    """Compare each value that two rule sets have on the same blocks."""
    if base.blocks != variant.blocks:
        raise ValueError(f"paired blocks: {base.blocks} of the base, {variant.blocks} of the variant")
    found = {}
    for label in base.whole:
        if label in variant.whole:
            one, other = base.deviations[label], variant.deviations[label]
            found[label] = Difference(
                base=base.estimate(label),
                variant=variant.estimate(label),
                change=estimate_from(variant.whole[label] - base.whole[label], other - one, base.groups),
                gain=measure_gain(one, other, base.groups),
                blocks=base.blocks,
                groups=base.groups,
            )
    return found


def measure_gain(base: np.ndarray, variant: np.ndarray, groups: int) -> Estimate | None:
    """Return the gain of common luck with its 95 % interval, from the deviations of both; None where it is open.

    With sum and difference of both, the gain is (1 + ratio of their variances) / 2. The interval is that of a ratio of
    variances of two correlated normal numbers (Pitman and Morgan); its standard error is not given.
    """
    total, change = variant + base, variant - base
    errors = standard_error(total), standard_error(change)
    if groups < LEAST_GROUPS or not all(map(math.isfinite, errors)) or min(errors) <= ROUNDING * max(errors):
        return None
    ratio = (errors[0] / errors[1]) ** 2
    correlation = min(1.0, abs(float(total @ change)) / (errors[0] * errors[1]))
    reach = 1 + 2 * (1 - correlation**2) * student_factor(groups - 2) ** 2 / (groups - 2)
    spread = reach + math.sqrt(reach**2 - 1)
    low, mean, high = ((1 + value) / 2 for value in (ratio / spread, ratio, ratio * spread))
    return Estimate(mean, math.nan, low, high)
