"""Rules: every number of the rulebook, the seven presets, and the checks that a rule set can be played."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from pydantic import ValidationError

from torres_mcts.core.errors import RulesError, describe, shorten
from torres_mcts.games.torres.engine.state import NO_MASTER, RULES
from torres_mcts.games.torres.format.model import (
    CARD_SOURCES,
    CARDS,
    FIELDS,
    MASTER_CARDS,
    PLACED,
    PRESETS,
    START_PLAYERS,
    RulesEntry,
)
from torres_mcts.games.torres.format.notation import SQUARES, board_of, stack_word

START_CASTLES = ("a4", "c3", "c6", "d8", "e1", "f3", "f6", "h5")
PLACED_COUNT = 8
ALL_SQUARES = board_of(SQUARES)
FILE_A = board_of(f"a{rank}" for rank in range(1, 9))
FILE_H = FILE_A << 7
YEAR_CARDS = {
    2: ((3, 3, 3, 3), (3, 3, 3, 3), (3, 3, 3, 3)),
    3: ((3, 3, 2, 2), (3, 3, 2), (3, 3, 2)),
    4: ((2, 2, 2, 2), (2, 2, 2), (2, 2, 2)),
}

_EDITION_2017: dict[str, Any] = {"keep_leftovers": True, "start_player": "named", "king_same_castle": False}
_EDITION_1999: dict[str, Any] = {"keep_leftovers": False, "start_player": "stays", "king_same_castle": True}
_MASTER: dict[str, Any] = {
    "cards": "hand",
    "start_player": "leader",
    "start_castles": PLACED,
    "master_card": "random",
}
_PRESETS: dict[str, dict[str, Any]] = {
    "2017": {**_EDITION_2017, "cards": "own"},
    "2017-common": {**_EDITION_2017, "cards": "common"},
    "2017-master": {**_EDITION_2017, **_MASTER},
    "1999": {**_EDITION_1999, "cards": "common", "draw": 1},
    "1999-own": {**_EDITION_1999, "cards": "own"},
    "1999-master": {**_EDITION_1999, **_MASTER},
    "no-cards": {**_EDITION_2017, "cards": "none"},
}


@dataclass(frozen=True)
class Rules:
    """A rule set that can be played: a preset with whatever was changed.

    >>> Rules.preset("2017", players=3).stacks[0]
    (3, 3, 2, 2)
    """

    name: str
    players: int
    keep_leftovers: bool
    start_player: str
    king_same_castle: bool
    cards: str
    stacks: tuple[tuple[int, ...], ...]
    ap_per_turn: int = 5
    cost_knight: int = 2
    cost_move: int = 1
    cost_block: int = 1
    cost_buy: int = 1
    cost_score: int = 1
    buys_per_turn: int = 2
    cards_per_turn: int = 1
    draw: int = 3
    king_bonus: tuple[int, ...] = (5, 10, 15)
    king_level: tuple[int, ...] = (1, 2, 3)
    score_track: int = 100
    playable: tuple[str, ...] = tuple(sorted(SQUARES))
    knights: int = 6
    blocks: int = 92
    stack_limit: int = 3
    deck: tuple[int, ...] = (1,) * len(CARDS)
    min_castles: int = 6
    start_castles: tuple[str, ...] | str = START_CASTLES
    master_card: str | None = None
    master_min_knights: int = 1

    @classmethod
    def preset(cls, name: str, /, *, players: int = 2, **overrides: Any) -> "Rules":
        """Return a preset for a number of players, with any parameters overridden.

        >>> Rules.preset("1999", players=4, king_bonus=[10, 20, 30]).to_dict()
        {'preset': '1999', 'players': 4, 'king_bonus': [10, 20, 30]}
        """
        if name not in PRESETS:
            raise RulesError(f"preset: {shorten(name)} is not one of {', '.join(PRESETS)}")
        return cls.from_dict({"preset": name, "players": players, **overrides})

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Rules":
        """Read the `rules` of a position file; the number of players must be given."""
        try:
            entry = RulesEntry.model_validate(data)
        except ValidationError as error:
            raise RulesError(describe(error, {"": FIELDS["rules"]})) from None
        return cls.from_entry(entry)

    @classmethod
    def from_entry(cls, entry: RulesEntry, players: int = 2) -> "Rules":
        """Resolve a checked entry against its preset; refuse what cannot be played."""
        given = {key: _freeze(key, getattr(entry, key)) for key in entry.model_fields_set}
        players = given.pop("players", players)
        preset = given.pop("preset")
        base = {"stacks": YEAR_CARDS[players], **_PRESETS[preset]}
        rules = cls(name=preset, players=players, **{**base, **given})
        _check(rules)
        return rules

    def to_dict(self) -> dict[str, Any]:
        """Return the canonical form: the preset, the players, and what differs from the preset."""
        plain = self._plain
        result: dict[str, Any] = {"preset": self.name, "players": self.players}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name not in ("name", "players") and value != getattr(plain, field.name):
                result[field.name] = _thaw(field.name, value)
        return result

    @cached_property
    def _plain(self) -> "Rules":
        """The preset without changes."""
        return Rules.preset(self.name, players=self.players)

    @property
    def castles_to_place(self) -> int:
        """How many start blocks the players place themselves."""
        return PLACED_COUNT if self.start_castles == PLACED else 0

    @property
    def start_squares(self) -> tuple[str, ...]:
        """The squares of the start castles that are printed on the board."""
        return () if isinstance(self.start_castles, str) else self.start_castles

    @property
    def supply_cards(self) -> int:
        """How many `supply` cards the game has."""
        return self.card_copies(CARDS.index("supply"))

    def card_copies(self, card: int) -> int:
        """Return how often a card occurs in a player's deck, or in the common deck."""
        if self.cards == "none":
            return 0
        return self.deck[card] * (4 if self.cards == "common" else 1)

    @cached_property
    def record(self) -> np.ndarray:
        """The rules as kernels read them."""
        record = np.zeros((), RULES)
        for field in RULES.names or ():
            if hasattr(self, field) and isinstance(getattr(self, field), int):
                record[field] = getattr(self, field)
        record["playable"] = board_of(self.playable)
        record["start_castles"] = board_of(self.start_squares)
        record["year_stacks"] = [stack_word(stacks) for stacks in self.stacks]
        record["rounds"] = [len(stacks) for stacks in self.stacks]
        record["king_bonus"] = self.king_bonus
        record["king_level"] = self.king_level
        record["deck"] = self.deck
        record["cards"] = CARD_SOURCES.index(self.cards)
        record["start_player"] = START_PLAYERS.index(self.start_player)
        masters = (*MASTER_CARDS, "random")
        record["master_card"] = NO_MASTER if self.master_card is None else masters.index(self.master_card)
        return record


