"""A Dask cluster on this machine: a real scheduler and workers, each a process of its own that can be killed."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PATIENCE = 60


class Loopback:
    """A scheduler and some workers; left, all are ended."""

    def __init__(self, folder: Path, *, workers: int = 2, **environment: str) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "scheduler.json"
        self.scheduler = self._start(
            "scheduler",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--no-dashboard",
            "--scheduler-file",
            str(file),
            **environment,
        )
        deadline = time.monotonic() + PATIENCE
        while not file.exists() or not file.read_text():
            assert self.scheduler.poll() is None, self.log()
            assert time.monotonic() < deadline, self.log()
            time.sleep(0.05)
        self.address: str = json.loads(file.read_text())["address"]
        self.workers = [self.start_worker() for _ in range(workers)]

    def start_worker(self, **environment: str) -> subprocess.Popen[bytes]:
        """Start a worker of one thread, which nothing starts again when it is killed."""
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--death-timeout", str(PATIENCE)]
        return self._start("worker", self.address, *options, "--local-directory", str(self.folder), **environment)

    def kill_worker(self, number: int) -> None:
        """Kill a worker and start another in its place."""
        self.workers[number].kill()
        self.workers[number].wait()
        self.workers[number] = self.start_worker()

    def log(self) -> str:
        """Return what scheduler and workers have said."""
        return (self.folder / "log").read_text()

    def _start(self, *words: str, **environment: str) -> subprocess.Popen[bytes]:
        with open(self.folder / "log", "ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", *words],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
            )

    def __enter__(self) -> "Loopback":
        return self

    def __exit__(self, *_error: Any) -> None:
        for process in [*self.workers, self.scheduler]:
            process.kill()
            process.wait()
