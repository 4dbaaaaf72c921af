"""The ten action cards: where each may be played, and what it does (rules, section 4)."""

import numpy as np

from torres_mcts.core.bits import (
    DIAGONAL_NEIGHBOURS,
    EIGHT,
    EMPTY,
    FILE_A,
    FILE_H,
    NEIGHBOURS,
    ONE,
    bit,
    count,
    drop_lowest,
    flood,
    lowest,
    neighbours,
)
from torres_mcts.core.jit import kernel
from torres_mcts.core.menu import offer, offer_one
from torres_mcts.games.torres.engine.actions import USE, card_of, card_word, origin_of, target_of
from torres_mcts.games.torres.engine.board import add_block, block_targets, lift_block, squares_with_door
from torres_mcts.games.torres.engine.piles import FIELD, FIELD_MASK, discard
from torres_mcts.games.torres.engine.stacks import take_from_stack
from torres_mcts.games.torres.engine.state import (
    AP6,
    AP7,
    CLIMB,
    DIAGONAL,
    GATE,
    JUMP,
    SHIFT,
    SUPPLY,
    TRANSFER,
    UNDER,
)


@kernel
def offer_cards(state, menu):
    """Offer every way to play a card of the hand that was not bought this turn."""
    player = np.int64(state.to_move)
    hand = state.hands[player] - state.fresh
    while hand != EMPTY:
        card = lowest(hand) // 6
        hand &= ~(FIELD_MASK << (np.uint64(card) * FIELD))
        if card <= AP7:
            offer_one(menu, card_word(card, 0))
        elif card == SUPPLY:
            if state.supply > 0:
                offer(menu, card_word(SUPPLY, 0), block_targets(state))
        elif card == UNDER:
            offer_under(state, menu, player)
        elif card == SHIFT:
            offer_shifts(state, menu)
        elif card == TRANSFER:
            offer_transfers(state, menu, player)
        else:
            offer_leaps(state, menu, player, card)


@kernel
def offer_leaps(state, menu, player, card):
    """Offer the special moves of single knights: climb, diagonal, gate, jump."""
    doors = squares_with_door(state) if card == GATE else EMPTY
    foes = EMPTY
    if card == JUMP:
        for other in range(state.rules.players):
            if other != player:
                foes |= state.knights[other]
    knights = state.knights[player]
    while knights != EMPTY:
        square = lowest(knights)
        knights = drop_lowest(knights)
        level = np.int64(state.heights[square])
        if card == CLIMB:
            targets = NEIGHBOURS[square] & state.planes[level + 2] & ~state.planes[level + 3]
        elif card == DIAGONAL:
            targets = DIAGONAL_NEIGHBOURS[square] & ~state.planes[level + 2]
        elif card == JUMP:
            targets = beyond(bit(square), foes) & ~state.planes[level + 2]
        else:
            targets = other_doors(state, square, level, doors)
        offer(menu, card_word(card, square), targets & state.free)


@kernel
def beyond(start, over):
    """Return the squares in a straight line just behind an adjacent square of `over`."""
    north = ((start << EIGHT) & over) << EIGHT
    south = ((start >> EIGHT) & over) >> EIGHT
    east = ((((start & ~FILE_H) << ONE) & over) & ~FILE_H) << ONE
    west = ((((start & ~FILE_A) >> ONE) & over) & ~FILE_A) >> ONE
    return north | south | east | west


@kernel
def other_doors(state, square, level, doors):
    """Return the squares with a door of a castle that the square, too, has a door of."""
    higher = NEIGHBOURS[square] & state.planes[level + 1]
    targets = EMPTY
    while higher != EMPTY:
        castle = state.castle_squares[state.castle_of[lowest(higher)]]
        higher &= ~castle
        targets |= (doors & castle) | (neighbours(castle) & ~state.planes[1])
    return targets & ~bit(square)


@kernel
def offer_transfers(state, menu, player):
    """Offer to put each knight where a new one might be placed beside another."""
    beside_one = EMPTY
    beside_many = EMPTY
    knights = state.knights[player]
    while knights != EMPTY:
        square = lowest(knights)
        knights = drop_lowest(knights)
        beside = NEIGHBOURS[square] & ~state.planes[state.heights[square] + 1]
        beside_many |= beside_one & beside
        beside_one |= beside
    knights = state.knights[player]
    while knights != EMPTY:
        square = lowest(knights)
        knights = drop_lowest(knights)
        beside = NEIGHBOURS[square] & ~state.planes[state.heights[square] + 1]
        others = beside_many | (beside_one & ~beside)
        offer(menu, card_word(TRANSFER, square), others & state.free)


