"""How exciting games are: changes of the lead, drama, when a game is decided, how open it is."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from torres_mcts.studies.log import GameLog
from torres_mcts.studies.metrics.metric import Blocks, Sums, Values, games_of, mean, metric, pool, quantile, remember

CLEAR = 0.5  # win probability of one who is the favourite for good


@metric(
    "Lead changes",
    unit="changes a turn",
    definition="How often the lead passes to another player, divided by the number of turns: on the score track"
    " (`points`), by the points if the year ended now (`standing`), and by win probability (`wins`). With several in"
    " front, the lead stays where it was.",
    needs_judge=True,
)
def lead_changes(blocks: Blocks) -> Values:
    """Return `points`, `standing` and `wins`."""
    return pool(blocks, _changes_of)


@remember
def _changes_of(game: GameLog) -> Sums:
    """Return the changes of the lead for each turn."""
    if not game.turns:
        return {}
    rows: dict[str, Sequence[Sequence[float]]] = {
        "points": [turn.scores for turn in game.turns],
        "standing": [turn.standing for turn in game.turns],
        "wins": [turn.wins for turn in game.turns],
    }
    return {label: (count_changes(row) / len(game.turns), 1) for label, row in rows.items()}


def count_changes(rows: Sequence[Sequence[float]]) -> int:
    """Count how often the sole leader is another one than the sole leader before.

    >>> count_changes([(0, 0), (1, 0), (1, 1), (1, 2), (3, 2)])
    2
    """
    leaders = [row.index(max(row)) for row in map(list, rows) if row.count(max(row)) == 1]
    return sum(one != other for one, other in pairwise(leaders))


@metric(
    "Drama",
    unit="win probability",
    definition="How far the later winner lies behind the favourite: the mean over the positions in which a turn"
    " begins of the highest win probability less the winner's.",
    needs_judge=True,
)
def drama(blocks: Blocks) -> Values:
    """Return `all`."""
    return {"all": mean(drama_of(game) for game in games_of(blocks) if game.turns)}


@remember
def drama_of(game: GameLog) -> float:
    """Return the drama of a game; of several winners it is the mean."""
    before = game.wins[:-1]
    winners = [seat for seat, share in enumerate(game.win_shares) if share > 0]
    return float((before.max(axis=1)[:, None] - before[:, winners]).mean())


@metric(
    "Decisive point",
    unit="share of the game",
    definition="When the game is decided: the first turn after which the winner's win probability stays above 1/2, as"
    " a share of all turns (0: before the first turn; 1: by the last, or never as the win is shared). `mean` and"
    " `median` of it, and the shares of games that are decided in the last year (`last_year`) and by the last turn"
    " (`last_turn`).",
    needs_judge=True,
)
def decisive_point(blocks: Blocks) -> Values:
    """Return `mean`, `median`, `last_year` and `last_turn`."""
    games = [game for game in games_of(blocks) if game.turns]
    points = [decisive_turn(game) for game in games]
    shares = [point / len(game.turns) for point, game in zip(points, games, strict=True)]
    last_years = [game.turns[-1].year for game in games]
    in_last_year = [
        point > 0 and game.turns[point - 1].year == year
        for point, game, year in zip(points, games, last_years, strict=True)
    ]
    return {
        "mean": mean(shares),
        "median": quantile(shares, 50),
        "last_year": mean(in_last_year),
        "last_turn": mean(share == 1 for share in shares),
    }


@remember
def decisive_turn(game: GameLog) -> int:
    """Return after how many turns the winner stays the clear favourite; all of them if the win is shared."""
    doubtful = np.flatnonzero(game.wins[:, int(np.argmax(game.win_shares))] <= CLEAR)
    return min(int(doubtful[-1]) + 1, len(game.turns)) if len(doubtful) else 0


@metric(
    "Uncertainty",
    unit="share of the most",
    definition="How open the game is: the mean over the positions in which a turn begins of the entropy of the win"
    " probabilities divided by ln K; 1: all have equal chances, 0: the winner is certain. `all` turns, and the last"
    " third of them (`last_third`).",
    needs_judge=True,
)
def uncertainty(blocks: Blocks) -> Values:
    """Return `all` and `last_third`."""
    return pool(blocks, _entropies_of)


@remember
def _entropies_of(game: GameLog) -> Sums:
    """Return the mean entropy of a game, and that of its last third."""
    if not game.turns:
        return {}
    row = entropies(game.wins[:-1])
    return {"all": (float(row.mean()), 1), "last_third": (float(row[-math.ceil(len(row) / 3) :].mean()), 1)}


def entropies(wins: np.ndarray) -> np.ndarray:
    """Return the entropy of each row of probabilities, as a share of the most possible.

    >>> entropies(np.array([[0.5, 0.5], [1.0, 0.0]]))
    array([1., 0.])
    """
    logs = np.log(np.where(wins > 0, wins, 1.0))
    return np.abs(-(wins * logs).sum(axis=1)) / np.log(wins.shape[1])
