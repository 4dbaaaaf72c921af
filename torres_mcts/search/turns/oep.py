"""Online evolutionary planning: a population of action sequences for the own turn (Justesen and others, 2017).

A member of the population is a legal sequence of actions up to the end of the turn, or up to and with the first draw.
In every generation the fittest survive; children take each action from one of two parents by chance (uniform
crossover), and an action that is not legal in its place is repaired: by the other parent's action, else by a legal one
that is drawn. Of sequences that end in the same state one survives, so a population does not become copies of one turn.
Fitness is the static value at the end of the turn, or after replies of the players to come in some dealt worlds, the
same for all members.

The population is split into islands, fixed in number. Every sequence draws from a random stream of its own (seed,
island, number), so with a limit of iterations the result does not depend on the number of threads.
"""

import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from numbers import Integral, Real
from typing import NamedTuple

import numpy as np

from torres_mcts.core.errors import TorresError, shorten
from torres_mcts.core.rng import new_rng
from torres_mcts.search.limits import Limit
from torres_mcts.search.turns.evolution import (
    FIRST_STREAM,
    STREAM_BITS,
    Replies,
    Settings,
    deal_worlds,
    evolve,
    evolve_with_replies,
    new_island,
    new_replies,
)

ROUND_SECONDS = 0.05
FIRST_ROUND = 1


