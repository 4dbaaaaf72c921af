"""Boards of 64 squares as unsigned 64-bit words: square a1 is bit 0, b1 bit 1, h8 bit 63."""

import platform

import numpy as np
from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
from numba import types
from numba.core import config
from numba.extending import intrinsic

from torres_mcts.core.jit import kernel

ONE = np.uint64(1)
EMPTY = np.uint64(0)
FULL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
FILE_A = np.uint64(0x0101_0101_0101_0101)
FILE_H = np.uint64(0x8080_8080_8080_8080)
NOT_A = np.uint64(0xFEFE_FEFE_FEFE_FEFE)
NOT_H = np.uint64(0x7F7F_7F7F_7F7F_7F7F)
EIGHT = np.uint64(8)


def _near(square: int, steps: list[tuple[int, int]]) -> int:
    """Return the squares that lie the given steps away from a square, as a board."""
    board = 0
    for across, up in steps:
        file, rank = square % 8 + across, square // 8 + up
        if 0 <= file < 8 and 0 <= rank < 8:
            board |= 1 << (8 * rank + file)
    return board


_EDGES = [(1, 0), (-1, 0), (0, 1), (0, -1)]
_CORNERS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
NEIGHBOURS = np.array([_near(square, _EDGES) for square in range(64)], np.uint64)
DIAGONAL_NEIGHBOURS = np.array([_near(square, _CORNERS) for square in range(64)], np.uint64)


@intrinsic
def count(typing_context, board):
    """Count the squares of a board."""

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@intrinsic
def lowest(typing_context, board):
    """Return the lowest square of a board that is not empty."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


@kernel
def bit(square):
    """Return the board that holds one square."""
    return ONE << np.uint64(square)


@kernel
def has(board, square):
    """Tell whether a board holds a square."""
    return (board >> np.uint64(square)) & ONE != EMPTY


@kernel
def drop_lowest(board):
    """Return a board without its lowest square."""
    return board & (board - ONE)


@kernel
def neighbours(board):
    """Return the squares that share an edge with a square of the board."""
    return (board << EIGHT) | (board >> EIGHT) | ((board & NOT_H) << ONE) | ((board & NOT_A) >> ONE)


@kernel
def flood(seed, within):
    """Return every square of `within` connected by edges to a square of `seed` (itself inside)."""
    reached = seed
    while True:
        grown = (reached | neighbours(reached)) & within
        if grown == reached:
            return reached
        reached = grown


HAS_PDEP = (
    config.CPU_NAME is None
    and config.CPU_FEATURES is None
    and platform.machine().lower() in ("x86_64", "amd64")
    and get_host_cpu_features().get("bmi2", False)
)


@intrinsic
def deposit(typing_context, bits, board):
    """Spread the lowest bits over the squares of a board, in one instruction of the processor (PDEP)."""

    def generate(context, builder, signature, arguments):
        word = ir.IntType(64)
        function = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", fnty=ir.FunctionType(word, [word, word]))
        return builder.call(function, arguments)

    return types.uint64(types.uint64, types.uint64), generate


@kernel
def select_stepwise(board, index):
    """Return the square at an index by halving: 32 squares, 16, 8, 4, 2, 1; nothing for a branch to guess."""
    left = np.int64(index)
    square = np.int64(0)
    for width in (32, 16, 8, 4, 2, 1):
        here = count((board >> np.uint64(square)) & ((ONE << np.uint64(width)) - ONE))
        beyond = np.int64(left >= here)
        left -= here * beyond
        square += width * beyond
    return square


if HAS_PDEP:

    @kernel
    def select(board, index):
        """Return the square at the given index when a board's squares are counted from the lowest."""
        return lowest(deposit(ONE << np.uint64(index), board))

else:
    select = select_stepwise
