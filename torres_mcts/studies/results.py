"""What a study has found, as plain data: values, effects, tests over the whole table. Reports are written from it."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np

from torres_mcts import __version__
from torres_mcts.core.errors import TorresError, shorten, suggest
from torres_mcts.studies.metrics import METRICS
from torres_mcts.studies.metrics.metric import Metric
from torres_mcts.studies.metrics.seats import compare_seats, seats
from torres_mcts.studies.spec import Study
from torres_mcts.studies.statistics.differences import Difference, compare_profiles
from torres_mcts.studies.statistics.jackknife import Profile, profile
from torres_mcts.studies.store import Blocks, StudyRun
from torres_mcts.studies.variants import BASE
from torres_mcts.tournaments.statistics.comparisons import holm_adjusted
from torres_mcts.tournaments.statistics.estimates import CONFIDENCE, Estimate

ALPHA = 1 - CONFIDENCE
SCHEMA = "torres-study-results/1"


class Verdict(StrEnum):
    """What may be said of an effect, with a risk of 5 % that anything in the whole table is said wrongly."""

    HIGHER = "higher"
    LOWER = "lower"
    SMALL_HIGHER = "higher, within the margin"
    SMALL_LOWER = "lower, within the margin"
    NO_EFFECT = "no effect within the margin"
    OPEN = "undecided"
    UNKNOWN = "cannot be measured"


@dataclass(frozen=True)
class Effect:
    """What a variant changes of one value."""

    variant: str
    metric: str
    label: str
    difference: Difference
    margin: float | None  # what counts as no effect, if anything
    p_value: float  # of "there is no change"; nan where nothing can be measured
    p_holm: float  # the same over the whole table
    p_equivalent: float | None  # of "the change is the margin or more"
    p_equivalent_holm: float | None

    @classmethod
    def of(cls, variant: str, metric: str, label: str, difference: Difference, margin: float | None) -> "Effect":
        """Return an effect that is looked at alone; `adjust` makes a table of them."""
        same = None if margin is None else difference.p_equivalent(margin)
        return cls(variant, metric, label, difference, margin, difference.p_value, difference.p_value, same, same)

    @property
    def verdict(self) -> Verdict:
        """What may be said."""
        if math.isnan(self.p_value):
            return Verdict.UNKNOWN
        is_small = self.p_equivalent_holm is not None and self.p_equivalent_holm <= ALPHA
        if self.p_holm <= ALPHA:
            is_higher = self.difference.change.mean > 0
            if is_small:
                return Verdict.SMALL_HIGHER if is_higher else Verdict.SMALL_LOWER
            return Verdict.HIGHER if is_higher else Verdict.LOWER
        return Verdict.NO_EFFECT if is_small else Verdict.OPEN


@dataclass(frozen=True)
class Value:
    """A value of a metric under one rule set."""

    variant: str
    metric: str
    label: str
    estimate: Estimate
    blocks: int


@dataclass(frozen=True)
class RuleSet:
    """A rule set of the study, and how much of it was played."""

    name: str
    changes: dict[str, Any]  # against the base
    origin: str  # the table of the file it comes from; rules: the base
    rules: dict[str, Any]
    config: str  # hash of all that decides its games
    blocks: int  # that count
    forfeited_blocks: int  # left out, for a game in them was lost by forfeit


@dataclass(frozen=True)
class SeatTest:
    """The joint test that all seats of a rule set are equal."""

    variant: str
    p_points: float  # of equal rank points
    p_wins: float  # of equal shares of wins


@dataclass(frozen=True)
class MeasuredMetric:
    """A metric as the file asked for it."""

    name: str
    title: str
    unit: str
    definition: str


@dataclass(frozen=True)
class StudyResults:
    """All that a study says."""

    name: str
    question: str
    version: str
    config: str  # hash of all that decides the games
    settings: dict[str, Any]
    blocks: int  # that all rule sets have and that count
    blocks_wanted: int
    games: int
    metrics: tuple[MeasuredMetric, ...]
    rule_sets: tuple[RuleSet, ...]  # the base first
    values: tuple[Value, ...]
    effects: tuple[Effect, ...]
    seat_tests: tuple[SeatTest, ...] = ()  # where seats are measured

    def effect(self, variant: str, metric: str, label: str) -> Effect:
        """Return one effect of the table."""
        key = variant, metric, label
        return {(effect.variant, effect.metric, effect.label): effect for effect in self.effects}[key]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON, without what is not a number."""
        return _plain({"schema": SCHEMA, **asdict(self), "effects": [_effect_dict(effect) for effect in self.effects]})


def _effect_dict(effect: Effect) -> dict[str, Any]:
    difference = effect.difference
    return {**asdict(effect), "verdict": str(effect.verdict), "same_in_every_block": difference.is_nothing}


