"""All the turns that a player has: orders of actions merged by hash, so that each end of a turn is met once.

A turn is a graph over states: every action lowers `turn_budget`, so the graph is worked through layer by layer from the
highest budget down, and when a state's turn comes all orders that lead to it have been counted. States are not
stored: an entry keeps its parent and action, and the state is played again from the root, which costs less than
reading it from memory. A turn ends with an action that ends it, or is cut before one whose result nobody knows.

If there are more states than fit, the generator falls back to a beam: in every layer only the entries with the best
static value (own estimated score less the best other one) are followed. What looks best half-way crowds out what needs
several steps before it pays, and a wider beam does not mend that; so a beam makes several sweeps, each following the
best entries that the sweeps before it left. The result says whether it was exhaustive.
"""

from typing import NamedTuple

import numpy as np

from torres_mcts.core.errors import TorresError
from torres_mcts.core.jit import entry_kernel, kernel
from torres_mcts.core.menu import ROW_LIMIT, list_menu
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

BUDGETS = 1024
PATH_LIMIT = 64
NO_ENTRY = -1
ROOT = 0
FEW = 16  # a table with fewer records than its slots divided by this is cleared record by record
PLAN_CHANGES = 4  # actions that tell two plans apart: two of one turn are replaced by two others
PLAN_POOL = 25  # times the number of turns wanted: so many of the best are looked through for plans
DRAW_MARK = np.uint64(0x5851_F42D_4C95_7F2D)  # tells a turn cut before a draw from the state before it


ENTRY = np.dtype(  # a state within the turn
    [
        ("digest", np.uint64),
        ("orders", np.float64),  # how many orders of actions lead here
        ("action", np.int64),  # from the parent
        ("parent", np.int32),
        ("following", np.int32),  # the next entry of the same layer
        ("value", np.float32),  # static value (beam only)
        ("is_followed", np.bool_),
    ],
    align=True,
)
END = np.dtype(  # a turn
    [
        ("digest", np.uint64),
        ("orders", np.float64),
        ("value", np.float64),  # static value for the player whose turn it is
        ("action", np.int64),  # the last one
        ("entry", np.int32),  # that it is played from
    ],
    align=True,
)
DESK = np.dtype(  # what is needed while working
    [
        ("entry_count", np.int64),
        ("end_count", np.int64),
        ("heads", np.int32, (BUDGETS,)),  # the first entry of each layer
        ("path", np.int64, (PATH_LIMIT,)),
        ("listed", np.int64, (64 * ROW_LIMIT,)),
    ],
    align=True,
)


class TurnTable(NamedTuple):
    """Entries and ends, each found again by its hash. Few arrays of records: kernels pass them on faster than many."""

    entries: np.ndarray  # [entries] ENTRY
    ends: np.ndarray  # [ends] END
    slots: np.ndarray  # [power of two] int32, entry by hash, open addressing
    end_slots: np.ndarray  # [power of two] int32
    ranked: np.ndarray  # [entries] float32, scratch
    desks: np.ndarray  # [1] DESK


