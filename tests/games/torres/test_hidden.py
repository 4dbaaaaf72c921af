"""Hidden cards: what each player knows, and determinizations that agree with it and with nothing else."""

import copy
from collections import Counter
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import (
    CARDS,
    count_cards,
    deck_of,
    full_decks,
    hidden_game,
    random_game,
    reach,
    seeds,
)
from torres_mcts import Position

pytestmark = pytest.mark.kernel


def reach_with_cards(seed: int, actions: int) -> Position:
    """Return a random position of a game in which cards are bought, often until piles run out."""
    random = Random(seed)
    cards = random.choice(["own", "common"])
    few = dict.fromkeys(CARDS, 0) | {card: random.randint(1, 2) for card in random.sample(CARDS, 3)}
    fixed = {"cards": cards, "cost_buy": 1, "buys_per_turn": 3, "ap_per_turn": 3, "blocks": 160}
    return reach(seed, actions, **fixed, deck=few if random.random() < 0.6 else {}, draw=random.randint(1, 5))


positions = st.builds(reach_with_cards, seeds, st.integers(0, 150))


def as_seen(position: Position, player: str) -> Position:
    """Return the whole position with a player's viewpoint set; nothing is hidden in it."""
    return Position(position.state.copy().reshape(1), position.rules, position.names, position.names.index(player))


def public(position: Position) -> dict[str, Any]:
    """Return what everybody sees: all but the cards in hands and piles, of which only the number."""
    entry = position.to_dict()
    for player in entry["players"]:
        for field in ("hand", "fresh", "deck"):
            player[field] = len(player.get(field, []))
    entry["turn"]["drawn"] = len(entry["turn"]["drawn"])
    entry["deck"] = len(entry.get("deck", []))
    return entry | {"viewpoint": None}


# Determinizations agree with what is known


@given(positions, seeds)
def test_a_determinization_keeps_every_public_fact(position: Position, seed: int) -> None:
    for player in position.names:
        assert public(as_seen(position, player).determinize(seed)) == public(position)


@given(positions, seeds)
def test_a_determinization_shows_its_observer_what_the_truth_shows(position: Position, seed: int) -> None:
    for player in position.names:
        dealt = as_seen(position, player).determinize(seed)
        assert dealt.view(player) == position.view(player)


@given(positions, seeds)
def test_a_determinization_has_every_card_of_the_decks_once(position: Position, seed: int) -> None:
    for player in position.names:
        assert count_cards(as_seen(position, player).determinize(seed)) == full_decks(position.rules)


@given(positions, seeds)
def test_a_determinization_knows_every_card(position: Position, seed: int) -> None:
    for player in position.names:
        assert position.view(player).determinize(seed).is_known


def hidden_places(entry: dict[str, Any], observer: str) -> list[list[tuple[list[str], int]]]:
    """List the places of the cards that an observer of a whole file cannot see, those of each deck together."""
    decks: list[list[tuple[list[str], int]]] = []
    for player in entry["players"]:
        lists = [player.get("deck", [])]
        if player["name"] != observer:
            lists.append(player["hand"])
            lists += [entry["turn"]["drawn"]] if player["name"] == entry["to_move"] else []
        decks.append([(cards, place) for cards in lists for place in range(len(cards))])
    common = [(entry["deck"], place) for place in range(len(entry["deck"]))] if "deck" in entry else []
    return [[*common, *(place for deck in decks for place in deck)]] if common else decks


def swap_hidden_cards(entry: dict[str, Any], observer: str, random: Random) -> dict[str, Any]:
    """Return a whole file with all cards that an observer cannot see shuffled."""
    other = copy.deepcopy(entry)
    for player in other["players"]:  # the first cards of a hand are its fresh ones
        player["hand"] = player["fresh"] + list((Counter(player["hand"]) - Counter(player["fresh"])).elements())
    for places in hidden_places(other, observer):
        cards = [which[place] for which, place in places]
        for (which, place), card in zip(places, random.sample(cards, len(cards)), strict=True):
            which[place] = card
    for player in other["players"]:
        if player["name"] != observer:
            player["fresh"] = player["hand"][: len(player["fresh"])]
    return other


