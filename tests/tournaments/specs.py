"""Tournaments for tests: small, with the cheapest agents."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from torres_mcts.tournaments.spec import Spec, make_spec, to_toml

__all__ = ["AGENTS", "content", "small_spec", "spec_data", "to_toml"]
AGENTS = {"quick": "greedy:width=1,sweeps=1", "chance": "random"}


def spec_data(**changes: Any) -> dict[str, Any]:
    """Return a small tournament as a file would say it."""
    data = {
        "name": "small",
        "format": "round-robin",
        "players": 2,
        "blocks": 3,
        "seed": 5,
        "agents": AGENTS,
        "limit": {"iterations": 10},
    }
    return {key: value for key, value in {**data, **changes}.items() if value is not None}


def small_spec(**changes: Any) -> Spec:
    """Return a small tournament."""
    return make_spec(spec_data(**changes))


def content(path: Path) -> list[Any]:
    """Return all that a store holds, except times."""
    columns = {
        "settings": "*",
        "agents": "*",
        "games": "rowid, config, lineup, block, rotation, scores, decisions, forfeit_seat, error, seed, actions",
    }
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        return [
            row
            for table, names in columns.items()
            for row in connection.execute(f"SELECT '{table}', {names} FROM {table} ORDER BY rowid")
        ]
