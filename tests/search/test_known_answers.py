"""Every tree search finds the best move of small games and what it is worth; the truth comes from trying everything."""

import numpy as np
import pytest

from tests.small_games.nim import is_won, new_nim, winning_moves
from tests.small_games.tic_tac_toe import new_tic_tac_toe, value_of, values_of_moves
from torres_mcts.search.limits import Limit
from torres_mcts.search.trees.run import ENGINES, RootSummary, TreeEngine, search_tree

pytestmark = pytest.mark.kernel

WON_HEAPS = [(1, 2), (3,), (2, 3), (1, 1, 2), (1, 2, 4), (3, 4)]
LOST_HEAPS = [(1, 1), (2, 2), (1, 2, 3)]
BOARDS = [
    "XX. OO. ...",  # X wins at once
    "XX. .O. ...",  # O must stop X
    "X.. .O. ..X",  # O must take a side, not a corner
    "XO. .X. ..O",  # X wins in two ways with a fork
    "X.. ... ...",  # O must take the centre
    "XOX .O. .X.",  # nothing to win any more
]


def search(states: np.ndarray, name: str, iterations: int) -> RootSummary:
    """Search with a fixed seed."""
    engine = TreeEngine(name, world_iterations=iterations // 8)
    return search_tree(states, engine, limit=Limit(iterations=iterations), seed=5, threads=2)


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("heaps", WON_HEAPS, ids=str)
def test_a_search_wins_nim(heaps: tuple[int, ...], name: str) -> None:
    summary = search(new_nim(heaps), name, 40_000)
    assert is_won(heaps)
    assert summary.best in winning_moves(heaps)
    assert summary.rewards[0, 0] > 0.9


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("heaps", LOST_HEAPS, ids=str)
def test_a_search_knows_when_nim_is_lost(heaps: tuple[int, ...], name: str) -> None:
    summary = search(new_nim(heaps), name, 40_000)
    assert not is_won(heaps)
    assert summary.reward[0] < 0.15
    assert summary.reward[0] + summary.reward[1] == pytest.approx(1)


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("board", BOARDS)
def test_a_search_plays_tic_tac_toe_perfectly(board: str, name: str) -> None:
    signs = board.replace(" ", "")
    summary = search(new_tic_tac_toe(board), name, 40_000)
    values = values_of_moves(signs)
    assert set(summary.actions.tolist()) == set(values)
    assert values[summary.best] == value_of(signs)
    assert summary.rewards[0, 0] == pytest.approx(value_of(signs), abs=0.08)


@pytest.mark.parametrize("name", ENGINES)
def test_with_two_players_paranoia_changes_nothing(name: str) -> None:
    states = new_tic_tac_toe("X.. .O. ...")
    found = [
        search_tree(states, TreeEngine(name, backup=backup), limit=Limit(iterations=2000), seed=1)
        for backup in ("maxn", "paranoid")
    ]
    assert found[0].visits.tobytes() == found[1].visits.tobytes()
    assert found[0].rewards.tobytes() == found[1].rewards.tobytes()


@pytest.mark.parametrize("backup", ["maxn", "paranoid"])
@pytest.mark.parametrize("name", ENGINES)
def test_three_players_have_three_rewards(name: str, backup: str) -> None:
    engine = TreeEngine(name, backup=backup)
    summary = search_tree(new_nim((3,), players=3), engine, limit=Limit(iterations=8000), seed=1)
    assert summary.best == 3  # all of it
    assert summary.rewards[0].tolist() == [1, 0, 0]
    assert summary.rewards.sum(axis=1) == pytest.approx(1)  # true rewards, whatever the paranoid believe
    leaving = dict(zip(summary.actions.tolist(), summary.rewards.tolist(), strict=True))
    assert leaving[2] == [0, 1, 0]  # the one that is left goes to the next player


def test_the_rewards_of_three_players_are_backed_up_apart() -> None:
    # Heaps of 1 and 2 with three players. After taking the 1, the next player may take both of the 2 and win; or take
    # one, which lets the third player win: either way player 0 has lost. After taking 1 of the 2 two heaps of 1 are
    # left, which the others must take. After taking the whole 2 the next player wins. So player 0 wins nowhere,
    # but by max^n player 1 wins only after the first and the last.
    summary = search_tree(new_nim((1, 2), players=3), TreeEngine("uct"), limit=Limit(iterations=20_000), seed=1)
    rewards = dict(zip(summary.actions.tolist(), summary.rewards.tolist(), strict=True))
    assert rewards[1] == pytest.approx([0, 1, 0], abs=0.1)
    assert rewards[8 + 2] == [0, 1, 0]
    assert rewards[8 + 1] == [0, 0, 1]


@pytest.mark.parametrize("name", ENGINES)
def test_playouts_end_at_the_horizon(name: str) -> None:
    engine = TreeEngine(name, horizon=0)
    summary = search_tree(new_nim((2, 2)), engine, limit=Limit(iterations=400), seed=1)
    assert summary.actions.size == 4
    assert np.all(summary.rewards == 0.5)  # the first heap that is empty ends it, and nobody has won then
    assert np.all(summary.scores == 0.5)


@pytest.mark.parametrize("name", ENGINES)
def test_quick_choices_may_guide_playouts(name: str) -> None:
    summary = search_tree(new_nim((2, 3)), TreeEngine(name, epsilon=0.0), limit=Limit(iterations=20_000), seed=1)
    assert summary.best in winning_moves((2, 3))
