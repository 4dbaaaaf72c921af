"""Block stacks as nibbles in a word, the highest stack lowest: the next to take is `word & 15` (rules, 5)."""

import numpy as np

from torres_mcts.core.jit import kernel
from torres_mcts.games.torres.engine.state import NONE_IN_USE


@kernel
def sum_stacks(stacks):
    """Add up stacks: nibbles in pairs, then all bytes by one multiplication."""
    word = np.int64(stacks)
    pairs = (word & 0x0F0F_0F0F) + ((word >> 4) & 0x0F0F_0F0F)
    return ((pairs * 0x0101_0101) >> 24) & 0xFF


@kernel
def take_from_stack(stacks, height):
    """Take one block from a stack of the given height; the last of its equals keeps the row sorted."""
    place = 0
    word = np.int64(stacks)
    while (word >> (4 * place)) & 15 != height:
        place += 1
    while (word >> (4 * (place + 1))) & 15 == height:
        place += 1
    return np.uint32(word - (1 << (4 * place)))


@kernel
def add_to_lowest(stacks, number, limit):
    """Add one block to the lowest stack below the limit; return the stacks, unchanged if none is."""
    lowest = (stacks >> (4 * (number - 1))) & 15
    if lowest >= limit:
        return stacks
    place = number - 1
    while place > 0 and (stacks >> (4 * (place - 1))) & 15 == lowest:
        place -= 1
    return stacks + (1 << (4 * place))


@kernel
def take_stack(state, player):
    """Take the highest stack into use if none is."""
    if state.in_use == NONE_IN_USE:
        state.in_use = np.int64(state.stacks[player]) & 15
        state.stacks[player] = np.uint32(np.int64(state.stacks[player]) >> 4)
        state.stack_count[player] -= 1
