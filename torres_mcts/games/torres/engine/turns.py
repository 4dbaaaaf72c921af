"""Playing an action, and what follows from it: the end of a turn, a round, a year (rules, sections 1, 2, 5, 8)."""

import numpy as np

from torres_mcts.core.bits import bit, count
from torres_mcts.core.jit import kernel
from torres_mcts.games.torres.engine.actions import (
    BUY,
    DETAIL,
    END_TURN,
    KEEP_CARD,
    MOVE,
    NAME_FIRST,
    PLACE_BLOCK,
    PLACE_CASTLE,
    PLACE_KING,
    PLACE_KNIGHT,
    SCORE_POINT,
    family_of,
    origin_of,
    target_of,
)
from torres_mcts.games.torres.engine.board import add_block
from torres_mcts.games.torres.engine.cards import move_knight, play_card
from torres_mcts.games.torres.engine.piles import buy_card, keep_card
from torres_mcts.games.torres.engine.scoring import award, score_year
from torres_mcts.games.torres.engine.stacks import add_to_lowest, sum_stacks, take_stack
from torres_mcts.games.torres.engine.state import (
    FIRST,
    KING,
    KING_SETUP,
    KNIGHTS,
    LEADER,
    NAMED,
    NO_KING,
    NONE_IN_USE,
    OVER,
    TURN,
    YEARS,
)

START_CASTLES_PLACED = 8


@kernel
def play_action(state, action):
    """Carry out a legal action."""
    family = family_of(action)
    player = np.int64(state.to_move)
    target = target_of(action)
    if family == MOVE:
        move_knight(state, player, origin_of(action), target)
        state.ap -= state.rules.cost_move
    elif family == PLACE_BLOCK:
        take_stack(state, player)
        state.in_use -= 1
        state.ap -= state.rules.cost_block
        add_block(state, target)
    elif family == END_TURN:
        end_turn(state, player, action & DETAIL)
    elif family == BUY:
        buy_card(state)
    elif family == KEEP_CARD:
        keep_card(state, action)
    elif family == SCORE_POINT:
        state.ap -= state.rules.cost_score
        award(state, player, 1)
    elif family == PLACE_KNIGHT:
        place_knight(state, player, target)
    elif family == PLACE_KING:
        place_king(state, target)
    elif family == NAME_FIRST:
        begin_year(state, target)
    elif family == PLACE_CASTLE:
        place_castle(state, target)
    else:
        play_card(state, action)


@kernel
def place_knight(state, player, square):
    """Put a new knight on the board, in a turn or in the set-up."""
    state.knights[player] |= bit(square)
    state.free &= ~bit(square)
    if state.phase == TURN:
        state.ap -= state.rules.cost_knight
    elif player + 1 < state.rules.players:
        state.to_move = player + 1
    else:
        state.phase = KING_SETUP


@kernel
def place_castle(state, square):
    """Put a start block on the board (master games)."""
    add_block(state, square)
    state.supply -= 1
    if count(state.planes[1]) < START_CASTLES_PLACED:
        state.to_move = (np.int64(state.to_move) + 1) % np.int64(state.rules.players)
    else:
        state.to_move = 0
        state.phase = KNIGHTS


@kernel
def place_king(state, square):
    """Put the king on the board, or move it (or not) at the end of a year."""
    if state.king != NO_KING:
        state.free |= bit(state.king)
    state.king = square
    state.free &= ~bit(square)
    if state.phase == KING_SETUP:
        start_round(state)
    elif state.rules.start_player == NAMED:
        state.phase = FIRST
    else:
        begin_year(state, np.int64(state.first))


@kernel
def start_turn(state, player):
    """Give a player the turn."""
    state.phase = TURN
    state.to_move = player
    state.ap = state.rules.ap_per_turn


@kernel
def end_turn(state, player, stacks):
    """Deal out what is left of the stack as the player chose, and pass the turn on."""
    take_stack(state, player)
    left = np.int64(state.in_use) + sum_stacks(state.stacks[player]) - sum_stacks(stacks)
    state.stacks[player] = np.uint32(stacks)
    if state.stack_count[player] == 0 and state.rules.keep_leftovers and state.year < YEARS:
        state.kept[player] = left
    else:
        state.supply += left
    state.ap = 0
    state.in_use = NONE_IN_USE
    state.bought = 0
    state.cards_played = 0
    state.fresh = np.uint64(0)
    state.hidden_fresh = 0
    for observer in range(state.rules.players):
        state.known_fresh[observer] = np.uint64(0)
    following = (player + 1) % np.int64(state.rules.players)
    if following != state.first:
        start_turn(state, following)
    else:
        end_round(state)


@kernel
def end_round(state):
    """Begin the next round, or end the year."""
    if state.round < state.rules.rounds[state.year - 1]:
        state.round += 1
        start_round(state)
    else:
        end_year(state)


@kernel
def start_round(state):
    """Give the first turn of a round to its start player."""
    if state.rules.start_player == LEADER:
        state.first = leader(state)
    start_turn(state, np.int64(state.first))


@kernel
def leader(state):
    """Return the player with the most points; of several the first clockwise from the start player."""
    players = np.int64(state.rules.players)
    best = np.int64(state.first)
    for turn in range(1, players):
        player = (np.int64(state.first) + turn) % players
        if state.scores[player] > state.scores[best]:
            best = player
    return best


@kernel
def end_year(state):
    """Score the year; let the player with the fewest points move the king, unless the game is over."""
    score_year(state)
    if state.year == YEARS:
        state.phase = OVER
        return
    players = np.int64(state.rules.players)
    last = np.int64(state.first)
    for turn in range(1, players):
        player = (np.int64(state.first) + turn) % players
        if state.scores[player] <= state.scores[last]:
            last = player
    state.to_move = last
    state.phase = KING


@kernel
def begin_year(state, first):
    """Deal the stacks of the new year and what was kept, and start its first round."""
    state.first = first
    state.year += 1
    state.round = 1
    deal_stacks(state)
    limit = np.int64(state.rules.stack_limit)
    for player in range(state.rules.players):
        stacks = np.int64(state.stacks[player])
        for _ in range(state.kept[player]):
            filled = add_to_lowest(stacks, np.int64(state.stack_count[player]), limit)
            if filled == stacks:
                state.supply += 1
            stacks = filled
        state.stacks[player] = np.uint32(stacks)
        state.kept[player] = 0
    start_round(state)


@kernel
def deal_stacks(state):
    """Give every player the stacks of the year from the common supply."""
    year = np.int64(state.year) - 1
    for player in range(state.rules.players):
        state.stacks[player] = state.rules.year_stacks[year]
        state.stack_count[player] = state.rules.rounds[year]
        state.supply -= sum_stacks(state.rules.year_stacks[year])
