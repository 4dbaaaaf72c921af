"""The turn generator against plain enumerations: the same ends of turns, each with all its orders."""

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.naive import torres as naive
from torres_mcts import Position
from torres_mcts.analysis.turns import list_turns
from torres_mcts.core.jit import entry_kernel
from torres_mcts.core.menu import new_menus
from torres_mcts.core.rng import new_rng
from torres_mcts.search.turns import generator

pytestmark = pytest.mark.kernel

VECTORS = Path(__file__).resolve().parents[1] / "vectors" / "positions.jsonl"
MIDDLE_GAME = Path(__file__).resolve().parents[2] / "examples" / "positions" / "middle-game.json"
ENDS_WITH_DRAW = "buy"


def small_positions(ap: int, number: int, *, cards: bool) -> list[dict[str, Any]]:
    """Return vector positions in the middle of a turn, cut down to so many AP and at most three cards in hand."""
    chosen = []
    rng = random.Random(ap)
    lines = VECTORS.read_text().splitlines()
    rng.shuffle(lines)
    for line in lines:
        position = json.loads(line)["position"]
        if position["phase"] != "turn" or "random" in str(position["rules"]):
            continue
        mover = next(player for player in position["players"] if player["name"] == position["to_move"])
        position["turn"]["ap"] = ap
        kept = mover["fresh"] if not cards else mover["fresh"] + [card for card in mover["hand"] if card != "shift"][:3]
        mover["hand"] = sorted((Counter(mover["hand"]) & Counter(kept)).elements())
        if cards and len(mover["hand"]) == len(mover["fresh"]):
            continue
        chosen.append(position)
        if len(chosen) == number:
            return chosen
    return chosen


def key(position: dict[str, Any]) -> str:
    return json.dumps(position, sort_keys=True)


def enumerate_with_position(position: Position) -> Counter[str]:
    """Count the orders that lead to each end of a turn, by playing every sequence of actions one by one."""
    ends: Counter[str] = Counter()
    stack = [position]
    while stack:
        here = stack.pop()
        for action in here.legal_actions():
            if action == ENDS_WITH_DRAW:
                ends["draw after " + key(here.to_dict())] += 1
            elif action.startswith("end"):
                ends[key(here.play(action).to_dict())] += 1
            else:
                stack.append(here.play(action))
    return ends


def enumerate_with_oracle(position: dict[str, Any]) -> set[str]:
    """Collect the ends of turns by the naive oracle, merging equal positions on the way."""
    ends, seen, stack = set(), set(), [position]
    while stack:
        here = stack.pop()
        if key(here) in seen:
            continue
        seen.add(key(here))
        for action in naive.legal_actions(here):
            if action == ENDS_WITH_DRAW:
                ends.add("draw after " + key(here))
            elif action.startswith("end"):
                ends.add(key(naive.apply(here, action)))
            else:
                stack.append(naive.apply(here, action))
    return ends


def generated(position: Position) -> dict[str, float]:
    """Return the ends of turns that the generator finds, with their orders, each played out by its actions."""
    found = list_turns(position, state_limit=50_000)
    assert found.exhaustive
    ends = {}
    for turn in found.turns:
        after = position
        for action in turn.actions[: -1 if turn.is_cut else None]:
            after = after.play(action)
        assert turn.is_cut == (turn.actions[-1] == ENDS_WITH_DRAW)
        ends[("draw after " if turn.is_cut else "") + key(after.to_dict())] = turn.orders
    assert len(ends) == found.count, "an end was listed twice"
    return ends


@pytest.mark.parametrize(
    ("ap", "number", "cards"), [(0, 20, False), (1, 12, False), (2, 5, False), (0, 20, True), (1, 3, True)]
)
def test_the_generator_finds_every_end_of_a_turn_with_all_its_orders(ap, number, cards):
    positions = small_positions(ap, number, cards=cards)
    assert len(positions) == number
    for data in positions:
        position = Position.from_dict(data)
        assert generated(position) == enumerate_with_position(position)


