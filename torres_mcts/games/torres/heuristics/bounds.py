"""How many points the last turn of the game can bring at the most: a bound that is never too low.

Within a turn only the player to move acts. The points of a player are area times level over the castles with own
knights, the bonuses, and points scored with AP. What each castle can gain is bounded alone, as a function of the AP
spent *for* it; then the AP are divided among the castles in the best way (a small knapsack), and what is left scores
points.

Each action is spent for one castle: a block for the castle that it is placed in; a move or a new knight for the
castle that it ends in or, if it ends on bare ground, for the castle that the knight enters next. Let `level` be the
highest level of an own knight in the castle, 0 if there is none, and `area` its area. Without cards, after actions
with m moves and b blocks for a castle:

* The highest level is at most level + m: a step leads at most one level up, a walk through a castle never does, a new
  knight stands no higher than the knight beside it, and castles never touch, so whoever comes from elsewhere comes
  from level 0.
* Every level passed on the way up needs a square of just that height. If the castle has none that is free or carries
  an own knight, one of the b blocks makes it, and that block does not add to the area. (But on level 1 it may.)
* If no own knight at `level` (for 0: on bare ground beside the castle) stands beside a free square one level higher,
  then the first step up needs one more action for this castle before it: a move, a new knight or a block. That may be
  a block that is counted already: one that makes a level, or on level 0 one that adds to the area. (Above level 0
  such a block, of height 1, is no step up.)

At most one card is left to play (else there is no bound). It helps one castle, the one where it is played, as
described at `add_card_gains`; `ap6` and `ap7` are AP; and `shift` also lowers a square, which may spare one block in
any castle.
"""

import numpy as np

from torres_mcts.core.bits import EMPTY, bit, count, flood, lowest, neighbours
from torres_mcts.core.jit import kernel
from torres_mcts.games.torres.engine.last_turn import blocks_left, plays_left, useful_hand
from torres_mcts.games.torres.engine.piles import count_card
from torres_mcts.games.torres.engine.scoring import (
    BORDER,
    CASTLES_BONUS,
    CASTLES_WANTED,
    LONG_DIAGONALS,
    PLACE_BONUS,
    castle_points,
    castles_occupied,
    count_levels,
    highest_level,
    king_points,
    master_points,
)
from torres_mcts.games.torres.engine.state import (
    AP6,
    AP7,
    CLIMB,
    DIAGONAL,
    GATE,
    JUMP,
    MASTER_CASTLES,
    MASTER_DIAGONALS,
    MASTER_DIFFERENT_LEVELS,
    MASTER_EDGES,
    MASTER_ROW,
    MASTER_SAME_LEVEL,
    MASTER_SQUARE,
    NO_MASTER,
    SHIFT,
    SUPPLY,
    TRANSFER,
    UNDER,
)

