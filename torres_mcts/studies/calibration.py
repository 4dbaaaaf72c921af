"""Is an analysis as good as its word? Win probabilities against results, and intervals against long-run values.

Games are played by an agent; some positions of each are analysed, and what was said of the player to move is compared
with how the game ended. Positions of one game are not independent, so errors are over games. For coverage a position is
analysed again and again with other seeds; the interval of each answer's best turn should hold what a far longer
analysis says of that turn.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from torres_mcts import __version__
from torres_mcts.agents.agent import read_agent
from torres_mcts.analysis.analyze import analyze
from torres_mcts.core.errors import TorresError
from torres_mcts.core.files import to_json, write_text
from torres_mcts.core.rng import seed_for
from torres_mcts.games.torres.position import Position
from torres_mcts.games.torres.rules import Rules
from torres_mcts.search.limits import Limit
from torres_mcts.tournaments.game import play_game
from torres_mcts.tournaments.statistics.estimates import Estimate, estimate_share
from torres_mcts.tournaments.statistics.outcomes import win_share

CHOICE_STREAM = 8
TENTHS = 10


@dataclass(frozen=True)
class Plan:
    """What is played and analysed."""

    rules: Rules
    agent: str  # that plays the games
    games: int
    positions: int  # of each game that are analysed
    iterations: int  # of each analysis
    repeats: int  # analyses of the first of them, for coverage; 0: none
    reference: int  # iterations of the analysis that these are compared with
    seed: int

    def to_dict(self) -> dict[str, Any]:
        """Return all that decides the result."""
        return {**asdict(self), "rules": self.rules.to_dict(), "version": __version__}


@dataclass(frozen=True)
class Judged:
    """What was said of a position, and what happened."""

    year: int
    said: float  # win probability of the player to move
    happened: float  # share of the win


@dataclass(frozen=True)
class JudgedGame:
    """The positions of one game, and how many of the repeated intervals held the long-run value."""

    positions: tuple[Judged, ...]
    covered: int
    repeats: int


@dataclass(frozen=True)
class Tenth:
    """Positions of which about the same was said."""

    count: int
    said: float
    happened: Estimate


@dataclass(frozen=True)
class Calibration:
    """The result: games in the order of their numbers."""

    plan: Plan
    games: tuple[JudgedGame, ...]

    @property
    def brier(self) -> Estimate:
        """The mean squared error of win probabilities; the mean over games of their means."""
        return estimate_share(
            np.array([np.mean([(one.said - one.happened) ** 2 for one in game.positions]) for game in self.games])
        )

    @property
    def plain_brier(self) -> float:
        """The same if everybody always had equal chances."""
        fair = 1 / self.plan.rules.players
        return float(np.mean([(one.happened - fair) ** 2 for game in self.games for one in game.positions]))

    @property
    def coverage(self) -> Estimate | None:
        """The share of 95 % intervals that held the long-run value; blocks are games."""
        shares = [game.covered / game.repeats for game in self.games if game.repeats]
        return estimate_share(np.array(shares)) if shares else None

    @property
    def tenths(self) -> list[Tenth]:
        """The positions by what was said, in ten groups from 0 to 1; empty ones are left out."""
        rows = [(number, one.said, one.happened) for number, game in enumerate(self.games) for one in game.positions]
        found = []
        for tenth in range(TENTHS):
            chosen = [row for row in rows if min(int(row[1] * TENTHS), TENTHS - 1) == tenth]
            if chosen:
                by_game: dict[int, list[float]] = {}
                for number, _, happened in chosen:
                    by_game.setdefault(number, []).append(happened)
                means = np.array([np.mean(values) for values in by_game.values()])
                found.append(Tenth(len(chosen), float(np.mean([row[1] for row in chosen])), estimate_share(means)))
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return everything, for a file."""
        return {
            "plan": self.plan.to_dict(),
            "brier": asdict(self.brier),
            "brier_if_equal_chances": self.plain_brier,
            "coverage": None if self.coverage is None else asdict(self.coverage),
            "tenths": [asdict(tenth) for tenth in self.tenths],
            "games": [asdict(game) for game in self.games],
        }


