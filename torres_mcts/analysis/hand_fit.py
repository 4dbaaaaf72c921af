"""Fitting the temperature of hand inference to self-play, and checking on fresh games what it is worth.

The score is the log-probability of the hand truly held, at the end of each of the player's turns, summed over a game.
It is worked out for a grid of temperatures at once; the standard error is a jackknife over games, because the moments
of one game depend on each other.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from torres_mcts import __version__
from torres_mcts.agents.engines import make_engine
from torres_mcts.analysis.hands import counts_of, unseen_cards
from torres_mcts.analysis.hands_played import WIDTH, follow_beliefs
from torres_mcts.core.errors import TorresError
from torres_mcts.core.rng import draw_index, new_rng
from torres_mcts.games.torres.format.encode import SETUP
from torres_mcts.games.torres.position import Position
from torres_mcts.games.torres.record import SETUP_STREAM, GameRecord
from torres_mcts.games.torres.rules import Rules
from torres_mcts.search.limits import Limit

TEMPERATURES = np.geomspace(0.1, 1000.0, 81)  # points; steps of 12 %, between them a parabola
LEAST_SHARE = 1e-300  # a hand ruled out altogether still has a logarithm
SEED_STEP = 1_000_003
PLAYER_WIDTH = 16  # of the greedy turns that play the games

Progress = Callable[[int], Any]


@dataclass(frozen=True)
class TemperatureFit:
    """The temperature under which the hands truly held were likeliest."""

    temperature: float  # points
    se: float  # standard error, by jackknife over games
    games: int
    gain: float  # log score per game above that of uniform hands, in the games of the fit


@dataclass(frozen=True)
class Gain:
    """What weighing hands by plays adds to the log score of the hand truly held (natural logarithms)."""

    mean: float  # per game: weighed less uniform, paired
    se: float  # standard error over games
    games: int
    moments: int  # ends of turns at which a hand had to be guessed
    uniform: float  # log score per moment of uniform hands
    weighed: float  # log score per moment of weighed hands


@dataclass(frozen=True)
class HandFit:
    """A temperature, its check, and how both were made."""

    fit: TemperatureFit
    check: Gain
    rules: Rules
    seed: int
    width: int

    def to_toml(self) -> str:
        """Return a file for `fitted_temperature` that says what was done."""
        fit, check = self.fit, self.check
        return "\n".join(
            [
                "# How far plays tell what a player holds: the temperature, in points of static value, of the softmax",
                "# by which hands_played.py weighs hands.",
                "#",
                f"# Written by `torres tune --hands`, version {__version__}: the temperature with the highest",
                f"# log score of the hands truly held at the ends of turns, in {fit.games} games of",
                f"# {self.rules.to_dict()}, seed {self.seed}, played by greedy turns (beam {PLAYER_WIDTH})",
                f"# after a random set-up. Cards are valued by a beam of {self.width} and weights.toml.",
                "# The check is on fresh games: log score (natural logarithm) weighed less uniform, paired by game.",
                "",
                f"temperature = {fit.temperature:.3f}",
                f"se = {fit.se:.3f}  # jackknife over games",
                f"gain_per_game = {fit.gain:.3f}  # in the games of the fit",
                "",
                "[check]",
                f"games = {check.games}",
                f"moments = {check.moments}  # at which there was a hand to guess",
                f"gain_per_game = {check.mean:.3f}",
                f"gain_se = {check.se:.3f}",
                f"uniform_per_moment = {check.uniform:.3f}",
                f"weighed_per_moment = {check.weighed:.3f}",
                "",
            ]
        )


def score_record(record: GameRecord, temperatures: np.ndarray, *, width: int = WIDTH) -> tuple[np.ndarray, int]:
    """Return the log score of the hands truly held for each temperature, and at how many moments there was a choice.

    Each player is watched by the next one; with own decks all others see the same.
    """
    if not record.position.is_known:
        raise TorresError("the record hides cards: hands can be scored only where they are known")
    if record.position.rules.cards != "own":
        raise TorresError(f"hands are weighed with own decks only, not with cards: {record.position.rules.cards}")
    scores, moments = np.zeros(len(temperatures)), 0
    names = record.position.names
    for owner, opponent in enumerate(names):
        observer = names[(owner + 1) % len(names)]
        before = record.position
        for index, (position, belief) in enumerate(follow_beliefs(record, observer, opponent, temperatures, width)):
            ended = index > 0 and record.actions[index - 1].startswith("end") and before.to_move == opponent
            before = position
            if ended and len(belief.old) > 1:
                hidden = np.array(counts_of(position.state["hands"][owner]))
                hidden -= np.array(unseen_cards(position, observer, opponent).known)
                share = belief.shares[(belief.old == hidden).all(axis=1)][0]
                scores += np.log(np.maximum(share, LEAST_SHARE))
                moments += 1
    return scores, moments


def fit_temperature(
    records: Iterable[GameRecord], *, width: int = WIDTH, progress: Progress | None = None
) -> TemperatureFit:
    """Return the temperature with the highest log score of the hands truly held in records of whole games."""
    temperatures = np.append(TEMPERATURES, np.inf)
    rows = []
    for record in records:
        rows.append(score_record(record, temperatures, width=width)[0])
        if progress is not None:
            progress(len(rows))
    if len(rows) < 2:
        raise TorresError(f"records: {len(rows)} given; a temperature with a standard error needs two games or more")
    return fit_curves(np.array(rows))


def fit_curves(curves: np.ndarray) -> TemperatureFit:
    """Fit to the log scores [games, temperatures] of the grid, the last column without weighing."""
    gains = curves[:, :-1] - curves[:, -1:]
    total = gains.sum(axis=0)
    best = int(np.argmax(total))
    if best in (0, len(TEMPERATURES) - 1):
        raise TorresError(
            f"records: the best temperature is at the edge of the grid ({TEMPERATURES[best]:g} points): "
            "these plays do not fit the model, or the games are too few"
        )
    middle, height = _peak(total)
    games = len(gains)
    others = np.array([_peak(total - gain)[0] for gain in gains])  # with one game left out each time
    se = float(np.sqrt((games - 1) / games * np.sum((others - others.mean()) ** 2)))
    temperature = float(np.exp(middle))
    return TemperatureFit(temperature, temperature * se, games, height / games)


def _peak(curve: np.ndarray) -> tuple[float, float]:
    """Return where, as a logarithm, and how high the peak of a curve over the grid is."""
    best = int(np.argmax(curve))
    places = np.log(TEMPERATURES)
    if best in (0, len(curve) - 1):
        return float(places[best]), float(curve[best])
    left, top, right = curve[best - 1 : best + 2]
    bend = left - 2 * top + right
    shift = 0.5 * (left - right) / bend if bend < 0 else 0.0
    return float(places[best] + shift * (places[1] - places[0])), float(top - 0.25 * (left - right) * shift)


def check_temperature(
    records: Iterable[GameRecord], temperature: float, *, width: int = WIDTH, progress: Progress | None = None
) -> Gain:
    """Compare weighed with uniform hands, game by game; give games that the temperature was not fitted to."""
    scores, moments = [], 0
    for record in records:
        score, number = score_record(record, np.array([temperature, np.inf]), width=width)
        scores.append(score)
        moments += number
        if progress is not None:
            progress(len(scores))
    if len(scores) < 2 or not moments:
        raise TorresError(
            f"records: {len(scores)} given with {moments} hands to guess; a check needs two games or more"
        )
    weighed, uniform = np.array(scores).T
    gains = weighed - uniform
    se = float(gains.std(ddof=1) / np.sqrt(len(gains)))
    return Gain(
        float(gains.mean()), se, len(gains), moments, float(uniform.sum() / moments), float(weighed.sum() / moments)
    )


def play_greedy_game(rules: Rules, *, seed: int, width: int = PLAYER_WIDTH) -> GameRecord:
    """Play a game of greedy turns; the set-up is random."""
    engine, limit = make_engine("greedy", width=width), Limit(iterations=1)
    start = position = Position.new(rules, seed=seed)
    rng = new_rng(seed, SETUP_STREAM)
    played: list[str] = []
    while not position.is_over:
        if position.phase in SETUP:
            legal = position.legal_actions()
            actions: tuple[str, ...] = (legal[draw_index(rng, len(legal))],)
        else:
            actions = engine.choose(position, limit=limit, seed=seed)
        for action in actions:
            position = position.play(action)
        played.extend(actions)
    return GameRecord(start, tuple(played), seed, tuple(position.scores.values()))


def fit_hands(
    rules: Rules, *, games: int, check_games: int, seed: int, width: int = WIDTH, progress: Progress | None = None
) -> HandFit:
    """Play games, fit the temperature to the first ones and check it on the others."""
    if rules.cards != "own":
        raise TorresError(f"hands are weighed with own decks only, not with cards: {rules.cards}; choose such rules")

    def play(first: int, number: int) -> Iterable[GameRecord]:
        return (play_greedy_game(rules, seed=seed * SEED_STEP + first + game) for game in range(number))

    fit = fit_temperature(play(0, games), width=width, progress=progress)
    check = check_temperature(
        play(games, check_games),
        fit.temperature,
        width=width,
        progress=None if progress is None else lambda done: progress(games + done),
    )
    return HandFit(fit, check, rules, seed, width)
