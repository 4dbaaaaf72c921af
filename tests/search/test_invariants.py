"""What holds in every tree: visits add up, values stay within visits, and a full tree does not end the search."""

import numpy as np
import pytest

from tests.small_games.hiding import new_hiding
from tests.small_games.kuhn import JACK, KING, QUEEN, new_kuhn
from tests.small_games.nim import new_nim
from tests.small_games.tic_tac_toe import new_tic_tac_toe
from torres_mcts.search.limits import Limit
from torres_mcts.search.playout import NO_STAGE_LIMIT
from torres_mcts.search.rewards import NOT_PARANOID, Reward
from torres_mcts.search.trees.ismcts import run_ismcts
from torres_mcts.search.trees.phases import Desk, Settings, new_desk
from torres_mcts.search.trees.run import ENGINES, ONE_WORLD, TreeEngine, search_tree
from torres_mcts.search.trees.tree import EDGES, NO_EDGE, NODES, ROOT, VARIES, Tree, new_tree
from torres_mcts.search.trees.uct import run_uct

pytestmark = pytest.mark.kernel

GAMES = {
    "nim": new_nim((2, 3)),
    "tic-tac-toe": new_tic_tac_toe("X.. .O. ..."),
    "kuhn": new_kuhn(QUEEN, KING),
    "kuhn with a plan": new_kuhn(QUEEN, JACK, plan=((0.3, 0.2), (0.5, 0.5), (0.9, 1.0))),
    "hiding": new_hiding(),
}
ITERATIONS = 3000
PLAYERS = 2


def grow(states: np.ndarray, name: str, nodes: int = 100_000) -> tuple[Tree, Desk]:
    """Run one tree and return it."""
    settings = Settings(
        observer=0,
        is_fair=name != "cheat",
        is_multiple=name == "mo-ismcts",
        world_iterations=ONE_WORLD,
        exploration=0.7,
        epsilon=1.0,
        stage_limit=NO_STAGE_LIMIT,
        paranoid=NOT_PARANOID,
        weights=Reward().weights(),
    )
    is_merging = not name.endswith("ismcts")
    tree, desk = new_tree(nodes, PLAYERS, is_merging=is_merging), new_desk(states)
    kernel = run_uct if is_merging else run_ismcts
    for first in range(0, ITERATIONS, 1000):
        kernel(tree, desk, settings, np.uint64(7), np.uint64(0), first, 1000)
    return tree, desk


def edges_of(tree: Tree, node: int) -> list[int]:
    """List the edges of a node."""
    edges, edge = [], int(tree.nodes["first_edge"][node])
    while edge != NO_EDGE:
        edges.append(edge)
        edge = int(tree.edges["next_edge"][edge])
    return edges


def ends_at(tree: Tree, node: int) -> int:
    """Return the visits of a node less those of its edges: the iterations that ended there."""
    return int(tree.nodes["visits"][node] - tree.edges["visits"][edges_of(tree, node)].sum())


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", ["cheat", "so-ismcts", "mo-ismcts"])
def test_every_node_holds_what_its_edges_and_ends_brought(name: str, game: str) -> None:
    tree, _ = grow(GAMES[game], name)
    used, roots = int(tree.used[NODES]), PLAYERS if name == "mo-ismcts" else 1
    assert [ends_at(tree, node) for node in range(roots)] == [0] * roots
    assert tree.nodes["visits"][:roots].tolist() == [ITERATIONS] * roots
    assert all(ends_at(tree, node) >= 1 for node in range(roots, used) if not edges_of(tree, node))
    assert sum(ends_at(tree, node) for node in range(used)) == roots * ITERATIONS


@pytest.mark.parametrize("name", ["cheat", "so-ismcts"])
def test_the_visits_of_edges_sum_to_those_of_their_node_minus_one(name: str) -> None:
    tree, _ = grow(GAMES["tic-tac-toe"], name)
    inner = [node for node in range(1, int(tree.used[NODES])) if edges_of(tree, node)]
    assert len(inner) > 50
    assert {ends_at(tree, node) for node in inner} == {1}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", ["cheat", "so-ismcts", "mo-ismcts"])
