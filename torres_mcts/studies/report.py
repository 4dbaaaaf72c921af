"""The results of a study in words and numbers, for a terminal; the sentences serve any other report as well."""

import math
from collections.abc import Iterable
from statistics import median

from torres_mcts.studies.results import Effect, StudyResults, Verdict
from torres_mcts.studies.variants import BASE, name_of_changes
from torres_mcts.tournaments.statistics.estimates import Estimate

DIGITS = 4  # the most after the point
FEW_BLOCKS = 20
SMALLEST = 0.001  # p-values below are not told apart
FOUND = (Verdict.HIGHER, Verdict.LOWER, Verdict.SMALL_HIGHER, Verdict.SMALL_LOWER)


def write_report(results: StudyResults) -> str:
    """Return the report: the question, the answer, the table of effects, and what common luck has brought."""
    parts = [_head(results), ["answer", *(f"  {line}" for line in answer(results))]]
    parts += [_table(results), _values(results), _seats(results), ["common random numbers", f"  {say_gain(results)}"]]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _head(results: StudyResults) -> list[str]:
    settings = results.settings
    agents = list(dict.fromkeys(settings["agents"]))
    table = (
        f"{agents[0]} on every seat" if len(agents) == 1 else ", ".join(settings["agents"]) + " in turn on all seats"
    )
    limit = ", ".join(
        f"{value:g} {name}" for name, value in settings["limit"].items() if name in ("iterations", "time")
    )
    rules = name_of_changes(settings["rules"])
    lines = [
        f"study {results.name}",
        f"question: {results.question}" if results.question else "",
        f"{results.blocks} of {results.blocks_wanted} blocks, {results.games} games: {table}, {limit} a turn",
        f"base: {rules}",
        f"seed {settings['seed']}, version {results.version}, config {results.config}",
    ]
    lost = {one.name: one.forfeited_blocks for one in results.rule_sets if one.forfeited_blocks}
    if lost:
        told = ", ".join(f"{number} of {name}" for name, number in lost.items())
        lines.append(f"left out, for a game in them was lost by forfeit: {told} blocks")
    if results.blocks < FEW_BLOCKS:
        lines.append(f"fewer than {FEW_BLOCKS} blocks that all rule sets have: a first look, not an answer")
    return [line for line in lines if line]


def answer(results: StudyResults) -> list[str]:
    """Say what each variant does, in sentences."""
    lines = []
    for one in results.rule_sets[1:]:
        effects = [effect for effect in results.effects if effect.variant == one.name]
        lines += say_variant(results, one.name, effects)
    return lines or ["nothing has been played that can be compared"]


def say_variant(results: StudyResults, name: str, effects: list[Effect]) -> list[str]:
    """Say what one variant does: what is found, what is excluded, what is open."""
    known = [effect for effect in effects if effect.verdict != Verdict.UNKNOWN]
    if not known:
        return [f"{name}: nothing can be measured yet"]
    if all(effect.difference.is_nothing for effect in known):
        return [f"{name}: the same as the base in every block ({_count(known, 'value')})"]
    lines = [f"{name}: {say_effect(results, effect)}" for effect in known if effect.verdict in FOUND]
    lines += [f"{name}: {say_effect(results, effect)}" for effect in known if effect.verdict == Verdict.NO_EFFECT]
    undecided = [effect for effect in known if effect.verdict == Verdict.OPEN]
    if len(undecided) == len(known):
        lines.append(f"{name}: no effect is shown, and none is excluded, in {_count(known, 'value')}")
    elif undecided:
        names = ", ".join(_name(effect) for effect in undecided[:6]) + (", ..." if len(undecided) > 6 else "")
        lines.append(f"{name}: undecided in {_count(undecided, 'value')}: {names}")
    return lines


def say_effect(results: StudyResults, effect: Effect) -> str:
    """Say what a variant changes of one value, with numbers."""
    change, unit = effect.difference.change, {one.name: one.unit for one in results.metrics}[effect.metric]
    size = f"{format_estimate(change, sign=True)} {unit}"
    if effect.verdict == Verdict.NO_EFFECT:
        chance = say_chance(effect.p_equivalent_holm)
        return f"no effect on {_name(effect)} within {effect.margin:g} {unit}: {size} ({chance} after Holm)"
    small = (
        f", though less than {effect.margin:g}" if effect.verdict in (Verdict.SMALL_HIGHER, Verdict.SMALL_LOWER) else ""
    )
    if effect.verdict not in FOUND:
        return f"{_name(effect)}: {effect.verdict}, {size} ({say_chance(effect.p_holm)} after Holm)"
    way, places = ("higher" if change.mean > 0 else "lower"), _places(change)
    base, other = (f"{one.mean:.{places}f}" for one in (effect.difference.base, effect.difference.variant))
    return f"{_name(effect)} is {way}{small}: {size}, from {base} to {other} ({say_chance(effect.p_holm)} after Holm)"


def say_chance(p_value: float | None) -> str:
    """Write a p-value.

    >>> say_chance(0.0312), say_chance(1e-9)
    ('p = 0.031', 'p < 0.001')
    """
    if p_value is None or math.isnan(p_value):
        return "p unknown"
    return f"p = {p_value:.3f}" if p_value >= SMALLEST else f"p < {SMALLEST}"


