"""The variants of a study: which rules differ from the base, and what each variant is called."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, Literal

from torres_mcts.games.torres.rules import Rules

BASE = "base"
Origin = Literal[
    "rules", "variants", "one_at_a_time", "grid", "without_card"
]  # the table of the file; `rules`: the base
Blank = tuple[int, str]  # a seat from 0, and a card that it does not get
Values = Mapping[str, Sequence[Any]]  # what a rule parameter may be


@dataclass(frozen=True)
class Draft:
    """A variant as the file says it, not checked."""

    name: str
    changes: dict[str, Any]  # of rule parameters; what is not named is as in the base
    origin: Origin

    def place_of(self, parameter: str) -> tuple[str, ...]:
        """Return where the file says what a parameter is."""
        return (self.origin, self.name, parameter) if self.origin == "variants" else (self.origin, parameter)

    @property
    def place(self) -> tuple[str, ...]:
        """Where the file speaks of the variant."""
        return (self.origin, self.name) if self.origin == "variants" else (self.origin,)


@dataclass(frozen=True)
class Variant:
    """A rule set of a study."""

    name: str
    rules: Rules
    changes: dict[str, Any]  # against the base
    origin: Origin
    blank: Blank | None = None  # the rules are the base's, but one seat lacks a card


def count_drafts(named: Mapping[str, Any], single: Values, grid: Values) -> int:
    """Return how many variants a file asks for, those that are the base once more included."""
    return len(named) + sum(map(len, single.values())) + (prod(map(len, grid.values())) if grid else 0)


def list_drafts(named: Mapping[str, dict[str, Any]], single: Values, grid: Values) -> list[Draft]:
    """List the variants of a file: those with a name, each value alone, every combination of the grid.

    >>> [draft.name for draft in list_drafts({"rich": {"draw": 5}}, {"draw": [2]}, {"draw": [1, 2], "knights": [5, 6]})]
    ['rich', 'draw=2', 'draw=1 knights=5', 'draw=1 knights=6', 'draw=2 knights=5', 'draw=2 knights=6']
    """
    drafts = [Draft(name, dict(changes), "variants") for name, changes in named.items()]
    drafts += [
        Draft(name_of_changes({parameter: value}), {parameter: value}, "one_at_a_time")
        for parameter, values in single.items()
        for value in values
    ]
    drafts += [Draft(name_of_changes(changes), changes, "grid") for changes in _combinations(grid)]
    once: dict[tuple[str, str], Draft] = {}
    for draft in drafts:
        once.setdefault((draft.name, repr(draft.changes)), draft)  # of two that are the same, the first
    return list(once.values())


def _combinations(grid: Values) -> Iterator[dict[str, Any]]:
    """List every combination of values."""
    if grid:
        for values in product(*grid.values()):
            yield dict(zip(grid, values, strict=True))


def name_of_changes(changes: Mapping[str, Any]) -> str:
    """Return a name for changes that have none.

    >>> name_of_changes({"ap_per_turn": 6, "king_bonus": [5, 10, 15], "keep_leftovers": True})
    'ap_per_turn=6 king_bonus=5/10/15 keep_leftovers=true'
    """
    return " ".join(f"{parameter}={value_text(value)}" for parameter, value in changes.items())


def value_text(value: Any) -> str:
    """Write the value of a rule parameter in a few signs.

    >>> value_text([[3, 3], [3, 2], [3]]), value_text({"ap6": 2})
    ('3/3;3/2;3', 'ap6:2')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        is_nested = any(isinstance(part, list | tuple) for part in value)
        return (";" if is_nested else "/").join(map(value_text, value))
    if isinstance(value, dict):
        return ",".join(f"{key}:{value_text(part)}" for key, part in value.items())
    return str(value)
