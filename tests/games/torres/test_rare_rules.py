"""Rules that games seldom come to, each worked out by hand from the rules page."""

from typing import Any

import pytest

from tests.strategies import CASTLES, NAMES, entry
from torres_mcts import Position, PositionError, Rules

pytestmark = pytest.mark.kernel


def last_turn_of_year(
    players: list[dict[str, Any]], *, year: int = 1, first: str = "red", heights: dict[str, int] = CASTLES, **rules: Any
) -> Position:
    """Return the last turn of a year of one round, the player before the start player to move."""
    names = NAMES[: len(players)]
    mover = names[names.index(first) - 1]
    rules = {"preset": "no-cards", "stacks": [[3], [3, 1, 0], [3]], "score_track": 0} | rules
    stacks = {name: {"stacks": []} for name in names} | {mover: {"stacks": [3]}}
    full = [stacks[name] | player for name, player in zip(names, players, strict=True)]
    return Position.from_dict(entry(rules, heights, "h5", full, year=year, to_move=mover, first=first))


def test_the_first_knights_need_a_castle_without_any_piece() -> None:
    rules = Rules.preset("2017", start_castles=["a1", "a2", "c1", "e1"])
    position = Position.new(rules, seed=1).play("knight:a1")
    assert position.legal_actions() == ["knight:c1", "knight:e1"]


def test_the_king_is_set_up_on_a_castle_without_any_piece() -> None:
    rules = Rules.preset("2017", start_castles=["a1", "a2", "c1", "e1", "e2"])
    position = Position.new(rules, seed=1).play("knight:a1").play("knight:c1")
    assert position.legal_actions() == ["king:e1", "king:e2"]


@pytest.mark.parametrize(("first", "last"), [("red", "green"), ("blue", "red"), ("green", "blue")])
def test_of_several_with_the_fewest_points_the_last_in_turn_order_moves_the_king(first: str, last: str) -> None:
    position = last_turn_of_year([{"knights": []}] * 3, first=first)
    assert position.play("end").to_move == last


def test_the_player_with_the_fewest_points_moves_the_king_before_one_later_in_turn_order() -> None:
    players = [{"knights": [], "score": 5}, {"knights": [], "score": 2}, {"knights": [], "score": 5}]
    assert last_turn_of_year(players).play("end").to_move == "blue"


@pytest.mark.parametrize(
    ("scores", "leader"),
    [
        ([0, 0, 0], "blue"),  # all at 0: no change
        ([4, 4, 4], "blue"),  # the current start player is among the leaders
        ([4, 0, 4], "green"),  # else the next of them clockwise
        ([4, 3, 0], "red"),
        ([3, 4, 5], "green"),
    ],
)
def test_the_leader_begins_the_round(scores: list[int], leader: str) -> None:
    players = [{"knights": [], "score": score, "stacks": [3]} for score in scores]
    players[0]["stacks"] = [3, 3]  # red is the last of the round that blue began
    rules = {"preset": "no-cards", "stacks": [[3, 3], [3], [3]], "start_player": "leader", "score_track": 0}
    position = Position.from_dict(entry(rules, CASTLES, "h5", players, to_move="red", first="blue"))
    after = position.play("end").to_dict()
    assert (after["first"], after["to_move"]) == (leader, leader)


def test_kept_blocks_do_not_return_to_the_supply() -> None:
    position = last_turn_of_year([{"knights": []}] * 2)
    after = position.play("end")
    assert after.to_dict()["players"][1]["kept"] == 3
    assert after.state["supply"] == position.state["supply"]


def test_blocks_that_are_not_kept_return_to_the_supply() -> None:
    position = last_turn_of_year([{"knights": []}] * 2, keep_leftovers=False)
    after = position.play("end")
    assert after.to_dict()["players"][1]["kept"] == 0
    assert after.state["supply"] == position.state["supply"] + 3


def test_blocks_left_in_the_last_year_return_to_the_supply() -> None:
    position = last_turn_of_year([{"knights": []}] * 2, year=3)
    assert position.play("end").state["supply"] == position.state["supply"] + 3


# On the board 10, in blue's stack 3, to come 2 x (4 + 3) = 14: of 28 blocks one is left for red to keep.
TIGHT: dict[str, Any] = {"heights": CASTLES | {"c5": 1, "c7": 1}, "blocks": 28}


def test_a_position_whose_kept_blocks_leave_the_supply_just_enough_is_accepted() -> None:
    assert last_turn_of_year([{"knights": [], "kept": 1}, {"knights": []}], **TIGHT).state["supply"] == 14


def test_a_position_whose_kept_blocks_are_missing_in_the_supply_is_refused() -> None:
    with pytest.raises(PositionError, match="supply"):
        last_turn_of_year([{"knights": [], "kept": 2}, {"knights": []}], **TIGHT)


def test_kept_blocks_are_dealt_one_by_one_onto_the_lowest_stack() -> None:
    position = last_turn_of_year([{"knights": []}] * 2).play("end").play("king:stay").play("first:red")
    assert position.to_dict()["players"][1]["stacks"] == [3, 2, 2]  # 3 1 0, then 3 1 1, 3 2 1, 3 2 2


def test_kept_blocks_that_fit_nowhere_return_to_the_supply() -> None:
    position = last_turn_of_year([{"knights": []}] * 2, stacks=[[3], [3, 2], [3]])
    new_year = position.play("end").play("king:stay").play("first:red")
    assert new_year.to_dict()["players"][1]["stacks"] == [3, 3]
    assert new_year.state["supply"] == position.state["supply"] - 2 * 5 + 2


SQUARE = ["g7", "g8", "h7", "h8"]


def master_points(card: str, knights: list[str], **rules: Any) -> int:
    """Return what a master card gives red at the end of year 3, red standing on bare ground."""
    position = last_turn_of_year([{"knights": knights}, {"knights": []}], year=3, master_card=card, **rules)
    return position.play("end").scores["red"]


def test_the_square_needs_no_more_than_its_four_knights() -> None:
    assert master_points("square", SQUARE, master_min_knights=5) == 50


@pytest.mark.parametrize("card", ["row", "same-level", "chain"])
def test_the_cards_for_all_knights_need_enough_knights(card: str) -> None:
    assert master_points(card, ["g8", "h8"], master_min_knights=3) == 0


@pytest.mark.parametrize(("card", "points"), [("row", 50), ("same-level", 50), ("chain", 40)])
def test_just_enough_knights_win_the_cards_for_all_knights(card: str, points: int) -> None:
    assert master_points(card, ["g8", "h8"], master_min_knights=2) == points


@pytest.mark.parametrize(("knights", "points"), [(["h8"], 40), (["g8", "h8"], 0)])
def test_ground_counts_as_a_level(knights: list[str], points: int) -> None:
    assert master_points("different-levels", knights) == points