AP_MOST = 24  # with more there is no bound
NO_BOUND = 1_000_000
MASTER_MOST = 50  # points of a master card in year 3
SQUARES_OF_FOUR = np.array(
    [
        sum(1 << (corner + side * step) for step in (0, 1, 8, 9))
        for corner in range(64)
        for side in range(1, 8 - max(corner % 8, corner // 8))
    ],
    np.uint64,
)
LINES = np.array(
    [
        sum(1 << square for square in range(64) if across * (square % 8) + up * (square // 8) == line)
        for across, up in ((1, 0), (0, 1), (1, 1), (1, -1))
        for line in range(-7, 15)
    ],
    np.uint64,
)


@kernel
def bound_scores(state, is_first, bounds):
    """Write the most points that the player to move can end the last turn with, and the fewest of each other player.

    bounds: [players] float64, filled
    """
    player = np.int64(state.to_move)
    hand = useful_hand(state, is_first)
    shifts = min(plays_left(state), count_card(hand, SHIFT))
    for other in range(state.rules.players):
        if other != player:
            bounds[other] = fewest_points(state, other, shifts)
    bounds[player] = most_points(state, player, hand)


@kernel
def fewest_points(state, player, shifts):
    """Return the fewest points that a player can end with whose knights stand still.

    Nobody can change the heights under these knights or split a castle; only `shift` takes a square from a castle.
    Jumps on the score track only add.
    """
    points = np.int64(state.scores[player]) + castle_points(state, player) + king_points(state, player)
    points -= shifts * highest_level(state, state.knights[player])
    card = state.rules.master_card
    if card == MASTER_DIAGONALS:  # whether it is for one more depends on the player to move
        points += count(state.knights[player] & LONG_DIAGONALS) * PLACE_BONUS[state.year - 1]
    elif card == MASTER_EDGES:
        points += count(state.knights[player] & BORDER) * PLACE_BONUS[state.year - 1]
    elif card < NO_MASTER:
        points += master_points(state, player)
    return points


@kernel
def most_points(state, player, hand):
    """Return the most points that the player to move can end with, holding the playable cards `hand`."""
    ap = np.int64(state.ap)
    if plays_left(state) > 1 or ap + 2 > AP_MOST:
        return np.int64(NO_BOUND)
    more = ap + (2 if count_card(hand, AP7) > 0 else 1 if count_card(hand, AP6) > 0 else 0)
    gain = divide_ap(state, player, hand, ap, more)
    points = np.int64(state.scores[player]) + castle_points(state, player) + king_points(state, player)
    changes = more // np.int64(min(state.rules.cost_move, state.rules.cost_knight)) + (1 if hand != EMPTY else 0)
    return points + gain + most_master_points(state, player, changes) + most_jumps(state, player, more)


@kernel
def most_master_points(state, player, changes):
    """Return the most that the master card can give after so many actions that move or add one knight each."""
    card = state.rules.master_card
    if card >= NO_MASTER:
        return np.int64(0)
    year = np.int64(state.year) - 1
    knights = state.knights[player]
    if card in (MASTER_DIAGONALS, MASTER_EDGES):
        place = count(knights & (LONG_DIAGONALS if card == MASTER_DIAGONALS else BORDER))
        return (min(place + changes, np.int64(state.rules.knights)) + 1) * PLACE_BONUS[year]
    if knights_to_change(state, card, knights) > changes:
        return np.int64(0)
    return CASTLES_BONUS[year] if card == MASTER_CASTLES else np.int64(MASTER_MOST)


@kernel
def knights_to_change(state, card, knights):
    """Return how many knights at least must move or be added for a master card; never too many.

    A knight that moves changes one level, one square and at most one castle, and joins at most four groups.
    """
    total = count(knights)
    if card == MASTER_CASTLES:
        return abs(castles_occupied(state, knights) - CASTLES_WANTED[state.year - 1])
    if card == MASTER_SQUARE:
        return 4 - most_common(knights, SQUARES_OF_FOUR)
    if card == MASTER_ROW:
        return total - most_common(knights, LINES)
    if card == MASTER_DIFFERENT_LEVELS:
        return total - count_levels(state, knights)
    if card == MASTER_SAME_LEVEL:
        same = np.int64(0)
        level = 0
        while state.planes[level] & knights != EMPTY:
            same = max(same, count(knights & state.planes[level] & ~state.planes[level + 1]))
            level += 1
        return total - same
    groups = np.int64(0)
    while knights != EMPTY:
        knights &= ~flood(bit(lowest(knights)), knights)
        groups += 1
    return (groups + 1) // 3  # four groups become one


@kernel
def most_common(board, boards):
    """Return the most squares that a board shares with one of some others."""
    most = np.int64(0)
    for other in boards:
        most = max(most, count(board & other))
    return most


@kernel
def most_jumps(state, player, ap):
    """Return the most spaces that the marker can jump over on the score track.

    Each gain ends in at most one jump over all others: for the castles, the king, the master card, and each point
    scored with AP. Single points pass each other marker at most once, unless they go round the whole track.
    """
    track = np.int64(state.rules.score_track)
    if track == 0:
        return np.int64(0)
    others = np.int64(state.rules.players) - 1
    jumps = others * (2 if state.rules.master_card >= NO_MASTER else 3)
    steps = ap // np.int64(state.rules.cost_score)
    if steps + others >= track:
        return jumps + others * steps
    for other in range(state.rules.players):
        ahead = (np.int64(state.scores[other]) - np.int64(state.scores[player])) % track
        if other != player and ahead > 0 and ahead <= steps + others:
            jumps += 1
    return jumps


@kernel
def divide_ap(state, player, hand, ap, more):
    """Return the most that castles and scored points can gain: `ap` and any card, or `more` AP without one."""
    size = more + 1
    gains = np.empty(size, np.int64)  # of one castle without the card
    helped = np.empty(size, np.int64)  # of one castle with the card
    plain = np.zeros(size, np.int64)  # of the castles so far, the card not used
    used = np.zeros(size, np.int64)
    for castle in range(np.int64(state.castle_count) + 1):
        gains[:] = 0
        helped[:] = 0
        if castle < state.castle_count:
            bound_castle(state, player, castle, hand, gains, helped)
        else:
            bound_new_castle(state, hand, helped)
        for spent in range(size - 1, -1, -1):
            best = used[spent]
            bare = plain[spent]
            for here in range(spent + 1):
                best = max(best, used[spent - here] + gains[here], plain[spent - here] + helped[here])
                bare = max(bare, plain[spent - here] + gains[here])
            used[spent] = best
            plain[spent] = bare
    cost = np.int64(state.rules.cost_score)
    most = np.int64(0)
    for spent in range(size):
        most = max(most, plain[spent] + (more - spent) // cost)
        if spent <= ap:
            most = max(most, used[spent] + (ap - spent) // cost)
    return most


@kernel
def bound_castle(state, player, castle, hand, gains, helped):
    """Write what a castle can gain for each number of AP spent for it, without and with the card."""
    squares = state.castle_squares[castle]
    own = state.knights[player]
    area = count(squares)
    level = highest_level(state, squares & own)
    standing = squares & (state.free | own)
    levels, top = levels_of(state, standing)
    starts = own & squares & ~state.planes[level + 1] & state.planes[level]
    if level == 0:
        starts = own & ~state.planes[1] & neighbours(squares)
    is_direct = neighbours(starts) & squares & state.free & state.planes[level + 1] & ~state.planes[level + 2] != EMPTY
    has_shift = count_card(hand, SHIFT) > 0
    spared = 1 if has_shift else 0
    delay = 0 if is_direct or has_shift else least_cost(state)
    base = area * level
    add_gains(state, gains, np.int64(state.rules.cost_move), area, level, levels, spared, delay, base)
    if hand != EMPTY:
        add_card_gains(state, hand, helped, area, level, top, base)
    if count_card(hand, GATE) > 0:
        is_near = own & (squares | neighbours(squares)) != EMPTY
        add_gate_gains(state, helped, area, level, top, levels_of(state, squares)[1], is_near, base)
    if squares & bit(state.king) != EMPTY:
        add_king(state, player, hand, level, gains, helped)


@kernel
def least_cost(state):
    """Return the AP of the cheapest action that can prepare a step up."""
    return np.int64(min(state.rules.cost_move, state.rules.cost_knight, state.rules.cost_block))


@kernel
def levels_of(state, squares):
    """Return the set of heights of some squares and 1 as bits, and the highest."""
    levels = bit(1)  # never lacking: a block that adds to the area makes it
    top = np.int64(0)
    level = 1
    while squares & state.planes[level] != EMPTY:
        if squares & state.planes[level] & ~state.planes[level + 1] != EMPTY:
            levels |= bit(level)
            top = level
        level += 1
    return levels, top


@kernel
def up_to(top):
    """Return the levels up to the top one as bits; always level 1, see above."""
    return bit(max(top, 1) + 1) - np.uint64(1)


@kernel
def add_gains(state, gains, cost_move, area, level, levels, spared, delay, base):
    """Enter what area times level can gain by moves up from a level and blocks, for each number of AP.

    cost_move: 0 if a card leads to any height at once
    levels: heights there are; any other needs a block, but for `spared` of them
    delay:  AP before the first step up, unless one of the blocks may take its place
    """
    cost_block = np.int64(state.rules.cost_block)
    blocks = blocks_left(state)
    lacking = -spared
    moves = 0
    while True:
        built = max(lacking, 0)
        spent = moves * cost_move + built * cost_block
        if spent >= gains.size or built > blocks:
            return
        height = level + moves
        for added in range(blocks - built + 1):
            waiting = delay if moves > 0 and built == 0 and (level > 0 or added == 0) else 0
            place = spent + added * cost_block + waiting
            if place < gains.size:
                gains[place] = max(gains[place], (area + added) * height - base)
        moves += 1
        if height + 1 >= 63 or levels & bit(height + 1) == EMPTY:
            lacking += 1


@kernel
def add_card_gains(state, hand, helped, area, level, top, base):
    """Enter what a castle can gain if the card is played there: no delay, and heights below the top are taken as given.

    * supply, shift: one block more, in area or in height.
    * under: a knight one level higher, above the top if need be; or, from bare ground, one square more and level 1.
    * climb: two levels higher at once.
    * transfer: level 0 beside the castle at once; no higher than the knights that are there.
    * diagonal, jump: any height that the castle has or gets by blocks, since the knight may come from elsewhere.
    """
    cost = np.int64(state.rules.cost_move)
    if count_card(hand, SUPPLY) + count_card(hand, SHIFT) > 0:
        add_gains(state, helped, cost, area + 1, level, up_to(top), 0, 0, base)
        add_gains(state, helped, cost, area, level, up_to(top + 1), 0, 0, base)
    if count_card(hand, UNDER) > 0:
        add_gains(state, helped, cost, area, level + 1, up_to(top + 1), 0, 0, base)
        add_gains(state, helped, cost, area + 1, max(level, 1), up_to(top), 0, 0, base)
    if count_card(hand, CLIMB) > 0:
        start = max(level, min(level + 2, top + blocks_left(state)))
        add_gains(state, helped, cost, area, start, up_to(max(top, start)), 0, 0, base)
    if count_card(hand, TRANSFER) > 0:
        add_gains(state, helped, cost, area, level, up_to(top), 0, 0, base)
    if count_card(hand, DIAGONAL) + count_card(hand, JUMP) > 0:
        add_gains(state, helped, 0, area, max(level, top), up_to(top), 0, 0, base)


@kernel
def add_gate_gains(state, helped, area, level, top, summit, is_near, base):
    """Enter what a castle can gain by the card `gate`: at once a height below its summit, after one move the top.

    A square with a door lies beside a higher one, whoever stands there. Without an own knight in or beside the castle
    any gain takes an action more. A block raises all of this by one at the most.
    """
    if not is_near:
        add_gains(state, helped, 0, area, 0, up_to(top), 0, least_cost(state), base)
        return
    start = max(level, min(top, summit - 1))
    add_gains(state, helped, 0, area, start, up_to(start), 0, 0, base)
    add_gains(state, helped, 0, area, start, up_to(start + 1), 0, np.int64(state.rules.cost_move), base)


@kernel
def bound_new_castle(state, hand, helped):
    """Enter what a castle can bring that the card founds: under a knight, or beside one."""
    if count_card(hand, UNDER) > 0:
        add_gains(state, helped, np.int64(state.rules.cost_move), 1, 1, up_to(1), 0, 0, 0)
    elif count_card(hand, SHIFT) > 0:
        add_gains(state, helped, np.int64(state.rules.cost_move), 1, 0, up_to(1), 0, 0, 0)


@kernel
def add_king(state, player, hand, level, gains, helped):
    """Add the king's bonus to the gains of his castle from the AP on that it needs.

    A first knight on the level needs as many moves as it is above the highest knight; below it any move or new knight
    may do. With the card: `climb` spares two moves, `under` one, `supply` and `shift` none, the others all.
    """
    year = np.int64(state.year) - 1
    wanted = np.int64(state.rules.king_level[year])
    if wanted == 0 or wanted >= state.planes.size - 1 or king_points(state, player) > 0:
        return
    bonus = np.int64(state.rules.king_bonus[year])
    cost = np.int64(state.rules.cost_move)
    needed = (wanted - level) * cost if level < wanted else min(cost, np.int64(state.rules.cost_knight))
    spared = wanted
    if count_card(hand, DIAGONAL) + count_card(hand, GATE) + count_card(hand, JUMP) + count_card(hand, TRANSFER) == 0:
        spared = 2 if count_card(hand, CLIMB) > 0 else 1 if count_card(hand, UNDER) > 0 else 0
    needed_helped = max(0, needed - spared * cost)
    for spent in range(1, gains.size):  # more AP gain no less
        gains[spent] = max(gains[spent], gains[spent - 1])
        helped[spent] = max(helped[spent], helped[spent - 1])
    for spent in range(gains.size):
        if spent >= needed:
            gains[spent] += bonus
        if spent >= needed_helped and hand != EMPTY:
            helped[spent] += bonus
