"""Each kind of rule set that cannot be played is refused in one line that names the parameter (rules, 9 and 11)."""

from typing import Any

import pytest

from tests.games.torres.spoiling import POSITIONS, change
from tests.strategies import CARDS, PRINTED, SQUARES
from torres_mcts import Position, Rules, RulesError, TorresError

Overrides = dict[str, Any]


def refuse(overrides: Overrides, field: str, right: str, preset: str = "2017") -> None:
    """Check that a rule set is refused as the contract wants it."""
    with pytest.raises(RulesError) as caught:
        Rules.from_dict({"preset": preset, "players": 2, **overrides})
    message = str(caught.value)
    assert isinstance(caught.value, TorresError)
    assert isinstance(caught.value, ValueError)
    assert len(message.splitlines()) == 1
    assert message.startswith(f"{field}: ")
    assert right in message.removeprefix(field)


# Every number with its least and its greatest value.
LIMITS = {
    "players": (2, 4),
    "ap_per_turn": (1, 20),
    "cost_knight": (1, 9),
    "cost_move": (1, 9),
    "cost_block": (1, 9),
    "cost_buy": (1, 9),
    "cost_score": (1, 9),
    "buys_per_turn": (0, 9),
    "cards_per_turn": (0, 9),
    "draw": (1, 5),
    "score_track": (0, 1000),
    "knights": (1, 16),
    "blocks": (0, 160),
    "stack_limit": (1, 9),
    "min_castles": (0, 99),
    "master_min_knights": (0, 99),
}
# What must be changed with a parameter, so that its extreme can be played.
COMPANIONS = {
    ("blocks", 0): {"blocks": 8, "stacks": [[0], [0], [0]], "deck": {"supply": 0}},  # the start castles remain
    ("stack_limit", 1): {"stacks": [[1], [1], [1]]},
}


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("end", [0, 1], ids=["least", "greatest"])
def test_a_number_at_its_limit_is_accepted(name: str, end: int) -> None:
    limit = LIMITS[name][end]
    companions = COMPANIONS.get((name, limit), {})
    overrides = {"preset": "2017", "players": 2, name: limit, **companions}
    assert getattr(Rules.from_dict(overrides), name) == overrides[name]


@pytest.mark.parametrize("name", LIMITS)
def test_a_number_below_its_least_value_is_refused(name: str) -> None:
    least = LIMITS[name][0]
    refuse({name: least - 1}, name, f"must be at least {least}, not {least - 1}")


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("excess", [1, 2**63, 10**5000], ids=["just above", "2**63", "10**5000"])
def test_a_number_above_its_greatest_value_is_refused(name: str, excess: int) -> None:
    refuse({name: LIMITS[name][1] + excess}, name, f"must be at most {LIMITS[name][1]}, not ")


WRONG = {"true": True, "a fraction": 1.0, "a text": "1", "null": None, "a list": [1], "an object": {}}


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("value", WRONG.values(), ids=list(WRONG))
def test_what_is_no_whole_number_is_refused(name: str, value: object) -> None:
    refuse({name: value}, name, "expected a whole number, not ")


@pytest.mark.parametrize("name", ["keep_leftovers", "king_same_castle"])
@pytest.mark.parametrize("value", [0, 1, 1.0, "true", None, []], ids=str)
def test_what_is_neither_true_nor_false_is_refused(name: str, value: object) -> None:
    refuse({name: value}, name, "expected true or false, not ")


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("preset", "is not one of '2017', '2017-common', '2017-master'"),
        ("cards", "is not one of 'none', 'own', 'common' or 'hand'"),
        ("start_player", "is not one of 'named', 'stays' or 'leader'"),
        ("master_card", "is not one of 'castles', 'chain', 'diagonals'"),
    ],
)
@pytest.mark.parametrize("value", ["rows", "", 1, True, [], "OWN"], ids=repr)
def test_an_unknown_word_is_refused(name: str, right: str, value: object) -> None:
    refuse({name: value}, name, right)


@pytest.mark.parametrize("name", ["preset", "cards", "start_player"])
def test_null_is_refused_where_a_word_is_wanted(name: str) -> None:
    refuse({name: None}, name, "null is not one of ")


@pytest.mark.parametrize("name", ["king_bonus", "king_level", "stacks", "playable"])
@pytest.mark.parametrize("value", [3, True, None, "a1", {}], ids=repr)
def test_what_is_no_list_is_refused(name: str, value: object) -> None:
    refuse({name: value}, name, "expected a list, not ")


