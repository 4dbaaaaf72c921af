"""The games of a tournament in a SQLite file: nothing is lost, nothing is there twice, whatever is interrupted.

A block is written whole or not at all, under a key made of all that decides it. The name of an agent is bound to its
settings, so results of different settings are never mixed under one name.
"""

import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from torres_mcts.core.errors import FileError, TorresError
from torres_mcts.core.files import name_of
from torres_mcts.tournaments.block import PlayedGame
from torres_mcts.tournaments.game import Forfeit, GameResult
from torres_mcts.tournaments.schedule import Lineup, list_lineups
from torres_mcts.tournaments.spec import Spec

APPLICATION = 0x546F7272  # "Torr": the mark of our files
SCHEMA = 2
WITHOUT_ACTIONS = 1  # a schema that is only read
PATIENCE = 10.0  # seconds to wait for another process that writes
PRIMARY = 0xFF  # the lower byte of an error code says what, the rest says where
TABLES = (
    "CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE agents (name TEXT PRIMARY KEY, text TEXT NOT NULL, hash TEXT NOT NULL)",
    """CREATE TABLE games (
        config TEXT NOT NULL, lineup TEXT NOT NULL, block INTEGER NOT NULL, rotation INTEGER NOT NULL,
        scores TEXT NOT NULL, seconds TEXT NOT NULL, decisions TEXT NOT NULL,
        forfeit_seat INTEGER, error TEXT, seed INTEGER, actions BLOB NOT NULL,
        PRIMARY KEY (config, lineup, block, rotation)
    )""",
)
INSERT = "INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
SELECT = """SELECT block, rotation, scores, seconds, decisions, forfeit_seat, error, seed FROM games
    WHERE config = ? AND lineup = ? ORDER BY block, rotation"""
SELECT_ACTIONS = "SELECT actions FROM games WHERE config = ? AND lineup = ? AND block = ? AND rotation = ?"
PROBLEMS = {
    sqlite3.SQLITE_BUSY: "is in use by another process; wait for its end",
    sqlite3.SQLITE_LOCKED: "is in use by another process; wait for its end",
    sqlite3.SQLITE_NOTADB: "is not a database of a tournament; choose another folder",
    sqlite3.SQLITE_CORRUPT: "is damaged; restore it from a copy, or play again in another folder",
    sqlite3.SQLITE_READONLY: "cannot be written; is the folder read-only?",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened; is the folder there, and may it be written to?",
    sqlite3.SQLITE_PERM: "cannot be opened: no permission",
    sqlite3.SQLITE_FULL: "the disk is full; make room and run the same line again",
    sqlite3.SQLITE_IOERR: "reading or writing failed; is the disk full or gone?",
}


class Store:
    """The file of a tournament, open."""

    def __init__(self, path: Path, *, is_read_only: bool = False, patience: float = PATIENCE) -> None:
        self.path, self.is_read_only = path, is_read_only
        if is_read_only and not path.is_file():
            raise FileError(f"{name_of(path)}: there is no such tournament")
        address = _read_only_address(path) if is_read_only else str(path)
        with self._explained():
            self.connection = sqlite3.connect(address, timeout=patience, isolation_level=None, uri=is_read_only)
            try:
                self._check_identity()
            except BaseException:
                self.connection.close()
                raise

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_error: object) -> None:
        self.connection.close()

    def bind(self, spec: Spec) -> None:
        """Note settings and agents; refuse a tournament whose results would be mixed with those of other settings."""
        with self._writing():
            for key, value in spec.settings.items():
                text = json.dumps(value, sort_keys=True)
                held = self._bound("SELECT value FROM settings WHERE key = ?", key, (text,))
                if held != (text,):
                    raise TorresError(
                        f"{name_of(self.path)}: its games have {key} {held[0]}, not {text}; choose another name"
                    )
                self.connection.execute("INSERT OR IGNORE INTO settings VALUES (?, ?)", (key, text))
            for entrant in spec.entrants:
                name, text, own = entrant.name, entrant.text, entrant.hash
                held = self._bound("SELECT hash, text FROM agents WHERE name = ?", name, (own, text))
                if held[0] != own:
                    other = "has other code now" if held[1] == text else f"is {held[1]} in its games, not {text}"
                    raise TorresError(f"{name_of(self.path)}: {name} {other}; give the new agent a name of its own")
                self.connection.execute("INSERT OR IGNORE INTO agents VALUES (?, ?, ?)", (name, text, own))

    def _bound(self, query: str, key: str, new: tuple[str, ...]) -> tuple[str, ...]:
        """Return what a key is bound to, or what it may be bound to now."""
        return self.connection.execute(query, (key,)).fetchone() or new

    def add(self, config: str, games: Iterable[PlayedGame]) -> None:
        """Write the games of a block, all or none; those that are there already stay."""
        with self._writing():
            self.connection.executemany(INSERT, [(config, *_to_row(game)) for game in games])

    def agent_hashes(self) -> dict[str, str]:
        """Return the hash of each agent's settings, by name."""
        with self._explained():
            return dict(self.connection.execute("SELECT name, hash FROM agents"))

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

    @property
    def schema(self) -> int:
        """The version of the tables."""
        return self._pragma("user_version")

    def _check_identity(self) -> None:
        """Make the tables of a fresh file; refuse files of others before anything is changed in them."""
        if not self._is_ours():
            if self.is_read_only:
                raise FileError(f"{name_of(self.path)}: there is no tournament in it")
            self._make_tables()
        if not self.is_read_only:
            self.connection.execute("PRAGMA journal_mode = WAL")
            self.connection.execute("PRAGMA synchronous = NORMAL")

    def _make_tables(self) -> None:
        with self._writing():
            if not self._is_ours():  # no other process was faster
                for table in TABLES:
                    self.connection.execute(table)
                self.connection.execute(f"PRAGMA user_version = {SCHEMA}")
                self.connection.execute(f"PRAGMA application_id = {APPLICATION}")

    def _is_ours(self) -> bool:
        """Tell whether the file is a tournament's rather than empty; refuse any other."""
        name, application, schema = name_of(self.path), self._pragma("application_id"), self.schema
        if application == APPLICATION:
            if schema == WITHOUT_ACTIONS and not self.is_read_only:
                raise FileError(f"{name}: was begun by an older version, which alone can go on; choose another name")
            if schema not in (SCHEMA, WITHOUT_ACTIONS):
                raise FileError(f"{name}: has version {schema} of the tables, this program knows {SCHEMA}")
            return True
        if application or schema or self.connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
            raise FileError(f"{name}: is a database of another program; choose another folder")
        return False

    def _pragma(self, name: str) -> Any:
        return self.connection.execute(f"PRAGMA {name}").fetchone()[0]

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Do all or nothing."""
        with self._explained():
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn what SQLite cannot do into one clear line."""
        try:
            yield
        except sqlite3.Error as error:
            problem = PROBLEMS.get(getattr(error, "sqlite_errorcode", 0) & PRIMARY, str(error))
            raise FileError(f"{name_of(self.path)}: {problem}") from None


def _read_only_address(path: Path) -> str:
    """Return the address of a file that is only read; SQLite reads a read-only folder only if nothing can change."""
    has_log = path.with_name(f"{path.name}-wal").exists()
    way = "mode=ro" if has_log or os.access(path.parent, os.W_OK) else "immutable=1"
    return f"{path.absolute().as_uri()}?{way}"


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
