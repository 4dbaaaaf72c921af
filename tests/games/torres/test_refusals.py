"""Each kind of impossible position is refused in one line that names the field and says what would be right."""

from typing import Any

import pytest

from tests.games.torres.spoiling import CASTLES, MISSING, OWN, POSITIONS, Changes, cases, change, refuse
from tests.naive.torres_board import write_heights
from tests.strategies import SQUARES
from torres_mcts import Position

BARE = "........"


def board(**heights: int) -> list[str]:
    """Write the start castles with some squares changed."""
    return write_heights(CASTLES | heights)


@pytest.mark.parametrize("base", POSITIONS)
def test_the_position_that_the_other_tests_spoil_is_accepted(base: str) -> None:
    Position.from_dict(POSITIONS[base])


@cases(
    {
        "of the position": ({"kind": 1}, "kind", "unknown field; did you mean 'king'?"),
        "of the rules": ({"rules.player": 2}, "rules.player", "unknown field; did you mean 'players'?"),
        "of a player": ({"players.1.socre": 2}, "players[1].socre", "unknown field; did you mean 'score'?"),
        "of the turn": ({"turn.actions": 2}, "turn.actions", "known are ap, in_use, bought, cards_played, drawn"),
        "with brackets": ({"king[0]": 2}, "king[0]", "unknown field; did you mean 'king'?"),
        "of two lines": ({"two\nlines": 2}, "two\\nlines", "unknown field; known are format, rules"),
    }
)
def test_an_unknown_field_is_refused(base: str, changes: Changes, field: str, right: str) -> None:
    refuse(base, changes, field, right)


WHOLE_NUMBERS = {
    "year": "year",
    "round": "round",
    "players.1.score": "players[1].score",
    "players.1.kept": "players[1].kept",
    "players.1.stacks.0": "players[1].stacks[0]",
    "turn.ap": "turn.ap",
    "turn.in_use": "turn.in_use",
    "turn.bought": "turn.bought",
    "turn.cards_played": "turn.cards_played",
    "rules.players": "rules.players",
}
TEXTS = {
    "first": "first",
    "players.1.name": "players[1].name",
    "viewpoint": "viewpoint",
    "heights.0": "heights[0]",
    "players.1.knights.0": "players[1].knights[0]",
    "players.1.hand": "players[1].hand[0]",
    "turn.drawn": "turn.drawn[0]",
}
LISTS = {
    "heights": "heights",
    "players": "players",
    "deck": "deck",
    "players.1.knights": "players[1].knights",
    "players.1.stacks": "players[1].stacks",
    "players.1.hand": "players[1].hand",
    "players.1.fresh": "players[1].fresh",
    "players.1.played": "players[1].played",
    "players.1.deck": "players[1].deck",
    "turn.drawn": "turn.drawn",
}
OBJECTS = {"rules": "rules", "turn": "turn", "players.1": "players[1]"}
VALUES = {
    "true": True,
    "a fraction": 1.0,
    "a number": 1,
    "a text": "1",
    "null": None,
    "a list": [],
    "an object": {},
}


def wrong_types(places: dict[str, str], *right: str) -> Any:
    """Pair every place with every value of a wrong type."""
    pairs = [
        pytest.param(place, field, VALUES[name], id=f"{place} is {name}")
        for place, field in places.items()
        for name in VALUES
        if name not in right and (place, name) not in {("turn.in_use", "null"), ("rules", "a text")}
    ]
    return pytest.mark.parametrize(("place", "field", "value"), pairs)


@wrong_types(WHOLE_NUMBERS, "a number")
def test_what_is_no_whole_number_is_refused(place: str, field: str, value: object) -> None:
    refuse("turn", {"players.1.stacks": [3, 3, 3, 3], place: value}, field, "expected a whole number, not ")


@wrong_types(TEXTS, "a text")
def test_what_is_no_text_is_refused(place: str, field: str, value: object) -> None:
    changes = {place: [value]} if field.endswith("[0]") and not place.endswith(".0") else {place: value}
    refuse("turn", changes, field, "expected a text, not ")