REFUSED = {
    "an unknown parameter": ({"knight": 6}, "knight", "unknown field; did you mean 'knights'?"),
    "two king's bonuses": ({"king_bonus": [5, 10]}, "king_bonus", "at least 3 entries, not 2"),
    "four king's bonuses": ({"king_bonus": [5, 10, 15, 20]}, "king_bonus", "at most 3 entries, not 4"),
    "a negative king's bonus": ({"king_bonus": [5, -1, 15]}, "king_bonus[1]", "at least 0, not -1"),
    "a king's bonus of 100": ({"king_bonus": [5, 10, 100]}, "king_bonus[2]", "at most 99, not 100"),
    "a king's bonus that is true": ({"king_bonus": [5, True, 9]}, "king_bonus[1]", "whole number, not true"),
    "two king's levels": ({"king_level": [1, 2]}, "king_level", "at least 3 entries, not 2"),
    "a king's level of 100": ({"king_level": [1, 2, 100]}, "king_level[2]", "at most 99, not 100"),
    "two years": ({"stacks": [[3], [3]]}, "stacks", "at least 3 entries, not 2"),
    "four years": ({"stacks": [[3]] * 4}, "stacks", "at most 3 entries, not 4"),
    "a year without stacks": ({"stacks": [[3], [], [3]]}, "stacks[1]", "at least 1 entry, not 0"),
    "a year of nine stacks": ({"stacks": [[3], [3], [1] * 9]}, "stacks[2]", "at most 8 entries, not 9"),
    "a negative stack": ({"stacks": [[3], [3], [-1]]}, "stacks[2][0]", "at least 0, not -1"),
    "a stack of ten": ({"stacks": [[3], [3], [10]]}, "stacks[2][0]", "at most 9, not 10"),
    "a stack above the limit": ({"stacks": [[3], [4], [3]]}, "stacks[1]", "lower the stack or raise the limit"),
    "a limit below the year cards": ({"stack_limit": 2}, "stacks[0]", "above stack_limit 2"),
    "a stack that is no number": ({"stacks": [[3], ["3"], [3]]}, "stacks[1][0]", "whole number, not '3'"),
    "a year that is no list": ({"stacks": [3, 3, 3]}, "stacks[0]", "expected a list, not 3"),
    "a track of one space": ({"score_track": 1}, "score_track", "use 0 (markers may share) or 2 to 1000"),
    "a track shorter than the players": (
        {"players": 4, "score_track": 3},
        "score_track",
        "use 0 (markers may share) or 4 to 1000",
    ),
    "ten of a card": ({"deck": {"jump": 10}}, "deck.jump", "at most 9, not 10"),
    "minus one of a card": ({"deck": {"jump": -1}}, "deck.jump", "at least 0, not -1"),
    "true of a card": ({"deck": {"jump": True}}, "deck.jump", "expected a whole number, not true"),
    "null of a card": ({"deck": {"jump": None}}, "deck.jump", "expected a whole number, not null"),
    "an unknown card": ({"deck": {"jumps": 1}}, "deck", "'jumps' is not a card; did you mean 'jump'?"),
    "a card that is no card": ({"deck": {"?": 1}}, "deck", f"'?' is not a card; cards are {', '.join(CARDS)}"),
    "a deck that is a list": ({"deck": ["jump"]}, "deck", "expected an object, not ['jump']"),
    "a deck that is null": ({"deck": None}, "deck", "expected an object, not null"),
    "an unknown playable square": ({"playable": ["a1", "i1"]}, "playable[1]", "write a file a-h and a rank 1-8"),
    "a playable square twice": ({"playable": ["a1", "b1", "a1"]}, "playable", "a1 occurs twice; name each square once"),
    "65 playable squares": ({"playable": [*SQUARES, "a1"]}, "playable", "at most 64 entries, not 65"),
    "a number as a square": ({"playable": [11]}, "playable[0]", "expected a text, not 11"),
    "no playable square": ({"playable": []}, "start_castles", "a4 is not a playable square"),
    "a start castle off the board": (
        {"playable": [square for square in SQUARES if square != "h5"]},
        "start_castles",
        "h5 is not a playable square; leave it out or make it playable",
    ),
    "an unknown start square": ({"start_castles": ["a1", "c1", "i1"]}, "start_castles", "write a file a-h"),
    "a start square twice": ({"start_castles": ["a1", "c1", "e1", "a1"]}, "start_castles", "a1 occurs twice"),
    "65 start squares": ({"start_castles": ["a1"] * 65}, "start_castles", "at most 64 entries, not 65"),
    "a number as a start square": ({"start_castles": [11]}, "start_castles", "such as e4, not 11"),
    "another word than placed": ({"start_castles": "place"}, "start_castles", "a list of squares or 'placed'"),
    "null start castles": ({"start_castles": None}, "start_castles", "a list of squares or 'placed', not null"),
    "no start castles": ({"start_castles": []}, "start_castles", "at least 3 are needed"),
    "two start castles for two": ({"start_castles": ["a1", "c1"]}, "start_castles", "at least 3 are needed"),
    "start castles that touch": (
        {"start_castles": ["a1", "a2", "c1", "c2"]},
        "start_castles",
        "2 castles are too few for 2 knights and the king; at least 3 are needed",
    ),
    "four start castles for four": (
        {"players": 4, "start_castles": ["a1", "c1", "e1", "g1"]},
        "start_castles",
        "at least 5 are needed",
    ),
    "placed castles on a part of the board": (
        {"start_castles": "placed", "playable": SQUARES[:63]},
        "start_castles",
        "needs all 64 squares playable",
    ),
    "one block too few": ({"blocks": 81}, "blocks", "at least 82 are needed"),
    "blocks for four": ({"players": 4, "blocks": 91}, "blocks", "8 start castles, 80 in stacks and 4 supply cards"),
    "no blocks": ({"blocks": 0}, "blocks", "at least 82 are needed"),
    "a supply card too many": ({"players": 4, "deck": {"supply": 2}}, "blocks", "at least 96 are needed"),
    "a common supply card too many": (
        {"players": 4, "cards": "common", "deck": {"supply": 2}},
        "blocks",
        "80 in stacks and 8 supply cards; at least 96 are needed",
    ),
    "placed castles and a block too few": (
        {"start_castles": "placed", "blocks": 81},
        "blocks",
        "8 start castles, 72 in stacks and 2 supply cards; at least 82 are needed",
    ),
    "a start castle too many": ({"players": 4, "start_castles": [*PRINTED, "a1"]}, "blocks", "at least 93"),
}


