"""The question of a tournament and its answer in words: who is best, how sure that is, what cannot be told apart."""

from itertools import combinations

from torres_mcts.plotting.page.markup import Markup, element
from torres_mcts.plotting.page.tables import described
from torres_mcts.plotting.pictures.marks import elo_interval, elo_words
from torres_mcts.plotting.tournament.budget import gain_words
from torres_mcts.plotting.tournament.findings import Findings
from torres_mcts.plotting.tournament.page.facts import end_words
from torres_mcts.plotting.tournament.ratings import tier_words
from torres_mcts.plotting.tournament.seats import seat_verdict
from torres_mcts.plotting.tournament.superiority import chance_words

MOST_NAMED = 6  # agents; the rest is counted
MOST_PAIRS = 3


def answer_section(findings: Findings) -> Markup:
    """Write the question, the answer and the facts beside it."""
    spec, standing = findings.run.spec, findings.standing
    best = findings.ratings.ratings[0]
    question = f"Which of {len(findings.agents)} agents plays best at tables of {spec.rules.players}?"
    verdict = element("p", element("strong", best.agent), element("br"), rating_words(findings), class_="verdict")
    words = element(
        "div", verdict, *(element("p", line, class_="sure") for line in answer_lines(findings)), class_="words"
    )
    more = [described("a doubling of the budget", gain_words(family.doubling_gain(findings.ratings)), family.engine)
            for family in findings.families]  # fmt: skip
    facts = element(
        "dl",
        described("games", f"{standing.games:,}", f"of {standing.games_wanted:,} at most"),
        described("whole blocks", f"{standing.blocks:,}", f"of {standing.blocks_wanted:,} at most"),
        described("lost by forfeit", f"{standing.forfeits:,}"),
        *more,
        described("seats", seat_verdict(findings)),
        described("stopped", "; ".join(end_words(findings))),
        class_="facts",
    )
    title = element("h2", question, id="answer")
    parts = element("div", words, facts, class_="answer")
    return element("section", title, parts, aria_labelledby="answer", class_="question")


def rating_words(findings: Findings) -> str:
    """Write the rating of the best agent."""
    best = findings.ratings.ratings[0]
    if best.agent == findings.anchor:
        return "the anchor, from which all ratings count"
    return f"{elo_words(best.elo.mean)} Elo above {findings.zero}, 95 % interval {elo_interval(best.elo)}"


def answer_lines(findings: Findings) -> list[str]:
    """Say how sure it is who is best, and which agents cannot be told apart."""
    agents, ratings = findings.agents, findings.ratings
    best, pairs = agents[0], list(combinations(range(len(agents)), 2))
    if not pairs:
        return ["There is no other agent to compare it with."]
    lines = []
    gap, chance = ratings.difference(best, agents[1]), float(ratings.superiority[0, 1])
    lines.append(
        f"It is {elo_words(gap.mean)} Elo ({elo_interval(gap)}) above the next, {agents[1]}; the chance that it is the "
        f"stronger of the two is {chance_words(chance)} %."
    )
    rivals = [agent for number, agent in enumerate(agents) if number and not findings.told_apart[0, number]]
    at_once = f" (all {len(pairs)} pairs compared at once, 5 % risk in all)" if len(pairs) > 1 else " (5 % risk)"
    if rivals:
        lines.append(f"It cannot be told apart from {listed(rivals)}{at_once}.")
    else:
        lines.append(f"It is stronger than {'every other agent' if len(agents) > 2 else agents[1]}{at_once}.")
    if len(pairs) > 1:
        lines.append(others_line(findings))
    return [*lines, *filter(None, [tier_words(findings)])]


def others_line(findings: Findings) -> str:
    """Say which agents behind the best cannot be told apart."""
    agents = findings.agents
    pairs = list(combinations(range(1, len(agents)), 2))
    names = [f"{agents[one]} and {agents[other]}" for one, other in pairs if not findings.told_apart[one, other]]
    if not names:
        return "Among the others, every pair can be told apart."
    if len(names) <= MOST_PAIRS:
        return f"Among the others, these cannot be told apart: {'; '.join(names)}."
    return (
        f"Among the others, {len(names)} of {len(pairs)} pairs cannot be told apart; the matrix of chances shows which."
    )


def listed(names: list[str]) -> str:
    """Name some agents, and count the rest.

    >>> listed(list("abcdefgh")), listed(["a", "b"])
    ('a, b, c, d, e, f and 2 more', 'a, b')
    """
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more
