"""Estimates from samples: means, their errors and intervals, paired differences, and which turn is the best."""

import math

import numpy as np

from torres_mcts.analysis.report import Estimate, Spread

DIGITS = 6
QUANTILES = (5, 25, 50, 75, 95)
TWO_SIDED = 0.025
NORMAL = 1.959964  # quantile of 97.5 %
STUDENT = (math.nan, 12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622)  # 1 to 9 degrees
REDRAWS = 1000
PSEUDO_SAMPLES = 2
REDRAW_SEED = 4
SWING_NODES = (
    -1.834,
    -1.282,
    -0.967,
    -0.728,
    -0.524,
    -0.341,
    -0.168,
    0.0,
    0.168,
    0.341,
    0.524,
    0.728,
    0.967,
    1.282,
    1.834,
)


def student(count: int) -> float:
    """Return by how many standard errors a 95 % interval reaches to each side of a mean of so many samples."""
    freedom = count - 1
    if freedom < len(STUDENT):
        return STUDENT[max(freedom, 1)]
    z = NORMAL
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


def estimate(
    samples: np.ndarray, low: float = -math.inf, high: float = math.inf, *, scale: float = 0.0, exact: bool = False
) -> Estimate:
    """Return the mean of samples and how well it is known; intervals stay within what is possible.

    A card that decides is in few worlds, so a few samples alike do not mean that all are: samples count as if there
    were two more, one up and one down, as far off as is usual. On three example positions intervals of 95 % then
    covered win probabilities 94 % of the time, but paired differences 91 % only: these are skewed.

    low, high: of what is possible
    scale:     standard deviation that is usual for such samples
    exact:     the samples are the truth, not drawn
    """
    count = len(samples)
    mean = float(samples.mean())
    se = standard_error(samples, scale) if count > 1 and not exact else 0.0
    return make_estimate(mean, se, count, low, high, exact=exact)


def standard_error(samples: np.ndarray, scale: float) -> float:
    """Return the standard error of the mean of samples, see `estimate`."""
    count = len(samples)
    squares = float(((samples - samples.mean()) ** 2).sum()) + PSEUDO_SAMPLES * scale**2
    return math.sqrt(squares / (count * (count - 1)))


def usual_scale(samples: list[np.ndarray]) -> float:
    """Return the greatest standard deviation that some samples have."""
    return max((float(some.std(ddof=1)) for some in samples if len(some) > 1), default=0.0)


def make_estimate(
    mean: float, se: float, count: int, low: float = -math.inf, high: float = math.inf, *, exact: bool = False
) -> Estimate:
    """Return an estimate with its interval."""
    reach = student(count) * se
    below, above = max(mean - reach, low), min(mean + reach, high)
    if not exact and se < 1e-9 and mean in (low, high):  # all alike: more of the rest may come than was seen
        missed = (1 - TWO_SIDED ** (1 / count)) * (high - low)
        below, above = (low, low + missed) if mean == low else (high - missed, high)
    return Estimate(
        mean=round(mean, DIGITS),
        se=round(se, DIGITS),
        ci95=(round(below, DIGITS), round(above, DIGITS)),
        n=count,
    )


def difference(one: np.ndarray, other: np.ndarray) -> Estimate:
    """Return how much greater one mean is than another, of samples that have nothing to do with each other."""
    se = math.sqrt(one.var(ddof=1) / len(one) + other.var(ddof=1) / len(other))
    return make_estimate(float(one.mean() - other.mean()), se, min(len(one), len(other)), -1.0, 1.0)


def gain_of_knowing(wins: np.ndarray, is_so: np.ndarray) -> Estimate:
    """Return what it is worth to know, before a turn is chosen, whether something is so in the world at hand.

    The best turn for each case is chosen in one half of the worlds and tried in the other, both ways round, so chance
    does not pass for knowledge.

    wins:  [turns, worlds] of turns tried in the same worlds
    is_so: [worlds] bool

    >>> so = np.arange(40) % 4 < 2
    >>> gain_of_knowing(np.array([np.where(so, 0.9, 0.1), np.where(so, 0.2, 0.6)]), so).mean
    0.25
    """
    gains = np.zeros(wins.shape[1])
    half = np.arange(wins.shape[1]) % 2 == 0
    for learn in (half, ~half):
        usual = int(wins[:, learn].mean(axis=1).argmax())
        for case in (is_so, ~is_so):
            if (learn & case).any():
                best = int(wins[:, learn & case].mean(axis=1).argmax())
                gains[~learn & case] = wins[best, ~learn & case] - wins[usual, ~learn & case]
    return estimate(gains, -1.0, 1.0)


def spread(means: np.ndarray, spreads: np.ndarray, scale: float) -> Spread:
    """Return an estimate of an outcome that varies around each sample by a normal spread."""
    base = estimate(means, scale=scale)
    outcomes = (means[:, None] + spreads[:, None] * np.array(SWING_NODES)).reshape(-1)
    sd = math.sqrt(float(means.var() + (spreads**2).mean()))
    values = np.quantile(outcomes, [share / 100 for share in QUANTILES])
    return Spread(
        **base.model_dump(),
        sd=round(sd, DIGITS),
        quantiles={str(share): round(float(value), 2) for share, value in zip(QUANTILES, values, strict=True)},
    )


def best_chances(samples: list[np.ndarray], leader: int) -> np.ndarray:
    """Return for each turn the probability of being the best, as far as paired samples tell (Bayesian bootstrap).

    Turns dropped early were seen in few worlds. What these say is drawn towards the mean of all that were dropped with
    them, the more the less it tells (empirical Bayes); else one of many would look the best by its error alone.

    samples: for each turn the worth in the first worlds; all have been tried in fewer than or as many as the leader
    """
    luck, count = np.random.default_rng(REDRAW_SEED), len(samples[leader])
    weights = luck.standard_exponential((REDRAWS, count))
    scale = usual_scale([samples[leader]]) * math.sqrt(PSEUDO_SAMPLES)
    gains = np.zeros((REDRAWS, len(samples)))
    for turn, own in enumerate(samples):
        if turn != leader:
            pairs = own - samples[leader][: len(own)]
            some = weights[:, : len(own)]
            gains[:, turn] = (some * pairs).sum(axis=1) / some.sum(axis=1)
            gains[:, turn] += luck.standard_normal(REDRAWS) * scale / len(own)
    for seen in {len(own) for own in samples} - {count}:
        group = np.array([turn for turn, own in enumerate(samples) if len(own) == seen])
        gains[:, group] = _shrink(gains[:, group], luck)
    is_best = gains >= gains.max(axis=1, keepdims=True) - 1e-12
    return (is_best / is_best.sum(axis=1, keepdims=True)).mean(axis=0)


def _shrink(gains: np.ndarray, luck: np.random.Generator) -> np.ndarray:
    """Draw the gains of some turns over the leader towards their common mean, each by its share of error.

    gains: [redraws, turns], of turns tried in the same worlds
    """
    if gains.shape[1] < 2:
        return gains
    means, errors = gains.mean(axis=0), gains.var(axis=0)
    between = max(float(means.var(ddof=1) - errors.mean()), 1e-12)
    precisions = 1 / (between + errors)
    common = (means * precisions).sum() + luck.standard_normal((len(gains), 1)) * math.sqrt(precisions.sum())
    common /= precisions.sum()
    trust = between / (between + errors)
    return common + trust * (means - common) + np.sqrt(trust) * (gains - means)
