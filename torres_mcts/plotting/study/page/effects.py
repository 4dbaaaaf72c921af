"""The effects on the page: a table for each value with the forest in it, the tornado, and slices."""

import math

from torres_mcts.plotting.page import charts
from torres_mcts.plotting.page.markup import Markup, element, join
from torres_mcts.plotting.page.sections import section
from torres_mcts.plotting.page.tables import Cell, sortable_table
from torres_mcts.plotting.study.effects import base_words, effect_scale
from torres_mcts.plotting.study.findings import Findings, Key, words_of
from torres_mcts.plotting.study.slices import Slice, slices_of
from torres_mcts.plotting.study.tornado import ends_of, tornadoes
from torres_mcts.studies.report import say_chance
from torres_mcts.studies.results import Effect, Verdict
from torres_mcts.studies.variants import BASE

SHADES = {
    Verdict.HIGHER: "higher", Verdict.SMALL_HIGHER: "higher", Verdict.LOWER: "lower", Verdict.SMALL_LOWER: "lower",
    Verdict.NO_EFFECT: "none",
}  # fmt: skip


def effects_section(findings: Findings, note: str) -> Markup:
    """Write what every variant changes, a table for each value."""
    tables = [_effect_table(findings, key) for key in findings.values]
    return section("effects", "What the variants change", *(table for table in tables if table is not None), note=note)


def _known(findings: Findings, key: Key) -> list[Effect]:
    return [effect for effect in findings.effects[key].values() if effect.verdict != Verdict.UNKNOWN]


def _effect_table(findings: Findings, key: Key) -> Markup | None:
    effects = _known(findings, key)
    if not effects:
        return None
    scale = effect_scale(effects)
    titles = ("variant", "change", f"from {number(scale[0])} to {number(scale[1])}", "value", "p after Holm", "verdict")
    rows = [
        [
            Cell(element("b", effect.variant), effect.variant),
            change_cell(effect),
            Cell(effect_mark(effect, scale), effect.difference.change.mean),
            Cell(number(effect.difference.variant.mean), effect.difference.variant.mean),
            chance_cell(effect),
            verdict_cell(effect),
        ]
        for effect in effects
    ]
    margin = "" if effects[0].margin is None else f" · no effect: less than {effects[0].margin:g}"
    facts = f"{findings.unit_of(key)} · base {base_words(effects[0])}{margin}"
    heading = element("h3", findings.title_of(key), element("span", facts))
    return element("div", heading, sortable_table(findings.title_of(key), titles, rows, kind="effect"), class_="family")


def effect_mark(effect: Effect, scale: charts.Range) -> Markup:
    """Draw a change with its interval, the margin behind it."""
    zero, mean = charts.place(0, scale), charts.place(effect.difference.change.mean, scale)
    margin = None
    if effect.margin is not None:
        ends = [charts.place(end, scale) for end in (-effect.margin, effect.margin)]
        margin = charts.box(ends[0], ends[1], 0, 10, "margin")
    return charts.stretched(
        charts.box(0, 100, 0, 10, "track"),
        margin,
        charts.line(zero, 0, zero, 10, "zero"),
        charts.whisker(effect.difference.change, scale),
        charts.line(mean, 0.5, mean, 9.5, "mean"),
        kind=f"difference {SHADES.get(effect.verdict, 'open')}",
    )


def change_cell(effect: Effect) -> Cell:
    """Write a change with its interval."""
    mean, interval = words_of(effect.difference.change)
    return Cell(join(element("b", mean), element("small", interval)), effect.difference.change.mean)


def chance_cell(effect: Effect) -> Cell:
    """Write the p-value of a change, and that of the margin where there is one."""
    same = effect.p_equivalent_holm
    more = None if same is None else element("small", f"margin: {say_chance(same)}")
    return Cell(join(say_chance(effect.p_holm), more), effect.p_holm)


def verdict_cell(effect: Effect) -> Cell:
    """Write what may be said of an effect."""
    words = "same in every block" if effect.difference.is_nothing else str(effect.verdict)
    return Cell(element("span", words, class_=f"said {SHADES.get(effect.verdict, 'open')}"), words)


