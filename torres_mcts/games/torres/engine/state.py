"""The state record of Torres: every number of a game in progress, its rules included, in flat memory."""

import numpy as np

PLAYER_LIMIT = 4
YEARS = 3
CASTLE_LIMIT = 32  # castles never touch, so a chess board's white squares are the most
LEVEL_LIMIT = 64  # the highest tower the format can write
OWN_PILE_LIMIT = 90  # ten kinds of card, nine of each
PILE_LIMIT = OWN_PILE_LIMIT * PLAYER_LIMIT  # a common pile has four of each card of `deck`
DRAW_LIMIT = 5

# The ten action cards, in alphabetical order.
AP6, AP7, CLIMB, DIAGONAL, GATE, JUMP, SHIFT, SUPPLY, TRANSFER, UNDER = range(10)
CARD_KINDS = 10
UNKNOWN_CARD = 15

# What the player to move decides.
CASTLES, KNIGHTS, KING_SETUP, TURN, KEEP, KING, FIRST, OVER = range(8)

# Where action cards come from, and who starts a round.
NO_CARDS, OWN_DECKS, COMMON_DECK, ALL_IN_HAND = range(4)
NAMED, STAYS, LEADER = range(3)

# The master cards.
(
    MASTER_CASTLES,
    MASTER_CHAIN,
    MASTER_DIAGONALS,
    MASTER_DIFFERENT_LEVELS,
    MASTER_EDGES,
    MASTER_ROW,
    MASTER_SAME_LEVEL,
    MASTER_SQUARE,
) = range(8)
MASTER_RANDOM = 8  # still to be drawn
NO_MASTER = 9

NO_KING = 64
NO_CASTLE = 255
NONE_IN_USE = -1

RULES = np.dtype(
    [
        ("playable", np.uint64),  # board
        ("start_castles", np.uint64),  # board; empty where the players place them
        ("year_stacks", np.uint32, (YEARS,)),  # nibbles, highest stack lowest
        ("rounds", np.uint8, (YEARS,)),
        ("score_track", np.int16),
        ("king_bonus", np.uint8, (YEARS,)),
        ("king_level", np.uint8, (YEARS,)),
        ("deck", np.uint8, (CARD_KINDS,)),  # how often each card occurs per player
        ("players", np.uint8),
        ("knights", np.uint8),
        ("blocks", np.uint8),
        ("ap_per_turn", np.uint8),
        ("cost_knight", np.uint8),
        ("cost_move", np.uint8),
        ("cost_block", np.uint8),
        ("cost_buy", np.uint8),
        ("cost_score", np.uint8),
        ("buys_per_turn", np.uint8),
        ("cards_per_turn", np.uint8),
        ("cards", np.uint8),  # NO_CARDS ... ALL_IN_HAND
        ("draw", np.uint8),
        ("stack_limit", np.uint8),
        ("min_castles", np.uint8),
        ("start_player", np.uint8),  # NAMED, STAYS, LEADER
        ("keep_leftovers", np.bool_),
        ("king_same_castle", np.bool_),
        ("master_card", np.uint8),
        ("master_min_knights", np.uint8),
    ],
    align=True,
)

STATE = np.dtype(
    [
        # The board.
        ("planes", np.uint64, (LEVEL_LIMIT + 4,)),  # [level] board of the squares at least that high
        ("knights", np.uint64, (PLAYER_LIMIT,)),  # boards
        ("free", np.uint64),  # board: playable, without knight and king
        ("heights", np.uint8, (64,)),
        ("king", np.uint8),  # square or NO_KING
        # What the board implies, kept up to date because asking anew is slow (see board.py).
        ("castle_squares", np.uint64, (CASTLE_LIMIT,)),  # [castle] board
        ("castle_of", np.uint8, (64,)),  # [square] castle or NO_CASTLE
        ("castle_count", np.uint8),
        ("growable", np.uint64),  # board: blocks lower than their castle's area
        ("beside_one", np.uint64),  # board: bare squares beside a castle or more (on blocks: no meaning)
        ("beside_many", np.uint64),  # board: bare squares beside two castles or more
        ("reach", np.uint64, (64,)),  # [square] where a knight there may walk, pieces left aside
        ("reach_known", np.uint64),  # board: squares whose reach is up to date
        # The players.
        ("scores", np.int32, (PLAYER_LIMIT,)),
        ("stacks", np.uint32, (PLAYER_LIMIT,)),  # nibbles, highest stack lowest
        ("stack_count", np.uint8, (PLAYER_LIMIT,)),
        ("kept", np.uint8, (PLAYER_LIMIT,)),
        ("supply", np.uint8),  # blocks in the common supply
        # The cards; a hand is one word with six bits for the number of each kind (see piles.py).
        ("hands", np.uint64, (PLAYER_LIMIT,)),
        ("played", np.uint64, (PLAYER_LIMIT,)),
        ("fresh", np.uint64),  # cards bought this turn by the player to move
        ("hidden_in_hand", np.uint8, (PLAYER_LIMIT,)),  # cards that a file did not reveal
        ("hidden_fresh", np.uint8),
        ("known_hands", np.uint64, (PLAYER_LIMIT, PLAYER_LIMIT)),  # [observer, owner] cards known to be held
        ("known_fresh", np.uint64, (PLAYER_LIMIT,)),  # [observer] those of them that are fresh
        ("pile", np.uint8, (PILE_LIMIT,)),  # rings of card + 16 * board of the players who know it
        ("pile_start", np.uint16, (PLAYER_LIMIT,)),  # where the top card lies in its ring
        ("pile_size", np.uint16, (PLAYER_LIMIT,)),
        ("drawn", np.uint8, (DRAW_LIMIT,)),  # cards without their knowers, top first
        ("drawn_count", np.uint8),
        # The moment.
        ("year", np.uint8),  # from 1
        ("round", np.uint8),  # from 1
        ("phase", np.uint8),
        ("to_move", np.uint8),
        ("first", np.uint8),
        ("ap", np.int16),
        ("in_use", np.int8),  # blocks left in the stack of this turn, or NONE_IN_USE
        ("bought", np.uint8),
        ("cards_played", np.uint8),
        ("rules", RULES),
    ],
    align=True,
)
