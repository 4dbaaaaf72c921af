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
from torres_mcts.games.torres.rules import Rules
from torres_mcts.search.playout import count_branching, run_playouts

BRANCHING_PLAYOUTS = 2000
BATCH_SECONDS = 0.05

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
    menus, rng = new_menus(), new_rng(seed)
    run_playouts(states, menus, rng, np.uint64(seed), 0, np.zeros(1, np.int64))  # compiled now, if it was not
    branching = count_branching(states, menus, rng, np.uint64(seed), BRANCHING_PLAYOUTS if seconds else 1)
    rates, counts = [], []
    wall = cpu = 0.0
    done = 0
    for _ in range(parts):
        part_counts, part_wall, part_cpu = _run_part(states, seed, done, seconds / parts)
        done += len(part_counts)
        counts.append(part_counts)
        wall, cpu = wall + part_wall, cpu + part_cpu
        rates.append(len(part_counts) / part_cpu)
    actions = np.concatenate(counts)
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
        "branching": branching,
        "state_bytes": STATE.itemsize,
    }


def _run_part(states: np.ndarray, seed: int, first: int, seconds: float) -> tuple[np.ndarray, float, float]:
    """Play for some seconds; return the actions of each playout, wall time and CPU time."""
    menus, rng = new_menus(), new_rng(seed)
    counts = []
    batch = 100
    wall, cpu = time.perf_counter(), time.process_time()
    while True:
        actions = np.empty(batch, np.int64)
        began = time.perf_counter()
        run_playouts(states, menus, rng, np.uint64(seed), first, actions)
        counts.append(actions)
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