def number(value: float) -> str:
    """Write a number with three digits or so.

    >>> number(-0.03456), number(76.283), number(1234.5), number(0.0)
    ('−0.0346', '76.3', '1234', '0')
    """
    if not math.isfinite(value):
        return "–"
    size = 3 if not value else max(0, 2 - math.floor(math.log10(abs(value))))
    words = f"{value:.{min(size, 4)}f}"
    return (words.rstrip("0").rstrip(".") if "." in words else words).replace("-", "−") or "0"


def tornado_section(findings: Findings, note: str) -> Markup:
    """Draw which parameter moves each value most."""
    tables = []
    for key, bars in tornadoes(findings).items():
        scale = effect_scale([effect for effects in bars.values() for _, effect in effects])
        rows = []
        for parameter, effects in bars.items():
            ends = ends_of(effects)
            name = join(element("b", parameter), element("small", f"base {findings.base_words(parameter)}"))
            words = [element("span", f"{value}: {words_of(one.difference.change)[0]}") for value, one in ends]
            spread = max(abs(one.difference.change.mean) for _, one in ends)
            drawn = tornado_bar([one for _, one in ends], scale)
            rows.append([Cell(name, parameter), Cell(drawn, spread), Cell(join(*words), spread)])
        titles = ("parameter", f"from {number(scale[0])} to {number(scale[1])}", "change")
        heading = element("h3", findings.title_of(key), element("span", findings.unit_of(key)))
        table = sortable_table(f"Parameters alone: {findings.title_of(key)}", titles, rows, kind="tornado-table")
        tables.append(element("div", heading, table, class_="family"))
    return section("tornado", "Which parameter moves the game most", *tables, note=note)


def tornado_bar(effects: list[Effect], scale: charts.Range) -> Markup:
    """Draw bars from the base to the lowest and the highest value, with intervals."""
    zero = charts.place(0, scale)
    parts = [charts.box(0, 100, 0, 10, "track")]
    for effect in sorted(effects, key=lambda effect: -abs(effect.difference.change.mean)):
        end = charts.place(effect.difference.change.mean, scale)
        kind = "reach higher" if end >= zero else "reach lower"
        parts.append(charts.box(min(zero, end), max(zero, end), 1.5, 8.5, kind))
    parts += [charts.whisker(effect.difference.change, scale) for effect in effects]
    return charts.stretched(*parts, charts.line(zero, 0, zero, 10, "zero"), kind="difference")


def slices_section(findings: Findings, note: str) -> Markup:
    """Draw each value along each parameter, as small charts."""
    figures = [_slice_figure(findings, one) for key in findings.values for one in slices_of(findings, key) if one.moves]
    return section("slices", "Along each parameter", element("div", *figures, class_="small-charts"), note=note)


def _slice_figure(findings: Findings, one: Slice) -> Markup:
    bounds = [bound for step in one.steps for bound in step.value.ci95 if math.isfinite(bound)]
    values = [one.base, *(step.value.mean for step in one.steps), *bounds]
    room = 0.12 * ((max(values) - min(values)) or 1.0)
    scale = min(values) - room, max(values) + room

    def up(value: float) -> float:
        return 10 - charts.place(value, scale) / 10

    wide = 100 / len(one.steps)
    parts = [charts.box(0, 100, 0, 10, "track"), charts.line(0, up(one.base), 100, up(one.base), "fair")]
    for index, step in enumerate(one.steps):
        x, level = (index + 0.5) * wide, up(step.value.mean)
        parts.append(charts.line(x, up(step.value.low), x, up(step.value.high), "whisker"))
        kind = "level base" if step.variant == BASE else "level"
        parts.append(charts.line(x - 0.22 * wide, level, x + 0.22 * wide, level, kind))
    ticks = [element("span", element("b", step.words), element("br"), number(step.value.mean)) for step in one.steps]
    title = f"{findings.title_of(one.key)} by {one.parameter}"
    return element(
        "figure",
        element("figcaption", title, " ", element("span", one.held) if one.held else None),
        charts.stretched(*parts, kind="slice"),
        element("div", *ticks, class_="ticks"),
        class_="small-chart",
    )
