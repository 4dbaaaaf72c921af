"""A state into a canonical position (position format, "A canonical position")."""

from collections.abc import Sequence
from typing import Any

from torres_mcts.games.torres.engine import state as st
from torres_mcts.games.torres.format.model import FORMAT, HEIGHT_SIGNS, MASTER_CARDS, PHASES, UNKNOWN
from torres_mcts.games.torres.format.notation import SQUARES, card_name, cards_of, squares_of, stacks_of
from torres_mcts.games.torres.rules import Rules


def decode(state: Any, rules: Rules, names: Sequence[str], viewpoint: int | None) -> dict[str, Any]:
    """Return the canonical dictionary of a position."""
    over = state["phase"] == st.OVER
    position: dict[str, Any] = {
        "format": FORMAT,
        "rules": rules.to_dict(),
        "year": int(state["year"]),
        "round": int(state["round"]),
        "phase": PHASES[state["phase"]],
        "to_move": None if over else names[state["to_move"]],
        "first": names[state["first"]],
        "heights": heights_of(state),
        "king": None if state["king"] == st.NO_KING else SQUARES[state["king"]],
        "players": [_player(state, rules, names, seat) for seat in range(rules.players)],
        "turn": {
            "ap": int(state["ap"]),
            "in_use": None if state["in_use"] == st.NONE_IN_USE else int(state["in_use"]),
            "bought": int(state["bought"]),
            "cards_played": int(state["cards_played"]),
            "drawn": [card_name(int(card)) for card in state["drawn"][: state["drawn_count"]]],
        },
    }
    if rules.cards == "common":
        position["deck"] = pile_cards(state, rules, 0)
    if viewpoint is not None:
        position["viewpoint"] = names[viewpoint]
    return position


def heights_of(state: Any) -> list[str]:
    """Return the rows of heights, rank 8 first."""
    signs = [HEIGHT_SIGNS[height] for height in state["heights"]]
    return ["".join(signs[8 * rank : 8 * rank + 8]) for rank in range(7, -1, -1)]


def pile_cards(state: Any, rules: Rules, pile: int) -> list[str]:
    """List a pile's cards, top first."""
    return [card_name(entry & 15) for entry in pile_entries(state, rules, pile)]


def pile_entries(state: Any, rules: Rules, pile: int) -> list[int]:
    """List a pile's cards with their knowers, top first."""
    ring = st.PILE_LIMIT if rules.cards == "common" else st.OWN_PILE_LIMIT
    start, size = int(state["pile_start"][pile]), int(state["pile_size"][pile])
    return [int(state["pile"][pile * st.OWN_PILE_LIMIT + (start + depth) % ring]) for depth in range(size)]


def drawn_master(state: Any) -> str | None:
    """Return the master card by name, or None where there is none or it is still to be drawn."""
    master = int(state["rules"]["master_card"])
    return MASTER_CARDS[master] if master < st.MASTER_RANDOM else None


def _player(state: Any, rules: Rules, names: Sequence[str], seat: int) -> dict[str, Any]:
    is_mover = seat == state["to_move"]
    hidden = [UNKNOWN] * int(state["hidden_in_hand"][seat])
    fresh = cards_of(int(state["fresh"])) + [UNKNOWN] * int(state["hidden_fresh"]) if is_mover else []
    player: dict[str, Any] = {
        "name": names[seat],
        "score": int(state["scores"][seat]),
        "knights": squares_of(int(state["knights"][seat])),
        "stacks": stacks_of(int(state["stacks"][seat]), int(state["stack_count"][seat])),
        "hand": cards_of(int(state["hands"][seat])) + hidden,
        "fresh": fresh,
    }
    if rules.cards == "own":
        player["deck"] = pile_cards(state, rules, seat)
    player["played"] = cards_of(int(state["played"][seat]))
    player["kept"] = int(state["kept"][seat])
    return player
