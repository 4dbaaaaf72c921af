"""The board of Torres: castles, doors, and where knights and blocks may go (rules, 1 and 3)."""

import string
from typing import NamedTuple

from .torres_rules import SQUARES, rules_of

HEIGHT_SIGNS = ".123456789" + string.ascii_lowercase + string.ascii_uppercase + "@#$"  # 0 to 64
SIDES = [(0, 1), (1, 0), (0, -1), (-1, 0)]
CORNERS = [(1, 1), (1, -1), (-1, -1), (-1, 1)]


class Board(NamedTuple):
    """What stands where, seen by the player to move."""

    heights: dict[str, int]  # every playable square; the others do not exist
    pieces: set[str]  # squares of all knights and the king
    own: set[str]  # squares of the knights of the player to move
    opposing: set[str]  # squares of all other knights


def board_of(position: dict) -> Board:
    """Read the board of a position."""
    own, opposing = set(), set()
    for player in position["players"]:
        is_mover = player["name"] == position["to_move"]
        (own if is_mover else opposing).update(player["knights"])
    king = {position["king"]} - {None}
    return Board(heights_of(position), own | opposing | king, own, opposing)


def heights_of(position: dict) -> dict[str, int]:
    """Read the number of blocks on each playable square."""
    playable = rules_of(position)["playable"]
    rank_rows = dict(zip("87654321", position["heights"], strict=True))
    return {square: HEIGHT_SIGNS.index(rank_rows[square[1]]["abcdefgh".index(square[0])]) for square in playable}


def write_heights(heights: dict[str, int]) -> list[str]:
    """Write the eight rows of a position file, rank 8 first."""
    return ["".join(HEIGHT_SIGNS[heights.get(file + rank, 0)] for file in "abcdefgh") for rank in "87654321"]


def offset(square: str, files: int, ranks: int) -> str:
    """Name the square that many files to the right and ranks up, also outside the board.

    >>> offset("e4", 1, -2)
    'f2'
    """
    return chr(ord(square[0]) + files) + chr(ord(square[1]) + ranks)


NEIGHBOURS = {square: [offset(square, *side) for side in SIDES] for square in SQUARES}


def neighbours(heights: dict[str, int], square: str) -> list[str]:
    """List the edge-adjacent squares of the board."""
    return [other for other in NEIGHBOURS[square] if other in heights]


def free_squares(board: Board) -> set[str]:
    """Give the squares without a knight and without the king (section 1)."""
    return set(board.heights) - board.pieces


# Castles


def castle_of(heights: dict[str, int], square: str) -> set[str]:
    """Give the squares of the castle that has a block on this square (section 1)."""
    castle = set()

    def walk(here: str) -> None:
        castle.add(here)
        for there in neighbours(heights, here):
            if heights[there] > 0 and there not in castle:
                walk(there)

    walk(square)
    return castle


def castles(heights: dict[str, int]) -> list[set[str]]:
    """List all castles.

    >>> [sorted(castle) for castle in castles({"a1": 1, "a2": 3, "a3": 0, "a4": 1})]
    [['a1', 'a2'], ['a4']]
    """
    found = []
    seen = set()
    for square, height in heights.items():
        if height > 0 and square not in seen:
            found.append(castle_of(heights, square))
            seen |= found[-1]
    return found


def castles_beside(heights: dict[str, int], square: str) -> set[frozenset[str]]:
    """Give the castles that touch a bare square with an edge."""
    return {frozenset(castle_of(heights, other)) for other in neighbours(heights, square) if heights[other] > 0}


# Blocks


def is_block_allowed(heights: dict[str, int], square: str, *, may_found: bool) -> bool:
    """Tell whether a castle's height limit and its neighbours allow one more block here.

    may_found: whether the block may found a new castle (cards `under` and `shift` only)
    """
    if heights[square] > 0:
        return heights[square] + 1 <= len(castle_of(heights, square))
    castle_count = len(castles_beside(heights, square))
    return castle_count == 1 or (castle_count == 0 and may_found)


def place_block_targets(board: Board) -> set[str]:
    """Give the squares that may receive a block (section 3, Place a block)."""
    return {square for square in free_squares(board) if is_block_allowed(board.heights, square, may_found=False)}


# Knights


def place_knight_targets(board: Board, beside: set[str]) -> set[str]:
    """Give the squares where a new knight may join one of these knights (section 3)."""
    return {
        square
        for knight in beside
        for square in neighbours(board.heights, knight)
        if square not in board.pieces and board.heights[square] <= board.heights[knight]
    }


def step_destinations(board: Board, knight: str) -> set[str]:
    """Give the squares one step away, at most one level up (section 3, Step)."""
    return {
        square
        for square in neighbours(board.heights, knight)
        if square not in board.pieces and board.heights[square] <= board.heights[knight] + 1
    }


def door_destinations(board: Board, knight: str) -> set[str]:
    """Give the squares reached by walking through a castle (section 3, Through a castle)."""
    heights = board.heights
    level = heights[knight]
    entered = {(door, level) for door in neighbours(heights, knight) if heights[door] > level}
    inside = set()  # (square, floor) pairs, floor 0 being that of the lowest block
    while entered:
        square, floor = entered.pop()
        inside.add((square, floor))
        along = {(other, floor) for other in neighbours(heights, square) if heights[other] > floor}
        down = {(square, floor - 1)} if floor > 0 else set()
        entered |= (along | down) - inside
    return {
        outside
        for square, floor in inside
        for outside in neighbours(heights, square)
        if outside not in board.pieces and heights[outside] <= floor
    }


def move_destinations(board: Board, knight: str) -> set[str]:
    """Give the squares that a knight reaches for one move (section 3, Move a knight)."""
    return step_destinations(board, knight) | door_destinations(board, knight)
