"""Information set MCTS: one tree over what players know, a freshly dealt world for every iteration.

Every iteration deals all that the root's observer does not know, and walks down only along edges that are legal in
that world; exploration counts how often an edge was available (Cowling, Powley, Whitehouse 2012). Edges are labelled
by what the owner of the tree sees of an action; one of the actions behind a label is drawn uniformly.

* SO: one tree, owned by the observer.
* MO: a tree for each player, all walked down at once; the player to move chooses in the own tree by own labels.

All trees share one pool; their roots are the first nodes. What chance decides while an action is played (dice, drawn
cards) is no label: the node behind an action stands for all its results, and what they make possible shows in the
availability of the edges below. The visits of a node are those of its edges plus the iterations that ended there:
one when it was new, and any at the end of the game or after the tree was full. For every edge availability >= visits.
"""

import numpy as np

from torres_mcts.core.jit import entry_kernel, kernel
from torres_mcts.core.protocol import determinize, observed_action, play_action, player_count, player_to_move
from torres_mcts.core.rng import reseed
from torres_mcts.search.playout import is_finished
from torres_mcts.search.trees.phases import (
    CURRENT,
    NO_CHOICE,
    START,
    best_label,
    draw_bearer,
    draw_untried,
    finish_iteration,
    list_seen,
    match_edges,
)
from torres_mcts.search.trees.tree import (
    NO_EDGE,
    NO_NODE,
    PATH_LIMIT,
    add_edge,
    add_node,
    clear_tree,
    find_edge,
    is_full,
    note_edge,
    note_node,
    start_path,
)

SINGLE_VIEW = 0  # the only tree of SO


@entry_kernel
def run_ismcts(tree, desk, settings, seed, stream, first, iterations):
    """Run some iterations of one search from desk.states[START], numbered from `first`; each has its own random stream.

    stream: uint64, the first stream of this search
    """
    views = player_count(desk.states[START]) if settings.is_multiple else 1
    if first == 0:
        clear_tree(tree, views)
    for iteration in range(first, first + iterations):
        reseed(desk.rng, seed, stream + np.uint64(iteration))
        desk.states[CURRENT] = desk.states[START]
        determinize(desk.states[CURRENT], settings.observer, desk.rng)
        descend(tree, desk, settings, views)
        finish_iteration(tree, desk, settings)


@kernel
def descend(tree, desk, settings, views):
    """Walk down from the roots to a new edge, an end, or where a full tree ends; the current state walks along."""
    state = desk.states[CURRENT]
    notes = desk.notes[0]
    start_views(notes, views)
    for _ in range(PATH_LIMIT):
        if is_finished(state, settings.stage_limit):
            return
        mover = np.int64(player_to_move(state))
        own = mover if settings.is_multiple else SINGLE_VIEW
        if notes.views[own] == NO_NODE:
            return
        list_seen(notes, state, desk.menus[0], mover if settings.is_multiple else settings.observer)
        index = choose_label(tree, notes, desk.rng, notes.views[own], mover, settings.exploration)
        if index == NO_CHOICE:
            return
        action = draw_bearer(notes, desk.rng, index)
        is_new = notes.edges[index] == NO_EDGE
        take_edge(tree, notes, own, np.int64(notes.edges[index]), notes.labels[index], mover)
        for view in range(views):
            if view != own and notes.views[view] != NO_NODE:
                follow(tree, notes, view, np.int64(observed_action(state, action, view)), mover)
        play_action(state, action, desk.rng)
        if is_new:
            return


@kernel
def start_views(notes, views):
    """Begin a path at the root of every tree."""
    start_path(notes.path)
    for view in range(views):
        notes.views[view] = view
        note_node(notes.path, view)


@kernel
def choose_label(tree, notes, rng, node, mover, exploration):
    """Return an untried label, all equally likely; with none left the best one; NO_CHOICE if the tree is full."""
    untried = match_edges(tree, node, notes)
    if untried == 0:
        return best_label(tree, notes, mover, exploration)
    if is_full(tree):
        return NO_CHOICE
    return draw_untried(notes, rng, untried)


@kernel
def follow(tree, notes, view, label, mover):
    """Take the edge of what the owner of another tree sees of the action."""
    edge = np.int64(find_edge(tree, notes.views[view], label))
    if edge != NO_EDGE:
        tree.edges[edge].available += 1
    take_edge(tree, notes, view, edge, label, mover)


@kernel
def take_edge(tree, notes, view, edge, label, mover):
    """Go to the node behind an edge, adding both where the edge is new; without room the view is lost."""
    if edge == NO_EDGE and not is_full(tree):
        edge = add_edge(tree, notes.views[view], label)
        tree.edges[edge].available = 1
        tree.edges[edge].child = add_node(tree)
    if edge == NO_EDGE:
        notes.views[view] = NO_NODE
        return
    note_edge(notes.path, edge, mover)
    notes.views[view] = tree.edges[edge].child
    note_node(notes.path, notes.views[view])