def test_the_generator_finds_what_the_naive_oracle_finds():
    for data in [*small_positions(1, 4, cards=False), *small_positions(0, 4, cards=True)]:
        position = Position.from_dict(data)
        assert set(generated(position)) == enumerate_with_oracle(position.to_dict())


def test_too_many_states_fall_back_to_a_beam_that_lists_real_turns():
    position = Position.load(Path(__file__).resolve().parents[2] / "examples" / "positions" / "opening.json")
    beam = list_turns(position, most=20, state_limit=20_000, beam_width=16)
    every = list_turns(position, most=20)
    assert (beam.exhaustive, every.exhaustive) == (False, True)
    assert beam.count < every.count
    assert max(turn.value for turn in beam.turns) <= every.turns[0].value + 1e-9
    for turn in beam.turns:
        after = position
        for action in turn.actions[: -1 if turn.is_cut else None]:
            after = after.play(action)


def test_turns_come_best_static_value_first():
    position = Position.load(Path(__file__).resolve().parents[2] / "examples" / "positions" / "opening.json")
    values = [turn.value for turn in list_turns(position, most=50).turns]
    assert values == sorted(values, reverse=True)


def test_a_beam_too_wide_for_its_table_is_narrowed_not_cut_off():
    position = Position.load(Path(__file__).resolve().parents[2] / "examples" / "positions" / "middle-game.json")
    small = list_turns(position, most=1, state_limit=20_000, beam_width=4096)
    large = list_turns(position, most=1, state_limit=400_000, beam_width=64)
    assert small.turns[0].value >= 0.5 * large.turns[0].value  # a beam cut off early knows only turns that do little
    assert sum(action != "end" for action in small.turns[0].actions) >= 4


def plans_of(sequences: list[tuple[int, ...]], most: int, plans: int) -> list[tuple[int, ...]]:
    """Pick turns as the page says, in the plainest way: the best, then the best that are plans of their own."""
    taken = sequences[: most - plans]
    for sequence in sequences[most - plans :]:
        if len(taken) < most and all(len(set(sequence) ^ set(other)) >= 4 for other in taken):
            taken = [*taken, sequence]
    return taken


def test_half_of_the_turns_listed_are_plans_of_their_own():
    states = np.repeat(Position.load(MIDDLE_GAME).determinize(1).state_array, 3)
    table = generator.new_table(100_000, 100_000)
    options = {"table": table, "width": 16, "sweeps": 2, "tries_all": False}
    every = generator.list_turns(states, new_menus(), new_rng(0), **options)
    picked = generator.list_turns(states, new_menus(), new_rng(0), **options, most=12, plans=6)
    assert set(picked.sequences) == set(plans_of(every.sequences[: 25 * 12], 12, 6))
    assert picked.sequences[0] == every.sequences[0]
    assert picked.values.tolist() == sorted(picked.values, reverse=True)
    assert set(picked.sequences) != set(every.sequences[:12]), "near copies must crowd the list for this to mean much"


def test_where_there_are_too_few_plans_the_next_best_turns_are_listed():
    states = np.repeat(Position.load(MIDDLE_GAME).determinize(1).state_array, 3)
    table = generator.new_table(20_000, 20_000)
    found = generator.list_turns(
        states, new_menus(), new_rng(0), table=table, width=1, sweeps=1, tries_all=False, most=10, plans=10
    )
    assert len(found.sequences) == min(10, found.turn_count)
    assert len(set(found.digests.tolist())) == len(found.sequences)


@entry_kernel
def forget(table):
    generator.clear_table(table)


@pytest.mark.parametrize("room", [600, 40_000])
def test_a_table_that_is_cleared_has_no_full_slot_left(room: int) -> None:
    """A small table is cleared as a whole, a large one by its few entries."""
    table = generator.new_table(room, room)
    states = np.repeat(Position.load(MIDDLE_GAME).state_array, 3)
    for width in (1, 2):
        generator.generate_turns(table, states, new_menus(), new_rng(1), width, 1)
        assert (table.slots >= 0).sum() == table.desks[0]["entry_count"] > 500
        forget(table)
        assert (table.slots == generator.NO_ENTRY).all()
        assert (table.end_slots == generator.NO_ENTRY).all()
