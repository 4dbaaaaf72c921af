"""Kuhn's poker: three cards, one for each of two players, one bet. An action is PASS (check or fold) or BET (or call).

`history` is a one followed by the actions as bits: 0b1 at the start, 0b101 after a check and a bet.

In the variant with a plan (`has_plan`) player 1 decides nothing: those actions are chance, drawn while player 0's
action is played, from probabilities that are part of the game. Then player 0 has an exact best reply. What player 1
did tells about the hidden card, so in this variant determinize deals it by Bayes' rule.
"""

from collections.abc import Callable, Sequence

import numba
import numpy as np
from numba.extending import overload

from tests.small_games import SOURCE_FIELD
from torres_mcts.core import protocol
from torres_mcts.core.jit import kernel
from torres_mcts.core.menu import clear_menu, draw_action, offer_one
from torres_mcts.core.rng import draw_unit, mix

PLAYERS = 2
JACK, QUEEN, KING = range(3)
CARDS = 3
PASS, BET = range(2)
START, CHECKED, WAS_BET, CHECKED_OUT, CHECKED_BET, FOLDED, CALLED, FOLDED_LATE, CALLED_LATE = (
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    10,
    11,
)
Plan = Sequence[Sequence[float]]  # for each card the probability to bet after a check, and that to call a bet

KUHN = np.dtype(
    [
        ("cards", np.int64, (PLAYERS,)),
        ("history", np.int64),
        ("has_plan", np.bool_),
        ("plan", np.float64, (CARDS, 2)),
        SOURCE_FIELD,
    ],
    align=True,
)
KUHN_TYPE = numba.from_dtype(KUHN)


def new_kuhn(own: int, other: int, *, history: int = START, plan: Plan | None = None) -> np.ndarray:
    """Return a state; the plan makes player 1 a part of the game."""
    states = np.zeros(1, KUHN)
    states["cards"][0] = own, other
    states["history"] = history
    if plan is not None:
        states["has_plan"] = True
        states["plan"][0] = plan
    return states


def plain_winnings(own: int, other: int, history: int) -> int:
    """Return what player 0 wins at an end of the game, in plain Python."""
    if history == FOLDED:
        return 1
    if history == FOLDED_LATE:
        return -1
    return (1 if history == CHECKED_OUT else 2) * (1 if own > other else -1)


def best_reply(own: int, plan: Plan, worth: Callable[[int], float]) -> dict[int, float]:
    """Return what each first action of player 0 is worth on average if the best one follows it, exactly."""
    others = [card for card in range(CARDS) if card != own]
    passing = sum((1 - plan[other][0]) * worth(plain_winnings(own, other, CHECKED_OUT)) for other in others)
    folding = sum(plan[other][0] * worth(plain_winnings(own, other, FOLDED_LATE)) for other in others)
    calling = sum(plan[other][0] * worth(plain_winnings(own, other, CALLED_LATE)) for other in others)
    betting = sum(
        (1 - plan[other][1]) * worth(plain_winnings(own, other, FOLDED))
        + plan[other][1] * worth(plain_winnings(own, other, CALLED))
        for other in others
    )
    return {PASS: (passing + max(folding, calling)) / 2, BET: betting / 2}


def best_answer(own: int, plan: Plan, worth: Callable[[int], float]) -> dict[int, float]:
    """Return what folding and calling are worth to player 0 after a check and a bet, exactly."""
    chances = {card: plan[card][0] for card in range(CARDS) if card != own}
    return {
        action: sum(chance * worth(plain_winnings(own, other, end)) for other, chance in chances.items())
        / sum(chances.values())
        for action, end in ((PASS, FOLDED_LATE), (BET, CALLED_LATE))
    }


@kernel
def is_end(state):
    """Tell whether the game is over."""
    return state.history in (CHECKED_OUT, FOLDED, CALLED) or state.history >= FOLDED_LATE


@kernel
def mover_of(state):
    """Return the player to move."""
    return 1 if state.history == CHECKED or state.history == WAS_BET else 0