@kernel
def offer_under(state, menu, player):
    """Offer a block under a knight, from each stack of a different height and from the one in use."""
    bare = ~state.planes[1] & ~state.beside_many
    targets = state.knights[player] & (state.growable | bare)
    stacks = np.int64(state.stacks[player])
    last = 0
    while stacks != 0:
        height = stacks & 15
        stacks >>= 4
        if height != last and height != 0:
            offer(menu, card_word(UNDER, height), targets)
        last = height
    if state.in_use > 0:
        offer(menu, card_word(UNDER, USE), targets)


@kernel
def move_knight(state, player, origin, target):
    """Take a knight from one square to another."""
    state.knights[player] ^= bit(origin) | bit(target)
    state.free ^= bit(origin) | bit(target)


@kernel
def play_card(state, action):
    """Carry out a card and take it out of the game."""
    player = np.int64(state.to_move)
    card = card_of(action)
    target = target_of(action)
    discard(state, player, card)
    if card == AP6:
        state.ap += 1
    elif card == AP7:
        state.ap += 2
    elif card == SUPPLY:
        state.supply -= 1
        add_block(state, target)
    elif card == SHIFT:
        lift_block(state, origin_of(action))
        add_block(state, target)
    elif card == UNDER:
        if origin_of(action) == USE:
            state.in_use -= 1
        else:
            state.stacks[player] = take_from_stack(state.stacks[player], origin_of(action))
        add_block(state, target)
    else:
        move_knight(state, player, origin_of(action), target)


@kernel
def offer_shifts(state, menu):
    """Offer every free top block with every square that it may go to."""
    bare = ~state.planes[1]
    targets = (state.growable | (bare & ~state.beside_many)) & state.free
    founding = bare & ~state.beside_one
    allowed = targets & enough_castles(state, np.int64(state.castle_count), founding)
    sources = state.planes[1] & state.free
    while sources != EMPTY:
        square = lowest(sources)
        sources = drop_lowest(sources)
        if state.heights[square] > 1:  # every area stays as it is
            offer(menu, card_word(SHIFT, square), allowed & ~bit(square))
        else:
            offer(menu, card_word(SHIFT, square), last_block_targets(state, square))


@kernel
def enough_castles(state, castles, founding):
    """Return the targets that leave at least `min_castles`: all, the founding ones, or none."""
    if castles >= state.rules.min_castles:
        return ~EMPTY
    if castles + 1 >= state.rules.min_castles:
        return founding
    return EMPTY


@kernel
def last_block_targets(state, square):
    """Return where the only block of a square may go, judged on the board without it."""
    castle = state.castle_squares[state.castle_of[square]]
    rest = castle & ~bit(square)
    if rest != EMPTY and flood(bit(lowest(rest)), rest) != rest:
        return EMPTY
    area = count(rest)
    bare = ~(state.planes[1] & ~bit(square))
    one, many = edges_without(state, square, neighbours(rest))
    growable = (state.growable & ~castle) | (rest & ~state.planes[area])
    targets = growable | (bare & ~many)
    if rest & state.planes[area + 1] != EMPTY:  # too high now unless the block comes back beside it
        targets = neighbours(rest) & bare & one & ~many
    castles = np.int64(state.castle_count) - (1 if rest == EMPTY else 0)
    targets &= enough_castles(state, castles, bare & ~one)
    return targets & state.free & ~bit(square)


@kernel
def edges_without(state, square, still_beside):
    """Return the bare squares beside a castle, and beside two, once a square's only block is lifted."""
    one = state.beside_one
    many = state.beside_many
    changed = NEIGHBOURS[square] & ~state.planes[1] & ~still_beside
    while changed != EMPTY:
        here = bit(lowest(changed))
        castles = count_castles_beside(state, lowest(changed)) - 1
        changed = drop_lowest(changed)
        one &= ~here
        many &= ~here
        if castles >= 1:
            one |= here
        if castles >= 2:
            many |= here
    return one, many


@kernel
def count_castles_beside(state, square):
    """Count the castles that a bare square lies beside."""
    built = NEIGHBOURS[square] & state.planes[1]
    castles = 0
    while built != EMPTY:
        built &= ~state.castle_squares[state.castle_of[lowest(built)]]
        castles += 1
    return castles
