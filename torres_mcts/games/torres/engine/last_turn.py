"""The last turn of the game: what can still matter in it.

In the last turn nobody but the player to move acts any more, so much of the state has lost its meaning. Each omission
here keeps every result in points that the player can reach:

* Buying is left out. A bought card cannot be played in the same turn (rules, 4), so a turn without the purchase, and
  without the choice that follows it, leads to the same board and the same points, with more AP.
* Scoring a point waits for the end of the turn. It changes only the player's own score and AP, nothing but the score
  depends on the score within a turn, and the markers of the others stand still; so it commutes with every other
  action.
* If one card may still be played, `ap6` is left out where there is `ap7`, and either is played before anything else
  or not at all: it changes nothing but AP, and the earlier there are more of them the more can be done. With no other
  card to play it is played at once.
* Cards that cannot be played any more, piles, played cards and purchases are no part of the fingerprint, nor is AP:
  of two states that differ in AP alone, whoever has more can do all that the other can.

All of this holds for the last turn of each player in the last round, too, whatever the others do after it: they can
neither use what the player leaves over nor be hindered by it (the supply never runs out, rules, 9). Only with a
common deck may a purchase tell something about the cards of others.
"""

import numpy as np

from torres_mcts.core.bits import EMPTY
from torres_mcts.core.jit import kernel
from torres_mcts.core.menu import clear_menu, offer
from torres_mcts.games.torres.engine.actions import FAMILY_SHIFT, PLACE_BLOCK, SCORE_POINT, word_of
from torres_mcts.games.torres.engine.board import block_targets
from torres_mcts.games.torres.engine.cards import offer_cards
from torres_mcts.games.torres.engine.hashing import fold
from torres_mcts.games.torres.engine.offers import has_block, offer_ends, offer_knights
from torres_mcts.games.torres.engine.piles import cards, count_card, count_cards, offer_keeps
from torres_mcts.games.torres.engine.state import (
    AP6,
    AP7,
    KEEP,
    MASTER_RANDOM,
    NONE_IN_USE,
    OVER,
    SUPPLY,
    TURN,
    YEARS,
)

NO_ACTION = -1


@kernel
def turns_left(state):
    """Count the turns till the end of the game, the one under way included; a decision between turns counts as one."""
    if state.phase == OVER:
        return 0
    players = np.int64(state.rules.players)
    rounds = np.int64(0)
    for year in range(np.int64(state.year), YEARS):
        rounds += np.int64(state.rules.rounds[year])
    if state.phase != TURN and state.phase != KEEP:
        return 1 + players * rounds
    rounds += np.int64(state.rules.rounds[state.year - 1]) - np.int64(state.round)
    gone = (np.int64(state.to_move) - np.int64(state.first)) % players
    return players * rounds + players - gone


@kernel
def plays_left(state):
    """Count the cards that the player to move may still play in this turn."""
    plays = np.int64(state.rules.cards_per_turn) - np.int64(state.cards_played)
    return max(0, min(plays, count_cards(state.hands[state.to_move] - state.fresh)))


@kernel
def is_uncertain(state):
    """Tell whether the result hangs on what is not known: the master card, or cards that the player may play."""
    if state.rules.master_card == MASTER_RANDOM:
        return True
    unknown = np.int64(state.hidden_in_hand[state.to_move]) - np.int64(state.hidden_fresh)
    return unknown > 0 and state.cards_played < state.rules.cards_per_turn


@kernel
def useful_hand(state, is_first):
    """Return the cards that are worth trying: AP only as the first action, and `ap6` only without `ap7` (see above)."""
    plays = plays_left(state)
    if plays == 0:
        return np.uint64(0)
    hand = state.hands[state.to_move] - state.fresh
    if plays > 1:
        return hand
    six = cards(AP6, count_card(hand, AP6))
    seven = cards(AP7, count_card(hand, AP7))
    if seven != EMPTY:
        hand -= six
        six = np.uint64(0)
    if is_first or hand == six + seven:
        return hand
    return hand - six - seven


@kernel
def has_only_ap(hand):
    """Tell whether all cards of a hand bring AP."""
    return hand == cards(AP6, count_card(hand, AP6)) + cards(AP7, count_card(hand, AP7))


@kernel
def offer_hand(state, hand, menu):
    """Offer the cards of a part of the hand: while they are offered, the others count as fresh."""
    fresh = state.fresh
    state.fresh = state.hands[state.to_move] - hand
    offer_cards(state, menu)
    state.fresh = fresh


@kernel
def offer_last_actions(state, is_first, menu):
    """Fill the menu with what is worth trying in the last turn: all but buying and scoring a point (see above).

    It stays empty where the result is uncertain.
    """
    clear_menu(menu)
    if is_uncertain(state):
        return
    if state.phase == KEEP:
        offer_keeps(state, menu)
    elif state.phase == TURN:
        hand = useful_hand(state, is_first)
        if hand != EMPTY:
            offer_hand(state, hand, menu)
            if plays_left(state) == 1 and has_only_ap(hand):
                return
        offer_knights(state, menu)
        if state.ap >= state.rules.cost_block and has_block(state):
            offer(menu, word_of(PLACE_BLOCK, 0), block_targets(state))
        offer_ends(state, menu)


@kernel
def late_action(state):
    """Return the scoring of a point, which may as well wait for the end of the turn; NO_ACTION without AP for it."""
    if state.phase == TURN and state.ap >= state.rules.cost_score:
        return SCORE_POINT << FAMILY_SHIFT
    return NO_ACTION


@kernel
def blocks_left(state):
    """Count the blocks that can be placed with AP in this turn."""
    if state.in_use == NONE_IN_USE:
        return np.int64(state.stacks[state.to_move]) & 15
    return np.int64(state.in_use)


@kernel
def hash_last_turn(state):
    """Return 64 bits over all that can still matter in this last turn but AP; when it is over, over board and points.

    The king and the knights of others do not move in the turn, so states of one turn need not be told apart by them.
    Whether a stack has been taken into use makes no difference, only how many blocks are left.
    """
    digest = np.uint64(state.phase)
    level = 1
    while state.planes[level] != EMPTY:
        digest = fold(digest, state.planes[level])
        level += 1
    if state.phase == OVER:
        for player in range(state.rules.players):
            digest = fold(digest, state.knights[player])
            digest = fold(digest, state.scores[player])
        return digest
    player = state.to_move
    digest = fold(digest, state.knights[player])
    later = np.uint64(state.stacks[player])
    if state.in_use == NONE_IN_USE:
        later >>= np.uint64(4)
    digest = fold(digest, (later << np.uint64(4)) | np.uint64(blocks_left(state)))
    word = np.uint64(state.scores[player])
    plays = plays_left(state)
    if plays > 0:
        hand = state.hands[player] - state.fresh
        digest = fold(digest, hand)
        word |= np.uint64(plays) << np.uint64(32)
        if count_card(hand, SUPPLY) > 0:
            word |= np.uint64(state.supply) << np.uint64(40)
    return fold(digest, word)
