"""Fitting the outlook: games of greedy turns tell how points go on from a position, and fresh ones whether that holds.

For each number of players and each moment (turns left) least squares gives the slope of a blend of the static estimate
and the points if the year ended now; the residuals give the swing. Slopes of the two fitted apart say a little more
about games (Brier score 0.169 instead of 0.171 with two players), but the outlook has to rank turns too: in duels of
two players greedy turns by weights mixed like these slopes lost by 11 points to those by the estimate (standard error
1.8), while an even blend won by 1.9 (0.9). With three and four players the blend has not been tried in play, nor has
the blend for the last turns, when promises are worth little and it is mostly points.

Half of the games begin with some loose turns, so that uneven positions occur as well. The check plays fresh games and
compares the win probabilities said with what happened.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from torres_mcts import __version__
from torres_mcts.core.errors import TorresError
from torres_mcts.core.menu import new_menus
from torres_mcts.core.rng import draw_index, new_rng, seed_for
from torres_mcts.games.torres import verbs  # noqa: F401 (teaches the search this game)
from torres_mcts.games.torres.engine.state import STATE
from torres_mcts.games.torres.heuristics import outlook as model
from torres_mcts.games.torres.position import Position
from torres_mcts.games.torres.rules import Rules
from torres_mcts.search.turns.generator import new_table
from torres_mcts.search.turns.selfplay import keep_game

WIDTH, SWEEPS = 4, 2  # of the beam of the greedy turns
LOOSE_SHARE = 0.5  # of the games begin with loose turns
EPSILON = 0.3  # share of random actions in them
FIT_STREAM, CHECK_STREAM, LOOSE_STREAM = 11, 12, 13
KEPT = 128  # turns of a game, at the most
RIDGE, ORDER_RIDGE = 150.0, 1.0
BLEND, LAST_BLEND = 0.5, 0.1  # share of the static estimate, the rest being points if the year ended now
LEAST_ROWS = 30  # a moment with fewer takes the numbers of the one after it
LEAST_SWING = 0.5  # points
NEIGHBOURS = 4  # turns before and after whose slopes are averaged
LEAST_SLOPE = 0.15
TENTHS = 10

Progress = Callable[[int], Any]


class Games(NamedTuple):
    """What was seen in games of one number of players."""

    rows: np.ndarray  # [moments seen, READ_COLUMNS]
    finals: np.ndarray  # [moments seen, players] final points
    games: np.ndarray  # [moments seen] number of the game


@dataclass(frozen=True)
class Reliability:
    """Win probabilities said against what happened, by tenths."""

    players: int
    games: int
    brier: float  # mean squared error of the player to move's win probability
    brier_se: float  # over games
    brier_flat: float  # that of saying 1 / players always
    said: tuple[float, ...]  # mean of each tenth
    observed: tuple[float, ...]
    observed_se: tuple[float, ...]  # over games
    counts: tuple[int, ...]


@dataclass(frozen=True)
class OutlookFit:
    """Models by number of players, and how well they hold."""

    models: dict[int, np.ndarray]  # [moments, COLUMNS]
    checks: tuple[Reliability, ...]
    rules: Rules
    games: int
    seed: int

    def to_toml(self) -> str:
        """Return an outlook file that says what was done."""
        lines = [
            "# How points go on from a position (games/torres/heuristics/outlook.py), by number of players; a row each",
            "# for the set-up, between years 1 and 2, between 2 and 3, then for 1, 2, ... turns left in the game.",
            "# Columns: slope of the static estimate, slope of the points if the year ended now, swing of a player;",
            "# level, its slope, its swing; worth of being next to move, second, third, fourth.",
            "#",
            f"# Written by `torres tune --outlook`, version {__version__}: least squares on {self.games} games for",
            f"# each number of players, rules {self.rules.name}, seed {self.seed}, of greedy turns (beam {WIDTH},",
            f"# {SWEEPS} sweeps); {LOOSE_SHARE:.0%} of them begin with loose turns. The check is on fresh games: Brier",
            "# score of the win probability of the player to move at every turn, and what was said against what",
            "# happened, by tenths.",
        ]
        for check in self.checks:
            lines += [
                "",
                f"[check{check.players}]",
                f"games = {check.games}",
                f"brier = {check.brier:.4f}",
                f"brier_se = {check.brier_se:.4f}",
                f"brier_of_equal_chances = {check.brier_flat:.4f}",
                f"said = {[round(number, 3) for number in check.said]}",
                f"observed = {[round(number, 3) for number in check.observed]}",
                f"observed_se = {[round(number, 3) for number in check.observed_se]}",
                f"counts = {list(check.counts)}",
            ]
        for players, rows in self.models.items():
            lines += ["", f"[players{players}]", "rows = ["]
            lines += [f"    [{', '.join(f'{number:.4g}' for number in row)}]," for row in rows]
            lines += ["]"]
        return "\n".join(lines) + "\n"


def fit_outlook(
    rules: Rules, *, games: int, check_games: int, seed: int, threads: int = 2, progress: Progress | None = None
) -> OutlookFit:
    """Play games with two, three and four players, fit a model to each and check it on fresh games."""
    models, checks, done = {}, [], 0
    for players in (2, 3, 4):
        table = Rules.preset(rules.name, players=players)
        for_fit = play_games(table, games=games, seed=seed_for(seed, FIT_STREAM, players), threads=threads)
        models[players] = fit_model(for_fit)
        fresh = play_games(table, games=check_games, seed=seed_for(seed, CHECK_STREAM, players), threads=threads)
        checks.append(check_model(models[players], fresh))
        done += games + check_games
        if progress is not None:
            progress(done)
    return OutlookFit(models, tuple(checks), rules, games, seed)


def play_games(rules: Rules, *, games: int, seed: int, threads: int = 2) -> Games:
    """Play games of greedy turns and read every turn's start."""
    shares = [range(first, games, threads) for first in range(threads)]
    with ThreadPoolExecutor(threads) as pool:
        parts = list(pool.map(lambda share: _play_share(rules, share, seed), shares))
    found = sorted((row for part in parts for row in part), key=lambda row: row[0])
    return Games(
        np.concatenate([rows for _, rows, _ in found]),
        np.concatenate([np.repeat(final[None], len(rows), axis=0) for _, rows, final in found]),
        np.concatenate([np.full(len(rows), game) for game, rows, _ in found]),
    )


