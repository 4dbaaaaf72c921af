"""A tournament in a process of its own, to be killed.

`python -m tests.tournaments.driver` kills drivers and workers twenty times at random moments and compares what is
left in the end with a run that was never interrupted.
"""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.tournaments.specs import content, small_spec, spec_data, to_toml
from torres_mcts.tournaments.run import run
from torres_mcts.tournaments.store import Store

PROGRAM = [sys.executable, "-c", "from torres_mcts.commands.tournament import tournament; tournament()"]
PATIENCE = 300


class Driver:
    """A tournament in a process of its own."""

    def __init__(self, folder: Path, *, blocks: int, workers: int) -> None:
        self.games = folder / "games.sqlite"
        spec = folder.parent / "small.toml"
        spec.write_text(to_toml(spec_data(blocks=blocks)))
        line = [*PROGRAM, "run", str(spec), "--folder", str(folder), "--workers", str(workers)]
        self.process = subprocess.Popen(line, stderr=subprocess.PIPE, text=True, start_new_session=True)

    def wait_for_games(self, more: int) -> None:
        """Wait until there are so many games more than now, or the run has ended."""
        wanted, deadline = self.count() + more, time.monotonic() + PATIENCE
        while self.count() < wanted and self.process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def count(self) -> int:
        """Count the games that are stored; none while the file is being made."""
        try:
            return sum(row[0] == "games" for row in content(self.games))
        except sqlite3.OperationalError:
            return 0

    def workers(self) -> list[int]:
        """List the processes that play, without the helpers of multiprocessing."""
        process = self.process.pid
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        return [int(child) for child in children if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text()]

    def end(self) -> tuple[int, str]:
        """Wait for the end; return the exit code and what was said on stderr."""
        _, said = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, said


def play_whole(folder: Path, *, blocks: int) -> list[object]:
    """Return the content of a run without interruptions."""
    path = folder / "games.sqlite"
    with Store(path) as store:
        run(small_spec(blocks=blocks), store)
    return content(path)


def kill_often(folder: Path, *, kills: int, blocks: int, seed: int) -> bool:
    """Kill a run of two workers at random moments; tell whether its games are those of an undisturbed one."""
    luck = random.Random(seed)
    driver = Driver(folder / "run", blocks=blocks, workers=2)
    for number in range(kills):
        time.sleep(luck.uniform(0, 8))
        victims = driver.workers() if driver.process.poll() is None else []
        if victims and luck.random() < 0.5:
            os.kill(luck.choice(victims), signal.SIGKILL)
        else:
            driver.process.kill()
            driver.end()
            driver = Driver(folder / "run", blocks=blocks, workers=2)
        print(f"kill {number + 1} of {kills}: {driver.count()} games", flush=True)
    return driver.end()[0] == 0 and content(driver.games) == play_whole(folder, blocks=blocks)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        print("equal" if kill_often(Path(name), kills=20, blocks=300, seed=1) else "DIFFERENT")
