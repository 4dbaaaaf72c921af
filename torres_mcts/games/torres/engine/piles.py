"""Hands, piles and the keeping of drawn cards (rules, section 6).

A hand is a word with six bits for the number of each kind. A pile is a ring in `state.pile`, each byte a card
and, above it, the set of players who know that it lies there: those who put it back.
"""

import numpy as np

from torres_mcts.core.bits import count
from torres_mcts.core.jit import entry_kernel, kernel
from torres_mcts.core.menu import offer
from torres_mcts.games.torres.engine.actions import DETAIL, FAMILY_SHIFT, KEEP_CARD
from torres_mcts.games.torres.engine.state import (
    COMMON_DECK,
    KEEP,
    OWN_PILE_LIMIT,
    PILE_LIMIT,
    TURN,
    UNKNOWN_CARD,
)

FIELD = np.uint64(6)
FIELD_MASK = np.uint64(63)
FACTORIALS = np.array([1, 1, 2, 6, 24, 120])
KNOWERS_SHIFT = 4


@kernel
def cards(card, number):
    """Return a hand of so many cards of one kind."""
    return np.uint64(number) << (np.uint64(card) * FIELD)


@kernel
def count_card(hand, card):
    """Count the cards of one kind in a hand."""
    return np.int64((hand >> (np.uint64(card) * FIELD)) & FIELD_MASK)


@kernel
def count_cards(hand):
    """Count the cards of a hand."""
    total = np.int64(0)
    while hand != np.uint64(0):
        total += np.int64(hand & FIELD_MASK)
        hand >>= FIELD
    return total


@kernel
def pile_of(state, player):
    """Return the number of the pile that a player draws from."""
    return 0 if state.rules.cards == COMMON_DECK else np.int64(player)


@kernel
def slot_of(state, pile, depth):
    """Return where in `state.pile` the card at a depth from the top lies."""
    ring = PILE_LIMIT if state.rules.cards == COMMON_DECK else OWN_PILE_LIMIT
    slot = np.int64(state.pile_start[pile]) + depth
    if slot >= ring:
        slot -= ring
    return pile * OWN_PILE_LIMIT + slot


@kernel
def draw_top(state, pile):
    """Take the top card off a pile; return it with its knowers."""
    entry = np.int64(state.pile[slot_of(state, pile, 0)])
    ring = PILE_LIMIT if state.rules.cards == COMMON_DECK else OWN_PILE_LIMIT
    start = np.int64(state.pile_start[pile]) + 1
    state.pile_start[pile] = 0 if start == ring else start
    state.pile_size[pile] -= 1
    return entry


@kernel
def put_on_top(state, pile, entry):
    """Put a card with its knowers on top of a pile."""
    ring = PILE_LIMIT if state.rules.cards == COMMON_DECK else OWN_PILE_LIMIT
    start = np.int64(state.pile_start[pile])
    state.pile_start[pile] = ring - 1 if start == 0 else start - 1
    state.pile_size[pile] += 1
    state.pile[slot_of(state, pile, 0)] = entry


@kernel
def put_under(state, pile, entry):
    """Put a card with its knowers under a pile."""
    state.pile[slot_of(state, pile, np.int64(state.pile_size[pile]))] = entry
    state.pile_size[pile] += 1


@kernel
def buy_card(state):
    """Draw for a bought card: one goes to the hand at once, several wait for the choice."""
    player = np.int64(state.to_move)
    pile = pile_of(state, player)
    state.bought += 1
    state.ap -= state.rules.cost_buy
    number = min(np.int64(state.rules.draw), np.int64(state.pile_size[pile]))
    if number == 1:
        entry = draw_top(state, pile)
        receive(state, player, entry & 15)
        tell_knowers(state, player, entry)
        return
    for index in range(number):
        state.drawn[index] = draw_top(state, pile) & 15
    state.drawn_count = number
    state.phase = KEEP


@kernel
def receive(state, player, card):
    """Put a bought card into the hand."""
    if card == UNKNOWN_CARD:
        state.hidden_in_hand[player] += 1
        state.hidden_fresh += 1
    else:
        state.hands[player] += cards(card, 1)
        state.fresh += cards(card, 1)


@kernel
def tell_knowers(state, player, entry):
    """Let those who knew a card in the pile know that the player who drew it holds it."""
    for observer in range(state.rules.players):
        if (entry >> (KNOWERS_SHIFT + observer)) & 1 and observer != player:
            state.known_hands[observer, player] += cards(entry & 15, 1)


@entry_kernel
def order_of(code, number):
    """Return the order of the drawn cards that a code stands for, as nibbles, the kept card lowest."""
    rank = code // number
    left = 0x43210
    order = np.int64(0)
    for place in range(number):
        weight = FACTORIALS[number - 1 - place]
        shift = 4 * (rank // weight)
        rank %= weight
        order |= ((left >> shift) & 15) << (4 * place)
        left = (left & ((1 << shift) - 1)) | ((left >> (shift + 4)) << shift)
    return order


@kernel
def is_first_spelling(state, order, number):
    """Tell whether equal cards stand in the order in which they were drawn."""
    for later in range(1, number):
        index = (order >> (4 * later)) & 15
        for earlier in range(later):
            other = (order >> (4 * earlier)) & 15
            if state.drawn[index] == state.drawn[other] and index < other:
                return False
    return True


@kernel
def offer_keeps(state, menu):
    """Offer every way to keep one of the drawn cards and to put the others back."""
    number = np.int64(state.drawn_count)
    kinds = np.uint64(0)
    for index in range(number):
        if state.drawn[index] == UNKNOWN_CARD:
            return
        kinds |= np.uint64(1) << np.uint64(state.drawn[index])
    codes = FACTORIALS[number] * number
    for base in range(0, codes, 64):
        here = min(codes - base, 64)
        board = np.uint64(0xFFFF_FFFF_FFFF_FFFF) >> np.uint64(64 - here)
        if count(kinds) != number:
            for code in range(base, base + here):
                if not is_first_spelling(state, order_of(code, number), number):
                    board &= ~(np.uint64(1) << np.uint64(code - base))
        offer(menu, (KEEP_CARD << FAMILY_SHIFT) + base, board)


@kernel
def keep_card(state, action):
    """Keep one of the drawn cards and put the others on top of and under the pile."""
    player = np.int64(state.to_move)
    pile = pile_of(state, player)
    number = np.int64(state.drawn_count)
    code = action & DETAIL
    order = order_of(code, number)
    on_top = code % number
    knower = 1 << (KNOWERS_SHIFT + player)
    receive(state, player, np.int64(state.drawn[order & 15]))
    for place in range(on_top, 0, -1):
        put_on_top(state, pile, np.int64(state.drawn[(order >> (4 * place)) & 15]) | knower)
    for place in range(on_top + 1, number):
        put_under(state, pile, np.int64(state.drawn[(order >> (4 * place)) & 15]) | knower)
    state.drawn_count = 0
    state.phase = TURN


@kernel
def discard(state, player, card):
    """Take a played card out of the game."""
    state.hands[player] -= cards(card, 1)
    state.played[player] += cards(card, 1)
    state.cards_played += 1
    for observer in range(state.rules.players):
        if count_card(state.known_hands[observer, player], card) > 0:
            state.known_hands[observer, player] -= cards(card, 1)