@pytest.mark.parametrize(("overrides", "field", "right"), REFUSED.values(), ids=list(REFUSED))
def test_rules_that_cannot_be_played_are_refused(overrides: Overrides, field: str, right: str) -> None:
    refuse(overrides, field, right)


@pytest.mark.parametrize("data", [None, 5, "2017", [], True], ids=repr)
def test_rules_that_are_no_object_are_refused(data: Any) -> None:
    with pytest.raises(RulesError, match="expected an object, not "):
        Rules.from_dict(data)


def test_rules_without_a_preset_are_refused() -> None:
    with pytest.raises(RulesError, match=r"^preset: is required$"):
        Rules.from_dict({"players": 2})


@pytest.mark.parametrize("name", ["2018", "", "two\nlines", None, 2017, []], ids=repr)
def test_an_unknown_preset_is_answered_with_the_known_ones(name: Any) -> None:
    with pytest.raises(RulesError) as caught:
        Rules.preset(name)
    assert len(str(caught.value).splitlines()) == 1
    assert "is not one of 2017, 2017-common, 2017-master, 1999, 1999-own, 1999-master, no-cards" in str(caught.value)


@pytest.mark.parametrize(
    ("overrides", "right"),
    [({"blocks": 81}, "rules.blocks: "), ({"start_castles": ["a1"]}, "rules.start_castles: ")],
    ids=["blocks", "start castles"],
)
def test_the_rules_of_a_position_are_refused_under_their_place_in_it(overrides: Overrides, right: str) -> None:
    with pytest.raises(RulesError, match=f"^{right}"):
        Position.from_dict(change(POSITIONS["turn"], {"rules": {"preset": "2017", **overrides}}))


@pytest.mark.parametrize(
    "overrides",
    [
        {"blocks": 82},
        {"players": 4},
        {"players": 4, "cards": "common", "deck": {"supply": 1}},
        {"players": 4, "cards": "none", "blocks": 88},
        {"start_castles": ["a1", "c1", "e1"]},
        {"start_castles": ["a1", "a2", "c1", "e1", "e2"]},
        {"start_castles": "placed", "playable": SQUARES},
        {"score_track": 2},
        {"stacks": [[9] * 2, [0], [0]], "stack_limit": 9},
        {"deck": dict.fromkeys(CARDS, 9), "cards": "common", "blocks": 160},
        {"deck": dict.fromkeys(CARDS, 0)},
        {"king_bonus": [0, 99, 0], "king_level": [0, 99, 0]},
    ],
    ids=str,
)
def test_rules_that_can_just_be_played_are_accepted(overrides: Overrides) -> None:
    rules = Rules.from_dict({"preset": "2017", "players": 2, **overrides})
    assert Rules.from_dict(rules.to_dict()) == rules
