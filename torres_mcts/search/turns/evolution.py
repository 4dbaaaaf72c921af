"""Evolution of whole turns as kernels: breeding sequences of actions, judging them, selecting the fittest.

The search for people, and what it does, is in `oep.py`.
"""

from typing import NamedTuple

import numpy as np

from torres_mcts.core.jit import entry_kernel, kernel
from torres_mcts.core.menu import action_at, draw_action, is_offered, new_menus
from torres_mcts.core.protocol import (
    choose_quickly,
    determinize,
    draws_chance,
    ends_turn,
    hash_state,
    is_over,
    list_actions,
    play_action,
    player_to_move,
)
from torres_mcts.core.rng import draw_below, draw_unit, new_rng, reseed
from torres_mcts.search.turns.generator import DRAW_MARK, PATH_LIMIT, TurnTable, new_table, static_value
from torres_mcts.search.turns.greedy import CALM, play_greedily

STREAM_BITS = 40
WORLD_STREAM, LUCK_STREAM = 0x0E9001 << STREAM_BITS, 0x0E9002 << STREAM_BITS  # nobody else draws from these
FIRST_STREAM = 0x0E9100  # of the islands
NO_PARENT = -1
TAKEN = -np.inf  # less than any fitness
REPLY_ENTRIES, REPLY_ENDS = 60_000, 20_000  # of the tables for greedy replies


MEMBER = np.dtype(
    [
        ("genes", np.int64, (PATH_LIMIT,)),  # actions
        ("length", np.int64),
        ("is_cut", np.bool_),  # the last action is a draw
        ("digest", np.uint64),  # of the end of the turn: equal ends are twins, of which one survives
        ("fitness", np.float64),
    ],
    align=True,
)
TALLY = np.dtype(
    [
        ("filled", np.int64),  # members in use
        ("kept", np.int64),  # survivors among them
        ("iterations", np.int64),  # sequences bred
        ("generations", np.int64),  # selections
        ("is_over", np.bool_),  # of the root: the game is over
        ("is_forced", np.bool_),  # of the root: there is but one turn
    ],
    align=True,
)


class Settings(NamedTuple):
    """What the kernels are told; always these types, so that they are compiled once."""

    survivors: int
    mutation: float
    quick: float
    reply_turns: int
    reply_width: int


class Island(NamedTuple):
    """A population and the working memory of the thread that breeds it."""

    members: np.ndarray  # [population] MEMBER, the survivors of the last generation first
    spare: np.ndarray  # [population] MEMBER, scratch
    tallies: np.ndarray  # [1] TALLY
    states: np.ndarray  # [4] records: the root, the state under way, two for greedy replies
    menus: np.ndarray  # [1] MENU
    rng: np.ndarray  # [1] uint64


class Replies(NamedTuple):
    """What replies take; apart from the island, because kernels with fewer arrays compile faster."""

    worlds: np.ndarray  # [worlds] records of dealt roots, shared by all islands
    table: TurnTable  # of greedy turns


def new_island(states: np.ndarray, population: int) -> Island:
    """Return an island on which nobody lives yet."""
    return Island(
        members=np.zeros(population, MEMBER),
        spare=np.zeros(population, MEMBER),
        tallies=np.zeros(1, TALLY),
        states=np.repeat(states[:1], 4),
        menus=new_menus(),
        rng=new_rng(0),
    )


def new_replies(worlds: np.ndarray, width: int) -> Replies:
    """Return what an island needs for replies in some worlds, greedy ones if the width is above 0."""
    sizes = (REPLY_ENTRIES, REPLY_ENDS) if width > 0 else (1, 1)
    return Replies(worlds, new_table(*sizes))


@kernel
def draw_legal(state, menu, rng, quick):
    """Return a legal action: with probability `quick` the game's quick choice, else any."""
    if quick > 0.0 and draw_unit(rng) < quick:
        return np.int64(choose_quickly(state, menu, rng))
    return draw_action(menu, rng)


@kernel
def inherit(island, first, second, place, settings):
    """Return the action of a child in some place: of either parent if it is legal there, else a drawn one."""
    menu, rng = island.menus[0], island.rng
    if first != NO_PARENT and draw_unit(rng) >= settings.mutation:
        if draw_below(rng, 2) == 1:
            first, second = second, first
        for parent in (first, second):
            if place < island.members[parent].length:
                action = island.members[parent].genes[place]
                if is_offered(menu, action):
                    return action
    return draw_legal(island.states[1], menu, rng, settings.quick)


@kernel
def breed(island, first, second, number, settings):
    """Write a child of two members (or a fresh sequence) into member `number`; leave its end in states[1]."""
    states = island.states
    child = island.members[number]
    child.length = 0
    child.is_cut = False
    states[1] = states[0]
    while child.length < PATH_LIMIT:  # a turn that is longer is judged where the room ends, and planned on from there
        list_actions(states[1], island.menus[0])
        action = inherit(island, first, second, child.length, settings)
        child.genes[child.length] = action
        child.length += 1
        child.is_cut = draws_chance(states[1], action)
        is_last = child.is_cut or ends_turn(states[1], action)
        if child.is_cut:  # known by what was before: what was drawn must tell nothing
            child.digest = hash_state(states[1]) ^ DRAW_MARK
        play_action(states[1], action, island.rng)
        if is_last:
            break
    if not child.is_cut:
        child.digest = hash_state(states[1])


