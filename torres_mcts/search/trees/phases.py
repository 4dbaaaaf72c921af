"""What the tree searches share: their settings and working memory, choosing among labels, playing out and backing up.

The legal actions of a state are sorted into labels, equal for actions that look the same to the owner of the tree.
A small hash table from label to index makes that, and the matching with the edges of a node, one pass each.

The working memory is one record, because numba passes a record as a single address: with a tuple of as many arrays the
kernels took three times as long to compile.
"""

import math
from typing import NamedTuple

import numpy as np

from torres_mcts.core.jit import kernel
from torres_mcts.core.menu import ROW_LIMIT, list_menu, new_menus
from torres_mcts.core.protocol import list_actions, observed_action, player_count
from torres_mcts.core.rng import draw_below, mix
from torres_mcts.search.playout import play_out
from torres_mcts.search.rewards import make_paranoid, write_rewards
from torres_mcts.search.trees.tree import NO_EDGE, PATH, PLAYER_LIMIT, backpropagate, upper_bound

ACTION_LIMIT = 64 * ROW_LIMIT  # the longest menu
TABLE_SIZE = 2 * ACTION_LIMIT
NO_CHOICE = -1
START, WORLD, CURRENT = range(3)  # places of `Desk.states`

NOTES = np.dtype(
    [
        # The legal actions of a state and their labels.
        ("action_count", np.int64),
        ("label_count", np.int64),
        ("actions", np.int64, (ACTION_LIMIT,)),
        ("label_of", np.int32, (ACTION_LIMIT,)),  # the index of each action's label
        ("labels", np.int64, (ACTION_LIMIT,)),  # distinct
        ("copies", np.int32, (ACTION_LIMIT,)),  # how many actions bear each label
        ("edges", np.int32, (ACTION_LIMIT,)),  # the edge that bears each label, or NO_EDGE
        # The table from label to index; a slot is in use if it bears the stamp of now.
        ("stamp", np.int64),
        ("mask", np.int64),
        ("stamps", np.int64, (TABLE_SIZE,)),
        ("slots", np.int32, (TABLE_SIZE,)),
        # The iteration.
        ("views", np.int64, (PLAYER_LIMIT,)),  # the node where it is in each player's tree
        ("path", PATH),
        ("scores", np.float64, (PLAYER_LIMIT,)),
        ("rewards", np.float64, (PLAYER_LIMIT,)),
        ("backed", np.float64, (PLAYER_LIMIT,)),  # the rewards as the tree sees them (paranoid)
        # What the iterations through each action of the root brought; it outlives the trees of single worlds.
        ("root_count", np.int64),
        ("root_actions", np.int64, (ACTION_LIMIT,)),
        ("root_visits", np.int64, (ACTION_LIMIT,)),
        ("root_rewards", np.float64, (ACTION_LIMIT, PLAYER_LIMIT)),  # sums
        ("root_scores", np.float64, (ACTION_LIMIT, PLAYER_LIMIT)),  # sums
    ],
    align=True,
)


class Settings(NamedTuple):
    """What the kernels of the tree searches are told; always these types, so that they are compiled once."""

    observer: int  # the player whose knowledge the search may use
    is_fair: bool  # whether what the observer does not know is dealt anew
    is_multiple: bool  # whether every player has a tree of the own view (MO)
    world_iterations: int  # after so many a new world is dealt and the tree begins anew (UCT)
    exploration: float
    epsilon: float  # share of random actions in playouts
    stage_limit: int  # where the tree and playouts end
    paranoid: int  # the root player, or NOT_PARANOID
    weights: np.ndarray  # [4] float64, of the reward


class Desk(NamedTuple):
    """The working memory of one tree."""

    states: np.ndarray  # [3] records: the start, the world of the tree, the state of the iteration
    menus: np.ndarray  # [1] MENU
    rng: np.ndarray  # [1] uint64
    notes: np.ndarray  # [1] NOTES


def new_desk(states: np.ndarray) -> Desk:
    """Return the working memory for a search from states[0]."""
    return Desk(np.repeat(states[:1], 3), new_menus(), np.zeros(1, np.uint64), np.zeros(1, NOTES))


@kernel
def list_seen(notes, state, menu, observer):
    """List the legal actions of a state, and the labels that they bear for an observer."""
    list_actions(state, menu)
    start_labels(notes, list_menu(menu, notes.actions))
    for place in range(notes.action_count):
        label = np.int64(observed_action(state, notes.actions[place], observer))
        notes.label_of[place] = add_label(notes, label)


