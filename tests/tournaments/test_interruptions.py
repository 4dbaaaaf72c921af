"""Whatever is killed, and whenever: run again, a tournament has the games of one that was never interrupted."""

import os
import random
import shlex
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.tournaments.driver import PATIENCE, PROGRAM, Driver, play_whole
from tests.tournaments.specs import content

BLOCKS = 24
pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks processes up in /proc")


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    """Return the content of a run without interruptions."""
    return play_whole(tmp_path_factory.mktemp("whole"), blocks=BLOCKS)


def start(folder: Path, workers: int) -> Driver:
    return Driver(folder, blocks=BLOCKS, workers=workers)


@pytest.mark.parametrize(("workers", "kills"), [(1, 2), (2, 1)])
def test_a_killed_driver_loses_nothing(workers: int, kills: int, tmp_path: Path, expected: list[object]) -> None:
    luck, folder = random.Random(workers), tmp_path / "run"
    for _ in range(kills):
        driver = start(folder, workers)
        driver.wait_for_games(luck.choice([1, 8]))
        time.sleep(luck.uniform(0, 0.2))
        driver.process.kill()
        assert driver.end()[0] == -signal.SIGKILL
        assert len(content(folder / "games.sqlite")) < len(expected)
    assert start(folder, workers).end()[0] == 0
    assert content(folder / "games.sqlite") == expected


def test_killed_workers_lose_nothing(tmp_path: Path, expected: list[object]) -> None:
    luck, driver = random.Random(0), start(tmp_path / "run", workers=2)
    for _ in range(2):
        driver.wait_for_games(1)
        time.sleep(luck.uniform(0, 0.2))
        os.kill(luck.choice(driver.workers()), signal.SIGKILL)
    assert driver.end()[0] == 0
    assert content(tmp_path / "run" / "games.sqlite") == expected


def test_after_ctrl_c_the_line_that_is_said_goes_on(tmp_path: Path, expected: list[object]) -> None:
    driver = start(tmp_path / "run", workers=2)
    driver.wait_for_games(1)
    os.killpg(driver.process.pid, signal.SIGINT)
    code, said = driver.end()
    assert code == 1
    assert len(said.splitlines()) == 1
    assert len(content(tmp_path / "run" / "games.sqlite")) < len(expected)
    line = shlex.split(said.partition("interrupted; this goes on: ")[2])
    assert line[:2] == ["torres-tournament", "run"]
    assert subprocess.run([*PROGRAM, *line[1:]], timeout=PATIENCE, check=False).returncode == 0
    assert content(tmp_path / "run" / "games.sqlite") == expected
