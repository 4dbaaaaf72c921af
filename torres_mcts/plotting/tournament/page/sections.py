"""The parts of the page that the plots have, too: as tables and drawings that fit any width and both themes."""

import math
from collections.abc import Callable

from torres_mcts.plotting.page import charts, drawings
from torres_mcts.plotting.page.markup import Markup, element, join
from torres_mcts.plotting.page.sections import section
from torres_mcts.plotting.page.tables import Cell, interval, percent, sortable_table
from torres_mcts.plotting.pictures.marks import elo_interval, elo_words, scale_for
from torres_mcts.plotting.tournament.budget import above_smallest, gain_words
from torres_mcts.plotting.tournament.convergence import course_of, course_scale
from torres_mcts.plotting.tournament.findings import Findings
from torres_mcts.plotting.tournament.ratings import LEAST_SCALE, explanation
from torres_mcts.plotting.tournament.scores import mean_words, violin_shapes
from torres_mcts.plotting.tournament.seats import seat_measures
from torres_mcts.plotting.tournament.superiority import chance_words
from torres_mcts.tournaments.statistics.estimates import Estimate


def agent_cell(findings: Findings, name: str) -> Cell:
    """Write an agent's name above its settings."""
    text = findings.run.spec.text_of(name)
    note = element("small", text, class_="settings") if text != name else None
    return Cell(join(element("b", name), note), name)


def whole_words(value: float) -> str:
    """Write a number without decimals.

    >>> whole_words(-3.4), whole_words(-0.2)
    ('−3', '0')
    """
    return f"{round(value)}".replace("-", "−")


def elo_cell(elo: Estimate) -> Cell:
    """Write a rating with its interval."""
    return Cell(join(element("b", elo_words(elo.mean)), element("small", elo_interval(elo))), elo.mean)


def ratings_section(findings: Findings, _caption: str) -> Markup:
    """Write the ratings with the forest in the table."""
    ratings = findings.ratings.ratings
    scale = scale_for([rating.elo for rating in ratings], least=LEAST_SCALE)
    titles = ("agent", "Elo", f"from {elo_words(scale[0])} to {elo_words(scale[1])}", "games", "blocks")
    rows = [
        [
            agent_cell(findings, rating.agent),
            elo_cell(rating.elo),
            Cell(charts.difference_mark(rating.elo, scale), rating.elo.mean),
            Cell(f"{rating.games:,}", rating.games),
            Cell(f"{rating.blocks:,}", rating.blocks),
        ]
        for rating in ratings
    ]
    table = sortable_table(f"Elo above {findings.zero}", titles, rows, kind="elo")
    return section("ratings", "Ratings", table, note=f"Thick tick: {explanation(findings)}")


def cross_section(findings: Findings, note: str) -> Markup:
    """Write who beats whom."""

    def cell(one: str, other: str) -> drawings.MatrixCell | None:
        if (one, other) not in findings.cross:
            return None
        found = findings.cross[one, other]
        low, high = found.share.ci95
        notes = (f"{100 * low:.0f}–{100 * high:.0f}", f"n {found.games}")
        return drawings.MatrixCell(found.share.mean, f"{100 * found.share.mean:.0f}", notes, not low <= 0.5 <= high)

    return section("cross", "Who beats whom", drawings.matrix(findings.agents, cell, "Who beats whom, in %"), note=note)


def superiority_section(findings: Findings, note: str) -> Markup:
    """Write how likely each agent is stronger than each other one."""
    number = {name: index for index, name in enumerate(findings.agents)}

    def cell(one: str, other: str) -> drawings.MatrixCell:
        pair = number[one], number[other]
        chance = float(findings.ratings.superiority[pair])
        return drawings.MatrixCell(chance, chance_words(chance), (), bool(findings.told_apart[pair]))

    title = "Who is stronger, and how sure that is"
    return section("superiority", title, drawings.matrix(findings.agents, cell, f"{title}, in %"), note=note)


