"""The rating forest: how strong each agent is, with its interval."""

from torres_mcts.plotting.pictures import marks
from torres_mcts.plotting.pictures.frame import BLUE, QUIET, SMALL_SIZE, Picture, Sheet, Table, text_width
from torres_mcts.plotting.tournament.findings import Findings

ROW = 0.46  # inches
PLOT_WIDTH = 5.0
AXIS_ROOM = 0.5
VALUE_ROOM = 0.95  # for the rating itself; its interval follows
LEAST_SCALE = 60.0  # Elo


def picture(findings: Findings) -> Picture:
    """Return the forest."""
    ratings = findings.ratings.ratings
    names = [rating.agent for rating in ratings]
    texts = {name: findings.run.spec.text_of(name) for name in names}
    notes = [marks.shorten_middle(texts[name]) if texts[name] != name else "" for name in names]
    intervals = [f"[{marks.elo_interval(rating.elo)}]" for rating in ratings]
    left = marks.name_room(names, notes)
    right = VALUE_ROOM + max(text_width(interval, SMALL_SIZE + 1) for interval in intervals)
    height = ROW * len(names) + AXIS_ROOM

    def draw(sheet: Sheet) -> None:
        axes = sheet.axes(left, AXIS_ROOM, PLOT_WIDTH, ROW * len(names))
        scale = marks.scale_for([rating.elo for rating in ratings], least=LEAST_SCALE)
        marks.clear_rows(axes, len(names), scale)
        axes.axvline(0, color=QUIET, linewidth=1, zorder=2)
        marks.write_names(axes, names, notes)
        for row, rating in enumerate(ratings):
            marks.draw_interval(axes, row, rating.elo, scale, BLUE)
            marks.write_value(axes, row, marks.elo_words(rating.elo.mean), shift=0.75, ha="right", weight="bold")
            marks.write_value(axes, row, intervals[row], shift=0.85, size=SMALL_SIZE + 1)
        axes.set_xlabel(f"Elo above {findings.zero}")

    return Picture(
        name="ratings",
        title="Ratings of the agents",
        caption=caption(findings),
        width=left + PLOT_WIDTH + right,
        height=height,
        draw=draw,
        table=Table(
            ("agent", "text", "elo", "low", "high", "games", "blocks"),
            [
                (rating.agent, texts[rating.agent], rating.elo.mean, rating.elo.low, rating.elo.high, rating.games,
                 rating.blocks)
                for rating in ratings
            ],
        ),
    )  # fmt: skip


def caption(findings: Findings) -> str:
    """Explain the forest."""
    tiers = tier_words(findings)
    more = f" {tiers} A dot then stands at the end of its interval." if tiers else ""
    return f"Dot: {explanation(findings)}{more}"


def explanation(findings: Findings) -> str:
    """Say what ratings and their intervals are."""
    return (
        f"Elo above {findings.zero}; line: its 95 % interval, with whole deals (blocks), not games, as the unit. 100 "
        "Elo are 64 % of the duels. The effect of the seat is taken out. Intervals of two agents may overlap although "
        "the two can be told apart: the superiority matrix compares pairs."
    )


def tier_words(findings: Findings) -> str:
    """Say which agents never were behind others, if there are any."""
    if len(findings.ratings.tiers) == 1:
        return ""
    tiers = "; ".join(", ".join(tier) for tier in findings.ratings.tiers)
    return f"Never behind those after the semicolon, so how large that gap is nobody knows: {tiers}."
