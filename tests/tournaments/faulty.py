"""An agent that plays wrong."""

from dataclasses import dataclass
from typing import Any, ClassVar

from torres_mcts.agents.engines import Engine, RandomEngine
from torres_mcts.games.torres.position import Position
from torres_mcts.search.limits import Limit


@dataclass(frozen=True)
class Faulty(Engine):
    """Random play in the set-up, and then something goes wrong."""

    name: ClassVar[str] = "faulty"
    kind: str = "crash"

    def choose(self, position: Position, *, limit: Limit, seed: int, threads: int = 1) -> Any:
        if position.phase != "turn":
            return RandomEngine().choose(position, limit=limit, seed=seed)
        if self.kind == "crash":
            raise RuntimeError(f"lost my way at\n{object()}")
        if self.kind == "exit":
            raise SystemExit(3)
        return {"illegal": ["knight:z9"], "nothing": [], "number": [5], "late": ["end", "end"], "none": None}[self.kind]

    def _choose(self, seen: Position, limit: Limit, seed: int, threads: int) -> tuple[int, ...]:
        raise NotImplementedError
