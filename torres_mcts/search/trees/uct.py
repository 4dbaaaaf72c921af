"""UCT on one fully known world: every state of it is a node, reached by whatever order of actions.

Nodes are merged by `hash_state`. The exploration of an edge counts the visits of that edge, its value is that of the
merged node (Childs, Brodeur, Kocsis 2008, "UCT2"), and only the nodes on the path are updated. So the visits of a node
are those of its edges plus the iterations that ended there: one when it was new, and any at the end of the game or
after the tree was full. But for the root they are also the visits of the edges that lead to it.

The world of a tree is dealt from what the observer knows, with the seed, and never looked up: engine `uct` deals one
world for each tree, `pimc` deals a new one and begins a new tree every `world_iterations`; the visits of
the root's actions are summed over the worlds. Only the engine `cheat` searches the true world.

Where an action draws from rng while it is played (dice), its edge leads to several nodes and is valued by its own mean.
"""

import numpy as np

from torres_mcts.core.jit import entry_kernel, kernel
from torres_mcts.core.protocol import determinize, hash_state, play_action, player_to_move
from torres_mcts.core.rng import reseed
from torres_mcts.search.playout import is_finished
from torres_mcts.search.trees.phases import (
    CURRENT,
    START,
    WORLD,
    draw_untried,
    finish_iteration,
    list_plain,
    match_edges,
)
from torres_mcts.search.trees.tree import (
    NO_EDGE,
    NO_NODE,
    PATH_LIMIT,
    ROOT,
    add_edge,
    best_edge,
    clear_tree,
    enter_node,
    is_full,
    lead_edge,
    note_edge,
    note_node,
    start_path,
)

WORLD_STREAMS = np.uint64(1 << 39)  # the streams of a tree from here on deal worlds, those before are iterations


@entry_kernel
def run_uct(tree, desk, settings, seed, stream, first, iterations):
    """Run some iterations of one tree from desk.states[START], numbered from `first`; each has its own random stream.

    stream: uint64, the first stream of this tree
    """
    for iteration in range(first, first + iterations):
        if iteration % settings.world_iterations == 0:
            world = np.uint64(iteration // settings.world_iterations)
            reseed(desk.rng, seed, stream + WORLD_STREAMS + world)
            enter_world(tree, desk, settings)
        reseed(desk.rng, seed, stream + np.uint64(iteration))
        desk.states[CURRENT] = desk.states[WORLD]
        descend(tree, desk, settings)
        finish_iteration(tree, desk, settings)


@kernel
def enter_world(tree, desk, settings):
    """Deal the world to search, and begin a new tree."""
    desk.states[WORLD] = desk.states[START]
    if settings.is_fair:
        determinize(desk.states[WORLD], settings.observer, desk.rng)
    clear_tree(tree, 0)
    enter_node(tree, np.uint64(hash_state(desk.states[WORLD])))


@kernel
def descend(tree, desk, settings):
    """Walk down from the root to a new node, an end, or where a full tree ends; the current state walks along."""
    state = desk.states[CURRENT]
    path = desk.notes[0].path
    start_path(path)
    node = np.int64(ROOT)
    note_node(path, node)
    while path.edge_count < PATH_LIMIT and not is_finished(state, settings.stage_limit):
        mover = player_to_move(state)
        edge = choose_edge(tree, node, desk, mover, settings.exploration)
        if edge == NO_EDGE:
            return
        play_action(state, tree.edges[edge].label, desk.rng)
        node = enter_node(tree, np.uint64(hash_state(state)))
        lead_edge(tree, edge, node)
        note_edge(path, edge, mover)
        if node == NO_NODE:
            return
        note_node(path, node)
        if tree.nodes[node].visits == 0:
            return


@kernel
def choose_edge(tree, node, desk, mover, exploration):
    """Return a new edge for an untried action, all equally likely; with none left the best edge; NO_EDGE if full."""
    if tree.nodes[node].untried == 0:
        return best_edge(tree, node, mover, exploration)
    if is_full(tree):
        return NO_EDGE
    notes = desk.notes[0]
    list_plain(notes, desk.states[CURRENT], desk.menus[0])
    untried = match_edges(tree, node, notes)
    index = draw_untried(notes, desk.rng, untried)
    tree.nodes[node].untried = untried - 1
    return add_edge(tree, node, notes.labels[index])
