"""Rewards against their definition in plain Python."""

import math
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.small_games.nim import new_nim
from torres_mcts.core.errors import TorresError
from torres_mcts.search.rewards import NOT_PARANOID, Reward, make_paranoid, reward_of, write_rewards

pytestmark = pytest.mark.kernel

score_lists = st.lists(st.integers(-3, 6), min_size=2, max_size=4)  # few values, so that ties are frequent


@numba.njit
def reward_all(scores: Any, weights: Any, rewards: Any) -> None:
    """Call reward_of for every player."""
    for player in range(scores.size):
        rewards[player] = reward_of(scores, weights, player, scores.size)


@numba.njit
def turn_paranoid(rewards: Any, player: Any) -> None:
    """Call make_paranoid."""
    make_paranoid(rewards, player, rewards.size)


@numba.njit
def reward_state(states: Any, weights: Any, scores: Any, rewards: Any) -> None:
    """Call write_rewards."""
    write_rewards(states[0], weights, scores, rewards)


def rewards_of(scores: list[int], reward: Reward) -> list[float]:
    """Return what the kernel makes of some scores."""
    rewards = np.zeros(len(scores))
    reward_all(np.array(scores, np.float64), reward.weights(), rewards)
    return rewards.tolist()


def plain_rank(scores: list[int], player: int) -> float:
    """Return the mean rank of all who have a player's score."""
    ranks = [rank for rank, score in enumerate(sorted(scores, reverse=True), 1) if score == scores[player]]
    return sum(ranks) / len(ranks)


@given(score_lists)
def test_a_win_is_shared_by_those_who_tie_for_it(scores: list[int]) -> None:
    winners = scores.count(max(scores))
    expected = [1 / winners if score == max(scores) else 0 for score in scores]
    assert rewards_of(scores, Reward()) == pytest.approx(expected)


@given(score_lists)
def test_the_rank_goes_from_1_for_the_first_to_0_for_the_last_and_ties_are_averaged(scores: list[int]) -> None:
    players = len(scores)
    expected = [(players - plain_rank(scores, player)) / (players - 1) for player in range(players)]
    assert rewards_of(scores, Reward(win=0, rank=2)) == pytest.approx(expected)


@given(score_lists)
def test_the_margin_is_the_logistic_of_the_lead_over_the_best_other(scores: list[int]) -> None:
    leads = [score - max(scores[:player] + scores[player + 1 :]) for player, score in enumerate(scores)]
    expected = [1 / (1 + math.exp(-lead / 5)) for lead in leads]
    assert rewards_of(scores, Reward(win=0, margin=1, margin_scale=5)) == pytest.approx(expected)


@given(score_lists)
def test_a_mixture_lies_between_0_and_1_and_is_weighted(scores: list[int]) -> None:
    parts = [Reward(), Reward(win=0, rank=1), Reward(win=0, margin=1)]
    win, rank, margin = (np.array(rewards_of(scores, part)) for part in parts)
    mixed = rewards_of(scores, Reward(win=5, rank=3, margin=2))
    assert mixed == pytest.approx((0.5 * win + 0.3 * rank + 0.2 * margin).tolist())
    assert all(0 <= reward <= 1 for reward in mixed)


def test_alone_at_the_table_only_the_points_matter() -> None:
    assert rewards_of([0], Reward(win=0, margin=1)) == [0.5]
    assert rewards_of([7], Reward()) == [1.0]


def test_paranoid_opponents_get_what_the_root_player_lacks() -> None:
    rewards = np.array([0.5, 0.2, 0.3])
    turn_paranoid(rewards, 1)
    assert rewards.tolist() == [0.8, 0.2, 0.8]
    turn_paranoid(rewards, NOT_PARANOID)
    assert rewards.tolist() == [0.8, 0.2, 0.8]


@pytest.mark.parametrize(("heaps", "scores", "rewards"), [([0], [0, 1], [0, 1]), ([2], [0.5, 0.5], [0.5, 0.5])])
def test_a_finished_game_counts_its_points_and_another_what_may_be_expected(
    heaps: list[int], scores: list[float], rewards: list[float]
) -> None:
    found = np.zeros((2, 2))
    reward_state(new_nim(heaps), Reward().weights(), found[0], found[1])
    assert found.tolist() == [scores, rewards]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"win": 0}, "reward: one of win, rank and margin must be above 0"),
        ({"rank": -1}, "reward.rank: expected a number of at least 0, not -1"),
        ({"margin": math.nan}, "reward.margin: expected a number of at least 0, not nan"),
        ({"margin_scale": 0}, "reward.margin_scale: must be above 0"),
        ({"win": "1"}, "reward.win: expected a number of at least 0, not '1'"),
        ({"win": True}, "reward.win: expected a number of at least 0, not true"),
    ],
)
def test_a_reward_that_means_nothing_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(TorresError) as error:
        Reward(**given)
    assert str(error.value) == message
