"""Strength against budget: what a doubling of the iterations or of the time brings."""

import math

from matplotlib.axes import Axes

from torres_mcts.plotting.pictures.frame import (
    BLUE,
    LINE,
    NARROWEST,
    ORANGE,
    QUIET,
    SMALL_SIZE,
    TEXT_SIZE,
    Picture,
    Sheet,
    Table,
    size_to_fit,
)
from torres_mcts.plotting.pictures.listing import LeftOutError
from torres_mcts.plotting.pictures.marks import elo_interval, elo_words
from torres_mcts.plotting.tournament.findings import Findings
from torres_mcts.tournaments.statistics.budgets import Family
from torres_mcts.tournaments.statistics.estimates import Estimate

PANEL_WIDTH, PANEL_HEIGHT = 3.3, 2.5  # inches
GAP_ACROSS, GAP_DOWN = 0.75, 1.15
LEFT_ROOM, BELOW_ROOM, HEAD_ROOM = 0.6, 0.55, 0.45
COLUMNS = 3
CAPTION = (
    "Agents of one engine that differ in their budget alone. Dots: Elo above the one with the smallest budget, with "
    "95 % intervals over whole deals (blocks). Line: the straight line through them on a scale of doublings; its "
    "slope, with a 95 % interval that knows how the ratings depend on each other, is the Elo that a doubling brings."
)


def picture(findings: Findings) -> Picture:
    """Return a panel for each family of agents."""
    families = findings.families
    if not families:
        raise LeftOutError("budget: no two agents differ in iterations or time alone")
    columns = min(COLUMNS, len(families))
    rows = math.ceil(len(families) / columns)
    panel_width = max(PANEL_WIDTH, (NARROWEST - LEFT_ROOM - (columns - 1) * GAP_ACROSS) / columns)

    def draw(sheet: Sheet) -> None:
        for number, family in enumerate(families):
            row, column = divmod(number, columns)
            left = LEFT_ROOM + column * (panel_width + GAP_ACROSS)
            bottom = BELOW_ROOM + (rows - 1 - row) * (PANEL_HEIGHT + GAP_DOWN)
            axes = sheet.axes(left, bottom, panel_width, PANEL_HEIGHT)
            _draw_panel(axes, family, above_smallest(findings, family), family.doubling_gain(findings.ratings))

    gains = [
        (family.engine, family.unit, gain.mean, gain.low, gain.high)
        for family in families
        for gain in [family.doubling_gain(findings.ratings)]
    ]
    return Picture(
        name="budget",
        title="Strength against budget",
        caption=CAPTION,
        width=LEFT_ROOM + columns * panel_width + (columns - 1) * GAP_ACROSS,
        height=BELOW_ROOM + rows * PANEL_HEIGHT + (rows - 1) * GAP_DOWN + HEAD_ROOM,
        draw=draw,
        table=Table(
            ("engine", "unit", "agent", "budget", "elo_above_smallest", "low", "high"),
            [
                (family.engine, family.unit, agent, family.budgets[agent], elo.mean, elo.low, elo.high)
                for family in families
                for agent, elo in above_smallest(findings, family).items()
            ],
        ),
        more_tables={"gains": Table(("engine", "unit", "elo_per_doubling", "low", "high"), gains)},
    )


def above_smallest(findings: Findings, family: Family) -> dict[str, Estimate]:
    """Return by how many Elo each agent of a family is above the one with the smallest budget."""
    smallest = next(iter(family.budgets))
    return {agent: findings.ratings.difference(agent, smallest) for agent in family.budgets}


def gain_words(gain: Estimate) -> str:
    """Say what a doubling brings.

    >>> gain_words(Estimate(52.0, 10.0, 30.2, 73.8))
    '+52 Elo a doubling [+30 to +74]'
    """
    return f"{elo_words(gain.mean)} Elo a doubling [{elo_interval(gain)}]"


def _draw_panel(axes: Axes, family: Family, elo: dict[str, Estimate], gain: Estimate) -> None:
    budgets = list(family.budgets.values())
    means = [elo[agent].mean for agent in family.budgets]
    doublings = [math.log2(budget) for budget in budgets]
    middle = sum(doublings) / len(doublings)
    height = sum(means) / len(means)
    ends = [budgets[0] / 1.3, budgets[-1] * 1.3]
    line = [height + gain.mean * (math.log2(end) - middle) for end in ends]
    axes.plot(ends, line, color=ORANGE, linewidth=1.8, zorder=2)
    finite = [value for agent in family.budgets for value in (elo[agent].low, elo[agent].high) if math.isfinite(value)]
    finite += means + line
    room = 0.08 * max(40.0, max(finite) - min(finite))
    scale = min(finite) - room, max(finite) + room
    for budget, agent in zip(budgets, family.budgets, strict=True):
        low, high = max(elo[agent].low, scale[0]), min(elo[agent].high, scale[1])
        axes.plot([budget, budget], [low, high], color=BLUE, linewidth=2.5, solid_capstyle="butt", zorder=3)
        axes.plot(budget, elo[agent].mean, "o", color=BLUE, markersize=8, markeredgecolor="white", zorder=4)
    axes.set_xscale("log", base=2)
    ticks = shown_budgets(sorted(set(budgets)))
    axes.set(
        xlim=(budgets[0] / 1.5, budgets[-1] * 1.5),
        ylim=scale,
        ylabel="Elo",
        xlabel=f"{family.unit} a turn",
    )
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    axes.grid(axis="y", color=LINE, linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines["left"].set_visible(False)
    axes.tick_params(length=0, labelsize=SMALL_SIZE + 0.5)
    size = size_to_fit(family.engine, PANEL_WIDTH / 1.15, TEXT_SIZE + 1)
    axes.set_title(family.engine, size=size, weight="bold", loc="left", pad=22)
    words = gain_words(gain)
    axes.annotate(
        words, (0, 1), (0, 7), xycoords="axes fraction", textcoords="offset points", color=QUIET,
        size=size_to_fit(words, PANEL_WIDTH, TEXT_SIZE),
    )  # fmt: skip


def shown_budgets(budgets: list[float], most: int = 7) -> list[float]:
    """Return the budgets that have room below the axis, the ends among them.

    >>> shown_budgets([1, 2, 4, 8, 16], most=3)
    [1, 4, 16]
    """
    if len(budgets) <= most:
        return budgets
    chosen = {round(number * (len(budgets) - 1) / (most - 1)) for number in range(most)}
    return [budgets[number] for number in sorted(chosen)]
