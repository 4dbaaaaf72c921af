"""Positions that the contract allows are accepted, and what they leave out is filled in as its table says."""

import copy
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.games.torres.spoiling import CASTLES, MISSING, POSITIONS, change
from tests.naive.torres_board import write_heights
from tests.strategies import CARDS, NAMES, SQUARES, read_vectors
from torres_mcts import Position, Rules

VECTORS = read_vectors("positions.jsonl")
NO_TURN = {"ap": 0, "in_use": None, "bought": 0, "cards_played": 0, "drawn": []}
MINIMAL = {
    "format": "torres-position/1",
    "rules": "2017",
    "heights": write_heights(CASTLES),
    "king": "h5",
    "players": [{"knights": ["c3"]}, {"knights": ["f6"]}],
}


def accept(changes: dict[str, Any] | None = None, *, base: dict[str, Any] = MINIMAL) -> dict[str, Any]:
    """Return the canonical form of a position with some changes."""
    return Position.from_dict(change(base, changes or {})).to_dict()


def player(changes: dict[str, Any], *, base: dict[str, Any] = MINIMAL) -> dict[str, Any]:
    """Return the canonical form of player 0 after some changes."""
    return accept(changes, base=base)["players"][0]


# What is left out


@pytest.mark.parametrize(
    ("field", "value"),
    {
        "rules": {"preset": "2017", "players": 2},
        "year": 1,
        "round": 1,
        "phase": "turn",
        "to_move": "red",
        "first": "red",
        "turn": {**NO_TURN, "ap": 5},
    }.items(),
)
def test_a_minimal_file_is_filled_in(field: str, value: object) -> None:
    assert accept()[field] == value


@pytest.mark.parametrize(
    ("field", "value"),
    {
        "name": "red",
        "score": 0,
        "stacks": [3, 3, 3, 3],
        "hand": [],
        "fresh": [],
        "deck": ["?"] * 10,
        "played": [],
        "kept": 0,
    }.items(),
)
def test_a_minimal_player_is_filled_in(field: str, value: object) -> None:
    assert player({})[field] == value


@pytest.mark.parametrize("number", [2, 3, 4])
def test_as_many_play_as_are_listed(number: int) -> None:
    data = accept({"players": [{"knights": []} for _ in range(number)]})
    assert (data["rules"]["players"], [seat["name"] for seat in data["players"]]) == (number, NAMES[:number])


def test_a_player_without_a_name_gets_the_colour_of_the_seat() -> None:
    data = accept({"players.0.name": "Ann"})
    assert [seat["name"] for seat in data["players"]] == ["Ann", "blue"]


def test_the_start_player_is_to_move_where_nothing_is_said() -> None:
    assert accept({"first": "blue"})["to_move"] == "blue"


def test_the_player_to_move_is_the_viewpoint_where_nothing_is_said() -> None:
    position = Position.from_dict(change(MINIMAL, {"first": "blue"}))
    assert (position.viewpoint, "viewpoint" in position.to_dict()) == ("blue", False)


def test_a_viewpoint_is_kept() -> None:
    assert accept({"viewpoint": "blue"})["viewpoint"] == "blue"


def test_a_turn_has_all_its_action_points_where_nothing_is_said() -> None:
    assert accept({"rules": {"preset": "2017", "ap_per_turn": 7}})["turn"]["ap"] == 7


@pytest.mark.parametrize("phase", ["castles", "knights", "king-setup", "king", "first", "over"])
def test_no_turn_is_under_way_in_other_phases_where_nothing_is_said(phase: str) -> None:
    assert accept(base=POSITIONS[phase])["turn"] == NO_TURN


def test_the_choice_of_a_card_has_no_action_points_where_nothing_is_said() -> None:
    assert accept({"turn.ap": MISSING}, base=POSITIONS["keep"])["turn"]["ap"] == 0


@pytest.mark.parametrize("phase", ["king", "first", "over"])
def test_no_stacks_are_left_after_a_year_where_nothing_is_said(phase: str) -> None:
    changes = {"players.0.stacks": MISSING, "players.1.stacks": MISSING}
    assert player(changes, base=POSITIONS[phase])["stacks"] == []


