"""What more thinking is worth: agents that differ in their budget alone, and the Elo that a doubling brings."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Protocol

from torres_mcts.agents.agent import read_agent
from torres_mcts.core.errors import TorresError
from torres_mcts.search.limits import Limit
from torres_mcts.tournaments.statistics.estimates import Estimate
from torres_mcts.tournaments.statistics.ratings import Ratings

UNITS = {"iterations": "iterations", "time": "seconds"}


class Named(Protocol):
    """An agent with the name that it has in a tournament."""

    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str: ...


@dataclass(frozen=True)
class Family:
    """Agents of one engine with the same settings and different budgets."""

    engine: str  # as text, without the budget
    unit: str  # iterations or seconds
    budgets: dict[str, float]  # by agent, the smallest first

    def doubling_gain(self, ratings: Ratings) -> Estimate:
        """Return the Elo that each doubling of the budget brings: the slope of a line through the ratings."""
        doublings = [math.log2(budget) for budget in self.budgets.values()]
        middle = sum(doublings) / len(doublings)
        squares = sum((value - middle) ** 2 for value in doublings)
        return ratings.combine(
            {agent: (value - middle) / squares for agent, value in zip(self.budgets, doublings, strict=True)}
        )


def find_families(entrants: Iterable[Named], common: Limit) -> list[Family]:
    """List the families of agents that differ in iterations or in time alone.

    common: the limit of agents that have none of their own

    >>> from torres_mcts.tournaments.spec import Entrant
    >>> texts = {"wide": "ismcts:iterations=200", "plain": "ismcts", "odd": "greedy"}
    >>> agents = [Entrant.read(name, text) for name, text in texts.items()]
    >>> find_families(agents, Limit(iterations=50))
    [Family(engine='ismcts', unit='iterations', budgets={'plain': 50, 'wide': 200})]
    """
    groups: dict[tuple[Any, ...], list[tuple[float, str]]] = {}
    engines: dict[tuple[Any, ...], str] = {}
    for entrant in entrants:
        try:
            agent = read_agent(entrant.text)
        except TorresError:  # an agent of somebody's own, whose file is no longer there
            continue
        limit = agent.limit(common)
        for unit in UNITS:
            other = "time" if unit == "iterations" else "iterations"
            if getattr(limit, unit) is None or getattr(limit, other) is not None:
                continue  # with two limits at once it is open which of them counted
            key = unit, repr(agent.engine), repr(replace(limit, **{unit: 1}))
            groups.setdefault(key, []).append((getattr(limit, unit), entrant.name))
            engines.setdefault(key, without_budget(entrant.text))
    return [
        Family(engines[key], UNITS[key[0]], {name: budget for budget, name in sorted(members)})
        for key, members in groups.items()
        if len({budget for budget, _ in members}) > 1
    ]


def without_budget(text: str) -> str:
    """Return an agent's text without its limit.

    >>> without_budget("turns:iterations=64,temperature=2"), without_budget("turns:time=1")
    ('turns:temperature=2', 'turns')
    """
    name, _, rest = text.partition(":")
    kept = [part for part in rest.split(",") if part and part.partition("=")[0] not in UNITS]
    return f"{name}:{','.join(kept)}" if kept else name