@wrong_types({"to_move": "to_move", "king": "king"}, "a text", "null")
def test_what_is_neither_a_text_nor_null_is_refused(place: str, field: str, value: object) -> None:
    refuse("turn", {place: value}, field, "expected a text, not ")


@wrong_types(LISTS, "a list")
def test_what_is_no_list_is_refused(place: str, field: str, value: object) -> None:
    refuse("turn", {place: value}, field, "expected a list, not ")


@wrong_types(OBJECTS, "an object")
def test_what_is_no_object_is_refused(place: str, field: str, value: object) -> None:
    refuse("turn", {place: value}, field, "expected an object, not ")


@pytest.mark.parametrize("place", ["format", "rules", "heights", "players", "players.1.knights", "rules.preset"])
def test_what_cannot_be_derived_is_required(place: str) -> None:
    refuse("turn", {place: MISSING}, place.replace(".1", "[1]"), "is required")


@cases(
    {
        "an unknown format": ({"format": "torres-position/2"}, "format", "is not one of 'torres-position/1'"),
        "an unknown preset": ({"rules": "2018"}, "rules.preset", "is not one of '2017', '2017-common'"),
        "an unknown phase": ({"phase": "turns"}, "phase", "is not one of 'castles', 'knights'"),
        "null as the phase": ({"phase": None}, "phase", "null is not one of 'castles', 'knights'"),
    }
)
def test_an_unknown_word_is_refused(base: str, changes: Changes, field: str, right: str) -> None:
    refuse(base, changes, field, right)


@cases(
    {
        "one player": ({"players": [{"knights": []}]}, "players", "at least 2 entries, not 1"),
        "five players": ({"players": [{"knights": []}] * 5}, "players", "at most 4 entries, not 5"),
        "not that of the rules": ({"rules.players": 3}, "rules.players", "2 players are listed; make them equal"),
    }
)
def test_an_impossible_number_of_players_is_refused(base: str, changes: Changes, field: str, right: str) -> None:
    refuse(base, changes, field, right)


BAD_NAMES = {
    "that is empty": ("", "give a name or leave it out"),
    "with a space": ("a b", "white space"),
    "with a line feed": ("a\nb", "white space"),
    "with a no-break space": ("a\u00a0b", "white space"),
    "with a colon": ("a:b", "one of : ; ,"),
    "with a semicolon": ("a;b", "one of : ; ,"),
    "with a comma": ("a,b", "one of : ; ,"),
    "with half a sign": ("\ud800", "valid Unicode"),
}


@pytest.mark.parametrize(("name", "right"), BAD_NAMES.values(), ids=list(BAD_NAMES))
def test_a_name_that_actions_could_not_carry_is_refused(name: str, right: str) -> None:
    refuse("turn", {"players.1.name": name}, "players[1].name", right)


@pytest.mark.parametrize("changes", [{}, {"players.0.name": MISSING}], ids=["two given", "one a default"])
def test_two_players_of_one_name_are_refused(changes: Changes) -> None:
    refuse("turn", {**changes, "players.1.name": "red"}, "players[0].name", "names must differ")


@pytest.mark.parametrize("field", ["to_move", "first", "viewpoint"])
def test_somebody_who_does_not_play_is_refused(field: str) -> None:
    refuse("turn", {field: "Red"}, field, "is not a player; players are 'red', 'blue'")


