"""Random rules and random positions of Torres, for seeded loops and for hypothesis.

Every generator takes a `random.Random`, so that a seed alone brings back whatever failed.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import strategies as st

from tests.naive.torres_board import HEIGHT_SIGNS, castles, neighbours, write_heights
from tests.naive.torres_rules import PRESETS, SQUARES
from torres_mcts import Position, PositionError, Rules, RulesError

VECTORS = Path(__file__).parent / "vectors"
CARDS = ["ap6", "ap7", "climb", "diagonal", "gate", "jump", "shift", "supply", "transfer", "under"]
NAMES = ["red", "blue", "green", "yellow"]
MASTER_CARDS = ["castles", "chain", "diagonals", "different-levels", "edges", "row", "same-level", "square"]
PRINTED = ["a4", "c3", "c6", "d8", "e1", "f3", "f6", "h5"]
CASTLES = dict.fromkeys(PRINTED, 1)
TALLEST = len(HEIGHT_SIGNS) - 1
GAME_LIMIT = 2000  # actions; every game is over long before


def read_vectors(name: str) -> list[dict[str, Any]]:
    """Read one of the files of conformance vectors."""
    with open(VECTORS / name, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


# Rules


def random_start_castles(random: Random) -> list[str] | str:
    """Scatter start castles, some of which may touch; or let the players place them."""
    if random.random() < 0.3:
        return "placed"
    return random.sample(SQUARES, random.randint(5, 14))


def random_stacks(random: Random) -> list[list[int]]:
    """Deal year cards of any length, low stacks more often than high ones."""
    highest = random.choice([1, 2, 3, 3, 4, 9])
    return [[random.randint(0, highest) for _ in range(random.randint(1, random.choice([3, 4, 8])))] for _ in "123"]


PARAMETERS: dict[str, Callable[[Random], Any]] = {
    "ap_per_turn": lambda random: random.choice([1, 2, 4, 6, 9, 20]),
    "cost_knight": lambda random: random.randint(1, 9),
    "cost_move": lambda random: random.randint(1, 9),
    "cost_block": lambda random: random.randint(1, 9),
    "cost_buy": lambda random: random.randint(1, 9),
    "cost_score": lambda random: random.randint(1, 9),
    "buys_per_turn": lambda random: random.randint(0, 9),
    "cards_per_turn": lambda random: random.randint(0, 9),
    "cards": lambda random: random.choice(["none", "own", "common", "hand"]),
    "draw": lambda random: random.randint(1, 5),
    "deck": lambda random: {card: random.choice([0, 1, 2, 9]) for card in random.sample(CARDS, random.randint(1, 10))},
    "king_bonus": lambda random: [random.randint(0, 99) for _ in "123"],
    "king_level": lambda random: [random.choice([0, 1, 1, 2, 3, 99]) for _ in "123"],
    "keep_leftovers": lambda random: random.random() < 0.5,
    "start_player": lambda random: random.choice(["named", "stays", "leader"]),
    "king_same_castle": lambda random: random.random() < 0.5,
    "score_track": lambda random: random.choice([0, 4, 7, 13, 100, 1000]),
    "playable": lambda random: random.sample(SQUARES, random.randint(30, 64)),
    "knights": lambda random: random.randint(1, 16),
    "blocks": lambda random: random.randint(40, 160),
    "stacks": random_stacks,
    "stack_limit": lambda random: random.randint(1, 9),
    "min_castles": lambda random: random.choice([0, 1, 3, 7, 8, 99]),
    "start_castles": random_start_castles,
    "master_card": lambda random: random.choice([None, "random", *MASTER_CARDS]),
    "master_min_knights": lambda random: random.choice([0, 1, 3, 99]),
}


def random_rules(random: Random, **fixed: Any) -> Rules:
    """Draw a preset, a number of players and overrides, until the rules can be played.

    fixed: overrides (or `preset` and `players`) that are not left to chance
    """
    while True:
        names = random.sample(sorted(PARAMETERS), random.choice([0, 1, 2, 4, 8, 12]))
        entry = {"preset": random.choice(sorted(PRESETS)), "players": random.randint(2, 4)}
        entry |= {name: PARAMETERS[name](random) for name in names}
        if "playable" in entry:  # a printed start castle must be playable, and none may be left to the players
            printed = entry.get("start_castles", "placed")
            entry["start_castles"] = PRINTED if printed == "placed" else printed
            entry["playable"] = sorted({*entry["playable"], *entry["start_castles"]})
        try:
            return Rules.from_dict(entry | fixed)
        except RulesError:
            continue


# Reachable positions


def choose(random: Random, actions: list[str]) -> str:
    """Choose an action: first its kind, so that rare kinds are played often, then one of that kind."""
    kinds = sorted({kind_of(action) for action in actions})
    kind = random.choice(kinds)
    return random.choice([action for action in actions if kind_of(action) == kind])


def kind_of(action: str) -> str:
    """Return the kind of an action, each card being a kind of its own.

    >>> kind_of("move:e4-e5"), kind_of("card:climb:e4-e5")
    ('move', 'card:climb')
    """
    return ":".join(action.split(":")[: 2 if action.startswith("card") else 1])


def random_game(random: Random, position: Position) -> Iterator[tuple[Position, str, Position]]:
    """Play random actions from a position to the end: position, action, position after."""
    for _ in range(GAME_LIMIT):
        if position.is_over:
            return
        action = choose(random, position.legal_actions())
        after = position.play(action)
        yield position, action, after
        position = after
    raise AssertionError(f"no end after {GAME_LIMIT} actions")


def reach(seed: int, actions: int, **fixed: Any) -> Position:
    """Return the position after so many random actions of a random game (or at its end)."""
    random = Random(seed)
    position = Position.new(random_rules(random, **fixed), seed=seed)
    for number, (_, _, after) in enumerate(random_game(random, position)):
        if number == actions:
            break
        position = after
    return position


seeds = st.integers(0, 2**32 - 1)
action_counts = st.integers(0, 150)
rules = st.builds(lambda seed: random_rules(Random(seed)), seeds)
positions = st.builds(reach, seeds, action_counts)


# Cards


def count_cards(position: Position) -> list[Counter[str]]:
    """Count the cards of each deck, wherever they are: one for each player, or the common one."""
    entry = position.to_dict()
    decks = [Counter(player["hand"] + player.get("deck", []) + player["played"]) for player in entry["players"]]
    for player, deck in zip(entry["players"], decks, strict=True):
        deck.update(entry["turn"]["drawn"] if player["name"] == entry["to_move"] else [])
    return [sum(decks, Counter(entry["deck"]))] if "deck" in entry else decks


def full_decks(rules: Rules) -> list[Counter[str]]:
    """Count the cards that each deck has by the rules."""
    copies = {"none": 0, "common": 4}.get(rules.cards, 1)
    deck = Counter({card: copies * number for card, number in zip(CARDS, rules.deck, strict=True)})
    return [+deck] * (1 if rules.cards == "common" else rules.players)


# Hand-made positions


def entry(
    rules: dict[str, Any], heights: dict[str, int], king: str | None, players: list[dict[str, Any]], **fields: Any
) -> dict[str, Any]:
    """Write a position by hand: heights by square, players in seating order, any further fields."""
    return {
        "format": "torres-position/1",
        "rules": rules,
        "heights": write_heights(heights),
        "king": king,
        "players": [{"name": name} | player for name, player in zip(NAMES, players, strict=False)],
        **fields,
    }


def deck_of(*cards: str) -> dict[str, int]:
    """Return a deck of these cards, each once for every time it is named."""
    return {card: cards.count(card) for card in CARDS}


def hidden_game(
    cards: str, kinds: dict[str, int], red: dict[str, Any], blue: dict[str, Any], **fields: Any
) -> Position:
    """Return a turn of a game with bought cards, hands and piles as given."""
    rules = {"preset": "2017", "cards": cards, "deck": kinds, "blocks": 160}
    players = [{"knights": knights} | player for knights, player in zip([["c3"], ["f5"]], [red, blue], strict=True)]
    return Position.from_dict(entry(rules, CASTLES, "h5", players, **fields))


# Hand-doctored positions, as extreme as the format allows


def random_heights(random: Random, budget: int) -> dict[str, int]:
    """Build castles out of at most so many blocks, a few of them as high as their area allows."""
    wanted = random.choice([10, 25, 40, 64])
    heights = dict.fromkeys(SQUARES, 0)
    for square in random.sample(SQUARES, 64) if random.random() < 0.5 else snake():
        is_apart = random.random() < 0.2 or any(heights[other] for other in neighbours(heights, square))
        if wanted > 0 and budget > 0 and (is_apart or wanted == 64 or not any(heights.values())):
            heights[square] = 1
            wanted, budget = wanted - 1, budget - 1
    for castle in sorted(map(sorted, castles(heights)), key=len, reverse=True):
        for square in random.sample(castle, min(len(castle), random.randint(1, 4))):
            raised = random.choice([0, len(castle) - 1, random.randint(0, len(castle) - 1)])
            raised = min(raised, budget, TALLEST - 1)
            heights[square] += raised
            budget -= raised
    return heights


def snake() -> list[str]:
    """List all squares file by file, so that neighbours follow one another."""
    return [file + rank for file in "abcdefgh" for rank in "12345678"]


def doctored(random: Random, **fixed: Any) -> Position:
    """Return a hand-made position: towers up to 64 high, up to 16 knights each, boards up to full."""
    while True:
        extreme = {
            "blocks": 160,
            "knights": random.choice([3, 8, 16]),
            "stacks": [[2, 1], [1, 0], [1]],
            "stack_limit": 3,
            "start_castles": ["a1", "a3", "a5", "a7", "c1"],
            "playable": SQUARES,
            "cards": random.choice(["hand", "hand", "own", "none"]),
            "deck": {"supply": 1},
        }
        rules = random_rules(random, **(extreme | fixed))
        try:
            return Position.from_dict(doctored_entry(random, rules)).determinize(random.getrandbits(32))
        except PositionError:
            continue


def doctored_entry(random: Random, rules: Rules) -> dict[str, Any]:
    """Write a random position in the middle of a turn; it may still be refused."""
    heights = random_heights(random, 160 - 15 * rules.players)
    places = random.sample(SQUARES, 64)
    king = next((square for square in places if heights[square]), None)
    places.remove(king)
    players = []
    for name in NAMES[: rules.players]:
        knights = [places.pop() for _ in range(min(len(places), random.randint(0, rules.knights)))]
        players.append({"name": name, "knights": knights, "score": random.choice([0, 3, 98, 99, 100, 999_999])})
        if rules.cards == "own":
            players[-1]["hand"] = random.sample(CARDS, 5)
    mover = random.choice(players)["name"]
    year = random.randint(1, 3)
    for player in players:
        player["stacks"] = [[2, 1], [1, 0], [1]][year - 1]
    fields = {"year": year, "to_move": mover, "first": mover, "turn": {"ap": random.randint(0, rules.ap_per_turn)}}
    return entry(rules.to_dict(), heights, king, players, **fields)
