"""A tournament in a process of its own, to be killed.

`python -m tests.tournaments.driver [1] [2] [dask]` kills drivers and workers twenty times at random moments, with one
worker, with two, and with two of a Dask cluster, and compares what is left with a run that was never interrupted.
"""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from tests.tournaments.loopback import Loopback
from tests.tournaments.specs import content, small_spec, spec_data, to_toml
from torres_mcts.tournaments.run import run
from torres_mcts.tournaments.store import Store

PROGRAM = [sys.executable, "-c", "from torres_mcts.commands.tournament import tournament; tournament()"]
PATIENCE = 300
BLOCKS = 300  # of the run that is killed often
PAUSE = 8.0  # the longest between two kills, in seconds; workers of a cluster need not get ready again
CLUSTER_PAUSE = 3.0


class Driver:
    """A tournament in a process of its own."""

    def __init__(self, folder: Path, *, blocks: int, workers: int = 1, cluster: str | None = None) -> None:
        self.games = folder / "games.sqlite"
        spec = folder.parent / "small.toml"
        spec.write_text(to_toml(spec_data(blocks=blocks)))
        line = [*PROGRAM, "run", str(spec), "--folder", str(folder)]
        line += ["--workers", str(workers)] if cluster is None else ["--cluster", cluster]
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


def kill_often(folder: Path, *, kills: int, blocks: int, seed: int, workers: int, cluster: Loopback | None) -> bool:
    """Kill drivers and workers at random moments; tell whether the games are those of an undisturbed run."""
    luck, address = random.Random(seed), cluster.address if cluster is not None else None

    def start() -> Driver:
        return Driver(folder / "run", blocks=blocks, workers=workers, cluster=address)

    driver = start()
    for number in range(kills):
        time.sleep(luck.uniform(0, PAUSE if cluster is None else CLUSTER_PAUSE))
        victims = driver.workers() if driver.process.poll() is None else []
        if cluster is not None and luck.random() < 0.5:
            victim = "worker"
            cluster.kill_worker(luck.randrange(len(cluster.workers)))
        elif victims and luck.random() < 0.5:
            victim = "worker"
            os.kill(luck.choice(victims), signal.SIGKILL)
        else:
            victim = "driver" if driver.process.poll() is None else "nobody, the run is over"
            driver.process.kill()
            driver.end()
            driver = start()
        print(f"kill {number + 1} of {kills}: {victim}, {driver.count()} games", flush=True)
    return driver.end()[0] == 0 and content(driver.games) == play_whole(folder, blocks=blocks)


def main() -> None:
    """Kill twenty times each with one worker, two, and two of a Dask cluster, or in the ways named."""
    for way in sys.argv[1:] or ["1", "2", "dask"]:
        with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
            cluster = stack.enter_context(Loopback(Path(name) / "cluster")) if way == "dask" else None
            workers = 1 if cluster is not None else int(way)
            is_equal = kill_often(Path(name), kills=20, blocks=BLOCKS, seed=1, workers=workers, cluster=cluster)
            print(f"workers {way}: {'equal' if is_equal else 'DIFFERENT'}", flush=True)


if __name__ == "__main__":
    main()
