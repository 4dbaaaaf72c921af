"""Possible hands against plain enumerations of all deals, and against the deals of `determinize`."""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from scipy.stats import chisquare, hypergeom

from tests.analysis.hand_games import middle_game
from torres_mcts import Position, Rules
from torres_mcts.analysis.hands import HAND_LIMIT, HandPosterior, deal_hands, hand_posterior
from torres_mcts.core.errors import TorresError
from torres_mcts.core.rng import new_rng
from torres_mcts.games.torres.format.model import CARDS
from torres_mcts.games.torres.record import play_setup

NOT_BY_CHANCE = 1e-4


def small_deck(**copies: int) -> dict[str, int]:
    return {card: copies.get(card, 0) for card in CARDS}


def start_of_turn(players: int = 2, preset: str = "2017", **overrides: Any) -> dict[str, Any]:
    """Return the first turn of red, to be changed."""
    rules = Rules.preset(preset, players=players, **overrides)
    return play_setup(Position.new(rules, seed=1), seed=1).to_dict()


def deal_every_way(
    deck: Sequence[str], slots: int, agrees: Callable[[tuple[str, ...]], bool], hand: slice
) -> dict[tuple[str, ...], Fraction]:
    """Lay single cards onto slots in every order; return how often each hand occurs among the deals that agree."""
    found: Counter[tuple[str, ...]] = Counter()
    for deal in permutations(range(len(deck)), slots):
        cards = tuple(deck[number] for number in deal)
        if agrees(cards):
            found[tuple(sorted(cards[hand]))] += 1
    total = sum(found.values())
    return {cards: Fraction(number, total) for cards, number in found.items()}


def assert_same(posterior: HandPosterior, expected: dict[tuple[str, ...], Fraction]) -> None:
    assert posterior.hands == pytest.approx({hand: float(share) for hand, share in expected.items()}, abs=1e-12)
    assert sum(posterior.hands.values()) == pytest.approx(1, abs=1e-12)
    for card in posterior.holding:
        holding = sum(share for hand, share in expected.items() if card in hand)
        copies = sum(share * hand.count(card) for hand, share in expected.items())
        assert posterior.holding[card] == pytest.approx(float(holding), abs=1e-12)
        assert posterior.expected[card] == pytest.approx(float(copies), abs=1e-12)


def test_hands_from_an_own_deck_are_all_deals_of_single_cards():
    data = start_of_turn(deck=small_deck(climb=2, gate=1, jump=3))
    data["players"][1] |= {"hand": ["climb", "jump"], "deck": ["jump", "jump", "climb"], "played": ["gate"]}
    posterior = hand_posterior(Position.from_dict(data), "red", "blue")
    assert posterior.size == 2
    left = ["climb", "climb", "jump", "jump", "jump"]  # played cards are public
    assert_same(posterior, deal_every_way(left, 5, lambda cards: True, slice(0, 2)))
    assert posterior.probability(["jump", "climb"]) == pytest.approx(0.6)
    assert list(posterior.hands) == [("climb", "jump"), ("jump", "jump"), ("climb", "climb")]


def test_cards_that_the_observer_knows_in_hand_and_pile_are_no_longer_dealt():
    data = start_of_turn(deck=small_deck(climb=2, gate=2, jump=2))
    data["players"][1] |= {"hand": ["jump", "?", "?"], "deck": ["?", "climb", "?"]}
    data["viewpoint"] = "red"
    posterior = hand_posterior(Position.from_dict(data), "red", "blue")
    deck = ["climb", "climb", "gate", "gate", "jump", "jump"]
    agrees = lambda cards: cards[0] == "jump" and cards[4] == "climb"  # noqa: E731
    assert_same(posterior, deal_every_way(deck, 6, agrees, slice(0, 3)))
    assert posterior.holding["jump"] == 1.0


