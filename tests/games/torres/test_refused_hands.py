"""Impossible turns, stacks and cards are refused in one line that names the field and says what would be right."""

import pytest

from tests.games.torres.spoiling import POSITIONS, Changes, cases, change, refuse
from tests.strategies import CARDS
from torres_mcts import Position


@cases(
    {
        "too few": ({"players.0.stacks": [3, 3, 3]}, "players[0].stacks", "'red' has 4 turns left"),
        "too many": ({"players.0.stacks": [3, 3, 3, 3, 3]}, "players[0].stacks", "give 4"),
        "more than a year can have": ({"players.0.stacks": [0] * 9}, "players[0].stacks", "at most 8 entries, not 9"),
        "a full row in round 2": ({"round": 2}, "players[0].stacks", "give 3"),
        "one more than the stack in use leaves": ({"turn.in_use": 2}, "players[0].stacks", "give 3"),
        "one too many after the turn": ({"to_move": "blue"}, "players[0].stacks", "give 3"),
        "one after the year": ("king", {"players.1.stacks": [3]}, "players[1].stacks", "give 0"),
        "one after the game": ("over", {"players.1.stacks": [3]}, "players[1].stacks", "give 0"),
        "too few in the set-up": ("king-setup", {"players.1.stacks": [3]}, "players[1].stacks", "give 4"),
        "one above the limit": ({"players.0.stacks": [4, 3, 3, 3]}, "players[0].stacks", "above the limit 3"),
        "one above any limit": ({"players.0.stacks": [10, 3, 3, 3]}, "players[0].stacks[0]", "at most 9, not 10"),
        "a negative one": ({"players.0.stacks": [3, -1, 3, 3]}, "players[0].stacks[1]", "at least 0, not -1"),
    }
)
def test_impossible_stacks_are_refused(base: str, changes: Changes, field: str, right: str) -> None:
    refuse(base, changes, field, right)


LAST_ROUND = {"round": 4, "to_move": "blue", "players.0.stacks": [], "players.1.stacks": [3]}


@cases(
    {
        "in a year's first round": ({"players.1.kept": 1}, "players[1].kept", "write 0"),
        "by a player with a turn to come": ({**LAST_ROUND, "players.1.kept": 1}, "players[1].kept", "write 0"),
        "in year 3": ({**LAST_ROUND, "year": 3, "players.0.kept": 1}, "players[0].kept", "year 1 or 2"),
        "after the game": ("over", {"players.0.kept": 1}, "players[0].kept", "year 1 or 2"),
        "in the set-up": ("knights", {"players.0.kept": 1}, "players[0].kept", "write 0"),
        "by the rules of 1999": ("king", {"rules": "1999-own", "players.0.kept": 1}, "players[0].kept", "write 0"),
        "above the limit": ("king", {"players.0.kept": 4}, "players[0].kept", "write at most 3"),
        "above any limit": ("king", {"players.0.kept": 10}, "players[0].kept", "at most 9, not 10"),
        "negative": ("king", {"players.0.kept": -1}, "players[0].kept", "at least 0, not -1"),
    }
)
def test_kept_blocks_where_there_can_be_none_are_refused(base: str, changes: Changes, field: str, right: str) -> None:
    refuse(base, changes, field, right)


@cases(
    {
        "below 0": ({"players.0.score": -1}, "players[0].score", "at least 0, not -1"),
        "above a billion": ({"players.0.score": 10**9 + 1}, "players[0].score", "at most 1000000000"),
    }
)
def test_an_impossible_score_is_refused(base: str, changes: Changes, field: str, right: str) -> None:
    refuse(base, changes, field, right)


@cases(
    {
        "negative AP": ({"turn.ap": -1}, "turn.ap", "at least 0, not -1"),
        "six AP": ({"turn.ap": 6}, "turn.ap", "at most 5 are possible"),
        "eight AP after a card": ({"turn.ap": 8, "turn.cards_played": 1}, "turn.ap", "at most 7 are possible"),
        "AP of 4000 digits": ({"turn.ap": 10**4000}, "turn.ap", "at most 5 are possible"),
        "a stack in use above the limit": ({"turn.in_use": 4}, "turn.in_use", "write at most 3"),
        "a stack in use above any limit": ({"turn.in_use": 10}, "turn.in_use", "at most 9, not 10"),
        "a negative stack in use": ({"turn.in_use": -1}, "turn.in_use", "at least 0, not -1"),
        "three cards bought": ({"turn.bought": 3}, "turn.bought", "at most 2 cards can be bought"),
        "a card bought where none is sold": ("hand", {"turn.bought": 1}, "turn.bought", "at most 0 cards"),
        "a negative number bought": ({"turn.bought": -1}, "turn.bought", "at least 0, not -1"),
        "two cards played": ({"turn.cards_played": 2}, "turn.cards_played", "at most 1 can be played"),
        "a card played without cards": ("no-cards", {"turn.cards_played": 1}, "turn.cards_played", "at most 0"),
        "a negative number played": ({"turn.cards_played": -1}, "turn.cards_played", "at least 0, not -1"),
    }
)
def test_an_impossible_turn_is_refused(base: str, changes: Changes, field: str, right: str) -> None:
    refuse(base, changes, field, right)