def _short_chance(p_value: float) -> str:
    """Write a p-value for a table."""
    return f"<{SMALLEST}" if p_value < SMALLEST else _number(p_value, 3)


def say_gain(results: StudyResults) -> str:
    """Say how much smaller the variance of differences is than with separate luck."""
    gains = [(effect.difference.gain, effect) for effect in results.effects if effect.difference.gain is not None]
    same = sum(effect.difference.is_nothing for effect in results.effects)
    words = []
    if gains:
        middle = median(gain.mean for gain, _ in gains)
        low, high = min(gain.mean for gain, _ in gains), max(gain.mean for gain, _ in gains)
        words.append(
            f"played on the same luck, differences have a variance smaller by a factor of {middle:.2f} (median of"
            f" {_count(gains, 'value')}, from {low:.2f} to {high:.2f}); without it so many times the blocks are needed"
        )
    if same:
        words.append(
            f"{same} of {_count(results.effects, 'value')} {'is' if same == 1 else 'are'} the same in every block"
        )
    return "; ".join(words) or "nothing can be said yet: 4 blocks at least are needed"


def _table(results: StudyResults) -> list[str]:
    """Return the table of effects."""
    if not results.effects:
        return []
    tests = sum(not math.isnan(effect.p_value) for effect in results.effects)
    equal = sum(effect.p_equivalent is not None for effect in results.effects)
    over = f"p after Holm over {_count(range(tests), 'test')}"
    over += f", p= of equivalence over {_count(range(equal), 'test')}" if equal else ""
    rows: list[tuple[str, ...]]
    rows = [("variant", "value", "base", "change", "95 % interval", "p", "margin", "p=", "gain", "verdict")]
    rows += [_row(effect) for effect in results.effects]
    return [f"effects: variant less base on the same deals; {over}", *_columns(rows, right=(2, 3, 5, 6, 7, 8))]


def _row(effect: Effect) -> tuple[str, ...]:
    difference = effect.difference
    change, gain, places = difference.change, difference.gain, _places(difference.change)
    return (
        effect.variant,
        _name(effect),
        _number(difference.base.mean, places),
        _number(change.mean, places, sign=True),
        _interval(change, places, sign=True),
        _short_chance(effect.p_holm),
        "-" if effect.margin is None else f"{effect.margin:g}",
        "-" if effect.p_equivalent_holm is None else _short_chance(effect.p_equivalent_holm),
        "-" if gain is None else f"{gain.mean:.2f}",
        "same in every block" if difference.is_nothing else str(effect.verdict),
    )


def _values(results: StudyResults) -> list[str]:
    """Return the values of the base, which the effects are changes of."""
    rows = [("value", "base", "95 % interval", "blocks")]
    for value in results.values:
        if value.variant == BASE:
            places = _places(value.estimate)
            mean, interval = _number(value.estimate.mean, places), _interval(value.estimate, places)
            rows.append((f"{value.metric}.{value.label}", mean, interval, str(value.blocks)))
    return ["the base", *_columns(rows, right=(1, 3))] if len(rows) > 1 else []


def _seats(results: StudyResults) -> list[str]:
    """Say for each rule set whether its seats may be equal."""
    if not results.seat_tests:
        return []
    rows = [("rule set", "rank points", "wins")]
    rows += [(one.variant, _short_chance(one.p_points), _short_chance(one.p_wins)) for one in results.seat_tests]
    return ["are all seats equal? p of the joint test, of each rule set alone", *_columns(rows, right=(1, 2))]


def _columns(rows: Iterable[tuple[str, ...]], right: tuple[int, ...]) -> list[str]:
    """Line up a table; some columns to the right."""
    rows = list(rows)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(
            f"{cell:>{width}}" if column in right else f"{cell:<{width}}"
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    return [f"  {line}".rstrip() for line in lines]


def format_estimate(estimate: Estimate, *, sign: bool = False) -> str:
    """Write a value and its interval with as many digits as its error allows.

    >>> format_estimate(Estimate(4.2134, 0.21, 3.8, 4.63), sign=True)
    '+4.21 [+3.80, +4.63]'
    """
    places = _places(estimate)
    return f"{_number(estimate.mean, places, sign=sign)} {_interval(estimate, places, sign=sign)}"


def _places(estimate: Estimate) -> int:
    """Return how many digits after the point say something."""
    if not (math.isfinite(estimate.se) and estimate.se > 1e-9 * max(1.0, abs(estimate.mean))):
        return 2
    return min(DIGITS, max(0, 1 - math.floor(math.log10(estimate.se))))


def _interval(estimate: Estimate, places: int, *, sign: bool = False) -> str:
    return f"[{_number(estimate.low, places, sign=sign)}, {_number(estimate.high, places, sign=sign)}]"


def _number(value: float, places: int, *, sign: bool = False) -> str:
    if math.isnan(value):
        return "-"
    return f"{value + 0.0:{'+' if sign else ''}.{places}f}"


def _name(effect: Effect) -> str:
    return f"{effect.metric}.{effect.label}"


def _count(things: Iterable[object], noun: str) -> str:
    number = len(list(things))
    return f"{number} {noun}{'s' * (number != 1)}"
