"""Panels side by side and below each other, for pictures that have one for each rule set or value."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from matplotlib.axes import Axes

from torres_mcts.plotting.pictures.frame import NARROWEST, Sheet

One = TypeVar("One")


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
