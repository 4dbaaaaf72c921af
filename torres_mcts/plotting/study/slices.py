"""Parameter slices: a value along one rule parameter, all else unchanged."""

import math
from dataclasses import dataclass

from matplotlib.axes import Axes

from torres_mcts.plotting.pictures.frame import (
    BLUE,
    LINE,
    ORANGE,
    QUIET,
    SMALL_SIZE,
    TEXT_SIZE,
    Picture,
    Table,
    size_to_fit,
)
from torres_mcts.plotting.pictures.listing import LeftOutError
from torres_mcts.plotting.study.findings import ROUNDING, Findings, Key
from torres_mcts.plotting.study.panels import Panels
from torres_mcts.studies.results import Verdict
from torres_mcts.studies.variants import BASE, name_of_changes, value_text
from torres_mcts.tournaments.statistics.estimates import Estimate

MOST = 18  # panels
WIDE, HIGH = 2.35, 1.75  # inches
CAPTION = (
    "Marks: the value under each setting of the parameter; lines: 95 % interval of its change against the base on the "
    "same deals (blocks), so the base itself (dashed) has none. Where an interval leaves out the dashed line "
    "the change is clear by itself; the effect forest allows for all comparisons. Slices along which nothing changes "
    "in any game are not drawn."
)


@dataclass(frozen=True)
class Step:
    """A setting of the parameter: its words, its number if it is one, and the value there."""

    words: str
    number: float | None
    variant: str
    value: Estimate  # the base's mean and the interval of the change put upon it


@dataclass(frozen=True)
class Slice:
    """A value along a parameter."""

    key: Key
    parameter: str
    held: str  # what else differs from the base, and is the same all along
    base: float
    steps: list[Step]

    @property
    def moves(self) -> bool:
        """Whether the value changes along it, in any game."""
        return any(step.value.se > ROUNDING * abs(self.base) or not math.isclose(step.value.mean, self.base)
                   for step in self.steps)  # fmt: skip


def picture(findings: Findings) -> Picture:
    """Return the slices, a panel for each."""
    found = [one for key in findings.values for one in slices_of(findings, key)]
    if not found:
        raise LeftOutError("slices: no rule parameter has two values with all else unchanged")
    moving = [one for one in found if one.moves]
    if not moving:
        raise LeftOutError("slices: no parameter changes any value, in any game")
    drawn = moving[:MOST]
    panels = Panels(len(drawn), 3, wide=WIDE, high=HIGH, across=0.7, down=1.1, left=0.45)
    more = f"Drawn are the first {MOST} of {len(moving)} slices; the data have all." if len(moving) > MOST else ""
    return Picture(
        name="slices",
        title="Along each parameter",
        caption=CAPTION,
        no_room=more,
        width=panels.width,
        height=panels.height,
        draw=lambda sheet: panels.draw(sheet, drawn, lambda axes, one: _draw_panel(axes, findings, one), 0.5),
        table=Table(
            ("metric", "label", "parameter", "held", "setting", "variant", "value", "low", "high"),
            [
                (*one.key, one.parameter, one.held, step.words, step.variant, step.value.mean, step.value.low,
                 step.value.high)
                for one in found
                for step in one.steps
            ],
        ),
    )  # fmt: skip


def slices_of(findings: Findings, key: Key) -> list[Slice]:
    """Return the slices of a value: along each parameter, for each way in which the rest of the rules was held."""
    effects = {name: effect for name, effect in findings.effects[key].items() if effect.verdict != Verdict.UNKNOWN}
    groups: dict[tuple[str, str], dict[str, Step]] = {}
    for name, effect in effects.items():
        changes = findings.changes.get(name, {})
        base, change = effect.difference.base.mean, effect.difference.change
        level = Estimate(base + change.mean, change.se, base + change.low, base + change.high)
        for parameter, value in changes.items():
            held = name_of_changes({other: changes[other] for other in sorted(changes) if other != parameter})
            step = Step(value_text(value), _number(value), name, level)
            groups.setdefault((parameter, held), {}).setdefault(step.words, step)
        if len(changes) == 1:  # with the parameter as in the base, the rest is the base
            (parameter,) = changes
            for other, value in _alone(findings, parameter):
                groups.setdefault((other, name_of_changes(changes)), {}).setdefault(
                    value, Step(value, _base_number(findings, other), name, level)
                )
    found = []
    for (parameter, held), steps in groups.items():
        base = next(iter(effects.values())).difference.base.mean
        if not held:
            words, level = findings.base_words(parameter), Estimate(base, 0.0, base, base)
            steps = {words: Step(words, _base_number(findings, parameter), BASE, level), **steps}
        if len(steps) > 1:
            ordered = list(steps.values())
            if all(step.number is not None for step in ordered):
                ordered.sort(key=lambda step: step.number or 0.0)
            found.append(Slice(key, parameter, held, base, ordered))
    return found


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _base_number(findings: Findings, parameter: str) -> float | None:
    return _number(getattr(findings.run.study.base.rules, parameter, None))


def _alone(findings: Findings, parameter: str) -> list[tuple[str, str]]:
    """Return the other parameters that were changed together with one, each with its value in the base."""
    together = [changes for changes in findings.changes.values() if parameter in changes and len(changes) == 2]
    others = dict.fromkeys(other for changes in together for other in changes if other != parameter)
    return [(other, findings.base_words(other)) for other in others]


def _draw_panel(axes: Axes, findings: Findings, one: Slice) -> None:
    is_scale = all(step.number is not None for step in one.steps)
    places = [step.number or 0.0 if is_scale else float(index) for index, step in enumerate(one.steps)]
    means = [step.value.mean for step in one.steps]
    bounds = [bound for step in one.steps for bound in (step.value.low, step.value.high) if math.isfinite(bound)]
    low, high = min(means + bounds + [one.base]), max(means + bounds + [one.base])
    room = 0.1 * ((high - low) or abs(high) or 1.0)
    axes.plot(places, means, color=LINE if not is_scale else BLUE, linewidth=1.2, alpha=0.7, zorder=2)
    axes.axhline(one.base, color=ORANGE, linewidth=1.2, linestyle=(0, (5, 3)), zorder=1)
    for place, step in zip(places, one.steps, strict=True):
        ends = max(step.value.low, low - room), min(step.value.high, high + room)
        axes.plot([place, place], ends, color=BLUE, linewidth=2.5, solid_capstyle="butt", zorder=3)
        fill = "white" if step.variant == BASE else BLUE
        axes.plot(place, step.value.mean, "o", color=fill, markeredgecolor=BLUE, markersize=7, zorder=4)
    margin = 0.12 * (max(places) - min(places))
    axes.set(xlim=(min(places) - margin, max(places) + margin), ylim=(low - room, high + room))
    axes.set_xticks(places, [step.words for step in one.steps])
    longest = max(len(step.words) for step in one.steps)
    axes.tick_params(length=0, labelsize=SMALL_SIZE if longest * len(places) < 30 else 6)
    axes.locator_params(axis="y", nbins=5)
    axes.grid(axis="y", color=LINE, linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(one.parameter, size=SMALL_SIZE + 0.5, labelpad=3)
    title = findings.title_of(one.key)
    lines = f"{title}\n{one.held}" if one.held else title
    size = min(size_to_fit(line, WIDE + 0.4, TEXT_SIZE) for line in lines.split("\n"))
    axes.set_title(lines, size=size, color=QUIET, loc="left", pad=6)
