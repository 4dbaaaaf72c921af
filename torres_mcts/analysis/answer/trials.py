"""The comparison of candidates: samples world by world, rounds that halve the field, and when to stop."""

import math
import time as clock
from collections.abc import Callable, Iterator
from statistics import NormalDist

import numpy as np

from torres_mcts.analysis.answer.candidates import Candidate, as_turns, merge
from torres_mcts.analysis.answer.estimates import standard_error, usual_scale
from torres_mcts.analysis.answer.hidden import Knowledge
from torres_mcts.analysis.outlook import Prospects, look_at
from torres_mcts.search.limits import Limit
from torres_mcts.search.turns.sampling import Sampler

BLOCK = 64  # playouts between two looks at the clock, about
FINAL_SHARE = 2.0  # of the last round, against 1 for each of the others
LEAST_WORLDS = 2  # that every candidate is tried in
MOST_WORLDS = 20_000


class Trials:
    """The candidates and where they led in each world; all active ones have been tried in the same worlds."""

    def __init__(self, knowledge: Knowledge, sampler: Sampler) -> None:
        self.knowledge, self.sampler = knowledge, sampler
        self.player = int(knowledge.view.state["to_move"])
        self.candidates: list[Candidate] = []
        self.samples: list[list[Prospects]] = []
        self.counts: list[int] = []  # worlds that each was tried in
        self.iterations = 0

    def add(self, more: list[Candidate]) -> None:
        """Add candidates."""
        self.candidates = merge(self.candidates, more)
        self.sampler.set_turns(as_turns(self.candidates))
        new = len(self.candidates) - len(self.samples)
        self.samples += [[] for _ in range(new)]
        self.counts += [0] * new

    def open_books(self) -> None:
        """Fill the books of replies from the candidates known so far; once, because samples hang on them."""
        self.sampler.write_books(self.knowledge.worlds(0, self.sampler.engine.lines))

    def try_up_to(self, active: list[int], end: int) -> None:
        """Try candidates in all worlds before `end` in which they have not been tried."""
        for count in sorted({self.counts[one] for one in active}):
            group = [one for one in active if self.counts[one] == count]
            if count < end:
                self._try(group, count, end)

    def _try(self, group: list[int], first: int, end: int) -> None:
        worlds = self.knowledge.worlds(first, end)
        leaves = self.sampler.sample(np.array(group), worlds, first)
        for index, candidate in enumerate(group):
            found = look_at(np.ascontiguousarray(leaves[:, index]), self.knowledge.view.rules, self.player)
            self.samples[candidate].append(found)
            self.counts[candidate] = end
        self.iterations += len(group) * (end - first)

    def prospects(self, candidate: int) -> Prospects:
        """Return all samples of a candidate, world by world."""
        parts = self.samples[candidate]
        if len(parts) > 1:
            self.samples[candidate] = parts = [
                Prospects(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
            ]
        return parts[0]

    def wins(self, candidate: int) -> np.ndarray:
        """Return the win probabilities of the player to move after a candidate, world by world."""
        return self.prospects(candidate).wins[:, self.player]

    def margins(self, candidate: int) -> np.ndarray:
        """Return the expected final margins of the player to move after a candidate, world by world."""
        return self.prospects(candidate).margins(self.player)

    def finalist_wins(self) -> np.ndarray:
        """Return the win probabilities after the turns that lasted longest, the best first: [turns, worlds]."""
        order = self.ranked()
        return np.array([self.wins(one) for one in order if self.counts[one] == self.counts[order[0]]])

    def ranked(self) -> list[int]:
        """List the candidates that were tried: those that lasted longest first, by win probability, then margin."""
        tried = [one for one in range(len(self.candidates)) if self.counts[one]]
        return sorted(
            tried,
            key=lambda one: (-self.counts[one], -self.wins(one).mean(), -self.margins(one).mean(), one),
        )

    def best_of(self, active: list[int], number: int) -> list[int]:
        """Return the best of the active candidates, and all that the user or an engine named."""
        order = [one for one in self.ranked() if one in set(active)]
        kept = set(order[:number])
        return [one for one in active if one in kept or self.is_named(one)]

    def is_named(self, candidate: int) -> bool:
        """Tell whether the user or an engine named a candidate, so that it is never dropped."""
        return self.candidates[candidate].asked or self.candidates[candidate].chosen

    def is_clear(self, active: list[int], confidence: float) -> bool:
        """Tell whether the best is better than every other active one, all at once (Bonferroni)."""
        best, *others = [one for one in self.ranked() if one in set(active)]
        bound = NormalDist().inv_cdf(1 - (1 - confidence) / max(1, len(others)))
        for other in others:
            for worth in (self.wins, self.margins):
                pairs = worth(best) - worth(other)
                if len(pairs) < 2:
                    return False
                if np.any(pairs):  # where all is won or lost, the margin tells
                    if pairs.mean() <= bound * standard_error(pairs, usual_scale([worth(best)])):
                        return False
                    break
        return True


class Clock:
    """What a search may still use."""

    def __init__(self, limit: Limit, started: float, should_stop: Callable[[], bool] | None) -> None:
        self.limit, self.started, self.should_stop = limit, started, should_stop
        self.stopped_by: str | None = None

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return clock.monotonic() - self.started

    def is_interrupted(self) -> bool:
        """Tell whether the caller wants an end."""
        if self.stopped_by is None and self.should_stop is not None and self.should_stop():
            self.stopped_by = "interrupted"
        return self.stopped_by == "interrupted"


def run_rounds(trials: Trials, watch: Clock, *, finalists: int) -> Iterator[None]:
    """Compare all candidates by sequential halving down to some finalists; yield after each block of worlds."""
    active = list(range(len(trials.candidates)))
    fields = [len(active)]
    while math.ceil(fields[-1] / 2) > finalists:
        fields.append(math.ceil(fields[-1] / 2))
    shares = [1.0] * len(fields) + [FINAL_SHARE]
    fields.append(finalists)
    time, iterations = watch.limit.time, watch.limit.iterations
    start, spent = watch.seconds, trials.iterations
    for number, field in enumerate(fields):
        active = trials.best_of(active, field) if number else active
        part = sum(shares[: number + 1]) / sum(shares)
        until = None if time is None else start + (time - start) * part
        most = None if iterations is None else spent + (iterations - spent) * part
        yield from _run_round(trials, active, watch, until, most)
        if watch.stopped_by is not None:
            return
    watch.stopped_by = "time" if time is not None and watch.seconds >= time else "iterations"


def _run_round(
    trials: Trials, active: list[int], watch: Clock, until: float | None, most: float | None
) -> Iterator[None]:
    """Try the active candidates in further worlds until a share of the limit is used up."""
    done = max(trials.counts[one] for one in active)
    if min(trials.counts[one] for one in active) < done:
        trials.try_up_to(active, done)
    block = max(1, BLOCK // len(active))
    while not watch.is_interrupted():
        if until is not None and watch.seconds >= until and done >= LEAST_WORLDS:
            return
        room = block if most is None else min(block, int((most - trials.iterations) // len(active)))
        if done < LEAST_WORLDS:
            room = max(room, LEAST_WORLDS - done)
        if room <= 0 or done >= MOST_WORLDS:
            return
        done += room
        trials.try_up_to(active, done)
        yield
        if watch.limit.confidence is not None and trials.is_clear(active, watch.limit.confidence):
            watch.stopped_by = "confidence"
            return
