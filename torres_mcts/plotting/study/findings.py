"""What a study says, worked out once for all pictures and the report."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from torres_mcts.studies.log import GameLog
from torres_mcts.studies.metrics import METRICS
from torres_mcts.studies.metrics.metric import Blocks, whole_blocks
from torres_mcts.studies.metrics.seats import compare_seats
from torres_mcts.studies.report import format_estimate
from torres_mcts.studies.results import Effect, StudyResults, evaluate
from torres_mcts.studies.statistics.jackknife import estimate
from torres_mcts.studies.store import StudyRun
from torres_mcts.studies.variants import BASE, value_text
from torres_mcts.tournaments.statistics.estimates import Estimate
from torres_mcts.tournaments.statistics.tables import SeatTable

Key = tuple[str, str]  # of a value: metric and label
ROUNDING = 1e-9  # a smaller error is none
LONGEST_VALUE = 14  # letters of a parameter's value


@dataclass(frozen=True, eq=False)
class Findings:
    """A run of a study and what its games say."""

    run: StudyRun

    @cached_property
    def results(self) -> StudyResults:
        """Values, effects and tests of the metrics that the study asks for."""
        return evaluate(self.run)

    @cached_property
    def blocks(self) -> dict[str, Blocks]:
        """The blocks of each rule set that count, in the order of their numbers; rule sets without any are left out."""
        wanted = range(self.run.study.blocks)
        found = {
            name: whole_blocks([blocks[number] for number in wanted if number in blocks])
            for name, blocks in self.run.blocks.items()
        }
        return {name: blocks for name, blocks in found.items() if blocks}

    def games(self, name: str) -> list[GameLog]:
        """Return the games of a rule set that count."""
        return [game for block in self.blocks[name] for game in block]

    def measure(self, metric: str, name: str) -> dict[str, Estimate]:
        """Return all values of a metric under a rule set, whether or not the study asks for it."""
        return estimate(METRICS[metric].measure, self.blocks[name])

    @cached_property
    def seats(self) -> dict[str, SeatTable]:
        """What each seat got under each rule set."""
        return {name: compare_seats(blocks) for name, blocks in self.blocks.items()}

    @cached_property
    def sources(self) -> dict[str, dict[str, Estimate]]:
        """Where points come from under each rule set."""
        return {name: self.measure("sources", name) for name in self.blocks}

    @cached_property
    def values(self) -> list[Key]:
        """The values that effects are about, in the order of the study."""
        return list(dict.fromkeys((effect.metric, effect.label) for effect in self.results.effects))

    @cached_property
    def effects(self) -> dict[Key, dict[str, Effect]]:
        """The effects of each value by variant."""
        found: dict[Key, dict[str, Effect]] = {}
        for effect in self.results.effects:
            found.setdefault((effect.metric, effect.label), {})[effect.variant] = effect
        return found

    def title_of(self, key: Key) -> str:
        """Return what a value is called."""
        return f"{METRICS[key[0]].title}: {label_words(key[1])}"

    def unit_of(self, key: Key) -> str:
        """Return the unit of a value."""
        return METRICS[key[0]].unit

    @cached_property
    def changes(self) -> dict[str, dict[str, Any]]:
        """What each variant changes of the rules; values of a grid that are the base's own are none."""
        base = self.run.study.base.rules
        return {
            one.name: {
                parameter: value
                for parameter, value in one.changes.items()
                if frozen(value) != frozen(getattr(base, parameter, None))
            }
            for one in self.run.study.variants
            if one.blank is None
        }

    def base_words(self, parameter: str) -> str:
        """Return the value of a parameter in the base, if a few signs can say it."""
        rules = self.run.study.base.rules
        value = rules.name if parameter == "preset" else getattr(rules, parameter, None)
        words = "" if value is None else value_text(value)
        return words if 0 < len(words) <= LONGEST_VALUE else BASE

    def pair(self, name: str) -> tuple[Blocks, Blocks]:
        """Return the blocks that count of the base and of a variant, the same deals of both."""
        base, other = self.run.blocks[BASE], self.run.blocks[name]
        common = [
            number
            for number in range(self.run.study.blocks)
            if number in base and number in other and len(whole_blocks([base[number], other[number]])) == 2
        ]
        return [base[number] for number in common], [other[number] for number in common]

    @property
    def footer(self) -> str:
        """What every picture names: the run, its size, seed, version and config hash."""
        results = self.results
        words = f"{results.name} · {results.games:,} games, {results.blocks:,} blocks of each rule set"
        return f"{words} · seed {self.run.study.seed} · torres-mcts {results.version} · config {results.config}"


def some_of(names: Sequence[str], most: int, noun: str) -> tuple[list[str], str]:
    """Return the first names, and words for the caption where some had no room.

    >>> some_of(["a", "b", "c"], 2, "rule sets")
    (['a', 'b'], 'Drawn are the first 2 of 3 rule sets; the data have all.')
    """
    if len(names) <= most:
        return list(names), ""
    return list(names[:most]), f"Drawn are the first {most} of {len(names)} {noun}; the data have all."


def label_words(label: str) -> str:
    """Return the name of a value as one says it.

    >>> label_words("year3_king"), label_words("ap6_bought")
    ('year 3 king', 'ap6 bought')
    """
    return re.sub(r"\b(year|seat|place)(\d)", r"\1 \2", label.replace("_", " "))


def frozen(value: Any) -> Any:
    """Return a value of a parameter so that lists of files and tuples of rules can be compared.

    >>> frozen([5, [1, 2]])
    (5, (1, 2))
    """
    return tuple(frozen(part) for part in value) if isinstance(value, list | tuple) else value


def words_of(value: Estimate) -> tuple[str, str]:
    """Return a change and its interval in words, with as many digits as its error allows.

    >>> words_of(Estimate(-4.2134, 0.21, -4.63, -3.8))
    ('−4.21', '−4.63 to −3.80')
    >>> words_of(Estimate(0.5, 0.0, 0.5, 0.5)), words_of(Estimate(0.0, 0.0, 0.0, 0.0))
    (('+0.50', 'in every block'), ('0', 'in every block'))
    """
    if not math.isfinite(value.se) or value.se <= ROUNDING * max(1.0, abs(value.mean)):
        words = f"{value.mean:+.2f}".replace("-", "−") if abs(value.mean) > ROUNDING else "0"
        return words, "in every block" if math.isfinite(value.se) else "interval not known"
    mean, _, interval = format_estimate(value, sign=True).replace("-", "−").partition(" [")
    return mean, interval.rstrip("]").replace(", ", " to ")
