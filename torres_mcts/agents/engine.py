"""What an engine is: a way to choose what to play in a position of Torres.

A fair engine is given the view of the player to move, in which hidden cards do not exist, so it cannot look at them
even by accident. `cheat` alone is given the whole truth.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from torres_mcts.core.errors import TorresError
from torres_mcts.games.torres.position import Position
from torres_mcts.search.limits import Limit


@dataclass(frozen=True)
class Engine(ABC):
    """A way to choose; its fields are its parameters."""

    name: ClassVar[str]
    is_fair: ClassVar[bool] = True

    def choose(self, position: Position, *, limit: Limit, seed: int, threads: int = 1) -> tuple[str, ...]:
        """Return the actions to play next: at least one, at most up to the end of the turn or the first draw."""
        if position.is_over:
            raise TorresError("the game is over: there is nothing to choose")
        seen = position.view(str(position.to_move)) if self.is_fair else position
        texts = []
        for number in self._choose(seen, limit, seed, threads):
            texts.append(seen.text_of(number))
            seen = seen.play_number(number)
        return tuple(texts)

    def prepare(self, position: Position, limit: Limit) -> None:
        """Load or compile what a choice needs, before any clock runs."""
        self.choose(position, limit=limit, seed=0)

    @abstractmethod
    def _choose(self, seen: Position, limit: Limit, seed: int, threads: int) -> tuple[int, ...]:
        """Return the actions by their numbers, from what the player sees."""
