"""Records that carry a state of Torres and something more: the searches take them for a game of their own."""

import inspect
from collections.abc import Callable
from typing import Any

from numba.extending import overload

from torres_mcts.core import protocol
from torres_mcts.games.torres import verbs  # noqa: F401 (the verbs of the state within)

PASSED_ON: dict[Callable[..., Any], Callable[..., Any]] = {
    protocol.list_actions: lambda state, menu: protocol.list_actions(state.state, menu),
    protocol.play_action: lambda state, action, rng: protocol.play_action(state.state, action, rng),
    protocol.is_over: lambda state: protocol.is_over(state.state),
    protocol.player_to_move: lambda state: protocol.player_to_move(state.state),
    protocol.player_count: lambda state: protocol.player_count(state.state),
    protocol.hash_state: lambda state: protocol.hash_state(state.state),
    protocol.ends_turn: lambda state, action: protocol.ends_turn(state.state, action),
    protocol.draws_chance: lambda state, action: protocol.draws_chance(state.state, action),
    protocol.turn_budget: lambda state: protocol.turn_budget(state.state),
}


def pass_verbs_on(record: Any) -> None:
    """Let a record answer every verb by the state within, but for its static value, which is its own affair.

    record: a numba type with a field `state`
    """
    for verb, answer in PASSED_ON.items():
        overload(verb)(_answer_for(record, answer))


def _answer_for(record: Any, answer: Callable[..., Any]) -> Callable[..., Any]:
    """Return what numba asks for the answer of a verb, by the types of its arguments."""

    def find(*types: Any) -> Callable[..., Any] | None:
        return answer if types[0] == record else None

    find.__signature__ = inspect.signature(answer)  # type: ignore[attr-defined]
    return find
