"""The luck of a draw: the same turn with the cards that came, and with any that might have come.

Both are tried in the same worlds with the same luck otherwise, and played on until the player has had two more turns,
because a card shows its worth only when it is played. Over all draws that the player thinks possible the luck averages
to zero.
"""

import time as clock
from dataclasses import replace

import numpy as np

from torres_mcts.analysis.answer.candidates import Candidate, as_turns
from torres_mcts.analysis.answer.estimates import estimate, usual_scale
from torres_mcts.analysis.answer.hidden import Knowledge
from torres_mcts.analysis.outlook import Prospects, look_at
from torres_mcts.analysis.report import Estimate
from torres_mcts.analysis.review_report import Worth
from torres_mcts.games.torres.engine import state as st
from torres_mcts.games.torres.engine.piles import KNOWERS_SHIFT
from torres_mcts.games.torres.position import Position
from torres_mcts.search.limits import Limit
from torres_mcts.search.turns.sampling import Sampler
from torres_mcts.search.turns.trying import TurnEngine

BLOCK, MOST_WORLDS = 16, 256
TIME_SHARE = 0.4  # of a part's time limit, on top of it
ITERATIONS_A_WORLD = 8  # of a part's iteration limit
OWN_TURNS = 2
CARD = 15  # bits of a pile's entry


def measure_luck(
    knowledge: Knowledge, actual: Position, turn: Candidate, search: TurnEngine, *, limit: Limit, threads: int
) -> Worth:
    """Return what the cards drawn at the end of a turn are worth to the player to move, against what might have come.

    actual: the position with its piles as they were; only the cards drawn are looked at
    """
    started, view = clock.monotonic(), knowledge.view
    player = int(view.state["to_move"])
    longer = replace(search, reply_turns=OWN_TURNS * view.rules.players, lines=0, horizon=1)
    most = MOST_WORLDS
    if limit.iterations is not None:
        most = min(most, max(BLOCK, limit.iterations // ITERATIONS_A_WORLD))
    wins, margins, lucky_wins, lucky_margins = [], [], [], []
    with Sampler(view.state_array, longer, seed=knowledge.seed, threads=threads) as sampler:
        sampler.set_turns(as_turns([turn]))

        def look(worlds: np.ndarray, first: int) -> Prospects:
            leaves = sampler.sample(np.array([0]), worlds, first)
            return look_at(np.ascontiguousarray(leaves[:, 0]), view.rules, player)

        for first in range(0, most, BLOCK):
            if limit.time is not None and first and clock.monotonic() - started > TIME_SHARE * limit.time:
                break
            end = min(first + BLOCK, most)
            usual, lucky = (
                look(knowledge.worlds(first, end), first),
                look(worlds_with_draw(knowledge, actual, first, end), first),
            )
            wins.append(usual.wins[:, player])
            margins.append(usual.margins(player))
            lucky_wins.append(lucky.wins[:, player])
            lucky_margins.append(lucky.margins(player))
    return Worth(
        win=_difference(np.concatenate(lucky_wins), np.concatenate(wins), 1.0),
        margin=_difference(np.concatenate(lucky_margins), np.concatenate(margins), np.inf),
    )


def _difference(lucky: np.ndarray, usual: np.ndarray, most: float) -> Estimate:
    """Return by how much more the cards that came promise, world by world."""
    pairs = lucky - usual
    return estimate(pairs, -most, most, scale=usual_scale([pairs]))


def worlds_with_draw(knowledge: Knowledge, actual: Position, first: int, end: int) -> np.ndarray:
    """Return the worlds with some numbers, changed so that the cards drawn are those that came."""
    rules, seat = actual.rules, int(actual.state["to_move"])
    if rules.cards == "common":  # the cards that came may be in a hand there: other worlds have to be dealt
        informed = Knowledge(reveal_draw(actual), seed=knowledge.seed, viewpoint=knowledge.observer)
        return informed.worlds(0, end)[first:]
    worlds = knowledge.worlds(first, end).copy()
    places = pile_places(actual)
    hidden = [place for place in places if not _is_known(int(actual.state["pile"][place]), seat)]
    drawn = [place for place in places[: rules.draw] if place in hidden]
    for number, world in enumerate(worlds, first):
        pile, free = world["pile"], list(hidden)
        for place in drawn:
            card = int(actual.state["pile"][place]) & CARD
            copies = [other for other in free if int(pile[other]) & CARD == card]
            other = copies[number % len(copies)]  # each copy as often as any other
            swap = (int(pile[place]) ^ int(pile[other])) & CARD
            pile[place] ^= swap
            pile[other] ^= swap
            free.remove(place)
    return worlds


def reveal_draw(actual: Position) -> Position:
    """Return a position before a draw that the player to move foresees."""
    states, seat = actual.state_array.copy(), int(actual.state["to_move"])
    for place in pile_places(actual)[: actual.rules.draw]:
        states[0]["pile"][place] |= 1 << (KNOWERS_SHIFT + seat)
    return Position(states, actual.rules, actual.names, seat)


def pile_places(position: Position) -> list[int]:
    """List where the cards of the pile lie that the player to move draws from, top first."""
    state, is_common = position.state, position.rules.cards == "common"
    pile, ring = (0, st.PILE_LIMIT) if is_common else (int(state["to_move"]), st.OWN_PILE_LIMIT)
    start, size = int(state["pile_start"][pile]), int(state["pile_size"][pile])
    return [pile * st.OWN_PILE_LIMIT + (start + depth) % ring for depth in range(size)]


def _is_known(entry: int, seat: int) -> bool:
    return bool(entry >> (KNOWERS_SHIFT + seat) & 1)
