"""Outcomes of games as the statistics read them, and what a seat got out of a game."""

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from torres_mcts.core.errors import TorresError


@dataclass(frozen=True)
class Outcome:
    """Who sat where in a game, and how it ended; everything by seat."""

    block: Hashable  # games of one deal share it; the statistics take only blocks for independent
    agents: tuple[str, ...]  # an agent may sit on several seats
    scores: tuple[float, ...]  # more is better
    forfeits: frozenset[int] = frozenset()  # seats that crashed or played illegally: they rank behind all others

    def __post_init__(self) -> None:
        if len(self.agents) < 2 or len(self.agents) != len(self.scores):
            raise TorresError(
                f"block {self.block}: a game has one score for each of 2 or more agents,"
                f" not {len(self.scores)} for {len(self.agents)}"
            )
        if any(math.isnan(score) for score in self.scores):
            raise TorresError(f"block {self.block}: a score is not a number")
        if not self.forfeits <= set(range(len(self.agents))):
            raise TorresError(f"block {self.block}: forfeits are seats from 0, not {sorted(self.forfeits)}")

    @classmethod
    def from_ranks(cls, block: Hashable, agents: Sequence[str], ranks: Sequence[float]) -> "Outcome":
        """Return the outcome of a game of which only the ranks are known, 1 the best.

        >>> Outcome.from_ranks(0, ["a", "b", "c"], [2, 1, 2]).ranks
        (2, 1, 2)
        """
        return cls(block, tuple(agents), tuple(-rank for rank in ranks))

    @cached_property
    def standing(self) -> tuple[float, ...]:
        """The scores, where a forfeit is worth less than any of them."""
        return tuple(-math.inf if seat in self.forfeits else score for seat, score in enumerate(self.scores))

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """One more than the number of players ahead; players that tie share a rank."""
        standing = self.standing
        return tuple(1 + sum(other > own for other in standing) for own in standing)


def win_share(standing: Sequence[float], seat: int) -> float:
    """Return the share of the win that a seat has.

    >>> [win_share((5, 9, 9), seat) for seat in range(3)]
    [0.0, 0.5, 0.5]
    """
    best = max(standing)
    return 1 / list(standing).count(best) if standing[seat] == best else 0.0


def rank_points(standing: Sequence[float], seat: int) -> float:
    """Return 1 for the first place, 0 for the last; ties averaged.

    >>> [rank_points((5, 9, 9), seat) for seat in range(3)]
    [0.0, 0.75, 0.75]
    """
    others = [score for other, score in enumerate(standing) if other != seat]
    return sum(duel_points(standing[seat], score) for score in others) / len(others)


def duel_points(own: float, other: float) -> float:
    """Return 1 for the better of two scores, one half for a tie, 0 for the worse.

    >>> duel_points(7, 5), duel_points(5, 5)
    (1.0, 0.5)
    """
    return (own > other) + 0.5 * (own == other)


def margin(scores: Sequence[float], seat: int) -> float:
    """Return a seat's points less the best other's.

    >>> margin((5, 9, 7), 1)
    2.0
    """
    return float(scores[seat] - max(score for other, score in enumerate(scores) if other != seat))


def whole_blocks(outcomes: Iterable[Outcome], agent: str, *, games: int) -> np.ndarray:
    """Return an agent's mean rank points in blocks 0, 1, 2, ... as far as they are whole, one after the other.

    Blocks behind the first gap are left out: which blocks are there already depends on the speed of workers and on who
    wins, and early stopping may not.

    games: of a whole block

    >>> won, lost = (3, 1), (1, 3)
    >>> blocks = [Outcome(block, ("a", "b"), scores) for block, scores in [(0, won), (0, lost), (1, won), (2, won)]]
    >>> whole_blocks(blocks, "a", games=2)
    array([0.5])
    """
    found: dict[Hashable, list[list[float]]] = {}
    for outcome in outcomes:
        seats = [seat for seat, name in enumerate(outcome.agents) if name == agent]
        if seats:
            standing = outcome.standing
            found.setdefault(outcome.block, []).append([rank_points(standing, seat) for seat in seats])
    means: list[float] = []
    while len(block := found.get(len(means), [])) >= games:
        if len(block) > games:
            raise TorresError(f"block {len(means)}: has {len(block)} games of {agent!r}, not {games}")
        means.append(float(np.mean([points for game in block for points in game])))
    return np.array(means, dtype=float)
