"""The pool of nodes and edges: what is added is found again, until it is full."""

from typing import Any

import numba
import numpy as np
import pytest

from torres_mcts.search.trees.tree import (
    EDGES,
    NO_EDGE,
    NO_NODE,
    NODES,
    ROOT,
    VARIES,
    Tree,
    add_edge,
    add_node,
    best_edge,
    bytes_per_node,
    clear_tree,
    enter_node,
    find_edge,
    is_full,
    lead_edge,
    new_tree,
)

pytestmark = pytest.mark.kernel


@numba.njit
def clear(tree: Any, roots: Any) -> None:
    """Call clear_tree."""
    clear_tree(tree, roots)


@numba.njit
def add_edges(tree: Any, node: Any, labels: Any, edges: Any) -> None:
    """Call add_edge for each label."""
    for place in range(labels.size):
        edges[place] = add_edge(tree, node, labels[place])


@numba.njit
def find_edges(tree: Any, node: Any, labels: Any, edges: Any) -> None:
    """Call find_edge for each label."""
    for place in range(labels.size):
        edges[place] = find_edge(tree, node, labels[place])


@numba.njit
def enter_nodes(tree: Any, hashes: Any, nodes: Any) -> None:
    """Call enter_node for each hash."""
    for place in range(hashes.size):
        nodes[place] = enter_node(tree, hashes[place])


@numba.njit
def grow(tree: Any) -> Any:
    """Call add_node."""
    return add_node(tree)


@numba.njit
def lead(tree: Any, edge: Any, node: Any) -> None:
    """Call lead_edge and count the visit."""
    lead_edge(tree, edge, node)
    tree.edges[edge].visits += 1


@numba.njit
def choose(tree: Any, node: Any, player: Any, exploration: Any) -> Any:
    """Call best_edge."""
    return best_edge(tree, node, player, exploration)


@numba.njit
def full(tree: Any) -> Any:
    """Call is_full."""
    return is_full(tree)


def calling(kernel: Any, tree: Tree, *arguments: Any) -> list[int]:
    """Return what a kernel writes for each of a list of labels or hashes."""
    answers = np.zeros(len(arguments[-1]), np.int64)
    kernel(tree, *arguments, answers)
    return answers.tolist()


def test_edges_are_found_by_label_at_their_own_node_only() -> None:
    tree = new_tree(10, 2)
    clear(tree, 2)
    labels = np.array([7, -3, 2**40])
    assert calling(add_edges, tree, 0, labels) == [0, 1, 2]
    assert calling(find_edges, tree, 0, labels[::-1].copy()) == [2, 1, 0]
    assert calling(find_edges, tree, 1, labels) == [NO_EDGE] * 3
    assert calling(find_edges, tree, 0, np.array([8])) == [NO_EDGE]


def test_a_full_tree_adds_nothing_and_keeps_what_it_has() -> None:
    tree = new_tree(3, 2)
    clear(tree, 1)
    assert [grow(tree), grow(tree), grow(tree), grow(tree)] == [1, 2, NO_NODE, NO_NODE]
    assert calling(add_edges, tree, 0, np.arange(5)) == [0, 1, 2, NO_EDGE, NO_EDGE]
    assert full(tree)
    assert tree.used.tolist() == [3, 3]
    assert calling(find_edges, tree, 0, np.arange(4)) == [0, 1, 2, NO_EDGE]


def test_a_tree_is_empty_but_for_its_roots_after_clearing() -> None:
    tree = new_tree(8, 2, is_merging=True)
    clear(tree, 0)
    hashes = np.array([5, 6], np.uint64)
    calling(enter_nodes, tree, hashes)
    calling(add_edges, tree, ROOT, np.arange(3))
    tree.nodes["visits"], tree.values[:] = 9, 9
    clear(tree, 2)
    assert (tree.used[NODES], tree.used[EDGES]) == (2, 0)
    assert tree.nodes["visits"][:2].tolist() == [0, 0]
    assert tree.values[:2].tolist() == [[0, 0], [0, 0]]
    assert calling(find_edges, tree, ROOT, np.arange(3)) == [NO_EDGE] * 3
    assert calling(enter_nodes, tree, hashes) == [2, 3]


def test_a_state_has_one_node_however_often_it_is_entered() -> None:
    tree = new_tree(100, 2, is_merging=True)
    clear(tree, 0)
    hashes = np.array([place % 40 * tree.slots.size for place in range(200)], np.uint64)  # all begin at the same slot
    assert calling(enter_nodes, tree, hashes) == [place % 40 for place in range(200)]


def test_a_full_table_still_finds_its_nodes() -> None:
    tree = new_tree(4, 2, is_merging=True)
    clear(tree, 0)
    hashes = np.array([11, 22, 33, 44, 55, 22], np.uint64)
    assert calling(enter_nodes, tree, hashes) == [0, 1, 2, 3, NO_NODE, 1]


def test_an_edge_that_leads_to_two_nodes_varies() -> None:
    tree = new_tree(4, 2, is_merging=True)
    clear(tree, 3)
    calling(add_edges, tree, ROOT, np.arange(1))
    for node, child in ((1, 1), (1, 1), (2, VARIES), (1, VARIES)):
        lead(tree, 0, node)
        assert tree.edges["child"][0] == child


def test_the_bound_prefers_value_without_exploration_and_few_visits_with_it() -> None:
    tree = new_tree(4, 2)
    clear(tree, 3)
    calling(add_edges, tree, ROOT, np.array([100, 200]))
    tree.edges["child"][:2] = 1, 2
    tree.edges["visits"][:2] = tree.nodes["visits"][1:3] = 90, 10
    tree.nodes["visits"][0] = 101
    tree.values[1:3] = [[60, 30], [6, 4]]
    assert choose(tree, ROOT, 0, 0.0) == 0
    assert choose(tree, ROOT, 1, 0.0) == 1
    assert choose(tree, ROOT, 0, 1.0) == 1


@pytest.mark.parametrize("is_merging", [False, True])
def test_a_node_takes_the_memory_that_is_stated(is_merging: bool) -> None:
    tree = new_tree(1 << 10, 3, is_merging=is_merging)
    size = sum(array.nbytes for array in tree) / (1 << 10)
    assert 0.9 * bytes_per_node(3, is_merging=is_merging) < size <= bytes_per_node(3, is_merging=is_merging) + 1
