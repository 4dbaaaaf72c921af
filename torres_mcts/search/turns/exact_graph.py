"""The graph of a last turn: all that can be among the best turns (see `exact.py`), worked through by layers."""

from typing import NamedTuple

import numpy as np

from torres_mcts.core.jit import entry_kernel, kernel
from torres_mcts.core.menu import ROW_LIMIT, action_at, list_menu
from torres_mcts.core.protocol import (
    bound_last_turn,
    draws_chance,
    ends_turn,
    hash_last_turn,
    hash_state,
    is_over,
    late_action,
    list_actions,
    list_last_actions,
    play_action,
    player_count,
    player_to_move,
    turn_budget,
    turns_left,
)
from torres_mcts.core.rng import new_rng
from torres_mcts.search.rewards import Reward, reward_of, write_scores
from torres_mcts.search.turns.generator import (
    BUDGETS,
    NO_ENTRY,
    PATH_LIMIT,
    ROOT,
    find_slot,
    rebuild,
    trace,
)

NO_ACTION = -1
DEAD = -1.0  # the bound of an entry that was found again with a higher budget
SOLVED, TOO_MANY, UNCERTAIN, CUT_OFF = range(4)
STEPS_PER_STATE = 40  # actions that may be tried for each state of the limit

ENTRY = np.dtype(  # a state within the turn
    [
        ("digest", np.uint64),
        ("bound", np.float64),  # the most reward that can follow, or DEAD
        ("action", np.int64),  # from the parent
        ("margin", np.float32),  # the most that can follow
        ("parent", np.int32),
        ("following", np.int32),  # the next entry of the same layer
        ("budget", np.int32),
    ],
    align=True,
)
RESULT = np.dtype(  # a turn
    [
        ("digest", np.uint64),  # of the state after it
        ("reward", np.float64),  # of the player whose turn it is
        ("margin", np.float64),
        ("action", np.int64),  # the last one
        ("entry", np.int32),  # that it is played from
        ("late", np.int32),  # how many late actions before the last one
    ],
    align=True,
)
DESK = np.dtype(  # what is needed while working
    [
        ("entry_count", np.int64),
        ("result_count", np.int64),
        ("step_count", np.int64),  # actions tried
        ("step_limit", np.int64),
        ("floor_reward", np.float64),  # what is worse than this is not looked for
        ("floor_margin", np.float64),
        ("enough", np.float64),  # stop when a turn has this reward
        ("weights", np.float64, (4,)),  # of the reward
        ("heads", np.int32, (BUDGETS,)),  # the first entry of each layer
        ("path", np.int64, (PATH_LIMIT,)),
        ("listed", np.int64, (64 * ROW_LIMIT,)),
    ],
    align=True,
)


class ExactTable(NamedTuple):
    """The states of a last turn, found again by hash, and the best turns."""

    entries: np.ndarray  # [entries] ENTRY
    slots: np.ndarray  # [power of two] int32, entry by hash, open addressing
    results: np.ndarray  # [top] RESULT, best first
    desks: np.ndarray  # [1] DESK


def new_exact_table(state_limit: int, top: int, reward: Reward, step_limit: int | None = None) -> ExactTable:
    """Return an empty table for so many states and the best `top` turns."""
    desks = np.zeros(1, DESK)
    desks["step_limit"] = STEPS_PER_STATE * state_limit if step_limit is None else step_limit
    desks["weights"] = reward.weights()
    desks["floor_reward"] = desks["floor_margin"] = -np.inf
    desks["enough"] = np.inf
    return ExactTable(
        entries=np.empty(state_limit, ENTRY),
        slots=np.empty(1 << (2 * state_limit - 1).bit_length(), np.int32),
        results=np.zeros(top, RESULT),
        desks=desks,
    )


@kernel
def margin_of(scores, player):
    """Return a player's points less the best other's; all of them if there is nobody else."""
    best = -np.inf
    for other in range(scores.size):
        if other != player:
            best = max(best, scores[other])
    return scores[player] - best if scores.size > 1 else scores[player]


@kernel
def is_better(reward, margin, other_reward, other_margin):
    """Tell whether a reward, ties broken by the margin, is better than another."""
    return reward > other_reward or (reward == other_reward and margin > other_margin)


@kernel
def can_matter(table, reward, margin):
    """Tell whether a turn of this worth would be among the best."""
    desk = table.desks[0]
    if is_better(desk.floor_reward, desk.floor_margin, reward, margin):
        return False
    if desk.result_count < table.results.size:
        return True
    worst = table.results[table.results.size - 1]
    return is_better(reward, margin, worst.reward, worst.margin)


@kernel
def enter(table, state, player, parent, action, scores):
    """Enter a state unless it is there with as high a budget, or cannot lead to a good turn; tell if there was room."""
    digest = hash_last_turn(state)
    budget = turn_budget(state)
    slot = find_slot(table.slots, table.entries, digest)
    if table.slots[slot] != NO_ENTRY and table.entries[table.slots[slot]].budget >= budget:
        return True
    bound_last_turn(state, parent == NO_ENTRY, scores)
    desk = table.desks[0]
    bound = reward_of(scores, desk.weights, player, scores.size)
    margin = margin_of(scores, player)
    if not can_matter(table, bound, margin):
        return True
    number = desk.entry_count
    if number == table.entries.size:
        return False
    if table.slots[slot] != NO_ENTRY:
        table.entries[table.slots[slot]].bound = DEAD
    desk.entry_count = number + 1
    table.slots[slot] = number
    entry = table.entries[number]
    entry.digest = digest
    entry.bound = bound
    entry.margin = margin
    entry.action = action
    entry.parent = parent
    entry.budget = budget
    entry.following = desk.heads[budget]
    desk.heads[budget] = number
    return True


