"""Agents as text: parameters, rewards and limits are read, and what is wrong is said in one line."""

import pytest

from torres_mcts.agents.agent import read_agent
from torres_mcts.core.errors import TorresError
from torres_mcts.search.limits import Limit
from torres_mcts.search.rewards import Reward


def test_parameters_take_the_type_of_their_field() -> None:
    search = read_agent("turns:candidates=7,rollout=true,epsilon=0.25,horizon=none").engine.search  # type: ignore[attr-defined]
    assert (search.candidates, search.rollout, search.epsilon, search.horizon) == (7, True, 0.25, None)


def test_naming_one_part_of_the_reward_leaves_the_others_out() -> None:
    assert read_agent("turns:rank=1").engine.search.reward == Reward(win=0, rank=1, margin=0)  # type: ignore[attr-defined]


def test_an_own_limit_replaces_the_common_one() -> None:
    common = Limit(time=2, iterations=50)
    assert read_agent("greedy").limit(common) == common
    assert read_agent("greedy:iterations=9").limit(common) == Limit(iterations=9)
    assert read_agent("ismcts:nodes=100").limit(common) == Limit(time=2, iterations=50, nodes=100)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("greedi", "did you mean 'greedy'?"),
        ("greedy:", "nothing follows the colon"),
        ("greedy:width", "is not parameter=value"),
        ("greedy:width=a", "is not int"),
        ("greedy:widht=4", "did you mean 'width'?"),
        ("greedy:width=4,width=5", "width is given twice"),
        ("greedy:win=1", "has no parameter 'win'"),
        ("turns:rollout=7", "is not true or false"),
        ("turns:time=-1", "limit.time"),
        ("turns:win=-1", "reward.win"),
    ],
)
def test_what_is_wrong_is_said(text: str, said: str) -> None:
    with pytest.raises(TorresError) as caught:
        read_agent(text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