@kernel
def play_quickly(state, menu, rng):
    """Play to the end of the turn by quick choices, draws included."""
    is_last = False
    while not is_last and not is_over(state):
        list_actions(state, menu)
        action = np.int64(choose_quickly(state, menu, rng))
        is_last = ends_turn(state, action)
        play_action(state, action, rng)


@kernel
def play_reply(island, table, width):
    """Play a turn in states[1], greedily with a beam or by quick choices."""
    if width == 0:
        play_quickly(island.states[1], island.menus[0], island.rng)
    elif not is_over(island.states[1]):
        play_greedily(table, island.states[1:4], island.menus[0], island.rng, width, 1, CALM)


@kernel
def judge_replies(island, replies, member, player, settings, seed):
    """Return the mean static value of a sequence after the replies in every world, each with luck of its own."""
    states = island.states
    total = 0.0
    for world in range(replies.worlds.size):
        reseed(island.rng, seed, np.uint64(LUCK_STREAM + world))
        states[1] = replies.worlds[world]
        for place in range(member.length):
            play_action(states[1], member.genes[place], island.rng)
        for _ in range(settings.reply_turns + (1 if member.is_cut else 0)):  # the rest of a turn cut comes first
            play_reply(island, replies.table, settings.reply_width)
        total += static_value(states[1], player)
    return total / replies.worlds.size


@kernel
def has_twin(members, size, member):
    """Tell whether one of the first members ends in the same state."""
    for other in range(size):
        if members[other].digest == member.digest:
            return True
    return False


@kernel
def fittest(members):
    """Return the fittest member, the first of several, or NO_PARENT if all are taken."""
    best = NO_PARENT
    most = TAKEN
    for number in range(members.size):
        if members[number].fitness > most:
            best = number
            most = members[number].fitness
    return best


@kernel
def select_survivors(island, survivors):
    """Keep the fittest, each end of a turn once; they come first, best first."""
    members, spare, tally = island.members, island.spare, island.tallies[0]
    kept = 0
    while kept < survivors:
        number = fittest(members)
        if number == NO_PARENT:
            break
        if not has_twin(spare, kept, members[number]):
            spare[kept] = members[number]
            kept += 1
        members[number].fitness = TAKEN
    for number in range(kept):
        members[number] = spare[number]
    tally.kept = kept
    tally.filled = kept
    tally.generations += 1


@kernel
def draw_parents(tally, rng):
    """Return two survivors, different ones if there are two; none in the first generation."""
    if tally.kept == 0:
        return NO_PARENT, NO_PARENT
    first = draw_below(rng, tally.kept)
    if tally.kept == 1:
        return first, first
    return first, (first + 1 + draw_below(rng, tally.kept - 1)) % tally.kept


@kernel
def next_child(island, settings, seed, stream):
    """Write the next sequence of an island, after a selection if it is full; return its member."""
    tally = island.tallies[0]
    if tally.filled == island.members.size:
        select_survivors(island, settings.survivors)
    reseed(island.rng, seed, stream + np.uint64(tally.iterations))
    first, second = draw_parents(tally, island.rng)
    number = tally.filled
    breed(island, first, second, number, settings)
    tally.filled += 1
    tally.iterations += 1
    return island.members[number]


@entry_kernel
def evolve(island, settings, seed, stream, goal):
    """Breed until an island has had so many sequences, judged by static value; it may rest within a generation."""
    inspect_root(island)
    player = player_to_move(island.states[0])
    while island.tallies[0].iterations < goal:
        member = next_child(island, settings, seed, stream)
        member.fitness = static_value(island.states[1], player)


@entry_kernel
def evolve_with_replies(island, replies, settings, seed, stream, goal):
    """Breed until an island has had so many sequences, judged after replies; apart: it takes long to compile."""
    inspect_root(island)
    player = player_to_move(island.states[0])
    while island.tallies[0].iterations < goal:
        member = next_child(island, settings, seed, stream)
        member.fitness = judge_replies(island, replies, member, player, settings, seed)


@kernel
def inspect_root(island):
    """Note whether the game is over, and whether the player has but one turn: one action that ends it or draws."""
    state, menu, tally = island.states[0], island.menus[0], island.tallies[0]
    tally.is_over = is_over(state)
    list_actions(state, menu)
    tally.is_forced = False
    if menu.size == 1:
        action = action_at(menu, 0)
        tally.is_forced = draws_chance(state, action) or ends_turn(state, action)


@entry_kernel
def deal_worlds(states, worlds, rng, seed):
    """Make each world the root with all dealt that the player to move does not know."""
    for world in range(worlds.size):
        reseed(rng, seed, np.uint64(WORLD_STREAM + world))
        worlds[world] = states[0]
        determinize(worlds[world], player_to_move(states[0]), rng)
