"""Exact ends on a small game: equal to trying everything, and nothing is claimed that is not so."""

from random import Random

import numpy as np
import pytest

from tests.small_games.gathering import PLACES, Plain, new_gathering, plain_moves, plain_start
from torres_mcts.search.rewards import Reward
from torres_mcts.search.turns.exact import solve_last_turn
from torres_mcts.search.turns.exact_two import solve_last_two

pytestmark = pytest.mark.kernel

REWARDS = [Reward(), Reward(win=0, margin=1), Reward(win=0, rank=1), Reward(win=0.5, margin=0.5, margin_scale=3)]


def worth(points: tuple[int, ...], player: int, reward: Reward) -> tuple[float, int]:
    """Return the reward and the margin of a player, in plain Python."""
    win, rank, margin, scale = reward.weights()
    others = [number for other, number in enumerate(points) if other != player]
    better = sum(number > points[player] for number in others)
    equal = sum(number == points[player] for number in others)
    lead = points[player] - max(others)
    share = (1 / (1 + equal)) if better == 0 else 0
    place = (len(others) - better - equal / 2) / len(others)
    return win * share + rank * place + margin / (1 + np.exp(-lead / scale)), lead


def ends_of_turn(states: np.ndarray, start: Plain) -> set[Plain]:
    """Return all states after a turn, by trying every order of actions."""
    ends: set[Plain] = set()
    stack = [start]
    while stack:
        for after in plain_moves(states, stack.pop()).values():
            if after[3] < start[3]:
                ends.add(after)
            else:
                stack.append(after)
    return ends


def random_state(random: Random, *, turns: int, players: int, basket: int = 4) -> np.ndarray:
    values = [random.randint(0, 5) for _ in range(PLACES)]
    sizes = [random.randint(1, 3) for _ in range(PLACES)]
    points = tuple(random.randint(0, 4) for _ in range(players))
    return new_gathering(values, sizes, basket=basket, turns=turns, players=players, points=points)


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("players", [2, 3])
def test_the_last_turn_equals_brute_force(players: int, reward: Reward) -> None:
    random = Random(players)
    for _ in range(40):
        states = random_state(random, turns=1, players=players)
        ends = ends_of_turn(states, plain_start(states))
        ranked = sorted(
            (worth(end[0], 0, reward) for end in {(end[0], end[1]): end for end in ends}.values()), reverse=True
        )
        found = solve_last_turn(states, reward=reward, top=5, state_limit=2000)
        assert found is not None
        assert found.proved
        assert found.rewards == pytest.approx([reward for reward, _ in ranked[:5]])
        margins = [row[0] - max(row[1:]) for row in found.scores]
        assert margins == [margin for _, margin in ranked[:5]]


@pytest.mark.parametrize("reward", REWARDS)
def test_the_last_two_turns_equal_brute_force(reward: Reward) -> None:
    random = Random(7)
    for _ in range(25):
        states = random_state(random, turns=2, players=2, basket=3)
        start = plain_start(states)
        best = max(
            min(worth(end[0], 0, reward)[0] for end in ends_of_turn(states, middle))
            for middle in ends_of_turn(states, start)
        )
        found = solve_last_two(states, reward=reward, state_limit=2000)
        assert found is not None
        assert found.rewards[0] == pytest.approx(best)


def test_worlds_are_weighed_by_their_chances() -> None:
    random = Random(3)
    reward = REWARDS[1]
    for _ in range(10):
        worlds = np.concatenate([random_state(random, turns=2, players=2, basket=3)] * 2)
        worlds["basket"][1] = 1  # in the second world the last player has little room
        chances = np.array([0.3, 0.7])
        best = max(
            sum(
                chance * min(worth(end[0], 0, reward)[0] for end in ends_of_turn(worlds[index : index + 1], middle))
                for index, chance in enumerate(chances)
                for middle in [(points, taken, gatherer, turns, int(worlds["basket"][index]))]
            )
            for points, taken, gatherer, turns, _ in ends_of_turn(worlds[:1], plain_start(worlds[:1]))
        )
        found = solve_last_two(worlds, reward=reward, worlds=worlds, chances=chances, state_limit=2000)
        assert found is not None
        assert found.rewards[0] == pytest.approx(best)


def test_what_is_not_an_end_or_does_not_fit_is_not_solved() -> None:
    states = random_state(Random(1), turns=1, players=2)
    assert solve_last_turn(states, reward=Reward(), state_limit=2000) is not None
    assert solve_last_turn(states, reward=Reward(win=0, margin=1), state_limit=1, top=3) is None
    states["is_open"] = True
    assert solve_last_turn(states, reward=Reward(), state_limit=2000) is None
    for turns in (2, 3):
        assert solve_last_turn(random_state(Random(1), turns=turns, players=2), reward=Reward()) is None
    three = random_state(Random(1), turns=2, players=3)
    assert solve_last_two(three, reward=Reward()) is None
    two = random_state(Random(1), turns=2, players=2)
    assert solve_last_two(two, reward=Reward(win=0, margin=1), work_limit=5) is None
    assert solve_last_two(two, reward=Reward(win=0, margin=1), turn_limit=1) is None