@given(positions, seeds)
def test_a_determinization_does_not_depend_on_cards_that_the_observer_cannot_see(position: Position, seed: int) -> None:
    for player in position.names:
        truth = position.to_dict() | {"viewpoint": player}
        other_truth = swap_hidden_cards(truth, player, Random(seed))
        assert Position.from_dict(truth).determinize(seed) == Position.from_dict(other_truth).determinize(seed)


@given(positions, seeds)
def test_a_determinization_leaves_other_players_knowing_the_same_places_of_piles(position: Position, seed: int) -> None:
    for player, other in permutations(position.names, 2):
        dealt = as_seen(position, player).determinize(seed)
        assert known_places(dealt.view(other)) == known_places(position.view(other))


def known_places(view: Position) -> list[list[bool]]:
    """Tell of every card of every pile whether a view shows it."""
    return [[card != "?" for card in pile] for pile in shown(view)[1]]


@given(positions, seeds)
def test_a_view_is_determinized_as_the_whole_position_is(position: Position, seed: int) -> None:
    for player in position.names:
        assert position.view(player).determinize(seed) == as_seen(position, player).determinize(seed)


def test_without_a_viewpoint_the_player_to_move_is_the_observer() -> None:
    red = {"hand": ["ap6", "jump"], "deck": [card for card in CARDS if card not in ("ap6", "jump")]}
    blue = {"hand": ["ap7", "gate"], "deck": [card for card in CARDS if card not in ("ap7", "gate")]}
    position = hidden_game("own", {}, red, blue, to_move="red")
    hands = [position.determinize(seed).to_dict()["players"] for seed in range(30)]
    assert {tuple(players[0]["hand"]) for players in hands} == {("ap6", "jump")}
    assert len({tuple(players[1]["hand"]) for players in hands}) > 10


# Files in which some cards are known


def test_the_known_cards_of_a_pile_stay_where_a_file_has_them() -> None:
    pile = ["?", "gate", "?", "?", "?", "?", "?", "jump"]
    position = hidden_game("own", {}, {"hand": ["ap6", "climb"], "deck": pile}, {"hand": ["?", "?"]})
    for seed in range(30):
        dealt = position.determinize(seed).to_dict()["players"][0]["deck"]
        assert (dealt[1], dealt[7]) == ("gate", "jump")


def test_the_known_cards_of_a_common_pile_stay_where_a_file_has_them() -> None:
    pile = ["?"] * 20 + ["gate"] + ["?"] * 14 + ["jump"]
    position = hidden_game("common", {}, {"hand": ["ap6", "?"]}, {"hand": ["?", "?"]}, deck=pile)
    for seed in range(30):
        dealt = position.determinize(seed).to_dict()["deck"]
        assert (dealt[20], dealt[35]) == ("gate", "jump")


def test_the_known_cards_of_an_opponents_hand_stay_there() -> None:
    position = hidden_game("own", {}, {}, {"hand": ["gate", "?"]})
    for seed in range(30):
        assert "gate" in position.determinize(seed).to_dict()["players"][1]["hand"]


def test_the_known_fresh_cards_of_an_opponent_stay_fresh() -> None:
    blue = {"hand": ["climb", "gate", "?", "?"], "fresh": ["gate", "?"]}
    turn = {"ap": 3, "bought": 2}
    position = hidden_game("own", {}, {}, blue, to_move="blue", first="blue", turn=turn, viewpoint="red")
    for seed in range(30):
        fresh = position.determinize(seed).to_dict()["players"][1]["fresh"]
        assert "gate" in fresh
        assert "climb" not in fresh


# Views


@given(positions)
def test_a_view_read_from_its_text_is_the_same_view(position: Position) -> None:
    for player in position.names:
        view = position.view(player)
        assert Position.from_dict(view.to_dict()) == view


@given(positions, seeds)
def test_a_view_with_unknown_cards_keeps_its_knowledge_in_a_file(position: Position, seed: int) -> None:
    for player in position.names:
        view = position.view(player)
        if "?" in str(view.to_dict()):  # else the file cannot be told from one of the whole position
            assert Position.from_dict(view.to_dict()).determinize(seed) == view.determinize(seed)


