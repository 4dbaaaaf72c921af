"""The store: what goes in comes out once, and every trouble with the file is one clear line."""

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.tournaments.specs import AGENTS, small_spec
from torres_mcts.core.errors import FileError, TorresError
from torres_mcts.tournaments.block import PlayedGame
from torres_mcts.tournaments.game import Forfeit, GameResult
from torres_mcts.tournaments.store import Store

LINEUP = ("quick", "chance")
NOBODY = 65534


def block_of(number: int, scores: tuple[int, int] = (3, 1)) -> list[PlayedGame]:
    result = GameResult(scores, (0.25, 0.5), (7, 8))
    forfeit = Forfeit(1, "ValueError: no", 2**62)
    return [PlayedGame(LINEUP, number, 0, result), PlayedGame(LINEUP, number, 1, result, forfeit)]


def test_what_goes_in_comes_out_in_the_order_of_play(tmp_path: Path) -> None:
    spec, path = small_spec(), tmp_path / "games.sqlite"
    with Store(path) as store:
        store.bind(spec)
        store.add(spec.config_hash(LINEUP), block_of(1))
        store.add(spec.config_hash(LINEUP), block_of(0))
    with Store(path) as store:
        store.bind(spec)
        assert store.games(spec) == block_of(0) + block_of(1)


def test_a_game_that_is_there_already_stays(tmp_path: Path) -> None:
    spec = small_spec()
    with Store(tmp_path / "games.sqlite") as store:
        store.add(spec.config_hash(LINEUP), block_of(0))
        store.add(spec.config_hash(LINEUP), block_of(0, scores=(1, 9)))
        assert store.games(spec) == block_of(0)


def test_a_block_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    spec = small_spec()

    def broken() -> Iterator[PlayedGame]:
        yield block_of(0)[0]
        raise KeyboardInterrupt

    with Store(tmp_path / "games.sqlite") as store:
        with pytest.raises(KeyboardInterrupt):
            store.add(spec.config_hash(LINEUP), broken())
        assert store.games(spec) == []


def test_a_name_is_bound_to_its_settings(tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite") as store:
        store.bind(small_spec(agents={"quick": "greedy", "chance": "random"}))
        store.bind(small_spec(agents={"quick": "greedy:width=64", "chance": "random", "new": "random"}))
        with pytest.raises(TorresError, match="quick is greedy in its games, not greedy:width=2; give the new agent"):
            store.bind(small_spec(agents={"quick": "greedy:width=2", "chance": "random"}))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"seed": 6}, "its games have seed 5, not 6"),
        ({"limit": {"iterations": 11}}, 'its games have limit {"iterations": 10'),
        ({"rules": {"ap_per_turn": 6}}, "its games have rules "),
    ],
)
def test_other_settings_need_another_store(changes: dict[str, Any], said: str, tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite") as store:
        store.bind(small_spec())
        with pytest.raises(TorresError, match=said):
            store.bind(small_spec(**changes))


def test_a_refused_tournament_leaves_no_trace(tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite") as store:
        store.bind(small_spec())
        with pytest.raises(TorresError):
            store.bind(small_spec(agents={"new": "random", **AGENTS, "quick": "greedy"}))
        assert [row[0] for row in store.connection.execute("SELECT name FROM agents ORDER BY name")] == [
            "chance",
            "quick",
        ]


def refusal(path: Path, **options: Any) -> str:
    """Return the line with which a file is refused."""
    with pytest.raises(FileError) as caught, Store(path, **options):
        pass
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")
    return str(caught.value)


def test_a_foreign_database_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE music (title TEXT)")
    connection.close()
    before = path.read_bytes()
    assert "another program" in refusal(path)
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    path.write_text("this is not a database, but long enough to look like one\n" * 40)
    assert "is not a database of a tournament" in refusal(path)


def test_another_version_of_the_tables_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with Store(path) as store:
        store.connection.execute("PRAGMA user_version = 7")
    assert "has version 7 of the tables, this program knows 2" in refusal(path)


def test_games_of_an_older_version_are_read_but_not_continued(tmp_path: Path) -> None:
    spec, path = small_spec(), tmp_path / "games.sqlite"
    with Store(path) as store:
        store.add(spec.config_hash(LINEUP), block_of(0))
        store.connection.execute("ALTER TABLE games DROP COLUMN actions")
        store.connection.execute("PRAGMA user_version = 1")
    assert "was begun by an older version" in refusal(path)
    with Store(path, is_read_only=True) as store:
        assert store.games(spec) == block_of(0)
        with pytest.raises(FileError, match="kept no actions"):
            store.actions(spec.config_hash(LINEUP), block_of(0)[0])


def test_a_locked_database_is_said_to_be_in_use(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with Store(path) as writer, Store(path, patience=0.1) as store:
        writer.connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(FileError, match="is in use by another process"):
            store.add("hash", block_of(0))
        writer.connection.execute("COMMIT")
        store.add("hash", block_of(0))


def test_a_full_disk_is_said_to_be_full_and_the_block_is_not_there(tmp_path: Path) -> None:
    spec = small_spec()
    with Store(tmp_path / "games.sqlite") as store:
        store.connection.execute("PRAGMA max_page_count = 1")
        with pytest.raises(FileError, match="the disk is full; make room and run the same line again"):
            store.add(spec.config_hash(LINEUP), [game for number in range(500) for game in block_of(number)])
        assert store.games(spec) == []


@contextmanager
def as_somebody() -> Iterator[None]:
    """Give up the rights of the superuser, before whom no folder is read-only."""
    if os.geteuid() != 0:
        yield
        return
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@pytest.mark.skipif(not hasattr(os, "setresuid"), reason="gives up rights as Linux does")
def test_a_read_only_folder_is_said_to_be_one() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o555)
        with as_somebody():
            assert "cannot be opened; is the folder there, and may it be written to?" in refusal(folder / "new.sqlite")
        folder.chmod(0o755)


@pytest.mark.skipif(not hasattr(os, "setresuid"), reason="gives up rights as Linux does")
def test_games_in_a_read_only_folder_can_be_read() -> None:
    spec = small_spec()
    with tempfile.TemporaryDirectory() as name:
        folder, path = Path(name), Path(name) / "games.sqlite"
        with Store(path) as store:
            store.add(spec.config_hash(LINEUP), block_of(0))
        path.chmod(0o444)
        folder.chmod(0o555)
        with as_somebody():
            with Store(path, is_read_only=True) as store:
                assert store.games(spec) == block_of(0)
            assert "cannot be written; is the folder read-only?" in refusal(path)
        folder.chmod(0o755)


def test_reading_changes_nothing_and_sees_a_run_that_goes_on(tmp_path: Path) -> None:
    spec, path = small_spec(), tmp_path / "games.sqlite"
    with Store(path) as store, Store(path, is_read_only=True) as reader:
        store.add(spec.config_hash(LINEUP), block_of(0))
        assert reader.games(spec) == block_of(0)
        with pytest.raises(FileError, match="cannot be written"):
            reader.add("hash", block_of(0))
    empty = tmp_path / "empty.sqlite"
    empty.touch()
    assert "there is no tournament in it" in refusal(empty, is_read_only=True)
    assert empty.read_bytes() == b""


def test_a_folder_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    assert "is the folder there" in refusal(tmp_path / "nowhere" / "games.sqlite")
    assert "there is no such tournament" in refusal(tmp_path / "games.sqlite", is_read_only=True)
