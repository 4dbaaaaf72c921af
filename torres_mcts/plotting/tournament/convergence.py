"""Convergence: how the rating of each agent settled as blocks were added, a panel for each."""

import math

from matplotlib.axes import Axes

from torres_mcts.plotting.pictures.frame import (
    BLUE,
    LINE,
    QUIET,
    SMALL_SIZE,
    TEXT_SIZE,
    Picture,
    Sheet,
    Table,
    size_to_fit,
    text_width,
)
from torres_mcts.plotting.pictures.listing import LeftOutError
from torres_mcts.plotting.pictures.marks import Range, elo_words
from torres_mcts.plotting.tournament.findings import Findings
from torres_mcts.tournaments.statistics.estimates import Estimate

PANEL_WIDTH, PANEL_HEIGHT = 2.5, 1.35  # inches
GAP_ACROSS, GAP_DOWN = 0.3, 0.62
LEFT_ROOM, BELOW_ROOM = 0.55, 0.5
COLUMNS = 4
WIDEST_PANEL = 3.5
SETTLED = 0.25  # of the blocks: what came before may leave the scale
CAPTION = (
    "Line: Elo above {zero}, rated anew after more and more deals; band: its 95 % interval at that number of deals; "
    "dashed: where it ended. An interval holds for one number of deals fixed beforehand, not for the whole way at "
    "once. All panels have the same scales; what leaves them early on is cut off."
)


def picture(findings: Findings) -> Picture:
    """Return the panels."""
    names = findings.agents
    courses = course_of(findings)
    longest = max(text_width(f"{name}  +1000", TEXT_SIZE, is_bold=True) for name in names)
    width = min(max(PANEL_WIDTH, longest), WIDEST_PANEL)
    columns = min(COLUMNS if width == PANEL_WIDTH else COLUMNS - 1, len(names))
    rows = math.ceil(len(names) / columns)
    scale = course_scale(findings)

    def draw(sheet: Sheet) -> None:
        for number, name in enumerate(names):
            row, column = divmod(number, columns)
            left = LEFT_ROOM + column * (width + GAP_ACROSS)
            bottom = BELOW_ROOM + (rows - 1 - row) * (PANEL_HEIGHT + GAP_DOWN)
            axes = sheet.axes(left, bottom, width, PANEL_HEIGHT)
            _draw_panel(axes, name, courses[name], scale, width)
            axes.tick_params(labelleft=column == 0)
            if row == rows - 1 or number + columns >= len(names):
                axes.set_xlabel("deals")

    return Picture(
        name="convergence",
        title="How the ratings settled",
        caption=CAPTION.format(zero=findings.zero),
        width=LEFT_ROOM + columns * width + (columns - 1) * GAP_ACROSS,
        height=BELOW_ROOM + rows * PANEL_HEIGHT + (rows - 1) * GAP_DOWN + 0.3,
        draw=draw,
        table=Table(
            ("agent", "blocks", "elo", "low", "high"),
            [(name, blocks, elo.mean, elo.low, elo.high) for name in names for blocks, elo in courses[name]],
        ),
    )


def course_of(findings: Findings) -> dict[str, list[tuple[int, Estimate]]]:
    """Return for each agent its rating after some numbers of blocks."""
    if len(findings.steps) < 2:
        raise LeftOutError("convergence: fewer than three blocks in which all agents met, so there is no way to show")
    courses: dict[str, list[tuple[int, Estimate]]] = {name: [] for name in findings.agents}
    for step in findings.steps:
        for rating in step.ratings.ratings:
            courses[rating.agent].append((step.blocks, rating.elo))
    return courses


def course_scale(findings: Findings) -> Range:
    """Return a scale that holds the ratings once they have settled somewhat, and their last intervals."""
    last = findings.steps[-1].blocks
    values = [0.0]
    for step in findings.steps:
        for rating in step.ratings.ratings:
            if step.blocks >= SETTLED * last:
                values.append(rating.elo.mean)
            if step.blocks == last:
                values += [value for value in (rating.elo.low, rating.elo.high) if math.isfinite(value)]
    room = 0.08 * max(60.0, max(values) - min(values))
    return min(values) - room, max(values) + room


def _draw_panel(axes: Axes, name: str, course: list[tuple[int, Estimate]], scale: Range, width: float) -> None:
    blocks, elos = [blocks for blocks, _ in course], [elo for _, elo in course]
    low, high = [max(elo.low, -1e6) for elo in elos], [min(elo.high, 1e6) for elo in elos]
    axes.fill_between(blocks, low, high, color=BLUE, alpha=0.22, linewidth=0)
    axes.plot(blocks, [elo.mean for elo in elos], color=BLUE, linewidth=2)
    axes.axhline(elos[-1].mean, color=QUIET, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    axes.set(xlim=(0, blocks[-1]), ylim=scale)
    axes.grid(axis="y", color=LINE, linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines["left"].set_visible(False)
    axes.tick_params(length=0, labelsize=SMALL_SIZE)
    axes.locator_params(axis="both", nbins=5)
    axes.locator_params(axis="x", integer=True)
    value = elo_words(elos[-1].mean)
    size = size_to_fit(f"{name}  {value}", width / 1.15, TEXT_SIZE)  # bold is wider
    axes.set_title(f"{name}  {value}", size=size, weight="bold", loc="left", pad=5)
