"""The tree: nodes and edges in flat arrays of a fixed size, the same for every tree search.

A node stands for what the owner of the tree knows: a state, or all states that look the same. An edge stands for
an action, or for all actions that look the same, and bears a label. The arrays never grow: when they are
full `add_node` and `add_edge` say so, and a search goes on with the tree it has.

Two kinds of search use it. Where nothing is hidden, nodes reached by several orders of actions are merged: `enter_node`
finds them by hash, several edges lead to one node, and there are four edges for each node. Elsewhere every
edge but those of the roots has a node of its own. `bytes_per_node` says what a node costs, its edges included:
72 bytes for two players, 184 where nodes are merged (their slots included).
"""

import math
from typing import NamedTuple

import numpy as np

from torres_mcts.core.jit import kernel

ROOT = 0
NO_NODE = -1
NO_EDGE = -1
VARIES = -2  # an edge that has led to several nodes: chance decides where it leads
UNLISTED = -1  # nobody has listed the actions of this node yet
NODES, EDGES = range(2)  # places of `Tree.used`
EDGES_PER_MERGED_NODE = 4
PLAYER_LIMIT = 8
PATH_LIMIT = 512  # edges from a root down; below that a search only plays out
PATH_SIZE = PLAYER_LIMIT * (PATH_LIMIT + 1)  # an iteration may walk down a tree of each player


NODE = np.dtype(
    [
        ("visits", np.int32),
        ("first_edge", np.int32),  # the newest edge, or NO_EDGE
        ("untried", np.int32),  # legal actions without an edge, or UNLISTED (kept where nodes are merged)
        ("hash", np.uint64),  # of the state (where nodes are merged)
    ],
    align=True,
)
EDGE = np.dtype(
    [
        ("label", np.int64),
        ("value", np.float64),  # sum of the rewards of the player who chose the edge
        ("child", np.int32),  # node, NO_NODE or VARIES
        ("next_edge", np.int32),  # the next older edge of the same node, or NO_EDGE
        ("visits", np.int32),
        ("available", np.int32),  # how often the edge could have been chosen (where nodes are not merged)
    ],
    align=True,
)
PATH = np.dtype(
    [
        ("node_count", np.int64),
        ("edge_count", np.int64),
        ("nodes", np.int32, (PATH_SIZE,)),
        ("edges", np.int32, (PATH_SIZE,)),
        ("movers", np.int32, (PATH_SIZE,)),  # for each edge the player who chose it
    ],
    align=True,
)


class Tree(NamedTuple):
    """Nodes and edges; what is not in use yet holds anything."""

    used: np.ndarray  # [2] int64, nodes and edges in use
    nodes: np.ndarray  # [nodes] NODE
    values: np.ndarray  # [nodes, players] float64, sums of rewards
    edges: np.ndarray  # [edges] EDGE
    slots: np.ndarray  # [power of two] int32, node + 1 by hash, open addressing, 0 if empty (where nodes are merged)


def new_tree(node_budget: int, players: int, *, is_merging: bool = False) -> Tree:
    """Return an empty tree with room for so many nodes; memory is taken up as it grows."""
    return Tree(
        used=np.zeros(2, np.int64),
        nodes=np.zeros(node_budget, NODE),
        values=np.zeros((node_budget, players), np.float64),
        edges=np.zeros(node_budget * (EDGES_PER_MERGED_NODE if is_merging else 1), EDGE),
        slots=np.zeros(1 << (2 * node_budget - 1).bit_length() if is_merging else 1, np.int32),
    )


def bytes_per_node(players: int, *, is_merging: bool = False) -> int:
    """Return the memory of a node with its share of edges and slots (at the most: slots are a power of two).

    >>> bytes_per_node(2), bytes_per_node(4), bytes_per_node(2, is_merging=True)
    (72, 88, 184)
    """
    node = NODE.itemsize + 8 * players
    return node + (EDGES_PER_MERGED_NODE * EDGE.itemsize + 4 * 4 if is_merging else EDGE.itemsize)


@kernel
def clear_tree(tree, roots):
    """Forget everything but so many roots, which are the first nodes."""
    tree.used[NODES] = 0
    tree.used[EDGES] = 0
    tree.slots[:] = 0
    for _ in range(roots):
        add_node(tree)


@kernel
def is_full(tree):
    """Tell whether no node or no edge can be added."""
    return tree.used[NODES] == tree.nodes.size or tree.used[EDGES] == tree.edges.size