@kernel
def enter_result(table, reward, margin, digest, number, late, action):
    """Enter a turn among the best; equal results are entered once, with the turn that was found first."""
    if not can_matter(table, reward, margin):
        return
    desk = table.desks[0]
    for place in range(desk.result_count):
        if table.results[place].digest == digest:
            return
    place = min(desk.result_count, table.results.size - 1)
    desk.result_count = place + 1
    while place > 0 and is_better(reward, margin, table.results[place - 1].reward, table.results[place - 1].margin):
        table.results[place] = table.results[place - 1]
        place -= 1
    result = table.results[place]
    result.digest = digest
    result.reward = reward
    result.margin = margin
    result.entry = number
    result.late = late
    result.action = action


@kernel
def pass_turn(state, menu, rng):
    """End the turn of the player to move at once."""
    list_actions(state, menu)
    for index in range(menu.size - 1, -1, -1):
        action = action_at(menu, index)
        if ends_turn(state, action):
            play_action(state, action, rng)
            return


@kernel
def judge_ends(table, states, menu, rng, player, number, action, scores):
    """Enter the turns that end after an entry with an action, before it none, one or more late actions.

    If another turn follows, it is ended at once (see `exact_two.py`).

    states: the state of the entry in states[1]; states[2] and states[3] are scratch
    """
    late = 0
    states[3] = states[1]
    while True:
        states[2] = states[3]
        play_action(states[2], action, rng)
        digest = hash_last_turn(states[2]) if is_over(states[2]) else hash_state(states[2])
        if not is_over(states[2]):
            pass_turn(states[2], menu, rng)
        write_scores(states[2], scores)
        reward = reward_of(scores, table.desks[0].weights, player, scores.size)
        enter_result(table, reward, margin_of(scores, player), digest, number, late, action)
        waiting = late_action(states[3])
        if waiting == NO_ACTION:
            return
        play_action(states[3], waiting, rng)
        late += 1


@kernel
def expand(table, states, menu, rng, player, number, scores):
    """Try all actions from an entry; return SOLVED, or why it cannot go on."""
    rebuild(table, states, rng, number)
    list_last_actions(states[1], number == ROOT, menu)
    desk = table.desks[0]
    size = list_menu(menu, desk.listed)
    desk.step_count += size
    if size == 0:
        return UNCERTAIN
    if desk.step_count > desk.step_limit:
        return TOO_MANY
    for index in range(size):
        action = desk.listed[index]
        if draws_chance(states[1], action):
            return UNCERTAIN
        if ends_turn(states[1], action):
            judge_ends(table, states, menu, rng, player, number, action, scores)
        else:
            states[2] = states[1]
            play_action(states[2], action, rng)
            if not enter(table, states[2], player, number, action, scores):
                return TOO_MANY
    return SOLVED


@kernel
def solve(table, states, menu, rng):
    """Find the best turns of states[0], the last turn of its game; return SOLVED, or why they are not known.

    In the turn before the last they are the best turns if the last player then ends the turn at once.

    states: four records, the last three scratch
    """
    table.slots[:] = NO_ENTRY
    desk = table.desks[0]
    desk.heads[:] = NO_ENTRY
    desk.entry_count = desk.result_count = desk.step_count = 0
    scores = np.empty(player_count(states[0]))
    player = player_to_move(states[0])
    enter(table, states[0], player, NO_ENTRY, NO_ACTION, scores)
    for budget in range(BUDGETS - 1, -1, -1):
        number = np.int64(desk.heads[budget])
        while number != NO_ENTRY:
            entry = table.entries[number]
            if entry.bound != DEAD and can_matter(table, entry.bound, entry.margin):
                code = expand(table, states, menu, rng, player, number, scores)
                if code != SOLVED:
                    return code
                if desk.result_count > 0 and table.results[0].reward >= desk.enough:
                    return CUT_OFF
            number = np.int64(table.entries[number].following)
    return SOLVED


@entry_kernel
def solve_turn(table, states, menus, rng):
    """Find the best turns of states[0], for Python; return SOLVED, or why they are not known."""
    if is_over(states[0]) or turns_left(states[0]) > 2:
        return UNCERTAIN
    return solve(table, states, menus[0], rng)


@entry_kernel
def write_turn(table, states, rng, place, actions):
    """Write the actions of one of the best turns and return their number; leave the state after it in states[1]."""
    result = table.results[place]
    length = trace(table, np.int64(result.entry))
    for index in range(length):
        actions[index] = table.desks[0].path[length - 1 - index]
    rebuild(table, states, rng, np.int64(result.entry))
    for _ in range(result.late):
        actions[length] = late_action(states[1])
        play_action(states[1], actions[length], rng)
        length += 1
    actions[length] = result.action
    play_action(states[1], result.action, rng)
    return length + 1


def turn_of(table: ExactTable, states: np.ndarray, place: int) -> tuple[int, ...]:
    """Return the actions of one of the best turns; leave the state after it in states[1]."""
    actions = np.empty(2 * PATH_LIMIT, np.int64)
    length = write_turn(table, states, new_rng(0), place, actions)
    return tuple(int(action) for action in actions[:length])