def _play_share(rules: Rules, share: range, seed: int) -> list[tuple[int, np.ndarray, np.ndarray]]:
    """Play some games: number, rows and final points of each."""
    table, menus, kept = new_table(60_000, 20_000), new_menus(), np.zeros(KEPT, STATE)
    moments = moment_count(rules)
    found = []
    for game in share:
        luck = new_rng(seed_for(seed, game), LOOSE_STREAM)
        turns = moments - model.TURN_MOMENT - 1
        loose = rules.players + 1 + draw_index(luck, turns) if draw_index(luck, 100) < 100 * LOOSE_SHARE else 0
        states = np.repeat(Position.new(rules, seed=seed_for(seed, game)).state_array, 3)
        count = keep_game(table, states, menus, new_rng(seed_for(seed, game)), WIDTH, SWEEPS, loose, EPSILON, kept)
        rows = np.zeros((count, model.READ_COLUMNS))
        model.read_states(kept[:count], moments, rows)
        found.append((game, rows, states[0]["scores"][: rules.players].astype(float)))
    return found


def moment_count(rules: Rules) -> int:
    """Return the number of moments that the games of some rules have."""
    return model.TURN_MOMENT + 1 + rules.players * sum(map(len, rules.stacks))


def fit_model(games: Games) -> np.ndarray:
    """Fit the rows of a model: first the slopes, smoothed over neighbouring moments, then the rest with these."""
    last = int(games.rows[:, model.MOMENT].max())
    chosen = [games.rows[:, model.MOMENT] == moment for moment in range(last + 1)]
    parts = [_Moment(games.rows[rows], games.finals[rows]) for rows in chosen]
    first = model.TURN_MOMENT + 1 + games.finals.shape[1]
    slopes = smooth_slopes(np.array([part.slope for part in parts]), np.array([part.weight for part in parts]), first)
    fitted = np.array([part.fit(slope) for part, slope in zip(parts, slopes, strict=True)])
    known = np.array([moment for moment, part in enumerate(parts) if part.count >= LEAST_ROWS])
    if not len(known):
        raise TorresError(
            f"games: too few to fit an outlook; every moment needs about {LEAST_ROWS}, so play 100 or more"
        )
    for missing in set(range(last + 1)) - set(known.tolist()):
        fitted[missing] = fitted[known[np.argmin(np.abs(known - missing))]]
    return fitted


def smooth_slopes(slopes: np.ndarray, weights: np.ndarray, first: int) -> np.ndarray:
    """Take means over neighbouring turns, by weight; where all is open no slope is known well, but none is negative.

    weights: how much was seen of each
    first:   moment with which smoothing begins; those before it stand alone
    """
    smooth = slopes.copy()
    for moment in range(first, len(slopes)):
        near = np.arange(max(first, moment - NEIGHBOURS), min(len(slopes), moment + NEIGHBOURS + 1))
        share = weights[near] * (1 - np.abs(near - moment) / (NEIGHBOURS + 1))
        smooth[moment] = (share * slopes[near]).sum() / max(share.sum(), 1e-9)
    return np.maximum(smooth, LEAST_SLOPE)


