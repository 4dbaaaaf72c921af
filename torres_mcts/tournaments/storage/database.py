"""A SQLite file of ours: one writer, all or nothing, and every trouble with it said in one clear line.

What is stored is bound to the settings that it was made with, so results of different settings are never mixed.
"""

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, Self

from torres_mcts.core.errors import FileError, TorresError
from torres_mcts.core.files import name_of

PATIENCE = 10.0  # seconds to wait for another process that writes
PRIMARY = 0xFF  # the lower byte of an error code says what, the rest says where
SETTINGS = "CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL)"
AGENTS = "CREATE TABLE agents (name TEXT PRIMARY KEY, text TEXT NOT NULL, hash TEXT NOT NULL)"
PROBLEMS = {
    sqlite3.SQLITE_BUSY: "is in use by another process; wait for its end",
    sqlite3.SQLITE_LOCKED: "is in use by another process; wait for its end",
    sqlite3.SQLITE_NOTADB: "is not a database of a {kind}; choose another folder",
    sqlite3.SQLITE_CORRUPT: "is damaged; restore it from a copy, or play again in another folder",
    sqlite3.SQLITE_READONLY: "cannot be written; is the folder read-only?",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened; is the folder there, and may it be written to?",
    sqlite3.SQLITE_PERM: "cannot be opened: no permission",
    sqlite3.SQLITE_FULL: "the disk is full; make room and run the same line again",
    sqlite3.SQLITE_IOERR: "reading or writing failed; is the disk full or gone?",
}


class Database:
    """The file, open; those who use it say what kind it is and which tables it has."""

    kind: ClassVar[str]  # what is in it, as a word
    application: ClassVar[int]  # the mark of these files
    version: ClassVar[int]  # of the tables
    older: ClassVar[tuple[int, ...]] = ()  # versions that are only read
    tables: ClassVar[tuple[str, ...]]

    def __init__(self, path: Path, *, is_read_only: bool = False, patience: float = PATIENCE) -> None:
        self.path, self.is_read_only = path, is_read_only
        if is_read_only and not path.is_file():
            raise FileError(f"{name_of(path)}: there is no such {self.kind}")
        address = _read_only_address(path) if is_read_only else str(path)
        with self._explained():
            self.connection = sqlite3.connect(address, timeout=patience, isolation_level=None, uri=is_read_only)
            try:
                self._check_identity()
            except BaseException:
                self.connection.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.connection.close()

    @property
    def schema(self) -> int:
        """The version of the tables in the file."""
        return self._pragma("user_version")

    def agent_hashes(self) -> dict[str, str]:
        """Return the hash of each agent's settings, by name."""
        with self._explained():
            return dict(self.connection.execute("SELECT name, hash FROM agents"))

    def _bind_settings(self, settings: Mapping[str, Any]) -> None:
        """Note settings; refuse others than those that the games have."""
        for key, value in settings.items():
            text = json.dumps(value, sort_keys=True)
            held = self._bound("SELECT value FROM settings WHERE key = ?", key, (text,))
            if held != (text,):
                raise TorresError(
                    f"{name_of(self.path)}: its games have {key} {held[0]}, not {text}; choose another name"
                )
            self.connection.execute("INSERT OR IGNORE INTO settings VALUES (?, ?)", (key, text))

    def _bind_name(self, table: str, name: str, text: str, own: str) -> None:
        """Bind a name to a hash of what it stands for, once and for all.

        table: of agents, say, with the columns name, text and hash
        """
        held = self._bound(f"SELECT hash, text FROM {table} WHERE name = ?", name, (own, text))
        if held[0] != own:
            other = "has other code now" if held[1] == text else f"is {held[1]} in its games, not {text}"
            thing = table.removesuffix("s")
            raise TorresError(f"{name_of(self.path)}: {name} {other}; give the new {thing} a name of its own")
        self.connection.execute(f"INSERT OR IGNORE INTO {table} VALUES (?, ?, ?)", (name, text, own))

    def _bound(self, query: str, key: str, new: tuple[str, ...]) -> tuple[str, ...]:
        """Return what a key is bound to, or what it may be bound to now."""
        return self.connection.execute(query, (key,)).fetchone() or new

    def _check_identity(self) -> None:
        """Make the tables of a fresh file; refuse files of others before anything is changed in them."""
        if not self._is_ours():
            if self.is_read_only:
                raise FileError(f"{name_of(self.path)}: there is no {self.kind} in it")
            self._make_tables()
        if not self.is_read_only:
            self.connection.execute("PRAGMA journal_mode = WAL")
            self.connection.execute("PRAGMA synchronous = NORMAL")

    def _make_tables(self) -> None:
        with self._writing():
            if not self._is_ours():  # no other process was faster
                for table in self.tables:
                    self.connection.execute(table)
                self.connection.execute(f"PRAGMA user_version = {self.version}")
                self.connection.execute(f"PRAGMA application_id = {self.application}")

    def _is_ours(self) -> bool:
        """Tell whether the file is one of this kind rather than empty; refuse any other."""
        name, application, schema = name_of(self.path), self._pragma("application_id"), self.schema
        if application == self.application:
            if schema in self.older and not self.is_read_only:
                raise FileError(f"{name}: was begun by an older version, which alone can go on; choose another name")
            if schema not in (self.version, *self.older):
                raise FileError(f"{name}: has version {schema} of the tables, this program knows {self.version}")
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
            raise FileError(f"{name_of(self.path)}: {problem.replace('{kind}', self.kind)}") from None


def _read_only_address(path: Path) -> str:
    """Return the address of a file that is only read; SQLite reads a read-only folder only if nothing can change."""
    has_log = path.with_name(f"{path.name}-wal").exists()
    way = "mode=ro" if has_log or os.access(path.parent, os.W_OK) else "immutable=1"
    return f"{path.absolute().as_uri()}?{way}"
