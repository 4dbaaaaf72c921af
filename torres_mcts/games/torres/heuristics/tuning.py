"""Fitting the weights of the static value to games that the quick choices play against themselves."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from torres_mcts import __version__
from torres_mcts.core.jit import entry_kernel
from torres_mcts.core.menu import new_menus
from torres_mcts.core.rng import new_rng
from torres_mcts.games.torres.engine.offers import offer_actions
from torres_mcts.games.torres.engine.state import KEEP, OVER, TURN, YEARS
from torres_mcts.games.torres.engine.turns import play_action
from torres_mcts.games.torres.heuristics.policy import choose_quickly
from torres_mcts.games.torres.heuristics.value import TERMS, coming_year, terms_of
from torres_mcts.games.torres.position import Position
from torres_mcts.games.torres.rules import Rules

ROW_LIMIT = 1024  # turns of a game times players, at the most 4 * 24 * 4
YEAR, SCORE, PLAYER = len(TERMS), len(TERMS) + 1, len(TERMS) + 2  # columns behind the terms
TUNE_STREAM = 3
RIDGE = 100.0  # terms that come together, such as the king's bonus and his castle, share their weight


@dataclass(frozen=True)
class Fit:
    """Weights and how well they explain the points still to come."""

    weights: np.ndarray  # [years, terms]
    explained: tuple[float, ...]  # share of the variance, for each year
    rules: Rules
    games: int
    seed: int

    def to_toml(self) -> str:
        """Return a weights file that says what was done."""
        explained = ", ".join(f"{share:.0%}" for share in self.explained)
        lines = [
            "# What a position is worth: expected points until the end of the game, beyond those on the track,",
            "# for each term of value.py. One table of weights a year.",
            "#",
            f"# Written by `torres tune`, version {__version__}: least squares (ridge {RIDGE:g}) on the starts",
            f"# of all turns of {self.games} games of {self.rules.to_dict()}, seed {self.seed},",
            "# played by the quick choices of policy.py against themselves.",
            f"# Share of the variance of the points still to come that is explained, by year: {explained}.",
            "# A term that never occurred in these games has the weight 1.",
        ]
        for year in range(YEARS):
            lines += ["", f"[year{year + 1}]"]
            lines += [f"{term} = {weight:.3f}" for term, weight in zip(TERMS, self.weights[year], strict=True)]
        return "\n".join(lines) + "\n"


@entry_kernel
def record_game(states, menus, rng, rows):
    """Play the game in states[0] by quick choices; write a row for each player at the start of each turn.

    rows: [ROW_LIMIT, terms + 3] float64: terms, index of the year, score, player. Return the number of rows.
    """
    state = states[0]
    size = 0
    fresh = True
    while state.phase != OVER:
        if fresh and state.phase == TURN:
            for player in range(state.rules.players):
                terms = terms_of(state, player)
                for term in range(len(terms)):
                    rows[size, term] = terms[term]
                rows[size, YEAR] = coming_year(state)
                rows[size, SCORE] = state.scores[player]
                rows[size, PLAYER] = player
                size += 1
        mover = state.to_move
        between_turns = state.phase != TURN and state.phase != KEEP
        offer_actions(state, menus[0])
        play_action(state, choose_quickly(state, menus[0], rng))
        fresh = between_turns or state.to_move != mover
    return size


def fit_weights(rules: Rules, *, games: int, seed: int, progress: Callable[[int], Any] | None = None) -> Fit:
    """Play games and fit the weights of each year to the points that the players went on to make."""
    menus, samples, targets = new_menus(), [], []
    rows = np.empty((ROW_LIMIT, len(TERMS) + 3))
    for game in range(games):
        position = Position.new(rules, seed=seed * 1_000_003 + game)
        states = position.state_array.copy()
        size = record_game(states, menus, new_rng(seed * 1_000_003 + game, TUNE_STREAM), rows)
        sample = rows[:size].copy()
        samples.append(sample)
        targets.append(states[0]["scores"][sample[:, PLAYER].astype(int)] - sample[:, SCORE])
        if progress is not None:
            progress(game + 1)
    weights, explained = _least_squares(np.concatenate(samples), np.concatenate(targets))
    return Fit(weights, explained, rules, games, seed)


def _least_squares(rows: np.ndarray, targets: np.ndarray) -> tuple[np.ndarray, tuple[float, ...]]:
    """Return the weights of each year and the shares of variance that they explain."""
    weights, explained = np.ones((YEARS, len(TERMS))), []
    for year in range(YEARS):
        chosen = rows[:, YEAR] == year
        terms, points = rows[chosen, : len(TERMS)], targets[chosen]
        used = terms.any(axis=0)
        square = terms[:, used].T @ terms[:, used] + RIDGE * np.eye(int(used.sum()))
        weights[year, used] = np.linalg.solve(square, terms[:, used].T @ points)
        errors = points - terms[:, used] @ weights[year, used]
        explained.append(float(1 - errors.var() / points.var()))
    return weights, tuple(explained)
