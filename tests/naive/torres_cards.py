"""The ten action cards of Torres: where each may be played and what it does (rules, 4)."""

from .torres_board import (
    CORNERS,
    SIDES,
    Board,
    board_of,
    castles,
    free_squares,
    heights_of,
    is_block_allowed,
    neighbours,
    offset,
    place_block_targets,
    place_knight_targets,
    write_heights,
)
from .torres_rules import rules_of


def mover_of(position: dict) -> dict:
    """Give the player to move."""
    return next(p for p in position["players"] if p["name"] == position["to_move"])


# Cards that move a knight


def climb_destinations(board: Board, knight: str) -> set[str]:
    """Step exactly two levels up."""
    return {
        square
        for square in neighbours(board.heights, knight)
        if square not in board.pieces and board.heights[square] == board.heights[knight] + 2
    }


def gate_destinations(board: Board, knight: str) -> set[str]:
    """Go from a door of a castle to any other door of it."""
    return {
        square
        for castle in castles(board.heights)
        if has_door(board.heights, knight, castle)
        for square in free_squares(board)
        if has_door(board.heights, square, castle)
    }


def has_door(heights: dict[str, int], square: str, castle: set[str]) -> bool:
    """Tell whether a higher square of this castle is edge-adjacent."""
    return any(other in castle and heights[other] > heights[square] for other in neighbours(heights, square))


def diagonal_destinations(board: Board, knight: str) -> set[str]:
    """Step over a corner, at most one level up."""
    return {
        square
        for square in (offset(knight, *corner) for corner in CORNERS)
        if square in free_squares(board) and board.heights[square] <= board.heights[knight] + 1
    }


def jump_destinations(board: Board, knight: str) -> set[str]:
    """Jump over an opposing knight, at most one level up."""
    over_and_behind = [(offset(knight, x, y), offset(knight, 2 * x, 2 * y)) for x, y in SIDES]
    return {
        behind
        for over, behind in over_and_behind
        if over in board.opposing
        and behind in free_squares(board)
        and board.heights[behind] <= board.heights[knight] + 1
    }


def transfer_destinations(board: Board, knight: str) -> set[str]:
    """Go where a new knight might be placed beside another own knight."""
    return place_knight_targets(board, board.own - {knight})


KNIGHT_CARDS = {
    "climb": climb_destinations,
    "gate": gate_destinations,
    "diagonal": diagonal_destinations,
    "jump": jump_destinations,
    "transfer": transfer_destinations,
}


# Cards that place a block


def common_supply(position: dict) -> int:
    """Count the blocks that are nowhere else (position format: it is never written)."""
    elsewhere = sum(heights_of(position).values()) + (position["turn"]["in_use"] or 0)
    for player in position["players"]:
        elsewhere += sum(player["stacks"]) + player["kept"]
    return rules_of(position)["blocks"] - elsewhere


def under_choices(position: dict) -> set[str]:
    """Give the `knight:stack` choices of the card `under`."""
    board = board_of(position)
    stacks = {str(stack) for stack in mover_of(position)["stacks"] if stack > 0}
    if position["turn"]["in_use"]:
        stacks.add("use")
    return {
        f"{knight}:{stack}"
        for knight in board.own
        if is_block_allowed(board.heights, knight, may_found=True)
        for stack in stacks
    }


def shift_choices(board: Board, min_castles: int) -> set[str]:
    """Give the `source-target` choices of the card `shift`."""
    choices = set()
    free = free_squares(board)
    castle_count = len(castles(board.heights))
    for source in free:
        if board.heights[source] == 0:
            continue
        lifted = board.heights | {source: board.heights[source] - 1}
        if len(castles(lifted)) > castle_count:  # lifting would split a castle
            continue
        for target in free - {source}:
            if is_block_allowed(lifted, target, may_found=True):
                result = lifted | {target: lifted[target] + 1}
                if is_shift_result_allowed(result, min_castles):
                    choices.add(f"{source}-{target}")
    return choices


def is_shift_result_allowed(heights: dict[str, int], min_castles: int) -> bool:
    """Tell whether enough castles stand and none is higher than its area."""
    standing = castles(heights)
    return len(standing) >= min_castles and all(
        heights[square] <= len(castle) for castle in standing for square in castle
    )


# All cards


def playable_cards(position: dict) -> set[str]:
    """Give the cards in the mover's hand that were not bought this turn."""
    if position["turn"]["cards_played"] >= rules_of(position)["cards_per_turn"]:
        return set()
    hand, fresh = mover_of(position)["hand"], mover_of(position)["fresh"]
    return {card for card in hand if hand.count(card) > fresh.count(card)}


def card_choices(position: dict, card: str) -> set[str]:
    """Give what is written after `card:name:` for every way to play a card."""
    board = board_of(position)
    if card in KNIGHT_CARDS:
        return {f"{a}-{b}" for a in board.own for b in KNIGHT_CARDS[card](board, a)}
    if card == "supply":
        return place_block_targets(board) if common_supply(position) > 0 else set()
    if card == "under":
        return under_choices(position)
    return shift_choices(board, rules_of(position)["min_castles"])


def card_actions(position: dict) -> list[str]:
    """List every way to play one of the mover's cards."""
    actions = []
    for card in playable_cards(position):
        if card in ("ap6", "ap7"):
            actions.append(f"card:{card}")
        else:
            actions += [f"card:{card}:{choice}" for choice in card_choices(position, card)]
    return actions


def play_card(position: dict, action: str) -> None:
    """Carry out a legal `card:` action on the position itself."""
    mover, turn = mover_of(position), position["turn"]
    _, card, *choice = action.split(":")
    if card == "ap6":
        turn["ap"] += 1
    elif card == "ap7":
        turn["ap"] += 2
    elif card in KNIGHT_CARDS:
        move_knight(position, choice[0])
    elif card == "supply":
        add_block(position, choice[0], 1)
    elif card == "under":
        take_from_stack(position, choice[1])
        add_block(position, choice[0], 1)
    elif card == "shift":
        source, target = choice[0].split("-")
        add_block(position, source, -1)
        add_block(position, target, 1)
    mover["hand"].remove(card)
    mover["played"] = sorted([*mover["played"], card])
    turn["cards_played"] += 1


# Changes of the position, shared with the actions that cost AP


def move_knight(position: dict, squares: str) -> None:
    """Move a knight of the player to move, `squares` being `e4-e5`."""
    mover = mover_of(position)
    source, target = squares.split("-")
    mover["knights"] = sorted(set(mover["knights"]) - {source} | {target})


def add_block(position: dict, square: str, count: int) -> None:
    """Put a block on a square, or take one away with a count of -1."""
    heights = heights_of(position)
    heights[square] += count
    position["heights"] = write_heights(heights)


def take_from_stack(position: dict, stack: str) -> None:
    """Take a block from a stack of this height, or from the stack in use (`use`)."""
    if stack == "use":
        position["turn"]["in_use"] -= 1
        return
    stacks = mover_of(position)["stacks"]
    stacks[stacks.index(int(stack))] -= 1
    stacks.sort(reverse=True)
