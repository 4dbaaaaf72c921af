"""The last turns of Torres, solved: equal to trying everything, always, and blind to what is hidden."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.naive import torres as naive
from tests.strategies import CARDS, random_game, random_rules
from torres_mcts import Position
from torres_mcts.core.jit import entry_kernel
from torres_mcts.core.menu import new_menus
from torres_mcts.core.protocol import turns_left
from torres_mcts.core.rng import new_rng
from torres_mcts.games.torres import (
    calls,
    verbs,  # noqa: F401 (teaches the search this game)
)
from torres_mcts.games.torres.engine.state import KEEP, TURN
from torres_mcts.games.torres.position import ACTION_LIMIT
from torres_mcts.search.rewards import Reward
from torres_mcts.search.turns.exact import Solution, solve_last_turn
from torres_mcts.search.turns.exact_two import solve_last_two
from torres_mcts.search.turns.generator import generate_turns, new_table

pytestmark = pytest.mark.kernel

MARGIN = Reward(win=0, margin=1)
REWARDS = [MARGIN, Reward(), Reward(win=0, rank=1), Reward(win=0.5, margin=0.5)]
PRESETS = ["2017", "2017-common", "2017-master", "1999", "1999-own", "1999-master", "no-cards"]
PLAY_LIMIT = 2500  # actions that the brute force tries before it gives a position up


@entry_kernel
def count_turns(states):
    """Return how many turns are left, for Python."""
    return turns_left(states[0])


def plain_turns_left(position: Position) -> int:
    """Count the turns left by ending each at once."""
    turns = 0
    while not position.is_over:
        turns += position.phase == "turn"
        position = position.play_number(position.legal_numbers[-1])  # in a turn that is its end
    return turns


def late_positions(seeds: range, wanted: int, **fixed: Any) -> Iterator[Position]:
    """Play random games; yield a position of each in the turn that is the last but `wanted` - 1."""
    for seed in seeds:
        random = Random(seed)
        position = Position.new(random_rules(random, **fixed), seed=seed)
        late = [
            here
            for here, _, _ in random_game(random, position)
            if here.phase in ("turn", "keep") and count_turns(here.state_array) == wanted
        ]
        yield random.choice(late)


def with_ap(position: Position, ap: int) -> Position:
    """Return a position with no more than so many AP."""
    states = position.state_array.copy()
    states["ap"] = np.minimum(states["ap"], ap)
    return Position(states, position.rules, position.names, position._viewpoint)


def list_ends(states: np.ndarray, limit: int) -> dict[bytes, np.ndarray] | None:
    """Return every state after the turn under way, by playing all sequences; None if these are too many.

    States that are equal in every byte but the memory of ways are followed once.
    """
    menus, actions = new_menus(), np.empty(ACTION_LIMIT, np.int64)
    mover = int(states[0]["to_move"])
    seen: set[bytes] = set()
    ends: dict[bytes, np.ndarray] = {}
    stack, tried = [states], 0
    while stack:
        here = stack.pop()
        number = calls.list_legal(here, menus, actions)
        tried += number
        if tried > limit:
            return None
        for action in actions[:number].tolist():
            after = here.copy()
            calls.play_legal(after, action)
            after["reach"], after["reach_known"] = 0, 0
            key = after.tobytes()
            if after[0]["phase"] not in (TURN, KEEP) or after[0]["to_move"] != mover:
                ends[key] = after
            elif key not in seen:
                seen.add(key)
                stack.append(after)
    return ends


def worth(points: list[float], player: int, reward: Reward) -> tuple[float, float]:
    """Return the reward and the margin of a player, in plain Python."""
    win, rank, margin, scale = reward.weights()
    others = [number for other, number in enumerate(points) if other != player]
    better = sum(number > points[player] for number in others)
    equal = sum(number == points[player] for number in others)
    lead = points[player] - max(others)
    share = (1 / (1 + equal)) if better == 0 else 0
    place = (len(others) - better - equal / 2) / len(others)
    return win * share + rank * place + margin / (1 + np.exp(-lead / scale)), lead


def solve(position: Position, reward: Reward = MARGIN, **limits: int) -> Solution | None:
    seen = position.view(str(position.to_move))
    return solve_last_turn(seen.state_array, reward=reward, **({"state_limit": 50_000, "beam_width": 4} | limits))


def check(position: Position, results: set[tuple[int, ...]], found: Solution, reward: Reward) -> None:
    """Compare a solution with all the results that there are."""
    mover = int(position.state["to_move"])
    best = max(worth(list(points), mover, reward) for points in results)
    for sequence, points, value in zip(found.sequences, found.scores, found.rewards, strict=True):
        after = position
        for action in sequence:
            assert action in after.legal_numbers
            after = after.play_number(action)
        assert list(after.scores.values()) == points.tolist()
        assert value == pytest.approx(worth(points.tolist(), mover, reward)[0])
    assert worth(found.scores[0].tolist(), mover, reward) == pytest.approx(best)
    assert found.rewards.tolist() == sorted(found.rewards, reverse=True)
    assert found.proved


def final_points(ends: dict[bytes, np.ndarray], players: int) -> set[tuple[int, ...]]:
    return {tuple(int(points) for points in end[0]["scores"][:players]) for end in ends.values()}


def small_cases(seeds: range, **fixed: Any) -> Iterator[tuple[Position, set[tuple[int, ...]]]]:
    """Yield last turns with as many AP as brute force can manage, and all their results in points."""
    for position in late_positions(seeds, 1, **fixed):
        for ap in (4, 3, 2, 1, 0):
            here = with_ap(position, ap)
            if here.rules.master_card == "random":
                break
            ends = list_ends(here.state_array.copy(), PLAY_LIMIT)
            if ends is not None:
                yield here, final_points(ends, here.rules.players)
                break


def test_turns_left_counts_the_turns_to_the_end():
    for seed in range(3):
        random = Random(seed)
        games = random_game(random, Position.new(random_rules(random, master_card=None), seed=seed))
        for here, _, after in list(games)[:: 40 + seed]:
            if here.phase == "turn":
                assert count_turns(here.state_array) == plain_turns_left(here)
            if after.is_over:
                assert count_turns(after.state_array) == 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_last_turn_equals_brute_force_for_any_rules(players):
    for number, (position, results) in enumerate(small_cases(range(100 * players, 100 * players + 8), players=players)):
        reward = REWARDS[number % len(REWARDS)]
        found = solve(position, reward, top=1 + number % 4)
        assert found is not None
        check(position, results, found, reward)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_last_turn_equals_brute_force_in_every_edition(preset):
    for number, (position, results) in enumerate(small_cases(range(3), preset=preset)):
        found = solve(position, REWARDS[number % len(REWARDS)])
        assert found is not None
        check(position, results, found, REWARDS[number % len(REWARDS)])


def test_the_last_turn_equals_the_naive_oracle():
    for position in late_positions(range(3), 1, preset="2017"):
        here = with_ap(position, 1)
        results, seen, stack = set(), set(), [here.to_dict()]
        while stack:
            data = stack.pop()
            for action in naive.legal_actions(data):
                after = naive.apply(data, action)
                if after["phase"] == "over":
                    results.add(tuple(player["score"] for player in after["players"]))
                elif str(after) not in seen:
                    seen.add(str(after))
                    stack.append(after)
        found = solve(here)
        assert found is not None
        check(here, results, found, MARGIN)


@pytest.mark.parametrize(
    ("hand", "ap"), [((), 4), (("climb",), 3), (("gate", "under"), 2), (("shift",), 2), (("jump", "ap7"), 2)]
)
def test_the_last_turn_equals_the_best_of_the_generator(hand, ap):
    table = new_table(400_000, 400_000)
    compared = 0
    for position in late_positions(range(2, 5), 1, preset="no-cards"):
        states = position.state_array.copy()
        mover = int(states[0]["to_move"])
        states["ap"], states["cards_played"] = ap, 0
        states["hands"][0, mover] = sum(1 << 6 * CARDS.index(card) for card in hand)
        if generate_turns(table, np.repeat(states, 3), new_menus(), new_rng(0), 0, 1):
            found = solve_last_turn(states, reward=MARGIN, state_limit=200_000, beam_width=1)
            assert found is not None
            margin = worth(found.scores[0].tolist(), mover, MARGIN)[1]
            assert margin == table.ends["value"][: table.desks[0]["end_count"]].max()
            compared += 1
    assert compared > 0


def test_hidden_cards_change_nothing():
    for position in late_positions(range(20, 24), 1, preset="2017"):
        here = with_ap(position, 2)
        view = here.view(str(here.to_move))
        worlds = [view, *(view.determinize(seed) for seed in range(3))]
        first, *others = (solve_last_turn(world.state_array, reward=MARGIN, top=3) for world in worlds)
        assert first is not None
        assert all(other is not None and other.sequences == first.sequences for other in others)


def test_a_hand_that_is_not_known_is_not_solved():
    for position in late_positions(range(20, 30), 1, preset="2017-common"):
        others = position.view(next(name for name in position.names if name != position.to_move))
        unknown = others.state["hidden_in_hand"][int(position.state["to_move"])] - others.state["hidden_fresh"]
        if unknown > 0 and position.state["cards_played"] == 0:
            assert solve_last_turn(others.state_array, reward=MARGIN) is None
            return
    raise AssertionError("no such position")


@pytest.mark.parametrize("cards", ["none", "hand"])
def test_the_last_two_turns_equal_brute_force(cards):
    compared = 0
    rules = {"players": 2, "cards": cards, "ap_per_turn": 1, "master_card": None, "knights": 4, "cards_per_turn": 1}
    for position in late_positions(range(30, 42), 2, **rules):
        player = int(position.state["to_move"])
        middles = list_ends(position.state_array.copy(), 150)
        if middles is None:
            continue
        worst = []
        for middle in middles.values():
            ends = list_ends(middle, 1000)
            if ends is None:
                break
            worst.append(min(worth(list(points), player, MARGIN)[0] for points in final_points(ends, 2)))
        if len(worst) == len(middles):
            found = solve_last_two(position.view(str(position.to_move)).state_array, reward=MARGIN, state_limit=5000)
            assert found is not None
            assert found.rewards[0] == pytest.approx(max(worst))
            compared += 1
    assert compared > 1
