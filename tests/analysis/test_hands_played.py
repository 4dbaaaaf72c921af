"""Hands weighed by plays against plain enumerations of every deal and choice, and against uniform hands."""

import math
import re
from collections import Counter
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from tests.analysis.hand_games import middle_game, shopping_game
from torres_mcts import Position
from torres_mcts.analysis import hands_played
from torres_mcts.analysis.hand_fit import play_greedy_game
from torres_mcts.analysis.hands import Unseen, hand_posterior
from torres_mcts.analysis.hands_played import (
    CardValues,
    draw_card,
    first_belief,
    fitted_temperature,
    follow_hands,
    replay_positions,
    reveal_card,
    settle_cards,
    weigh_belief,
    weigh_hands,
)
from torres_mcts.analysis.turns import list_turns
from torres_mcts.core.errors import TorresError
from torres_mcts.games.torres.format.model import CARDS
from torres_mcts.games.torres.record import GameRecord
from torres_mcts.games.torres.rules import Rules

GAMES = Path(__file__).resolve().parents[2] / "examples" / "games"
DECK = ("ap6", "ap6", "ap7", "ap7", "climb")
TEMPERATURE = 2.0
FIRST_VALUES = {"ap6": 3.0, "ap7": 7.0, "climb": 1.0}  # of a turn with each card; without one 1.0
SECOND_VALUES = {"ap6": 6.0, "ap7": 2.0, "climb": 8.0}  # without one 2.0


# The filter against every deal and every choice of a short history.


def buy_every_way(pile):
    """Yield each way to look at the top three, keep one and put the others back: kept, new pile."""
    drawn, rest = pile[:3], pile[3:]
    for order in permutations(drawn):
        for on_top in range(len(drawn)):
            yield order[0], (*order[1 : 1 + on_top], *rest, *order[1 + on_top :])


def fit(hand, values, none, temperature):
    options = [none, *(values[DECK[card]] for card in hand)]
    return 1 / sum(math.exp(value / temperature) for value in options)


def follow_every_history(temperature):
    """Deal, then: buy twice, end; a choice, buy, a choice with ap6 played, end. Return the shares of the last hands.

    Which card is kept, where the others go, and which held card is played are drawn blindly.
    """
    shares: Counter[tuple[str, ...]] = Counter()
    for pile in permutations(range(len(DECK))):
        for one, pile_one in buy_every_way(pile):
            for two, pile_two in buy_every_way(pile_one):
                weight = fit([one, two], FIRST_VALUES, 1.0, temperature)  # bought in one turn, playable in the next
                for three in pile_two[:3]:
                    for played in (one, two):
                        if DECK[played] == "ap6":
                            left = two if played == one else one
                            hand = tuple(sorted((DECK[left], DECK[three])))
                            shares[hand] += weight * fit([one, two], SECOND_VALUES, 2.0, temperature)
    total = sum(shares.values())
    return {hand: share / total for hand, share in shares.items()}


def values_of(values, none):
    return np.array([values.get(card, none) for card in CARDS])


def follow_by_filter(temperature):
    temperatures = np.array([temperature])
    pool = tuple(DECK.count(card) for card in CARDS)
    nothing = (0,) * len(CARDS)
    belief = first_belief(Unseen(nothing, nothing, 0, 0, pool), 1)
    belief = settle_cards(draw_card(draw_card(belief, pool), pool))
    belief = weigh_belief(belief, nothing, 1.0, values_of(FIRST_VALUES, 1.0), temperatures)
    belief = reveal_card(draw_card(belief, pool), 0)
    others = (1,) + (0,) * 9  # ap6, played since
    belief = weigh_belief(belief, others, 2.0, values_of(SECOND_VALUES, 2.0), temperatures)
    belief = settle_cards(belief)
    return {
        tuple(card for card, copies in zip(CARDS, old, strict=True) for _ in range(copies)): share[0]
        for old, share in zip(belief.old, belief.shares, strict=True)
    }


@pytest.mark.parametrize("temperature", [TEMPERATURE, 0.5, math.inf])
def test_the_filter_is_exact_for_every_deal_and_blind_choice(temperature):
    expected = follow_every_history(temperature)
    assert len(expected) == 4
    assert follow_by_filter(temperature) == pytest.approx(expected, abs=1e-12)