def test_hands_from_a_common_deck_share_one_pool_with_all_hands():
    data = start_of_turn(3, "2017-common", deck=small_deck(climb=1, gate=1))
    red, blue, green = data["players"]
    red["hand"], blue["hand"], green["hand"] = ["climb", "climb"], ["?", "?"], ["?"]
    blue["played"] = ["gate"]
    data["deck"] = ["gate", "?"]
    data["viewpoint"] = "red"
    posterior = hand_posterior(Position.from_dict(data), "red", "blue")
    # Slots: red's two, blue's two, green's one, played, the pile's top and bottom.
    agrees = lambda cards: cards[:2] == ("climb", "climb") and cards[5:7] == ("gate", "gate")  # noqa: E731
    assert_same(posterior, deal_every_way(["climb"] * 4 + ["gate"] * 4, 8, agrees, slice(2, 4)))


def test_too_many_hands_are_not_listed_but_their_cards_have_exact_probabilities():
    data = start_of_turn(2, "2017-common", deck=dict.fromkeys(CARDS, 9) | {"supply": 1})
    data["players"][1]["hand"] = ["?"] * 14
    data["players"][0]["hand"] = ["climb"] * 6
    del data["deck"]
    posterior = hand_posterior(Position.from_dict(data), "red", "blue")
    assert not posterior.is_listed
    for card, copies in (("climb", 30), ("gate", 36)):
        chance = hypergeom(322, copies, 14)
        assert posterior.holding[card] == pytest.approx(1 - chance.pmf(0), abs=1e-9)
        assert posterior.expected[card] == pytest.approx(chance.mean(), abs=1e-9)
    with pytest.raises(TorresError, match=f"more than {HAND_LIMIT:,} possible hands"):
        posterior.probability(["climb"])


def common_deck_position() -> Position:
    """Return red's view of a common deck of 12 cards: blue holds a card that red put back, and two others."""
    data = start_of_turn(3, "2017-common", deck=small_deck(climb=1, gate=1, jump=1))
    red, blue, green = data["players"]
    red["hand"], blue["hand"], green["hand"] = ["climb"], ["jump", "?", "?"], ["?", "?"]
    green["played"] = ["gate"]
    data |= {"deck": ["?", "?", "?", "?", "gate"], "viewpoint": "red"}
    return Position.from_dict(data)


@pytest.mark.parametrize("make", [middle_game, common_deck_position])
def test_determinize_deals_hands_as_often_as_the_posterior_says(make):
    position = make().view("red")
    posterior = hand_posterior(position, "red", "blue")
    assert len(posterior.hands) > 5
    deals = 100 * len(posterior.hands)
    dealt = Counter(tuple(position.determinize(seed).to_dict()["players"][1]["hand"]) for seed in range(deals))
    assert set(dealt) <= set(posterior.hands)
    expected = [share * deals for share in posterior.hands.values()]
    assert chisquare([dealt[hand] for hand in posterior.hands], expected).pvalue > NOT_BY_CHANCE


def test_without_cards_there_is_nothing_to_hold():
    posterior = hand_posterior(Position.from_dict(start_of_turn(preset="no-cards")), "red", "blue")
    assert (posterior.size, posterior.hands, posterior.holding, posterior.expected) == (0, {(): 1.0}, {}, {})


def test_with_all_cards_in_hand_everybody_knows_every_hand():
    position = middle_game("2017-master")
    hand = tuple(position.to_dict()["players"][1]["hand"])
    assert len(hand) < 10
    assert hand_posterior(position, "red", "blue").hands == {hand: 1.0}


def test_hidden_cards_change_nothing():
    position = middle_game()
    worlds = [position.view("red").determinize(seed) for seed in range(6)]
    assert len({str(world.to_dict()["players"][1]["hand"]) for world in worlds}) > 3
    assert {str(hand_posterior(world, "red", "blue").to_dict()) for world in worlds} == {
        str(hand_posterior(position, "red", "blue").to_dict())
    }


