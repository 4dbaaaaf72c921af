"""The verbs that a game implements and the search calls.

A game implements a verb for its own record with `numba.extending.overload`, so a search kernel is compiled
once per game, with everything inlined. The bodies here are only met when a verb is called outside a kernel.
"""

from typing import Any, NoReturn


def _only_in_kernels(verb: str) -> NoReturn:
    raise TypeError(f"{verb} works inside kernels only, on the record of a game that implements it")


def list_actions(state: Any, menu: Any) -> None:
    """Fill the menu with every legal action of the player to move; leave it empty when the game is over."""
    _only_in_kernels("list_actions")


def play_action(state: Any, action: Any, rng: Any) -> None:
    """Carry out a legal action, drawing from rng where chance decides."""
    _only_in_kernels("play_action")


def is_over(state: Any) -> Any:
    """Tell whether the game is over."""
    _only_in_kernels("is_over")


def player_to_move(state: Any) -> Any:
    """Return the player whose decision is next."""
    _only_in_kernels("player_to_move")


def player_count(state: Any) -> Any:
    """Return the number of players."""
    _only_in_kernels("player_count")


def score_of(state: Any, player: Any) -> Any:
    """Return a player's points."""
    _only_in_kernels("score_of")


def determinize(state: Any, observer: Any, rng: Any) -> None:
    """Deal all that the observer does not know, uniformly among what is consistent with what is known."""
    _only_in_kernels("determinize")
