"""Tables that a reader can sort, and the words in which a page says numbers."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from torres_mcts.analysis.report import Estimate
from torres_mcts.plotting.page.charts import Measured
from torres_mcts.plotting.page.markup import Markup, element


class Cell(NamedTuple):
    """What a table shows in a place, and the number or word by which it sorts."""

    content: Any
    value: float | str


def sortable_table(caption: str, titles: Sequence[str], rows: Sequence[Sequence[Cell]], *, kind: str = "") -> Markup:
    """Write a table whose headings are buttons; it says its own headings again where it is too narrow for columns."""
    headings = [heading(title, rows[0][index] if rows else None) for index, title in enumerate(titles)]
    body = [element("tr", *(cell_of(cell, title) for cell, title in zip(row, titles, strict=True))) for row in rows]
    return element(
        "table",
        element("caption", caption),
        element("thead", element("tr", *headings)),
        element("tbody", *body),
        class_=f"sortable {kind}".strip(),
    )


def heading(title: str, sample: Cell | None) -> Markup:
    """Write the heading of a column as a button that sorts by it."""
    kind = "number" if sample is not None and not isinstance(sample.value, str) else None
    mark = element("span", class_="arrow", aria_hidden="true")
    return element("th", element("button", title, mark, type="button"), scope="col", class_=kind)


def cell_of(cell: Cell, title: str) -> Markup:
    """Write one place of a table."""
    kind = None if isinstance(cell.value, str) else "number"
    value = cell.value if isinstance(cell.value, str) else f"{cell.value:.6g}"
    return element("td", element("div", cell.content), data_value=value, data_label=title, class_=kind)


def percent(share: float, decimals: int = 1) -> str:
    """Write a probability.

    >>> percent(0.0512)
    '5.1 %'
    """
    return f"{100 * share:.{decimals}f} %"


def chance(share: float) -> str:
    """Write how sure something is; samples never prove it.

    >>> chance(0.97), chance(0.9999), chance(0.0)
    ('97 %', '>99 %', '<1 %')
    """
    return ">99 %" if share > 0.99 else "<1 %" if share < 0.01 else percent(share, 0)


def signed(value: float, decimals: int = 1) -> str:
    """Write a difference.

    >>> signed(-2), signed(0.01)
    ('−2.0', '0.0')
    """
    words = f"{value:+.{decimals}f}"
    return words[1:] if float(words) == 0 else words.replace("-", "−")


def interval(estimate: Measured, factor: float = 1.0, decimals: int = 1) -> str:
    """Write the 95 % interval of an estimate.

    >>> interval(Estimate(mean=0.5, se=0.1, ci95=(0.304, 0.696), n=20), 100)
    '30.4 to 69.6'
    """
    low, high = (f"{round(factor * bound, decimals) + 0.0:.{decimals}f}".replace("-", "−") for bound in estimate.ci95)
    return f"{low} to {high}"


def turned(estimate: Estimate) -> Estimate:
    """Return the estimate of the opposite: how far ahead from how far behind.

    >>> turned(Estimate(mean=2, se=1, ci95=(0, 4), n=9)).ci95
    (-4.0, 0.0)
    """
    low, high = estimate.ci95
    return Estimate(mean=-estimate.mean, se=estimate.se, ci95=(-high, 0.0 - low), n=estimate.n)


def described(title: str, content: Any, note: Any = None) -> Markup:
    """Write a term of a list of facts with what it stands for."""
    more = None if note is None else element("small", note)
    return element("div", element("dt", title), element("dd", content, more))
