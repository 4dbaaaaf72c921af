"""Agents that users might write: a good one, and those that do what no agent should."""

import ctypes
import os
import sys
import time
from pathlib import Path

from torres_mcts import Position


class First:
    """The first legal action, or another one."""

    def __init__(self, place: int = 0, note: str = "") -> None:
        self.place, self.note, self.asked = place, note, 0

    def choose(self, position: Position, *, limit: object, seed: int) -> list[str]:
        """Choose, and note what was seen."""
        self.asked += 1
        print("thinking aloud")
        if self.note:
            with Path(self.note).open("a") as file:
                file.write(f"{self.asked} {position.is_known} {position.viewpoint} {position.to_move} {limit} {seed}\n")
        actions = position.legal_actions()
        return [actions[self.place % len(actions)]]


class Wild(First):
    """Something goes wrong as soon as the set-up is over."""

    def __init__(self, kind: str, mark: str = "") -> None:
        super().__init__()
        self.kind, self.mark = kind, mark

    def choose(self, position: Position, *, limit: object, seed: int) -> list[str]:
        """Misbehave."""
        if position.phase != "turn" or (self.mark and Path(self.mark).exists()):
            return super().choose(position, limit=limit, seed=seed)
        if self.mark:
            Path(self.mark).touch()
        return getattr(self, self.kind)()

    def hang(self) -> list[str]:
        while True:
            time.sleep(1)

    def breed(self) -> list[str]:
        if os.fork() == 0:
            time.sleep(600)
        return self.hang()

    def leave(self) -> list[str]:
        os._exit(7)

    def segfault(self) -> list[str]:
        ctypes.string_at(0)
        return []

    def crash(self) -> list[str]:
        raise RuntimeError(f"lost at\n{object()}")

    def quit(self) -> list[str]:
        sys.exit("enough")

    def interrupt(self) -> list[str]:
        raise KeyboardInterrupt

    def text(self) -> str:
        return "end"

    def nothing(self) -> None:
        return None

    def numbers(self) -> list[int]:
        return [5]

    def illegal(self) -> list[str]:
        return ["move:a1-h8"]


def make_first(place: int | None = None) -> First:
    """Make an agent by a function."""
    return First(place or 0)


nobody = 5


class Mute:
    """An agent without choose."""
