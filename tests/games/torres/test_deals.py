"""Every deal of the hidden cards is equally likely (chi-square, fixed seeds)."""

from collections import Counter
from collections.abc import Callable, Hashable
from itertools import combinations, permutations
from typing import Any

import pytest
from scipy.stats import chisquare

from tests.strategies import CARDS, MASTER_CARDS, deck_of, hidden_game
from torres_mcts import Position, Rules

pytestmark = [pytest.mark.kernel, pytest.mark.slow]

LEAST_LIKELY = 0.001  # a fair deal is less likely than this once in a thousand changes of the generator


def check_deals(
    position: Position, outcome: Callable[[dict[str, Any]], Hashable], chances: dict[Hashable, float], deals: int
) -> None:
    """Determinize often and compare how often each outcome comes with its chance."""
    counts = Counter(outcome(position.determinize(seed).to_dict()) for seed in range(deals))
    assert set(counts) <= set(chances)
    observed = [counts[key] for key in chances]
    assert chisquare(observed, [deals * chance for chance in chances.values()]).pvalue > LEAST_LIKELY


def evenly(outcomes: list[Any]) -> dict[Hashable, float]:
    """Give every outcome the same chance."""
    return dict.fromkeys(outcomes, 1 / len(outcomes))


FIVE = ["climb", "gate", "jump", "shift", "under"]
FOUR = FIVE[:4]


def test_two_cards_in_an_opponents_hand_are_any_two_of_ten() -> None:
    position = hidden_game("own", {}, {}, {"hand": ["?", "?"]})
    check_deals(
        position, lambda deal: tuple(deal["players"][1]["hand"]), evenly(list(combinations(CARDS, 2))), deals=4500
    )


@pytest.mark.parametrize("seat", [0, 1])
def test_a_pile_lies_in_any_order(seat: int) -> None:
    position = hidden_game("own", deck_of(*FOUR), {}, {})
    orders = evenly(list(permutations(FOUR)))
    check_deals(position, lambda deal: tuple(deal["players"][seat]["deck"]), orders, deals=2400)


def test_the_unknown_cards_of_a_partly_known_pile_lie_in_any_order() -> None:
    position = hidden_game("own", deck_of(*FIVE), {"deck": ["?", "?", "gate", "?", "?"]}, {})
    orders = evenly([(*order[:2], "gate", *order[2:]) for order in permutations(["climb", "jump", "shift", "under"])])
    check_deals(position, lambda deal: tuple(deal["players"][0]["deck"]), orders, deals=2400)


def test_a_known_card_of_an_opponent_leaves_the_others_to_chance() -> None:
    position = hidden_game("own", deck_of(*FIVE), {}, {"hand": ["gate", "?", "?"]})
    pairs = combinations(["climb", "jump", "shift", "under"], 2)
    hands = evenly([tuple(sorted((*pair, "gate"))) for pair in pairs])
    check_deals(position, lambda deal: tuple(deal["players"][1]["hand"]), hands, deals=1200)


def test_a_hand_from_a_common_deck_is_dealt_as_often_as_there_are_copies() -> None:
    position = hidden_game("common", deck_of("climb", "gate"), {}, {"hand": ["?", "?"]})  # four of each
    chances: dict[Hashable, float] = {
        ("climb", "climb"): 6 / 28,
        ("climb", "gate"): 16 / 28,
        ("gate", "gate"): 6 / 28,
    }
    check_deals(position, lambda deal: tuple(deal["players"][1]["hand"]), chances, deals=2800)


def test_the_observers_own_cards_leave_fewer_copies_to_a_common_deck() -> None:
    # Red holds two of the four climbs: of the six other cards two are climbs.
    position = hidden_game("common", deck_of("climb", "gate"), {"hand": ["climb", "climb"]}, {"hand": ["?"]})
    chances: dict[Hashable, float] = {"climb": 1 / 3, "gate": 2 / 3}
    check_deals(position, lambda deal: deal["players"][1]["hand"][0], chances, deals=2000)


def test_the_top_card_of_a_common_pile_is_dealt_as_often_as_there_are_copies() -> None:
    position = hidden_game("common", deck_of("climb", "gate", "gate"), {}, {"hand": ["?"]})
    chances: dict[Hashable, float] = {"climb": 1 / 3, "gate": 2 / 3}
    check_deals(position, lambda deal: deal["deck"][0], chances, deals=2000)


def test_the_cards_that_an_opponent_chooses_from_are_any_three_in_any_order() -> None:
    turn = {"ap": 4, "bought": 1, "drawn": ["?", "?", "?"]}
    moment = {"phase": "keep", "to_move": "blue", "first": "blue", "viewpoint": "red"}
    position = hidden_game("own", deck_of(*FIVE), {}, {}, turn=turn, **moment)
    check_deals(position, lambda deal: tuple(deal["turn"]["drawn"]), evenly(list(permutations(FIVE, 3))), deals=3000)


def test_the_fresh_card_of_an_opponent_is_any_card_of_any_hand() -> None:
    blue = {"hand": ["?", "?"], "fresh": ["?"]}
    moment = {"to_move": "blue", "first": "blue", "viewpoint": "red"}
    position = hidden_game("own", deck_of(*FOUR), {}, blue, turn={"ap": 4, "bought": 1}, **moment)
    outcomes = evenly([(card, pair) for pair in combinations(FOUR, 2) for card in pair])

    def fresh_and_hand(deal: dict[str, Any]) -> Hashable:
        player = deal["players"][1]
        return player["fresh"][0], tuple(player["hand"])

    check_deals(position, fresh_and_hand, outcomes, deals=1800)


def test_each_of_two_opponents_hands_is_dealt_alike() -> None:
    rules = Rules.preset("2017-common", players=3, deck=deck_of("climb", "gate"))
    entry = Position.new(rules, seed=1).play("knight:a4").play("knight:c3").play("knight:e1").play("king:d8").to_dict()
    entry["deck"] = ["?"] * 6
    for player in entry["players"][1:]:
        player["hand"] = ["?"]
    chances: dict[Hashable, float] = {
        ("climb", "climb"): 12 / 56,
        ("climb", "gate"): 16 / 56,
        ("gate", "climb"): 16 / 56,
        ("gate", "gate"): 12 / 56,
    }
    position = Position.from_dict(entry)
    check_deals(position, lambda deal: tuple(player["hand"][0] for player in deal["players"][1:]), chances, deals=2800)


def test_every_master_card_is_drawn_alike() -> None:
    games = 1600
    rules = Rules.preset("2017-master")
    counts = Counter(Position.new(rules, seed=seed).rules.master_card for seed in range(games))
    assert set(counts) == set(MASTER_CARDS)
    assert chisquare([counts[card] for card in MASTER_CARDS]).pvalue > LEAST_LIKELY


def test_a_new_game_is_shuffled_by_its_seed() -> None:
    rules = Rules.preset("2017")
    assert Position.new(rules, seed=5) == Position.new(rules, seed=5)
    assert Position.new(rules, seed=5) != Position.new(rules, seed=6)
