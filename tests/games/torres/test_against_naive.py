"""The kernels against the rules in plain Python, move by move, under random rules and from extreme positions."""

from random import Random
from typing import Any

import pytest

from tests.naive import torres as naive
from tests.strategies import HEIGHT_SIGNS, SQUARES, choose, doctored, random_rules
from torres_mcts import Position

pytestmark = pytest.mark.kernel

PRESETS = ["2017", "2017-common", "2017-master", "1999", "1999-own", "1999-master", "no-cards"]
TOUCHING = ["a1", "a2", "b2", "d1", "d2", "f1", "h1", "h2", "h8", "g8", "a8"]


def compare(random: Random, position: Position, actions: int) -> Position:
    """Play random actions, comparing legal actions and results with the oracle; return the last position."""
    expected = position.to_dict()
    for _ in range(actions):
        legal = naive.legal_actions(expected)
        assert position.legal_actions() == legal
        if not legal:
            break
        action = choose(random, legal)
        expected = naive.apply(expected, action)
        position = position.play(action)
        assert position.to_dict() == expected, action
    return position


def compare_game(seed: int, **fixed: Any) -> Position:
    """Compare a whole random game."""
    random = Random(seed)
    return compare(random, Position.new(random_rules(random, **fixed), seed=seed), 10_000)


def compare_plain_game(seed: int, preset: str, **overrides: Any) -> Position:
    """Compare a whole random game of a preset with nothing but the given overrides changed."""
    from torres_mcts import Rules

    return compare(Random(seed), Position.new(Rules.preset(preset, **overrides), seed=seed), 10_000)