def scores_section(findings: Findings, _caption: str) -> Markup:
    """Draw how the points of each agent spread."""
    grid, densities = violin_shapes(findings)
    scale = float(grid[0]), float(grid[-1])
    titles = ("agent", "mean", f"from {whole_words(scale[0])} to {whole_words(scale[1])} points", "median", "games")
    rows = [
        [
            Cell(element("b", scores.agent), scores.agent),
            Cell(mean_words(findings, row), scores.mean.mean),
            Cell(drawings.violin(grid, densities[row], scores.quantiles), scores.mean.mean),
            Cell(f"{scores.quantiles[2]:.0f}", scores.quantiles[2]),
            Cell(f"{len(scores.values):,}", len(scores.values)),
        ]
        for row, scores in enumerate(findings.scores)
    ]
    note = (
        "The wider, the more often. Box: half of the games, with the median; thin line: nine in ten. The mean has its "
        "95 % interval over whole deals (blocks). Games that ended by forfeit take no part."
    )
    return section(
        "points", "Final points", sortable_table("Points at the end", titles, rows, kind="points"), note=note
    )


def seats_section(findings: Findings, note: str) -> Markup:
    """Draw what each seat wins."""
    table = findings.seats
    measures = seat_measures(table)
    most = max(seat.high for value in measures.values() for seat in value.seats)
    effects = findings.ratings.seats.get(table.players)
    rows = []
    for seat in range(table.players):
        row = [Cell(f"seat {seat + 1}", seat + 1)]
        for value in measures.values():
            share = value.seats[seat]
            bar = drawings.seat_bar(share, value.fair, most)
            words = join(element("b", percent(share.mean)), bar, element("small", interval(share, 100)))
            row.append(Cell(words, share.mean))
        rows.append(row if effects is None else [*row, elo_cell(effects[seat])])
    titles = ["seat", *measures] + ([] if effects is None else ["Elo above the mean seat"])
    drawn = sortable_table("Seats", titles, rows, kind="seat-table")
    return section("seats", "What the seats are worth", drawn, note=note)


def convergence_section(findings: Findings, note: str) -> Markup:
    """Draw how the ratings settled, a small chart for each agent."""
    scale, courses = course_scale(findings), course_of(findings)
    last = findings.steps[-1].blocks
    figures = [
        element(
            "figure",
            element("figcaption", name, " ", element("span", elo_words(course[-1][1].mean))),
            drawings.course(course, scale, last),
            class_="small-chart",
        )
        for name, course in courses.items()
    ]
    more = f" Each box spans {elo_words(scale[0])} to {elo_words(scale[1])} Elo and 0 to {last} deals."
    return section(
        "convergence", "How the ratings settled", element("div", *figures, class_="small-charts"), note=note + more
    )


def budget_section(findings: Findings, _caption: str) -> Markup:
    """Draw what a doubling of the budget brings, a table for each family."""
    tables = []
    for family in findings.families:
        elos = above_smallest(findings, family)
        scale = scale_for(elos.values(), least=LEAST_SCALE)
        title = f"from {elo_words(scale[0])} to {elo_words(scale[1])}"
        smallest = math.log2(min(family.budgets.values()))
        rows = [
            [
                Cell(element("b", f"{family.budgets[agent]:g}"), family.budgets[agent]),
                Cell(agent, agent),
                Cell(f"{math.log2(family.budgets[agent]) - smallest:.1f}", math.log2(family.budgets[agent]) - smallest),
                elo_cell(elo),
                Cell(charts.difference_mark(elo, scale), elo.mean),
            ]
            for agent, elo in elos.items()
        ]
        titles = (f"{family.unit} a turn", "agent", "doublings", "Elo", title)
        heading = element("h3", family.engine, element("span", gain_words(family.doubling_gain(findings.ratings))))
        tables.append(element("div", heading, sortable_table(
            f"Elo above {next(iter(elos))}", titles, rows, kind="budgets"), class_="family"))  # fmt: skip
    note = (
        "Agents of one engine that differ in their budget alone, compared with the smallest budget. The gain of a "
        "doubling is the slope of the straight line through the ratings; 95 % intervals over whole deals (blocks)."
    )
    return section("budget", "Strength against budget", *tables, note=note)


SECTIONS: dict[str, Callable[[Findings, str], Markup]] = {
    "ratings": ratings_section,
    "cross": cross_section,
    "superiority": superiority_section,
    "seats": seats_section,
    "scores": scores_section,
    "convergence": convergence_section,
    "budget": budget_section,
}
