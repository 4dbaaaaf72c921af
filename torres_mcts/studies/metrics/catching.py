"""Leading and catching up: what being ahead or behind after a year means for the end."""

from torres_mcts.studies.log import GameLog
from torres_mcts.studies.metrics.metric import (
    Blocks,
    Sums,
    Values,
    correlation,
    games_of,
    metric,
    pool,
    remember,
    sum_up,
)
from torres_mcts.tournaments.statistics.outcomes import win_share

DISTANCES = ((1, 9), (10, 19), (20, None))  # points behind
LOOKED_AT = (1, 2)  # years after which the game goes on


def scores_after(game: GameLog, year: int) -> tuple[int, ...]:
    """Return the points after a year."""
    return next(one.scores for one in game.years if one.year == year)


@metric(
    "Comeback",
    unit="share of wins",
    definition="How often a player wins who was behind the leader by 1-9, 10-19, or 20 and more points after year 1,"
    " and after year 2.",
)
def comeback(blocks: Blocks) -> Values:
    """Return `year1_behind_1_9`, `year1_behind_10_19`, `year1_behind_20`, `year2_behind_1_9`, ..."""
    return pool(blocks, _comebacks_of)


@remember
def _comebacks_of(game: GameLog) -> Sums:
    sums = {}
    for year in LOOKED_AT:
        scores = scores_after(game, year)
        rows = [(max(scores) - points, won) for points, won in zip(scores, game.win_shares, strict=True)]
        for low, high in DISTANCES:
            name = f"year{year}_behind_{low}" + ("" if high is None else f"_{high}")
            sums[name] = sum_up(won for behind, won in rows if low <= behind and (high is None or behind <= high))
    return sums


@metric(
    "Runaway",
    unit="correlation, share of wins",
    definition="How much leading after a year decides: the correlation over players of leading after year k (a shared"
    " lead counts in parts) with winning (`year1_correlation`: 0 if the leader wins no more often than others, 1 if"
    " always), and how often the leader wins (`year1_leader`).",
)
def runaway(blocks: Blocks) -> Values:
    """Return `year1_correlation`, `year1_leader`, `year2_correlation`, `year2_leader`."""
    values = {}
    for year in LOOKED_AT:
        pairs = [pair for game in games_of(blocks) for pair in _leads_of(game)[year]]
        leads = sum(lead for lead, _ in pairs)
        values[f"year{year}_correlation"] = correlation(pairs)
        values[f"year{year}_leader"] = sum(lead * won for lead, won in pairs) / leads if leads else float("nan")
    return values


@remember
def _leads_of(game: GameLog) -> dict[int, list[tuple[float, float]]]:
    """Return the share of the lead after each year, and the share of the win in the end, of each player."""
    after = {year: scores_after(game, year) for year in LOOKED_AT}
    return {
        year: [(win_share(scores, seat), won) for seat, won in enumerate(game.win_shares)]
        for year, scores in after.items()
    }


@metric(
    "Catch-up",
    unit="correlation",
    definition="Whether those behind gain on the others: the correlation over players of the points after year k,"
    " less the mean of the table, with the points won after it, less the mean of the table. Below 0 those behind"
    " catch up, above 0 the gap grows.",
)
def catch_up(blocks: Blocks) -> Values:
    """Return `year1` and `year2`."""
    return {
        f"year{year}": correlation(pair for game in games_of(blocks) for pair in _gains_of(game)[year])
        for year in LOOKED_AT
    }


@remember
def _gains_of(game: GameLog) -> dict[int, list[tuple[float, float]]]:
    """Return the points of each player up to a year and after it, both against the mean of the table."""
    found = {}
    for year in LOOKED_AT:
        before = scores_after(game, year)
        after = [final - points for final, points in zip(game.scores, before, strict=True)]
        middle, middle_after = sum(before) / game.players, sum(after) / game.players
        found[year] = [(one - middle, other - middle_after) for one, other in zip(before, after, strict=True)]
    return found
