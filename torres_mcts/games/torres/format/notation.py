"""Squares, boards, cards and actions as text (position format, "Actions")."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from torres_mcts.core.errors import IllegalAction, shorten, suggest
from torres_mcts.games.torres.engine import actions as act
from torres_mcts.games.torres.engine.piles import ORDER_TABLE, SPLIT_BITS, split_of
from torres_mcts.games.torres.engine.state import CARD_KINDS, KEEP, KING, NO_KING, TURN, UNDER, UNKNOWN_CARD
from torres_mcts.games.torres.format.model import CARDS, PHASES, UNKNOWN

SQUARES = tuple(file + rank for rank in "12345678" for file in "abcdefgh")
SQUARE_INDEX = {name: index for index, name in enumerate(SQUARES)}
CARD_INDEX = {name: index for index, name in enumerate(CARDS)}
FIELD_BITS = 6

_PLAIN = {"buy": act.BUY, "score": act.SCORE_POINT}
_ON_SQUARE = {
    "castle": act.PLACE_CASTLE,
    "knight": act.PLACE_KNIGHT,
    "king": act.PLACE_KING,
    "block": act.PLACE_BLOCK,
}
_VERBS = (*_PLAIN, *_ON_SQUARE, "first", "move", "keep", "card", "end")
_FORMS = {
    "castle": "castle:e4",
    "knight": "knight:e4",
    "king": "king:e5 or king:stay",
    "first": "first:NAME",
    "move": "move:e4-e5",
    "block": "block:e4",
    "buy": "buy",
    "keep": "keep:climb;top:under;bottom:jump",
    "score": "score",
    "end": "end, or end:3,2 where leftovers can be dealt in several ways",
    "card": "card:ap6, card:climb:e4-e5, card:supply:e4 or card:under:e4:3",
}


def squares_of(board: int) -> list[str]:
    """List the squares of a board by name, in alphabetical order."""
    return sorted(SQUARES[index] for index in range(64) if board >> index & 1)


def board_of(squares: Iterable[str]) -> int:
    """Return the board of named squares."""
    return sum(1 << SQUARE_INDEX[square] for square in set(squares))


def cards_of(hand: int) -> list[str]:
    """List the cards of a hand word by name."""
    return [CARDS[kind] for kind in range(CARD_KINDS) for _ in range(hand >> (FIELD_BITS * kind) & 63)]


def hand_of(cards: Iterable[str]) -> int:
    """Return the hand word of named cards; unknown ones are left out."""
    return sum(1 << (FIELD_BITS * CARD_INDEX[card]) for card in cards if card != UNKNOWN)


def card_name(card: int) -> str:
    """Return the name of a card."""
    return UNKNOWN if card == UNKNOWN_CARD else CARDS[card]


def stacks_of(word: int, number: int) -> list[int]:
    """List the stacks of a word, highest first."""
    return [word >> (4 * place) & 15 for place in range(number)]


def stack_word(stacks: Sequence[int]) -> int:
    """Return the word of some stacks."""
    return sum(height << (4 * place) for place, height in enumerate(sorted(stacks, reverse=True)))


def write_action(state: Any, names: Sequence[str], action: int, *, ends: int) -> str:
    """Write an action of a position's menu as text.

    ends: how many ways to end the turn the menu has, for only then is the way named
    """
    family = action >> act.FAMILY_SHIFT
    target = SQUARES[action & 63]
    if family == act.MOVE:
        return f"move:{SQUARES[act.origin_of.py_func(action)]}-{target}"
    if family == act.PLAY_CARD:
        return _write_card(act.card_of.py_func(action), act.origin_of.py_func(action), target)
    if family == act.END_TURN:
        return _write_end(state, action & act.DETAIL) if ends > 1 else "end"
    if family == act.KEEP_CARD:
        return _write_keep(state, action & act.DETAIL)
    if family == act.NAME_FIRST:
        return f"first:{names[action & 63]}"
    if family == act.PLACE_KING and action & 63 == int(state["king"]):
        return "king:stay"
    for verb, code in _PLAIN.items():
        if code == family:
            return verb
    return next(f"{verb}:{target}" for verb, code in _ON_SQUARE.items() if code == family)


def _write_card(card: int, origin: int, target: str) -> str:
    name = CARDS[card]
    if name in ("ap6", "ap7"):
        return f"card:{name}"
    if name == "supply":
        return f"card:supply:{target}"
    if name == "under":
        return f"card:under:{target}:{'use' if origin == act.USE else origin}"
    return f"card:{name}:{SQUARES[origin]}-{target}"


def _write_end(state: Any, word: int) -> str:
    player = int(state["to_move"])
    number = int(state["stack_count"][player]) - (1 if state["in_use"] < 0 else 0)
    return "end:" + ",".join(str(height) for height in stacks_of(word, number))


def _write_keep(state: Any, code: int) -> str:
    number = int(state["drawn_count"])
    order = int(ORDER_TABLE[number, code >> SPLIT_BITS])
    names = [card_name(int(state["drawn"][order >> (4 * place) & 15])) for place in range(number)]
    on_top = 1 + split_of.py_func(code)
    text = f"keep:{names[0]}"
    if names[1:on_top]:
        text += ";top:" + ",".join(names[1:on_top])
    if names[on_top:]:
        text += ";bottom:" + ",".join(names[on_top:])
    return text


def read_action(state: Any, names: Sequence[str], text: str, menu_actions: Sequence[int]) -> int:
    """Return the action that a text means, legal or not; raise IllegalAction where it means none."""
    verb, _, rest = text.partition(":")
    if verb not in _VERBS:
        hint = suggest(verb, _VERBS) or f"; actions are {', '.join(_VERBS)}"
        raise IllegalAction(f"{shorten(text)}: unknown action{hint}")
    if verb in ("keep", "end"):
        return _find_spelling(state, names, text, menu_actions)
    action = None
    if text in _PLAIN:
        action = _PLAIN[verb] << act.FAMILY_SHIFT
    elif verb == "king":
        action = _read_king(state, rest)
    elif verb in _ON_SQUARE and rest in SQUARE_INDEX:
        action = (_ON_SQUARE[verb] << act.FAMILY_SHIFT) | SQUARE_INDEX[rest]
    elif verb == "first" and text != verb:
        if rest not in names:
            raise IllegalAction(f"{shorten(text)}: no such player; players are {', '.join(map(shorten, names))}")
        action = (act.NAME_FIRST << act.FAMILY_SHIFT) | names.index(rest)
    elif verb == "move":
        squares = _read_pair(rest)
        action = None if squares is None else (act.MOVE << act.FAMILY_SHIFT) | squares
    elif verb == "card":
        action = _read_card(rest)
    if action is None:
        raise IllegalAction(f"{shorten(text)}: not how {verb} is written; write {_FORMS[verb]}")
    return action


def _read_king(state: Any, text: str) -> int | None:
    """Return the action of placing the king, or None where the text is neither a square nor `stay`."""
    king = int(state["king"])
    if text == "stay":
        if king == NO_KING:
            raise IllegalAction("king:stay: the king is not on the board yet; name a square, as in king:e5")
        text = SQUARES[king]
    elif SQUARE_INDEX.get(text) == king and state["phase"] == KING:
        raise IllegalAction(f"king:{text}: the king stands there already; write king:stay")
    return (act.PLACE_KING << act.FAMILY_SHIFT) | SQUARE_INDEX[text] if text in SQUARE_INDEX else None


def _read_pair(text: str) -> int | None:
    """Return origin and target of a text like e4-e5, or None."""
    if not re.fullmatch("[a-h][1-8]-[a-h][1-8]", text):
        return None
    return (SQUARE_INDEX[text[:2]] << act.FROM_SHIFT) | SQUARE_INDEX[text[3:]]


def _read_card(text: str) -> int | None:
    """Return the action of playing a card, or None where the text is not of its form."""
    name, _, rest = text.partition(":")
    if name not in CARD_INDEX:
        hint = suggest(name, CARDS) or f"; cards are {', '.join(CARDS)}"
        raise IllegalAction(f"{shorten(f'card:{name}')}: unknown card{hint}")
    word = (act.PLAY_CARD << act.FAMILY_SHIFT) | (CARD_INDEX[name] << act.CARD_SHIFT)
    if name in ("ap6", "ap7"):
        return word if text == name else None
    if name == "supply":
        return word | SQUARE_INDEX[rest] if rest in SQUARE_INDEX else None
    if name == CARDS[UNDER]:
        if not re.fullmatch("[a-h][1-8]:([1-9]|use)", rest):
            return None
        stack = act.USE if rest[3:] == "use" else int(rest[3:])
        return word | (stack << act.FROM_SHIFT) | SQUARE_INDEX[rest[:2]]
    squares = _read_pair(rest)
    return None if squares is None else word | squares


def _find_spelling(state: Any, names: Sequence[str], text: str, menu_actions: Sequence[int]) -> int:
    """Return the action of the menu that is written so, for actions that depend on the position."""
    verb = text.partition(":")[0]
    family = act.END_TURN if verb == "end" else act.KEEP_CARD
    same = [action for action in menu_actions if action >> act.FAMILY_SHIFT == family]
    texts = {write_action(state, names, action, ends=len(same)): action for action in same}
    if text in texts:
        return texts[text]
    if not texts:
        raise IllegalAction(f"{shorten(text)}: {_explain_nothing(state, verb)}")
    few = sorted(texts)[:6]
    more = f" and {len(texts) - 6} more" if len(texts) > 6 else ""
    raise IllegalAction(f"{shorten(text)}: not possible here; possible are {', '.join(few)}{more}")


def _explain_nothing(state: Any, verb: str) -> str:
    """Say why there is nothing to keep or to end."""
    wanted = TURN if verb == "end" else KEEP
    if state["phase"] != wanted:
        return f"the phase is {PHASES[state['phase']]}; this belongs to phase {PHASES[wanted]}"
    return "a drawn card is unknown; use determinize(seed) to deal it"