@kernel
def add_node(tree):
    """Return a new node without visits and edges, or NO_NODE if there is no room."""
    node = tree.used[NODES]
    if node == tree.nodes.size:
        return NO_NODE
    tree.used[NODES] = node + 1
    tree.nodes[node].visits = 0
    tree.nodes[node].first_edge = NO_EDGE
    tree.nodes[node].untried = UNLISTED
    tree.values[node, :] = 0.0
    return node


@kernel
def add_edge(tree, node, label):
    """Return a new edge of a node that leads nowhere yet, or NO_EDGE if there is no room."""
    edge = tree.used[EDGES]
    if edge == tree.edges.size:
        return NO_EDGE
    tree.used[EDGES] = edge + 1
    tree.edges[edge].label = label
    tree.edges[edge].child = NO_NODE
    tree.edges[edge].next_edge = tree.nodes[node].first_edge
    tree.edges[edge].visits = 0
    tree.edges[edge].available = 0
    tree.edges[edge].value = 0.0
    tree.nodes[node].first_edge = edge
    return edge


@kernel
def find_edge(tree, node, label):
    """Return the edge of a node that bears a label, or NO_EDGE."""
    edge = tree.nodes[node].first_edge
    while edge != NO_EDGE and tree.edges[edge].label != label:
        edge = tree.edges[edge].next_edge
    return edge


@kernel
def enter_node(tree, digest):
    """Return the node of a state by its hash: a new one, without visits, if there is none; NO_NODE without room."""
    mask = np.uint64(tree.slots.size - 1)
    slot = np.int64(digest & mask)
    while tree.slots[slot] != 0:
        node = np.int64(tree.slots[slot]) - 1
        if tree.nodes[node].hash == digest:
            return node
        slot = np.int64((np.uint64(slot) + np.uint64(1)) & mask)
    node = add_node(tree)
    if node != NO_NODE:
        tree.slots[slot] = node + 1
        tree.nodes[node].hash = digest
    return node


@kernel
def lead_edge(tree, edge, node):
    """Note where an edge led: to the same node always, or to several."""
    if tree.edges[edge].visits == 0:
        tree.edges[edge].child = node
    elif tree.edges[edge].child != node:
        tree.edges[edge].child = VARIES


@kernel
def mean_of(tree, edge, player):
    """Return the mean reward of a player behind an edge that was visited.

    It is the mean of the node that the edge leads to, however that was reached; where the edge leads to none or to
    several it is the mean of the edge itself, and the player must be the one who chose it.
    """
    child = tree.edges[edge].child
    if child >= 0:
        return tree.values[child, player] / tree.nodes[child].visits
    return tree.edges[edge].value / tree.edges[edge].visits


@kernel
def upper_bound(tree, edge, player, log_chances, exploration):
    """Return the upper confidence bound of an edge (UCB1), given the logarithm of how often it could be chosen."""
    return mean_of(tree, edge, player) + exploration * math.sqrt(log_chances / tree.edges[edge].visits)


@kernel
def best_edge(tree, node, player, exploration):
    """Return the edge of a fully tried node with the highest upper bound for a player; the newest of equals."""
    log_chances = math.log(tree.nodes[node].visits)
    best = NO_EDGE
    highest = -np.inf
    edge = tree.nodes[node].first_edge
    while edge != NO_EDGE:
        bound = upper_bound(tree, edge, player, log_chances, exploration)
        if bound > highest:
            highest = bound
            best = edge
        edge = tree.edges[edge].next_edge
    return best


@kernel
def start_path(path):
    """Forget the path of the last iteration."""
    path.node_count = 0
    path.edge_count = 0


@kernel
def note_node(path, node):
    """Put a node on the path."""
    path.nodes[path.node_count] = node
    path.node_count += 1


@kernel
def note_edge(path, edge, mover):
    """Put an edge on the path, with the player who chose it."""
    path.edges[path.edge_count] = edge
    path.movers[path.edge_count] = mover
    path.edge_count += 1


@kernel
def backpropagate(tree, path, rewards):
    """Count a visit of every node and edge on the path, and add the rewards of all players (max^n)."""
    for place in range(path.node_count):
        node = path.nodes[place]
        tree.nodes[node].visits += 1
        for player in range(tree.values.shape[1]):
            tree.values[node, player] += rewards[player]
    for place in range(path.edge_count):
        edge = tree.edges[path.edges[place]]
        edge.visits += 1
        edge.value += rewards[path.movers[place]]
