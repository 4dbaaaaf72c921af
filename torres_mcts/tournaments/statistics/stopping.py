"""When enough has been played: a sequential test on whole blocks, a wanted precision, or a cap.

The test is a generalised sequential probability ratio test (GSPRT) on x, the mean over a block of the focus agent's
rank points, which is fair at one half. With t = (mean - 1/2) / sd after n blocks, and t0 and t1 the same of the two
hypotheses, the logarithm of the likelihood ratio is n/2 ln((1 + (t - t0)^2) / (1 + (t - t1)^2)).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from torres_mcts.core.errors import TorresError
from torres_mcts.tournaments.statistics.estimates import Estimate, estimate_share, share_reaches
from torres_mcts.tournaments.statistics.ratings import points_of_elo

FAIR = 0.5  # mean rank points of equal agents
MINIMUM_BLOCKS = 30  # with fewer, neither the sd nor the shape of the mean can be trusted


class Unit(StrEnum):
    """What the two values of a test are."""

    POINTS = "points"  # mean rank points
    EFFECT = "effect"  # mean rank points above one half, in standard deviations of a block


@dataclass(frozen=True)
class Hypotheses:
    """Two answers to how strong the focus agent is, and the risks of accepting the wrong one."""

    low: float
    high: float
    unit: Unit = Unit.POINTS
    alpha: float = 0.05  # of accepting high where low holds
    beta: float = 0.05  # of accepting low where high holds

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise TorresError(f"hypotheses: low must be less than high, not {self.low} and {self.high}")
        if self.unit == Unit.POINTS and not (self.low >= 0 and self.high <= 1):
            raise TorresError(f"hypotheses: rank points are from 0 to 1, not {self.low} and {self.high}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise TorresError(f"hypotheses: risks are between 0 and 0.5, not {self.alpha} and {self.beta}")

    @classmethod
    def from_elo(cls, low: float, high: float, *, alpha: float = 0.05, beta: float = 0.05) -> "Hypotheses":
        """Return hypotheses given as Elo above a table of equal opponents.

        >>> hypotheses = Hypotheses.from_elo(0, 35)
        >>> round(hypotheses.low, 3), round(hypotheses.high, 3)
        (0.5, 0.55)
        """
        return cls(points_of_elo(low), points_of_elo(high), Unit.POINTS, alpha, beta)

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which low and high are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def effects(self, sd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return both values as effects, given standard deviations of blocks."""
        if self.unit == Unit.EFFECT:
            return np.full_like(sd, self.low), np.full_like(sd, self.high)
        return (self.low - FAIR) / sd, (self.high - FAIR) / sd


def log_likelihood_ratios(hypotheses: Hypotheses, blocks: Sequence[float] | np.ndarray) -> np.ndarray:
    """Return the logarithm of the likelihood ratio of high to low after each block.

    The sd is taken to be at least 1/2 / sqrt(n): a block that is one half off may be one in n and still unseen. Where
    the mean lies so far out that the formula falls again, it is held at its peak: more wins are not less evidence.

    blocks: [..., blocks] rank points

    >>> log_likelihood_ratios(Hypotheses(0.5, 0.6), [0.5, 1.0, 0.5, 0.75]).round(2)
    array([-0.02,  0.24,  0.35,  0.66])
    """
    blocks = np.asarray(blocks, dtype=float)
    count = np.arange(1, blocks.shape[-1] + 1)
    mean = np.cumsum(blocks, axis=-1) / count
    variance = np.cumsum(blocks**2, axis=-1) / count - mean**2
    sd = np.sqrt(np.maximum(variance, 0.25 / count))
    low, high = hypotheses.effects(sd)
    middle, half = (low + high) / 2, (high - low) / 2
    peak = np.sqrt(1 + half**2)
    away = np.clip((mean - FAIR) / sd - middle, -peak, peak)
    return count / 2 * np.log((1 + (away + half) ** 2) / (1 + (away - half) ** 2))


@dataclass(frozen=True)
class StoppingRule:
    """What ends a match: the first of its parts to be met."""

    hypotheses: Hypotheses | None = None
    half_width: float | None = None  # of the interval of mean rank points
    cap: int | None = None  # blocks
    minimum: int = MINIMUM_BLOCKS  # no test and no precision is looked at before

    def __post_init__(self) -> None:
        if self.half_width is not None and not self.half_width > 0:
            raise TorresError(f"half_width: must be more than 0, not {self.half_width}")
        if self.cap is not None and self.cap < 1:
            raise TorresError(f"cap: must be at least 1 block, not {self.cap}")
        if self.minimum < 2:
            raise TorresError(f"minimum: must be at least 2 blocks, not {self.minimum}")


class Reason(StrEnum):
    """Why a match stopped; those that are met at the same block count in this order."""

    HIGH = "high accepted"
    LOW = "low accepted"
    PRECISE = "precise enough"
    CAP = "cap reached"
    GOING_ON = "going on"


@dataclass(frozen=True)
class Verdict:
    """What stopped a match, and the state of its test at that block."""

    rule: StoppingRule
    reason: Reason
    blocks: int  # up to the stop; later ones take no part
    points: Estimate | None  # mean rank points; None without a block
    ratio: float | None  # logarithm of the likelihood ratio of high to low; None without a test

    @property
    def is_over(self) -> bool:
        """Whether nothing more need be played."""
        return self.reason != Reason.GOING_ON

    def __str__(self) -> str:
        parts = [f"{self.reason} after {self.blocks} blocks"]
        if self.points is not None:
            parts.append(f"rank points {self.points}")
        if self.rule.hypotheses is not None and self.ratio is not None:
            low, high = self.rule.hypotheses.bounds
            parts.append(f"log-likelihood ratio {self.ratio:.2f} within [{low:.2f}, {high:.2f}]")
            if not low < self.ratio < high:
                parts[-1] = parts[-1].replace(" within ", " outside ")
        return ", ".join(parts)


def judge(rule: StoppingRule, blocks: Sequence[float] | np.ndarray) -> Verdict:
    """Say whether and why a match stops; the answer is the same however many blocks have been played beyond.

    blocks: mean rank points of whole blocks, in the order of their numbers

    >>> print(judge(StoppingRule(Hypotheses(0.5, 0.6), cap=200), [1.0, 0.5, 0.5, 0.75] * 20))
    high accepted after 30 blocks, rank points 0.692 [0.590, 0.769], log-likelihood ratio 6.43 outside [-2.94, 2.94]
    """
    blocks = np.asarray(blocks, dtype=float)[: rule.cap]
    count = np.arange(1, len(blocks) + 1)
    enough = count >= rule.minimum
    signs: dict[Reason, np.ndarray] = {}
    ratios = None
    if rule.hypotheses is not None:
        ratios, (low, high) = log_likelihood_ratios(rule.hypotheses, blocks), rule.hypotheses.bounds
        signs |= {Reason.HIGH: enough & (ratios >= high), Reason.LOW: enough & (ratios <= low)}
    if rule.half_width is not None:
        signs[Reason.PRECISE] = enough & (share_reaches(blocks) <= rule.half_width)
    if rule.cap is not None:
        signs[Reason.CAP] = count >= rule.cap
    met = [(int(np.argmax(sign)) + 1, reason) for reason, sign in signs.items() if sign.any()]
    stop, reason = min(met, key=lambda found: found[0], default=(len(blocks), Reason.GOING_ON))
    return Verdict(
        rule=rule,
        reason=reason,
        blocks=stop,
        points=estimate_share(blocks[:stop]) if stop else None,
        ratio=float(ratios[stop - 1]) if ratios is not None and stop else None,
    )
