"""The king: who gets the bonus, and whether it helps those behind."""

from itertools import pairwise

from torres_mcts.studies.diary import SOURCES
from torres_mcts.studies.log import GameLog
from torres_mcts.studies.metrics.metric import YEARS, Blocks, Sums, Values, metric, pool, remember, seats_of, sum_up

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
    values, last = pool(blocks, _bonuses_of), len(seats_of(blocks))
    points = [values.pop(f"points{place + 1}") for place in seats_of(blocks)]
    if last:
        values["last_less_first"] = values[f"place{last}"] - values["place1"]
        values["points_last_less_first"] = points[-1] - points[0]
    return values


@remember
def _bonuses_of(game: GameLog) -> Sums:
    """Count the king's bonuses by year and place, and the points for them by place."""
    sums = {
        f"year{number}": sum_up(
            points > 0 for year in game.years if year.year == number for points in year.points[KING]
        )
        for number in YEARS
    }
    places: dict[int, list[int]] = {place: [] for place in range(1, game.players + 1)}
    for before, year in pairwise(game.years):
        for seat, points in enumerate(year.points[KING]):
            places[rank_of(before.scores, seat)].append(points)
    for place, bonuses in places.items():
        sums[f"place{place}"] = sum_up(points > 0 for points in bonuses)
        sums[f"points{place}"] = sum_up(bonuses)
    sums["moved"] = sum_up(bool(year.moved) for year in game.years if year.mover is not None)
    return sums