@pytest.mark.parametrize(("year", "stacks"), [(1, [3, 3, 2, 2]), (2, [3, 3, 2]), (3, [3, 3, 2])])
def test_stacks_are_those_of_the_year_card_where_nothing_is_said(year: int, stacks: list[int]) -> None:
    assert player({"year": year, "players": [{"knights": []}] * 3})["stacks"] == stacks


def test_a_pile_has_all_cards_that_are_nowhere_else() -> None:
    changes = {"players.0.hand": ["ap6", "?"], "players.0.played": ["jump"]}
    assert player(changes)["deck"] == ["?"] * 7


def test_a_pile_has_no_card_that_was_drawn() -> None:
    assert player({}, base=POSITIONS["keep"])["deck"] == ["?"] * 8


def test_a_common_pile_has_all_cards_that_are_nowhere_else() -> None:
    changes = {"players.0.hand": ["ap6", "?"], "players.1.hand": ["ap6"], "players.1.played": ["jump"]}
    assert accept(changes, base=POSITIONS["common"])["deck"] == ["?"] * 36


def test_only_a_common_deck_has_a_common_pile() -> None:
    assert ["deck" in accept(base=POSITIONS[name]) for name in ("common", "turn", "hand", "no-cards")] == [
        True,
        False,
        False,
        False,
    ]


def test_all_cards_that_were_not_played_are_in_hand_by_such_rules() -> None:
    hand = player({"players.0.played": ["jump"]}, base=POSITIONS["hand"])["hand"]
    assert hand == [card for card in CARDS if card != "jump"]


@pytest.mark.parametrize("base", POSITIONS)
def test_every_phase_is_accepted_and_read_again_as_it_was_written(base: str) -> None:
    data = accept(base=POSITIONS[base])
    assert accept(base=data) == data


@pytest.mark.parametrize("base", POSITIONS)
def test_what_was_left_out_is_dealt_as_if_it_had_been_written(base: str) -> None:
    cards = [] if base == "no-cards" else ["climb"]
    position = Position.from_dict(change(POSITIONS[base], {"players.0.hand": cards, "players.1.hand": cards}))
    written = Position.from_dict(position.to_dict())
    assert all(position.determinize(seed) == written.determinize(seed) for seed in range(20))


# What may be written in several ways


def test_lists_are_sorted_with_unknown_cards_last() -> None:
    changes = {
        "players.0.knights": ["f3", "a1", "c3"],
        "players.0.hand": ["?", "under", "ap6"],
        "players.0.fresh": ["?", "under"],
        "players.0.played": ["jump", "climb"],
        "players.0.stacks": [0, 3, 1, 2],
        "turn": {"bought": 2},
    }
    assert player(changes) == {
        "name": "red",
        "score": 0,
        "knights": ["a1", "c3", "f3"],
        "stacks": [3, 2, 1, 0],
        "hand": ["ap6", "under", "?"],
        "fresh": ["under", "?"],
        "deck": ["?"] * 5,
        "played": ["climb", "jump"],
        "kept": 0,
    }


def test_the_order_of_a_pile_is_kept() -> None:
    assert player({"players.0.deck": ["under", "?", "ap6"]})["deck"] == ["under", "?", "ap6"]


def test_the_order_of_drawn_cards_is_kept() -> None:
    assert accept({"turn.drawn": ["under", "ap6"]}, base=POSITIONS["keep"])["turn"]["drawn"] == ["under", "ap6"]


def test_squares_and_stacks_of_the_rules_are_sorted() -> None:
    rules = {
        "preset": "2017",
        "players": 2,
        "stacks": [[1, 3, 2], [1, 2], [3]],
        "start_castles": ["h5", "a4", "c3", "d8"],
        "playable": [square for square in reversed(SQUARES) if square != "a1"],
        "deck": {"supply": 0},
    }
    assert accept({"rules": rules})["rules"] == {
        "preset": "2017",
        "players": 2,
        "stacks": [[3, 2, 1], [2, 1], [3]],
        "playable": sorted(set(SQUARES) - {"a1"}),
        "deck": dict.fromkeys(CARDS, 1) | {"supply": 0},
        "start_castles": ["a4", "c3", "d8", "h5"],
    }


def test_a_parameter_that_equals_the_preset_is_not_written() -> None:
    rules = {"preset": "2017", "ap_per_turn": 5, "deck": {"ap6": 1}, "master_card": None}
    assert accept({"rules": rules})["rules"] == {"preset": "2017", "players": 2}


