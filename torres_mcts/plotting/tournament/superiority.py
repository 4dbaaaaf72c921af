"""The superiority matrix: how likely each agent is stronger than each other one."""

from torres_mcts.plotting.pictures.frame import Picture, Table
from torres_mcts.plotting.tournament.findings import Findings
from torres_mcts.plotting.tournament.matrices import Square, draw_matrix, matrix_size

CAPTION = (
    "Chance in percent that the agent of the row is stronger than the agent of the column, from the ratings and their "
    "covariance over whole deals (blocks), as if nothing had been known before. Bold: the two can be told apart{all} "
    "with a risk of 5 %. Rows from the highest rating to the lowest; the columns have the same order."
)


def picture(findings: Findings) -> Picture:
    """Return the superiority matrix."""
    names = findings.agents
    number = {name: index for index, name in enumerate(names)}
    chances, differs = findings.ratings.superiority, findings.told_apart

    def square_of(one: str, other: str) -> Square:
        pair = number[one], number[other]
        return Square(float(chances[pair]), chance_words(float(chances[pair])), "", bool(differs[pair]))

    pairs = len(names) * (len(names) - 1) // 2
    width, height = matrix_size(names)
    return Picture(
        name="superiority",
        title="Who is stronger, and how sure that is",
        caption=CAPTION.format(all=f", with all {pairs} pairs compared at once (Holm's method)," * (pairs > 1)),
        width=width,
        height=height,
        draw=lambda sheet: draw_matrix(sheet, names, square_of),
        table=Table(
            ("agent", "other", "chance", "told_apart", "elo_difference", "low", "high"),
            [
                (one, other, float(chances[row, column]), bool(differs[row, column]), gap.mean, gap.low, gap.high)
                for row, one in enumerate(names)
                for column, other in enumerate(names)
                if row != column
                for gap in [findings.ratings.difference(one, other)]
            ],
        ),
    )


def chance_words(chance: float) -> str:
    """Write a chance in percent; none is called certain.

    >>> [chance_words(value) for value in (0.5, 0.996, 0.9999, 0.00001)]
    ['50', '99.6', '>99.9', '<0.1']
    """
    if chance > 0.999:
        return ">99.9"
    if chance < 0.001:
        return "<0.1"
    return f"{100 * chance:.1f}" if not 0.01 < chance < 0.99 else f"{100 * chance:.0f}"