def crooked(posterior: HandPosterior) -> HandPosterior:
    """Return a posterior with the same hands and any other probabilities."""
    weights = {hand: 1.0 + index % 5 for index, hand in enumerate(posterior.hands)}
    total = sum(weights.values())
    hands = {hand: weight / total for hand, weight in weights.items()}
    return HandPosterior(posterior.observer, posterior.opponent, posterior.size, hands, {}, {})


def test_worlds_have_hands_as_often_as_a_posterior_says_and_piles_dealt_uniformly():
    position = middle_game()
    posterior = crooked(hand_posterior(position, "red", "blue"))
    uniform = hand_posterior(position, "red", "green")
    rng = new_rng(5)
    worlds = [deal_hands(position, "red", [posterior], rng).to_dict() for _ in range(40 * len(posterior.hands))]
    for seat, expected in ((1, posterior), (2, uniform)):
        dealt = Counter(tuple(world["players"][seat]["hand"]) for world in worlds)
        shares = [share * len(worlds) for share in expected.hands.values()]
        assert chisquare([dealt[hand] for hand in expected.hands], shares).pvalue > NOT_BY_CHANCE
    likeliest = max(posterior.hands, key=lambda hand: posterior.hands[hand])
    piles = [world["players"][1]["deck"] for world in worlds if tuple(world["players"][1]["hand"]) == likeliest]
    tops = Counter(pile[0] for pile in piles)
    assert set(tops) <= set(CARDS) - set(likeliest)
    assert chisquare([tops[card] for card in sorted(piles[0])]).pvalue > NOT_BY_CHANCE


def test_a_world_is_a_whole_position_that_looks_the_same_to_the_observer():
    position = middle_game()
    posteriors = [hand_posterior(position, "red", opponent) for opponent in ("blue", "green")]
    world = deal_hands(position, "red", posteriors, new_rng(1))
    assert world.is_known
    assert Position.from_dict(world.to_dict()) == world
    assert world.view("red") == position.view("red")
    assert hand_posterior(world, "red", "blue") == posteriors[0]


def test_fresh_cards_of_a_world_are_any_of_the_hidden_ones():
    data = start_of_turn(deck=small_deck(climb=1, gate=1, jump=1, shift=1))
    data["to_move"] = data["first"] = "blue"
    data["turn"] |= {"bought": 1, "ap": 4}
    data["players"][1] |= {"hand": ["climb", "gate"], "fresh": ["gate"], "deck": ["jump", "shift"]}
    position = Position.from_dict(data)
    posterior, rng = hand_posterior(position, "red", "blue"), new_rng(2)
    assert len(posterior.hands) == 6
    worlds = [deal_hands(position, "red", [posterior], rng).to_dict()["players"][1] for _ in range(1200)]
    pairs = Counter((tuple(world["hand"]), tuple(world["fresh"])) for world in worlds)
    assert all(set(fresh) < set(hand) for hand, fresh in pairs)
    assert len(pairs) == 12
    assert chisquare(list(pairs.values())).pvalue > NOT_BY_CHANCE


def test_bad_input_gets_one_line():
    position = middle_game()
    blue = hand_posterior(position, "red", "blue")
    with pytest.raises(TorresError, match=r"'bleu' is not a player; players are .*did you mean 'blue'"):
        hand_posterior(position, "red", "bleu")
    with pytest.raises(TorresError, match="both red"):
        hand_posterior(position, "red", "red")
    with pytest.raises(TorresError, match="one is that of red, not of green"):
        deal_hands(position, "green", [blue], new_rng(1))
    impossible = HandPosterior("red", "blue", 1, {("climb",) * blue.size: 1.0}, {}, {})
    with pytest.raises(TorresError, match="cannot be that hand; take the posterior of this position"):
        deal_hands(position, "red", [impossible], new_rng(1))
    common = middle_game("2017-common")
    both = [hand_posterior(common, "red", opponent) for opponent in ("blue", "green")]
    with pytest.raises(TorresError, match="2 given, but hands from a common deck depend on each other"):
        deal_hands(common, "red", both, new_rng(1))
