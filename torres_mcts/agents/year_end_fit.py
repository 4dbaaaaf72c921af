"""Fitting what a board is worth between two years, when the points of the year before have been counted.

A search that plays to the end of a year compares points made with what the board promises. The weights of the years are
tuned for choosing among turns, where all that matters is which is better; taken for points they promise too much. So
the value between years is fitted apart: the difference of two players' points still to come, by least squares on the
difference of their terms, in games of greedy turns.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from torres_mcts import __version__
from torres_mcts.core.jit import entry_kernel
from torres_mcts.core.menu import new_menus
from torres_mcts.core.rng import new_rng, seed_for
from torres_mcts.games.torres import verbs  # noqa: F401 (teaches the search this game)
from torres_mcts.games.torres.engine.state import KING, STATE, YEARS
from torres_mcts.games.torres.heuristics.value import TERMS, terms_of
from torres_mcts.games.torres.position import Position
from torres_mcts.games.torres.rules import Rules
from torres_mcts.search.turns.generator import new_table
from torres_mcts.search.turns.selfplay import keep_game

YEAR_END_STREAM = 6
TURN_LIMIT = 256  # of a game
BEAM_ENTRIES, BEAM_ENDS = 60_000, 20_000
WIDTH, SWEEPS = 16, 2  # of the beam of the greedy turns
RIDGE = 10.0


@entry_kernel
def write_terms(states, terms):
    """Write the terms of every player: [states, players, terms] float64."""
    for index in range(states.size):
        for player in range(terms.shape[1]):
            found = terms_of(states[index], player)
            for term in range(len(found)):
                terms[index, player, term] = found[term]


@dataclass(frozen=True)
class YearEndFit:
    """Weights between years and how well they foretell the end."""

    weights: np.ndarray  # [years - 1, terms]
    errors: tuple[float, ...]  # root mean square error of the final difference on fresh games, after each year
    plain_errors: tuple[float, ...]  # the same if the points so far were all
    rules: Rules
    games: int
    check_games: int
    seed: int

    def to_toml(self) -> str:
        """Return a file that says what was done."""
        lines = [
            "# What the board is worth to a player when a year has just been scored, in points still to come:",
            "# the weight of each term of value.py, after the first and after the second year.",
            "#",
            f"# Written by `torres tune --year-ends`, version {__version__}, rules {self.rules.to_dict()},",
            f"# seed {self.seed}: least squares (ridge {RIDGE:g}) on the differences between players in",
            f"# {self.games} games of greedy turns (beam {WIDTH}, {SWEEPS} sweeps).",
            f"# Error of the final difference in {self.check_games} fresh games, root mean square:",
        ]
        for year, (error, plain) in enumerate(zip(self.errors, self.plain_errors, strict=True), 1):
            lines.append(f"# after year {year} {error:.1f} points; {plain:.1f} if the points so far were all.")
        for year, row in enumerate(self.weights, 1):
            lines += ["", f"[after{year}]"]
            lines += [f"{term} = {weight:.3f}" for term, weight in zip(TERMS, row, strict=True)]
        return "\n".join(lines) + "\n"


def fit_year_ends(
    rules: Rules, *, games: int, seed: int, check_games: int, progress: Callable[[int], Any] | None = None
) -> YearEndFit:
    """Fit the weights between years to games of greedy turns, and check them on fresh ones."""
    samples = []
    for game in range(games + check_games):
        samples.append(sample_game(rules, seed_for(seed, YEAR_END_STREAM, game)))
        if progress is not None:
            progress(game + 1)
    weights = np.zeros((YEARS - 1, len(TERMS)))
    errors, plain_errors = [], []
    for year in range(YEARS - 1):
        known, fresh = (
            [np.concatenate(parts) for parts in zip(*(sample[year] for sample in part), strict=True)]
            for part in (samples[:games], samples[games:])
        )
        weights[year] = least_squares(*known)
        errors.append(_root_mean_square(fresh[1] - fresh[0] @ weights[year]))
        plain_errors.append(_root_mean_square(fresh[1]))
    return YearEndFit(weights, tuple(errors), tuple(plain_errors), rules, games, check_games, seed)


def sample_game(rules: Rules, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Play a game of greedy turns; return for each year end the differences of all pairs of players.

    These are [pairs, terms] of the terms, and [pairs] of the points still to come.
    """
    states = np.repeat(Position.new(rules, seed=seed).state_array, 3)
    kept = np.empty(TURN_LIMIT, STATE)
    count = keep_game(
        new_table(BEAM_ENTRIES, BEAM_ENDS), states, new_menus(), new_rng(seed), WIDTH, SWEEPS, 0, 0.0, kept
    )
    final = states[0]["scores"][: rules.players].astype(float)
    found = []
    for year in range(1, YEARS):
        ends = kept[:count][(kept[:count]["phase"] == KING) & (kept[:count]["year"] == year)][:1]
        terms = np.zeros((1, rules.players, len(TERMS)))
        write_terms(ends, terms)
        gains = final - ends[0]["scores"][: rules.players]
        pairs = list(combinations(range(rules.players), 2))
        found.append(
            (
                np.array([terms[0, one] - terms[0, other] for one, other in pairs]),
                np.array([gains[one] - gains[other] for one, other in pairs]),
            )
        )
    return found


def least_squares(terms: np.ndarray, gains: np.ndarray) -> np.ndarray:
    """Return the weights that foretell gains from terms best; 0 for a term in which players never differ.

    >>> least_squares(np.eye(4).repeat(1000, axis=0), np.array([1.0, 2.0, 0.0, -1.0]).repeat(1000)).round(2)
    array([ 0.99,  1.98,  0.  , -0.99])
    """
    return np.linalg.solve(terms.T @ terms + RIDGE * np.eye(terms.shape[1]), terms.T @ gains)


def _root_mean_square(errors: np.ndarray) -> float:
    return float(np.sqrt(np.mean(errors**2)))
