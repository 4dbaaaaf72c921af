"""Searches with hidden information: exact best replies in Kuhn's poker, and nobody looks at hidden cards."""

import math

import numpy as np
import pytest

from tests.small_games.hiding import HIDDEN, LEFT, PLACES, RIGHT, RIGHT_PLACE, new_hiding
from tests.small_games.kuhn import (
    BET,
    CALLED_LATE,
    CARDS,
    CHECKED_BET,
    CHECKED_OUT,
    FOLDED_LATE,
    JACK,
    KING,
    PASS,
    QUEEN,
    best_answer,
    best_reply,
    new_kuhn,
    plain_winnings,
)
from torres_mcts.search.limits import Limit
from torres_mcts.search.rewards import Reward
from torres_mcts.search.trees.run import ENGINES, RootSummary, TreeEngine, search_tree

pytestmark = pytest.mark.kernel

FAIR = [name for name in ENGINES if name != "cheat"]
INFORMATION_SET = ["so-ismcts", "mo-ismcts"]
SCALE = 2.0
MARGIN = Reward(win=0, margin=1, margin_scale=SCALE)
# For each card of player 1 the probability to bet after a check, and that to call a bet.
PLANS = {
    "equilibrium": ((1 / 3, 0.0), (0.0, 1 / 3), (1.0, 1.0)),
    "bluffs too much": ((0.9, 0.1), (0.2, 0.5), (1.0, 1.0)),
    "folds too much": ((0.0, 0.0), (0.0, 0.05), (0.6, 0.7)),
    "calls everything": ((0.1, 1.0), (0.5, 1.0), (0.9, 1.0)),
}


def worth(gain: int) -> float:
    """Return the reward of player 0, who is ahead by twice the gain."""
    return 1 / (1 + math.exp(-2 * gain / SCALE))


def search(states: np.ndarray, name: str, *, iterations: int = 80_000, seed: int = 3) -> RootSummary:
    """Search Kuhn's poker for the margin."""
    engine = TreeEngine(name, reward=MARGIN, exploration=0.4)
    return search_tree(states, engine, limit=Limit(iterations=iterations), seed=seed, threads=2)


def check(summary: RootSummary, exact: dict[int, float]) -> None:
    """Compare a search with the exact worth of both actions."""
    best = max(exact, key=lambda action: exact[action])
    found = dict(zip(summary.actions.tolist(), summary.rewards[:, 0].tolist(), strict=True))
    assert found[best] == pytest.approx(exact[best], abs=0.02)
    if abs(exact[PASS] - exact[BET]) > 0.02:
        assert summary.best == best


@pytest.mark.parametrize("name", INFORMATION_SET)
@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("own", range(CARDS))
def test_information_set_search_finds_the_best_reply(own: int, plan: str, name: str) -> None:
    states = new_kuhn(own, (own + 1) % CARDS, plan=PLANS[plan])
    check(search(states, name), best_reply(own, PLANS[plan], worth))


@pytest.mark.parametrize("name", INFORMATION_SET)
@pytest.mark.parametrize("plan", PLANS)
def test_information_set_search_finds_the_best_answer_to_a_bet(plan: str, name: str) -> None:
    states = new_kuhn(QUEEN, JACK, history=CHECKED_BET, plan=PLANS[plan])
    check(search(states, name), best_answer(QUEEN, PLANS[plan], worth))


def test_pimc_believes_that_it_will_know_the_card_before_it_answers() -> None:
    plan = PLANS["bluffs too much"]
    others = (JACK, KING)
    out = sum((1 - plan[other][0]) * worth(plain_winnings(QUEEN, other, CHECKED_OUT)) for other in others)
    ends = (FOLDED_LATE, CALLED_LATE)
    answered = sum(plan[other][0] * max(worth(plain_winnings(QUEEN, other, end)) for end in ends) for other in others)
    summary = search(new_kuhn(QUEEN, KING, plan=plan), "pimc")
    found = dict(zip(summary.actions.tolist(), summary.rewards[:, 0].tolist(), strict=True))
    assert (out + answered) / 2 > best_reply(QUEEN, plan, worth)[PASS] + 0.05  # known as strategy fusion
    assert found[PASS] == pytest.approx((out + answered) / 2, abs=0.04)


def digest(summary: RootSummary) -> tuple[bytes, ...]:
    """Return all that a search found, byte for byte."""
    arrays = (summary.actions, summary.visits, summary.rewards, summary.rewards_se, summary.scores, summary.scores_se)
    return tuple(array.tobytes() for array in arrays)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", ENGINES)
def test_only_the_cheat_sees_the_hidden_card(name: str, seed: int) -> None:
    found = {digest(search(new_kuhn(QUEEN, other), name, iterations=1000, seed=seed)) for other in (JACK, KING)}
    assert len(found) == (2 if name == "cheat" else 1)


@pytest.mark.parametrize("name", ENGINES)
def test_only_the_cheat_sees_where_somebody_hides(name: str) -> None:
    found = {digest(search(new_hiding(place), name, iterations=1000)) for place in (0, 1, RIGHT_PLACE)}
    assert len(found) == (2 if name == "cheat" else 1)


def test_the_cheat_always_finds_who_hides() -> None:
    for place, side in ((0, LEFT), (RIGHT_PLACE, RIGHT)):
        summary = search_tree(new_hiding(place), TreeEngine("cheat"), limit=Limit(iterations=1000), seed=1)
        assert (summary.best, summary.rewards[0, 1]) == (side, 1)


@pytest.mark.parametrize("name", FAIR)
def test_seeking_uses_only_what_the_seeker_knows(name: str) -> None:
    engine = TreeEngine(name, world_iterations=10)
    summary = search_tree(new_hiding(RIGHT_PLACE), engine, limit=Limit(iterations=8000), seed=1)
    if name in INFORMATION_SET:
        assert summary.best == LEFT
        assert summary.rewards[0, 1] == pytest.approx(3 / 4, abs=0.03)  # three of four places


def test_actions_that_look_the_same_are_one_edge_and_equally_likely() -> None:
    engine = TreeEngine("so-ismcts")
    summary = search_tree(new_hiding(), engine, limit=Limit(iterations=8000), seed=1, observer=1)
    assert summary.actions.tolist() == [HIDDEN]
    assert (summary.player, summary.observer) == (0, 1)
    assert summary.rewards[0, 1] == pytest.approx(3 / 4, abs=0.03)


def test_with_a_tree_for_each_player_the_one_to_move_chooses_by_own_labels() -> None:
    engine = TreeEngine("mo-ismcts")
    summary = search_tree(new_hiding(), engine, limit=Limit(iterations=8000), seed=1, observer=1)
    assert sorted(summary.actions.tolist()) == list(range(PLACES))


def test_with_a_tree_for_each_player_the_seeker_never_learns_the_place() -> None:
    known, unknown = (
        search_tree(new_hiding(), TreeEngine(name), limit=Limit(iterations=40_000), seed=1) for name in INFORMATION_SET
    )
    assert known.reward[0] < 0.05  # SO: the seeker chooses with the knowledge of who hides
    assert unknown.reward[0] == pytest.approx(0.5, abs=0.06)  # MO: both sides are equally good against one who guesses
