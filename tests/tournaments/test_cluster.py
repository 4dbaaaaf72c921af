"""A Dask cluster, a real scheduler and two workers on this machine: the games of a plain loop, whoever is killed."""

import random
import re
import shutil
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.tournaments.chores import answer, die, die_once, do_nothing, fail, leave_mark
from tests.tournaments.driver import Driver, play_whole
from tests.tournaments.loopback import PATIENCE, ROOT, Loopback
from tests.tournaments.specs import content, spec_data, to_toml
from torres_mcts.commands.tournament import tournament
from torres_mcts.core.errors import TorresError
from torres_mcts.tournaments import cluster as module
from torres_mcts.tournaments.cluster import _Task, connect, identify
from torres_mcts.tournaments.executors import AHEAD

BLOCKS = 24


@pytest.fixture(scope="module")
def loopback(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loopback]:
    """Start a scheduler and two workers, which all tests share."""
    with Loopback(tmp_path_factory.mktemp("cluster")) as loopback:
        yield loopback


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    """Return the content of a run without interruptions."""
    return play_whole(tmp_path_factory.mktemp("whole"), blocks=BLOCKS)


def test_answers_come_in_order_and_questions_as_needed(loopback: Loopback, tmp_path: Path) -> None:
    asked = []

    def questions() -> Iterator[int]:
        for number in range(40):
            asked.append(number)
            yield number

    with connect(loopback.address, leave_mark, str(tmp_path)) as cluster:
        answers = cluster.map(answer, questions())
        assert next(answers) == 0
        assert len(asked) <= 2 * AHEAD
        assert list(answers) == list(range(2, 80, 2))
    assert asked == list(range(40))
    assert 1 <= len(list(tmp_path.iterdir())) <= 2  # each process got ready once, however much it did


def test_a_mistake_of_the_program_is_not_hidden(loopback: Loopback) -> None:
    with connect(loopback.address, do_nothing) as cluster, pytest.raises(ZeroDivisionError):
        list(cluster.map(fail, range(3)))


def test_a_killed_worker_and_a_killed_driver_lose_nothing(
    loopback: Loopback, tmp_path: Path, expected: list[object]
) -> None:
    def start() -> Driver:
        return Driver(tmp_path / "run", blocks=BLOCKS, cluster=loopback.address)

    luck, driver = random.Random(3), start()
    driver.wait_for_games(luck.choice([2, 6]))
    loopback.kill_worker(0)
    driver.wait_for_games(luck.choice([2, 6]))
    driver.process.kill()
    assert driver.end()[0] == -signal.SIGKILL
    assert len(content(driver.games)) < len(expected)
    driver = start()
    driver.wait_for_games(2)
    loopback.kill_worker(1)
    assert driver.end() == (0, "")
    assert content(driver.games) == expected


def test_workers_that_die_with_a_block_are_given_others_and_in_the_end_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        Loopback(tmp_path, workers=2, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0") as loopback,
        connect(loopback.address, do_nothing) as cluster,
    ):
        assert list(cluster.map(die_once, [str(tmp_path / "mark")])) == ["done"]
        loopback.workers.append(loopback.start_worker())
        cluster.client.wait_for_workers(2)
        monkeypatch.setattr(module, "MOST_DEATHS", 1)
        with pytest.raises(TorresError, match="workers die again and again with 7 to be done"):
            list(cluster.map(die, [7]))
        monkeypatch.setattr(module, "MOST_DEATHS", 5)
        monkeypatch.setattr(module, "LONELY_SECONDS", 0.1)
        monkeypatch.setattr(module, "LOOK_SECONDS", 0.1)
        with pytest.raises(TorresError, match="all workers are gone; start some and run again"):
            list(cluster.map(die, [7]))
        loopback.scheduler.kill()
        with pytest.raises(TorresError, match="the scheduler is gone"):
            list(cluster.map(answer, [7]))


def other_version(folder: Path) -> str:
    shutil.copytree(ROOT / "torres_mcts", folder / "torres_mcts", ignore=shutil.ignore_patterns("__pycache__"))
    path = folder / "torres_mcts" / "__init__.py"
    path.write_text(re.sub('__version__ = ".*"', '__version__ = "0.0.1"', path.read_text()))
    return r"worker tcp://\S+ has torres-mcts 0.0.1 \(sources \w+\), but this is .*; install the same torres-mcts"


