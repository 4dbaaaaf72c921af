"""Fitting the weights of the static value on self-play.

First the weights are fitted by least squares to the points that players of quick choices went on to make. What goes
along with points need not bring them, so the weights are then improved by playing: two sets, the present one with small
changes up and the same changes down, play greedy turns against each other on the same deals, seats swapped, and the
weights go a step towards the set that did better (simultaneous perturbation, SPSA). The result is the mean of the later
steps.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from torres_mcts import __version__
from torres_mcts.agents.tuned import TUNED
from torres_mcts.core.jit import entry_kernel
from torres_mcts.core.menu import new_menus
from torres_mcts.core.protocol import is_over, player_to_move
from torres_mcts.core.rng import new_rng, seed_for
from torres_mcts.games.torres.engine.offers import offer_actions
from torres_mcts.games.torres.engine.state import KEEP, OVER, TURN, YEARS
from torres_mcts.games.torres.engine.turns import play_action
from torres_mcts.games.torres.heuristics.policy import choose_quickly
from torres_mcts.games.torres.heuristics.value import TERMS, coming_year, terms_of
from torres_mcts.games.torres.position import Position
from torres_mcts.games.torres.rules import Rules
from torres_mcts.search.turns.generator import TurnTable, new_table
from torres_mcts.search.turns.greedy import CALM, play_greedily

ROW_LIMIT = 1024  # turns of a game times players, at the most 4 * 24 * 4
YEAR, SCORE, PLAYER = len(TERMS), len(TERMS) + 1, len(TERMS) + 2  # columns behind the terms
FIT_STREAM, CLIMB_STREAM, CHECK_STREAM = 3, 4, 5
FIT_GAMES = 3000
RIDGE = 100.0  # terms that come together, such as the king's bonus and his castle, share their weight

DEALS = 12  # played from both seats in each step
GAMES_A_CHECK = 72  # of the climb, for each deal of the check: a hundred for 7200
STEP, STEP_LATER = 0.5, 100  # the first step, and after how many steps it is down to 0.66 of that
WARM_UP = 50  # steps that do not count for the mean
MARGIN_SCALE = 40.0  # points ahead that count 0.76 of a win
WIDTH, SWEEPS = 4, 2  # of the beam of the greedy turns
CHANGES = {  # how far each weight is changed up and down; those not here stay as they are
    "castles": 0.4,
    "king": 0.3,
    "knights": 1.5,
    "levels": 0.7,
    "climb": 0.4,
    "areas": 0.3,
    "growth": 0.3,
    "king_near": 1.5,
    "in_king_castle": 1.5,
    "cards": 1.0,
    "blocks": 0.4,
    "turns": 2.0,
    "ap": 0.7,
}
Progress = Callable[[int], Any]


@dataclass(frozen=True)
class Fit:
    """Weights and what came of them."""

    weights: np.ndarray  # [years, terms]
    explained: tuple[float, ...]  # share of the variance that the least squares fit explained, for each year
    margin: float  # points by which the weights beat those of the least squares fit, on fresh deals
    margin_se: float
    rules: Rules
    games: int
    fit_games: int
    check_deals: int
    seed: int

    def to_toml(self) -> str:
        """Return a weights file that says what was done."""
        explained = ", ".join(f"{share:.0%}" for share in self.explained)
        lines = [
            "# What a position is worth to a player: the weight of each term of value.py, one table a year.",
            "#",
            f"# Written by `torres tune`, version {__version__}, rules {self.rules.to_dict()}, seed {self.seed}:",
            f"# least squares (ridge {RIDGE:g}) on the starts of all turns of {self.fit_games} games of quick choices",
            f"# (share of the variance of the points still to come that is explained, by year: {explained}),",
            f"# then {self.games} games of greedy turns (beam {WIDTH}, {SWEEPS} sweeps) between weights changed up and",
            "# down.",
            f"# Greedy turns by these weights beat those by the least squares fit by {self.margin:.1f} points a game, "
            f"standard error {self.margin_se:.1f},",
            f"# on {self.check_deals} fresh deals played from both seats.",
            "# A term that never occurred in these games has the weight 1, or 0 where that is the least squares fit.",
        ]
        for year in range(YEARS):
            lines += ["", f"[year{year + 1}]"]
            lines += [f"{term} = {weight:.3f}" for term, weight in zip(TERMS, self.weights[year], strict=True)]
        return "\n".join(lines) + "\n"


def fit_weights(
    rules: Rules,
    *,
    games: int,
    seed: int,
    fit_games: int = FIT_GAMES,
    progress: Progress | None = None,
) -> Fit:
    """Fit the weights of each year: least squares first, then `games` games of greedy turns."""
    start, explained = fit_start(rules, games=fit_games, seed=seed)
    duel, check_deals = Duel(rules), max(2, games // GAMES_A_CHECK)
    weights = climb(duel, start, steps=max(1, games // (2 * DEALS)), seed=seed, progress=progress)
    margins = duel.play(weights, start, deals=check_deals, seed=seed_for(seed, CHECK_STREAM))
    blocks = margins.mean(axis=1)
    return Fit(
        weights=weights,
        explained=explained,
        margin=float(blocks.mean()),
        margin_se=float(blocks.std(ddof=1) / np.sqrt(len(blocks))),
        rules=rules,
        games=games,
        fit_games=fit_games,
        check_deals=check_deals,
        seed=seed,
    )


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


def fit_start(rules: Rules, *, games: int, seed: int) -> tuple[np.ndarray, tuple[float, ...]]:
    """Play games of quick choices and fit the weights of each year to the points that the players went on to make."""
    menus, samples, targets = new_menus(), [], []
    rows = np.empty((ROW_LIMIT, len(TERMS) + 3))
    for game in range(games):
        position = Position.new(rules, seed=seed_for(seed, FIT_STREAM, game))
        states = position.state_array.copy()
        size = record_game(states, menus, new_rng(seed_for(seed, FIT_STREAM, game), FIT_STREAM), rows)
        sample = rows[:size].copy()
        samples.append(sample)
        targets.append(states[0]["scores"][sample[:, PLAYER].astype(int)] - sample[:, SCORE])
    return _least_squares(np.concatenate(samples), np.concatenate(targets))


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


@entry_kernel
def play_duel(table, states, menus, rng, first_seat, width, sweeps):
    """Play the game in states[0] by greedy turns: first_seat goes by the first set of weights, others by the second."""
    while not is_over(states[0]):
        states[0].set_in_use = 0 if player_to_move(states[0]) == first_seat else 1
        play_greedily(table, states, menus[0], rng, width, sweeps, CALM)


class Duel:
    """Greedy turns by two sets of weights against each other."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.table: TurnTable = new_table(60_000, 20_000)
        self.menus = new_menus()

    def play(self, one: np.ndarray, other: np.ndarray, *, deals: int, seed: int) -> np.ndarray:
        """Return by how much `one` won: [deals, seats], each deal played once from each seat."""
        margins = np.empty((deals, self.rules.players))
        for deal in range(deals):
            position = Position.new(self.rules, seed=seed_for(seed, deal))
            for seat in range(self.rules.players):
                states = np.zeros(3, TUNED)
                states["state"] = position.state_array[0]
                states["weights"] = np.stack([one, other])
                play_duel(self.table, states, self.menus, new_rng(seed_for(seed, deal)), seat, WIDTH, SWEEPS)
                scores = states[0]["state"]["scores"][: self.rules.players].astype(float)
                margins[deal, seat] = scores[seat] - np.delete(scores, seat).max()
        return margins


def climb(duel: Duel, start: np.ndarray, *, steps: int, seed: int, progress: Progress | None = None) -> np.ndarray:
    """Improve weights by duels between changes up and down; return the mean over the later steps."""
    changes = np.array([CHANGES.get(term, 0.0) for term in TERMS])
    luck = np.random.default_rng(seed_for(seed, CLIMB_STREAM))
    weights, total, counted = start.copy(), np.zeros_like(start), 0
    for step in range(steps):
        change = luck.choice([-1.0, 1.0], size=start.shape) * changes
        margins = duel.play(weights + change, weights - change, deals=DEALS, seed=seed_for(seed, CLIMB_STREAM, step))
        gain = np.tanh(margins / MARGIN_SCALE).mean()
        weights = weights + STEP / (1 + step / STEP_LATER) ** 0.6 * gain * change
        if step >= min(WARM_UP, steps - 1):
            total, counted = total + weights, counted + 1
        if progress is not None:
            progress((step + 1) * 2 * DEALS)
    return total / counted
