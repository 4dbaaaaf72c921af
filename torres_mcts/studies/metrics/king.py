"""The king: who gets the bonus, and whether it helps those behind."""

from itertools import pairwise

from torres_mcts.studies.diary import SOURCES
from torres_mcts.studies.metrics.metric import YEARS, Blocks, Values, games_of, mean, metric, seats_of

KING = SOURCES.index("king")


def rank_of(scores: tuple[int, ...], seat: int) -> int:
    """Return one more than the number of players ahead.

    >>> [rank_of((5, 9, 5), seat) for seat in range(3)]
    [2, 1, 2]
    """
    return 1 + sum(other > scores[seat] for other in scores)


@metric(
    "King",
    unit="share, points",
    definition="How often a player gets the king's bonus: in each year (`year1`); in years 2 and 3 by the place after"
    " the year before (`place1`: the leader); the share of the last place less that of the first (`last_less_first`:"
    " above 0 the king helps those behind); the same in points (`points_last_less_first`); and how often the king is"
    " moved between years (`moved`). Players that tie share the better place.",
)
def king(blocks: Blocks) -> Values:
    """Return `year1`, ..., `place1`, ..., `last_less_first`, `points_last_less_first`, `moved`."""
    years = {f"year{number}": mean(points > 0 for points in _bonuses(blocks, number)) for number in YEARS}
    places: dict[int, list[int]] = {place + 1: [] for place in seats_of(blocks)}
    for game in games_of(blocks):
        for before, year in pairwise(game.years):
            for seat, points in enumerate(year.points[KING]):
                places[rank_of(before.scores, seat)].append(points)
    shares = {place: mean(points > 0 for points in found) for place, found in places.items()}
    last = len(shares)
    return {
        **years,
        **{f"place{place}": share for place, share in shares.items()},
        "last_less_first": shares[last] - shares[1] if last else float("nan"),
        "points_last_less_first": mean(places[last]) - mean(places[1]) if last else float("nan"),
        "moved": mean(bool(year.moved) for game in games_of(blocks) for year in game.years if year.mover is not None),
    }


def _bonuses(blocks: Blocks, number: int) -> list[int]:
    """List what each player got for the king in a year."""
    years = [year for game in games_of(blocks) for year in game.years if year.year == number]
    return [points for year in years for points in year.points[KING]]