def calibrate(
    plan: Plan, *, workers: int = 1, path: Path | None = None, see: Callable[[int], None] | None = None
) -> Calibration:
    """Play and analyse; the result does not depend on the number of workers.

    path: a file that is brought up to date after every game, and gone on from if it was written for the same plan
    """
    read_agent(plan.agent)
    games = read_games(path, plan)[: plan.games] if path is not None and path.exists() else []
    if see is not None:
        see(len(games))
    for game in _judge_games(plan, len(games), workers):
        games.append(game)
        if path is not None:
            write_text(path, to_json(Calibration(plan, tuple(games)).to_dict()))
        if see is not None:
            see(len(games))
    return Calibration(plan, tuple(games))


def read_games(path: Path, plan: Plan) -> list[JudgedGame]:
    """Return the games of a file that was written for the same plan, whatever the number of games."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if {**data["plan"], "games": 0} != {**json.loads(to_json(plan.to_dict())), "games": 0}:
            raise TorresError(f"{path}: holds another calibration; give another file, or the options it was made with")
        return [
            JudgedGame(tuple(Judged(**one) for one in game["positions"]), game["covered"], game["repeats"])
            for game in data["games"]
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TorresError(f"{path}: is not a calibration that can be continued ({error})") from None


def _judge_games(plan: Plan, first: int, workers: int) -> Iterator[JudgedGame]:
    if workers == 1 or first == plan.games:
        yield from map(partial(judge_game, plan), range(first, plan.games))
        return
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        try:
            yield from pool.map(partial(judge_game, plan), range(first, plan.games))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def judge_game(plan: Plan, number: int) -> JudgedGame:
    """Play a game and analyse some of its positions, each from what the player to move knew."""
    agent, turns = read_agent(plan.agent), []

    def keep(position: Position) -> None:
        if position.phase == "turn" and int(position.state["ap"]) == position.rules.ap_per_turn:
            turns.append(position)

    limit = Limit(iterations=plan.iterations)
    table = [agent] * plan.rules.players
    result = play_game(table, plan.rules, limit=limit, seed=plan.seed, deal=number, see=keep)
    luck = np.random.default_rng(seed_for(plan.seed, CHOICE_STREAM, number))
    chosen = sorted(luck.choice(len(turns), size=min(plan.positions, len(turns)), replace=False))
    judged = [judge_position(turns[index], result.scores, plan, number) for index in chosen]
    covered = count_covered(turns[luck.choice(chosen)], plan, number) if plan.repeats else 0
    return JudgedGame(tuple(judged), covered, plan.repeats)


def judge_position(position: Position, scores: Sequence[int], plan: Plan, number: int) -> Judged:
    """Compare what an analysis says of the player to move with how the game ended."""
    report = analyze(position.view(str(position.to_move)), Limit(iterations=plan.iterations), seed=number, top=1)
    seat = int(position.state["to_move"])
    return Judged(int(position.state["year"]), report.root.players[seat].win.mean, win_share(tuple(scores), seat))


def count_covered(position: Position, plan: Plan, number: int) -> int:
    """Analyse a position repeatedly; count the best turns whose interval holds what a longer analysis says of them."""
    view, answers = position.view(str(position.to_move)), []
    for repeat in range(1, plan.repeats + 1):
        best = analyze(view, Limit(iterations=plan.iterations), seed=number * 1000 + repeat, top=1).turns[0]
        answers.append((tuple(best.actions), best.win.ci95))
    named = sorted({actions for actions, _ in answers})
    longer = analyze(view, Limit(iterations=plan.reference), seed=number * 1000, top=1, turns=named)
    truth = {tuple(turn.actions): turn.win.mean for turn in longer.turns}
    return sum(low <= truth[actions] <= high for actions, (low, high) in answers)
