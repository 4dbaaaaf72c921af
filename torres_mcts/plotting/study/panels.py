"""Panels for each rule set or value: in a grid, or below each other with rows of their own."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from matplotlib.axes import Axes

from torres_mcts.plotting.pictures.frame import INK, NARROWEST, TEXT_SIZE, Sheet, size_to_fit

One = TypeVar("One")
HEAD_ROOM, AXIS_ROOM = 0.42, 0.42  # inches


@dataclass(frozen=True)
class Panels:
    """A grid of equal panels, measured in inches."""

    count: int
    columns: int
    wide: float
    high: float
    across: float  # gap between two side by side, and right of the last
    down: float  # gap below each, for its axis, and its title
    left: float = 0.0

    @property
    def rows(self) -> int:
        """The number of rows."""
        return math.ceil(self.count / self.columns)

    @property
    def width(self) -> float:
        """The width of all."""
        columns = min(self.count, self.columns)
        return max(NARROWEST, self.left + columns * self.wide + columns * self.across)

    @property
    def height(self) -> float:
        """The height of all."""
        return self.rows * (self.high + self.down)

    def draw(self, sheet: Sheet, things: Sequence[One], draw: Callable[[Axes, One], None], axis_room: float) -> None:
        """Draw a panel for each thing, row by row from the top."""
        for number, thing in enumerate(things):
            row, column = divmod(number, self.columns)
            left = self.left + column * (self.wide + self.across)
            bottom = (self.rows - 1 - row) * (self.high + self.down) + axis_room
            draw(sheet.axes(left, bottom, self.wide, self.high), thing)


@dataclass(frozen=True)
class Stack:
    """Panels below each other, each with a title above and a scale below it, measured in inches."""

    rows: Sequence[int]  # of each panel
    row: float  # height
    left: float  # where the panels begin, right of the names of their rows
    wide: float

    @property
    def height(self) -> float:
        """The height of all."""
        return sum(HEAD_ROOM + AXIS_ROOM + self.row * rows for rows in self.rows)

    def draw(self, sheet: Sheet, titles: Sequence[str], width: float, draw: Callable[[Axes, int], None]) -> None:
        """Draw the panels from the top, each by its number.

        width: of the whole drawing, which a title may fill
        """
        top = self.height
        for number, (rows, title) in enumerate(zip(self.rows, titles, strict=True)):
            bottom = top - HEAD_ROOM - self.row * rows
            draw(sheet.axes(self.left, bottom, self.wide, self.row * rows), number)
            size = size_to_fit(title, width, TEXT_SIZE + 0.5)
            sheet.figure.text(*sheet.place(0, top - 0.24), title, size=size, weight="bold", color=INK, va="bottom")
            top = bottom - AXIS_ROOM
