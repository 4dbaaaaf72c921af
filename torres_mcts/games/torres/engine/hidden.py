"""Hidden cards: dealing anew whatever an observer does not know (rules, section 6).

An observer knows the own hand, what everybody sees (played cards, sizes of hands and piles), the cards that
the observer put back on a pile, and cards seen to pass from such a place into a hand. All other cards are
drawn one after the other from the pool of cards not accounted for, so every deal that agrees with that
knowledge is equally likely.
"""

import numpy as np

from torres_mcts.core.jit import kernel
from torres_mcts.core.rng import draw_below
from torres_mcts.games.torres.engine.piles import (
    FIELD,
    FIELD_MASK,
    KNOWERS_SHIFT,
    cards,
    common_cards,
    count_cards,
    slot_of,
)
from torres_mcts.games.torres.engine.state import (
    CARD_KINDS,
    COMMON_DECK,
    MASTER_RANDOM,
    NO_CARDS,
    PLAYER_LIMIT,
    UNKNOWN_CARD,
)


@kernel
def determinize(state, observer, rng):
    """Deal all that the observer does not know, uniformly among the deals that agree with what is known."""
    if state.rules.master_card == MASTER_RANDOM:
        state.rules.master_card = draw_below(rng, MASTER_RANDOM)
    if state.rules.cards == NO_CARDS:
        return
    players = np.int64(state.rules.players)
    if state.rules.cards == COMMON_DECK:
        pool = full_deck(state, PLAYER_LIMIT)
        for player in range(players):
            pool -= seen_of_player(state, observer, player)
        pool -= seen_in_pile(state, observer, 0)
        for player in range(players):
            pool = deal_hand(state, observer, player, pool, rng)
        deal_pile(state, observer, 0, pool, rng)
    else:
        for player in range(players):
            pool = full_deck(state, 1) - seen_of_player(state, observer, player)
            pool -= seen_in_pile(state, observer, player)
            pool = deal_hand(state, observer, player, pool, rng)
            deal_pile(state, observer, player, pool, rng)


@kernel
def full_deck(state, copies):
    """Return all the cards of so many decks as one hand."""
    deck = np.uint64(0)
    for card in range(CARD_KINDS):
        deck += cards(card, np.int64(state.rules.deck[card]) * copies)
    return deck


@kernel
def known_hand(state, observer, player):
    """Return the cards that the observer knows a player to hold."""
    return state.hands[player] if observer == player else state.known_hands[observer, player]


@kernel
def seen_of_player(state, observer, player):
    """Return the cards of a player that the observer knows: played, in hand, drawn."""
    seen = state.played[player] + known_hand(state, observer, player)
    if player == observer and player == state.to_move:
        for index in range(state.drawn_count):
            if state.drawn[index] != UNKNOWN_CARD:
                seen += cards(state.drawn[index], 1)
    return seen


@kernel
def is_known(entry, observer):
    """Tell whether an observer knows a card of a pile."""
    return (entry >> (KNOWERS_SHIFT + observer)) & 1 == 1 and entry & 15 != UNKNOWN_CARD


@kernel
def seen_in_pile(state, observer, pile):
    """Return the cards of a pile that the observer knows."""
    seen = np.uint64(0)
    for depth in range(state.pile_size[pile]):
        entry = np.int64(state.pile[slot_of(state, pile, depth)])
        if is_known(entry, observer):
            seen += cards(entry & 15, 1)
    return seen


@kernel
def draw_card(pool, rng):
    """Return one card of a pool, each copy equally likely."""
    index = draw_below(rng, count_cards(pool))
    card = 0
    while True:
        copies = np.int64(pool & FIELD_MASK)
        if index < copies:
            return card
        index -= copies
        pool >>= FIELD
        card += 1


@kernel
def deal_hand(state, observer, player, pool, rng):
    """Deal a player's unknown cards, in hand and drawn; return what is left of the pool."""
    is_mover = player == state.to_move
    hand = known_hand(state, observer, player)
    unknown = count_cards(state.hands[player]) + np.int64(state.hidden_in_hand[player]) - count_cards(hand)
    fresh = state.fresh if player == observer else state.known_fresh[observer]
    hidden_fresh = np.int64(0)
    if is_mover:
        hidden_fresh = count_cards(state.fresh) + np.int64(state.hidden_fresh) - count_cards(fresh)
    for index in range(unknown):
        card = cards(draw_card(pool, rng), 1)
        pool -= card
        hand += card
        if index < hidden_fresh:
            fresh += card
    state.hands[player] = hand
    state.hidden_in_hand[player] = 0
    if is_mover:
        state.fresh = fresh
        state.hidden_fresh = 0
        pool = deal_drawn(state, observer, pool, rng)
    forget_impossible(state, player)
    return pool


@kernel
def deal_drawn(state, observer, pool, rng):
    """Deal the drawn cards that wait for the choice as far as the observer does not see them."""
    for index in range(state.drawn_count):
        if observer != state.to_move or state.drawn[index] == UNKNOWN_CARD:
            card = draw_card(pool, rng)
            pool -= cards(card, 1)
            state.drawn[index] = card
    return pool


@kernel
def deal_pile(state, observer, pile, pool, rng):
    """Deal the cards of a pile that the observer does not know; who knows which place stays."""
    for depth in range(state.pile_size[pile]):
        slot = slot_of(state, pile, depth)
        entry = np.int64(state.pile[slot])
        if not is_known(entry, observer):
            card = draw_card(pool, rng)
            pool -= cards(card, 1)
            state.pile[slot] = (entry & ~15) | card


@kernel
def forget_impossible(state, player):
    """Cut what others know of a hand down to what the hand now holds."""
    for observer in range(state.rules.players):
        if state.known_hands[observer, player] != np.uint64(0):
            state.known_hands[observer, player] = common_cards(state.known_hands[observer, player], state.hands[player])
            if player == state.to_move:
                state.known_fresh[observer] = common_cards(state.known_fresh[observer], state.fresh)
