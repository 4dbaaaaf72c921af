"""Hands, piles and the keeping of drawn cards (rules, section 6).

A hand is a word with six bits for the number of each kind. A pile is a ring in `state.pile`, each byte a card
and, above it, the set of players who know that it lies there: those who put it back.
"""

from itertools import permutations

import numpy as np

from torres_mcts.core.bits import count
from torres_mcts.core.jit import kernel
from torres_mcts.core.menu import offer
from torres_mcts.games.torres.engine.actions import DETAIL, FAMILY_SHIFT, KEEP_CARD
from torres_mcts.games.torres.engine.state import (
    CARD_KINDS,
    COMMON_DECK,
    DRAW_LIMIT,
    KEEP,
    OWN_PILE_LIMIT,
    PILE_LIMIT,
    TURN,
    UNKNOWN_CARD,
)

FIELD = np.uint64(6)
FIELD_MASK = np.uint64(63)
ORDERS = [list(permutations(range(number))) for number in range(DRAW_LIMIT + 1)]
ORDER_COUNTS = np.array([len(orders) for orders in ORDERS])
ORDER_TABLE = np.zeros((DRAW_LIMIT + 1, len(ORDERS[-1])), np.int64)  # [cards, rank] an order as nibbles
for _number, _orders in enumerate(ORDERS):
    for _rank, _order in enumerate(_orders):
        ORDER_TABLE[_number, _rank] = sum(index << (4 * place) for place, index in enumerate(_order))
SPLIT_BITS = 3  # a code is the rank of an order, then how many of the cards that are not kept go on top
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
def common_cards(one, other):
    """Return the cards that two hands share."""
    shared = np.uint64(0)
    for card in range(CARD_KINDS):
        shared += cards(card, min(count_card(one, card), count_card(other, card)))
    return shared


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
            state.known_fresh[observer] += cards(entry & 15, 1)


@kernel
def order_of(code, number):
    """Return the order of the drawn cards that a code stands for, as nibbles, the kept card lowest."""
    return ORDER_TABLE[number, code >> SPLIT_BITS]


@kernel
def split_of(code):
    """Return how many of the cards that are not kept a code puts on top of the pile."""
    return code & ((1 << SPLIT_BITS) - 1)


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
    splits = (np.uint64(1) << np.uint64(number)) - np.uint64(1)
    for rank in range(0, ORDER_COUNTS[number], 8):  # eight orders of eight codes make a row
        board = np.uint64(0)
        for place in range(min(8, ORDER_COUNTS[number] - rank)):
            if count(kinds) == number or is_first_spelling(state, ORDER_TABLE[number, rank + place], number):
                board |= splits << np.uint64(place << SPLIT_BITS)
        offer(menu, (KEEP_CARD << FAMILY_SHIFT) + (rank << SPLIT_BITS), board)


@kernel
def keep_card(state, action):
    """Keep one of the drawn cards and put the others on top of and under the pile."""
    player = np.int64(state.to_move)
    pile = pile_of(state, player)
    number = np.int64(state.drawn_count)
    code = action & DETAIL
    order = order_of(code, number)
    on_top = split_of(code)
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
        known = count_card(state.known_hands[observer, player], card)
        if known > count_card(state.known_fresh[observer], card):  # a fresh card is not the one played
            state.known_hands[observer, player] -= cards(card, 1)
