"""A fingerprint of a state, to find states again that were reached in different orders."""

import numpy as np

from torres_mcts.core.bits import EMPTY
from torres_mcts.core.jit import kernel
from torres_mcts.core.rng import GAMMA, mix
from torres_mcts.games.torres.engine.piles import slot_of
from torres_mcts.games.torres.engine.state import COMMON_DECK, NONE_IN_USE, OVER

BASE = np.uint64(37)


@kernel
def fold(digest, word):
    """Stir one more word into a digest."""
    return mix((digest ^ np.uint64(word)) + GAMMA)


@kernel
def hash_state(state):
    """Return 64 bits over everything that decides how the game can go on."""
    digest = np.uint64(state.phase)
    level = 1
    while state.planes[level] != EMPTY:
        digest = fold(digest, state.planes[level])
        level += 1
    for player in range(state.rules.players):
        digest = fold(digest, state.knights[player])
        digest = fold(digest, state.hands[player])
        digest = fold(digest, (np.uint64(state.stacks[player]) << np.uint64(32)) | np.uint64(state.scores[player]))
        digest = fold(digest, state.played[player] ^ (np.uint64(state.kept[player]) << np.uint64(60)))
    digest = fold(digest, state.fresh)
    digest = fold(digest, hash_moment(state))
    return fold(digest, hash_piles(state))


@kernel
def hash_moment(state):
    """Pack the small numbers of the moment into a word."""
    word = np.uint64(state.to_move) | (np.uint64(state.first) << np.uint64(2)) | (np.uint64(state.king) << np.uint64(4))
    word |= (np.uint64(state.year) << np.uint64(11)) | (np.uint64(state.round) << np.uint64(13))
    if state.phase != OVER:
        word |= np.uint64(state.ap) << np.uint64(17)
        word |= np.uint64(np.int64(state.in_use) - NONE_IN_USE) << np.uint64(24)
        word |= np.uint64(state.bought) << np.uint64(28)
        word |= np.uint64(state.cards_played) << np.uint64(32)
    return word


@kernel
def hash_piles(state):
    """Return a number over the order of all piles and the drawn cards."""
    digest = np.uint64(state.drawn_count)
    for index in range(state.drawn_count):
        digest = digest * BASE + np.uint64(state.drawn[index])
    piles = 1 if state.rules.cards == COMMON_DECK else np.int64(state.rules.players)
    for pile in range(piles):
        digest = digest * BASE + np.uint64(state.pile_size[pile])
        for depth in range(state.pile_size[pile]):
            digest = digest * BASE + np.uint64(state.pile[slot_of(state, pile, depth)] & 15)
    return digest
