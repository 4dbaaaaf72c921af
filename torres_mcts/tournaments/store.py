"""The games of a tournament in a SQLite file: nothing is lost, nothing is there twice, whatever is interrupted.

A block is written whole or not at all, under a key made of all that decides it. The name of an agent is bound to its
settings, so results of different settings are never mixed under one name.
"""

import json
import zlib
from collections.abc import Iterable
from typing import Any

from torres_mcts.core.errors import FileError
from torres_mcts.core.files import name_of
from torres_mcts.tournaments.block import PlayedGame
from torres_mcts.tournaments.game import Forfeit, GameResult
from torres_mcts.tournaments.schedule import Lineup, list_lineups
from torres_mcts.tournaments.spec import Spec
from torres_mcts.tournaments.storage.database import AGENTS, SETTINGS, Database

WITHOUT_ACTIONS = 1  # a schema that is only read
GAMES = """CREATE TABLE games (
        config TEXT NOT NULL, lineup TEXT NOT NULL, block INTEGER NOT NULL, rotation INTEGER NOT NULL,
        scores TEXT NOT NULL, seconds TEXT NOT NULL, decisions TEXT NOT NULL,
        forfeit_seat INTEGER, error TEXT, seed INTEGER, actions BLOB NOT NULL,
        PRIMARY KEY (config, lineup, block, rotation)
    )"""
INSERT = "INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
SELECT = """SELECT block, rotation, scores, seconds, decisions, forfeit_seat, error, seed FROM games
    WHERE config = ? AND lineup = ? ORDER BY block, rotation"""
SELECT_ACTIONS = "SELECT actions FROM games WHERE config = ? AND lineup = ? AND block = ? AND rotation = ?"


class Store(Database):
    """The file of a tournament, open."""

    kind = "tournament"
    application = 0x546F7272  # "Torr"
    version = 2
    older = (WITHOUT_ACTIONS,)
    tables = (SETTINGS, AGENTS, GAMES)

    def bind(self, spec: Spec) -> None:
        """Note settings and agents; refuse a tournament whose results would be mixed with those of other settings."""
        with self._writing():
            self._bind_settings(spec.settings)
            for entrant in spec.entrants:
                self._bind_name("agents", entrant.name, entrant.text, entrant.hash)

    def add(self, config: str, games: Iterable[PlayedGame]) -> None:
        """Write the games of a block, all or none; those that are there already stay."""
        with self._writing():
            self.connection.executemany(INSERT, [(config, *_to_row(game)) for game in games])

    def games(self, spec: Spec) -> list[PlayedGame]:
        """Return the games of a tournament in the order of play."""
        hashes = spec.config_hashes(list_lineups(spec))
        with self._explained():
            found = [
                _from_row(lineup, row)
                for lineup, config in hashes.items()
                for row in self.connection.execute(SELECT, (config, lineup_text(lineup)))
            ]
        return sorted(found, key=lambda game: game.block)  # line-ups and rotations are in order already

    def actions(self, config: str, game: PlayedGame) -> tuple[str, ...]:
        """Return the actions of a game that is in the store."""
        if self.schema == WITHOUT_ACTIONS:
            raise FileError(f"{name_of(self.path)}: an older version has played its games and kept no actions")
        with self._explained():
            key = config, lineup_text(game.lineup), game.block, game.rotation
            return unpack(self.connection.execute(SELECT_ACTIONS, key).fetchone()[0])


def lineup_text(lineup: Lineup) -> str:
    """Return a line-up as one text; names have no commas.

    >>> lineup_text(("a", "b"))
    'a,b'
    """
    return ",".join(lineup)


def _to_row(game: PlayedGame) -> tuple[Any, ...]:
    result, forfeit = game.result, game.forfeit
    by_seat = [json.dumps(values) for values in (result.scores, result.seconds, result.decisions)]
    failed = (None, None, None) if forfeit is None else (forfeit.seat, forfeit.error, forfeit.seed)
    return lineup_text(game.lineup), game.block, game.rotation, *by_seat, *failed, pack(game.actions)


def pack(actions: Iterable[str]) -> bytes:
    """Return actions as a few hundred bytes.

    >>> unpack(pack(["knight:c3", "end"]))
    ('knight:c3', 'end')
    """
    return zlib.compress("\n".join(actions).encode())


def unpack(data: bytes) -> tuple[str, ...]:
    """Return the actions that were packed."""
    return tuple(zlib.decompress(data).decode().splitlines())


def _from_row(lineup: Lineup, row: tuple[Any, ...]) -> PlayedGame:
    block, rotation, *by_seat, seat, error, seed = row
    result = GameResult(*(tuple(json.loads(values)) for values in by_seat))
    return PlayedGame(lineup, block, rotation, result, None if seat is None else Forfeit(seat, error, seed))
