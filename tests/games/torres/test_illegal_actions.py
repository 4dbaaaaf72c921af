"""An illegal action is refused with the true reason."""

from typing import Any

import pytest

from tests.games.torres.refusing import BOARD, RULES, on_board, refuse
from tests.games.torres.spoiling import POSITIONS, change
from tests.strategies import SQUARES
from torres_mcts import IllegalAction, Position

# Means


@pytest.mark.parametrize(
    ("action", "cost", "left"),
    [("knight:e4", 2, 1), ("move:c4-b4", 1, 0), ("block:a5", 1, 0), ("buy", 1, 0), ("score", 1, 0)],
)
def test_an_action_that_costs_more_than_is_left_is_refused(action: str, cost: int, left: int) -> None:
    refuse(on_board(turn__ap=left), action, f"it costs {cost} AP, and {left} are left")


def test_the_cost_in_the_reason_is_that_of_the_rules() -> None:
    refuse(on_board(rules={**RULES, "cost_score": 6}), "score", "it costs 6 AP, and 5 are left")


MEANS = {
    "all knights are placed": (on_board(rules__knights=2), "knight:e4", "all 2 knights are on the board"),
    "the stack in use is empty": (
        on_board(turn__in_use=0, players__0__stacks=[3, 3, 3]),
        "block:a5",
        "the stack of this turn has no block left",
    ),
    "all stacks are empty": (on_board(players__0__stacks=[0] * 4), "block:a5", "the stack of this turn has no block"),
    "two cards were bought": (on_board(turn__bought=2), "buy", "at most 2 cards may be bought in a turn"),
    "the pile is empty": (on_board(players__0__deck=[]), "buy", "the pile is empty"),
    "no cards are sold": (POSITIONS["hand"], "buy", "these rules have no cards to buy"),
    "there are no cards": (POSITIONS["no-cards"], "buy", "these rules have no cards to buy"),
    "a card was played": (on_board(turn__cards_played=1), "card:ap6", "at most 1 cards may be played in a turn"),
    "the card is not in hand": (on_board(players__0__hand=["jump"]), "card:ap6", "ap6 is not in the hand"),
    "the card is in another hand": (
        on_board(players__0__hand=["jump"], players__1__hand=["ap6"]),
        "card:ap6",
        "ap6 is not in the hand",
    ),
    "the card may be an unknown one": (
        on_board(players__0__hand=["?", "jump"]),
        "card:ap6",
        "ap6 is not in the hand",
    ),
    "the card was bought this turn": (
        on_board(players__0__hand=["ap6", "jump"], players__0__fresh=["ap6"]),
        "card:ap6",
        "ap6 was bought this turn and may be played from the next on",
    ),
}


@pytest.mark.parametrize(("data", "action", "reason"), MEANS.values(), ids=list(MEANS))
def test_an_action_without_the_means_is_refused(data: dict[str, Any], action: str, reason: str) -> None:
    refuse(data, action, reason)


# Squares

SQUARE_REASONS = {
    "move:d4-d5": "'red' has no knight on d4",
    "move:a2-a3": "'red' has no knight on a2",
    "move:c4-d4": "a knight of 'blue' stands on d4",
    "move:c4-c4": "a knight of 'red' stands on c4",
    "move:c4-c3": "c3 is 3 levels above c4; one at most is possible",
    "move:c4-h5": "the king stands on h5",
    "move:c4-h8": "h8 cannot be reached from c4 by a step or through a castle",
    "move:a1-a1": "'red' has no knight on a1",
    "knight:d4": "a knight of 'blue' stands on d4",
    "knight:h5": "the king stands on h5",
    "knight:h8": "h8 is not beside another own knight",
    "knight:c3": "c3 is 3 high, above the own knights beside it (level 0)",
    "knight:d3": "d3 is 2 high, above the own knights beside it (level 1)",
    "block:d4": "a knight of 'blue' stands on d4",
    "block:h5": "the king stands on h5",
    "block:a7": "a7 is not beside a castle, and a block never starts one",
    "block:c3": "c3 is 3 high already, and its castle has only 3 squares",
    "block:d8": "d8 is 1 high already, and its castle has only 1 square",
    "block:c2": "a block on c2 would join two castles",
    "card:supply:c2": "a block on c2 would join two castles",
    "card:supply:a1": "a knight of 'blue' stands on a1",
    "card:climb:a1-a2": "'red' has no knight on a1",
    "card:climb:c4-c3": "climb goes exactly two levels up; from c4 to c3 it is 3",
    "card:climb:c4-c5": "climb goes exactly two levels up; from c4 to c5 it is 0",
    "card:climb:c4-a4": "a4 is not beside c4",
    "card:climb:c4-d4": "a knight of 'blue' stands on d4",
    "card:diagonal:c4-c5": "c5 is not diagonally beside c4",
    "card:diagonal:c4-d3": "d3 is 2 levels above c4; one at most is possible",
    "card:diagonal:e3-d4": "a knight of 'blue' stands on d4",
    "card:jump:c4-c6": "no opposing knight stands on c5 to jump over",
    "card:jump:c4-e5": "e5 is not two steps from c4 in a straight line",
    "card:jump:c4-f4": "f4 is not two steps from c4 in a straight line",
    "card:jump:e3-c3": "no opposing knight stands on d3 to jump over",
    "card:gate:c4-h8": "h8 has no door of the same castle",
    "card:gate:c4-a1": "a knight of 'blue' stands on a1",
    "card:transfer:c4-h8": "h8 is not beside another own knight",
    "card:transfer:c4-b4": "b4 is not beside another own knight",
    "card:transfer:c4-d3": "d3 is 2 high, above the own knights beside it (level 1)",
    "card:under:a1:3": "'red' has no knight on a1",
    "card:under:c4:2": "'red' has no stack of 2",
    "card:under:c4:use": "no stack with a block is in use",
    "card:shift:a8-b8": "a8 has no block",
    "card:shift:h5-h6": "the king stands on h5",
    "card:shift:e3-e4": "a knight of 'red' stands on e3",
    "card:shift:d8-d4": "a knight of 'blue' stands on d4",
    "card:shift:d8-d8": "the block must go to another square",
    "card:shift:d8-c2": "a block on c2 would join two castles",
    "card:shift:d8-c6": "c6 is 1 high already, and its castle has only 1 square",
    "card:shift:d8-c3": "c3 is 3 high already, and its castle has only 3 squares",
}


