"""What all characters share: a beam over whole turns, and a taste that says which of them is best."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from torres_mcts.agents.engine import Engine
from torres_mcts.agents.heuristics.taste import ALL_TERMS, OTHERS, OWN, TASTED
from torres_mcts.core.errors import TorresError, shorten
from torres_mcts.core.jit import entry_kernel
from torres_mcts.core.menu import new_menus
from torres_mcts.core.rng import new_rng
from torres_mcts.games.torres.engine.state import YEARS
from torres_mcts.games.torres.heuristics.value import TERMS, WEIGHTS, YEAR_ENDS
from torres_mcts.games.torres.position import Position
from torres_mcts.search.limits import Limit, check_whole
from torres_mcts.search.turns.generator import generate, new_table, sequence_of, sweep
from torres_mcts.search.turns.greedy import CALM, best_end

Changes = Mapping[str, float | tuple[float, ...]]  # by term: one number, or one for each year
NO_ROOM = -1
MOST_ZEAL = 10.0


@dataclass(frozen=True)
class Taste:
    """What a player looks at beside the usual static value: numbers that are added to the weights of terms.

    own:    to those of the own terms
    others: to those of the best other player, whose value counts against the own one
    """

    own: Changes = field(default_factory=dict)
    others: Changes = field(default_factory=dict)

    def weights(self, zeal: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the weights within years and between them, as the record holds them; zeal multiplies the changes."""
        within, between = np.zeros((2, YEARS, len(ALL_TERMS))), np.zeros((2, YEARS - 1, len(ALL_TERMS)))
        for weights, usual in ((within, WEIGHTS), (between, YEAR_ENDS)):
            weights[:, :, : len(TERMS)] = usual
            weights[:, :, ALL_TERMS.index("score")] = 1.0
        for whose, changes in ((OWN, self.own), (OTHERS, self.others)):
            for term, change in changes.items():
                by_year = zeal * np.broadcast_to(change, YEARS)
                within[whose, :, ALL_TERMS.index(term)] += by_year
                between[whose, :, ALL_TERMS.index(term)] += by_year[1:]
        return within, between


@dataclass(frozen=True)
class Heuristic(Engine):
    """The turn that a beam finds best by a taste; nothing is searched beyond the end of the turn."""

    taste: ClassVar[Taste]
    width: int = 12  # entries of each layer that a sweep of the beam follows
    sweeps: int = 2
    zeal: float = 1.0  # how much the taste counts beside the usual static value

    def __post_init__(self) -> None:
        check_whole("engine.width", self.width, 1)
        check_whole("engine.sweeps", self.sweeps, 1)
        if not 0 <= self.zeal <= MOST_ZEAL:
            raise TorresError(f"engine.zeal: expected a number from 0 to {MOST_ZEAL:g}, not {shorten(self.zeal)}")

    def _choose(self, seen: Position, limit: Limit, seed: int, threads: int) -> tuple[int, ...]:
        states = np.zeros(3, TASTED)
        states["state"] = seen.state_array[0]
        states["weights"], states["year_ends"] = self.taste.weights(self.zeal)
        states["planner"] = seen.state["to_move"]
        table, menus, width = new_table(4000 * self.width * self.sweeps + 20_000, 20_000), new_menus(), self.width
        while (end := plan_turn(table, states, menus, new_rng(seed), width, self.sweeps)) == NO_ROOM:
            if width == 1:
                raise TorresError(f"the turns of this position do not fit into a table of {table.entries.size} states")
            width //= 2
        return sequence_of(table, int(end))


@entry_kernel
def plan_turn(table, states, menus, rng, width, sweeps):
    """Fill the table with turns of states[0] that a beam finds; return the best end, NO_ROOM if one sweep has no room.

    states: three records, the last two scratch
    """
    if not generate(table, states, menus[0], rng, width, 1):
        return NO_ROOM
    for _ in range(sweeps - 1):
        if not sweep(table, states, menus[0], rng, width):
            break  # what was found by then is good
    return best_end(table, CALM)[0]