def _plain(value: Any) -> Any:
    """Return null for what JSON has no number for."""
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def evaluate(run: StudyRun) -> StudyResults:
    """Return what the games of a study say; blocks with a game lost by forfeit are left out, in pairs."""
    study, wanted = run.study, range(run.study.blocks)
    played = {
        name: {number: blocks[number] for number in wanted if number in blocks} for name, blocks in run.blocks.items()
    }
    sound = {name: frozenset(_sound_numbers(blocks)) for name, blocks in played.items()}
    configs = {study.config_hash(one): one.name for one in study.rule_sets}  # the same rules may have two names
    profiles = _Profiles(study, played)
    values, effects = [], []
    for metric in study.metrics:
        for variant in study.rule_sets:
            numbers = sound[variant.name]
            found = profiles.measure(variant.name, metric, numbers)
            labels = profiles.chosen(metric, found)
            values += [Value(variant.name, metric, label, found.estimate(label), len(numbers)) for label in labels]
    for variant in study.variants:
        common = sound[BASE] & sound[variant.name]
        for metric in study.metrics:
            base, other = (profiles.measure(name, metric, common) for name in (BASE, variant.name))
            differences = compare_profiles(base, other)
            labels = [label for label in profiles.chosen(metric, base) if label in differences]
            effects += [
                Effect.of(variant.name, metric, label, differences[label], study.margin_of(metric, label))
                for label in labels
            ]
    return StudyResults(
        name=study.name,
        question=study.question,
        version=__version__,
        config=study.hash,
        settings=study.settings,
        blocks=len(frozenset.intersection(*sound.values())),
        blocks_wanted=study.blocks,
        games=sum(len(logs) for one in configs.values() for logs in played[one].values()),
        metrics=tuple(_describe(METRICS[name]) for name in study.metrics),
        rule_sets=tuple(
            RuleSet(
                name=one.name,
                changes=one.changes,
                origin=one.origin,
                rules=one.rules.to_dict(),
                config=study.config_hash(one),
                blocks=len(sound[one.name]),
                forfeited_blocks=len(played[one.name]) - len(sound[one.name]),
            )
            for one in study.rule_sets
        ),
        values=tuple(values),
        effects=adjust(effects),
        seat_tests=_test_seats(study, played, sound) if seats.name in study.metrics else (),
    )


def _test_seats(study: Study, played: dict[str, Blocks], sound: dict[str, frozenset[int]]) -> tuple[SeatTest, ...]:
    """Test for each rule set that has been played whether all seats are equal."""
    tests = []
    for one in study.rule_sets:
        if sound[one.name]:
            table = compare_seats([played[one.name][number] for number in sorted(sound[one.name])])
            tests.append(SeatTest(one.name, table.rank_points.p_value, table.wins.p_value))
    return tuple(tests)


def _describe(metric: Metric) -> MeasuredMetric:
    return MeasuredMetric(metric.name, metric.title, metric.unit, metric.definition)


def _sound_numbers(blocks: Blocks) -> list[int]:
    """List the blocks without a game that was lost by forfeit."""
    return [number for number, logs in blocks.items() if all(log.forfeit is None for log in logs)]


class _Profiles:
    """Measures, each made once: the base is needed for every variant."""

    def __init__(self, study: Study, played: dict[str, Blocks]) -> None:
        self.study, self.played = study, played
        self.made: dict[tuple[str, str, frozenset[int]], Profile] = {}

    def measure(self, variant: str, metric: str, numbers: frozenset[int]) -> Profile:
        """Return a metric of some blocks of a rule set, in the order of their numbers."""
        key = variant, metric, numbers
        if key not in self.made:
            blocks = [self.played[variant][number] for number in sorted(numbers)]
            self.made[key] = profile(METRICS[metric].measure, blocks)
        return self.made[key]

    def chosen(self, metric: str, found: Profile) -> list[str]:
        """List the values of a metric that count; a pattern that none of them fits is a mistake in the file."""
        patterns = [one for one in self.study.wanted if one.metric == metric]
        for one in patterns:
            if found.whole and not any(map(one.covers, found.whole)):
                hint = suggest(one.pattern, found.whole) or f"; it has {', '.join(found.whole)}"
                raise TorresError(f"metrics: {metric} has no value {shorten(one.pattern)}{hint}")
        return [label for label in found.whole if any(one.covers(label) for one in patterns)]


def adjust(effects: Sequence[Effect]) -> tuple[Effect, ...]:
    """Return the effects with p-values that hold for the whole table: Holm over changes, and over equivalences."""
    changes = _adjusted([effect.p_value for effect in effects])
    same = _adjusted([math.nan if effect.p_equivalent is None else effect.p_equivalent for effect in effects])
    return tuple(
        replace(effect, p_holm=change, p_equivalent_holm=None if effect.p_equivalent is None else equal)
        for effect, change, equal in zip(effects, changes, same, strict=True)
    )


def _adjusted(p_values: Sequence[float]) -> list[float]:
    """Return p-values after Holm; those that are not known take no part."""
    values = np.array(p_values, dtype=float)
    known = np.isfinite(values)
    values[known] = holm_adjusted(values[known])
    return values.tolist()