@pytest.mark.parametrize(("action", "reason"), SQUARE_REASONS.items(), ids=list(SQUARE_REASONS))
def test_an_action_on_a_wrong_square_is_refused(action: str, reason: str) -> None:
    refuse(BOARD, action, reason)


BOARD_REASONS = {
    "a knight that would jump too high": (
        on_board(
            players__1__knights=["d3"],
            players__0__knights=["d4"],
            heights=BOARD["heights"][:6] + ["...2....", "..121..."],
        ),
        "card:jump:d4-d2",
        "d2 is 2 levels above d4; one at most is possible",
    ),
    "a knight before no door": (on_board(players__0__knights=["h8"]), "card:gate:h8-a3", "h8 is not before a door"),
    "a block under a knight that is as high as it may be": (
        on_board(players__0__knights=["d8"]),
        "card:under:d8:3",
        "d8 is 1 high already, and its castle has only 1 square",
    ),
    "a block under a knight between two castles": (
        on_board(players__0__knights=["c2"]),
        "card:under:c2:3",
        "a block on c2 would join two castles",
    ),
    "a lifted block that holds a castle together": (
        on_board(
            heights=["........"] * 6 + ["111.....", "........"], king="c2", players__0__knights=[], rules__min_castles=0
        ),
        "card:shift:b2-h8",
        "lifting the only block of b2 would split its castle",
    ),
    "a lifted block that a tower needs": (
        on_board(
            heights=["........"] * 6 + ["21......", "........"], king="a2", players__0__knights=[], rules__min_castles=0
        ),
        "card:shift:b2-h8",
        "without the block of b2 its castle would be higher than its area",
    ),
    "a lifted block that is a castle of the last six": (
        on_board(heights=["1.1.1.1.", "........", "1.1....."] + ["........"] * 5, king="a8", players__0__knights=[]),
        "card:shift:c6-b8",
        "would join two castles",
    ),
    "a lifted block that leaves five castles": (
        on_board(heights=["1.1.1.1.", "........", "1.1....."] + ["........"] * 5, king="a8", players__0__knights=[]),
        "card:shift:c6-h8",
        "5 castles would stand; at least 6 must",
    ),
    "a square that is not playable": (
        on_board(
            rules={
                **RULES,
                "playable": [square for square in SQUARES if square != "b4"],
                "start_castles": ["a1", "c1", "e1"],
            }
        ),
        "move:c4-b4",
        "b4 is not a playable square",
    ),
}


@pytest.mark.parametrize(("data", "action", "reason"), BOARD_REASONS.values(), ids=list(BOARD_REASONS))
def test_an_action_that_the_board_forbids_is_refused(data: dict[str, Any], action: str, reason: str) -> None:
    refuse(data, action, reason)


# Phases

