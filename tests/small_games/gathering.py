"""Gathering: in turn each player takes things from a row, as long as the basket has room; who has more points wins.

An action is the place of a thing, or LOOK, or REST, or END. A thing takes as much room as its place says and is worth
its points, one more for each neighbour that is gone already. LOOK brings one point for one room and may wait; REST
takes room for nothing. So orders matter, states merge, and some states have less room than others that are equal
else.
"""

import numba
import numpy as np
from numba.extending import overload

from tests.small_games import SOURCE_FIELD
from torres_mcts.core import protocol
from torres_mcts.core.jit import kernel
from torres_mcts.core.menu import clear_menu, offer_one
from torres_mcts.core.rng import mix

PLACES = 6
LOOK, REST, END = 10, 11, 12
NO_ACTION = -1
GATHERING = np.dtype(
    [
        ("values", np.int64, (PLACES,)),
        ("sizes", np.int64, (PLACES,)),
        ("taken", np.int64),  # set of places
        ("points", np.int64, (4,)),
        ("players", np.int64),
        ("gatherer", np.int64),
        ("turns", np.int64),  # left, with the one under way
        ("room", np.int64),
        ("basket", np.int64),  # room at the start of a turn
        ("is_open", np.bool_),  # whether the last turn hangs on chance
        SOURCE_FIELD,
    ],
    align=True,
)
GATHERING_TYPE = numba.from_dtype(GATHERING)


def new_gathering(
    values: list[int], sizes: list[int], *, basket: int, turns: int, players: int = 2, points: tuple[int, ...] = ()
) -> np.ndarray:
    """Return the state before player 0 gathers."""
    states = np.zeros(1, GATHERING)
    states["values"][0, : len(values)] = values
    states["sizes"][0] = 99
    states["sizes"][0, : len(sizes)] = sizes
    states["points"][0, : len(points)] = points
    states["players"], states["turns"], states["room"], states["basket"] = players, turns, basket, basket
    return states


Plain = tuple[tuple[int, ...], int, int, int, int]  # points, taken, gatherer, turns, room


def plain_start(states: np.ndarray) -> Plain:
    """Return a state as plain numbers."""
    state = states[0]
    points = tuple(int(points) for points in state["points"][: state["players"]])
    return points, int(state["taken"]), int(state["gatherer"]), int(state["turns"]), int(state["room"])


def plain_moves(states: np.ndarray, here: Plain) -> dict[int, Plain]:
    """Return the state after each action, in plain Python."""
    points, taken, gatherer, turns, room = here

    def gain(number: int) -> tuple[int, ...]:
        return (*points[:gatherer], points[gatherer] + number, *points[gatherer + 1 :])

    after = {END: (points, taken, (gatherer + 1) % len(points), turns - 1, int(states[0]["basket"]))}
    if room >= 1:
        after[LOOK] = (gain(1), taken, gatherer, turns, room - 1)
        after[REST] = (points, taken, gatherer, turns, room - 1)
    for place in range(PLACES):
        if not taken >> place & 1 and room >= states[0]["sizes"][place]:
            near = [other for other in (place - 1, place + 1) if 0 <= other < PLACES]
            worth = int(states[0]["values"][place]) + sum(taken >> other & 1 for other in near)
            rest = room - int(states[0]["sizes"][place])
            after[place] = (gain(worth), taken | 1 << place, gatherer, turns, rest)
    return after


@kernel
def worth_of(state, place):
    """Return the points of a thing with the gaps beside it."""
    worth = state.values[place]
    if place > 0:
        worth += (state.taken >> (place - 1)) & 1
    if place < PLACES - 1:
        worth += (state.taken >> (place + 1)) & 1
    return worth


@kernel
def offer_places(state, menu, is_last):
    """List the actions; in a last turn neither to rest nor to look."""
    clear_menu(menu)
    if state.turns == 0 or (is_last and state.is_open):
        return
    for place in range(PLACES):
        if (state.taken >> place) & 1 == 0 and state.room >= state.sizes[place]:
            offer_one(menu, place)
    if state.room >= 1 and not is_last:
        offer_one(menu, LOOK)
        offer_one(menu, REST)
    offer_one(menu, END)


