"""How fast the engine is: playouts per second, and the time of the first call."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from torres_mcts import __version__
from torres_mcts.core.jit import is_compiled
from torres_mcts.core.menu import new_menus
from torres_mcts.core.rng import new_rng
from torres_mcts.games.torres import verbs  # noqa: F401 (teaches the playouts this game)
from torres_mcts.games.torres.engine.state import STATE
from torres_mcts.games.torres.position import Position
from torres_mcts.games.torres.record import play_setup
from torres_mcts.games.torres.rules import Rules
from torres_mcts.search.limits import Limit
from torres_mcts.search.playout import run_playouts
from torres_mcts.search.trees.run import ENGINES as TREE_ENGINES
from torres_mcts.search.trees.run import TreeEngine, search_tree
from torres_mcts.search.trees.tree import bytes_per_node
from torres_mcts.search.turns.generator import generate_turns, new_table

BATCH_SECONDS = 0.05
SPEED_UP_ENGINE = "so-ismcts"

_FIRST_CALL = """
import time
start = time.perf_counter()
from torres_mcts import Position, Rules
from torres_mcts.analysis.speed import measure_playouts
position = Position.new(Rules.preset("2017"), seed=1)
position.play(position.legal_actions()[0])
measure_playouts(position.rules, seconds=0, parts=1, seed=1)
print(time.perf_counter() - start)
"""


def measure_playouts(rules: Rules, *, seconds: float, parts: int, seed: int) -> dict[str, Any]:
    """Measure uniformly random playouts from the start of a game, single thread, a fresh shuffle each."""
    position = Position.new(rules, seed=seed)
    states = np.concatenate([position.state_array, position.state_array])
    _run_part(states, seed, 0, 0.0)  # compiled now, if it was not
    rates, parts_done = [], []
    wall = cpu = 0.0
    done = 0
    for _ in range(parts):
        part, part_wall, part_cpu = _run_part(states, seed, done, seconds / parts)
        done += len(part)
        parts_done.append(part)
        wall, cpu = wall + part_wall, cpu + part_cpu
        rates.append(len(part) / part_cpu)
    counts = np.concatenate(parts_done)
    actions = counts[:, 0]
    return {
        "version": __version__,
        "rules": rules.to_dict(),
        "seed": seed,
        "playouts": done,
        "playouts_per_second": done / wall,
        "playouts_per_cpu_second": done / cpu,
        "playouts_per_cpu_second_range": [min(rates), max(rates)],
        "actions_per_second": float(actions.sum()) / wall,
        "nanoseconds_per_action": cpu / float(actions.sum()) * 1e9,
        "actions_per_playout": float(actions.mean()),
        "actions_per_playout_se": float(actions.std(ddof=1) / np.sqrt(len(actions))) if len(actions) > 1 else 0.0,
        "branching": float(counts[:, 1].sum() / actions.sum()),
        "state_bytes": STATE.itemsize,
    }


def _run_part(states: np.ndarray, seed: int, first: int, seconds: float) -> tuple[np.ndarray, float, float]:
    """Play for some seconds; return actions and choices of each playout, wall time and CPU time."""
    menus, rng = new_menus(), new_rng(seed)
    counts = []
    batch = 100
    wall, cpu = time.perf_counter(), time.process_time()
    while True:
        actions, choices = np.empty(batch, np.int64), np.empty(batch, np.int64)
        began = time.perf_counter()
        run_playouts(states, menus, rng, np.uint64(seed), first, actions, choices)
        counts.append(np.column_stack([actions, choices]))
        first += batch
        now = time.perf_counter()
        if now - wall >= seconds:
            return np.concatenate(counts), now - wall, time.process_time() - cpu
        if now - began < BATCH_SECONDS:
            batch *= 2


def measure_first_call() -> dict[str, float]:
    """Time the first calls of fresh processes, imports included: with an empty cache, then from the cache.

    Afterwards the kernels are in this user's cache as well.
    """
    if not is_compiled():
        return {"compile_seconds": _first_call(os.environ), "load_seconds": _first_call(os.environ)}
    with tempfile.TemporaryDirectory() as folder:
        cold = _first_call({**os.environ, "TORRES_CACHE_DIR": folder})
    return {"compile_seconds": cold, "load_seconds": _first_call(os.environ)}


def _first_call(environment: Mapping[str, str]) -> float:
    """Return the seconds that a fresh process takes to list, play and play out for the first time."""
    command = [sys.executable, "-c", _FIRST_CALL]
    return float(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)


def measure_search(rules: Rules, *, seconds: float, seed: int) -> dict[str, Any]:
    """Measure the searches in the first turn of a game: iterations, distinct turns, what a second thread brings."""
    position = play_setup(Position.new(rules, seed=seed), seed=seed)
    engines = {name: TreeEngine(name) for name in TREE_ENGINES}
    for name in TREE_ENGINES:
        engines[f"{name}, cut at the year's end, quick choices"] = TreeEngine(name, horizon=0, epsilon=0.1)
    iterations = {name: _tree_rate(position, engine, seconds, seed, threads=1) for name, engine in engines.items()}
    both = _tree_rate(position, engines[SPEED_UP_ENGINE], seconds, seed, threads=2)
    return {
        "iterations_per_second": iterations,
        "speed_up_2_threads": both / iterations[SPEED_UP_ENGINE],
        "turns": _turn_rate(position, seed),
        "bytes_per_node": {
            "tree": bytes_per_node(rules.players),
            "graph": bytes_per_node(rules.players, is_merging=True),
        },
    }


def _tree_rate(position: Position, engine: TreeEngine, seconds: float, seed: int, threads: int) -> float:
    """Return the iterations per second of a tree search."""
    search_tree(position.state_array, engine, limit=Limit(iterations=engine.trees), seed=seed)  # compiled now
    summary = search_tree(position.state_array, engine, limit=Limit(time=seconds), seed=seed, threads=threads)
    return summary.iterations / summary.seconds


def _turn_rate(position: Position, seed: int) -> dict[str, Any]:
    """Measure the turn generator on a whole turn."""
    states, table = np.repeat(position.state_array, 3), new_table(1_000_000, 1_000_000)
    generate_turns(table, states, new_menus(), new_rng(seed), 1, 1)  # compiled now
    started = time.process_time()
    exhaustive = generate_turns(table, states, new_menus(), new_rng(seed), 0, 1)
    spent = time.process_time() - started
    ends = table.ends[: table.desks[0]["end_count"]]
    return {
        "exhaustive": bool(exhaustive),
        "distinct_turns": len(ends),
        "states": int(table.desks[0]["entry_count"]),
        "orders": float(ends["orders"].sum()),
        "cpu_seconds": spent,
        "turns_per_cpu_second": len(ends) / spent,
    }
