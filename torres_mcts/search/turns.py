"""All the turns that a player has: orders of actions merged by hash, so that each end of a turn is met once.

A turn is a graph over states: every action lowers `turn_budget`, so the graph is worked through layer by layer from the
highest budget down, and when a state's turn comes all orders that lead to it have been counted. States are not
stored: an entry keeps its parent and action, and the state is played again from the root, which costs less than
reading it from memory. A turn ends with an action that ends it, or is cut before one whose result nobody knows.

If there are more states than fit, the generator falls back to a beam: in every layer only the entries with the best
static value (own estimated score less the best other one) are followed. The result says whether it was exhaustive.
"""

from typing import Any, NamedTuple

import numpy as np

from torres_mcts.core.jit import entry_kernel, kernel
from torres_mcts.core.menu import list_menu
from torres_mcts.core.protocol import (
    draws_chance,
    ends_turn,
    estimate_score,
    hash_state,
    list_actions,
    play_action,
    player_count,
    player_to_move,
    turn_budget,
)

BUDGETS = 512
PATH_LIMIT = 64
NO_ENTRY = -1
ROOT = 0
DRAW_MARK = np.uint64(0x5851_F42D_4C95_7F2D)  # tells a turn cut before a draw from the state before it
FULL, COMPLETE = 0, 1  # what a pass through the graph can end with


class TurnTable(NamedTuple):
    """Entries (states within the turn) and ends (turns), each found again by its hash."""

    hashes: np.ndarray  # [entries] uint64
    parents: np.ndarray  # [entries] int32
    actions: np.ndarray  # [entries] int64, the action from the parent
    orders: np.ndarray  # [entries] float64, how many orders of actions lead here
    values: np.ndarray  # [entries] float32, static value (beam only)
    following: np.ndarray  # [entries] int32, the next entry of the same layer
    end_hashes: np.ndarray  # [ends] uint64
    end_entries: np.ndarray  # [ends] int32, the entry that the last action is played from
    end_actions: np.ndarray  # [ends] int64
    end_orders: np.ndarray  # [ends] float64
    end_values: np.ndarray  # [ends] float64, static value for the player whose turn it is
    slots: np.ndarray  # [power of two] int32, entry by hash, open addressing
    end_slots: np.ndarray  # [power of two] int32
    heads: np.ndarray  # [BUDGETS] int32, the first entry of each layer
    counts: np.ndarray  # [2] int64: entries, ends
    path: np.ndarray  # [PATH_LIMIT] int64, scratch
    listed: np.ndarray  # [actions] int64, scratch
    ranked: np.ndarray  # [entries] float32, scratch


def new_table(entry_limit: int, end_limit: int) -> TurnTable:
    """Return a table for so many states within a turn and so many ends."""
    slots = 1 << (2 * entry_limit - 1).bit_length()
    end_slots = 1 << (2 * end_limit - 1).bit_length()
    return TurnTable(
        hashes=np.empty(entry_limit, np.uint64),
        parents=np.empty(entry_limit, np.int32),
        actions=np.empty(entry_limit, np.int64),
        orders=np.empty(entry_limit, np.float64),
        values=np.empty(entry_limit, np.float32),
        following=np.empty(entry_limit, np.int32),
        end_hashes=np.empty(end_limit, np.uint64),
        end_entries=np.empty(end_limit, np.int32),
        end_actions=np.empty(end_limit, np.int64),
        end_orders=np.empty(end_limit, np.float64),
        end_values=np.empty(end_limit, np.float64),
        slots=np.empty(slots, np.int32),
        end_slots=np.empty(end_slots, np.int32),
        heads=np.empty(BUDGETS, np.int32),
        counts=np.zeros(2, np.int64),
        path=np.empty(PATH_LIMIT, np.int64),
        listed=np.empty(16384, np.int64),
        ranked=np.empty(entry_limit, np.float32),
    )


@kernel
def static_value(state, player):
    """Return a player's estimated score less the best estimate of another."""
    best = -1e30
    for other in range(player_count(state)):
        if other != player:
            best = max(best, estimate_score(state, other))
    return estimate_score(state, player) - best


@kernel
def find_slot(slots, hashes, digest):
    """Return the slot that holds a hash, or the empty one where it belongs."""
    mask = np.uint64(slots.size - 1)
    slot = np.int64(digest & mask)
    while slots[slot] != NO_ENTRY and hashes[slots[slot]] != digest:
        slot = np.int64((np.uint64(slot) + np.uint64(1)) & mask)
    return slot


@kernel
def clear_table(table):
    """Forget every turn."""
    table.slots[:] = NO_ENTRY
    table.end_slots[:] = NO_ENTRY
    table.heads[:] = NO_ENTRY
    table.counts[:] = 0


@kernel
def enter(table, state, player, parent, action, orders, width):
    """Enter a state, or count the orders that lead to it; tell whether there was room."""
    digest = hash_state(state)
    slot = find_slot(table.slots, table.hashes, digest)
    entry = table.slots[slot]
    if entry != NO_ENTRY:
        table.orders[entry] += orders
        return True
    entry = table.counts[0]
    if entry == table.hashes.size:
        return False
    table.counts[0] += 1
    table.slots[slot] = entry
    table.hashes[entry] = digest
    table.parents[entry] = parent
    table.actions[entry] = action
    table.orders[entry] = orders
    if width > 0:
        table.values[entry] = static_value(state, player)
    budget = turn_budget(state)
    table.following[entry] = table.heads[budget]
    table.heads[budget] = entry
    return True