def test_a_record_that_starts_within_a_turn_knows_which_cards_are_fresh():
    pool = (2, 1, 1, 0, 0, 0, 0, 0, 0, 0)
    belief = first_belief(Unseen((0,) * 10, (0,) * 10, 2, 1, pool), 1)
    deals = list(permutations(("ap6", "ap6", "ap7", "climb"), 2))
    expected = Counter((old, fresh) for old, fresh in deals)
    found = {
        (CARDS[old.argmax()], CARDS[fresh.argmax()]): share[0]
        for old, fresh, share in zip(belief.old, belief.fresh, belief.shares, strict=True)
    }
    assert found == pytest.approx({pair: number / len(deals) for pair, number in expected.items()})


# Without a temperature.


def assert_uniform(record: GameRecord, observer: str, opponent: str, temperature: float | None, error: float) -> int:
    """Compare weighed with uniform hands after every action; return the most hands that were possible."""
    most = 0
    weighed = follow_hands(record, observer=observer, opponent=opponent, temperature=temperature, width=2)
    for position, posterior in zip(replay_positions(record), weighed, strict=True):
        uniform = hand_posterior(position, observer, opponent)
        assert posterior.hands == pytest.approx(uniform.hands, abs=error)
        assert posterior.holding == pytest.approx(uniform.holding, abs=error)
        assert posterior.expected == pytest.approx(uniform.expected, abs=error)
        assert posterior.size == uniform.size
        most = max(most, len(uniform.hands))
    return most


@pytest.mark.parametrize("name", ["game-2017-two-players", "game-2017-four-players"])
def test_without_a_temperature_hands_of_the_examples_are_uniform_after_every_action(name):
    record = GameRecord.load(GAMES / f"{name}.json")
    names = record.position.names
    for owner, opponent in enumerate(names):
        assert_uniform(record, names[owner - 1], opponent, None, 1e-12)


@pytest.mark.parametrize(
    ("players", "overrides"),
    [
        (2, "{}"),
        (2, '{"draw": 1}'),
        (2, '{"draw": 2, "cards_per_turn": 3, "buys_per_turn": 4, "ap_per_turn": 7}'),
        (3, '{"draw": 5, "deck": {"climb": 3, "gate": 0, "ap6": 2, "supply": 0}}'),
    ],
)
def test_without_a_temperature_hands_are_uniform_under_any_rules_of_own_decks(players, overrides):
    record = shopping_game("2017", players, 3, overrides)
    assert assert_uniform(record, "red", "blue", None, 1e-12) > 60


def test_plays_tell_less_and_less_as_the_temperature_grows():
    record = play_greedy_game(Rules.preset("2017"), seed=2)
    assert_uniform(record, "red", "blue", 1e9, 1e-6)


# With a temperature.


def test_each_card_is_worth_the_best_turn_that_it_allows():
    data = middle_game().to_dict()
    data["to_move"] = data["first"] = "blue"
    data["turn"]["ap"] = 1
    blue = data["players"][1]
    none, values = CardValues(256).judge(Position.from_dict(data), "red", "blue", np.ones(10, bool))
    unknown = ["?"] * (len(blue["hand"]) - 1)  # of these no card is played
    blue["deck"] = ["?"] * len(blue["deck"])
    for card in ("?", *CARDS):
        if card not in blue["played"]:
            blue["hand"] = [card, *unknown]
            turns = list_turns(Position.from_dict(data), most=1)
            assert turns.exhaustive
            value = none if card == "?" else values[CARDS.index(card)]
            assert value <= turns.turns[0].value + 1e-9, card
            if card != "shift":  # the one card with more ways to play it than the beam is wide
                assert value == pytest.approx(turns.turns[0].value), card
    assert values[CARDS.index("ap7")] > none


