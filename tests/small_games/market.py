"""A market for two players: in a turn buy any goods that the purse allows, or gamble, then end the turn.

Goods are gone once bought; odd goods are sold only to who owns the good before them. An action is the number of a good,
GAMBLE or END. What a gamble brings shows at the end of the game; until then it counts `gamble_worth`.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numba
import numpy as np
from numba.extending import overload

from tests.small_games import SOURCE_FIELD
from torres_mcts.core import protocol
from torres_mcts.core.jit import kernel
from torres_mcts.core.menu import clear_menu, offer_one
from torres_mcts.core.rng import draw_unit, mix

PLAYERS, GOODS, ROUNDS = 2, 8, 2
GAMBLE, END = GOODS, GOODS + 1
NOBODY = -1
PURSE = 6
PLAIN_COSTS = (1, 2, 2, 3, 1, 2, 3, 1)
PLAIN_WORTHS = ((0.3, 4.1, 2.6, 5.2, 0.7, 3.4, 5.05, 0.2), (0.9, 9.3, 1.4, 0.6, 2.2, 6.7, 0.1, 3.9))
COSTS = np.array(PLAIN_COSTS)
WORTHS = np.array(PLAIN_WORTHS)
MARKET = np.dtype(
    [
        ("owners", np.int64, (GOODS,)),
        ("gambles", np.int64, (PLAYERS,)),
        ("luck", np.float64, (PLAYERS,)),
        ("purse", np.int64),
        ("buyer", np.int64),
        ("turns", np.int64),
        ("gamble_worth", np.float64),
        SOURCE_FIELD,
    ],
    align=True,
)
MARKET_TYPE = numba.from_dtype(MARKET)


def new_market(*, purse: int = PURSE, gamble_worth: float = 0.0, turns: int = 0) -> np.ndarray:
    """Return a full market with player 0 to move."""
    states = np.zeros(1, MARKET)
    states["owners"] = NOBODY
    states["purse"], states["gamble_worth"], states["turns"] = purse, gamble_worth, turns
    return states


class Plain(NamedTuple):
    """The same game in plain Python."""

    owners: tuple[int, ...] = (NOBODY,) * GOODS
    purse: int = PURSE
    buyer: int = 0
    gambles: tuple[int, ...] = (0,) * PLAYERS

    def actions(self) -> list[int]:
        """List the legal actions."""
        goods = [
            good
            for good in range(GOODS)
            if self.owners[good] == NOBODY
            and PLAIN_COSTS[good] <= self.purse
            and (good % 2 == 0 or self.owners[good - 1] == self.buyer)
        ]
        return [*goods, *([GAMBLE] if self.purse > 0 else []), END]

    def play(self, action: int) -> "Plain":
        """Return what an action leads to."""
        if action == END:
            return self._replace(purse=PURSE, buyer=1 - self.buyer)
        if action == GAMBLE:
            gambles = tuple(number + (player == self.buyer) for player, number in enumerate(self.gambles))
            return self._replace(purse=self.purse - 1, gambles=gambles)
        owners = (*self.owners[:action], self.buyer, *self.owners[action + 1 :])
        return self._replace(purse=self.purse - PLAIN_COSTS[action], owners=owners)

    def lead(self, player: int, gamble_worth: float) -> float:
        """Return what a player is ahead."""
        points = [
            sum(PLAIN_WORTHS[one][good] for good in range(GOODS) if self.owners[good] == one)
            + gamble_worth * self.gambles[one]
            for one in range(PLAYERS)
        ]
        return points[player] - points[1 - player]

    def turns(self) -> Iterator[tuple[tuple[int, ...], "Plain"]]:
        """Yield every sequence up to the end of the turn or the first gamble, and what it leads to."""
        for action in self.actions():
            after = self.play(action)
            if action in (GAMBLE, END):
                yield (action,), after
            else:
                yield from (((action, *rest), end) for rest, end in after.turns())

    def quick_turn(self) -> "Plain":
        """Play the quick choices to the end of the turn."""
        goods = [action for action in self.actions() if action < GOODS]
        if not goods:
            return self.play(END)
        return self.play(max(goods, key=lambda good: PLAIN_WORTHS[self.buyer][good])).quick_turn()


@kernel
def is_sold(state, good):
    """Tell whether the player to move may buy a good."""
    is_free = state.owners[good] == NOBODY and COSTS[good] <= state.purse
    return is_free and (good % 2 == 0 or state.owners[good - 1] == state.buyer)


@kernel
def offer_goods(state, menu):
    """List the legal actions."""
    clear_menu(menu)
    if state.turns < PLAYERS * ROUNDS:
        for good in range(GOODS):
            if is_sold(state, good):
                offer_one(menu, good)
        if state.purse > 0:
            offer_one(menu, GAMBLE)
        offer_one(menu, END)


@kernel
def play(state, action, rng):
    """Play an action."""
    if action == END:
        state.purse = PURSE
        state.buyer = 1 - state.buyer
        state.turns += 1
    elif action == GAMBLE:
        state.purse -= 1
        state.gambles[state.buyer] += 1
        state.luck[state.buyer] += draw_unit(rng)
    else:
        state.purse -= COSTS[action]
        state.owners[action] = state.buyer


@kernel
def worth(state, player):
    """Add up the worth of a player's goods."""
    total = 0.0
    for good in range(GOODS):
        if state.owners[good] == player:
            total += WORTHS[player, good]
    return total


