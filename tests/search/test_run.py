"""Running a search: the same result on any number of threads, limits, progress and stopping."""

import time

import numpy as np
import pytest

from tests.small_games.kuhn import BET, KING, QUEEN, new_kuhn
from tests.small_games.nim import new_nim
from tests.small_games.tic_tac_toe import new_tic_tac_toe
from torres_mcts.core.errors import TorresError
from torres_mcts.search.limits import Limit
from torres_mcts.search.trees.run import ENGINES, RootSummary, TreeEngine, search_tree

pytestmark = pytest.mark.kernel

BOARD = new_tic_tac_toe("X.. .O. ...")
GAMES = {"tic-tac-toe": BOARD, "kuhn": new_kuhn(QUEEN, KING)}


def digest(summary: RootSummary) -> tuple[object, ...]:
    """Return all that must be the same in two runs, byte for byte."""
    arrays = (summary.actions, summary.visits, summary.rewards, summary.rewards_se, summary.scores, summary.scores_se)
    facts = (summary.iterations, summary.nodes, summary.is_full, summary.stopped_by)
    return *(array.tobytes() for array in arrays), facts


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", ENGINES)
def test_the_number_of_threads_does_not_change_the_result(name: str, game: str) -> None:
    engine, limit = TreeEngine(name, world_iterations=50), Limit(iterations=3001)
    found = [search_tree(GAMES[game], engine, limit=limit, seed=4, threads=threads) for threads in (1, 2, 3)]
    assert digest(found[0]) == digest(found[1]) == digest(found[2])
    assert found[0].iterations == found[0].visits.sum() == 3001


def test_another_seed_gives_another_result() -> None:
    found = {digest(search_tree(BOARD, TreeEngine(), limit=Limit(iterations=500), seed=seed)) for seed in range(5)}
    assert len(found) == 5


def test_the_state_that_is_searched_is_not_changed() -> None:
    states = new_kuhn(QUEEN, KING)
    before = states.tobytes()
    for name in ENGINES:
        search_tree(states, TreeEngine(name), limit=Limit(iterations=100), seed=1)
    assert states.tobytes() == before


def test_actions_come_most_visited_first_with_everything_about_them() -> None:
    summary = search_tree(BOARD, TreeEngine(), limit=Limit(iterations=4000), seed=1)
    assert np.all(np.diff(summary.visits) <= 0)
    assert sorted(summary.actions.tolist()) == [1, 2, 3, 5, 6, 7, 8]
    assert (
        summary.rewards.shape == summary.rewards_se.shape == summary.scores.shape == summary.scores_se.shape == (7, 2)
    )
    assert summary.rewards.sum(axis=1) == pytest.approx(1)
    assert np.all(summary.rewards_se > 0)
    assert np.all(summary.rewards_se < 0.1)
    assert summary.reward.sum() == pytest.approx(1)
    assert (summary.player, summary.observer, summary.stopped_by) == (0, 0, "iterations")


@pytest.mark.parametrize("name", ["pimc", "so-ismcts"])
def test_standard_errors_match_the_spread_of_independent_searches(name: str) -> None:
    engine, limit, states = TreeEngine(name, world_iterations=40), Limit(iterations=800), GAMES["kuhn"]
    found = [search_tree(states, engine, limit=limit, seed=seed) for seed in range(60)]
    column = [summary.actions.tolist().index(BET) for summary in found]
    means = [summary.rewards[row, 0] for summary, row in zip(found, column, strict=True)]
    errors = [summary.rewards_se[row, 0] for summary, row in zip(found, column, strict=True)]
    assert np.std(means, ddof=1) == pytest.approx(np.sqrt(np.mean(np.square(errors))), rel=0.35)


def test_one_tree_has_no_standard_error() -> None:
    summary = search_tree(BOARD, TreeEngine(trees=1), limit=Limit(iterations=500), seed=1)
    assert np.all(np.isnan(summary.rewards_se))


