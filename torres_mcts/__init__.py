"""Torres MCTS: analyse positions, play tournaments and study the balance of the board game Torres."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torres_mcts.analysis.analyze import analyze
    from torres_mcts.core.errors import FileError, IllegalAction, PositionError, RulesError, TorresError
    from torres_mcts.games.torres.position import Position
    from torres_mcts.games.torres.rules import Rules
    from torres_mcts.search.limits import Limit

__version__ = "0.2.0"
__all__ = [
    "FileError",
    "IllegalAction",
    "Limit",
    "Position",
    "PositionError",
    "Rules",
    "RulesError",
    "TorresError",
    "analyze",
]

_HOMES = {
    "Limit": "torres_mcts.search.limits",
    "Position": "torres_mcts.games.torres.position",
    "Rules": "torres_mcts.games.torres.rules",
    "analyze": "torres_mcts.analysis.analyze",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `--help` never waits for the compiler."""
    if name not in __all__:
        raise AttributeError(f"module 'torres_mcts' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES.get(name, "torres_mcts.core.errors")), name)
