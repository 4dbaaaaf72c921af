"""Actions as numbers: a family in the highest bits, then what it needs, a square in the lowest six."""

from torres_mcts.core.jit import kernel

FAMILY_SHIFT = 28
CARD_SHIFT = 12
FROM_SHIFT = 6
DETAIL = (1 << FAMILY_SHIFT) - 1

(
    PLACE_CASTLE,  # square
    PLACE_KNIGHT,  # square
    PLACE_KING,  # square; the king's own square means that it stays
    NAME_FIRST,  # player
    MOVE,  # from, to
    PLACE_BLOCK,  # square
    BUY,
    KEEP_CARD,  # code of an order of the drawn cards and of a split, see piles.py
    SCORE_POINT,
    PLAY_CARD,  # card, from (for `under`: the stack's height), to
    END_TURN,  # the stacks that remain, as nibbles
) = range(11)

USE = 15  # the "stack" that `under` takes from: the one in use


@kernel
def family_of(action):
    """Return the family of an action."""
    return action >> FAMILY_SHIFT


@kernel
def word_of(family, origin):
    """Return the word of a family's actions from a square, the target still to be added."""
    return (family << FAMILY_SHIFT) | (origin << FROM_SHIFT)


@kernel
def card_word(card, origin):
    """Return the word of a card's actions from a square, the target still to be added."""
    return (PLAY_CARD << FAMILY_SHIFT) | (card << CARD_SHIFT) | (origin << FROM_SHIFT)


@kernel
def target_of(action):
    """Return the square (or player) that an action ends on."""
    return action & 63


@kernel
def origin_of(action):
    """Return the square that an action starts from."""
    return (action >> FROM_SHIFT) & 63


@kernel
def card_of(action):
    """Return the card that an action plays."""
    return (action >> CARD_SHIFT) & 15
