"""Studies for tests: small, with the cheapest agents."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from torres_mcts.studies.file.read import make_study
from torres_mcts.studies.spec import Study


def study_data(**changes: Any) -> dict[str, Any]:
    """Return a small study as a file would say it."""
    data = {
        "name": "small",
        "players": 2,
        "blocks": 3,
        "seed": 5,
        "agents": "random",
        "metrics": ["scores.all_mean"],
        "limit": {"iterations": 1},
        "variants": {"late-bonus": {"king_bonus": [5, 10, 25]}},
    }
    return {key: value for key, value in {**data, **changes}.items() if value is not None}


def small_study(**changes: Any) -> Study:
    """Return a small study."""
    return make_study(study_data(**changes))


def content(path: Path) -> list[Any]:
    """Return all that a store holds, except times."""
    columns = dict.fromkeys(("settings", "agents", "variants"), "*")
    columns["logs"] = "rowid, config, block, rotation, is_forfeit, log"
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        return [
            row
            for table, names in columns.items()
            for row in connection.execute(f"SELECT '{table}', {names} FROM {table} ORDER BY rowid")
        ]
