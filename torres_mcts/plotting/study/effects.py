"""The effect forest: what every variant changes of every value, with intervals."""

import math
from typing import NamedTuple

from matplotlib.axes import Axes

from torres_mcts.plotting.pictures import marks
from torres_mcts.plotting.pictures.frame import (
    BLUE,
    GREEN,
    LINE,
    ORANGE,
    QUIET,
    SMALL_SIZE,
    Picture,
    Table,
    text_width,
)
from torres_mcts.plotting.pictures.listing import LeftOutError
from torres_mcts.plotting.study.findings import Findings, Key, words_of
from torres_mcts.plotting.study.panels import Stack
from torres_mcts.studies.export import EFFECT_COLUMNS, effect_rows
from torres_mcts.studies.results import Effect, Verdict
from torres_mcts.tournaments.statistics.estimates import Estimate

ROW = 0.3  # inches
PLOT_WIDTH, VALUE_ROOM = 4.2, 0.75
MOST_ROWS = 60
MOST_NAME = 34  # letters
CAPTION = (
    "Mark: the change against the base on the same deals; line: its 95 % interval over deals (blocks). Blue: higher, "
    "orange: lower, each after a test that allows for the whole table (Holm, 5 % in all). Green: shown to be no "
    "effect within the margin (shaded). Grey: undecided, more deals would tell."
)


class Mark(NamedTuple):
    """How an effect is drawn."""

    colour: str
    shape: str


MARKS = {
    Verdict.HIGHER: Mark(BLUE, "o"),
    Verdict.SMALL_HIGHER: Mark(BLUE, "s"),
    Verdict.LOWER: Mark(ORANGE, "o"),
    Verdict.SMALL_LOWER: Mark(ORANGE, "s"),
    Verdict.NO_EFFECT: Mark(GREEN, "s"),
    Verdict.OPEN: Mark("#8a8a8a", "o"),
}


def picture(findings: Findings) -> Picture:
    """Return the forest, a panel for each value."""
    groups, more = drawn_effects(findings)
    if not groups:
        raise LeftOutError("effects: nothing can be measured yet")
    shown = [effect for effects in groups.values() for effect in effects]
    left = marks.name_room([marks.shorten_middle(effect.variant, MOST_NAME) for effect in shown])
    interval_room = max(text_width(words_of(effect.difference.change)[1], SMALL_SIZE) for effect in shown)
    width = left + PLOT_WIDTH + VALUE_ROOM + interval_room + 0.15
    panels = list(groups.values())
    stack = Stack([len(effects) for effects in panels], ROW, left, PLOT_WIDTH)
    titles = [
        f"{findings.title_of(key)} ({findings.unit_of(key)}); base {base_words(effects[0])}"
        for key, effects in groups.items()
    ]
    return Picture(
        name="effects",
        title="What the variants change",
        caption=CAPTION,
        no_room=more,
        width=width,
        height=stack.height,
        draw=lambda sheet: stack.draw(sheet, titles, width, lambda axes, one: _draw_panel(axes, panels[one])),
        table=Table(EFFECT_COLUMNS, effect_rows(findings.results)),
    )


def drawn_effects(findings: Findings) -> tuple[dict[Key, list[Effect]], str]:
    """Return the effects that can be measured by value, and words for the caption where not all have room."""
    known = [effect for effect in findings.results.effects if effect.verdict != Verdict.UNKNOWN]
    chosen = sorted(range(len(known)), key=lambda index: (known[index].p_holm, known[index].p_value, index))
    rows = [known[index] for index in sorted(chosen[:MOST_ROWS])]
    groups: dict[Key, list[Effect]] = {}
    for key in findings.values:
        if effects := [effect for effect in rows if (effect.metric, effect.label) == key]:
            groups[key] = effects
    more = f"Drawn are the {MOST_ROWS} surest of {len(known)} effects; the data have all."
    return groups, more if len(known) > MOST_ROWS else ""


def effect_scale(effects: list[Effect]) -> marks.Range:
    """Return the ends of a scale on which all effects on a value have room, and the margin."""
    margin = max((effect.margin or 0.0 for effect in effects), default=0.0)
    base = abs(effects[0].difference.base.mean)
    reach = [effect.difference.change for effect in effects] + [Estimate(0.0, 0.0, -margin, margin)]
    return marks.scale_for(reach, least=max(0.02 * base, 1e-3))


def base_words(effect: Effect) -> str:
    """Write the value of the base with as many digits as its error allows."""
    base = effect.difference.base
    error = base.se if math.isfinite(base.se) and base.se > 0 else 0.1
    return f"{base.mean:.{min(4, max(0, 1 - math.floor(math.log10(error))))}f}".replace("-", "−")


def _draw_panel(axes: Axes, effects: list[Effect]) -> None:
    scale = effect_scale(effects)
    marks.clear_rows(axes, len(effects), scale)
    margin = effects[0].margin
    if margin is not None:
        axes.axvspan(max(-margin, scale[0]), min(margin, scale[1]), color=LINE, alpha=0.55, linewidth=0, zorder=1)
    axes.axvline(0, color=QUIET, linewidth=1, zorder=2)
    marks.write_names(axes, [marks.shorten_middle(effect.variant, MOST_NAME) for effect in effects])
    for row, effect in enumerate(effects):
        mark, change = MARKS[effect.verdict], effect.difference.change
        marks.draw_interval(axes, row, change, scale, mark.colour, marker=mark.shape)
        mean, interval = words_of(change)
        marks.write_value(axes, row, mean, shift=VALUE_ROOM - 0.1, ha="right", weight="bold")
        marks.write_value(axes, row, interval, shift=VALUE_ROOM, size=SMALL_SIZE)
    marks.mark_scale(axes, scale, 7)
