"""What ratings say together: pairs that can be told apart, the way they settled, what a doubling brings, points."""

import math
from itertools import pairwise

import numpy as np
import pytest

from tests.tournaments.synthetic import draw_blocks
from torres_mcts.search.limits import Limit
from torres_mcts.tournaments.spec import Entrant
from torres_mcts.tournaments.statistics.budgets import Family, find_families
from torres_mcts.tournaments.statistics.comparisons import holm_rejections, told_apart
from torres_mcts.tournaments.statistics.convergence import follow_ratings, step_sizes
from torres_mcts.tournaments.statistics.outcomes import Outcome
from torres_mcts.tournaments.statistics.ratings import ELO, rate
from torres_mcts.tournaments.statistics.scores import score_table

COMMON = Limit(iterations=100)


def family_of(*texts: str, common: Limit = COMMON) -> list[Family]:
    return find_families([Entrant.read(f"a{number}", text) for number, text in enumerate(texts)], common)


def test_an_agent_that_can_no_longer_be_read_has_no_family() -> None:
    gone = Entrant("gone", "nowhere.py:Mine:iterations=50", "0")
    assert find_families([gone, Entrant.read("plain", "ismcts")], COMMON) == []


def test_holm_stops_at_the_first_that_is_not_small_enough() -> None:
    assert holm_rejections(np.array([0.001, 0.03, 0.04, 0.004])).tolist() == [True, False, False, True]
    assert holm_rejections(np.array([0.2, 0.0001])).tolist() == [False, True]


def test_equal_agents_are_seldom_told_apart_however_many_pairs_there_are() -> None:
    luck, runs = np.random.default_rng(8), 100
    wrong = sum(
        told_apart(rate(draw_blocks(luck, np.zeros(5), np.zeros(2), blocks=60, shared=0.3))).any() for _ in range(runs)
    )
    assert wrong / runs <= 0.12  # 5 % and room for chance and for the approximation


def test_agents_of_different_strength_are_told_apart_both_ways() -> None:
    ratings = rate(draw_blocks(np.random.default_rng(1), np.array([1.0, 1.0, -1.0]), np.zeros(3), blocks=150))
    differs = told_apart(ratings)
    last = ratings.agents.index("c")
    assert last == 2
    assert differs[0, 2]
    assert differs[2, 1]
    assert not differs[0, 1]
    assert not differs.diagonal().any()


def test_one_block_tells_nothing_apart() -> None:
    games = draw_blocks(np.random.default_rng(1), np.array([3.0, 0.0, -3.0]), np.zeros(3), blocks=1)
    assert not told_apart(rate(games)).any()


def test_ratings_are_followed_over_whole_blocks_to_the_last() -> None:
    games = draw_blocks(np.random.default_rng(2), np.array([0.5, 0.0, -0.5]), np.zeros(3), blocks=40)
    steps = follow_ratings(games, anchor="c")
    assert [steps[0].blocks, steps[-1].blocks] == [2, 40]
    early = rate([game for game in games if game.block in range(steps[5].blocks)], anchor="c")
    assert steps[5].ratings.ratings == early.ratings
    assert steps[-1].ratings.ratings == rate(games, anchor="c").ratings


def test_numbers_of_blocks_before_all_have_met_are_left_out() -> None:
    games = [Outcome(deal, ("a", "b"), (deal % 2, 1)) for deal in range(6)]
    games += [Outcome(deal, ("b", "c"), (deal % 2, 1)) for deal in range(4, 6)]
    assert [step.blocks for step in follow_ratings(games)] == [5, 6]
    assert follow_ratings(games[:1]) == []


def test_sizes_grow_by_a_factor() -> None:
    sizes = step_sizes(1000, 10)
    assert sizes[-1] == 1000
    assert len(sizes) == 10
    assert max(later / early for early, later in pairwise(sizes)) < 2.6


def test_a_family_differs_in_its_budget_alone() -> None:
    texts = ["ismcts:iterations=200", "ismcts", "ismcts:iterations=50,exploration=0.3", "greedy", "ismcts:time=1"]
    assert [family.budgets for family in family_of(*texts)] == [{"a1": 100, "a0": 200}]
    assert family_of("ismcts", "ismcts:iterations=100") == []
    times = family_of("turns:time=0.5", "turns:time=2", "turns:time=1")
    assert [(family.engine, family.unit, list(family.budgets)) for family in times] == [
        ("turns", "seconds", ["a0", "a2", "a1"])
    ]


def test_with_two_limits_at_once_no_family_is_claimed() -> None:
    assert family_of("ismcts:iterations=50,time=1", "ismcts:iterations=100,time=1") == []
    assert family_of("ismcts:iterations=50", "ismcts", common=Limit(iterations=100, time=1.0)) == []


def test_the_gain_of_a_doubling_is_recovered_with_an_interval_that_is_shorter_than_that_of_the_ends() -> None:
    gain = 0.3
    games = draw_blocks(np.random.default_rng(5), gain * np.arange(5), np.zeros(2), blocks=800)
    ratings = rate(games)
    family = Family("x", "iterations", {name: 50 * 2**number for number, name in enumerate("abcde")})
    found = family.doubling_gain(ratings)
    assert found.low < ELO * gain < found.high
    assert found.se < ratings.difference("e", "a").se / 4
    two = Family("x", "iterations", {"a": 50, "e": 800}).doubling_gain(ratings)
    assert two.mean == pytest.approx(ratings.difference("e", "a").mean / 4)
    assert two.se == pytest.approx(ratings.difference("e", "a").se / 4)


def test_points_leave_out_forfeits_and_have_blocks_as_their_unit() -> None:
    games = [Outcome(deal, ("a", "b"), (100 + deal, 50)) for deal in range(4) for _ in range(3)]
    table = score_table([*games, Outcome(9, ("a", "b"), (7, 1), frozenset({0}))])
    assert [(scores.agent, len(scores.values), scores.mean.mean) for scores in table] == [
        ("a", 12, 101.5),
        ("b", 12, 50),
    ]
    assert table[0].mean.se == pytest.approx(np.std([0, 1, 2, 3], ddof=1) / 2)
    assert table[0].quantiles[2] == 101.5
    assert math.isfinite(table[1].density(np.array([50.0]))[0])
    assert score_table([Outcome(9, ("a", "b"), (7, 1), frozenset({0}))]) == []