PHASE_ACTIONS = {
    "castles": ["castle:a1"],
    "knights": ["knight:a1"],
    "king": ["king:a1", "king:stay"],
    "first": ["first:red"],
    "keep": ["keep:ap6", "keep:ap6;top:under"],
    "turn": ["move:c3-c4", "block:c4", "buy", "score", "end", "end:3,3", "card:ap6", "card:gate:c3-c4", "knight:a1"],
}
ELSEWHERE = [
    (phase, action, kind)
    for phase in ("castles", "knights", "king-setup", "turn", "keep", "king", "first", "over")
    for kind, actions in PHASE_ACTIONS.items()
    for action in actions
    if kind not in phase and not (action.startswith("knight") and phase in ("knights", "turn"))
]


@pytest.mark.parametrize(("phase", "action", "kind"), ELSEWHERE)
def test_an_action_of_another_phase_is_refused(phase: str, action: str, kind: str) -> None:
    before_king = action == "king:stay" and phase in ("castles", "knights")
    refuse(
        POSITIONS[phase], action, "not on the board yet" if before_king else f"the phase is {phase}; this belongs to "
    )


PHASE_REASONS = {
    "a castle too near": ("castles", "castle:c5", "c5 is less than three steps away from another block"),
    "a castle on a castle": ("castles", "castle:c3", "c3 is less than three steps away from another block"),
    "a first knight on the ground": (
        "knights",
        "knight:a1",
        "a1 is bare ground; in the set-up pieces stand on castles",
    ),
    "a first knight on another": ("knights", "knight:c3", "a knight of 'red' stands on c3"),
    "a king on a knight": ("king-setup", "king:c3", "a knight of 'red' stands on c3"),
    "a king on the ground": ("king-setup", "king:a1", "a1 is bare ground; in the set-up pieces stand on castles"),
    "a king that stays nowhere": ("king-setup", "king:stay", "the king is not on the board yet"),
    "a king's move to the ground": ("king", "king:a1", "a1 is bare ground; the king stands on a block"),
    "a king's move to a knight": ("king", "king:c3", "a knight of 'red' stands on c3"),
    "a king's move to where it stands": ("king", "king:h5", "the king stands there already; write king:stay"),
    "an unknown start player": ("first", "first:Red", "no such player; players are 'red', 'blue'"),
    "no start player": ("first", "first:", "no such player; players are 'red', 'blue'"),
    "a card that was not drawn": ("keep", "keep:jump;top:under", "possible are keep:ap6;bottom:under"),
    "a card kept, none returned": ("keep", "keep:ap6", "possible are keep:ap6;bottom:under"),
    "a card returned twice": ("keep", "keep:ap6;top:under;bottom:under", "possible are keep:ap6;bottom:under"),
    "leftovers dealt in an impossible way": ("turn", "end:3,3,2", "not possible here; possible are end"),
}


@pytest.mark.parametrize(("phase", "action", "reason"), PHASE_REASONS.values(), ids=list(PHASE_REASONS))
def test_an_action_of_the_phase_that_its_rules_forbid_is_refused(phase: str, action: str, reason: str) -> None:
    refuse(POSITIONS[phase], action, reason)


def test_the_king_may_not_be_set_up_on_the_corner_by_staying() -> None:
    data = change(POSITIONS["king-setup"], {"heights.7": "1...1..."})
    assert "king:a1" in Position.from_dict(data).legal_actions()
    refuse(data, "king:stay", "the king is not on the board yet")


def test_a_castle_that_carries_a_piece_gets_no_second_one_in_the_set_up() -> None:
    data = change(POSITIONS["knights"], {"heights.5": "..11.1.."})
    refuse(data, "knight:d3", "the castle of d3 carries a piece already")


def test_the_king_may_not_move_within_its_castle_by_the_rules_of_2017() -> None:
    data = change(POSITIONS["king"], {"heights.3": "......11"})
    refuse(data, "king:g5", "g5 is in the castle where the king stands; it may go to another one")


# Chance and secrets


@pytest.mark.parametrize("action", ["buy", "buy:"])
def test_nothing_is_bought_from_an_unknown_pile(action: str) -> None:
    with pytest.raises(IllegalAction, match="unknown; use determinize" if action == "buy" else "write buy"):
        Position.from_dict(POSITIONS["turn"]).play(action)


def test_nothing_is_kept_of_unknown_cards() -> None:
    data = change(POSITIONS["keep"], {"turn.drawn": ["ap6", "?"]})
    refuse(data, "keep:ap6;top:?", "a drawn card is unknown; use determinize")


def test_a_year_is_not_scored_while_the_master_card_is_to_be_drawn() -> None:
    changes = {"round": 4, "to_move": "blue", "players.0.stacks": [], "players.1.stacks": [3]}
    position = Position.from_dict(change(POSITIONS["hand"], changes))
    with pytest.raises(IllegalAction, match="the year cannot be scored while master_card is 'random'"):
        position.play("end")
