"""The engines by name: how each chooses what to play in a position of Torres.

Those that plan by a rule of thumb, each with a character of its own, are in `heuristics/`.
"""

import time
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar

import numpy as np

from torres_mcts.agents.engine import Engine
from torres_mcts.agents.heuristics.builder import BuilderEngine
from torres_mcts.agents.heuristics.card_collector import CardCollectorEngine
from torres_mcts.agents.heuristics.climber import ClimberEngine
from torres_mcts.agents.heuristics.king_seeker import KingSeekerEngine
from torres_mcts.agents.heuristics.spoiler import SpoilerEngine
from torres_mcts.agents.heuristics.sprinter import SprinterEngine
from torres_mcts.core.errors import TorresError, shorten, suggest
from torres_mcts.core.menu import new_menus
from torres_mcts.core.rng import draw_index, new_rng
from torres_mcts.games.torres import verbs  # noqa: F401 (teaches the searches this game)
from torres_mcts.games.torres.position import Position
from torres_mcts.search.limits import Limit, check_whole
from torres_mcts.search.rewards import Reward
from torres_mcts.search.trees.run import TreeEngine, search_tree
from torres_mcts.search.turns.arms import search_turns
from torres_mcts.search.turns.exact import solve_last_turn
from torres_mcts.search.turns.generator import follow_beam, new_table, sequence_of
from torres_mcts.search.turns.oep import OepEngine, search_oep
from torres_mcts.search.turns.trying import TurnEngine

TURN_SHARE = 6  # an engine that decides action by action gives each a sixth of the limit: a turn has about as many


@dataclass(frozen=True)
class RandomEngine(Engine):
    """Any legal action, all equally likely."""

    name: ClassVar[str] = "random"

    def _choose(self, seen: Position, limit: Limit, seed: int, threads: int) -> tuple[int, ...]:
        actions = seen.legal_numbers
        return (actions[draw_index(new_rng(seed), len(actions))],)


@dataclass(frozen=True)
class GreedyEngine(Engine):
    """The turn with the best static value that a beam finds."""

    name: ClassVar[str] = "greedy"
    width: int = 64  # entries of each layer that a sweep of the beam follows
    sweeps: int = 4

    def __post_init__(self) -> None:
        check_whole("engine.width", self.width, 1)
        check_whole("engine.sweeps", self.sweeps, 1)

    def _choose(self, seen: Position, limit: Limit, seed: int, threads: int) -> tuple[int, ...]:
        table = new_table(4000 * self.width * self.sweeps + 20_000, 400 * self.width * self.sweeps + 4000)
        states = np.repeat(seen.state_array, 3)
        follow_beam(states, new_menus(), new_rng(seed), table=table, width=self.width, sweeps=self.sweeps)
        ends = table.ends["value"][: table.desks[0]["end_count"]]
        return sequence_of(table, int(np.argmax(ends)))


@dataclass(frozen=True)
class TurnsEngine(Engine):
    """Whole turns compared in the same worlds with the same luck, the worse half dropped after each round.

    The last turn of a game is solved exactly where that takes no more states than `exact_states`.
    """

    name: ClassVar[str] = "turns"
    search: TurnEngine = field(default_factory=TurnEngine)

    def _choose(self, seen: Position, limit: Limit, seed: int, threads: int) -> tuple[int, ...]:
        started = time.monotonic()
        if self.search.exact_states:
            solution = solve_last_turn(
                seen.state_array, reward=self.search.reward, state_limit=self.search.exact_states
            )
            if solution is not None:
                return solution.sequences[0]
        if limit.time is not None:  # less what the attempt to solve it took
            limit = replace(limit, time=max(limit.time / 2, limit.time - (time.monotonic() - started)))
        return search_turns(seen.state_array, self.search, limit=limit, seed=seed, threads=threads).sequences[0]


@dataclass(frozen=True)
class FlatEngine(TurnsEngine):
    """Flat Monte Carlo: whole turns, each followed by random playouts to the end of the game, all tried alike."""

    name: ClassVar[str] = "flat"
    search: TurnEngine = field(
        default_factory=lambda: TurnEngine(
            reply_turns=0,
            lines=0,
            rollout=True,
            epsilon=1.0,
            horizon=None,
            exact_states=0,
            halving=False,
            reward=Reward(),
        )
    )


