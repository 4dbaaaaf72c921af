"""Values of cards on games that were made up, where the truth is known by construction."""

import math
from random import Random

import numpy as np
import pytest

from tests.studies.made_logs import make_game, make_turn
from torres_mcts.games.torres.format.model import CARDS
from torres_mcts.studies.metrics import METRICS
from torres_mcts.studies.metrics.cards import offered, regress

OTHER_PILE = ("climb", "gate", "jump", *(card for card in CARDS if card not in ("climb", "gate", "jump")))


def measure(name, games):
    return METRICS[name].measure([[game] for game in games])


def shuffled(random, cards=CARDS):
    return tuple(random.sample(cards, len(cards)))


def test_the_regression_finds_the_truth():
    random, truth = Random(1), np.linspace(-0.3, 0.6, len(CARDS))
    piles = [shuffled(random)[:3] for _ in range(60)]
    counts = np.array([[pile.count(card) for card in CARDS] for pile in piles], dtype=float)
    found = regress(counts - counts.mean(axis=0), counts @ truth - (counts @ truth).mean())
    assert found == pytest.approx(truth - truth.mean())


def test_a_card_that_always_wins_stands_out_of_own_decks():
    random = Random(2)
    games = []
    for _ in range(80):
        pile = shuffled(random)
        games.append(make_game((9, 5) if "ap7" in pile[:3] else (7, 7), piles=(pile, OTHER_PILE)))
    found = measure("card_dealt", games)
    assert found["ap7"] == pytest.approx(0.45)  # half a point more than the nine others: their mean is 0.05
    assert [found[card] for card in CARDS if card != "ap7"] == pytest.approx([-0.05] * 9)


def test_what_a_player_chose_to_play_does_not_matter_to_the_value_of_a_deal():
    random, games = Random(3), []
    for number in range(80):
        pile = shuffled(random)
        turns = (make_turn(played=("gate",)),) if number % 2 else ()
        games.append(make_game((9, 5) if number % 2 else (5, 9), piles=(pile, OTHER_PILE), turns=turns))
    assert measure("card_wins", games)["gate"] == 1  # those ahead happened to play it
    assert abs(measure("card_dealt", games)["gate"]) < 0.25


def test_too_few_games_give_no_value():
    found = measure("card_dealt", [make_game((9, 5), piles=(CARDS, OTHER_PILE))])
    assert list(found) == list(CARDS)
    assert all(math.isnan(value) for value in found.values())


def test_a_card_that_is_not_in_the_deck_has_no_value():
    random, cards = Random(4), [card for card in CARDS if card != "under"]
    games = [make_game((9, 5), piles=(shuffled(random, cards), OTHER_PILE)) for _ in range(60)]
    found = measure("card_dealt", games)
    assert math.isnan(found["under"])
    assert found["gate"] == pytest.approx(0)


def test_cards_that_chance_puts_before_players():
    own = make_game((9, 5), piles=(CARDS, OTHER_PILE))
    assert offered(own) == {0: CARDS[:3], 1: OTHER_PILE[:3]}
    turns = (make_turn(seat=1, bought=("gate", "jump")), make_turn(seat=0, bought=("ap6",)), make_turn(bought=("ap7",)))
    single = make_game((9, 5), rules={"preset": "1999", "players": 2}, piles=(CARDS,), turns=turns)
    assert offered(single) == {1: ("gate",), 0: ("ap6",)}
    common = make_game((9, 5), rules={"preset": "2017-common", "players": 2}, piles=(CARDS,), turns=turns)
    assert offered(common) == {1: CARDS[:3]}
    assert offered(make_game((9, 5), rules={"preset": "2017-master", "players": 2})) == {}


def test_the_swing_of_a_card_is_against_turns_without_one():
    turns = (
        make_turn(seat=0, wins=(0.6, 0.4)),  # + 0.1 without a card
        make_turn(seat=1, wins=(0.5, 0.5)),  # + 0.1
        make_turn(seat=0, played=("ap7",), wins=(0.8, 0.2)),  # + 0.3
        make_turn(seat=1, played=("gate",), wins=(0.7, 0.3)),  # + 0.1
    )
    found = measure("card_swing", [make_game((9, 5), start_wins=(0.5, 0.5), turns=turns)])
    assert (found["ap7"], found["gate"]) == (pytest.approx(0.2), pytest.approx(0))
    assert math.isnan(found["jump"])


def test_turns_are_compared_with_those_of_their_own_year():
    turns = (
        make_turn(wins=(0.5, 0.5)),
        make_turn(year=2, wins=(0.7, 0.3)),
        make_turn(year=2, played=("ap7",), wins=(0.9, 0.1)),
        make_turn(year=3, played=("jump",), wins=(1.0, 0.0)),  # no other turn of this year
    )
    found = measure("card_swing", [make_game((9, 5), start_wins=(0.5, 0.5), turns=turns)])
    assert found["ap7"] == pytest.approx(0)
    assert math.isnan(found["jump"])


def test_a_card_played_twice_counts_one_win():
    turns = (make_turn(played=("gate",)), make_turn(played=("gate",)), make_turn(seat=1, played=("jump",)))
    found = measure("card_wins", [make_game((9, 5), turns=turns), make_game((5, 9), turns=turns[:1])])
    assert (found["gate"], found["jump"]) == (0.5, 0)


def test_the_warning_about_selection_is_part_of_the_definition():
    assert "WARNING, selection" in METRICS["card_wins"].definition


def test_use_of_cards_is_a_player():
    turns = (make_turn(bought=("gate", "gate")), make_turn(seat=1, bought=("gate",), played=("jump",)))
    found = measure("card_use", [make_game((9, 5), turns=turns)])
    assert (found["gate_bought"], found["gate_played"], found["jump_played"]) == (1.5, 0, 0.5)
