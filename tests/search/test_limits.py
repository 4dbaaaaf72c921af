"""Limits and engines that make no sense are refused with one clear line."""

import math
from typing import Any

import pytest

from torres_mcts.core.errors import TorresError
from torres_mcts.search.limits import Limit
from torres_mcts.search.trees.run import TreeEngine


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "limit: give a time or a number of iterations"),
        (
            {"confidence": 0.9},
            "limit: give a time or a number of iterations; confidence alone may never be reached",
        ),
        ({"time": 0}, "limit.time: expected seconds above 0, not 0"),
        ({"time": -1.5}, "limit.time: expected seconds above 0, not -1.5"),
        ({"time": math.inf}, "limit.time: expected seconds above 0, not inf"),
        ({"time": "10"}, "limit.time: expected seconds above 0, not '10'"),
        ({"iterations": 0}, "limit.iterations: expected a whole number of at least 1, not 0"),
        ({"iterations": 10.0}, "limit.iterations: expected a whole number of at least 1, not 10.0"),
        ({"iterations": True}, "limit.iterations: expected a whole number of at least 1, not true"),
        ({"time": 1, "confidence": 1}, "limit.confidence: expected a number between 0.5 and 1, not 1"),
        ({"time": 1, "confidence": 0.5}, "limit.confidence: expected a number between 0.5 and 1, not 0.5"),
        ({"time": 1, "nodes": 0}, "limit.nodes: expected a whole number of at least 1, not 0"),
    ],
)
def test_a_limit_that_makes_no_sense_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(TorresError) as error:
        Limit(**given)
    assert str(error.value) == message


def test_limits_may_be_combined() -> None:
    limit = Limit(time=1.5, iterations=100, confidence=0.95, nodes=1000)
    assert (limit.time, limit.iterations, limit.confidence, limit.nodes) == (1.5, 100, 0.95, 1000)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"name": "so-ismct"},
            "engine.name: 'so-ismct' is not one of cheat, uct, pimc, so-ismcts, mo-ismcts; did you mean 'so-ismcts'?",
        ),
        ({"backup": "minimax"}, "engine.backup: 'minimax' is not one of maxn, paranoid"),
        ({"reward": 1}, "engine.reward: expected a Reward, not 1"),
        ({"exploration": -1}, "engine.exploration: expected a number of at least 0, not -1"),
        ({"epsilon": 1.5}, "engine.epsilon: expected a number from 0 to 1, not 1.5"),
        ({"horizon": -1}, "engine.horizon: expected a whole number of at least 0, not -1"),
        ({"trees": 0}, "engine.trees: expected a whole number of at least 1, not 0"),
        ({"world_iterations": 0}, "engine.world_iterations: expected a whole number of at least 1, not 0"),
    ],
)
def test_an_engine_that_makes_no_sense_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(TorresError) as error:
        TreeEngine(**given)
    assert str(error.value) == message
