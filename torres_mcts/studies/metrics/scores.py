"""Final points, and where they come from."""

from torres_mcts.studies.diary import SOURCES
from torres_mcts.studies.log import GameLog
from torres_mcts.studies.metrics.metric import (
    QUANTILES,
    YEARS,
    Blocks,
    Values,
    games_of,
    mean,
    metric,
    quantile,
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
    games = list(games_of(blocks))
    values = {}
    for year in YEARS:
        for source in SOURCES:
            values[f"year{year}_{source}"] = mean(_points_a_player(game, source, [year]) for game in games)
    for source in SOURCES:
        values[f"game_{source}"] = mean(_points_a_player(game, source, YEARS) for game in games)
    total = sum(values[f"game_{source}"] for source in SOURCES)
    for source in SOURCES:
        values[f"share_{source}"] = values[f"game_{source}"] / total if total else float("nan")
    return values


def _points_a_player(game: GameLog, source: str, years: tuple[int, ...] | list[int]) -> float:
    """Return the points that a player of a game got from a source in some years, the mean of all players."""
    place = SOURCES.index(source)
    return sum(sum(year.points[place]) for year in game.years if year.year in years) / game.players
