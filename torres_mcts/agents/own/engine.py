"""A user's agent as an engine: asked in a process of its own, so that it can fail without taking the game with it."""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, ClassVar

from torres_mcts.agents.engine import Engine
from torres_mcts.agents.own.process import ask
from torres_mcts.agents.own.source import Source
from torres_mcts.core.errors import TorresError, shorten
from torres_mcts.games.torres.position import Position
from torres_mcts.search.limits import Limit

PATIENCE = 60.0
MOST_PATIENCE = 86400.0
FIRST_TIME = 3  # times the patience for a choice that may have to compile something
TAKES_ANY = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_numbers = count()


@dataclass(frozen=True)
class OwnEngine(Engine):
    """An agent that a user wrote. One object is one player in one game; what it shows of itself is its identity."""

    name: ClassVar[str] = "own"
    source: Source = field(repr=False)
    factory: str  # the class or function that makes the agent
    code: str  # hash of the code
    parameters: tuple[tuple[str, Any], ...] = ()
    patience: float = PATIENCE  # seconds for a choice, after which the agent has lost
    number: int = field(default_factory=lambda: next(_numbers), repr=False)  # of the player

    def __post_init__(self) -> None:
        if not 0 < self.patience <= MOST_PATIENCE:
            given = shorten(self.patience)
            raise TorresError(f"engine.patience: expected seconds above 0, at the most {MOST_PATIENCE:g}, not {given}")

    def choose(self, position: Position, *, limit: Limit, seed: int, threads: int = 1) -> tuple[str, ...]:
        """Ask the agent, which is given what the player to move sees."""
        if position.is_over:
            raise TorresError("the game is over: there is nothing to choose")
        seen = position.view(str(position.to_move))
        return ask(
            self.source,
            self.code,
            {"player": self.number, "parameters": self.parameters, "position": seen, "limit": limit, "seed": seed},
            patience=self.patience,
        )

    def prepare(self, position: Position, limit: Limit) -> None:
        """Start the process and let it choose once, with more patience."""
        replace(self, patience=min(FIRST_TIME * self.patience, MOST_PATIENCE), number=next(_numbers)).choose(
            position, limit=limit, seed=0
        )

    def _choose(self, seen: Position, limit: Limit, seed: int, threads: int) -> tuple[int, ...]:
        return tuple(map(seen.number_of, self.choose(seen, limit=limit, seed=seed)))


def known_parameters(source: Source) -> dict[str, Any]:
    """Return the parameters that an agent takes, and their types; the type of the default where none is written."""
    known: dict[str, Any] = {}
    for name, parameter in _signature(source).parameters.items():
        if parameter.kind not in TAKES_ANY:
            kind = parameter.annotation
            if kind is inspect.Parameter.empty:
                kind = str if parameter.default in (inspect.Parameter.empty, None) else type(parameter.default)
            known[name] = kind
    return {**known, "patience": float}


def make_own(source: Source, parameters: Mapping[str, Any]) -> OwnEngine:
    """Return a user's agent with parameters that it takes."""
    given = dict(parameters)
    patience = {"patience": given.pop("patience")} if "patience" in given else {}
    missing = [
        name
        for name, parameter in _signature(source).parameters.items()
        if parameter.default is inspect.Parameter.empty and parameter.kind not in TAKES_ANY and name not in given
    ]
    if missing:
        raise TorresError(f"agent {shorten(source.text)}: needs a value for {', '.join(missing)}")
    return OwnEngine(source, source.name or source.place, source.load()[1], tuple(sorted(given.items())), **patience)


def _signature(source: Source) -> inspect.Signature:
    factory = source.load()[0]
    try:
        return inspect.signature(factory, eval_str=True)
    except (NameError, TypeError, ValueError):  # types that are not there, or nothing that can be looked into
        try:
            return inspect.signature(factory)
        except (TypeError, ValueError):
            return inspect.Signature()
