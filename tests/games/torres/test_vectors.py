"""Every conformance vector: positions, whole games and counts made by two independent implementations."""

from typing import Any

import numpy as np
import pytest

from tests.strategies import read_vectors
from torres_mcts import Position
from torres_mcts.core.menu import new_menus
from torres_mcts.games.torres import calls
from torres_mcts.games.torres.position import ACTION_LIMIT

pytestmark = pytest.mark.kernel

POSITIONS = read_vectors("positions.jsonl")
GAMES = read_vectors("games.jsonl")
PERFT = read_vectors("perft.jsonl")


def by_id(vectors: list[dict[str, Any]]) -> Any:
    """Run a test for each vector, under the vector's name."""
    return pytest.mark.parametrize("vector", vectors, ids=[vector["id"] for vector in vectors])


def test_no_vector_is_missing() -> None:
    assert (len(POSITIONS), len(GAMES), len(PERFT)) == (972, 20, 13)


@by_id(POSITIONS)
def test_a_canonical_position_is_written_as_it_was_read(vector: dict[str, Any]) -> None:
    assert Position.from_dict(vector["position"]).to_dict() == vector["position"]


@by_id(POSITIONS)
def test_the_legal_actions_are_those_of_the_vector(vector: dict[str, Any]) -> None:
    assert Position.from_dict(vector["position"]).legal_actions() == vector["legal"]


@by_id([vector for vector in POSITIONS if vector["action"] is not None])
def test_an_action_leads_to_the_position_of_the_vector(vector: dict[str, Any]) -> None:
    assert Position.from_dict(vector["position"]).play(vector["action"]).to_dict() == vector["after"]


@pytest.fixture(scope="module", params=GAMES, ids=[vector["id"] for vector in GAMES])
def replayed(request: pytest.FixtureRequest) -> tuple[dict[str, Any], Position]:
    """A game of the vectors and the position that its actions lead to."""
    position = Position.from_dict(request.param["position"])
    for action in request.param["actions"]:
        assert action in position.legal_actions()
        position = position.play(action)
    return request.param, position


def test_a_replayed_game_ends_in_the_final_position(replayed: tuple[dict[str, Any], Position]) -> None:
    vector, position = replayed
    assert position.to_dict() == vector["final"]


def test_a_replayed_game_ends_with_the_scores(replayed: tuple[dict[str, Any], Position]) -> None:
    vector, position = replayed
    assert list(position.scores.values()) == vector["scores"]


@by_id(PERFT)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_as_many_sequences_of_actions_exist_as_counted(vector: dict[str, Any], depth: int) -> None:
    states = Position.from_dict(vector["position"]).state.copy().reshape(1)
    assert count_sequences(states, depth) == vector["perft"][depth - 1]


def count_sequences(states: np.ndarray, depth: int) -> int:
    """Count the sequences of so many actions, without playing the last of each."""
    actions = np.empty(ACTION_LIMIT, np.int64)
    number = calls.list_legal(states, new_menus(), actions)
    if depth == 1:
        return number
    total = 0
    for action in actions[:number]:
        after = states.copy()
        calls.play_legal(after, action)
        total += count_sequences(after, depth - 1)
    return total