def test_ground_may_be_written_as_0() -> None:
    heights = [row.replace(".", "0") for row in MINIMAL["heights"]]
    assert accept({"heights": heights}) == accept()


# What looks odd and is right


@pytest.mark.parametrize(
    ("sign", "height"),
    [("9", 9), ("a", 10), ("z", 35), ("A", 36), ("Z", 61), ("@", 62), ("#", 63), ("$", 64)],
)
def test_towers_of_up_to_64_blocks_are_accepted(sign: str, height: int) -> None:
    rules = {"preset": "no-cards", "blocks": 160, "stacks": [[1], [0], [0]]}
    heights = [f"{sign}1111111", *["11111111"] * 7]
    data = {**MINIMAL, "rules": rules, "heights": heights}
    position = Position.from_dict(data)
    assert (position.to_dict()["heights"], int(position.state["heights"].max())) == (heights, height)


def test_start_castles_may_touch() -> None:
    castles = ["a1", "a2", "b1", "c3", "e1"]
    assert accept({"rules": {"preset": "2017", "start_castles": castles}})["rules"]["start_castles"] == castles


@pytest.mark.parametrize("knights", [[], ["a1"], SQUARES[1:7]], ids=["none", "one on bare ground", "all six"])
def test_any_number_of_knights_up_to_six_is_accepted(knights: list[str]) -> None:
    assert player({"players.0.knights": knights})["knights"] == sorted(knights)


def test_players_may_have_the_same_score() -> None:
    changes = {"players.0.score": 17, "players.1.score": 17}
    assert [seat["score"] for seat in accept(changes)["players"]] == [17, 17]


@pytest.mark.parametrize("score", [0, 99, 100, 1_000_000_000])
def test_a_score_may_be_any_number_of_rounds_of_the_track(score: int) -> None:
    assert player({"players.0.score": score})["score"] == score


def test_a_file_may_hold_fewer_cards_than_the_rules_have() -> None:
    changes = {"players.0.hand": ["ap6"], "players.0.deck": ["jump"], "players.1.deck": []}
    assert [seat["deck"] for seat in accept(changes)["players"]] == [["jump"], []]


def test_a_hand_may_be_smaller_than_all_that_was_not_played() -> None:
    assert player({"players.0.hand": ["ap6", "?"]}, base=POSITIONS["hand"])["hand"] == ["ap6", "?"]


@pytest.mark.parametrize("ap", [0, 5, 7])
def test_action_points_up_to_two_more_for_a_card_played_are_accepted(ap: int) -> None:
    assert accept({"turn": {"ap": ap, "cards_played": 1}})["turn"]["ap"] == ap


def test_an_empty_stack_in_use_is_not_the_same_as_none() -> None:
    changes = {"turn": {"in_use": 0}, "players.0.stacks": [3, 3, 3]}
    assert accept(changes)["turn"]["in_use"] == 0


@pytest.mark.parametrize("phase", ["king", "first"])
def test_blocks_are_kept_until_the_new_year(phase: str) -> None:
    assert player({"players.0.kept": 3}, base=POSITIONS[phase])["kept"] == 3


def test_blocks_are_kept_from_the_last_turn_of_the_year() -> None:
    changes = {"round": 4, "to_move": "blue", "players.0.stacks": [], "players.1.stacks": [3], "players.0.kept": 2}
    assert player(changes)["kept"] == 2


def test_a_master_card_may_still_be_drawn() -> None:
    assert accept(base=POSITIONS["hand"])["rules"] == {"preset": "2017-master", "players": 2}


def test_a_master_game_may_be_without_a_master_card() -> None:
    rules = {"preset": "2017-master", "players": 2, "master_card": None}
    assert accept({"rules": rules}, base=POSITIONS["hand"])["rules"] == rules


def test_nobody_is_named_as_to_move_when_the_game_is_over() -> None:
    assert accept({"to_move": MISSING}, base=POSITIONS["over"])["to_move"] is None


ODD_NAMES = {
    "another script": "\u7ea2\u8272",
    "an emoji": "\U0001f3f0",
    "brackets": "[b](x)",
    "markup": "[red]x[/red]",
    "a control character": "a\x1b[31mb",
    "a NUL": "\x00",
    "a quotation mark": "'\"\\",
    "a zero-width space": "a\u200bb",
    "text that runs the other way": "\u202eabc",
    "a question mark": "?",
    "null": "null",
    "a thousand signs": "x" * 1000,
    "a combining accent": "e\u0301",
    "a percent sign": "%s{}",
}


