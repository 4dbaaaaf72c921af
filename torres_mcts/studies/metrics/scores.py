"""Final points, and where they come from."""

import math

from torres_mcts.studies.diary import SOURCES
from torres_mcts.studies.log import GameLog
from torres_mcts.studies.metrics.metric import (
    QUANTILES,
    YEARS,
    Blocks,
    Sums,
    Values,
    games_of,
    mean,
    metric,
    pool,
    quantile,
    remember,
    seats_of,
)


@metric(
    "Final points",
    unit="points",
    definition="Mean and 5, 25, 50, 75, 95 % quantiles of the final points of all players, of each seat and of each"
    " place, and of the margin from the first to the second place.",
)
def scores(blocks: Blocks) -> Values:
    """Return `all_mean`, `all_q05`, ..., `seat1_mean`, ..., `place1_mean`, ..., `margin_mean`, ..."""
    games = list(games_of(blocks))
    ordered = [sorted(game.scores, reverse=True) for game in games]
    groups = {"all": [points for row in ordered for points in row]}
    for seat in seats_of(blocks):
        groups[f"seat{seat + 1}"] = [game.scores[seat] for game in games]
    for place in seats_of(blocks):
        groups[f"place{place + 1}"] = [row[place] for row in ordered]
    groups["margin"] = [row[0] - row[1] for row in ordered]
    values = {}
    for name, points in groups.items():
        values[f"{name}_mean"] = mean(points)
        values |= {f"{name}_q{percent:02d}": quantile(points, percent) for percent in QUANTILES}
    return values


@metric(
    "Sources of points",
    unit="points",
    definition="Mean points of a player from castles, the king, the master card, scoring with AP, and occupied spaces"
    " skipped on the score track: in each year and in the whole game; and the share of each source in all points.",
)
def sources(blocks: Blocks) -> Values:
    """Return `year1_castles`, ..., `game_castles`, ..., `share_castles`, ..."""
    values = pool(blocks, _points_of)
    total = sum(values.get(f"game_{source}", 0.0) for source in SOURCES)
    shares = {f"share_{source}": values[f"game_{source}"] / total if total else math.nan for source in SOURCES}
    return {**values, **shares}


@remember
def _points_of(game: GameLog) -> Sums:
    """Add up the points of all players by year and source."""
    sums: Sums = {}
    for year in YEARS:
        for place, source in enumerate(SOURCES):
            points = sum(sum(one.points[place]) for one in game.years if one.year == year)
            sums[f"year{year}_{source}"] = points, game.players
    for source in SOURCES:
        sums[f"game_{source}"] = sum(sums[f"year{year}_{source}"][0] for year in YEARS), game.players
    return sums
