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


def observed_action(state: Any, action: Any, observer: Any) -> Any:
    """Return what an observer sees of a legal action: equal numbers are the same to the observer.

    An action that everybody sees whole is returned as it is.
    """
    _only_in_kernels("observed_action")


def hash_state(state: Any) -> Any:
    """Return 64 bits that tell states apart: equal for equal states, however they were reached."""
    _only_in_kernels("hash_state")


def ends_turn(state: Any, action: Any) -> Any:
    """Tell whether a legal action ends the turn of the player to move."""
    _only_in_kernels("ends_turn")


def draws_chance(state: Any, action: Any) -> Any:
    """Tell whether the result of a legal action depends on what nobody at the table knows."""
    _only_in_kernels("draws_chance")


def turn_budget(state: Any) -> Any:
    """Return a number from 0 to 1023 that every action within a turn lowers: what is left to do at the most."""
    _only_in_kernels("turn_budget")


def stage_of(state: Any) -> Any:
    """Return a number that grows during a game: a playout may be cut where it grows (for Torres the year)."""
    _only_in_kernels("stage_of")


def estimate_score(state: Any, player: Any) -> Any:
    """Return the points that a player may expect at the end; at the end of the game the points there are."""
    _only_in_kernels("estimate_score")


def choose_quickly(state: Any, menu: Any, rng: Any) -> Any:
    """Return an action of the filled menu by a rule of thumb, for playouts better than random ones."""
    _only_in_kernels("choose_quickly")


def turns_left(state: Any) -> Any:
    """Return how many turns the game has left, the one under way included: 1 in the last turn, 0 when it is over."""
    _only_in_kernels("turns_left")


def list_last_actions(state: Any, is_first: Any, menu: Any) -> None:
    """Fill the menu with the actions of the last turn that are enough to reach every result in points that there is.

    is_first: whether this is the state that the search begins with; what may as well be done first is listed there only

    `late_action` is not among them. The menu stays empty where the result hangs on something that is not known.
    """
    _only_in_kernels("list_last_actions")


def late_action(state: Any) -> Any:
    """Return an action of the last turn that may wait until nothing but the end of the turn follows; -1 if none.

    After it the same actions end the turn as before.
    """
    _only_in_kernels("late_action")


def hash_last_turn(state: Any) -> Any:
    """Return 64 bits over what can still matter in the last turn, `turn_budget` left aside.

    Of two states of one turn with equal bits, the one with the higher budget can reach every result in points that the
    other can. When the game is over, states with equal bits are the same result.
    """
    _only_in_kernels("hash_last_turn")


def bound_last_turn(state: Any, is_first: Any, bounds: Any) -> None:
    """Write the most points that the player to move can end the last turn with, and the fewest of every other player.

    It is about what `list_last_actions` lists from here on.
    bounds: [players] float64, filled; the most may be too high and the fewest too low, never the other way round
    """
    _only_in_kernels("bound_last_turn")