@pytest.mark.parametrize("name", ODD_NAMES.values(), ids=list(ODD_NAMES))
class TestAnOddName:
    """What a name may hold: anything but white space and the signs that actions are made of."""

    def test_is_accepted(self, name: str) -> None:
        assert accept({"players.0.name": name})["to_move"] == name

    def test_is_the_same_after_saving_and_loading(self, name: str, tmp_path: Path) -> None:
        position = Position.from_dict(change(MINIMAL, {"players.0.name": name}))
        position.save(tmp_path / "odd.json")
        assert Position.load(tmp_path / "odd.json") == position

    def test_is_drawn_without_control_characters(self, name: str) -> None:
        text = str(Position.from_dict(change(MINIMAL, {"players.0.name": name})))
        assert all(sign.isprintable() or sign == "\n" for sign in text)

    def test_can_be_chosen_as_the_start_player(self, name: str) -> None:
        position = Position.from_dict(change(POSITIONS["first"], {"players.0.name": name}))
        assert position.play(f"first:{name}").to_move == name


# Whatever is left out of a conformance vector, if the table's value is the one it had


def defaults_of(data: dict[str, Any], rules: Rules) -> Iterator[tuple[str, Any]]:
    """Give the place of each field that may be left out, and its value then (position format, the table)."""
    phase, turn = data["phase"], {**NO_TURN, "ap": rules.ap_per_turn if data["phase"] == "turn" else 0}
    yield from [("year", 1), ("round", 1), ("phase", "turn"), ("king", None), ("turn", turn)]
    yield from [("first", data["players"][0]["name"]), ("to_move", None if phase == "over" else data["first"])]
    yield from ((f"turn.{field}", value) for field, value in turn.items())
    everything = [card for index, card in enumerate(CARDS) for _ in range(rules.card_copies(index))]
    for seat, player in enumerate(data["players"]):
        left = sorted((Counter(everything) - Counter(player["played"])).elements())
        fields = {"name": NAMES[seat], "score": 0, "fresh": [], "played": [], "kept": 0}
        fields["stacks"] = [] if phase in ("king", "first", "over") else list(rules.stacks[data["year"] - 1])
        fields["hand"] = left if rules.cards == "hand" else []
        yield from ((f"players.{seat}.{field}", value) for field, value in fields.items())


def value_at(data: Any, place: str) -> Any:
    """Return the value at a place such as players.0.hand."""
    for part in place.split("."):
        data = data[int(part) if part.isdigit() else part]
    return data


def test_a_field_that_has_its_default_may_be_left_out_of_every_vector() -> None:
    left_out: Counter[str] = Counter()
    for vector in VECTORS:
        data = vector["position"]
        whole = Position.from_dict(data)
        for place, default in defaults_of(data, whole.rules):
            if value_at(data, place) == default:
                shorter = Position.from_dict(change(data, {place: MISSING}))
                assert shorter.names == whole.names, (vector["id"], place)
                assert shorter.state.tobytes() == whole.state.tobytes(), (vector["id"], place)
                left_out[place.split(".")[-1]] += 1
    assert (len(left_out), min(left_out.values()) > 50) == (19, True)  # every field was left out often


@pytest.mark.parametrize("cards", ["own", "common"])
def test_a_pile_left_out_of_a_vector_is_unknown_and_as_large_as_it_was(cards: str) -> None:
    sizes = 0
    for vector in VECTORS:
        data = vector["position"]
        place = "deck" if cards == "common" else "players.0.deck"
        if Rules.from_dict(data["rules"]).cards == cards:
            size = len(value_at(data, place))
            assert value_at(accept({place: MISSING}, base=data), place) == ["?"] * size, vector["id"]
            sizes += size
    assert sizes > 100


def test_a_vector_is_the_same_with_all_its_lists_turned_round() -> None:
    for vector in VECTORS:
        data = copy.deepcopy(vector["position"])
        for seat in data["players"]:
            for field in ("knights", "stacks", "hand", "fresh", "played"):
                seat[field].reverse()
        data["heights"] = [row.replace(".", "0") for row in data["heights"]]
        assert Position.from_dict(data).to_dict() == vector["position"], vector["id"]
