"""What a turn changes on the board, read from the texts of its actions alone."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from torres_mcts.core.errors import TorresError, shorten
from torres_mcts.games.torres.format.model import HEIGHT_SIGNS
from torres_mcts.plotting.terminal import SIDE, Square, read_heights, square_at, square_name

BEND = 0.95  # of an arrow that goes round pieces, in squares
KING, BLOCK = -1, -2  # what walks besides the knights of the seats from 0
PAIR = re.compile(r"([a-h][1-8])-([a-h][1-8])")
SQUARE = re.compile(r"[a-h][1-8]")


@dataclass(frozen=True)
class Leg:
    """One step of a way, with the card that allowed it."""

    origin: Square
    target: Square
    card: str | None

    def crossed(self) -> set[Square]:
        """Return the squares that lie on the straight line, its ends included."""
        (x0, y0), (x1, y1) = self.origin, self.target
        count = max(abs(x1 - x0), abs(y1 - y0), 1)
        return {
            (round(x0 + (x1 - x0) * step / count), round(y0 + (y1 - y0) * step / count)) for step in range(count + 1)
        }


@dataclass
class Way:
    """Where a piece went."""

    piece: int  # the knight's seat, KING or BLOCK
    legs: list[Leg]


@dataclass
class Trace:
    """What a turn does to the board."""

    heights: dict[Square, int]  # after the turn
    knights: list[list[Square]]  # after the turn, by seat
    king: Square | None
    mover: int  # the seat to move
    ways: list[Way] = field(default_factory=list)
    built: dict[Square, int] = field(default_factory=dict)  # blocks more, or fewer
    placed: list[Square] = field(default_factory=list)  # new knights, where they end
    cards: list[tuple[str, Square | None]] = field(default_factory=list)  # cards played, and where
    asides: list[str] = field(default_factory=list)  # what does not show on the board

    @property
    def is_empty(self) -> bool:
        """Whether nothing on the board changes."""
        return not (self.ways or self.built or self.placed or self.cards)

    def changed(self) -> list[Square]:
        """List the squares on which something is different."""
        squares = {square for square, blocks in self.built.items() if blocks} | set(self.placed)
        for way in self.ways:
            squares |= {way.legs[0].origin, way.legs[-1].target}
        return sorted(squares)

    def busy(self) -> set[Square]:
        """Return the squares with a piece on them or an arrow through them, so that little room is left."""
        squares = {square for knights in self.knights for square in knights}
        squares |= {square for way in self.ways for leg in way.legs for square in leg.crossed()}
        return squares if self.king is None else squares | {self.king}

    def bend(self, leg: Leg) -> tuple[float, float]:
        """Return where an arrow's line is pulled to: aside, towards the middle of the board, past pieces on its way."""
        (x0, y0), (x1, y1) = leg.origin, leg.target
        middle = ((x0 + x1) / 2, (y0 + y1) / 2)
        pieces = {square for knights in self.knights for square in knights} | {self.king}
        if not (leg.crossed() - {leg.origin, leg.target}) & pieces:
            return middle
        length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
        aside = ((y0 - y1) / length * BEND, (x1 - x0) / length * BEND)
        centre = (SIDE - 1) / 2
        is_inward = aside[0] * (centre - middle[0]) + aside[1] * (centre - middle[1]) >= 0
        sign = 1 if is_inward else -1
        return middle[0] + sign * aside[0], middle[1] + sign * aside[1]

    def build(self, square: Square, blocks: int = 1) -> None:
        """Put a block on a square, or take one away."""
        self.heights[square] += blocks
        self.built[square] = self.built.get(square, 0) + blocks

    def place(self, square: Square) -> None:
        """Place a new knight of the player to move."""
        self.knights[self.mover].append(square)
        self.placed.append(square)

    def walk(self, origin: Square, target: Square, card: str | None) -> None:
        """Take the knight on a square to another one."""
        seat = next((seat for seat, squares in enumerate(self.knights) if origin in squares), None)
        if seat is None:
            raise TorresError(f"there is no knight on {square_name(origin)} to move to {square_name(target)}")
        self.knights[seat] = [target if square == origin else square for square in self.knights[seat]]
        self.placed = [target if square == origin else square for square in self.placed]
        self.go_on(seat, Leg(origin, target, card))

    def go_on(self, piece: int, leg: Leg) -> None:
        """Lengthen the way of a piece, or start one."""
        for way in self.ways:
            if way.piece == piece and way.legs[-1].target == leg.origin:
                way.legs.append(leg)
                return
        self.ways.append(Way(piece, [leg]))

    def crown(self, target: Square) -> None:
        """Put the king on a square."""
        if self.king is not None and self.king != target:
            self.go_on(KING, Leg(self.king, target, None))
        self.king = target