def _freeze(name: str, value: Any) -> Any:
    """Turn a value of a file into an unchangeable, sorted one."""
    if name == "deck":
        return tuple(value.get(card, 1) for card in CARDS)
    if name == "stacks":
        return tuple(tuple(sorted(year, reverse=True)) for year in value)
    if name in ("playable", "start_castles") and isinstance(value, list):
        return tuple(sorted(value))
    return tuple(value) if isinstance(value, list) else value


def _thaw(name: str, value: Any) -> Any:
    """Turn a value back into what a file holds."""
    if name == "deck":
        return dict(zip(CARDS, value, strict=True))
    if name == "stacks":
        return [list(year) for year in value]
    return list(value) if isinstance(value, tuple) else value


def _check(rules: Rules) -> None:
    """Refuse a rule set that cannot be played, with the reason."""
    for name, squares in (("playable", rules.playable), ("start_castles", rules.start_squares)):
        twice = [square for square, following in pairwise(squares) if square == following]
        if twice:
            raise RulesError(f"{name}: {twice[0]} occurs twice; name each square once")
    if 0 < rules.score_track < rules.players:
        raise RulesError(
            f"score_track: {rules.score_track} spaces are too few for {rules.players} markers; "
            f"use 0 (markers may share) or {rules.players} to 1000"
        )
    for year, stacks in enumerate(rules.stacks, 1):
        if max(stacks) > rules.stack_limit:
            raise RulesError(
                f"stacks[{year - 1}]: a stack of {max(stacks)} is above stack_limit {rules.stack_limit}; "
                "lower the stack or raise the limit"
            )
    _check_start_castles(rules)
    _check_blocks(rules)


def _check_start_castles(rules: Rules) -> None:
    """Refuse start castles off the board or too few for the knights and the king."""
    if rules.start_castles == PLACED:
        if len(rules.playable) < 64:
            raise RulesError(
                "start_castles: 'placed' needs all 64 squares playable, so that eight always fit; name the squares"
            )
        return
    outside = sorted(set(rules.start_squares) - set(rules.playable))
    if outside:
        raise RulesError(f"start_castles: {outside[0]} is not a playable square; leave it out or make it playable")
    castles = len(castles_of(board_of(rules.start_squares)))
    if castles <= rules.players:
        raise RulesError(
            f"start_castles: {castles} castles are too few for {rules.players} knights and the king; "
            f"at least {rules.players + 1} are needed (touching squares form one castle)"
        )


def _check_blocks(rules: Rules) -> None:
    """Refuse rules that need more blocks than there are (rules, section 9)."""
    castles = rules.castles_to_place + len(rules.start_squares)
    stacks = rules.players * sum(map(sum, rules.stacks))
    cards = rules.supply_cards * (rules.players if rules.cards != "common" else 1)
    needed = castles + stacks + cards
    if needed > rules.blocks:
        raise RulesError(
            f"blocks: {rules.blocks} are too few for {castles} start castles, {stacks} in stacks and {cards} supply "
            f"cards; at least {needed} are needed"
        )


def castles_of(board: int) -> list[int]:
    """Split a board of squares with blocks into its castles, a board for each."""
    castles = []
    while board:
        castle, reached = 0, board & -board
        while reached != castle:
            castle, reached = reached, (reached | beside(reached)) & board
        castles.append(castle)
        board &= ~castle
    return castles


def beside(board: int) -> int:
    """Return the squares edge-adjacent to a board."""
    sideways = (board & ~FILE_H) << 1 | (board & ~FILE_A) >> 1
    return (board << 8 | board >> 8 | sideways) & ALL_SQUARES