UNDER_WAY = {"ap": 1, "in_use": 0, "bought": 1, "cards_played": 1, "drawn": ["ap6"]}


@pytest.mark.parametrize("field", UNDER_WAY)
@pytest.mark.parametrize("phase", ["castles", "knights", "king-setup", "king", "first", "over"])
def test_a_turn_under_way_where_there_can_be_none_is_refused(phase: str, field: str) -> None:
    refuse(phase, {"turn": {field: UNDER_WAY[field]}}, f"turn.{field}", "leave turn out")


@cases(
    {
        "none in keep": ("keep", {"turn.drawn": []}, "turn.drawn", "between 2 to 3 drawn cards"),
        "one in keep": ("keep", {"turn.drawn": ["ap6"]}, "turn.drawn", "between 2 to 3 drawn cards"),
        "four of three": ("keep", {"turn.drawn": CARDS[:4]}, "turn.drawn", "between 2 to 3 drawn cards"),
        "six of at most five": ("keep", {"turn.drawn": CARDS[:6]}, "turn.drawn", "at most 5 entries, not 6"),
        "some, but none bought": ("keep", {"turn.bought": 0}, "turn.bought", "write at least 1"),
        "some in a turn": ({"turn.drawn": ["ap6", "ap7"]}, "turn.drawn", "leave it out"),
    }
)
def test_an_impossible_number_of_drawn_cards_is_refused(base: str, changes: Changes, field: str, right: str) -> None:
    refuse(base, changes, field, right)


BOUGHT = {"turn.bought": 1, "players.0.hand": ["ap6", "ap7"]}
FRESH = {"players.0.fresh": ["ap6"], "players.0.hand": ["ap6"]}


@cases(
    {
        "not in the hand": ({"turn.bought": 1, "players.0.fresh": ["ap6"]}, "players[0].fresh", "part of the hand"),
        "more often than in the hand": (
            {**BOUGHT, "turn.bought": 2, "players.0.fresh": ["ap6", "ap6"]},
            "players[0].fresh",
            "part of the hand",
        ),
        "more than bought": ({**BOUGHT, "players.0.fresh": ["ap6", "ap7"]}, "players[0].fresh", "at most 1 fit"),
        "of another player": (
            {"turn.bought": 1, "players.1.fresh": ["ap6"], "players.1.hand": ["ap6"]},
            "players[1].fresh",
            "leave it empty",
        ),
        "while the bought one is chosen": (
            "keep",
            {"turn.drawn": ["jump", "under"], **FRESH},
            "players[0].fresh",
            "at most 0 fit",
        ),
        "in the set-up": (
            "king-setup",
            {"players.1.fresh": ["?"], "players.1.hand": ["?"]},
            "players[1].fresh",
            "empty",
        ),
        "after the year": ("king", FRESH, "players[0].fresh", "leave it empty"),
        "after the game": ("over", FRESH, "players[0].fresh", "leave it empty"),
    }
)
def test_fresh_cards_where_there_can_be_none_are_refused(base: str, changes: Changes, field: str, right: str) -> None:
    refuse(base, changes, field, right)


@pytest.mark.parametrize(
    ("base", "place", "field"),
    [
        ("turn", "players.0.hand", "players[0].hand[0]"),
        ("turn", "players.0.fresh", "players[0].fresh[0]"),
        ("turn", "players.0.played", "players[0].played[0]"),
        ("turn", "players.0.deck", "players[0].deck[0]"),
        ("common", "deck", "deck[0]"),
        ("keep", "turn.drawn", "turn.drawn[0]"),
    ],
)
def test_an_unknown_card_is_refused(base: str, place: str, field: str) -> None:
    refuse(base, {place: ["clim"]}, field, "'clim' is not a card; did you mean 'climb'?")


def test_an_unknown_card_far_from_any_is_answered_with_all_cards() -> None:
    refuse("turn", {"players.0.hand": ["x"]}, "players[0].hand[0]", f"cards are {', '.join(CARDS)}, or ?")


