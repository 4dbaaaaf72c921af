"""What a metric is, and the few sums that many of them share."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import TypeVar

import numpy as np

from torres_mcts.studies.log import GameLog

Blocks = Sequence[Sequence[GameLog]]  # the games of each deal
Values = dict[str, float]  # by label; nan: cannot be told from these games
Measure = Callable[[Blocks], Values]
Sums = dict[str, tuple[float, float]]  # by label: a sum and the number of what was added up
Found = TypeVar("Found")

QUANTILES = (5, 25, 50, 75, 95)
YEARS = (1, 2, 3)


@dataclass(frozen=True)
class Metric:
    """A number, or several, that games have; intervals come from leaving out blocks in turn."""

    name: str
    title: str
    unit: str
    definition: str
    needs_judge: bool  # it goes by win probabilities
    measure: Measure
    needs_count: bool = False  # it needs games that were logged with `count_turns`


def metric(
    title: str, *, unit: str, definition: str, needs_judge: bool = False, needs_count: bool = False
) -> Callable[[Measure], Metric]:
    """Make a metric of a function, which names it; blocks with a forfeited game are left out."""

    def make(function: Measure) -> Metric:
        @wraps(function)
        def measure(blocks: Blocks) -> Values:
            return function(whole_blocks(blocks))

        return Metric(function.__name__, title, unit, definition, needs_judge, measure, needs_count)

    return make


def whole_blocks(blocks: Blocks) -> Blocks:
    """Leave out blocks with a forfeited game: without it the seats would not be played equally often."""
    return [block for block in blocks if all(game.forfeit is None for game in block)]


def games_of(blocks: Blocks) -> Iterator[GameLog]:
    """Yield the games of all blocks."""
    for block in blocks:
        yield from block


def seats_of(blocks: Blocks) -> range:
    """Return the seats of the games, none if there are no games.

    >>> seats_of([])
    range(0, 0)
    """
    return range(max((game.players for game in games_of(blocks)), default=0))


def remember(function: Callable[[GameLog], Found]) -> Callable[[GameLog], Found]:
    """Work out what a function says of a game only once: intervals ask for the same games again and again."""
    key = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def ask(game: GameLog) -> Found:
        if key not in game.__dict__:  # beside its fields, as cached properties are
            game.__dict__[key] = function(game)
        found: Found = game.__dict__[key]
        return found

    return ask


def pool(blocks: Blocks, sums: Callable[[GameLog], Sums]) -> Values:
    """Return the mean for each label over all games: sums over numbers, nan where there is nothing to add up."""
    totals: dict[str, tuple[float, float]] = {}
    for game in games_of(blocks):
        for label, (value, number) in sums(game).items():
            value_before, number_before = totals.get(label, (0.0, 0.0))
            totals[label] = value_before + value, number_before + number
    return {label: value / number if number else math.nan for label, (value, number) in totals.items()}


def sum_up(values: Iterable[float]) -> tuple[float, float]:
    """Return the sum of some values and their number.

    >>> sum_up([1, 2, 4])
    (7, 3)
    """
    found = list(values)
    return sum(found), len(found)


def mean(values: Iterable[float]) -> float:
    """Return the mean, nan of nothing.

    >>> mean([1, 2]), mean([])
    (1.5, nan)
    """
    found = list(values)
    return math.fsum(found) / len(found) if found else math.nan


def quantile(values: Iterable[float], percent: float) -> float:
    """Return what so many percent of some values are at most, nan of nothing.

    >>> quantile([1, 2, 3], 50)
    2.0
    """
    found = list(values)
    return float(np.percentile(found, percent)) if found else math.nan


def correlation(pairs: Iterable[tuple[float, float]]) -> float:
    """Return Pearson's correlation, nan where one side never changes.

    >>> round(correlation([(0, 1), (1, 3), (2, 5)]), 6), correlation([(0, 1), (0, 2)])
    (1.0, nan)
    """
    found = np.array(list(pairs), dtype=float).reshape(-1, 2)
    if not len(found) or (np.ptp(found, axis=0) == 0).any():
        return math.nan
    away = found - found.mean(axis=0)
    return float((away[:, 0] @ away[:, 1]) / np.sqrt((away**2).sum(axis=0).prod()))