def test_a_card_that_would_have_brought_much_is_less_likely_to_be_held(monkeypatch):
    monkeypatch.setattr(
        CardValues,
        "judge",
        lambda self, position, observer, opponent, held: (0.0, np.where(np.array(CARDS) == "climb", 9.0, 0.0)),
    )
    record = shopping_game("2017", 2, 3)
    assert not any(action.startswith("card:climb") for action in record.actions)
    moves = len(record.actions) // 4
    uniform, weighed = (
        weigh_hands(record, moves, observer="red", opponent="blue", temperature=temperature)
        for temperature in (None, 3.0)
    )
    assert 0 < uniform.holding["climb"] < 1
    assert weighed.holding["climb"] < 0.5 * uniform.holding["climb"]
    assert sum(weighed.hands.values()) == pytest.approx(1)
    assert set(weighed.hands) == set(uniform.hands)
    assert list(weighed.hands.values()) == sorted(weighed.hands.values(), reverse=True)


def relabel(record: GameRecord, opponent: str, one: str, other: str) -> GameRecord:
    """Exchange two cards of an opponent that nobody saw, wherever they lie or go."""

    def exchange(text: str) -> str:
        return re.sub(rf"\b({one}|{other})\b", lambda found: other if found[0] == one else one, text)

    data = record.position.to_dict()
    owner = next(player for player in data["players"] if player["name"] == opponent)
    owner["deck"] = [exchange(card) for card in owner["deck"]]
    position, start, actions = record.position, Position.from_dict(data), []
    for action in record.actions:
        mine = position.to_move == opponent and action.startswith("keep:")
        actions.append(exchange(action) if mine else action)
        position = position.play(action)
    return GameRecord(start, tuple(actions))


def test_cards_that_the_observer_never_saw_change_nothing():
    record = play_greedy_game(Rules.preset("2017"), seed=5)
    moves = int(0.7 * len(record.actions))
    record = GameRecord(record.position, record.actions[:moves])
    blue = record.position_after(moves).to_dict()["players"][1]
    unplayed = [card for card in CARDS if card not in blue["played"]]
    held, other = blue["hand"][0], next(card for card in unplayed if card not in blue["hand"])
    changed = relabel(record, "blue", held, other)
    assert changed.position_after(moves).to_dict()["players"][1]["hand"] != blue["hand"]
    truth, lie = (
        weigh_hands(game, observer="red", opponent="blue", temperature=2.0, width=4) for game in (record, changed)
    )
    assert truth == lie
    assert truth != weigh_hands(record, observer="red", opponent="blue", temperature=None)


def test_what_comes_later_in_a_record_changes_nothing():
    record = play_greedy_game(Rules.preset("2017"), seed=5)
    options = {"observer": "red", "opponent": "blue", "temperature": 2.0, "width": 2}
    for moves in (60, 61, 62, 63):
        short = GameRecord(record.position, record.actions[:moves])
        assert weigh_hands(record, moves, **options) == weigh_hands(short, **options)


def test_the_temperature_in_use_was_written_by_tune():
    assert "Written by `torres tune --hands`" in hands_played.FITTED_FILE.read_text()
    assert 0.1 < fitted_temperature() < 100


def test_bad_input_gets_one_line(monkeypatch):
    record = shopping_game("2017", 2, 3)
    players = {"observer": "red", "opponent": "blue"}
    with pytest.raises(TorresError, match="up_to_move: 9999 is not one of 0 to"):
        weigh_hands(record, 9999, **players, temperature=None)
    with pytest.raises(TorresError, match="temperature: 0 is not above 0"):
        weigh_hands(record, **players, temperature=0)
    with pytest.raises(TorresError, match="own decks only, not with cards: common"):
        weigh_hands(shopping_game("2017-common", 2), **players, temperature=1.0)
    broken = GameRecord(record.position, ("end",))
    with pytest.raises(TorresError, match=r"actions\[0\]: "):
        weigh_hands(broken, **players, temperature=None)
    many = shopping_game("2017", 2, 3, '{"deck": {"ap6": 9, "climb": 9}, "draw": 1}')
    monkeypatch.setattr(hands_played, "BELIEF_LIMIT", 3)
    with pytest.raises(TorresError, match="more than 3 hands are possible: too many to follow"):
        weigh_hands(many, **players, temperature=None)