def new_table(entry_limit: int, end_limit: int) -> TurnTable:
    """Return a table for so many states within a turn and so many ends."""
    return TurnTable(
        entries=np.empty(entry_limit, ENTRY),
        ends=np.empty(end_limit, END),
        slots=np.full(1 << (2 * entry_limit - 1).bit_length(), NO_ENTRY, np.int32),
        end_slots=np.full(1 << (2 * end_limit - 1).bit_length(), NO_ENTRY, np.int32),
        ranked=np.empty(entry_limit, np.float32),
        desks=np.zeros(1, DESK),
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
def find_slot(slots, records, digest):
    """Return the slot that holds a hash, or the empty one where it belongs."""
    mask = np.uint64(slots.size - 1)
    slot = np.int64(digest & mask)
    while slots[slot] != NO_ENTRY and records[slots[slot]].digest != digest:
        slot = np.int64((np.uint64(slot) + np.uint64(1)) & mask)
    return slot


@kernel
def clear_table(table):
    """Forget every turn."""
    desk = table.desks[0]
    clear_slots(table.slots, table.entries, desk.entry_count)
    clear_slots(table.end_slots, table.ends, desk.end_count)
    desk.heads[:] = NO_ENTRY
    desk.entry_count = 0
    desk.end_count = 0


@kernel
def clear_slots(slots, records, size):
    """Empty all slots; if there are few records, only the run of full slots from where each of them belongs."""
    if size > slots.size // FEW:
        slots[:] = NO_ENTRY
        return
    mask = slots.size - 1
    for number in range(size):
        slot = np.int64(records[number].digest & np.uint64(mask))
        while slots[slot] != NO_ENTRY:
            slots[slot] = NO_ENTRY
            slot = (slot + 1) & mask


@kernel
def enter(table, state, player, parent, action, orders, width):
    """Enter a state, or count the orders that lead to it; tell whether there was room."""
    digest = hash_state(state)
    slot = find_slot(table.slots, table.entries, digest)
    if table.slots[slot] != NO_ENTRY:
        table.entries[table.slots[slot]].orders += orders
        return True
    desk = table.desks[0]
    number = desk.entry_count
    if number == table.entries.size:
        return False
    desk.entry_count = number + 1
    table.slots[slot] = number
    entry = table.entries[number]
    entry.digest = digest
    entry.parent = parent
    entry.action = action
    entry.orders = orders
    entry.is_followed = False
    if width > 0:
        entry.value = static_value(state, player)
    budget = turn_budget(state)
    entry.following = desk.heads[budget]
    desk.heads[budget] = number
    return True


@kernel
def enter_end(table, state, player, number, action, digest):
    """Enter the end of a turn, or count the orders that lead to it; tell whether there was room."""
    orders = table.entries[number].orders
    slot = find_slot(table.end_slots, table.ends, digest)
    if table.end_slots[slot] != NO_ENTRY:
        table.ends[table.end_slots[slot]].orders += orders
        return True
    desk = table.desks[0]
    if desk.end_count == table.ends.size:
        return False
    table.end_slots[slot] = desk.end_count
    end = table.ends[desk.end_count]
    desk.end_count += 1
    end.digest = digest
    end.entry = number
    end.action = action
    end.orders = orders
    end.value = static_value(state, player)
    return True


@kernel
def trace(table, number):
    """Write the actions that lead to an entry onto the desk, last one first; return how many."""
    length = 0
    while number != ROOT:
        table.desks[0].path[length] = table.entries[number].action
        length += 1
        number = np.int64(table.entries[number].parent)
    return length


@kernel
def rebuild(table, states, rng, number):
    """Play the actions of an entry from the root in states[0]; leave the state in states[1]."""
    states[1] = states[0]
    for place in range(trace(table, number) - 1, -1, -1):
        play_action(states[1], table.desks[0].path[place], rng)


@kernel
def expand(table, states, menu, rng, player, number, width):
    """Enter all that one action from an entry leads to; tell whether there was room."""
    rebuild(table, states, rng, number)
    list_actions(states[1], menu)
    listed = table.desks[0].listed
    orders = table.entries[number].orders
    for index in range(list_menu(menu, listed)):
        action = listed[index]
        states[2] = states[1]
        play_action(states[2], action, rng)
        if draws_chance(states[1], action):  # known by what was before: what was drawn must tell nothing
            digest = table.entries[number].digest ^ DRAW_MARK
            has_room = enter_end(table, states[2], player, number, action, digest)
        elif ends_turn(states[1], action):
            has_room = enter_end(table, states[2], player, number, action, hash_state(states[2]))
        else:
            has_room = enter(table, states[2], player, number, action, orders, width)
        if not has_room:
            return False
    return True


@kernel
def beam_bound(table, budget, width):
    """Return the least static value that the best `width` entries of a layer have among those not yet followed."""
    size = 0
    number = np.int64(table.desks[0].heads[budget])
    while number != NO_ENTRY:
        entry = table.entries[number]
        if not entry.is_followed:
            table.ranked[size] = entry.value
            size += 1
        number = np.int64(entry.following)
    if size <= width:
        return np.float32(-np.inf)
    return np.partition(table.ranked[:size], size - width)[size - width]


@kernel
def sweep(table, states, menu, rng, width):
    """Follow the best entries of each layer that were not followed before; tell whether there was room for all."""
    player = player_to_move(states[0])
    for budget in range(BUDGETS - 1, -1, -1):
        if table.desks[0].heads[budget] == NO_ENTRY:
            continue
        bound = beam_bound(table, budget, width) if width > 0 else np.float32(-np.inf)
        followed = 0
        number = np.int64(table.desks[0].heads[budget])
        while number != NO_ENTRY:
            entry = table.entries[number]
            if not entry.is_followed and (width == 0 or (followed < width and entry.value >= bound)):
                followed += 1
                entry.is_followed = True
                if not expand(table, states, menu, rng, player, number, width):
                    return False
            number = np.int64(entry.following)
    return True


@kernel
def generate(table, states, menu, rng, width, sweeps):
    """Find the turns of states[0]; with a width above 0 follow only the best entries of each layer in each sweep.

    states: three records, the last two scratch. Tell whether there was room for all.
    """
    clear_table(table)
    enter(table, states[0], player_to_move(states[0]), NO_ENTRY, 0, 1.0, width)
    for _ in range(sweeps):
        if not sweep(table, states, menu, rng, width):
            return False
    return True


@entry_kernel
def generate_turns(table, states, menus, rng, width, sweeps):
    """Find the turns of states[0], for Python; tell whether there was room for all."""
    return generate(table, states, menus[0], rng, width, sweeps)


@entry_kernel
def find_more_turns(table, states, menus, rng, width, sweeps):
    """Make further sweeps in a table of turns, for Python; tell whether there was room for all."""
    for _ in range(sweeps):
        if not sweep(table, states, menus[0], rng, width):
            return False
    return True


class Turns(NamedTuple):
    """The turns of a position, best static value first."""

    digests: np.ndarray  # [turns] uint64, equal for equal results
    values: np.ndarray  # [turns] float64
    orders: np.ndarray  # [turns] float64
    is_cut: np.ndarray  # [turns] bool, before a draw
    sequences: list[tuple[int, ...]]
    turn_count: int  # of all turns, listed or not
    states: int  # distinct states within the turn
    exhaustive: bool


def list_turns(
    states: np.ndarray,
    menus: np.ndarray,
    rng: np.ndarray,
    *,
    table: TurnTable,
    width: int,
    sweeps: int,
    tries_all: bool = True,
    most: int | None = None,
    plans: int = 0,
) -> Turns:
    """List the turns of states[0], the best `most` by static value; all of them if the table has room.

    width, sweeps: of the beam that is used if there are too many states, or if not all are to be tried
    plans:         how many of those listed are no near copies of better ones, see `pick_turns`
    """
    if not (tries_all and generate_turns(table, states, menus, rng, 0, 1)):
        follow_beam(states, menus, rng, table=table, width=width, sweeps=sweeps)
    entries = table.entries[: table.desks[0]["entry_count"]]
    ends = table.ends[: table.desks[0]["end_count"]]
    order = np.argsort(-ends["value"], kind="stable")
    best = order[:most] if most is None else pick_turns(table, order, most, min(plans, most))
    return Turns(
        digests=ends["digest"][best],
        values=ends["value"][best],
        orders=ends["orders"][best],
        is_cut=ends["digest"][best] == entries["digest"][ends["entry"][best]] ^ DRAW_MARK,
        sequences=[sequence_of(table, int(end)) for end in best],
        turn_count=len(ends),
        states=len(entries),
        exhaustive=bool(entries["is_followed"].all())
        and len(entries) < len(table.entries)
        and len(ends) < len(table.ends),
    )


def pick_turns(table: TurnTable, order: np.ndarray, most: int, plans: int) -> np.ndarray:
    """Return the turns to list: the best by value, but `plans` of them differ from every better one listed.

    The best turns by static value are often one plan with small changes. A plan of its own has at least `PLAN_CHANGES`
    actions that a turn listed before it has not, or the other way round, whatever their order.

    order: the turns of the table, best first; returned in that order
    """
    taken = [int(end) for end in order[: most - plans]]
    actions = [frozenset(sequence_of(table, end)) for end in taken]
    passed = []
    for end in order[most - plans : PLAN_POOL * most].tolist():
        if len(taken) == most:
            break
        own = frozenset(sequence_of(table, end))
        if all(len(own ^ other) >= PLAN_CHANGES for other in actions):
            taken.append(end)
            actions.append(own)
        else:
            passed.append(end)
    taken += passed[: most - len(taken)]
    places = np.argsort(order)  # of each turn in the order
    return np.array(sorted(taken, key=lambda end: int(places[end])), np.int64)


def follow_beam(
    states: np.ndarray, menus: np.ndarray, rng: np.ndarray, *, table: TurnTable, width: int, sweeps: int
) -> int:
    """Find turns of states[0] by a beam; halve its width until the first sweep fits; return the width used.

    Later sweeps go on until there is no more room: what they have found by then is good.
    """
    while not generate_turns(table, states, menus, rng, width, 1):
        if width == 1:
            raise TorresError(f"the turns of this position do not fit into a table of {table.entries.size} states")
        width //= 2
    find_more_turns(table, states, menus, rng, width, sweeps - 1)
    return width


def sequence_of(table: TurnTable, end: int) -> tuple[int, ...]:
    """Return the actions of a turn in the order in which it was found first."""
    actions = [int(table.ends[end]["action"])]
    number = int(table.ends[end]["entry"])
    while number != ROOT:
        actions.append(int(table.entries[number]["action"]))
        number = int(table.entries[number]["parent"])
    return tuple(reversed(actions))
