"""Tournaments for tests: small, with the cheapest agents."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from torres_mcts.tournaments.spec import Spec, make_spec

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


def to_toml(data: dict[str, Any], table: str = "") -> str:
    """Write plain data as TOML: plain values first, then tables."""
    lines = [f"[{table}]"] if table else []
    lines += [f"{key} = {_value(value)}" for key, value in data.items() if not isinstance(value, dict)]
    for key, value in data.items():
        if isinstance(value, dict):
            lines.append(to_toml(value, key))
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value).replace("'", '"')


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