@kernel
def play(state, action):
    """Play an action."""
    if action == END:
        state.turns -= 1
        state.gatherer = (state.gatherer + 1) % state.players
        state.room = state.basket
    elif action in (LOOK, REST):
        state.room -= 1
        state.points[state.gatherer] += 1 if action == LOOK else 0
    else:
        state.points[state.gatherer] += worth_of(state, action)
        state.room -= state.sizes[action]
        state.taken |= 1 << action


@kernel
def digest(state):
    """Hash all but the room."""
    word = (
        np.uint64(state.taken) | (np.uint64(state.turns) << np.uint64(8)) | (np.uint64(state.gatherer) << np.uint64(16))
    )
    for player in range(state.players):
        word = mix(word) + np.uint64(state.points[player])
    return mix(word)


@kernel
def write_bounds(state, bounds):
    """The most is all things that are left, a gap on either side of each, and a look for all the room."""
    for player in range(state.players):
        bounds[player] = state.points[player]
    for place in range(PLACES):
        if (state.taken >> place) & 1 == 0 and state.sizes[place] <= state.room:
            bounds[state.gatherer] += state.values[place] + 2
    bounds[state.gatherer] += state.room


@overload(protocol.list_actions)
def _list_actions(state, menu):
    if state == GATHERING_TYPE:
        return lambda state, menu: offer_places(state, menu, False)
    return None


@overload(protocol.list_last_actions)
def _list_last_actions(state, is_first, menu):
    if state == GATHERING_TYPE:
        return lambda state, is_first, menu: offer_places(state, menu, True)
    return None


@overload(protocol.late_action)
def _late_action(state):
    if state == GATHERING_TYPE:
        return lambda state: LOOK if state.room >= 1 else NO_ACTION
    return None


@overload(protocol.play_action)
def _play_action(state, action, rng):
    if state == GATHERING_TYPE:
        return lambda state, action, rng: play(state, action)
    return None


@overload(protocol.is_over)
def _is_over(state):
    if state == GATHERING_TYPE:
        return lambda state: state.turns == 0
    return None


@overload(protocol.turns_left)
def _turns_left(state):
    if state == GATHERING_TYPE:
        return lambda state: state.turns
    return None


@overload(protocol.player_to_move)
def _player_to_move(state):
    if state == GATHERING_TYPE:
        return lambda state: state.gatherer
    return None


@overload(protocol.player_count)
def _player_count(state):
    if state == GATHERING_TYPE:
        return lambda state: state.players
    return None


@overload(protocol.score_of)
def _score_of(state, player):
    if state == GATHERING_TYPE:
        return lambda state, player: state.points[player]
    return None


@overload(protocol.estimate_score)
def _estimate_score(state, player):
    if state == GATHERING_TYPE:
        return lambda state, player: float(state.points[player])
    return None


@overload(protocol.hash_state)
def _hash_state(state):
    if state == GATHERING_TYPE:
        return lambda state: digest(state) + np.uint64(state.room)
    return None


@overload(protocol.hash_last_turn)
def _hash_last_turn(state):
    if state == GATHERING_TYPE:
        return lambda state: digest(state)
    return None


@overload(protocol.bound_last_turn)
def _bound_last_turn(state, is_first, bounds):
    if state == GATHERING_TYPE:
        return lambda state, is_first, bounds: write_bounds(state, bounds)
    return None


@overload(protocol.ends_turn)
def _ends_turn(state, action):
    if state == GATHERING_TYPE:
        return lambda state, action: action == END
    return None


@overload(protocol.draws_chance)
def _draws_chance(state, action):
    if state == GATHERING_TYPE:
        return lambda state, action: False
    return None


@overload(protocol.turn_budget)
def _turn_budget(state):
    if state == GATHERING_TYPE:
        return lambda state: state.room
    return None
