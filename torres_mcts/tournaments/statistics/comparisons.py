"""Which agents can be told apart, when all pairs of them are compared at once."""

from itertools import combinations

import numpy as np

from torres_mcts.tournaments.statistics.estimates import CONFIDENCE
from torres_mcts.tournaments.statistics.ratings import Ratings


def holm_adjusted(p_values: np.ndarray) -> np.ndarray:
    """Return p-values that may each be held against alpha: the risk of one wrong rejection among all is then alpha.

    >>> holm_adjusted(np.array([0.06, 0.001, 0.02]))
    array([0.06 , 0.003, 0.04 ])
    """
    order = np.argsort(p_values, kind="stable")
    raised = p_values[order] * np.arange(len(p_values), 0, -1)
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.minimum(np.maximum.accumulate(raised), 1.0)
    return adjusted


def holm_rejections(p_values: np.ndarray, *, alpha: float = 1 - CONFIDENCE) -> np.ndarray:
    """Tell which hypotheses Holm's method rejects: the risk that a true one is among them is at most alpha.

    >>> holm_rejections(np.array([0.06, 0.001, 0.02]))
    array([False,  True,  True])
    >>> holm_rejections(np.array([0.04, 0.03]))
    array([False, False])
    """
    return holm_adjusted(p_values) <= alpha


def told_apart(ratings: Ratings) -> np.ndarray:
    """Tell which pairs of agents differ in strength, over all pairs with a risk of 5 % that any is named wrongly.

    Returns [agents, agents] bool in the order of the ratings, symmetric.
    """
    pairs = list(combinations(range(len(ratings.agents)), 2))
    chances = np.array([ratings.superiority[pair] for pair in pairs])
    differs = holm_rejections(2 * np.minimum(chances, 1 - chances))
    table = np.zeros((len(ratings.agents),) * 2, dtype=bool)
    for pair, differ in zip(pairs, differs, strict=True):
        table[pair] = table[pair[::-1]] = differ
    return table