@cases(
    {
        "hand": ({"players.1.hand": ["jump", "jump"]}, "players[1].hand", "the rules have 1"),
        "played": ({"players.1.played": ["jump", "jump"]}, "players[1].played", "the rules have 1"),
        "hand and played": ({"players.1.hand": ["jump"], "players.1.played": ["jump"]}, "players[1].hand", "have 1"),
        "own pile": ({"players.1.deck": ["jump", "jump"]}, "players[1].deck", "the rules have 1"),
        "hand and pile": ({"players.1.hand": ["jump"], "players.1.deck": ["jump"]}, "players[1].deck", "have 1"),
        "drawn": ("keep", {"turn.drawn": ["jump", "jump"]}, "turn.drawn", "'jump' occurs 2 times"),
        "hand and drawn": ("keep", {"players.0.hand": ["under"]}, "turn.drawn", "'under' occurs 2 times"),
        "drawn and pile": ("keep", {"players.0.deck": ["under"]}, "players[0].deck", "'under' occurs 2 times"),
        "common pile": ("common", {"deck": ["jump"] * 5}, "deck", "the rules have 4"),
        "hands of two and the common pile": (
            "common",
            {"players.0.hand": ["jump"] * 2, "players.1.hand": ["jump"] * 2, "deck": ["jump"]},
            "deck",
            "'jump' occurs 5 times",
        ),
        "common hands": (
            "common",
            {"players.0.hand": ["jump"] * 3, "players.1.hand": ["jump"] * 2},
            "players[1].hand",
            "'jump' occurs 5 times",
        ),
        "common played": ("common", {"players.1.played": ["jump"] * 5}, "players[1].played", "the rules have 4"),
        "all in hand, and played": (
            "hand",
            {"players.0.hand": CARDS, "players.0.played": ["jump"]},
            "players[0].hand",
            "'jump' occurs 2 times",
        ),
        "a deck without the card": (
            {"rules.deck": {"jump": 0}, "players.1.hand": ["jump"]},
            "players[1].hand",
            "the rules have 0",
        ),
        "no cards at all": ("no-cards", {"players.1.hand": ["jump"]}, "players[1].hand", "the rules have 0"),
        "no cards, an unknown one": ("no-cards", {"players.1.hand": ["?"]}, "players[1].hand", "the rules have 0"),
        "eleven unknown in a pile": ({"players.1.deck": ["?"] * 11}, "players[1].deck", "the rules have 10"),
        "eleven unknown in hand and pile": (
            {"players.1.hand": ["?"], "players.1.deck": ["?"] * 10},
            "players[1].deck",
            "11 cards in hand, pile, drawn and played; the rules have 10",
        ),
        "41 unknown in a common pile": ("common", {"deck": ["?"] * 41}, "deck", "the rules have 40"),
        "300 unknown in a hand": ({"players.1.hand": ["?"] * 300}, "players[1].hand", "the rules have 10"),
        "300 of a kind in a hand": ({"players.1.hand": ["under"] * 300}, "players[1].hand", "the rules have 1"),
        "more than any deck has": ({"players.1.hand": ["under"] * 2000}, "players[1].hand", "at most 360 entries"),
    }
)
def test_cards_that_occur_more_often_than_the_rules_have_them_are_refused(
    base: str, changes: Changes, field: str, right: str
) -> None:
    refuse(base, changes, field, right)


@cases(
    {
        "own, with a common deck": ("common", {"players.0.deck": []}, "players[0].deck", "only with cards 'own'"),
        "own, with all cards in hand": ("hand", {"players.0.deck": []}, "players[0].deck", "only with cards 'own'"),
        "own, without cards": ("no-cards", {"players.0.deck": []}, "players[0].deck", "only with cards 'own'"),
        "common, with own decks": ({"deck": []}, "deck", "only with cards 'common'"),
        "common, with all cards in hand": ("hand", {"deck": []}, "deck", "only with cards 'common'"),
        "common, without cards": ("no-cards", {"deck": []}, "deck", "only with cards 'common'"),
    }
)
def test_a_pile_that_the_rules_do_not_have_is_refused(base: str, changes: Changes, field: str, right: str) -> None:
    refuse(base, changes, field, right)


def test_an_unknown_card_among_the_played_ones_is_refused() -> None:
    refuse("turn", {"players.1.played": ["?"]}, "players[1].played", "name them all")


def test_the_first_of_several_problems_is_told_and_the_others_are_counted() -> None:
    refuse("turn", {"year": "1", "round": "1", "king": 7}, "year", "(and 2 more problems)")


def test_more_unknown_cards_than_a_game_can_sell_are_refused() -> None:
    changes = {"rules.deck": dict.fromkeys(CARDS, 9) | {"supply": 0}, "players.1.hand": ["?"] * 256}
    refuse("common", changes, "players[1].hand", "at most 255")


def test_as_many_cards_in_one_hand_as_a_game_can_sell_are_accepted() -> None:
    changes = {"rules.deck": dict.fromkeys(CARDS, 9) | {"supply": 0}, "players.1.hand": ["?"] * 216}
    data = Position.from_dict(change(POSITIONS["common"], changes)).to_dict()
    assert (data["players"][1]["hand"].count("?"), len(data["deck"])) == (216, 324 - 216)