def older_version(folder: Path) -> str:
    (folder / "torres_mcts").mkdir()
    (folder / "torres_mcts" / "__init__.py").write_text('__version__ = "0.0.0"\n')
    (folder / "torres_mcts" / "tournaments.py").touch()
    return r"worker tcp://\S+ has torres-mcts 0.0.0, but this is "


def no_version(folder: Path) -> str:
    (folder / "torres_mcts.py").write_text("raise ImportError\n")
    return r"worker tcp://\S+ has no torres-mcts; install "


@pytest.mark.parametrize("make", [other_version, older_version, no_version])
def test_a_worker_with_another_version_is_refused(
    make: Callable[[Path], str], loopback: Loopback, tmp_path: Path
) -> None:
    said = make(tmp_path)
    with connect(loopback.address, do_nothing) as cluster:
        cluster.client.wait_for_workers(len(loopback.workers))
        before = set(cluster.client.nthreads())
        worker = loopback.start_worker(PYTHONPATH=str(tmp_path))
        try:
            cluster.client.wait_for_workers(len(before) + 1)
            with pytest.raises(TorresError, match=said), connect(loopback.address, do_nothing):
                pass
        finally:
            worker.kill()
            worker.wait()
            deadline = time.monotonic() + PATIENCE
            while set(cluster.client.nthreads()) != before and time.monotonic() < deadline:
                time.sleep(0.02)


def test_a_worker_that_joins_late_with_another_version_is_refused() -> None:
    with pytest.raises(TorresError, match=r"a worker has .* but this is 9.9"):
        _Task(answer, do_nothing, (), "9.9", "run")(1)
    assert _Task(answer, do_nothing, (), identify(), "run")(1) == 2


def refuse_run(address: str, folder: Path) -> str:
    """Return the line with which a run on a cluster is refused; it leaves no trace."""
    (folder / "spec.toml").write_text(to_toml(spec_data()))
    words = ["run", str(folder / "spec.toml"), "--folder", str(folder / "run"), "--cluster", address]
    result = CliRunner().invoke(tournament, words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert not (folder / "run").exists()
    lines: list[str] = result.stderr.splitlines()
    assert len(lines) == 1
    return lines[0]


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense", "ftp://127.0.0.1:8786", "tcp://", "", "silent"])
def test_an_address_without_a_scheduler_is_refused(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CONNECT_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        if address == "silent":
            address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        assert f"cluster {address}: no Dask scheduler answers within 0.5 s" in refuse_run(address, tmp_path)


def test_a_scheduler_without_workers_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Loopback(tmp_path, workers=0) as loopback:
        monkeypatch.setattr(module, "CONNECT_SECONDS", 1)
        said = refuse_run(loopback.address, tmp_path)
        assert said.endswith(f"has no workers; start some with `dask worker {loopback.address}`")


def test_without_dask_a_cluster_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "torres_mcts.tournaments.cluster")
    said = refuse_run("tcp://127.0.0.1:8786", tmp_path)
    assert said.endswith("a cluster needs Dask, which is not installed: pip install 'torres-mcts[cluster]'")


def test_workers_are_of_this_machine_or_of_the_cluster() -> None:
    result = CliRunner().invoke(tournament, ["run", "any", "--workers", "2", "--cluster", "tcp://127.0.0.1:8786"])
    assert result.exit_code == 2
    assert "--workers: are processes on this machine" in result.stderr


def test_the_documented_lines_start_a_cluster() -> None:
    text = (ROOT / "docs" / "tournaments.md").read_text()
    for program in ("scheduler", "worker"):
        line = re.search(rf"^dask {program}(.*?)( *#.*)?$", text, re.MULTILINE)
        assert line is not None
        options: list[Any] = re.findall(r"--[a-z-]+", line[1])
        known = CliRunner().invoke(_dask(program), ["--help"]).stdout
        assert all(option in known for option in options)


def _dask(program: str) -> Any:
    from distributed.cli import dask_scheduler, dask_worker

    return {"scheduler": dask_scheduler, "worker": dask_worker}[program].main
