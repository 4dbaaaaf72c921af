"""Cross tables and seat tables: counted right, with the block as unit, and a test of seats that holds its level."""

import numpy as np
import pytest

from tests.tournaments.synthetic import draw_blocks, separate_games
from torres_mcts.core.errors import TorresError
from torres_mcts.tournaments.statistics.outcomes import Outcome
from torres_mcts.tournaments.statistics.ratings import ELO, points_of_elo
from torres_mcts.tournaments.statistics.tables import cross_table, equality_test, seat_table


def test_a_cross_table_counts_who_was_ahead() -> None:
    games = [
        Outcome(0, ("a", "b", "c"), (9, 5, 5)),
        Outcome(0, ("c", "a", "b"), (7, 8, 1)),
        Outcome(1, ("b", "a"), (4, 4)),
        Outcome(2, ("b", "a"), (4, 9), frozenset({1})),
    ]
    table = cross_table(games)
    assert set(table) == {("a", "b"), ("b", "a"), ("a", "c"), ("c", "a"), ("b", "c"), ("c", "b")}
    assert table["a", "b"].share.mean == pytest.approx((1 + 1 + 0.5 + 0) / 4)
    assert (table["a", "b"].games, table["a", "b"].blocks) == (4, 3)
    assert table["c", "b"].share.mean == pytest.approx((0.5 + 1) / 2)
    assert (table["a", "c"].games, table["a", "c"].blocks) == (2, 1)
    assert table["b", "a"].share.low == pytest.approx(1 - table["a", "b"].share.high)


def test_several_seats_of_an_agent_count_as_one_game() -> None:
    table = cross_table([Outcome(0, ("a", "b", "b", "b"), (5, 9, 3, 1)), Outcome(1, ("a", "a"), (1, 2))])
    assert table["a", "b"].share.mean == pytest.approx(2 / 3)
    assert table["a", "b"].games == 1
    assert ("a", "a") not in table


def test_cross_intervals_cover_by_blocks_and_not_by_games() -> None:
    luck, truth, runs = np.random.default_rng(1), points_of_elo(0.6 * ELO), 300
    by_blocks, by_games = 0, 0
    for _ in range(runs):
        games = draw_blocks(luck, np.array([0.4, -0.2, 0.0, 0.0]), np.zeros(4), blocks=30, shared=0.8)
        share = cross_table(games)["a", "b"].share
        by_blocks += share.low <= truth <= share.high
        share = cross_table(separate_games(games))["a", "b"].share
        by_games += share.low <= truth <= share.high
    assert 0.92 < by_blocks / runs < 0.98
    assert by_games / runs < 0.88


def test_a_seat_table_counts_wins_and_ranks() -> None:
    games = [
        Outcome(0, ("a", "b", "c"), (9, 5, 9)),
        Outcome(0, ("b", "c", "a"), (1, 2, 3)),
        Outcome(1, ("a", "b"), (1, 2)),
    ]
    table = seat_table(games, players=3)
    assert (table.players, table.games, table.blocks, table.is_balanced) == (3, 2, 1, False)
    assert [seat.mean for seat in table.wins.seats] == pytest.approx([0.25, 0, 0.75])
    assert [seat.mean for seat in table.rank_points.seats] == pytest.approx([0.375, 0.25, 0.875])
    assert (table.wins.fair, table.rank_points.fair) == (pytest.approx(1 / 3), 0.5)
    assert table.wins.p_value == 1  # one block says nothing
    with pytest.raises(TorresError, match="no games of 4 players"):
        seat_table(games, players=4)


def test_a_better_seat_is_found_though_agents_differ_more() -> None:
    luck = np.random.default_rng(2)
    games = draw_blocks(luck, np.array([1.5, 0.0, -1.5]), np.array([0.4, 0.0, -0.4]), blocks=200)
    table = seat_table(games, players=3)
    assert table.is_balanced
    assert table.wins.p_value < 1e-4
    assert table.rank_points.p_value < 1e-4
    assert table.wins.seats[0].low > 1 / 3 > table.wins.seats[2].high


def test_a_seat_that_always_wins_is_found() -> None:
    table = seat_table([Outcome(deal, ("a", "a", "a", "a"), (9, 1, 1, 1)) for deal in range(20)], players=4)
    assert table.wins.p_value < 1e-6
    assert table.wins.seats[0].mean == 1


@pytest.mark.parametrize(("seats", "blocks"), [(2, 20), (4, 20), (4, 80)])
def test_equal_seats_are_called_unequal_one_time_in_twenty(seats: int, blocks: int) -> None:
    """The games of a block come in pairs that end alike: taken one by one they would raise many false alarms."""
    luck, runs = np.random.default_rng(seats + blocks), 1500
    winners = np.eye(seats)[luck.integers(seats, size=(runs, blocks, 2))]
    alarms = np.mean([equality_test(pairs.mean(axis=1), np.full(blocks, 4.0), 1 / seats) < 0.05 for pairs in winners])
    by_games = [np.repeat(pairs.reshape(-1, seats), 2, axis=0) for pairs in winners]
    false_alarms = np.mean([equality_test(games, np.ones(len(games)), 1 / seats) < 0.05 for games in by_games])
    assert 0.02 < alarms < 0.065
    assert false_alarms > 0.12


def test_which_seat_is_called_first_does_not_matter_to_the_test() -> None:
    means = np.random.default_rng(3).dirichlet([1, 2, 2, 1], size=30)
    sizes = np.random.default_rng(4).integers(1, 5, size=30).astype(float)
    expected = equality_test(means, sizes, 0.25)
    for shift in range(1, 4):
        assert equality_test(np.roll(means, shift, axis=1), sizes, 0.25) == pytest.approx(expected)
