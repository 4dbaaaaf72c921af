"""The presets and parameters of Torres (rules, section 11), as plain dicts."""

YEAR_CARDS = {
    2: [[3, 3, 3, 3], [3, 3, 3, 3], [3, 3, 3, 3]],
    3: [[3, 3, 2, 2], [3, 3, 2], [3, 3, 2]],
    4: [[2, 2, 2, 2], [2, 2, 2], [2, 2, 2]],
}

SQUARES = [file + rank for file in "abcdefgh" for rank in "12345678"]

DEFAULTS = {
    "knights": 6,
    "ap_per_turn": 5,
    "blocks": 92,
    "cost_knight": 2,
    "cost_move": 1,
    "cost_block": 1,
    "cost_buy": 1,
    "cost_score": 1,
    "buys_per_turn": 2,
    "cards_per_turn": 1,
    "draw": 3,
    "stack_limit": 3,
    "king_bonus": [5, 10, 15],
    "king_level": [1, 2, 3],
    "min_castles": 6,
    "score_track": 100,
    "master_card": None,
    "master_min_knights": 1,
    "playable": SQUARES,
}

EDITION_2017 = {"keep_leftovers": True, "start_player": "named", "king_same_castle": False}
EDITION_1999 = {"keep_leftovers": False, "start_player": "stays", "king_same_castle": True}
MASTER = {"cards": "hand", "start_player": "leader", "master_card": "random"}

PRESETS = {
    "2017": EDITION_2017 | {"cards": "own"},
    "2017-common": EDITION_2017 | {"cards": "common"},
    "2017-master": EDITION_2017 | MASTER,
    "1999": EDITION_1999 | {"cards": "common", "draw": 1},
    "1999-own": EDITION_1999 | {"cards": "own"},
    "1999-master": EDITION_1999 | MASTER,
    "no-cards": EDITION_2017 | {"cards": "none"},
}


def rules_of(position: dict) -> dict:
    """Write out every parameter that decides something after a game has been set up.

    `start_castles` and `deck` are left out: the position itself shows what they came to.
    """
    rules = position["rules"]
    year_cards = {"stacks": YEAR_CARDS[rules["players"]]}
    return DEFAULTS | year_cards | PRESETS[rules["preset"]] | rules
