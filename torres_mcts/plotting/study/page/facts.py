"""The end of the page: rule sets, how numbers are meant, games lost by forfeit, and where all of it comes from."""

from torres_mcts.core.files import to_json
from torres_mcts.plotting.page.markup import Markup, element, join
from torres_mcts.plotting.page.sections import repeat_section, section
from torres_mcts.plotting.page.tables import Cell, described, sortable_table
from torres_mcts.plotting.study.findings import Findings
from torres_mcts.studies.store import STUDY_FILE
from torres_mcts.studies.variants import name_of_changes

MOST_FORFEITS = 100  # listed; the rest is counted


def rules_section(findings: Findings) -> Markup:
    """List the rule sets: what each changes, and how much of it was played."""
    results = findings.results
    rows = []
    for one in results.rule_sets:
        words = name_of_changes(one.changes) or name_of_changes(one.rules)
        rows.append(
            [
                Cell(element("b", one.name), one.name),
                Cell(element("code", words), words),
                Cell(f"{one.blocks:,}", one.blocks),
                Cell(f"{one.forfeited_blocks:,}", one.forfeited_blocks),
                Cell(element("code", one.config), one.config),
            ]
        )
    titles = ("rules", "changes against the base", "deals", "left out for a forfeit", "config hash")
    return section("rules", "The rule sets", sortable_table("Rule sets", titles, rows, kind="rules-table"))


def metrics_section(findings: Findings) -> Markup:
    """Say what is measured, and how effects are tested."""
    terms = [
        described(one.title, with_code(one.definition), f"{one.name}, {one.unit}") for one in findings.results.metrics
    ]
    tests = (
        "Effects are variant less base on the same deals with the same luck. Intervals are 95 %, by a jackknife over "
        "deals, those of quantiles by a bootstrap. p is the chance of so large a change if there was none, raised by "
        "Holm's method for all comparisons: "
        "with a risk of 5 % anything in the whole table is called an effect wrongly. That there is no effect is said "
        "only within a margin of the file, by two one-sided tests; what is neither is undecided."
    )
    return section("metrics", "What is measured", element("dl", *terms, class_="terms"), note=tests)


def with_code(words: str) -> Markup:
    """Write words in which names stand between backticks.

    >>> with_code("a `b` c")
    'a <code>b</code> c'
    """
    parts = words.split("`")
    return join(*(element("code", part) if index % 2 else part for index, part in enumerate(parts)))


def forfeit_section(findings: Findings) -> Markup:
    """List the games lost by forfeit."""
    lost = [(name, log, log.forfeit) for name, log in findings.run.games if log.forfeit is not None]
    if not lost:
        return section("forfeits", "Forfeits", element("p", "No game was lost by forfeit."))
    rows = [
        [
            Cell(element("b", name), name),
            Cell(log.deal, log.deal),
            Cell(log.agents[forfeit.seat], log.agents[forfeit.seat]),
            Cell(forfeit.seat + 1, forfeit.seat),
            Cell(element("code", forfeit.error), forfeit.error),
            Cell(str(forfeit.seed), str(forfeit.seed)),
        ]
        for name, log, forfeit in lost[:MOST_FORFEITS]
    ]
    note = f"{len(lost):,} games: the agent crashed or played illegally. The whole deal is left out, on both sides."
    note += f" The first {MOST_FORFEITS} of them:" if len(lost) > MOST_FORFEITS else ""
    titles = ("rules", "deal", "agent", "seat", "error", "seed of the choice")
    return section("forfeits", "Forfeits", sortable_table("Lost by forfeit", titles, rows, kind="lost"), note=note)


def origin_section(findings: Findings, line: str) -> Markup:
    """Write settings, seed, version and hash, and how to repeat the study."""
    results, settings = findings.results, findings.results.settings
    facts = [
        described("version", results.version),
        described("seed", settings["seed"]),
        described("config hash", element("code", results.config)),
        described("players", findings.run.study.players),
        described("agents", element("code", ", ".join(dict.fromkeys(settings["agents"])))),
        described("base rules", element("code", name_of_changes(settings["rules"]))),
        described("limit for a turn", element("code", to_json(settings["limit"], indent=None).strip())),
    ]
    return repeat_section(facts, findings.run.folder / STUDY_FILE, "torres-study", line)
