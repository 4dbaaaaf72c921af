"""Points by source: where the points of a player come from under each rule set."""

from matplotlib.axes import Axes

from torres_mcts.plotting.pictures import marks
from torres_mcts.plotting.pictures.frame import (
    BLUE,
    GREEN,
    INK,
    ORANGE,
    QUIET,
    SMALL_SIZE,
    TEXT_SIZE,
    Picture,
    Sheet,
    Table,
    text_width,
)
from torres_mcts.plotting.pictures.listing import LeftOutError
from torres_mcts.plotting.study.findings import Findings, some_of
from torres_mcts.studies.diary import SOURCES
from torres_mcts.studies.metrics.metric import YEARS

MOST = 24  # rule sets
MOST_NAME = 34  # letters
ROW, AXIS_ROOM, KEY_ROOM, TITLE_ROOM = 0.42, 0.05, 0.4, 0.35  # inches
GAME_WIDTH, YEAR_WIDTH, GAP = 4.0, 1.5, 0.35
BAR = 0.66  # of a row
TITLES = {
    "castles": "castles", "king": "king's bonus", "master": "master card", "ap": "bought with AP",
    "skips": "spaces skipped",
}  # fmt: skip
COLOURS = {  # after Okabe and Ito, and the ink on each
    "castles": (BLUE, "white"), "king": (ORANGE, "white"), "master": (GREEN, "white"), "ap": ("#56b4e9", INK),
    "skips": ("#f0e442", INK),
}  # fmt: skip
PARTS = {"game": "whole game", **{f"year{year}": f"year {year}" for year in YEARS}}
CAPTION = (
    "Mean points of a player from each source, in the whole game and in each year; the data have the 95 % interval of "
    "each part. Spaces skipped are those of the score track that other markers occupy."
)


def picture(findings: Findings) -> Picture:
    """Return stacked bars, a row for each rule set."""
    if not findings.sources:
        raise LeftOutError("sources: there are no games that count yet")
    names, more = some_of(list(findings.sources), MOST, "rule sets")
    shown = [marks.shorten_middle(name, MOST_NAME) for name in names]
    left = marks.name_room(shown)
    high = ROW * len(names)

    def draw(sheet: Sheet) -> None:
        start = left
        for part, title in PARTS.items():
            wide = GAME_WIDTH if part == "game" else YEAR_WIDTH
            axes = sheet.axes(start, KEY_ROOM + AXIS_ROOM, wide, high)
            _draw_panel(axes, findings, names, part, wide)
            axes.set_title(title, size=TEXT_SIZE, color=QUIET, loc="left", pad=6)
            if part == "game":
                marks.write_names(axes, shown)
            start += wide + GAP
        _draw_key(sheet, left)

    return Picture(
        name="sources",
        title="Where the points come from",
        caption=CAPTION,
        no_room=more,
        width=left + GAME_WIDTH + len(YEARS) * (YEAR_WIDTH + GAP) + 0.3,
        height=high + KEY_ROOM + AXIS_ROOM + TITLE_ROOM,
        draw=draw,
        table=Table(
            ("variant", "part", "source", "points", "low", "high", "share", "blocks"),
            [
                (name, part, source, value.mean, value.low, value.high, share_of(findings, name, part, source),
                 len(findings.blocks[name]))
                for name, values in findings.sources.items()
                for part in PARTS
                for source in SOURCES
                for value in [values[f"{part}_{source}"]]
            ],
        ),
    )  # fmt: skip


def total_of(findings: Findings, name: str, part: str) -> float:
    """Return the points of a player from all sources."""
    return sum(findings.sources[name][f"{part}_{source}"].mean for source in SOURCES)


def share_of(findings: Findings, name: str, part: str, source: str) -> float:
    """Return the share of a source in all points; 0 where there are none."""
    total = total_of(findings, name, part)
    return findings.sources[name][f"{part}_{source}"].mean / total if total else 0.0


def _draw_panel(axes: Axes, findings: Findings, names: list[str], part: str, wide: float) -> None:
    most = max(total_of(findings, name, part) for name in names) or 1.0
    marks.clear_rows(axes, len(names), (0, 1.16 * most))
    axes.grid(visible=False)
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)
    for row, name in enumerate(names):
        start = 0.0
        for source in SOURCES:
            points = findings.sources[name][f"{part}_{source}"].mean
            colour, ink = COLOURS[source]
            axes.barh(row, points, left=start, height=BAR, color=colour, edgecolor="white", linewidth=0.8)
            words = f"{points:.1f}"
            if part == "game" and points / (1.16 * most) * wide > text_width(words, SMALL_SIZE) + 0.08:
                axes.text(start + points / 2, row, words, color=ink, size=SMALL_SIZE, ha="center", va="center")
            start += points
        size = TEXT_SIZE if part == "game" else SMALL_SIZE
        axes.text(start + 0.02 * most, row, f"{start:.1f}", size=size, weight="bold", va="center")


def _draw_key(sheet: Sheet, left: float) -> None:
    axes = sheet.axes(left, 0.02, GAME_WIDTH + 2 * YEAR_WIDTH, 0.2)
    axes.set(xlim=(0, GAME_WIDTH + 2 * YEAR_WIDTH), ylim=(0, 0.2))
    axes.axis("off")
    start = 0.0
    for source in SOURCES:
        axes.barh(0.1, 0.16, left=start, height=0.14, color=COLOURS[source][0], linewidth=0)
        axes.text(start + 0.22, 0.1, TITLES[source], size=SMALL_SIZE, va="center_baseline")
        start += 0.22 + text_width(TITLES[source], SMALL_SIZE) + 0.28
