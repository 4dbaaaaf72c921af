"""Records of whole games: the initial position and every action."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from torres_mcts import __version__
from torres_mcts.core.errors import FileError, IllegalAction, PositionError, TorresError, describe, shorten
from torres_mcts.core.files import name_of, read_json, to_json, write_text
from torres_mcts.core.rng import draw_index, new_rng
from torres_mcts.games.torres.format.encode import SETUP
from torres_mcts.games.torres.format.model import FORMAT, GAME_FORMAT, GameEntry
from torres_mcts.games.torres.position import Position

SETUP_STREAM, GAME_STREAM = 1, 2  # streams of one seed; the decks are shuffled with stream 0


@dataclass(frozen=True)
class Replay:
    """What became of a recorded game."""

    final: Position
    years: Sequence[Mapping[str, Any]]  # year, scores in seating order, number of actions until then
    action_count: int

    def to_dict(self) -> dict[str, Any]:
        """Return a dictionary for JSON; scores are in seating order."""
        return {
            "players": list(self.final.names),
            "years": [dict(row) for row in self.years],
            "actions": self.action_count,
            "is_over": self.final.is_over,
            "scores": list(self.final.scores.values()),
            "winners": self.final.winners,
        }


@dataclass(frozen=True)
class GameRecord:
    """The initial position of a game and the actions played; the rest follows from them."""

    position: Position
    actions: tuple[str, ...]
    seed: int | None = None
    scores: tuple[int, ...] | None = None  # where given they are checked
    final: Mapping[str, Any] | None = None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "GameRecord":
        """Read a record; `-` is standard input."""
        data = read_json(path)
        try:
            return cls.from_dict(data)
        except TorresError as error:
            raise type(error)(f"{name_of(path)}: {error}") from None

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "GameRecord":
        """Check a record given as a dictionary."""
        if not isinstance(data, Mapping):
            raise FileError("expected a JSON object that describes a game")
        if data.get("format") == FORMAT:
            raise FileError("this is a position, not a record of a game; look at it with torres show")
        try:
            entry = GameEntry.model_validate(dict(data))
        except ValidationError as error:
            raise FileError(describe(error, {"": list(GameEntry.model_fields)})) from None
        position = _read_position("position", entry.position)
        scores = None if entry.scores is None else tuple(entry.scores)
        return cls(position, tuple(entry.actions), entry.seed, scores, entry.final)

    def position_after(self, number: int) -> Position:
        """Return the position after so many actions."""
        if number > len(self.actions):
            raise FileError(f"actions: the record has {len(self.actions)} actions, not {number}")
        position = self.position
        for index, action in enumerate(self.actions[:number]):
            position = _play(position, action, index)
        return position

    def replay(self) -> Replay:
        """Play the whole game again and check what the record says of its end."""
        position, years = self.position, []
        for index, action in enumerate(self.actions):
            year = int(position.state["year"])
            after = _play(position, action, index)
            if after.phase in ("king", "over") and position.phase == "turn":
                years.append({"year": year, "scores": list(after.scores.values()), "actions": index + 1})
            position = after
        scores = tuple(position.scores.values())
        if self.scores is not None and scores != self.scores:
            raise FileError(f"scores: the record says {list(self.scores)}, but the actions lead to {list(scores)}")
        if self.final is not None and _read_position("final", self.final) != position:
            raise FileError("final: is not the position that the actions lead to; leave it out or correct it")
        return Replay(position, years, len(self.actions))

    def to_dict(self) -> dict[str, Any]:
        """Return a dictionary for JSON."""
        record: dict[str, Any] = {"format": GAME_FORMAT, "version": __version__}
        if self.seed is not None:
            record["seed"] = self.seed
        record |= {"position": self.position.to_dict(), "actions": list(self.actions)}
        if self.scores is not None:
            record["scores"] = list(self.scores)
        return record

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file, whole or not at all."""
        write_text(path, to_json(self.to_dict()))


def _read_position(field: str, data: Mapping[str, Any]) -> Position:
    """Read a position within a record."""
    try:
        return Position.from_dict(data)
    except TorresError as error:
        raise type(error)(f"{field}.{error}") from None


def _play(position: Position, action: str, index: int) -> Position:
    """Play the action at an index of a record."""
    if position.is_over:
        raise IllegalAction(f"actions[{index}]: {shorten(action)}: the game is over")
    try:
        return position.play(action)
    except IllegalAction as error:
        raise IllegalAction(f"actions[{index}]: {error}") from None


def play_setup(position: Position, *, seed: int) -> Position:
    """Play the set-up out at random."""
    rng = new_rng(seed, SETUP_STREAM)
    while position.phase in SETUP:
        actions = position.legal_actions()
        position = position.play(actions[draw_index(rng, len(actions))])
    return position


def play_randomly(position: Position, *, seed: int) -> GameRecord:
    """Play a game to its end, every legal action equally likely."""
    if not position.is_known:
        raise PositionError("a random game needs every card known; use determinize(seed) first")
    rng = new_rng(seed, GAME_STREAM)
    start, played = position, []
    while not position.is_over:
        actions = position.legal_actions()
        played.append(actions[draw_index(rng, len(actions))])
        position = position.play(played[-1])
    return GameRecord(start, tuple(played), seed, tuple(position.scores.values()))
