"""The question of a study and its answer in words, with numbers."""

from collections import Counter

from torres_mcts.plotting.page.markup import Markup, element
from torres_mcts.plotting.page.tables import described
from torres_mcts.plotting.study.findings import Findings, label_words
from torres_mcts.plotting.study.seats import verdict
from torres_mcts.studies.metrics import METRICS
from torres_mcts.studies.report import FOUND, say_gain, say_variant
from torres_mcts.studies.results import Effect, Verdict

MOST_LINES = 8  # for each variant; the table has the rest


def answer_section(findings: Findings) -> Markup:
    """Write the question, the answer for each variant, and the facts beside it."""
    results = findings.results
    question = results.question or "What do the variants change?"
    head = element("p", element("strong", headline(findings)), class_="verdict")
    variants = [element("div", *variant_lines(findings, one.name)) for one in results.rule_sets[1:]]
    lost = sum(one.forfeited_blocks for one in results.rule_sets)
    facts = element(
        "dl",
        described("games", f"{results.games:,}"),
        described("deals of each rule set", f"{results.blocks:,}", f"of {results.blocks_wanted:,}"),
        described("deals lost by forfeit", f"{lost:,}"),
        described("seats", verdict(findings)),
        described("common luck", say_gain(results)),
        class_="facts",
    )
    title = element("h2", question, id="answer")
    parts = element("div", element("div", head, class_="words"), facts, element("div", *variants, class_="variants"),
                    class_="answer")  # fmt: skip
    return element("section", title, parts, aria_labelledby="answer", class_="question")


def headline(findings: Findings) -> str:
    """Say how many effects were found, excluded and left open."""
    counts = Counter(effect.verdict for effect in findings.results.effects)
    known = sum(counts.values()) - counts[Verdict.UNKNOWN]
    if not known:
        return "Nothing can be measured yet."
    found = sum(counts[one] for one in FOUND)
    none, undecided = counts[Verdict.NO_EFFECT], counts[Verdict.OPEN]
    parts = [f"{found} of {known} comparisons show{'s' * (found == 1)} an effect"]
    if none:
        parts.append(f"{none} show{'s' * (none == 1)} that there is none within the margin")
    if undecided:
        parts.append(f"{undecided} {'is' if undecided == 1 else 'are'} undecided")
    return ", ".join(parts) + "."


def variant_lines(findings: Findings, name: str) -> list[Markup]:
    """Write what a variant does, the surest effects first."""
    results = findings.results
    effects = [effect for effect in results.effects if effect.variant == name]
    lines = [line.removeprefix(f"{name}: ") for line in say_variant(results, name, sorted(effects, key=_sureness))]
    items = [element("li", in_words(findings, line)) for line in lines[:MOST_LINES]]
    if len(lines) > MOST_LINES:
        items.append(element("li", f"{len(lines) - MOST_LINES} more in the table of effects"))
    return [element("h3", name), element("ul", *items)]


def in_words(findings: Findings, line: str) -> str:
    """Call values by their titles instead of the names that files use."""
    for metric, label in sorted(findings.values, key=lambda key: -len(key[1])):
        line = line.replace(f"{metric}.{label}", f"{METRICS[metric].title} ({label_words(label)})")
    return line


def _sureness(effect: Effect) -> tuple[bool, float, str, str]:
    return effect.p_holm != effect.p_holm, effect.p_holm, effect.metric, effect.label
