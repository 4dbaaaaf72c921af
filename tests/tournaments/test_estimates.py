"""Outcomes of games, and means over blocks whose intervals keep their promise."""

import math

import numpy as np
import pytest

from torres_mcts.core.errors import TorresError
from torres_mcts.tournaments.statistics.estimates import estimate_mean, estimate_share, share_reaches
from torres_mcts.tournaments.statistics.outcomes import Outcome, margin, rank_points, whole_blocks, win_share


def test_shares_of_a_game() -> None:
    assert [win_share((5, 9, 9), seat) for seat in range(3)] == [0, 0.5, 0.5]
    assert [rank_points((5, 9, 9), seat) for seat in range(3)] == [0, 0.75, 0.75]
    assert [margin((5, 9, 7), seat) for seat in range(3)] == [-4, 2, -2]


def test_a_forfeit_ranks_behind_the_lowest_score() -> None:
    game = Outcome(0, ("a", "b", "c", "d"), (90, 10, 80, 20), forfeits=frozenset({0, 2}))
    assert game.ranks == (3, 2, 3, 1)
    assert [win_share(game.standing, seat) for seat in range(4)] == [0, 0, 0, 1]
    assert [rank_points(game.standing, seat) for seat in range(4)] == [1 / 6, 2 / 3, 1 / 6, 1]


def test_ranks_say_the_same_as_scores() -> None:
    scored = Outcome(0, ("a", "b", "c", "d"), (7, 9, 7, 3))
    assert scored.ranks == (2, 1, 2, 4)
    assert Outcome.from_ranks(0, scored.agents, scored.ranks).ranks == scored.ranks


@pytest.mark.parametrize(
    ("agents", "scores", "forfeits", "problem"),
    [
        (("a",), (1,), (), "2 or more agents"),
        (("a", "b"), (1,), (), "not 1 for 2"),
        (("a", "b"), (1, math.nan), (), "not a number"),
        (("a", "b"), (1, 2), (2,), "seats from 0"),
    ],
)
def test_an_impossible_outcome_is_refused(
    agents: tuple[str, ...], scores: tuple[float, ...], forfeits: tuple[int, ...], problem: str
) -> None:
    with pytest.raises(TorresError, match=problem):
        Outcome(7, agents, scores, frozenset(forfeits))


def test_only_whole_blocks_before_the_first_gap_are_judged() -> None:
    won, lost = (2.0, 1.0), (1.0, 2.0)
    played = {0: [won, won], 1: [won, lost], 2: [won], 3: [won, won]}
    outcomes = [Outcome(block, ("a", "b"), scores) for block, games in played.items() for scores in games]
    assert whole_blocks(outcomes, "a", games=2).tolist() == [1, 0.5]
    assert whole_blocks(reversed(outcomes), "b", games=2).tolist() == [0, 0.5]
    assert whole_blocks(outcomes, "nobody", games=2).tolist() == []
    with pytest.raises(TorresError, match="block 0: has 2 games of 'a', not 1"):
        whole_blocks(outcomes, "a", games=1)


def test_an_agent_against_itself_has_half_the_points_in_each_block() -> None:
    outcomes = [Outcome(0, ("a", "a", "a"), (5, 3, 8)), Outcome(0, ("a", "a", "a"), (1, 1, 0))]
    assert whole_blocks(outcomes, "a", games=2) == pytest.approx([0.5])


def test_a_clean_sweep_is_not_certain() -> None:
    share = estimate_share(np.ones(10))
    assert share.mean == 1
    assert 0.6 < share.low < 1
    assert share.high == 1


def test_intervals_of_shares_cover() -> None:
    luck = np.random.default_rng(1)
    for chance in (0.5, 0.9):
        blocks = luck.binomial(2, chance, size=(2000, 15)) / 2
        covered = [(share := estimate_share(block)).low <= chance <= share.high for block in blocks]
        assert 0.93 < np.mean(covered) < 0.995


def test_intervals_of_shares_cover_with_blocks_of_different_size() -> None:
    """Big blocks are where this agent does worse: a mean of block means would be wrong."""
    luck = np.random.default_rng(2)
    covered, covered_unweighted = [], []
    for _ in range(1000):
        sizes = luck.choice([2, 12], size=60)
        blocks = luck.binomial(sizes, np.where(sizes == 2, 0.7, 0.5)) / sizes
        chance = (2 * 0.7 + 12 * 0.5) / 14
        share, unweighted = estimate_share(blocks, sizes.astype(float)), estimate_share(blocks)
        covered.append(share.low <= chance <= share.high)
        covered_unweighted.append(unweighted.low <= chance <= unweighted.high)
    assert 0.93 < np.mean(covered) < 0.975
    assert np.mean(covered_unweighted) < 0.7


def test_reaches_after_each_block_are_those_of_the_interval() -> None:
    blocks = np.random.default_rng(3).choice([0.25, 0.5, 0.75], size=40)
    for count, reach in enumerate(share_reaches(blocks), start=1):
        share = estimate_share(blocks[:count])
        assert min(share.high - share.low, 1) <= 2 * reach + 1e-12
        if share.low > 0 and share.high < 1 and count > 5:
            assert share.high - share.low == pytest.approx(2 * reach)


def test_one_block_says_nothing_about_the_margin() -> None:
    alone = estimate_mean(np.array([3.0]))
    assert (alone.mean, alone.se, alone.low, alone.high) == (3, math.inf, -math.inf, math.inf)
