"""Whatever is killed, and whenever: run again, a tournament has the games of one that was never interrupted."""

import os
import random
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.tournaments.specs import content, small_spec, spec_data, to_toml
from torres_mcts.tournaments.run import run
from torres_mcts.tournaments.store import Store

PROGRAM = [sys.executable, "-c", "from torres_mcts.commands.tournament import tournament; tournament()"]
BLOCKS = 40
PATIENCE = 60
pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks processes up in /proc")


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    """Return the content of a run without interruptions."""
    path = tmp_path_factory.mktemp("whole") / "games.sqlite"
    with Store(path) as store:
        run(small_spec(blocks=BLOCKS), store)
    return content(path)


class Driver:
    """A tournament in a process of its own."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.games = folder / "games.sqlite"
        spec = folder.parent / "small.toml"
        spec.write_text(to_toml(spec_data(blocks=BLOCKS)))
        line = [*PROGRAM, "run", str(spec), "--folder", str(folder), "--workers", str(workers)]
        self.process = subprocess.Popen(line, stderr=subprocess.PIPE, text=True, start_new_session=True)

    def wait_for_games(self, more: int) -> None:
        """Wait until there are so many games more than now, or the run has ended."""
        wanted, deadline = self._count() + more, time.monotonic() + PATIENCE
        while self._count() < wanted and self.process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def _count(self) -> int:
        return sum(row[0] == "games" for row in content(self.games)) if self.games.exists() else 0

    def workers(self) -> list[int]:
        """List the processes that play, without the helpers of multiprocessing."""
        process = self.process.pid
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        return [int(child) for child in children if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text()]

    def end(self) -> tuple[int, str]:
        """Wait for the end; return the exit code and what was said on stderr."""
        _, said = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, said


@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_driver_loses_nothing(workers: int, tmp_path: Path, expected: list[object]) -> None:
    luck, folder = random.Random(workers), tmp_path / "run"
    for _ in range(2):
        driver = Driver(folder, workers)
        driver.wait_for_games(luck.choice([1, 8]))
        time.sleep(luck.uniform(0, 0.2))
        driver.process.kill()
        assert driver.end()[0] == -signal.SIGKILL
        assert len(content(folder / "games.sqlite")) < len(expected)
    assert Driver(folder, workers).end()[0] == 0
    assert content(folder / "games.sqlite") == expected


def test_killed_workers_lose_nothing(tmp_path: Path, expected: list[object]) -> None:
    luck, driver = random.Random(0), Driver(tmp_path / "run", workers=2)
    for _ in range(2):
        driver.wait_for_games(1)
        time.sleep(luck.uniform(0, 0.2))
        os.kill(luck.choice(driver.workers()), signal.SIGKILL)
    assert driver.end()[0] == 0
    assert content(tmp_path / "run" / "games.sqlite") == expected


def test_after_ctrl_c_the_line_that_is_said_goes_on(tmp_path: Path, expected: list[object]) -> None:
    driver = Driver(tmp_path / "run", workers=2)
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
