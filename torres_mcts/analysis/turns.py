"""The turns of a position as texts: every distinct result once, the best by the static value first."""

from dataclasses import dataclass

import numpy as np

from torres_mcts.core.errors import TorresError
from torres_mcts.core.menu import new_menus
from torres_mcts.core.rng import new_rng
from torres_mcts.games.torres import verbs  # noqa: F401 (teaches the search this game)
from torres_mcts.games.torres.position import Position
from torres_mcts.search.turns import generator

STATE_LIMIT = 1_000_000
BEAM_WIDTH, SWEEPS = 64, 8


@dataclass(frozen=True)
class Turn:
    """One turn: a canonical order of its actions."""

    actions: tuple[str, ...]
    value: float  # expected points more than the best other player's, by the static evaluation
    orders: float  # in how many orders its actions can be played to the same result
    is_cut: bool  # it ends before a draw, after which the turn goes on


@dataclass(frozen=True)
class TurnList:
    """The turns of a position, best static value first."""

    turns: tuple[Turn, ...]
    count: int  # of all distinct turns found, listed or not
    states: int  # distinct states within the turn that were met
    exhaustive: bool  # whether these are all turns there are


def list_turns(
    position: Position, *, most: int | None = None, state_limit: int = STATE_LIMIT, beam_width: int = BEAM_WIDTH
) -> TurnList:
    """List the distinct turns of the player to move.

    most:        so many turns are written out, the best by static value; all if None
    state_limit: with more states than this a beam of `beam_width` follows the best of each layer only
    """
    if position.is_over:
        raise TorresError("the game is over: nobody has a turn")
    states = np.concatenate([position.state_array] * 3)
    table = generator.new_table(state_limit, 2 * state_limit)
    found = generator.list_turns(
        states, new_menus(), new_rng(0), table=table, width=beam_width, sweeps=SWEEPS, most=most
    )
    written = tuple(
        Turn(_texts(position, sequence), float(value), float(orders), bool(is_cut))
        for sequence, value, orders, is_cut in zip(
            found.sequences, found.values, found.orders, found.is_cut, strict=True
        )
    )
    return TurnList(written, found.turn_count, found.states, found.exhaustive)


def _texts(position: Position, sequence: tuple[int, ...]) -> tuple[str, ...]:
    """Write the actions of a turn."""
    texts = []
    for index, action in enumerate(sequence):
        texts.append(position.text_of(action))
        if index < len(sequence) - 1:
            position = position.play_number(action)
    return tuple(texts)
