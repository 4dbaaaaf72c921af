"""How much must be played for a wanted precision or an answer of a test, and how long that takes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from torres_mcts.core.errors import TorresError
from torres_mcts.tournaments.statistics.estimates import CONFIDENCE, student_factor
from torres_mcts.tournaments.statistics.stopping import FAIR, MINIMUM_BLOCKS, Hypotheses

SECONDS_PER_HOUR = 3600
STEEPEST = 700.0  # exp of more overflows


@dataclass(frozen=True)
class Plan:
    """What a number of blocks costs."""

    blocks: int
    games: int
    hours: float


def plan(blocks: int, *, games_per_block: int, seconds_per_game: float, workers: int = 1) -> Plan:
    """Return games and hours of a number of blocks.

    >>> plan(900, games_per_block=4, seconds_per_game=2.0, workers=2)
    Plan(blocks=900, games=3600, hours=1.0)
    """
    if min(blocks, games_per_block, workers) < 1 or not seconds_per_game >= 0:
        raise TorresError("plan: blocks, games and workers must be at least 1 and seconds not negative")
    games = blocks * games_per_block
    return Plan(blocks, games, games * seconds_per_game / workers / SECONDS_PER_HOUR)


def blocks_for_precision(half_width: float, sd: float) -> int:
    """Return the number of blocks whose mean has a 95 % interval of at most some half-width.

    Both in the same unit: rank points, points, or Elo. The sd is that of one block, as measured: the standard error
    of an estimate times the square root of its number of blocks.

    >>> blocks_for_precision(0.02, sd=0.3)
    867
    """
    if not (half_width > 0 and sd >= 0):
        raise TorresError(f"precision: needs a half-width above 0 and an sd, not {half_width} and {sd}")
    blocks = max(2, math.floor((student_factor(math.inf) * sd / half_width) ** 2))
    while student_factor(blocks - 1) * sd / math.sqrt(blocks) > half_width:
        blocks += 1
    return blocks


def sd_interval(sd: float, blocks: int) -> tuple[float, float]:
    """Return the 95 % interval of an sd that was measured in some blocks, if they are about normal.

    >>> [round(end, 2) for end in sd_interval(0.3, 30)], sd_interval(0.3, 1)
    ([0.24, 0.4], (0.0, inf))
    """
    if blocks < 2:
        return 0.0, math.inf
    tail = (1 - CONFIDENCE) / 2
    low, high = (math.sqrt((blocks - 1) / special.chdtri(blocks - 1, chance)) for chance in (tail, 1 - tail))
    return sd * low, sd * high


def sd_of_shares(blocks: Sequence[float] | np.ndarray) -> float:
    """Return the sd of block means from 0 to 1; at least 1/2 / sqrt(n), for one in n may be one half off and unseen.

    >>> round(sd_of_shares([0.5, 1.0, 0.5, 1.0]), 3), sd_of_shares([1.0] * 100)
    (0.289, 0.05)
    """
    return max(float(np.std(blocks, ddof=1)), FAIR / math.sqrt(len(blocks)))


@dataclass(frozen=True)
class ExpectedTest:
    """How a sequential test will go on average."""

    blocks: float  # until it stops, without a cap
    high_chance: float  # that it accepts high


def expect_test(
    hypotheses: Hypotheses, *, mean: float, sd: float, minimum: int = MINIMUM_BLOCKS, ratio: float = 0.0
) -> ExpectedTest:
    """Return the mean length of a sequential test and its likely answer, if a block has this mean and sd.

    The log-likelihood ratio is taken for a random walk with drift between its two bounds (Wald), which is short of the
    truth by the step that leads over the bound.

    ratio: the logarithm of the likelihood ratio so far; what is returned is then what is left

    >>> expected = expect_test(Hypotheses.from_elo(0, 20), mean=0.5, sd=0.3)
    >>> round(expected.blocks), round(expected.high_chance, 2)
    (582, 0.05)
    """
    if not sd > 0:
        raise TorresError(f"test: needs an sd of blocks above 0, not {sd}")
    effect = (mean - FAIR) / sd
    above_low, above_high = (effect - float(value) for value in hypotheses.effects(np.array(sd)))
    drift = math.log((1 + above_low**2) / (1 + above_high**2)) / 2
    slope = above_low / (1 + above_low**2) - above_high / (1 + above_high**2)
    variance = slope**2 * (1 + effect**2 / 2)  # the second part comes from the sd, which is measured as well
    low, high = (bound - ratio for bound in hypotheses.bounds)
    if abs(drift) * (high - low) < 1e-6 * variance:
        return ExpectedTest(max(minimum, -low * high / variance), -low / (high - low))
    tilt = max(-STEEPEST, min(STEEPEST, -2 * drift / variance * (high - low))) / (high - low)
    high_chance = math.expm1(tilt * low) / (math.expm1(tilt * low) - math.expm1(tilt * high))
    return ExpectedTest(max(minimum, (high_chance * high + (1 - high_chance) * low) / drift), high_chance)