@given(positions)
def test_a_view_hides_nothing_that_is_public(position: Position) -> None:
    for player in position.names:
        assert public(position.view(player)) == public(position)


def test_a_view_hides_the_whole_of_a_pile_of_any_size() -> None:
    position = hidden_game("common", dict.fromkeys(CARDS, 5), {}, {})  # 200 cards
    assert set(position.determinize(1).view("red").to_dict()["deck"]) == {"?"}


class Knowledge:
    """What one player knows of piles, hands and drawn cards, followed from action to action as on a table."""

    def __init__(self, position: Position, seat: int) -> None:
        self.seat = seat
        self.is_common = position.rules.cards == "common"
        self.hands: list[list[str]] = [[] for _ in position.names]  # known cards of each hand
        self.piles = [self.blank(position, pile) for pile in range(len(position.names))]

    def blank(self, position: Position, pile: int) -> list[str]:
        """Return a pile of which nothing is known."""
        entry = position.to_dict()
        return ["?"] * len(entry["deck"] if self.is_common else entry["players"][pile]["deck"])

    def watch(self, position: Position, action: str, after: Position) -> None:
        """Follow an action of any player."""
        mover = position.names.index(position.to_move or "")
        pile = self.piles[0 if self.is_common else mover]
        before, later = (which.to_dict()["players"][mover] for which in (position, after))
        if action == "buy":
            drawn = [pile.pop(0) for _ in range(min(position.rules.draw, len(pile)))]
            if len(drawn) == 1:
                self.hands[mover] += [card for card in drawn if card != "?"]
        elif action.startswith("keep"):
            parts = dict(part.split(":") for part in action.split(";"))
            top, bottom = (parts[end].split(",") if end in parts else [] for end in ("top", "bottom"))
            if mover != self.seat:
                top, bottom = ["?"] * len(top), ["?"] * len(bottom)
            pile[:] = top + pile + bottom
        for card in before["hand"]:
            if before["hand"].count(card) > later["hand"].count(card) and card in self.hands[mover]:
                self.hands[mover].remove(card)
                break
        if mover == self.seat:
            self.hands[mover] = later["hand"]

    def hide(self, position: Position) -> list[Any]:
        """Return hands, piles and drawn cards of a position as this player sees them."""
        entry = position.to_dict()
        sizes = [len(player["hand"]) for player in entry["players"]]
        hands = [sorted(hand) + ["?"] * (size - len(hand)) for hand, size in zip(self.hands, sizes, strict=True)]
        piles = self.piles[:1] if self.is_common else self.piles
        drawn = entry["turn"]["drawn"]
        is_mover = position.to_move == position.names[self.seat]
        return [hands, piles, drawn if is_mover else ["?"] * len(drawn)]


def shown(view: Position) -> list[Any]:
    """Return hands, piles and drawn cards as a view shows them."""
    entry = view.to_dict()
    piles = [entry["deck"]] if "deck" in entry else [player["deck"] for player in entry["players"]]
    return [[player["hand"] for player in entry["players"]], piles, entry["turn"]["drawn"]]


@settings(max_examples=15)
@given(seeds)
def test_a_view_shows_exactly_what_its_player_has_seen_in_the_game(seed: int) -> None:
    position = reach_with_cards(seed, 0)
    knowledge = [Knowledge(position, seat) for seat in range(len(position.names))]
    for before, action, after in random_game(Random(seed), position):
        for player, known in zip(position.names, knowledge, strict=True):
            known.watch(before, action, after)
            assert shown(after.view(player)) == known.hide(after), action


# Knowledge over time


def own_pile_game() -> Position:
    """Return a game in which red is about to buy from climb, gate, jump, shift, supply."""
    cards = ("climb", "gate", "jump", "shift", "supply")
    return hidden_game("own", deck_of(*cards), {"deck": list(cards)}, {"deck": list(cards)})