@kernel
def enter_end(table, state, player, entry, action, mark):
    """Enter the end of a turn, or count the orders that lead to it; tell whether there was room."""
    digest = hash_state(state) ^ mark
    slot = find_slot(table.end_slots, table.end_hashes, digest)
    end = table.end_slots[slot]
    if end != NO_ENTRY:
        table.end_orders[end] += table.orders[entry]
        return True
    end = table.counts[1]
    if end == table.end_hashes.size:
        return False
    table.counts[1] += 1
    table.end_slots[slot] = end
    table.end_hashes[end] = digest
    table.end_entries[end] = entry
    table.end_actions[end] = action
    table.end_orders[end] = table.orders[entry]
    table.end_values[end] = static_value(state, player)
    return True


@kernel
def rebuild(table, states, rng, entry):
    """Play the actions of an entry from the root in states[0]; leave the state in states[1]."""
    length = 0
    while entry != ROOT:
        table.path[length] = table.actions[entry]
        length += 1
        entry = table.parents[entry]
    states[1] = states[0]
    for place in range(length - 1, -1, -1):
        play_action(states[1], table.path[place], rng)


@kernel
def expand(table, states, menu, rng, player, entry, width):
    """Enter all that one action from an entry leads to; tell whether there was room."""
    rebuild(table, states, rng, entry)
    list_actions(states[1], menu)
    for index in range(list_menu(menu, table.listed)):
        action = table.listed[index]
        is_draw = draws_chance(states[1], action)
        states[2] = states[1]
        if is_draw:
            if not enter_end(table, states[2], player, entry, action, DRAW_MARK):
                return False
            continue
        is_end = ends_turn(states[1], action)
        play_action(states[2], action, rng)
        if is_end:
            if not enter_end(table, states[2], player, entry, action, np.uint64(0)):
                return False
        elif not enter(table, states[2], player, entry, action, table.orders[entry], width):
            return False
    return True


@kernel
def beam_bound(table, budget, width):
    """Return the least static value that the best `width` entries of a layer have."""
    size = 0
    entry = table.heads[budget]
    while entry != NO_ENTRY:
        table.ranked[size] = table.values[entry]
        size += 1
        entry = table.following[entry]
    if size <= width:
        return np.float32(-np.inf)
    return np.partition(table.ranked[:size], size - width)[size - width]


@entry_kernel
def generate(table, states, menus, rng, width):
    """Find the turns of states[0]; with a width above 0 follow only the best entries of each layer.

    states: three records, the last two scratch. Return COMPLETE, or FULL if there was no room for all.
    """
    clear_table(table)
    player = player_to_move(states[0])
    enter(table, states[0], player, NO_ENTRY, 0, 1.0, width)
    for budget in range(BUDGETS - 1, -1, -1):
        bound = beam_bound(table, budget, width) if width > 0 else np.float32(-np.inf)
        followed = 0
        entry = table.heads[budget]
        while entry != NO_ENTRY:
            if width == 0 or (table.values[entry] >= bound and followed < width):
                followed += 1
                if not expand(table, states, menus[0], rng, player, entry, width):
                    return FULL
            entry = table.following[entry]
    return COMPLETE


class Turns(NamedTuple):
    """The turns of a position, best static value first."""

    values: np.ndarray  # [turns] float64
    orders: np.ndarray  # [turns] float64
    is_cut: np.ndarray  # [turns] bool, before a draw
    sequences: list[tuple[int, ...]]
    exhaustive: bool
    states: int  # distinct states within the turn


def list_turns(
    states: np.ndarray, menus: np.ndarray, rng: np.ndarray, *, table: TurnTable, width: int, most: int | None = None
) -> Turns:
    """List the turns of states[0], the best `most` by static value; all of them if the table has room.

    width: of the beam that is used if there are too many states
    """
    exhaustive = generate(table, states, menus, rng, 0) == COMPLETE
    if not exhaustive:
        generate(table, states, menus, rng, width)
    ends = int(table.counts[1])
    best = np.argsort(-table.end_values[:ends], kind="stable")[:most]
    cut = [bool(_is_cut(table, end)) for end in best]
    return Turns(
        values=table.end_values[best],
        orders=table.end_orders[best],
        is_cut=np.array(cut, bool),
        sequences=[sequence_of(table, int(end)) for end in best],
        exhaustive=exhaustive,
        states=int(table.counts[0]),
    )


def _is_cut(table: TurnTable, end: Any) -> bool:
    """Tell whether a turn was cut before a draw: its hash is that of the entry, marked."""
    return bool(table.end_hashes[end] == table.hashes[table.end_entries[end]] ^ DRAW_MARK)


def sequence_of(table: TurnTable, end: int) -> tuple[int, ...]:
    """Return the actions of a turn in the order in which it was found first."""
    actions = [int(table.end_actions[end])]
    entry = int(table.end_entries[end])
    while entry != ROOT:
        actions.append(int(table.actions[entry]))
        entry = int(table.parents[entry])
    return tuple(reversed(actions))
