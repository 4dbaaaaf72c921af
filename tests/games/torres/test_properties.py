"""What holds in every position of every game, whatever the rules (hypothesis)."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.naive.torres_board import castles, heights_of
from tests.strategies import (
    CARDS,
    SQUARES,
    count_cards,
    doctored,
    full_decks,
    kind_of,
    positions,
    random_game,
    random_rules,
    rules,
    seeds,
)
from torres_mcts import IllegalAction, Position, Rules
from torres_mcts.games.torres.engine.board import find_reach

pytestmark = pytest.mark.kernel

whole_games = settings(max_examples=20)  # of some hundred positions each
doctored_positions = st.builds(lambda seed: doctored(Random(seed)), seeds)


def game(seed: int, **fixed: Any) -> Iterator[tuple[Position, str, Position]]:
    """Play a random game under random rules: position, action, position after."""
    random = Random(seed)
    return random_game(random, Position.new(random_rules(random, **fixed), seed=seed))


# What is conserved


def count_blocks(position: Position) -> int:
    """Add up the blocks on the board, in stacks, in use, kept and in the supply."""
    entry = position.to_dict()
    held = sum(sum(player["stacks"]) + player["kept"] for player in entry["players"])
    board = sum(heights_of(entry).values())
    return board + held + (entry["turn"]["in_use"] or 0) + int(position.state["supply"])


@whole_games
@given(seeds)
def test_no_action_makes_or_loses_a_block(seed: int) -> None:
    for position, action, after in game(seed):
        assert count_blocks(after) == position.rules.blocks, action


@whole_games
@given(seeds)
def test_no_action_makes_or_loses_a_card(seed: int) -> None:
    for position, action, after in game(seed):
        assert count_cards(after) == full_decks(position.rules), action


# The board and the score track


@whole_games
@given(seeds)
def test_no_castle_is_ever_higher_than_its_area(seed: int) -> None:
    for _, action, after in game(seed, cards="hand", deck={"shift": 3}):
        heights = heights_of(after.to_dict())
        for castle in castles(heights):
            assert max(heights[square] for square in castle) <= len(castle), action


@whole_games
@given(seeds)
def test_no_two_castles_ever_merge(seed: int) -> None:
    for position, action, after in game(seed):
        before = castles(heights_of(position.to_dict()))
        for castle in castles(heights_of(after.to_dict())):
            assert sum(bool(castle & other) for other in before) <= 1, action


@whole_games
@given(seeds)
def test_only_shift_and_under_found_a_castle_after_the_set_up(seed: int) -> None:
    for position, action, after in game(seed):
        if position.phase != "castles" and kind_of(action) not in ("card:shift", "card:under"):
            before = len(castles(heights_of(position.to_dict())))
            assert len(castles(heights_of(after.to_dict()))) == before, action


@whole_games
@given(seeds, st.sampled_from([4, 7, 100, 1000]))
def test_no_two_markers_share_a_space_except_on_0_before_they_first_move(seed: int, track: int) -> None:
    for _, action, after in game(seed, score_track=track):
        moved = Counter(score % track for score in after.scores.values() if score > 0)
        still = {0} if 0 in after.scores.values() else set()
        assert max(moved.values(), default=0) <= 1, action
        assert not still & set(moved), action


# Actions


@given(st.one_of(positions, doctored_positions))
def test_every_listed_action_can_be_played(position: Position) -> None:
    for action in position.legal_actions():
        after = position.play(action)
        assert Position.from_dict(after.to_dict()) == after, action


@given(st.one_of(positions, doctored_positions))
def test_playing_changes_nothing_in_the_position_played_on(position: Position) -> None:
    before = json.dumps(position.to_dict())
    for action in position.legal_actions()[:20]:
        position.play(action)
    assert json.dumps(position.to_dict()) == before


def random_token(random: Random, position: Position) -> str:
    """Write an action at random: a legal one with one square or number changed, or one of any kind."""
    here, there, card = random.choice(SQUARES), random.choice(SQUARES), random.choice(CARDS)
    legal = position.legal_actions()
    if legal and random.random() < 0.5:
        parts = re.split("([a-h][1-8]|[0-9])", random.choice(legal))
        places = range(1, len(parts), 2)
        if places:
            place = random.choice(places)
            parts[place] = here if len(parts[place]) == 2 else str(random.randint(0, 9))
            return "".join(parts)
    simple = ["buy", "score", "end", "end:3,2", "king:stay", "card:ap6", "card:ap7", f"first:{position.names[0]}"]
    squares = [f"{word}:{here}" for word in ("castle", "knight", "king", "block", "card:supply")]
    pairs = [f"move:{here}-{there}", f"card:{card}:{here}-{there}", f"card:under:{here}:{random.choice('123u')}"]
    return random.choice([*simple, *squares, *pairs, f"keep:{card}", f"keep:{card};top:{random.choice(CARDS)}"])


@given(st.one_of(positions, doctored_positions), seeds)
def test_no_action_that_is_not_listed_is_accepted(position: Position, seed: int) -> None:
    random = Random(seed)
    legal = set(position.legal_actions())
    for token in {random_token(random, position) for _ in range(100)} - legal:
        with pytest.raises(IllegalAction):
            position.play(token)


@pytest.mark.parametrize("text", ["", " ", "end ", "END", "move", "move:e4", "move:e4-e9", "block:i1", "card:", "end:"])
def test_a_text_that_is_no_action_is_not_accepted(text: str) -> None:
    position = Position.new(Rules.preset("2017"), seed=1)
    for action in ("knight:a4", "knight:c3", "king:e1"):
        position = position.play(action)
    with pytest.raises(IllegalAction):
        position.play(text)


# Text


@given(st.one_of(positions, doctored_positions))
def test_a_position_read_from_its_text_is_written_as_the_same_text(position: Position) -> None:
    text = json.dumps(position.to_dict())
    assert json.dumps(Position.from_dict(json.loads(text)).to_dict()) == text


@given(rules)
def test_rules_read_from_their_text_are_the_same_rules(rules: Rules) -> None:
    assert Rules.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules


# The eight symmetries of the square

SYMMETRIES = list(product([False, True], repeat=3))


def move_square(square: str, symmetry: tuple[bool, bool, bool]) -> str:
    """Return where a symmetry takes a square: perhaps swap file and rank, perhaps turn round either.

    >>> move_square("a2", (False, True, False)), move_square("a2", (True, False, False))
    ('h2', 'b1')
    """
    swap, turn_files, turn_ranks = symmetry
    file, rank = "abcdefgh".index(square[0]), "12345678".index(square[1])
    if swap:
        file, rank = rank, file
    return "abcdefgh"[7 - file if turn_files else file] + "12345678"[7 - rank if turn_ranks else rank]


def move_text(text: str, symmetry: tuple[bool, bool, bool]) -> str:
    """Return where a symmetry takes every square of a text."""
    return re.sub("[a-h][1-8]", lambda match: move_square(match[0], symmetry), text)


def move_position(position: Position, symmetry: tuple[bool, bool, bool]) -> Position:
    """Return the position with the whole board turned or mirrored."""
    entry = position.to_dict()
    castles = position.rules.start_castles
    entry["rules"]["start_castles"] = castles if isinstance(castles, str) else list(castles)
    entry["rules"]["playable"] = list(position.rules.playable)
    heights = {
        f"{file}{8 - row}": sign
        for row, signs in enumerate(entry.pop("heights"))
        for file, sign in zip("abcdefgh", signs, strict=True)
    }
    turned = json.loads(move_text(json.dumps(entry), symmetry))
    by_square = {move_square(square, symmetry): sign for square, sign in heights.items()}
    turned["heights"] = ["".join(by_square[file + rank] for file in "abcdefgh") for rank in "87654321"]
    return Position.from_dict(turned)


@given(st.one_of(positions, doctored_positions), st.sampled_from(SYMMETRIES[1:]))
def test_turning_or_mirroring_the_board_turns_the_legal_actions(
    position: Position, symmetry: tuple[bool, bool, bool]
) -> None:
    turned = sorted(move_text(action, symmetry) for action in position.legal_actions())
    assert move_position(position, symmetry).legal_actions() == turned


@whole_games
@given(seeds, st.sampled_from(SYMMETRIES[1:]))
def test_turning_or_mirroring_the_board_changes_nothing_but_the_squares_of_a_game(
    seed: int, symmetry: tuple[bool, bool, bool]
) -> None:
    turned = None
    for position, action, after in game(seed):
        turned = turned or move_position(position, symmetry)
        turned = turned.play(move_text(action, symmetry))
        assert turned == move_position(after, symmetry), action


# What the state remembers of its board


@numba.njit
def walk(states: np.ndarray, square: int) -> np.uint64:
    """Find anew where a knight on a square may walk."""
    return find_reach(states[0], square)


def remembered(state: Any) -> dict[str, Any]:
    """Return what a state remembers of its board, castles without their numbers."""
    castles = [int(squares) for squares in state["castle_squares"][: state["castle_count"]]]
    numbers = [int(number) for number in state["castle_of"]]
    bare = ~int(state["planes"][1])
    return {
        "castles": sorted(castles),
        "castle of each square": [castles[number] if number < len(castles) else 0 for number in numbers],
        "growable": int(state["growable"]),
        "beside one": int(state["beside_one"]) & bare,
        "beside many": int(state["beside_many"]) & bare,
        "free": int(state["free"]),
        "planes": state["planes"].tolist(),
    }


def check_memory(position: Position) -> None:
    """Compare what a position remembers with a survey of the same board."""
    position.legal_actions()  # which is what makes it remember walks
    fresh = Position.from_dict(position.to_dict())
    assert remembered(position.state) == remembered(fresh.state)
    states = fresh.state.copy().reshape(1)
    for square in range(64):
        if int(position.state["reach_known"]) >> square & 1:
            assert int(position.state["reach"][square]) == int(walk(states, square)), square


@whole_games
@given(seeds)
def test_what_a_state_remembers_of_its_board_is_what_a_fresh_survey_finds(seed: int) -> None:
    for _, _, after in game(seed):
        check_memory(after)


@given(seeds)
def test_what_a_state_remembers_is_right_after_any_shift(seed: int) -> None:
    random = Random(seed)
    position = doctored(random, cards="hand", cards_per_turn=1, min_castles=0)  # with towers as high as allowed
    shifts = [action for action in position.legal_actions() if action.startswith("card:shift")]
    for action in random.sample(shifts, min(len(shifts), 60)):
        check_memory(position.play(action))