def test_fewer_iterations_than_trees_are_enough() -> None:
    summary = search_tree(BOARD, TreeEngine(), limit=Limit(iterations=3), seed=1)
    assert summary.iterations == summary.visits.sum() == 3


def test_a_search_ends_when_time_is_up() -> None:
    search_tree(BOARD, TreeEngine(), limit=Limit(iterations=1), seed=1)
    began = time.perf_counter()
    summary = search_tree(BOARD, TreeEngine(), limit=Limit(time=0.2), seed=1)
    assert summary.stopped_by == "time"
    assert 0.2 <= summary.seconds <= time.perf_counter() - began < 2
    assert summary.iterations > 1000


def test_a_search_ends_at_whichever_limit_comes_first() -> None:
    assert search_tree(BOARD, TreeEngine(), limit=Limit(time=60, iterations=100), seed=1).stopped_by == "iterations"


@pytest.mark.parametrize("name", ENGINES)
def test_a_search_ends_when_the_best_action_is_clear(name: str) -> None:
    states, limit = new_tic_tac_toe("XX. OO. ..."), Limit(iterations=1_000_000, confidence=0.99)
    found = [search_tree(states, TreeEngine(name), limit=limit, seed=1, threads=threads) for threads in (1, 2)]
    assert found[0].stopped_by == "confidence"
    assert found[0].best == 2
    assert digest(found[0]) == digest(found[1])


def test_equal_actions_never_become_clear() -> None:
    limit = Limit(iterations=20_000, confidence=0.99)
    assert search_tree(new_nim((1, 1)), TreeEngine(), limit=limit, seed=1).stopped_by == "iterations"


def test_a_single_action_is_clear_soon() -> None:
    limit = Limit(iterations=1_000_000, confidence=0.99)
    summary = search_tree(new_nim((1,)), TreeEngine(), limit=limit, seed=1)
    assert (summary.stopped_by, summary.best) == ("confidence", 1)


def test_progress_is_reported_after_every_round() -> None:
    reports: list[RootSummary] = []
    summary = search_tree(BOARD, TreeEngine(), limit=Limit(iterations=20_000), seed=1, progress=reports.append)
    counts = [report.iterations for report in reports]
    assert len(counts) > 2
    assert counts == sorted(set(counts))
    assert [report.stopped_by for report in reports] == [""] * (len(reports) - 1) + ["iterations"]
    assert digest(reports[-1]) == digest(summary)


def test_a_search_stops_when_asked() -> None:
    answers = iter([False, False, True])
    limit = Limit(iterations=10**9)
    summary = search_tree(BOARD, TreeEngine(), limit=limit, seed=1, threads=2, should_stop=lambda: next(answers))
    assert summary.stopped_by == "request"
    assert 0 < summary.iterations == summary.visits.sum() < 10**6


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"seed": 1.5}, "seed: expected a whole number, not 1.5"),
        ({"threads": 0}, "threads: expected a whole number of at least 1, not 0"),
        ({"observer": 2}, "observer: expected a player from 0 to 1, not 2"),
        ({"observer": -1}, "observer: expected a whole number of at least 0, not -1"),
        ({"limit": Limit(iterations=1, nodes=20)}, "limit.nodes: 8 trees need at least 24, not 20"),
    ],
)
def test_a_search_that_makes_no_sense_is_refused(given: dict[str, object], message: str) -> None:
    arguments = {"limit": Limit(iterations=1), "seed": 1, **given}
    with pytest.raises(TorresError) as error:
        search_tree(BOARD, TreeEngine(), **arguments)  # type: ignore[arg-type]
    assert str(error.value) == message


def test_confidence_needs_several_trees() -> None:
    with pytest.raises(TorresError, match="at least 2 trees"):
        search_tree(BOARD, TreeEngine(trees=1), limit=Limit(time=1, confidence=0.9), seed=1)


def test_a_finished_game_is_refused() -> None:
    with pytest.raises(TorresError, match="the game is over"):
        search_tree(new_tic_tac_toe("XXX OO. ..."), TreeEngine(), limit=Limit(iterations=1), seed=1)
