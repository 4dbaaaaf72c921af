"""The logs of a study in a SQLite file, and the folder that holds it: the same care as for tournaments."""

import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from torres_mcts.studies.file.read import load_study
from torres_mcts.studies.log import GameLog
from torres_mcts.studies.spec import Study
from torres_mcts.studies.variants import Variant
from torres_mcts.tournaments.storage.database import AGENTS, SETTINGS, Database
from torres_mcts.tournaments.storage.folders import RESULTS, find_run, open_run

STUDY_FILE = "study.toml"
GAMES_FILE = "games.sqlite"
VARIANTS = "CREATE TABLE variants (name TEXT PRIMARY KEY, text TEXT NOT NULL, hash TEXT NOT NULL)"
LOGS = """CREATE TABLE logs (
    config TEXT NOT NULL, block INTEGER NOT NULL, rotation INTEGER NOT NULL,
    is_forfeit INTEGER NOT NULL, seconds REAL NOT NULL, log BLOB NOT NULL,
    PRIMARY KEY (config, block, rotation)
)"""
INSERT = "INSERT OR IGNORE INTO logs VALUES (?, ?, ?, ?, ?, ?)"
SELECT = "SELECT block, log FROM logs WHERE config = ? ORDER BY block, rotation"
COUNT = "SELECT block, count(*), sum(is_forfeit) FROM logs WHERE config = ? GROUP BY block"
Blocks = dict[int, list[GameLog]]  # by number


@dataclass(frozen=True)
class PlayedBlock:
    """A deal, played by one rule set once for each way to sit."""

    variant: str
    number: int
    logs: tuple[GameLog, ...]
    seconds: float  # that all of it took


class StudyStore(Database):
    """The file of a study, open."""

    kind = "study"
    application = 0x546F7253  # "TorS"
    version = 1
    tables = (SETTINGS, AGENTS, VARIANTS, LOGS)

    def bind(self, study: Study) -> None:
        """Note settings, agents and variants; refuse a study whose results would be mixed with those of others."""
        with self._writing():
            self._bind_settings(study.settings)
            for entrant in study.entrants:
                self._bind_name("agents", entrant.name, entrant.text, entrant.hash)
            for variant in study.variants:
                text = json.dumps([variant.rules.to_dict(), variant.blank], sort_keys=True)
                self._bind_name("variants", variant.name, text, text)

    def add(self, config: str, block: PlayedBlock) -> None:
        """Write the games of a block, all or none; those that are there already stay."""
        share = block.seconds / max(1, len(block.logs))
        rows = [(config, block.number, log.rotation, log.forfeit is not None, share, pack(log)) for log in block.logs]
        with self._writing():
            self.connection.executemany(INSERT, rows)

    def done(self, study: Study, variant: Variant) -> dict[int, int]:
        """Return the blocks of a rule set that are whole, and how many games of each were lost by forfeit."""
        wanted = len(study.tables)
        with self._explained():
            rows = self.connection.execute(COUNT, (study.config_hash(variant),))
            return {block: forfeits for block, games, forfeits in rows if games == wanted}

    def blocks(self, study: Study, variant: Variant) -> Blocks:
        """Return the games of a rule set by block."""
        found: Blocks = {}
        with self._explained():
            for block, log in self.connection.execute(SELECT, (study.config_hash(variant),)):
                found.setdefault(block, []).append(unpack(log))
        return {number: logs for number, logs in found.items() if len(logs) == len(study.tables)}

    def seconds_per_game(self, study: Study) -> float | None:
        """Return the mean time of a game of the study; None before the first."""
        configs = {study.config_hash(variant) for variant in study.rule_sets}
        query = f"SELECT avg(seconds) FROM logs WHERE config IN ({', '.join('?' * len(configs))})"
        with self._explained():
            return self.connection.execute(query, sorted(configs)).fetchone()[0]


def pack(log: GameLog) -> bytes:
    """Return a log in a few kilobytes."""
    return zlib.compress(json.dumps(log.to_dict(), separators=(",", ":")).encode())


def unpack(data: bytes) -> GameLog:
    """Return the log that was packed."""
    return GameLog.from_dict(json.loads(zlib.decompress(data)))


@dataclass(frozen=True)
class StudyRun:
    """A study as it is in its folder."""

    folder: Path
    study: Study
    blocks: dict[str, Blocks]  # by variant, the base included
    seconds_per_game: float | None

    @property
    def games(self) -> Iterable[tuple[str, GameLog]]:
        """The games of all rule sets, each with the name of its rule set."""
        return ((name, log) for name, blocks in self.blocks.items() for logs in blocks.values() for log in logs)


def open_study(folder: Path, study: Study, text: str) -> StudyStore:
    """Make the folder of a study, or open the one that holds it, and keep a copy of the file's text there."""
    path = folder / GAMES_FILE
    return open_run(folder, STUDY_FILE, text, lambda: StudyStore(path), lambda store: store.bind(study))


def read_study_run(text: str, results: Path = RESULTS) -> StudyRun:
    """Return a study by its folder, or by its name under results."""
    folder = find_run(text, STUDY_FILE, results)
    with StudyStore(folder / GAMES_FILE, is_read_only=True) as store:
        study = load_study(folder / STUDY_FILE, store.agent_hashes())
        blocks = {variant.name: store.blocks(study, variant) for variant in study.rule_sets}
        return StudyRun(folder, study, blocks, store.seconds_per_game(study))
