"""The Plackett-Luce model of rankings: its likelihood, Newton's steps, and a covariance that takes clusters for units.

The first place goes to a player with a chance in proportion to exp(strength), the second place likewise among the
others, and so on. The strength of a player is a sum of features times parameters: here of the agent and of the seat.
Players that tie count as all orders of them in equal parts, so a tie of two is half a win and half a loss.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

import numpy as np
from scipy import sparse

MAXIMUM_STEPS = 200
SMALL_STEP = 1e-9

Player = tuple[int, int]  # rows of the table of features, the agent's and the seat's; NO_ROW adds nothing
NO_ROW = -1
Ranking = tuple[int, tuple[Player, ...], tuple[int, ...]]  # cluster, players, their ranks


@cache
def choice_sets(ranks: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], float], ...]:
    """List the sets of players from which the next place was taken, with the share of the orders that have them.

    >>> choice_sets((2, 1))
    (((1, 0), 1.0), ((0,), 1.0))
    >>> choice_sets((1, 1))
    (((0,), 0.5), ((1,), 0.5), ((0, 1), 1.0))
    """
    sets = []
    for rank in sorted(set(ranks)):
        tied = [player for player, own in enumerate(ranks) if own == rank]
        behind = [player for player, own in enumerate(ranks) if own > rank]
        for size in range(1, len(tied) + 1):
            share = 1 / math.comb(len(tied), size)
            sets += [((*left, *behind), share) for left in combinations(tied, size)]
    return tuple(sets)


@dataclass(frozen=True, eq=False)
class Rankings:
    """Rankings taken apart: places given, and the sets of players that stood for choice."""

    features: np.ndarray  # [sets, players, parameters] float64
    present: np.ndarray  # [sets, players] bool
    weights: sparse.csr_array  # [clusters, sets] how often a cluster has the set
    chosen: np.ndarray  # [clusters, parameters] sum of the features of all players that got a place

    def with_parameters(self, kept: np.ndarray) -> "Rankings":
        """Return the rankings as explained by some of the parameters alone.

        kept: [parameters] bool
        """
        return replace(self, features=self.features[:, :, kept], chosen=self.chosen[:, kept])

    def first_clusters(self, count: int) -> "Rankings":
        """Return the rankings of the first clusters alone."""
        return replace(self, weights=self.weights[:count], chosen=self.chosen[:count])


def collect_rankings(rankings: Iterable[Ranking], features: np.ndarray) -> Rankings:
    """Take rankings apart.

    features: [rows, parameters] float64
    """
    table = np.vstack([features, np.zeros(features.shape[1])])  # NO_ROW is the last one
    numbers: dict[tuple[Player, ...], int] = {}
    cells: dict[tuple[int, int], float] = {}
    seated: list[tuple[int, Player]] = []
    for cluster, players, ranks in rankings:
        seated += [(cluster, player) for player in players]
        for members, share in choice_sets(ranks):
            key = tuple(sorted(players[member] for member in members))
            cell = cluster, numbers.setdefault(key, len(numbers))
            cells[cell] = cells.get(cell, 0.0) + share
    cluster_count = 1 + max(cluster for cluster, _ in seated)
    chosen = np.zeros((cluster_count, features.shape[1]))
    clusters, players_seated = (np.array(column) for column in zip(*seated, strict=True))
    np.add.at(chosen, clusters, table[players_seated].sum(axis=1))

    width = max(map(len, numbers))
    padded = np.array([[*key, *[(NO_ROW, NO_ROW)] * (width - len(key))] for key in numbers])
    present = np.arange(width) < np.array([len(key) for key in numbers])[:, None]
    weights = sparse.csr_array(
        (list(cells.values()), tuple(np.array(list(cells)).T)), shape=(cluster_count, len(numbers))
    )
    return Rankings(table[padded].sum(axis=2), present, weights, chosen)


@dataclass(frozen=True, eq=False)
class Slopes:
    """The log-likelihood at some parameters, and how it changes."""

    value: float
    scores: np.ndarray  # [clusters, parameters] slope of each cluster's log-likelihood
    information: np.ndarray  # [parameters, parameters] minus the curvature


def measure_slopes(rankings: Rankings, parameters: np.ndarray) -> Slopes:
    """Return the log-likelihood of rankings at some parameters with its slope and curvature."""
    strengths = np.where(rankings.present, rankings.features @ parameters, -np.inf)
    top = strengths.max(axis=1, keepdims=True)
    chances = np.exp(strengths - top)
    totals = chances.sum(axis=1, keepdims=True)
    chances /= totals
    weights = np.asarray(rankings.weights.sum(axis=0)).ravel()
    means = np.einsum("sp,spf->sf", chances, rankings.features)
    spread = (np.sqrt(weights[:, None] * chances)[:, :, None] * rankings.features).reshape(-1, len(parameters))
    between = np.sqrt(weights)[:, None] * means
    return Slopes(
        value=float(rankings.chosen.sum(axis=0) @ parameters - weights @ (np.log(totals) + top).ravel()),
        scores=rankings.chosen - rankings.weights @ means,
        information=spread.T @ spread - between.T @ between,
    )


@dataclass(frozen=True, eq=False)
class Fit:
    """The most likely parameters, and what is needed for their covariance."""

    parameters: np.ndarray  # [parameters]
    scores: np.ndarray  # [clusters, parameters]
    information: np.ndarray  # [parameters, parameters] with the ridge

    def covariance(self, cluster_count: int) -> np.ndarray:
        """Return the sandwich covariance: however the games of a cluster depend on each other, it holds.

        It is multiplied by n / (n - 1), n being the number of clusters, as slopes at the fitted parameters vary a bit
        less than at the true ones. A single cluster says nothing: its covariance must not be used.
        """
        bread = np.linalg.inv(self.information)
        return bread @ (self.scores.T @ self.scores) @ bread * (cluster_count / max(cluster_count - 1, 1))


def fit_rankings(rankings: Rankings, *, ridge: float) -> Fit:
    """Find the parameters that maximise the log-likelihood less ridge / 2 times the sum of their squares.

    The function is concave, so Newton's steps, halved where they would lead downhill, find its only maximum.
    """
    penalty = ridge * np.eye(rankings.chosen.shape[1])
    parameters = np.zeros(len(penalty))
    here = measure_slopes(rankings, parameters)
    for _ in range(MAXIMUM_STEPS):
        slope = here.scores.sum(axis=0) - penalty @ parameters
        step = np.linalg.solve(here.information + penalty, slope)
        if np.abs(step).max(initial=0.0) < SMALL_STEP:
            break
        height = here.value - parameters @ penalty @ parameters / 2
        while True:
            there = measure_slopes(rankings, parameters + step)
            target = parameters + step
            if there.value - target @ penalty @ target / 2 >= height - abs(height) * SMALL_STEP:
                break
            step = step / 2
        parameters, here = target, there
    return Fit(parameters, here.scores, here.information + penalty)
