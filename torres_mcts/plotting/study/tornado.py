"""The tornado: which rule parameter moves a value most, each changed alone."""

from matplotlib.axes import Axes

from torres_mcts.plotting.pictures import marks
from torres_mcts.plotting.pictures.frame import (
    BLUE,
    INK,
    ORANGE,
    QUIET,
    SMALL_SIZE,
    Picture,
    Table,
    text_width,
)
from torres_mcts.plotting.pictures.listing import LeftOutError
from torres_mcts.plotting.study.effects import effect_scale
from torres_mcts.plotting.study.findings import Findings, Key, words_of
from torres_mcts.plotting.study.panels import Stack
from torres_mcts.studies.results import Effect, Verdict
from torres_mcts.studies.variants import value_text

ROW = 0.44  # inches
PLOT_WIDTH = 4.2
MOST_PANELS, MOST_ROWS = 8, 12
CAPTION = (
    "Each parameter changed alone. Bars reach from the base to the lowest and to the highest value that a change of "
    "the parameter leads to; lines: 95 % intervals of these two, over the same deals (blocks). The parameter that "
    "moves the value most is on top. Blue: higher than the base, orange: lower."
)
Bars = dict[str, list[tuple[str, Effect]]]  # by parameter: its value in words, and the effect


def picture(findings: Findings) -> Picture:
    """Return bars for each parameter, a panel for each value."""
    found = tornadoes(findings)
    if not found:
        raise LeftOutError("tornado: no two rule parameters were changed alone, or none of them changes anything")
    panels = {key: dict(list(bars.items())[:MOST_ROWS]) for key, bars in list(found.items())[:MOST_PANELS]}
    notes = {(key, name): end_words(bars[name]) for key, bars in panels.items() for name in bars}
    unchanged = {name: f"base {findings.base_words(name)}" for bars in panels.values() for name in bars}
    left = marks.name_room(unchanged, unchanged.values())
    width = left + PLOT_WIDTH + 0.25 + max(text_width(words, SMALL_SIZE) for words in notes.values())
    stack = Stack([len(bars) for bars in panels.values()], ROW, left, PLOT_WIDTH)
    titles = [f"{findings.title_of(key)}, change against the base ({findings.unit_of(key)})" for key in panels]

    def draw(axes: Axes, number: int) -> None:
        key, bars = list(panels.items())[number]
        _draw_panel(axes, bars)
        marks.write_names(axes, list(bars), [unchanged[name] for name in bars])
        for row, name in enumerate(bars):
            marks.write_value(axes, row, notes[key, name], size=SMALL_SIZE)

    is_cut = len(found) > MOST_PANELS or any(len(bars) > MOST_ROWS for bars in found.values())
    return Picture(
        name="tornado",
        title="Which parameter moves the game most",
        caption=CAPTION,
        no_room="Not all had room; the data have all." * is_cut,
        width=width,
        height=stack.height,
        draw=lambda sheet: stack.draw(sheet, titles, width, draw),
        table=Table(
            ("metric", "label", "parameter", "value", "variant", "change", "low", "high"),
            [
                (*key, parameter, value, effect.variant, change.mean, change.low, change.high)
                for key, bars in found.items()
                for parameter, effects in bars.items()
                for value, effect in effects
                for change in [effect.difference.change]
            ],
        ),
    )


def tornadoes(findings: Findings) -> dict[Key, Bars]:
    """Return the bars of each value that some of at least two parameters, changed alone, move."""
    found = {key: bars_of(findings, key) for key in findings.values}
    return {
        key: bars
        for key, bars in found.items()
        if len(bars) > 1 and not all(effect.difference.is_nothing for effects in bars.values() for _, effect in effects)
    }


def bars_of(findings: Findings, key: Key) -> Bars:
    """Return the effects of parameters that were changed alone, the one that moves a value most first."""
    bars: dict[str, dict[str, Effect]] = {}
    for variant, effect in findings.effects[key].items():
        changes = findings.changes.get(variant, {})
        if len(changes) == 1 and effect.verdict != Verdict.UNKNOWN:
            ((parameter, value),) = changes.items()
            bars.setdefault(parameter, {}).setdefault(value_text(value), effect)
    return {
        parameter: list(effects.items())
        for parameter, effects in sorted(bars.items(), key=lambda item: (-_spread(item[1]), item[0]))
    }


def ends_of(effects: list[tuple[str, Effect]]) -> list[tuple[str, Effect]]:
    """Return the lowest and the highest effect of a parameter; one where it has no other value."""
    ordered = sorted(effects, key=lambda pair: pair[1].difference.change.mean)
    return ordered if len(ordered) < 2 else [ordered[0], ordered[-1]]


def end_words(effects: list[tuple[str, Effect]]) -> str:
    """Say which values of a parameter have the lowest and the highest effect."""
    return "    ".join(f"{value}: {words_of(effect.difference.change)[0]}" for value, effect in ends_of(effects))


def _spread(effects: dict[str, Effect]) -> float:
    changes = [0.0, *(effect.difference.change.mean for effect in effects.values())]
    return max(changes) - min(changes)


def _draw_panel(axes: Axes, bars: Bars) -> None:
    scale = effect_scale([effect for effects in bars.values() for _, effect in effects])
    marks.clear_rows(axes, len(bars), scale)
    axes.axvline(0, color=QUIET, linewidth=1, zorder=4)
    for row, effects in enumerate(bars.values()):
        ends = sorted(ends_of(effects), key=lambda pair: -abs(pair[1].difference.change.mean))
        is_one_sided = len({effect.difference.change.mean >= 0 for _, effect in ends}) == 1
        for number, (_, effect) in enumerate(ends):
            change = effect.difference.change
            colour = BLUE if change.mean >= 0 else ORANGE
            axes.barh(
                row,
                change.mean,
                height=0.56,
                color=colour,
                alpha=0.5 if is_one_sided and not number else 0.8,
                linewidth=0,
                zorder=2,
            )
            low, high = max(change.low, scale[0]), min(change.high, scale[1])
            lift = (0.09 if number else -0.09) if is_one_sided and len(ends) > 1 else 0.0
            axes.plot([low, high], [row + lift] * 2, color=INK, linewidth=1.5, solid_capstyle="butt", zorder=3)
    marks.mark_scale(axes, scale, 7)
