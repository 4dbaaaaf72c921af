"""A fast rule of thumb for playouts: draw a few actions, take the one that promises most points at once."""

import numpy as np

from torres_mcts.core.bits import EMPTY, NEIGHBOURS, bit, count, lowest
from torres_mcts.core.jit import kernel
from torres_mcts.core.menu import action_at
from torres_mcts.core.rng import draw_below
from torres_mcts.games.torres.engine.actions import (
    BUY,
    END_TURN,
    MOVE,
    PLACE_BLOCK,
    PLACE_KNIGHT,
    PLAY_CARD,
    SCORE_POINT,
    card_of,
    family_of,
    origin_of,
    target_of,
)
from torres_mcts.games.torres.engine.scoring import highest_level
from torres_mcts.games.torres.engine.state import (
    AP6,
    AP7,
    NO_CASTLE,
    SHIFT,
    SUPPLY,
    TURN,
    UNDER,
)

SAMPLES = 8  # actions drawn, with replacement
NEW_KNIGHT = 1.5  # points that a further knight is worth beyond what it scores
CARD = 1.5  # points that a card is worth in hand
ACTION_POINT = 0.7  # points that an action point is worth
SOON = 0.6  # how much of what the next step may bring counts


@kernel
def choose_quickly(state, menu, rng):
    """Return the best of a few actions drawn from the menu."""
    best = action_at(menu, draw_below(rng, menu.size))
    if state.phase != TURN:
        return best
    most = quick_gain(state, best)
    for _ in range(1, SAMPLES):
        action = action_at(menu, draw_below(rng, menu.size))
        gain = quick_gain(state, action)
        if gain > most:
            most = gain
            best = action
    return best


@kernel
def quick_gain(state, action):
    """Return the points that an action of a turn promises, roughly."""
    family = family_of(action)
    player = np.int64(state.to_move)
    target = target_of(action)
    if family == MOVE:
        return move_gain(state, player, origin_of(action), target) - ACTION_POINT
    if family == PLACE_BLOCK:
        return block_gain(state, player, target) - ACTION_POINT
    if family == PLACE_KNIGHT:
        return arrival_gain(state, player, EMPTY, target) + NEW_KNIGHT - 2.0 * ACTION_POINT
    if family == SCORE_POINT:
        return 1.0 - ACTION_POINT
    if family == BUY:
        return CARD - ACTION_POINT
    if family == END_TURN:
        return -ACTION_POINT * np.float64(state.ap)
    if family == PLAY_CARD:
        return card_gain(state, player, action) - CARD
    return 0.0


@kernel
def card_gain(state, player, action):
    """Return the points that playing a card promises."""
    card = card_of(action)
    target = target_of(action)
    if card == AP6:
        return ACTION_POINT
    if card == AP7:
        return 2.0 * ACTION_POINT
    if card in (SUPPLY, SHIFT):
        return block_gain(state, player, target)
    if card == UNDER:
        return under_gain(state, player, target)
    return move_gain(state, player, origin_of(action), target)


@kernel
def top_level(state, castle, knights):
    """Return the level of the highest of some knights in a castle."""
    return highest_level(state, castle & knights)


@kernel
def move_gain(state, player, origin, target):
    """Return what a knight's move changes of the points of this year's castles."""
    left = 0.0
    knights = state.knights[player] & ~bit(origin)
    if state.castle_of[origin] != NO_CASTLE:
        castle = state.castle_squares[state.castle_of[origin]]
        lost = np.int64(state.heights[origin]) - top_level(state, castle, knights)
        if lost > 0:
            left = np.float64(lost * count(castle))
    return arrival_gain(state, player, bit(origin), target) - left


@kernel
def arrival_gain(state, player, leaving, target):
    """Return the points that a knight brings by arriving on a square."""
    if state.castle_of[target] == NO_CASTLE:
        return 0.0
    castle = state.castle_squares[state.castle_of[target]]
    gained = np.int64(state.heights[target]) - top_level(state, castle, state.knights[player] & ~leaving)
    return np.float64(gained * count(castle)) if gained > 0 else 0.0


@kernel
def block_gain(state, player, target):
    """Return what a block brings: area for all knights of the castle, or a step up for those beside it."""
    height = np.int64(state.heights[target])
    if height > 0:
        return step_gain(state, player, target, height + 1)
    built = NEIGHBOURS[target] & state.planes[1]
    if built == EMPTY:
        return 0.0
    castle = state.castle_squares[state.castle_of[lowest(built)]]
    gain = np.float64(top_level(state, castle, state.knights[player]))
    for other in range(state.rules.players):
        if other != player:
            gain -= np.float64(top_level(state, castle, state.knights[other]))
    return gain


@kernel
def step_gain(state, player, target, height):
    """Return what a higher square is worth to the knights that can step onto it, own less others'."""
    castle = state.castle_squares[state.castle_of[target]]
    near = NEIGHBOURS[target] & state.planes[height - 1]
    gain = 0.0
    for other in range(state.rules.players):
        if near & state.knights[other] != EMPTY:
            higher = height - top_level(state, castle, state.knights[other])
            if higher > 0:
                points = SOON * np.float64(higher * count(castle))
                gain += points if other == player else -points
    return gain


@kernel
def under_gain(state, player, target):
    """Return what a block under a knight brings."""
    if state.castle_of[target] == NO_CASTLE:
        return 1.0
    castle = state.castle_squares[state.castle_of[target]]
    gained = np.int64(state.heights[target]) + 1 - top_level(state, castle, state.knights[player])
    return np.float64(gained * count(castle)) if gained > 0 else 0.0