def test_values_lie_between_0_and_visits(name: str, game: str) -> None:
    tree, _ = grow(GAMES[game], name)
    nodes, edges = int(tree.used[NODES]), int(tree.used[EDGES])
    visits, values = tree.nodes["visits"][:nodes], tree.values[:nodes]
    assert np.all(values >= 0)
    assert np.all(values <= visits[:, None])
    assert values.sum(axis=1) == pytest.approx(visits)  # a win is worth 1 for all players together
    assert np.all(tree.edges["value"][:edges] <= tree.edges["visits"][:edges])
    assert np.all(tree.edges["visits"][:edges] >= 1)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", ["so-ismcts", "mo-ismcts"])
def test_an_edge_was_available_whenever_it_was_visited(name: str, game: str) -> None:
    tree, _ = grow(GAMES[game], name)
    edges = tree.edges[: int(tree.used[EDGES])]
    assert np.all(edges["available"] >= edges["visits"])
    assert np.all(edges["visits"] == tree.nodes["visits"][edges["child"]])


@pytest.mark.parametrize("game", ["nim", "tic-tac-toe", "kuhn"])
def test_a_merged_node_has_the_visits_of_all_edges_that_lead_to_it(game: str) -> None:
    tree, _ = grow(GAMES[game], "cheat")
    nodes, edges = int(tree.used[NODES]), tree.edges[: int(tree.used[EDGES])]
    arrived = np.bincount(edges["child"], weights=edges["visits"], minlength=nodes)
    assert arrived[1:].tolist() == tree.nodes["visits"][1:nodes].tolist()
    if game != "kuhn":  # the order of actions matters there
        assert len(edges) > nodes


def test_no_state_has_two_nodes() -> None:
    tree, _ = grow(GAMES["nim"], "cheat")
    hashes = tree.nodes["hash"][: int(tree.used[NODES])]
    assert len(set(hashes.tolist())) == len(hashes)
    assert len(hashes) <= 3 * 4 * 2  # heaps of 0 to 2 and 0 to 3, two players to move


def test_where_chance_answers_an_edge_leads_to_several_nodes() -> None:
    tree, _ = grow(GAMES["kuhn with a plan"], "cheat")
    assert set(tree.edges["child"][edges_of(tree, ROOT)].tolist()) == {VARIES}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", ["cheat", "so-ismcts", "mo-ismcts"])
def test_the_table_of_the_root_agrees_with_the_tree(name: str, game: str) -> None:
    tree, desk = grow(GAMES[game], name)
    notes, edges = desk.notes[0], tree.edges[edges_of(tree, ROOT)]  # player 0 moves first in all games
    size = int(notes["root_count"])
    found = dict(zip(notes["root_actions"][:size].tolist(), notes["root_visits"][:size].tolist(), strict=True))
    assert found == dict(zip(edges["label"].tolist(), edges["visits"].tolist(), strict=True))
    rewards = dict(zip(notes["root_actions"][:size].tolist(), notes["root_rewards"][:size, 0].tolist(), strict=True))
    assert rewards == pytest.approx(dict(zip(edges["label"].tolist(), edges["value"].tolist(), strict=True)))


@pytest.mark.parametrize("nodes", [3, 10, 50])
@pytest.mark.parametrize("name", ["cheat", "so-ismcts", "mo-ismcts"])
def test_a_full_tree_does_not_grow_but_the_iterations_go_on(name: str, nodes: int) -> None:
    tree, _ = grow(GAMES["tic-tac-toe"], name, nodes)
    assert tree.used[NODES] <= nodes
    assert tree.used[EDGES] <= len(tree.edges)
    assert max(tree.used[NODES] / nodes, tree.used[EDGES] / len(tree.edges)) == 1
    assert tree.nodes["visits"][ROOT] == ITERATIONS
    assert all(ends_at(tree, node) >= 0 for node in range(int(tree.used[NODES])))


@pytest.mark.parametrize("name", ENGINES)
def test_the_node_budget_of_a_search_is_for_all_trees_together(name: str) -> None:
    limit = Limit(iterations=4000, nodes=400)
    summary = search_tree(new_tic_tac_toe("... ... ..."), TreeEngine(name, trees=4), limit=limit, seed=1)
    assert summary.iterations == 4000
    assert summary.nodes <= 400
    assert summary.is_full
    assert len(summary.actions) == 9
