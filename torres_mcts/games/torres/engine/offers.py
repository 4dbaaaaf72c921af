"""What the player to move may do: one function a phase, and the actions that cost AP (rules, 1 to 3, 5)."""

import numpy as np

from torres_mcts.core.bits import EMPTY, NEIGHBOURS, bit, count, drop_lowest, lowest
from torres_mcts.core.jit import kernel
from torres_mcts.core.menu import clear_menu, offer, offer_one
from torres_mcts.games.torres.engine.actions import (
    BUY,
    END_TURN,
    FAMILY_SHIFT,
    MOVE,
    NAME_FIRST,
    PLACE_BLOCK,
    PLACE_CASTLE,
    PLACE_KING,
    PLACE_KNIGHT,
    SCORE_POINT,
    word_of,
)
from torres_mcts.games.torres.engine.board import (
    block_targets,
    castles_without_piece,
    far_from_blocks,
    reach_of,
)
from torres_mcts.games.torres.engine.cards import offer_cards
from torres_mcts.games.torres.engine.piles import offer_keeps, pile_of
from torres_mcts.games.torres.engine.stacks import sum_stacks
from torres_mcts.games.torres.engine.state import (
    CASTLES,
    COMMON_DECK,
    FIRST,
    KEEP,
    KING,
    KING_SETUP,
    KNIGHTS,
    NONE_IN_USE,
    OWN_DECKS,
    TURN,
)


@kernel
def offer_actions(state, menu):
    """Fill the menu with every legal action."""
    clear_menu(menu)
    if state.phase == TURN:
        offer_turn(state, menu)
    elif state.phase == KEEP:
        offer_keeps(state, menu)
    elif state.phase == KNIGHTS:
        offer(menu, word_of(PLACE_KNIGHT, 0), castles_without_piece(state))
    elif state.phase == CASTLES:
        offer(menu, word_of(PLACE_CASTLE, 0), far_from_blocks(state))
    elif state.phase == KING_SETUP:
        offer(menu, word_of(PLACE_KING, 0), castles_without_piece(state))
    elif state.phase == KING:
        offer_king(state, menu)
    elif state.phase == FIRST:
        offer(menu, word_of(NAME_FIRST, 0), bit(state.rules.players) - np.uint64(1))


@kernel
def offer_king(state, menu):
    """Offer the king's new squares at the end of a year; its own square means that it stays."""
    squares = state.planes[1] & state.free
    if not state.rules.king_same_castle:
        squares &= ~state.castle_squares[state.castle_of[state.king]]
    offer(menu, word_of(PLACE_KING, 0), squares | bit(state.king))


@kernel
def offer_turn(state, menu):
    """Offer everything that the player may do in a turn."""
    ap = np.int64(state.ap)
    player = np.int64(state.to_move)
    rules = state.rules
    offer_knights(state, menu)
    if ap >= rules.cost_block and has_block(state):
        offer(menu, word_of(PLACE_BLOCK, 0), block_targets(state))
    if ap >= rules.cost_buy and state.bought < rules.buys_per_turn and can_draw(state, player):
        offer_one(menu, BUY << FAMILY_SHIFT)
    if ap >= rules.cost_score:
        offer_one(menu, SCORE_POINT << FAMILY_SHIFT)
    if state.cards_played < rules.cards_per_turn and state.hands[player] != state.fresh:
        offer_cards(state, menu)
    offer_ends(state, menu)


@kernel
def offer_knights(state, menu):
    """Offer the moves of the player's knights and the squares for a new one."""
    player = np.int64(state.to_move)
    ap = np.int64(state.ap)
    knights = state.knights[player]
    can_move = ap >= state.rules.cost_move
    beside = EMPTY
    while knights != EMPTY:
        square = lowest(knights)
        knights = drop_lowest(knights)
        beside |= NEIGHBOURS[square] & ~state.planes[state.heights[square] + 1]
        if can_move:
            offer(menu, word_of(MOVE, square), reach_of(state, square) & state.free)
    if ap >= state.rules.cost_knight and count(state.knights[player]) < state.rules.knights:
        offer(menu, word_of(PLACE_KNIGHT, 0), beside & state.free)


@kernel
def has_block(state):
    """Tell whether the player has a block to place in this turn."""
    if state.in_use == NONE_IN_USE:
        return state.stacks[state.to_move] & np.uint32(15) != 0
    return state.in_use > 0


@kernel
def can_draw(state, player):
    """Tell whether the player has a pile to buy from."""
    if state.rules.cards != OWN_DECKS and state.rules.cards != COMMON_DECK:
        return False
    return state.pile_size[pile_of(state, player)] > 0


@kernel
def offer_ends(state, menu):
    """Offer the end of the turn, once for each way to deal out what is left of the stack."""
    player = np.int64(state.to_move)
    stacks = np.int64(state.stacks[player])
    number = np.int64(state.stack_count[player])
    left = np.int64(state.in_use)
    if left == NONE_IN_USE:
        left = stacks & 15
        stacks >>= 4
        number -= 1
    limit = np.int64(state.rules.stack_limit)
    room = number * limit - sum_stacks(stacks)
    left = min(left, room)
    if left == 0:
        offer_one(menu, (END_TURN << FAMILY_SHIFT) + stacks)
    else:
        offer_deals(menu, stacks, number, left, limit)


@kernel
def offer_deals(menu, stacks, number, left, limit):
    """Offer every descending row of stacks that `left` more blocks can make.

    Sorted rows that are nowhere lower than the old one are just what dealing can reach, each once. Heights are
    tried from the highest down, place by place.
    """
    row = np.int64(0)
    place = 0
    height = min(limit, (stacks & 15) + left)
    while True:
        old = (stacks >> (4 * place)) & 15
        if height >= old and place < number - 1:
            row |= height << (4 * place)
            left -= height - old
            place += 1
            height = min(height, ((stacks >> (4 * place)) & 15) + left)
            continue
        if height - old == left:
            offer_one(menu, (END_TURN << FAMILY_SHIFT) + (row | (height << (4 * place))))
        if place == 0:
            return
        place -= 1
        height = (row >> (4 * place)) & 15
        row &= ~(15 << (4 * place))
        left += height - ((stacks >> (4 * place)) & 15)
        height -= 1
