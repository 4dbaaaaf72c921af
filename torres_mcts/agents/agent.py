"""An agent as text: an engine by name or a user's own, its parameters, and a limit of its own if it wants one.

`greedy`, `climber:width=16`, `ismcts:iterations=2000,exploration=0.7`, `turns:time=0.5,win=1,margin=0`,
`path/to/mine.py:MyAgent`, `path/to/mine.py:MyAgent:depth=2,patience=10`
"""

import types
import typing
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

from torres_mcts.agents.engine import Engine
from torres_mcts.agents.engines import ENGINES, known_parameters, make_engine
from torres_mcts.agents.own.engine import known_parameters as known_own_parameters
from torres_mcts.agents.own.engine import make_own
from torres_mcts.agents.own.source import find_source
from torres_mcts.core.errors import TorresError, shorten, suggest
from torres_mcts.search.limits import Limit
from torres_mcts.search.rewards import Reward

LIMITS = {field.name: field.type for field in fields(Limit)}
REWARDS = {field.name: field.type for field in fields(Reward)}
READERS: dict[type, Callable[[str], Any]] = {int: int, float: float, str: str}
TRUTHS = {"true": True, "yes": True, "false": False, "no": False}


@dataclass(frozen=True)
class Agent:
    """An engine and the limit that it plays with."""

    text: str  # as it was written, its name in tables
    engine: Engine
    limits: tuple[tuple[str, Any], ...] = ()  # of its own, over those of the match

    @property
    def identity(self) -> list[Any]:
        """All settings of the agent, those left at their defaults included; of a user's agent also its code."""
        return [self.engine.name, repr(self.engine), self.limits]

    def limit(self, common: Limit) -> Limit:
        """Return the limit of this agent in a match: its own time or iterations in place of the common ones."""
        own = dict(self.limits)
        if "time" in own or "iterations" in own:
            own = {"time": None, "iterations": None, **own}
        return replace(common, **own)


def read_agent(text: str) -> Agent:
    """Return the agent that a text describes.

    >>> read_agent("greedy:width=16").engine
    GreedyEngine(width=16, sweeps=4)
    >>> read_agent("turns:iterations=100,win=1").limit(Limit(time=1))
    Limit(time=None, iterations=100, confidence=None, nodes=1000000)
    """
    name, colon, rest = text.partition(":")
    own = None if name in ENGINES else find_source(text)
    if own is not None:
        source, rest = own
        name, known = source.text, known_own_parameters(source)
    else:
        known = known_parameters(make_engine(name))
    if colon and not rest and (own is None or text.endswith(":")):
        raise TorresError(f"agent {shorten(text)}: nothing follows the colon; write {name}:parameter=value")
    parameters: dict[str, Any] = {}
    limits: dict[str, Any] = {}
    rewards: dict[str, Any] = {}
    for part in rest.split(",") if rest else ():
        key, equals, value = part.partition("=")
        if not equals:
            raise TorresError(f"agent {shorten(text)}: {shorten(part)} is not parameter=value")
        for place, types_by_name in ((parameters, known), (limits, LIMITS), (rewards, REWARDS)):
            if key in types_by_name and (place is not rewards or "reward" in known):
                if key in place:
                    raise TorresError(f"agent {shorten(text)}: {key} is given twice")
                place[key] = _read_value(text, key, value, types_by_name[key])
                break
        else:
            names = [*(known.keys() - {"reward"}), *LIMITS, *(REWARDS if "reward" in known else ())]
            raise TorresError(f"agent {name}: has no parameter {shorten(key)}{suggest(key, names)}")
    if rewards:
        parameters["reward"] = Reward(**{"win": 0.0, **rewards})
    if limits:
        Limit(**{"iterations": 1, **limits})  # says what is wrong with them
    engine = make_engine(name, **parameters) if own is None else make_own(source, parameters)
    return Agent(text, engine, tuple(sorted(limits.items())))


def _read_value(text: str, key: str, value: str, kind: Any) -> Any:
    """Return a value as the type that its parameter has."""
    kinds = typing.get_args(kind) if isinstance(kind, types.UnionType) else (kind,)
    if value == "none" and types.NoneType in kinds:
        return None
    if bool in kinds and value in TRUTHS:
        return TRUTHS[value]
    for one in kinds:
        if one in READERS:
            try:
                return READERS[one](value)
            except ValueError:
                pass
    names = ["none" if one is types.NoneType else "true or false" if one is bool else one.__name__ for one in kinds]
    raise TorresError(f"agent {shorten(text)}: {key}={shorten(value)} is not {' or '.join(names)}")