@cases(
    {
        "nobody in a turn": ({"to_move": None}, "to_move", "somebody is to move; name a player"),
        "somebody when all is over": ("over", {"to_move": "red"}, "to_move", "write null"),
        "year 0": ({"year": 0}, "year", "at least 1, not 0"),
        "year 4": ({"year": 4}, "year", "at most 3, not 4"),
        "round 0": ({"round": 0}, "round", "at least 1, not 0"),
        "round 5 of 4": ({"round": 5}, "round", "year 1 has 4 rounds; write 1 to 4"),
        "round 9 of at most 8": ({"round": 9}, "round", "at most 8, not 9"),
        "a set-up in year 2": ("knights", {"year": 2}, "year", "is in year 1, round 1"),
        "a set-up in round 2": ("king-setup", {"round": 2}, "round", "is in year 1, round 1"),
        "a set-up that another opens": ("knights", {"first": "blue"}, "first", "player 0 ('red') opens the game"),
        "the year's end in round 3": ("king", {"round": 3}, "round", "the last round of the year, 4"),
        "the game's end in round 3": ("over", {"round": 3}, "round", "the last round of the year, 4"),
        "the game's end in year 2": ("over", {"year": 2}, "year", "over after year 3"),
        "a king's move after year 3": ("king", {"year": 3}, "phase", "the game is over then"),
        "a start player after year 3": ("first", {"year": 3}, "phase", "the game is over then"),
        "a start player nobody names": ("first", {"rules": "1999-own"}, "phase", "start_player 'stays'"),
        "castles that are printed": ("castles", {"rules": OWN}, "phase", "only with start_castles 'placed'"),
        "a choice without cards": ("keep", {"rules": "no-cards"}, "phase", "needs a deck"),
        "a choice from one card": ("keep", {"rules.draw": 1}, "phase", "from which several cards are drawn"),
    }
)
def test_an_impossible_moment_is_refused(base: str, changes: Changes, field: str, right: str) -> None:
    refuse(base, changes, field, right)


@cases(
    {
        "seven rows": ({"heights": [BARE] * 7}, "heights", "at least 8 entries, not 7"),
        "nine rows": ({"heights": [BARE] * 9}, "heights", "at most 8 entries, not 9"),
        "a row of seven": ({"heights.2": "." * 7}, "heights[2]", "7 signs, not 8"),
        "a row of nine": ({"heights.2": "." * 9}, "heights[2]", "9 signs, not 8"),
        "an unknown sign": ({"heights.2": "..!....."}, "heights[2]", "use . 1-9 a-z A-Z @ # $"),
        "a digit of another script": ({"heights.2": "..\u0661....."}, "heights[2]", "use . 1-9 a-z A-Z @ # $"),
        "an umlaut": ({"heights.2": "..\u00e4....."}, "heights[2]", "use . 1-9 a-z A-Z @ # $"),
        "a castle higher than its area": ({"heights": board(c3=2)}, "heights", "never higher than its area"),
        "a wide castle higher than its area": ({"heights": board(c3=3, c4=1)}, "heights", "its castle has area 2"),
    }
)
def test_an_impossible_board_is_refused(base: str, changes: Changes, field: str, right: str) -> None:
    refuse(base, changes, field, right)


@pytest.mark.parametrize("height", range(2, 65))
def test_a_lone_tower_of_any_height_but_one_is_refused(height: int) -> None:
    changes = {"heights": board(a1=height), "rules.blocks": 160}
    refuse("turn", changes, "heights", f"a1 is {height} high, but its castle has area 1")


SMALL_BOARD = {**OWN, "playable": [square for square in SQUARES if square not in ("a1", "b1")]}


@cases(
    {
        "blocks where none may be": ({"rules": SMALL_BOARD, "heights": board(a1=1)}, "heights[7]", "write . there"),
        "a knight where none may be": (
            {"rules": SMALL_BOARD, "players.1.knights": ["b1"]},
            "players[1].knights",
            "not one of the playable squares",
        ),
        "a king where none may be": ({"rules": SMALL_BOARD, "king": "a1"}, "king", "stands on a block"),
        "two knights of one player": ({"players.0.knights": ["c3", "c3"]}, "players[0].knights", "a square holds one"),
        "knights of two players": ({"players.1.knights": ["c3"]}, "players[1].knights", "a square holds one"),
        "a knight and the king": ({"king": "c3"}, "king", "two pieces on c3, a knight of 'red' too"),
        "a king on bare ground": ({"king": "a1"}, "king", "stands on a block"),
        "seven knights of six": ({"players.0.knights": SQUARES[:7]}, "players[0].knights", "a player has 6"),
        "two knights of one": (
            {"rules.knights": 1, "players.0.knights": ["c3", "c4"]},
            "players[0].knights",
            "a player has 1",
        ),
    }
)
def test_impossible_pieces_are_refused(base: str, changes: Changes, field: str, right: str) -> None:
    refuse(base, changes, field, right)