@dataclass(frozen=True)
class OepEngine:
    """How sequences are bred and judged.

    >>> OepEngine(population=50, reply_turns=1).islands
    4
    """

    population: int = 100  # sequences of an island
    elite: float = 0.2  # share of them that survives a generation and has children
    mutation: float = 0.3  # probability that a child's action is drawn instead of inherited
    quick: float = 0.8  # share of drawn actions that are the game's quick choice; the others are any legal action
    islands: int = 4  # populations that never meet; at most so many threads are of use
    reply_turns: int = 0  # turns of the players to come that are played before a sequence is judged
    reply_width: int = 0  # beam of greedy replies; 0 replies by quick choices
    reply_worlds: int = 4  # dealt worlds that replies are played in; fitness is the mean

    def __post_init__(self) -> None:
        for name, least in (("population", 4), ("islands", 1), ("reply_turns", 0), ("reply_width", 0)):
            _check_whole(f"engine.{name}", getattr(self, name), least)
        _check_whole("engine.reply_worlds", self.reply_worlds, 1)
        for name in ("elite", "mutation", "quick"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= float(value) <= 1:
                raise TorresError(f"engine.{name}: expected a number from 0 to 1, not {shorten(value)}")


class OepResult(NamedTuple):
    """The best sequence found, from the view of the player to move."""

    sequence: tuple[int, ...]  # up to the end of the turn, or up to and with the first draw
    fitness: float  # own estimated score less the best other one, at the end of the turn or after the replies
    is_cut: bool  # it ends with a draw, after which the turn goes on
    generations: int  # of all islands together
    iterations: int  # sequences judged
    stopped_by: str  # "iterations", "time", "request"; "forced" where there was nothing to choose
    seconds: float


def search_oep(
    states: np.ndarray,
    engine: OepEngine,
    *,
    limit: Limit,
    seed: int,
    threads: int = 1,
    should_stop: Callable[[], bool] | None = None,
) -> OepResult:
    """Find a good turn of states[0] by evolution; a limit of confidence or nodes means nothing here.

    states:      the record of a game whose verbs are known (its module was imported); not changed
    should_stop: asked about every ROUND_SECONDS; true ends the search
    """
    _check_whole("seed", seed, None)
    _check_whole("threads", threads, 1)
    return _Search(states, engine, limit, seed).run(threads, should_stop)


class _Search:
    """The islands of one search, and where it stands."""

    def __init__(self, states: np.ndarray, engine: OepEngine, limit: Limit, seed: int) -> None:
        self.engine, self.limit, self.seed = engine, limit, np.uint64(seed % 2**64)
        survivors = min(max(round(engine.elite * engine.population), 1), engine.population - 1)
        self.settings = Settings(
            survivors, float(engine.mutation), float(engine.quick), int(engine.reply_turns), int(engine.reply_width)
        )
        self.islands = [new_island(states, engine.population) for _ in range(engine.islands)]
        self.replies = _new_replies(states, engine, self.seed) if engine.reply_turns > 0 else None
        self.targets: list[float] = [0] * engine.islands
        self._advance(0, 0)  # compiled now, if it was not: that takes no time from the limit
        root = self.islands[0].tallies[0]
        if root["is_over"]:
            raise TorresError("search: the game is over, so there is nothing to search")
        self.is_forced = bool(root["is_forced"])
        if self.is_forced:
            self.targets[0] = 1
        elif limit.iterations is None:
            self.targets = [math.inf] * engine.islands
        else:
            share, rest = divmod(int(limit.iterations), engine.islands)
            self.targets = [share + (index < rest) for index in range(engine.islands)]

    def run(self, threads: int, should_stop: Callable[[], bool] | None) -> OepResult:
        """Run rounds until a limit is reached or somebody asks to stop."""
        began = time.perf_counter()
        islands, goal, step = range(self.engine.islands), 0, FIRST_ROUND
        with ThreadPoolExecutor(min(threads, self.engine.islands)) as pool:
            while True:
                start = time.perf_counter()
                goal += step
                list(pool.map(self._advance, islands, [goal] * len(islands)))
                now = time.perf_counter()
                left = math.inf if self.limit.time is None else self.limit.time - (now - began)
                stopped_by = self._reached(goal, left)
                if not stopped_by and should_stop is not None and should_stop():
                    stopped_by = "request"
                if stopped_by:
                    return self._result(stopped_by, now - began)
                wanted = step * min(ROUND_SECONDS, left) / max(now - start, 1e-9)
                step = max(1, min(int(wanted), 2 * step))

    def _advance(self, index: int, goal: float) -> None:
        """Breed on one island until it has had so many sequences, or its share of the limit."""
        stream = np.uint64((FIRST_STREAM + index) << STREAM_BITS)
        order = self.settings, self.seed, stream, int(min(goal, self.targets[index]))
        if self.replies is None:
            evolve(self.islands[index], *order)
        else:
            evolve_with_replies(self.islands[index], self.replies[index], *order)

    def _reached(self, goal: float, left: float) -> str:
        """Name the limit that is reached, if one is."""
        if all(goal >= target for target in self.targets):
            return "forced" if self.is_forced else "iterations"
        return "time" if left <= 0 else ""

    def _result(self, stopped_by: str, seconds: float) -> OepResult:
        """Return the fittest of all islands, the first one found of several."""
        tallies = [island.tallies[0] for island in self.islands]
        members = np.concatenate(
            [island.members[: tally["filled"]] for island, tally in zip(self.islands, tallies, strict=True)]
        )
        best = members[int(np.argmax(members["fitness"]))]
        return OepResult(
            sequence=tuple(int(action) for action in best["genes"][: best["length"]]),
            fitness=float(best["fitness"]),
            is_cut=bool(best["is_cut"]),
            generations=sum(int(tally["generations"]) for tally in tallies),
            iterations=sum(int(tally["iterations"]) for tally in tallies),
            stopped_by=stopped_by,
            seconds=seconds,
        )


def _new_replies(states: np.ndarray, engine: OepEngine, seed: np.uint64) -> list[Replies]:
    """Deal the worlds, and return what each island needs for replies in them."""
    worlds = np.repeat(states[:1], engine.reply_worlds)
    deal_worlds(states, worlds, new_rng(0), seed)
    return [new_replies(worlds, engine.reply_width) for _ in range(engine.islands)]


def _check_whole(name: str, value: object, least: int | None) -> None:
    is_whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not is_whole or (least is not None and int(value) < least):  # type: ignore[call-overload]
        more = "" if least is None else f" of at least {least}"
        raise TorresError(f"{name}: expected a whole number{more}, not {shorten(value)}")