@kernel
def winnings(state, player):
    """Return what a player wins at the end of the game."""
    history = state.history
    gain = 1 if state.cards[0] > state.cards[1] else -1
    if history == FOLDED:
        gain = 1
    elif history == FOLDED_LATE:
        gain = -1
    elif history != CHECKED_OUT:
        gain *= 2
    return gain if player == 0 else -gain


@kernel
def play(state, action, rng):
    """Play an action, and with a plan also the answer of player 1."""
    state.history = 2 * state.history + action
    if state.has_plan and not is_end(state) and mover_of(state) == 1:
        chance = state.plan[state.cards[1], state.history - CHECKED]
        state.history = 2 * state.history + (BET if draw_unit(rng) < chance else PASS)


@kernel
def chance_of(state, card):
    """Return how likely player 1 was to do what was done with a card (any number that is in proportion)."""
    if state.has_plan and state.history == CHECKED_BET:
        return state.plan[card, 0]
    return 1.0


@kernel
def deal_other(state, observer, rng):
    """Deal the card that the observer does not see."""
    own = state.cards[observer]
    first, second = (own + 1) % CARDS, (own + 2) % CARDS
    chances = chance_of(state, first) + chance_of(state, second)
    is_first = draw_unit(rng) * chances < chance_of(state, first)
    state.cards[1 - observer] = first if is_first else second


@kernel
def offer_both(state, menu):
    """List the legal actions."""
    clear_menu(menu)
    if not is_end(state):
        offer_one(menu, PASS)
        offer_one(menu, BET)


@kernel
def digest(state):
    """Hash cards and history; the plan never changes."""
    return mix(np.uint64(state.history * 16 + state.cards[0] * 4 + state.cards[1]))


@overload(protocol.list_actions)
def _list_actions(state, menu):
    if state == KUHN_TYPE:
        return lambda state, menu: offer_both(state, menu)
    return None


@overload(protocol.play_action)
def _play_action(state, action, rng):
    if state == KUHN_TYPE:
        return lambda state, action, rng: play(state, action, rng)
    return None


@overload(protocol.is_over)
def _is_over(state):
    if state == KUHN_TYPE:
        return lambda state: is_end(state)
    return None


@overload(protocol.player_to_move)
def _player_to_move(state):
    if state == KUHN_TYPE:
        return lambda state: mover_of(state)
    return None


@overload(protocol.player_count)
def _player_count(state):
    if state == KUHN_TYPE:
        return lambda state: PLAYERS
    return None


@overload(protocol.score_of)
def _score_of(state, player):
    if state == KUHN_TYPE:
        return lambda state, player: winnings(state, player)
    return None


@overload(protocol.determinize)
def _determinize(state, observer, rng):
    if state == KUHN_TYPE:
        return lambda state, observer, rng: deal_other(state, observer, rng)
    return None


@overload(protocol.observed_action)
def _observed_action(state, action, observer):
    if state == KUHN_TYPE:
        return lambda state, action, observer: action
    return None


@overload(protocol.hash_state)
def _hash_state(state):
    if state == KUHN_TYPE:
        return lambda state: digest(state)
    return None


@overload(protocol.ends_turn)
def _ends_turn(state, action):
    if state == KUHN_TYPE:
        return lambda state, action: True
    return None


@overload(protocol.draws_chance)
def _draws_chance(state, action):
    if state == KUHN_TYPE:
        return lambda state, action: bool(state.has_plan)
    return None


@overload(protocol.turn_budget)
def _turn_budget(state):
    if state == KUHN_TYPE:
        return lambda state: 1
    return None


@overload(protocol.stage_of)
def _stage_of(state):
    if state == KUHN_TYPE:
        return lambda state: state.history
    return None


@overload(protocol.estimate_score)
def _estimate_score(state, player):
    if state == KUHN_TYPE:
        return lambda state, player: float(winnings(state, player)) if is_end(state) else 0.0
    return None


@overload(protocol.choose_quickly)
def _choose_quickly(state, menu, rng):
    if state == KUHN_TYPE:
        return lambda state, menu, rng: draw_action(menu, rng)
    return None