@pytest.mark.parametrize("square", ["i1", "a9", "a0", "A1", "1a", "a", "a11", "", " a1", "a\u0661", "a\n"])
@pytest.mark.parametrize(("place", "field"), [("king", "king"), ("players.0.knights.0", "players[0].knights[0]")])
def test_an_unknown_square_is_refused(place: str, field: str, square: str) -> None:
    refuse("turn", {place: square}, field, "write a file a-h and a rank 1-8, as in e4")


@pytest.mark.parametrize("base", ["turn", "keep", "king", "first", "over"])
def test_a_king_missing_after_the_set_up_is_refused(base: str) -> None:
    refuse(base, {"king": None}, "king", "the king stands on a block")


@pytest.mark.parametrize("base", ["castles", "knights", "king-setup"])
def test_a_king_present_before_the_set_up_is_done_is_refused(base: str) -> None:
    refuse(base, {"king": "c3"}, "king", f"in phase {base} write null")


EIGHT = {"heights": board()}


@cases(
    {
        "castles: the wrong player": ("castles", {"to_move": "red"}, "to_move", "it is for 'blue' to place one"),
        "castles: all are placed": ("castles", EIGHT, "phase", "castles is over, knights comes next"),
        "castles: one of two blocks": (
            "castles",
            {"heights": write_heights({"c3": 2, "c4": 2, "a1": 1})},
            "heights",
            "one block each",
        ),
        "castles: a knight": ("castles", {"players.0.knights": ["c3"]}, "players[0].knights", "'red' has 0"),
        "knights: nobody has one": ("knights", {"players.0.knights": []}, "players[0].knights", "'red' has 1"),
        "knights: the mover has one": ("knights", {"players.1.knights": ["f6"]}, "players[1].knights", "'blue' has 0"),
        "knights: the wrong player": ("knights", {"to_move": "red"}, "players[0].knights", "'red' has 0"),
        "knights: two": ("knights", {"players.0.knights": ["c3", "f3"]}, "players[0].knights", "'red' has 1"),
        "the king: the wrong player": ("king-setup", {"to_move": "red"}, "to_move", "last player, 'blue', places"),
        "the king: no knight": ("king-setup", {"players.1.knights": []}, "players[1].knights", "'blue' has 1"),
    }
)
def test_a_set_up_that_does_not_fit_the_player_to_move_is_refused(
    base: str, changes: Changes, field: str, right: str
) -> None:
    refuse(base, changes, field, right)


def tall(rank_3: str) -> Changes:
    """Return a castle of 64 blocks in the two lowest ranks, and something on rank 3."""
    return {"heights": [BARE] * 5 + [rank_3] + ["44444444"] * 2, "king": "h1", "year": 3}


HIGH_STACKS = {
    "rules.blocks": 26,
    "rules.stacks": [[1, 1, 1, 1], [0], [0]],
    "rules.deck": {"supply": 0},
    "players.0.stacks": [3, 3, 3, 3],
    "players.1.stacks": [3, 3, 3, 3],
}
NINETEEN = {"heights": board()[:7] + ["22222222"]}


@cases(
    {
        "more blocks than exist": (tall("5......."), "heights", "69 blocks on the board and 24 in stacks"),
        "too few for later years": (NINETEEN, "heights", "48 for the stacks of later years"),
        "too few for supply cards": (tall("3......."), "heights", "2 for supply cards"),
        "too few for start castles": ("castles", HIGH_STACKS, "heights", "7 for start castles"),
    }
)
def test_too_many_blocks_on_the_board_are_refused(base: str, changes: Changes, field: str, right: str) -> None:
    refuse(base, changes, field, right)


def test_a_common_supply_that_just_suffices_is_accepted() -> None:
    assert Position.from_dict(change(POSITIONS["turn"], tall("2......."))).state["supply"] == 2