@kernel
def list_plain(notes, state, menu):
    """List the legal actions of a state, each its own label."""
    list_actions(state, menu)
    start_labels(notes, list_menu(menu, notes.actions))
    for place in range(notes.action_count):
        notes.label_of[place] = add_label(notes, notes.actions[place])


@kernel
def start_labels(notes, size):
    """Forget the labels of the last state; a table of twice the size of the menu is enough for those to come."""
    notes.action_count = size
    notes.label_count = 0
    notes.stamp += 1
    table = 2
    while table < 2 * size:
        table *= 2
    notes.mask = table - 1


@kernel
def find_slot(notes, label):
    """Return the slot of a label, or the free one where it belongs."""
    slot = np.int64(mix(np.uint64(label)) >> np.uint64(1)) & notes.mask
    while notes.stamps[slot] == notes.stamp and notes.labels[notes.slots[slot]] != label:
        slot = (slot + 1) & notes.mask
    return slot


@kernel
def add_label(notes, label):
    """Return the index of a label, new or met before."""
    slot = find_slot(notes, label)
    if notes.stamps[slot] != notes.stamp:
        index = notes.label_count
        notes.label_count += 1
        notes.stamps[slot] = notes.stamp
        notes.slots[slot] = index
        notes.labels[index] = label
        notes.copies[index] = 0
        notes.edges[index] = NO_EDGE
    index = np.int64(notes.slots[slot])
    notes.copies[index] += 1
    return index


@kernel
def match_edges(tree, node, notes):
    """Find the edges of a node that are available now, and count that; return the number of untried labels."""
    untried = notes.label_count
    edge = tree.nodes[node].first_edge
    while edge != NO_EDGE:
        slot = find_slot(notes, tree.edges[edge].label)
        if notes.stamps[slot] == notes.stamp:
            notes.edges[notes.slots[slot]] = edge
            tree.edges[edge].available += 1
            untried -= 1
        edge = tree.edges[edge].next_edge
    return untried


@kernel
def draw_untried(notes, rng, untried):
    """Return the index of one of so many labels without an edge, all equally likely."""
    left = draw_below(rng, untried)
    index = 0
    while notes.edges[index] != NO_EDGE or left > 0:
        if notes.edges[index] == NO_EDGE:
            left -= 1
        index += 1
    return index


@kernel
def best_label(tree, notes, player, exploration):
    """Return the index of the label with the highest bound for a player, the first of equals; all must have edges."""
    best = NO_CHOICE
    highest = -np.inf
    for index in range(notes.label_count):
        edge = notes.edges[index]
        bound = upper_bound(tree, edge, player, math.log(tree.edges[edge].available), exploration)
        if bound > highest:
            highest = bound
            best = index
    return best


@kernel
def draw_bearer(notes, rng, index):
    """Return one of the actions that bear a label, all equally likely."""
    copies = np.int64(notes.copies[index])
    left = draw_below(rng, copies) if copies > 1 else 0
    place = 0
    while notes.label_of[place] != index or left > 0:
        if notes.label_of[place] == index:
            left -= 1
        place += 1
    return notes.actions[place]


@kernel
def finish_iteration(tree, desk, settings):
    """Play out from the current state, reward the players, and back the rewards up along the path."""
    state = desk.states[CURRENT]
    notes = desk.notes[0]
    play_out(state, desk.menus[0], desk.rng, settings.epsilon, settings.stage_limit)
    write_rewards(state, settings.weights, notes.scores, notes.rewards)
    players = player_count(state)
    for player in range(players):
        notes.backed[player] = notes.rewards[player]
    make_paranoid(notes.backed, settings.paranoid, players)
    backpropagate(tree, notes.path, notes.backed)
    if notes.path.edge_count > 0:
        record_root(notes, tree.edges[notes.path.edges[0]].label, players)


@kernel
def record_root(notes, action, players):
    """Add an iteration to the action of the root that it began with; an action without room is left out."""
    row = 0
    while row < notes.root_count and notes.root_actions[row] != action:
        row += 1
    if row == ACTION_LIMIT:
        return
    if row == notes.root_count:
        notes.root_count += 1
        notes.root_actions[row] = action
    notes.root_visits[row] += 1
    for player in range(players):
        notes.root_rewards[row, player] += notes.rewards[player]
        notes.root_scores[row, player] += notes.scores[player]