def test_cards_put_under_the_pile_stay_known_to_the_player_who_put_them_there() -> None:
    position = own_pile_game().play("buy").play("keep:climb;bottom:gate,jump")
    position = position.play("end").play("end")
    assert position.view("red").to_dict()["players"][0]["deck"] == ["?", "?", "gate", "jump"]


def test_cards_put_under_the_pile_are_not_known_to_others() -> None:
    position = own_pile_game().play("buy").play("keep:climb;bottom:gate,jump")
    assert position.view("blue").to_dict()["players"][0]["deck"] == ["?"] * 4


def test_cards_put_on_top_of_the_pile_are_determinized_to_where_they_are() -> None:
    position = own_pile_game().play("buy").play("keep:climb;top:jump;bottom:gate")
    for seed in range(30):
        deck = position.determinize(seed).to_dict()["players"][0]["deck"]
        assert (deck[0], deck[3]) == ("jump", "gate")


def common_pile_game(pile: list[str], blue: list[str] | None = None) -> Position:
    """Return a game with a common deck of four climbs and four gates, of which the others are played."""
    blue = blue or []
    rest = sorted(["climb", "gate"] * 4)
    for card in pile + blue:
        rest.remove(card)
    return hidden_game("common", deck_of("climb", "gate"), {"played": rest}, {"hand": blue}, deck=pile)


def test_cards_put_on_a_common_pile_are_known_until_somebody_draws_them() -> None:
    position = common_pile_game(["climb", "gate", "climb", "gate", "gate"]).play("buy")
    position = position.play("keep:climb;top:gate;bottom:climb").play("end")
    assert position.view("red").to_dict()["deck"] == ["gate", "?", "?", "climb"]
    position = position.play("buy").play("keep:gate;top:gate,gate")
    assert position.view("red").to_dict()["deck"] == ["?", "?", "climb"]


def single_card_bought(blue: list[str]) -> Position:
    """Return the position in which blue bought the only card of the common pile, the gate that red put there."""
    return common_pile_game(["climb", "gate"], blue).play("buy").play("keep:climb;top:gate").play("end").play("buy")


def test_a_known_card_that_an_opponent_draws_alone_is_known_in_the_hand() -> None:
    position = single_card_bought(["climb", "climb"])
    assert position.view("red").to_dict()["players"][1]["hand"] == ["gate", "?", "?"]


def test_a_known_card_in_an_opponents_hand_is_forgotten_when_it_is_played() -> None:
    position = single_card_bought(["climb", "gate"]).play("end").play("end")
    gates = [action for action in position.legal_actions() if action.startswith("card:gate")]
    assert position.play(gates[0]).view("red").to_dict()["players"][1]["hand"] == ["?", "?"]


@pytest.mark.parametrize("blue", [[], ["climb"], ["climb", "gate"]])
def test_a_known_card_that_an_opponent_draws_alone_is_known_to_be_fresh(blue: list[str]) -> None:
    position = single_card_bought(blue)
    assert position.view("red").to_dict()["players"][1]["fresh"] == ["gate"]


@pytest.mark.parametrize("blue", [[], ["climb"], ["climb", "climb"]])
def test_a_known_card_that_an_opponent_draws_alone_is_fresh_in_every_determinization(blue: list[str]) -> None:
    position = as_seen(single_card_bought(blue), "red")
    fresh = {tuple(position.determinize(seed).to_dict()["players"][1]["fresh"]) for seed in range(30)}
    assert fresh == {("gate",)}


def test_a_fresh_card_that_is_known_stays_known_when_its_twin_is_played() -> None:
    # Blue put the last card of the common pile back, so blue knows what red buys; red plays another ap6.
    hands = ({"hand": ["ap6"]}, {"hand": []})
    position = hidden_game("common", dict.fromkeys(CARDS, 1), *hands, deck=["ap6"])
    position.state["pile"][0] |= 1 << 5  # known to blue, player 1
    after = position.play("buy").play("card:ap6")
    seen = after.view("blue").to_dict()["players"][0]
    assert (seen["hand"], seen["fresh"]) == (["ap6"], ["ap6"])
    assert Position.from_dict(after.view("blue").to_dict()) == after.view("blue")
