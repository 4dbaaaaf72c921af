"""The bound on the last turn of Torres is never too low: random boards, against trying everything without merging."""

from random import Random

import numpy as np
import pytest

from tests.naive.torres_rules import PRESETS
from torres_mcts import Position, Rules
from torres_mcts.core.jit import entry_kernel
from torres_mcts.core.menu import list_menu, new_menus
from torres_mcts.core.protocol import bound_last_turn, draws_chance, is_over, list_actions, play_action
from torres_mcts.games.torres import (
    calls,
    verbs,  # noqa: F401 (teaches the search this game)
)
from torres_mcts.games.torres.engine.state import NONE_IN_USE, STATE, TURN
from torres_mcts.games.torres.position import ACTION_LIMIT

pytestmark = pytest.mark.kernel

DEPTH = 12
STEPS = 400_000  # a board with more sequences than this is left out
MASTERS = ["castles", "chain", "diagonals", "different-levels", "edges", "row", "same-level", "square"]


@entry_kernel
def bound(states, bounds):
    """Write the bounds of states[0], for Python."""
    bound_last_turn(states[0], True, bounds)


@entry_kernel
def find_extremes(stack, menus, rng, listed, sizes, extremes, limit):
    """Play every sequence of the last turn of stack[0], purchases left out; tell if there were no more than the limit.

    extremes: [players] the most points of the player to move, the fewest of every other one
    """
    player = stack[0].to_move
    depth = steps = 0
    list_actions(stack[0], menus[0])
    sizes[0] = list_menu(menus[0], listed[0])
    while depth >= 0:
        if sizes[depth] == 0:
            depth -= 1
            continue
        steps += 1
        if steps > limit:
            return False
        sizes[depth] -= 1
        action = listed[depth, sizes[depth]]
        if draws_chance(stack[depth], action):
            continue
        stack[depth + 1] = stack[depth]
        play_action(stack[depth + 1], action, rng)
        if is_over(stack[depth + 1]):
            for other in range(extremes.size):
                points = stack[depth + 1].scores[other]
                extremes[other] = max(extremes[other], points) if other == player else min(extremes[other], points)
        else:
            depth += 1
            list_actions(stack[depth], menus[0])
            sizes[depth] = list_menu(menus[0], listed[depth])
    return True


def random_board(random: Random) -> np.ndarray:
    """Return a last turn on a board of random towers, with few AP and at most two cards."""
    preset = random.choice(sorted(PRESETS))
    cheap = {cost: random.choice([1, 1, 1, 2]) for cost in ("cost_move", "cost_block", "cost_knight", "cost_score")}
    master = random.choice([None, None, random.choice(MASTERS)])
    track = random.choice([0, 0, 0, 100, 4])
    players = random.randint(2, 4)
    rules = Rules.preset(preset, players=players, score_track=track, master_card=master, **cheap)
    states = Position.new(rules, seed=random.randint(0, 99)).state_array.copy()
    state = states[0]
    state["heights"] = 0
    side = random.choice([4, 5, 8])  # on a small part of the board pieces meet
    squares = [8 * rank + file for rank in range(side) for file in range(side)]
    chosen = random.sample(squares, random.randint(5, min(26, len(squares) - 4)))
    state["heights"][chosen] = 1
    calls.survey_board(states)
    for castle in state["castle_squares"][: state["castle_count"]].tolist():
        inside = [square for square in range(64) if castle >> square & 1]
        for square in inside:
            state["heights"][square] = random.randint(1, min(len(inside), 5))
    pieces = random.sample(squares, min(len(squares) - 2, random.randint(players + 1, 3 * players + 1)))
    king = random.choice(chosen)
    pieces = [square for square in pieces if square != king]
    state["king"] = king
    mover = random.randrange(players)
    for player in range(players):
        state["knights"][player] = sum(1 << square for square in pieces[player::players])
        state["scores"][player] = random.randint(1, 30)
    for name, value in {"phase": TURN, "year": 3, "to_move": mover, "first": (mover + 1) % players}.items():
        state[name] = value
    state["round"], state["in_use"], state["supply"] = len(rules.stacks[2]), NONE_IN_USE, 9
    state["stack_count"], state["stacks"] = 0, 0
    state["stack_count"][mover], state["stacks"][mover] = 1, random.randint(0, 3)
    state["ap"] = random.choice([1, 2, 2, 3])
    hand = random.sample(range(10), random.choice([0, 0, 1, 1, 2]))
    state["hands"] = 0
    state["hands"][mover] = sum(1 << 6 * card for card in hand)
    calls.survey_board(states)
    return states


def compare(seed: int) -> bool:
    """Compare the bound with all results of a random board; False if these are too many."""
    states = random_board(Random(seed))
    players, mover = int(states[0]["rules"]["players"]), int(states[0]["to_move"])
    bounds, extremes = np.empty(players), np.full(players, 10_000)
    extremes[mover] = -1
    listed = np.empty((DEPTH, ACTION_LIMIT), np.int64)
    stack = np.zeros(DEPTH, STATE)
    stack[0] = states[0]
    if not find_extremes(
        stack, new_menus(), np.zeros(1, np.uint64), listed, np.zeros(DEPTH, np.int64), extremes, STEPS
    ):
        return False
    bound(states, bounds)
    hand = [card for card in range(10) if int(states[0]["hands"][mover]) >> 6 * card & 63]
    for player in range(players):
        is_kept = bounds[player] >= extremes[player] if player == mover else bounds[player] <= extremes[player]
        assert is_kept, (seed, player == mover, bounds[player], extremes[player], hand, int(states[0]["ap"]))
    return True


def test_the_bound_is_never_passed():
    assert sum(compare(seed) for seed in range(350)) > 200
