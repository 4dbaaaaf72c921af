"""The comparison of whole turns on Torres: the same for any number of threads, and blind to what is hidden."""

from pathlib import Path

import numpy as np
import pytest

from torres_mcts import Position
from torres_mcts.games.torres import verbs  # noqa: F401 (teaches the search this game)
from torres_mcts.search.limits import Limit
from torres_mcts.search.turns.arms import TurnResult, search_turns
from torres_mcts.search.turns.trying import TurnEngine

pytestmark = pytest.mark.kernel

ENGINE = TurnEngine(candidates=8, state_limit=3000, beam_width=8, reply_width=2)
MIDDLE_GAME = Path(__file__).resolve().parents[2] / "examples" / "positions" / "middle-game.json"


def search(position: Position, *, threads: int = 1, seed: int = 5, iterations: int = 120) -> TurnResult:
    limit = Limit(iterations=iterations)
    return search_turns(position.state_array, ENGINE, limit=limit, seed=seed, threads=threads)


def same(one: TurnResult, other: TurnResult) -> bool:
    """Tell whether two results are the same but for the time."""
    for mine, its in zip(one[:-1], other[:-1], strict=True):
        is_equal = np.array_equal(mine, its, equal_nan=True) if isinstance(mine, np.ndarray) else mine == its
        if not is_equal:
            return False
    return True


@pytest.mark.parametrize("threads", [2, 3])
def test_the_number_of_threads_changes_nothing(threads):
    position = Position.load(MIDDLE_GAME).determinize(1)
    assert same(search(position), search(position, threads=threads))


def test_another_seed_changes_the_samples():
    position = Position.load(MIDDLE_GAME).determinize(1)
    assert not same(search(position), search(position, seed=6))


def test_the_cards_that_the_player_cannot_see_change_nothing():
    view = Position.load(MIDDLE_GAME)
    first, *others = (view.determinize(seed) for seed in range(4))
    hands = {tuple(position.to_dict()["players"][0]["hand"]) for position in (first, *others)}
    assert len(hands) > 1, "the hidden hands must differ for this test to mean anything"
    assert all(same(search(first), search(other)) for other in others)


def test_halving_spends_the_iterations_and_tries_the_best_most():
    result = search(Position.load(MIDDLE_GAME).determinize(1), iterations=240)
    assert 200 <= result.iterations == result.visits.sum() <= 240
    assert result.visits.tolist() == sorted(result.visits, reverse=True)
    assert result.behind[0] == 0.0
    assert ((result.rewards >= 0) & (result.rewards <= 1)).all()


def test_when_the_time_is_over_there_is_no_further_round():
    position = Position.load(MIDDLE_GAME).determinize(1)
    result = search_turns(position.state_array, ENGINE, limit=Limit(time=1e-6), seed=5)
    assert len(result.visits) > 4
    assert set(result.visits) == {1}


def test_a_lone_legal_turn_needs_no_comparison():
    position = Position.load(MIDDLE_GAME).determinize(1)
    while position.phase == "turn":  # spend everything, then only the end is left
        actions = [action for action in position.legal_actions() if not action.startswith(("end", "buy"))]
        if not actions:
            break
        position = position.play("score" if "score" in actions else actions[0])
    result = search(position)
    assert (len(result.sequences), result.iterations) == (1, 0)
