"""The loop behind `torres serve`: reads queries, works on a few at a time, answers as they get ready.

One thread reads, some work; whatever is wrong with a line is said in an answer, and the server goes on.
"""

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from torres_mcts import __version__
from torres_mcts.analysis.report import FORMAT
from torres_mcts.commands.query import Task, read_line, read_query
from torres_mcts.commands.request import FieldError
from torres_mcts.core.errors import TorresError
from torres_mcts.core.files import to_json

LINE_LIMIT = 1 << 20  # bytes; a query has a few thousand
WAITING_LIMIT = 1000  # queries that may wait; more are refused

Write = Callable[[str], None]


@dataclass
class Job:
    """A query that waits or is worked on."""

    task: Task
    is_ended: threading.Event = field(default_factory=threading.Event)  # asked to end before its limit


class Server:
    """Answers queries until they end."""

    def __init__(self, write: Write, concurrency: int, threads: int, seconds: float) -> None:
        self.write = write
        self.threads = threads
        self.seconds = seconds
        self.jobs: dict[str, Job] = {}  # by id, waiting or worked on
        self.lock = threading.Lock()  # of the jobs
        self.writing = threading.Lock()
        self.waiting: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self.is_broken = False  # nobody reads the answers any more
        self.workers = [threading.Thread(target=self._work, daemon=True) for _ in range(concurrency)]

    def serve(self, stream: BinaryIO) -> None:
        """Read queries to the end of the stream, and finish what was asked."""
        for worker in self.workers:
            worker.start()
        while not self.is_broken and (line := stream.readline(LINE_LIMIT + 1)):
            if len(line) > LINE_LIMIT and not line.endswith(b"\n"):
                while (rest := stream.readline(LINE_LIMIT)) and not rest.endswith(b"\n"):
                    pass
                self.answer({"id": None, "error": f"the line is longer than {LINE_LIMIT >> 20} MiB", "field": None})
            elif line.strip():
                self.receive(line)
        self._join()

    def stop(self) -> None:
        """End all work soon; the answers of what was worked on are still written."""
        self._end(list(self.jobs))
        self._join()

    def _join(self) -> None:
        """Let the workers finish what is waiting, and wait for them."""
        for _ in self.workers:
            self.waiting.put(None)
        for worker in self.workers:
            while worker.is_alive():
                worker.join(0.2)  # with a limit, so that Ctrl-C is heard

    # Lines in.

    def receive(self, line: bytes) -> None:
        """Take a line: a query to work on, or an action that is done at once."""
        identity: Any = None
        try:
            data = read_line(line)
            identity = data.get("id")
            if "action" in data:
                self._act(data)
            else:
                self._accept(read_query(data, threads=self.threads, seconds=self.seconds))
        except TorresError as error:
            self.answer({"id": identity, "error": str(error), "field": getattr(error, "field", None)})

    def _accept(self, task: Task) -> None:
        """Let a query wait for a worker."""
        job = Job(task)
        with self.lock:
            if task.id in self.jobs:
                raise FieldError(f"id: a query {task.id!r} is not answered yet; choose another id", "id")
            if len(self.jobs) >= WAITING_LIMIT:
                raise FieldError(f"{WAITING_LIMIT} queries are waiting; send more when some are answered", None)
            self.jobs[task.id] = job
        self.waiting.put(job)

    def _act(self, data: dict[str, Any]) -> None:
        """Do what an action asks for, and answer with the same object."""
        more: dict[str, Any] = {}
        if data["action"] == "query_version":
            more = {"version": __version__, "schema": FORMAT}
        elif data["action"] == "terminate_all":
            self._end(list(self.jobs))
        else:
            target = data.get("terminateId", data.get("id"))
            if target not in self.jobs:
                raise FieldError(f"terminateId: no query {target!r} is waiting or worked on", "terminateId")
            self._end([target])
        self.answer({**data, **more})

    def _end(self, identities: list[str]) -> None:
        """Ask queries to end."""
        with self.lock:
            for identity in identities:
                if identity in self.jobs:
                    self.jobs[identity].is_ended.set()

    # Lines out.

    def answer(self, values: dict[str, Any]) -> None:
        """Write a line."""
        line = to_json(values, indent=None)
        with self.writing:
            if self.is_broken:
                return
            try:
                self.write(line)
            except OSError:
                self.is_broken = True
        if self.is_broken:
            self._end(list(self.jobs))

    def _work(self) -> None:
        """Answer queries one after the other."""
        while (job := self.waiting.get()) is not None:
            try:
                last = self._search(job)
            except TorresError as error:
                last = {"error": str(error), "field": getattr(error, "field", None)}
            except Exception as error:  # a fault of ours must not end the server
                last = {"error": f"internal error: {type(error).__name__}: {error}", "field": None}
            with self.lock:
                del self.jobs[job.task.id]  # before the answer, after which the id may be used again
            self.answer({"id": job.task.id, **last})

    def _search(self, job: Job) -> dict[str, Any]:
        """Work on a query, with intermediate reports if they are wanted; return the last answer."""
        if job.is_ended.is_set() or self.is_broken:
            return {"isDuringSearch": False, "noResults": True}
        every, told, report = job.task.report_every, time.monotonic(), None
        for step in job.task.request.run(should_stop=job.is_ended.is_set):
            if report is not None and every is not None and time.monotonic() - told >= every:
                self.answer({"id": job.task.id, "isDuringSearch": True, "report": _dump(report)})
                told = time.monotonic()
            report = step
        return {"isDuringSearch": False, "report": _dump(report)}


def _dump(report: Any) -> Any:
    return report.model_dump(mode="json", by_alias=True)