@kernel
def choose_best(state):
    """Return the good that is worth most, else END."""
    best = END
    for good in range(GOODS):
        if is_sold(state, good) and (best == END or WORTHS[state.buyer, good] > WORTHS[state.buyer, best]):
            best = good
    return best


@kernel
def digest(state):
    """Hash all that tells states apart but luck, which nobody sees."""
    word = np.uint64(state.purse * 64 + state.buyer * 32 + state.turns)
    for good in range(GOODS):
        word = mix(word * np.uint64(4) + np.uint64(state.owners[good] + 1))
    return mix(word * np.uint64(64) + np.uint64(state.gambles[0] * 8 + state.gambles[1]))


@overload(protocol.list_actions)
def _list_actions(state, menu):
    if state == MARKET_TYPE:
        return lambda state, menu: offer_goods(state, menu)
    return None


@overload(protocol.play_action)
def _play_action(state, action, rng):
    if state == MARKET_TYPE:
        return lambda state, action, rng: play(state, action, rng)
    return None


@overload(protocol.is_over)
def _is_over(state):
    if state == MARKET_TYPE:
        return lambda state: state.turns == PLAYERS * ROUNDS
    return None


@overload(protocol.player_to_move)
def _player_to_move(state):
    if state == MARKET_TYPE:
        return lambda state: state.buyer
    return None


@overload(protocol.player_count)
def _player_count(state):
    if state == MARKET_TYPE:
        return lambda state: PLAYERS
    return None


@overload(protocol.determinize)
def _determinize(state, observer, rng):
    if state == MARKET_TYPE:
        return lambda state, observer, rng: None
    return None


@overload(protocol.hash_state)
def _hash_state(state):
    if state == MARKET_TYPE:
        return lambda state: digest(state)
    return None


@overload(protocol.ends_turn)
def _ends_turn(state, action):
    if state == MARKET_TYPE:
        return lambda state, action: action == END
    return None


@overload(protocol.draws_chance)
def _draws_chance(state, action):
    if state == MARKET_TYPE:
        return lambda state, action: action == GAMBLE
    return None


@overload(protocol.turn_budget)
def _turn_budget(state):
    if state == MARKET_TYPE:
        return lambda state: state.purse
    return None


@overload(protocol.estimate_score)
def _estimate_score(state, player):
    if state == MARKET_TYPE:
        return lambda state, player: (
            worth(state, player)
            + (state.luck[player] if state.turns == PLAYERS * ROUNDS else state.gamble_worth * state.gambles[player])
        )
    return None


@overload(protocol.choose_quickly)
def _choose_quickly(state, menu, rng):
    if state == MARKET_TYPE:
        return lambda state, menu, rng: choose_best(state)
    return None
