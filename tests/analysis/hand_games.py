"""Games with full hands, for the tests of hand inference: cards are bought often and seldom played."""

import json
import random
from functools import cache
from typing import Any

from torres_mcts import Position, Rules
from torres_mcts.games.torres.record import GameRecord

BUY_RATE, CARD_RATE = 0.5, 0.1


@cache
def shopping_game(preset: str = "2017", players: int = 3, seed: int = 1, overrides: str = "{}") -> GameRecord:
    """Play a random game with much shopping; overrides: rule parameters as JSON."""
    changed: dict[str, Any] = json.loads(overrides)
    start = position = Position.new(Rules.preset(preset, players=players, **changed), seed=seed)
    rng, played = random.Random(seed), []
    while not position.is_over:
        actions = position.legal_actions()
        cards = [action for action in actions if action.startswith("card:")]
        others = [action for action in actions if not action.startswith("card:")]
        if "buy" in actions and rng.random() < BUY_RATE:
            action = "buy"
        else:
            action = rng.choice(cards if cards and rng.random() < CARD_RATE else others)
        played.append(action)
        position = position.play(action)
    return GameRecord(start, tuple(played), seed)


@cache
def middle_game(preset: str = "2017", players: int = 3) -> Position:
    """Return a position in which red is to start a turn, all hold three cards and blue has played one."""
    for seed in range(20):
        record = shopping_game(preset, players, seed)
        position = record.position
        for action in record.actions:
            position = position.play(action)
            owners = position.to_dict()["players"]
            is_start = action.startswith("end") and position.to_move == "red" and position.phase == "turn"
            if is_start and min(len(owner["hand"]) for owner in owners) >= 3 and owners[1]["played"]:
                return position
    raise AssertionError(f"no such position of {preset}")