@dataclass(frozen=True)
class EvolutionEngine(Engine):
    """Online evolutionary planning: whole turns bred from each other, the fittest by static value kept."""

    name: ClassVar[str] = "oep"
    search: OepEngine = field(default_factory=OepEngine)

    def _choose(self, seen: Position, limit: Limit, seed: int, threads: int) -> tuple[int, ...]:
        return search_oep(seen.state_array, self.search, limit=limit, seed=seed, threads=threads).sequence


@dataclass(frozen=True)
class TreeSearchEngine(Engine):
    """A tree over single actions; each action of a turn is searched anew."""

    search: TreeEngine = field(default_factory=TreeEngine)

    def _choose(self, seen: Position, limit: Limit, seed: int, threads: int) -> tuple[int, ...]:
        share = replace(
            limit,
            time=None if limit.time is None else limit.time / TURN_SHARE,
            iterations=None if limit.iterations is None else max(1, limit.iterations // TURN_SHARE),
        )
        return (search_tree(seen.state_array, self.search, limit=share, seed=seed, threads=threads).best,)


@dataclass(frozen=True)
class UctEngine(TreeSearchEngine):
    """UCT on dealt worlds, one for each tree; equal states merged."""

    name: ClassVar[str] = "uct"
    search: TreeEngine = field(default_factory=lambda: TreeEngine("uct"))


@dataclass(frozen=True)
class PimcEngine(TreeSearchEngine):
    """Many dealt worlds, a tree for each, their visits summed at the root."""

    name: ClassVar[str] = "pimc"
    search: TreeEngine = field(default_factory=lambda: TreeEngine("pimc"))


@dataclass(frozen=True)
class IsmctsEngine(TreeSearchEngine):
    """Information set search with one observer: the player to move."""

    name: ClassVar[str] = "ismcts"
    search: TreeEngine = field(default_factory=lambda: TreeEngine("so-ismcts"))


@dataclass(frozen=True)
class MoIsmctsEngine(TreeSearchEngine):
    """Information set search with a tree for what each player can tell apart."""

    name: ClassVar[str] = "mo-ismcts"
    search: TreeEngine = field(default_factory=lambda: TreeEngine("mo-ismcts"))


@dataclass(frozen=True)
class CheatEngine(TreeSearchEngine):
    """UCT that sees every card: what hidden information costs the others."""

    name: ClassVar[str] = "cheat"
    is_fair: ClassVar[bool] = False
    search: TreeEngine = field(default_factory=lambda: TreeEngine("cheat"))


ENGINES: dict[str, type[Engine]] = {
    engine.name: engine
    for engine in (
        RandomEngine,
        GreedyEngine,
        FlatEngine,
        EvolutionEngine,
        UctEngine,
        PimcEngine,
        IsmctsEngine,
        MoIsmctsEngine,
        TurnsEngine,
        CheatEngine,
        BuilderEngine,
        ClimberEngine,
        KingSeekerEngine,
        CardCollectorEngine,
        SpoilerEngine,
        SprinterEngine,
    )
}


def make_engine(name: str, **parameters: Any) -> Engine:
    """Return an engine by name, with any of its parameters changed.

    >>> make_engine("greedy", width=16)
    GreedyEngine(width=16, sweeps=4)
    >>> make_engine("ismcts", exploration=1.0).search.exploration
    1.0
    """
    if name not in ENGINES:
        raise TorresError(f"engine: {shorten(name)} is not one of {', '.join(ENGINES)}{suggest(str(name), ENGINES)}")
    engine = ENGINES[name]()
    known = known_parameters(engine)
    for parameter in parameters:
        if parameter not in known:
            raise TorresError(
                f"engine {name}: has no parameter {shorten(parameter)}{suggest(parameter, known)}; "
                f"it has {', '.join(known) or 'none'}"
            )
    inner = getattr(engine, "search", None)
    if inner is None:
        return replace(engine, **parameters)
    return replace(engine, search=replace(inner, **parameters))  # type: ignore[call-arg]


def known_parameters(engine: Engine) -> dict[str, Any]:
    """Return the parameters of an engine and their types."""
    inner = getattr(engine, "search", engine)
    return {parameter.name: parameter.type for parameter in fields(inner) if parameter.name != "name"}
