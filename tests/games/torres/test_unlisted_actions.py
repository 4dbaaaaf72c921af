"""What is not written as a listed action is refused: misspellings, and whatever the rules do not list."""

from random import Random
from typing import Any

import pytest

from tests.games.torres.refusing import BOARD, refuse
from tests.strategies import CARDS, NAMES, SQUARES, read_vectors
from torres_mcts import IllegalAction, Position

VECTORS = read_vectors("positions.jsonl")

SPELLING = {
    "": "unknown action; actions are buy, score, castle",
    " ": "unknown action; actions are buy, score, castle",
    "pass": "unknown action; actions are buy, score, castle",
    "mvoe:c4-c5": "unknown action; did you mean 'move'?",
    "Move:c4-c5": "unknown action; did you mean 'move'?",
    " move:c4-c5": "unknown action; did you mean 'move'?",
    "scores": "unknown action; did you mean 'score'?",
    "end\n": "unknown action; did you mean 'end'?",
    "\u0455core": "unknown action; did you mean 'score'?",
    "buy:": "not how buy is written; write buy",
    "buy:ap6": "not how buy is written; write buy",
    "score:1": "not how score is written; write score",
    "move": "not how move is written; write move:e4-e5",
    "move:": "not how move is written; write move:e4-e5",
    "move:c4": "not how move is written; write move:e4-e5",
    "move:c4-c5-c6": "not how move is written; write move:e4-e5",
    "move:c4-c5\n": "not how move is written; write move:e4-e5",
    "move:c4-c9": "not how move is written; write move:e4-e5",
    "move:c\uff14-c5": "not how move is written; write move:e4-e5",
    "move:c4\u2013c5": "not how move is written; write move:e4-e5",
    "move:C4-C5": "not how move is written; write move:e4-e5",
    "knight": "not how knight is written; write knight:e4",
    "knight:i1": "not how knight is written; write knight:e4",
    "block:e4 ": "not how block is written; write block:e4",
    "castle:": "not how castle is written; write castle:e4",
    "king": "not how king is written; write king:e5 or king:stay",
    "king:Stay": "not how king is written; write king:e5 or king:stay",
    "first": "not how first is written; write first:NAME",
    "card": "unknown card; cards are ap6, ap7",
    "card:": "unknown card; cards are ap6, ap7",
    "card:clim:c4-c3": "unknown card; did you mean 'climb'?",
    "card:two\nlines": "unknown card; cards are ap6, ap7",
    "card:?": "unknown card; cards are ap6, ap7",
    "card:ap6:": "not how card is written; write card:ap6",
    "card:ap6:c4": "not how card is written; write card:ap6",
    "card:climb": "not how card is written; write card:ap6",
    "card:climb:c4": "not how card is written; write card:ap6",
    "card:supply": "not how card is written; write card:ap6",
    "card:supply:c4-c5": "not how card is written; write card:ap6",
    "card:under:c4": "not how card is written; write card:ap6",
    "card:under:c4:0": "not how card is written; write card:ap6",
    "card:under:c4:10": "not how card is written; write card:ap6",
    "card:under:c4:\u0663": "not how card is written; write card:ap6",
    "card:under:c4:used": "not how card is written; write card:ap6",
    "end:": "not possible here; possible are end",
    "end:3,3,3,": "not possible here; possible are end",
    "x" * 100_000: "unknown action; actions are buy",
    "card:" + "x" * 100_000: "unknown card; cards are ap6",
    "end:" + "3," * 100_000: "not possible here; possible are end",
    "\x1b[31m\ud800\x00": "unknown action; actions are buy",
}


@pytest.mark.parametrize(("action", "reason"), SPELLING.items(), ids=[ascii(action[:30]) for action in SPELLING])
def test_what_is_no_action_is_refused_with_the_way_to_write_it(action: str, reason: str) -> None:
    refuse(BOARD, action, reason)


@pytest.mark.parametrize("action", [None, 5, b"end", ["end"], True], ids=repr)
def test_what_is_no_text_is_refused(action: Any) -> None:
    with pytest.raises(IllegalAction, match="an action is a text such as 'move:e4-e5', not "):
        Position.from_dict(BOARD).play(action)


# Nothing but the listed actions


def random_token(random: Random, knights: list[str]) -> str:
    """Write something that has the form of an action, often one of a knight that is there."""
    square, other = random.choice(knights if knights and random.random() < 0.7 else SQUARES), random.choice(SQUARES)
    stacks = ",".join(str(random.randint(0, 3)) for _ in range(random.randint(1, 4)))
    cards = random.sample(CARDS, 3)
    return random.choice(
        [
            *[f"{verb}:{other}" for verb in ("castle", "knight", "king", "block", "card:supply")],
            *[f"{verb}:{square}-{other}" for verb in ("move", "card:climb", "card:gate", "card:transfer", "card:jump")],
            *[f"card:diagonal:{square}-{other}", f"card:shift:{other}-{square}"],
            *[f"card:under:{square}:{random.choice(['1', '2', '3', 'use'])}", f"first:{random.choice(NAMES)}"],
            *["buy", "score", "end", "king:stay", f"end:{stacks}", "card:ap6", "card:ap7", "buy:", "score:", "end:"],
            *[f"keep:{cards[0]};top:{cards[1]};bottom:{cards[2]}", f"keep:{cards[0]};top:{cards[1]},{cards[2]}"],
        ]
    )


def accepts(position: Position, action: str) -> bool:
    """Tell whether an action can be played; one whose result nobody knows counts as refused."""
    try:
        position.play(action)
    except IllegalAction:
        return False
    return True


@pytest.mark.parametrize("seed", range(3))
def test_of_random_actions_exactly_the_listed_ones_are_accepted(seed: int) -> None:
    random = Random(seed)
    accepted = 0
    for vector in VECTORS:
        position = Position.from_dict(vector["position"])
        knights = [square for player in vector["position"]["players"] for square in player["knights"]]
        for action in [random_token(random, knights) for _ in range(20)]:
            assert accepts(position, action) == (action in vector["legal"]), (vector["id"], action)
            accepted += action in vector["legal"]
    assert accepted > 1000


def test_of_the_actions_of_other_positions_exactly_the_listed_ones_are_accepted() -> None:
    random = Random(1)
    for vector in VECTORS:
        position = Position.from_dict(vector["position"])
        others = [random.choice(other["legal"]) for other in random.sample(VECTORS, 20) if other["legal"]]
        for action in others:
            assert accepts(position, action) == (action in vector["legal"]), (vector["id"], action)


@pytest.mark.parametrize("kind", ["move:{}-{}", "card:shift:{}-{}", "card:transfer:{}-{}", "card:gate:{}-{}"])
def test_of_all_pairs_of_squares_exactly_the_listed_ones_are_accepted(kind: str) -> None:
    position = Position.from_dict(BOARD)
    listed = set(position.legal_actions())
    pairs = [kind.format(origin, target) for origin in SQUARES for target in SQUARES]
    assert {pair for pair in pairs if accepts(position, pair)} == {pair for pair in pairs if pair in listed}
    assert listed & set(pairs)