def trace_turn(position: Mapping[str, Any], actions: Sequence[str]) -> Trace:
    """Follow a turn on the board of a canonical position.

    >>> board = {"heights": ["........"] * 7 + ["1......."], "players": [{"name": "red", "knights": ["a1"]}]}
    >>> trace = trace_turn(board | {"king": None, "to_move": "red"}, ["block:b1", "move:a1-b1", "score", "end"])
    >>> trace.knights, trace.built, trace.asides
    ([[(1, 0)]], {(1, 0): 1}, ['score'])
    """
    names = [player["name"] for player in position["players"]]
    trace = Trace(
        heights=read_heights(position),
        knights=[[square_at(name) for name in player["knights"]] for player in position["players"]],
        king=None if position["king"] is None else square_at(position["king"]),
        mover=names.index(position["to_move"]) if position["to_move"] in names else 0,
    )
    for action in actions:
        _follow(trace, action)
    return trace


def _follow(trace: Trace, action: str) -> None:
    """Do what one action does."""
    verb, _, rest = action.partition(":")
    if verb == "card":
        _follow_card(trace, *rest.partition(":")[::2])
    elif verb == "move":
        trace.walk(*_pair(rest), None)
    elif verb in ("block", "castle"):
        trace.build(_square(rest))
    elif verb == "knight":
        trace.place(_square(rest))
    elif verb == "king" and rest != "stay":
        trace.crown(_square(rest))
    elif action != "end":
        trace.asides.append(action)


def _follow_card(trace: Trace, card: str, rest: str) -> None:
    """Do what a card does: add a block, move one, or let a knight go where it could not walk."""
    target = None
    if card in ("supply", "under"):
        target = _square(rest[:2])
        trace.build(target)
    elif rest:
        origin, target = _pair(rest)
        if card == "shift":
            trace.build(origin, -1)
            trace.build(target)
            trace.ways.append(Way(BLOCK, [Leg(origin, target, card)]))
            target = origin  # nothing else is written where a block is gone
        else:
            trace.walk(origin, target, card)
    trace.cards.append((card, target))


def _square(text: str) -> Square:
    """Read a square."""
    if not SQUARE.fullmatch(text):
        raise TorresError(f"{shorten(text)} is not a square such as e4")
    return square_at(text)


def _pair(text: str) -> tuple[Square, Square]:
    """Read an origin and a target."""
    match = PAIR.fullmatch(text)
    if match is None:
        raise TorresError(f"{shorten(text)} is not a way such as e4-e5")
    return square_at(match[1]), square_at(match[2])


def board_after(position: Mapping[str, Any], trace: Trace) -> dict[str, Any]:
    """Return the position with the board as the turn leaves it; players and cards stay as they were."""
    rows = ["".join(HEIGHT_SIGNS[trace.heights[file, rank]] for file in range(SIDE)) for rank in reversed(range(SIDE))]
    players = [
        {**player, "knights": [square_name(square) for square in squares]}
        for player, squares in zip(position["players"], trace.knights, strict=True)
    ]
    king = None if trace.king is None else square_name(trace.king)
    return {**position, "heights": rows, "players": players, "king": king}


def aside_words(trace: Trace) -> list[str]:
    """Name what does not show on the board: cards without a square, points, cards bought or kept."""
    words = [f"card {card}" for card, square in trace.cards if square is None]
    points = trace.asides.count("score")
    if points:
        words.append(f"score {points} point{'s' * (points > 1)}")
    bought = trace.asides.count("buy")
    if bought:
        words.append("buy a card" if bought == 1 else f"buy {bought} cards")
    return words + [aside.replace(":", " ", 1) for aside in trace.asides if aside not in ("score", "buy")]
