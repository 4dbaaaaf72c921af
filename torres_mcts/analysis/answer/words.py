"""Actions in plain English, and what the points of a turn come from."""

import numpy as np

from torres_mcts.analysis.report import Sources
from torres_mcts.games.torres.format.notation import SQUARE_INDEX
from torres_mcts.games.torres.heuristics.outlook import CASTLES, KING_BONUS, MASTER_BONUS, read_sources
from torres_mcts.games.torres.position import Position

CARD_WORDS = {
    "ap6": "1 more action point",
    "ap7": "2 more action points",
    "climb": "climb from {origin} two levels up to {target} ({levels})",
    "diagonal": "step diagonally from {origin} to {target} ({levels})",
    "gate": "go through the castle from {origin} to {target} ({levels})",
    "jump": "jump from {origin} over a knight to {target} ({levels})",
    "transfer": "transfer the knight from {origin} to {target} ({levels})",
    "shift": "shift the top block of {origin} to {target} ({castle})",
    "supply": "a block from the supply on {target} ({castle})",
    "under": "a block under the knight on {target} ({levels})",
}


def say_action(before: Position, action: str, after: Position | None) -> str:
    """Say an action in words.

    after: the position after it, None where that depends on a draw

    >>> from torres_mcts import Rules
    >>> start = Position.new(Rules.preset("2017"), seed=1)
    >>> say_action(start, "knight:c3", start.play("knight:c3"))
    'put a knight on c3 (level 1)'
    """
    verb, _, rest = action.partition(":")
    if verb == "move":
        origin, target = rest.split("-")
        return f"move {origin} to {target} ({_levels(before, origin, before, target)})"
    if verb == "block":
        return f"place a block on {rest} ({_castle(after or before, rest)})"
    if verb == "knight":
        new = "a new knight" if before.phase == "turn" else "a knight"
        return f"put {new} on {rest} (level {_height(before, rest)})"
    if verb == "card":
        return _say_card(before, rest, after or before)
    if verb == "keep":
        return _say_keep(rest)
    if verb == "king":
        if rest == "stay":
            return "leave the king where it is"
        return f"{'place the king on' if before.phase == 'king-setup' else 'move the king to'} {_block(before, rest)}"
    if verb == "end":
        stacks = f", leaving stacks of {rest.replace(',', ', ')}" if rest else ""
        return f"end the turn{stacks}"
    plain = {"buy": "buy a card", "score": "score a point"}
    if verb in plain:
        return plain[verb]
    return f"let {rest} start the round" if verb == "first" else f"place a start castle on {rest}"


def _say_card(before: Position, rest: str, after: Position) -> str:
    card, _, where = rest.partition(":")
    origin, target = "", where
    if card in ("climb", "diagonal", "gate", "jump", "transfer", "shift"):
        origin, target = where.split("-")
    if card == "under":
        origin = target = where.partition(":")[0]
    levels = castle = ""
    if target:
        levels = _levels(before, origin or target, after, target)
        castle = _castle(after, target) if card in ("shift", "supply") else ""
    return f"play the card {card}: " + CARD_WORDS[card].format(
        origin=origin, target=target, levels=levels, castle=castle
    )


def _say_keep(rest: str) -> str:
    kept, *piles = rest.split(";")
    words = [f"keep {kept}"]
    for pile in piles:
        place, _, cards = pile.partition(":")
        words.append(f"put {cards.replace(',', ', ')} {'on top' if place == 'top' else 'at the bottom'} of the pile")
    return ", ".join(words)


def _height(position: Position, square: str) -> int:
    return int(position.state["heights"][SQUARE_INDEX[square]])


def _levels(before: Position, origin: str, after: Position, target: str) -> str:
    one, other = _height(before, origin), _height(after, target)
    return f"level {one}" if one == other else f"level {one} to {other}"


def _area(position: Position, square: str) -> int:
    state = position.state
    return int(state["castle_squares"][state["castle_of"][SQUARE_INDEX[square]]]).bit_count()


def _castle(after: Position, square: str) -> str:
    height, area = _height(after, square), _area(after, square)
    squares = "1 square" if area == 1 else f"{area} squares"
    return f"castle grows to {squares}" if height == 1 else f"raised to level {height}, castle of {squares}"


def _block(position: Position, square: str) -> str:
    area = _area(position, square)
    return f"{square} (level {_height(position, square)}, castle of {area} square{'' if area == 1 else 's'})"


def say_turn(start: Position, actions: list[str]) -> tuple[list[str], Sources, Position]:
    """Say a turn in words, what its points come from, and where it leads (before a draw: where it is cut)."""
    player = int(start.state["to_move"])
    here, words = start, []
    for action in actions:
        is_draw = action == "buy"
        after = None if is_draw else here.play_number(here.number_of(action))
        words.append(say_action(here, action, after))
        last, here = here, after or here
    before_end = last if actions[-1].startswith("end") else here
    made = int(before_end.state["scores"][player]) - int(start.state["scores"][player])
    found = np.zeros(3)
    if start.phase in ("turn", "keep"):
        read_sources(here.state_array, player, found)
    sources = Sources(
        castles=float(found[CASTLES]),
        king=float(found[KING_BONUS]),
        master=float(found[MASTER_BONUS]),
        actions=float(made),
    )
    if actions[-1].startswith("end"):
        ends_year = here.phase in ("king", "over")
        words[-1] += f" ({_say_points(sources, ends_year)})"
    return words, sources, here


def _say_points(sources: Sources, ends_year: bool) -> str:
    parts = [f"castles {sources.castles:g}"]
    if sources.king:
        parts.append(f"king {sources.king:g}")
    if sources.master:
        parts.append(f"master card {sources.master:g}")
    total = sources.castles + sources.king + sources.master
    when = "the year ends and gives" if ends_year else "the year would give"
    return f"{when} {total:g} points: {', '.join(parts)}"
