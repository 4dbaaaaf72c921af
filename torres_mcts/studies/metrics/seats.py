"""Seats and agents: who gets what share of the win."""

from torres_mcts.studies.log import GameLog
from torres_mcts.studies.metrics.metric import Blocks, Values, games_of, mean, metric, seats_of, whole_blocks
from torres_mcts.tournaments.statistics.tables import SeatTable, seat_table


@metric(
    "Seat advantage",
    unit="share",
    definition="Mean rank points (1 first, 0 last, ties averaged) and share of wins of each seat. Equal seats have"
    " rank points 1/2 and wins 1/K.",
)
def seats(blocks: Blocks) -> Values:
    """Return `seat1_points`, `seat1_wins`, `seat2_points`, ..."""
    values = {}
    for seat in seats_of(blocks):
        values[f"seat{seat + 1}_points"] = mean(game.utilities[seat] for game in games_of(blocks))
        values[f"seat{seat + 1}_wins"] = mean(game.win_shares[seat] for game in games_of(blocks))
    return values


@metric(
    "Utility of agents",
    unit="rank points",
    definition="Mean rank points of each agent over all its seats.",
)
def agents(blocks: Blocks) -> Values:
    """Return a value for each agent, by its text."""
    names = sorted({agent for game in games_of(blocks) for agent in game.agents})
    return {name: mean(u for game in games_of(blocks) for u in _utilities_of(game, name)) for name in names}


def _utilities_of(game: GameLog, agent: str) -> list[float]:
    return [utility for utility, name in zip(game.utilities, game.agents, strict=True) if name == agent]


def compare_seats(blocks: Blocks) -> SeatTable:
    """Return the seats with a joint test that all of them are equal (`rank_points.p_value`, `wins.p_value`)."""
    blocks = whole_blocks(blocks)
    return seat_table((game.outcome for game in games_of(blocks)), len(seats_of(blocks)))
