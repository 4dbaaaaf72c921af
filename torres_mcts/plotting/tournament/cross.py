"""The cross table: how often each agent was ahead of each other one."""

from torres_mcts.plotting.pictures.frame import Picture, Table
from torres_mcts.plotting.tournament.findings import Findings
from torres_mcts.plotting.tournament.matrices import Square, draw_matrix, matrix_size

CAPTION = (
    "Percent of the games in which the agent of the row was ahead of the agent of the column, ties half; below it the "
    "95 % interval over whole deals. Blue: the row is ahead, orange: behind; bold: the interval leaves out 50 %. {} "
    "Rows from the highest rating to the lowest; the columns have the same order."
)


def picture(findings: Findings) -> Picture:
    """Return the cross table."""
    names, cells = findings.agents, findings.cross
    counts = {cell.games for cell in cells.values()}
    is_even = len(counts) == 1
    games = f"Each pair met in {min(counts)} games." if is_even else "n is the number of games of the pair."

    def square_of(one: str, other: str) -> Square | None:
        if (one, other) not in cells:
            return None
        cell = cells[one, other]
        note = f"{100 * cell.share.low:.0f}–{100 * cell.share.high:.0f}"
        words = f"{100 * cell.share.mean:.0f}"
        return Square(
            share=cell.share.mean,
            words=words,
            note=note if is_even else f"{note}\nn {cell.games}",
            is_bold=not cell.share.low <= 0.5 <= cell.share.high,
        )

    width, height = matrix_size(names)
    return Picture(
        name="cross",
        title="Who beats whom",
        caption=CAPTION.format(games),
        width=width,
        height=height,
        draw=lambda sheet: draw_matrix(sheet, names, square_of),
        table=Table(
            ("agent", "other", "share", "low", "high", "games", "blocks"),
            [
                (one, other, cell.share.mean, cell.share.low, cell.share.high, cell.games, cell.blocks)
                for one in names
                for other in names
                for cell in ([cells[one, other]] if (one, other) in cells else [])
            ],
        ),
    )
