"""When a search ends: after some time, after some iterations, or as soon as the best action is clear."""

import math
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from torres_mcts.core.errors import TorresError, shorten

DEFAULT_NODES = 1_000_000


@dataclass(frozen=True)
class Limit:
    """What a search may use; it ends at whichever limit comes first.

    >>> Limit(time=10, confidence=0.99)
    Limit(time=10, iterations=None, confidence=0.99, nodes=1000000)
    """

    time: float | None = None  # seconds
    iterations: int | None = None  # of all trees together
    confidence: float | None = None  # that the best action is better than every other
    nodes: int = DEFAULT_NODES  # of all trees together; a search whose trees are full goes on without growing them

    def __post_init__(self) -> None:
        if self.time is None and self.iterations is None:
            more = "; confidence alone may never be reached" if self.confidence is not None else ""
            raise TorresError(f"limit: give a time or a number of iterations{more}")
        if self.time is not None and not (_is_real(self.time) and self.time > 0):
            raise TorresError(f"limit.time: expected seconds above 0, not {shorten(self.time)}")
        if self.iterations is not None and not (_is_whole(self.iterations) and self.iterations >= 1):
            raise TorresError(
                f"limit.iterations: expected a whole number of at least 1, not {shorten(self.iterations)}"
            )
        if self.confidence is not None and not (_is_real(self.confidence) and 0.5 < self.confidence < 1):
            raise TorresError(f"limit.confidence: expected a number between 0.5 and 1, not {shorten(self.confidence)}")
        if not (_is_whole(self.nodes) and self.nodes >= 1):
            raise TorresError(f"limit.nodes: expected a whole number of at least 1, not {shorten(self.nodes)}")


def check_whole(name: str, value: Any, least: int) -> None:
    """Refuse what is not a whole number of at least so much."""
    if not (_is_whole(value) and value >= least):
        raise TorresError(f"{name}: expected a whole number of at least {least}, not {shorten(value)}")


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _is_real(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