class _Moment:
    """What was seen at one moment of games."""

    def __init__(self, rows: np.ndarray, finals: np.ndarray) -> None:
        self.count, players = finals.shape
        estimates = rows[:, model.ESTIMATES : model.ESTIMATES + players]
        points = rows[:, model.POINTS : model.POINTS + players]
        turns_left = rows[0, model.MOMENT] - model.TURN_MOMENT if self.count else 0
        self.blend = LAST_BLEND if 1 <= turns_left <= players else BLEND
        self.feature = self.blend * _centred(estimates) + (1 - self.blend) * _centred(points)
        order = (np.arange(players) - rows[:, model.TO_MOVE, None].astype(int)) % players
        self.order, self.target = np.eye(players)[order], _centred(finals)  # [rows, players, orders], [rows, players]
        self.estimate, self.mean = estimates.mean(axis=1), finals.mean(axis=1)
        free = self.feature - self._by_order(self.feature)
        self.weight = float((free**2).sum())
        self.slope = float((free * self.target).sum() / (self.weight + RIDGE))

    def _by_order(self, numbers: np.ndarray) -> np.ndarray:
        """Return the mean of the numbers of those who are equally soon to move."""
        counts = np.maximum(self.order.sum(axis=(0, 1)), 1)
        return self.order @ (np.einsum("gp,gpo->o", numbers, self.order) / counts)

    def fit(self, slope: float) -> np.ndarray:
        """Return the row of the model with a given slope."""
        row, players = np.zeros(model.COLUMNS), self.target.shape[1]
        if not self.count:
            return row
        rest = self.target - slope * self.feature
        orders = np.einsum("gp,gpo->o", rest, self.order) / (self.order.sum(axis=(0, 1)) + ORDER_RIDGE)
        orders -= orders.mean()
        swing = np.sqrt(np.mean((rest - self.order @ orders) ** 2) * players / (players - 1))
        level = np.stack([np.ones(self.count), self.estimate], axis=1)
        solved = np.linalg.solve(level.T @ level + 1e-6 * np.eye(2), level.T @ self.mean)
        row[[model.ESTIMATE_SLOPE, model.POINTS_SLOPE]] = slope * self.blend, slope * (1 - self.blend)
        row[model.SWING] = max(swing, LEAST_SWING)
        row[[model.LEVEL, model.LEVEL_SLOPE]] = solved
        row[model.LEVEL_SWING] = np.sqrt(np.mean((self.mean - level @ solved) ** 2))
        row[model.ORDER : model.ORDER + players] = orders
        return row


def _centred(numbers: np.ndarray) -> np.ndarray:
    """Return how far each player lies above the mean."""
    return numbers - numbers.mean(axis=1, keepdims=True)


def check_model(rows: np.ndarray, games: Games) -> Reliability:
    """Compare the win probabilities that a model says for the player to move with what happened."""
    players = games.finals.shape[1]
    said = said_wins(rows, games.rows, players)
    movers = games.rows[:, model.TO_MOVE].astype(int)
    best = games.finals == games.finals.max(axis=1, keepdims=True)
    shares = best / best.sum(axis=1, keepdims=True)
    index = np.arange(len(movers))
    said, won = said[index, movers], shares[index, movers]
    tenths = np.minimum((said * TENTHS).astype(int), TENTHS - 1)
    number = len(np.unique(games.games))
    errors = (said - won) ** 2
    brier, brier_se = _by_game(errors, games.games)
    found = [_by_game(won[tenths == tenth], games.games[tenths == tenth]) for tenth in range(TENTHS)]
    return Reliability(
        players,
        number,
        brier,
        brier_se,
        float(np.mean((1 / players - won) ** 2)),
        tuple(float(said[tenths == tenth].mean()) if (tenths == tenth).any() else 0.0 for tenth in range(TENTHS)),
        tuple(mean for mean, _ in found),
        tuple(se for _, se in found),
        tuple(int((tenths == tenth).sum()) for tenth in range(TENTHS)),
    )


def said_wins(rows: np.ndarray, read: np.ndarray, players: int) -> np.ndarray:
    """Return the win probability of each player for what was read from states: [states, players]."""
    wins = np.empty((len(read), players))
    model.judge_rows(read, rows, wins)
    return wins


def _by_game(values: np.ndarray, games: np.ndarray) -> tuple[float, float]:
    """Return a mean and its standard error, the moments of one game taken together."""
    if not len(values):
        return 0.0, 0.0
    mean = float(values.mean())
    _, index = np.unique(games, return_inverse=True)
    sums = np.bincount(index, values - mean)
    return mean, float(np.sqrt((sums**2).sum()) / len(values))
