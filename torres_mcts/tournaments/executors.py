"""Who does the work: this process, or others beside it. Answers come in the order of the questions, always."""

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from typing import Any, Protocol, TypeVar

from torres_mcts.core.errors import TorresError

Question = TypeVar("Question")
Answer = TypeVar("Answer")
Answers = Generator[Answer, None, None]
AHEAD = 4  # questions handed out for each worker, so that a slow one does not leave the others idle
MOST_DEATHS = 5  # of workers, without an answer in between


class Executor(Protocol):
    """A way to answer many questions with a pure function."""

    def map(self, function: Callable[[Question], Answer], questions: Iterable[Question]) -> Answers[Answer]:
        """Yield the answers in the order of the questions, which are taken when needed; closed, end all work."""


@dataclass(frozen=True)
class Serial:
    """One question after the other, in this process.

    >>> list(Serial().map(abs, [-1, 2]))
    [1, 2]
    """

    def map(self, function: Callable[[Question], Answer], questions: Iterable[Question]) -> Answers[Answer]:
        """Yield the answers in the order of the questions."""
        yield from map(function, questions)


@dataclass(frozen=True)
class Processes:
    """Several processes on this machine; the work of one that dies is done again by another.

    prepare: called once in each process, for whatever takes long the first time
    """

    workers: int
    prepare: Callable[..., None]
    arguments: tuple[Any, ...] = ()

    def map(self, function: Callable[[Question], Answer], questions: Iterable[Question]) -> Answers[Answer]:
        """Yield the answers in the order of the questions."""
        waiting, source, deaths = deque[Question](), iter(questions), 0
        while True:
            pool = self._new_pool()
            futures = deque[Future[Answer]]()
            try:
                while True:
                    self._hand_out(pool, function, waiting, futures, source)
                    if not futures:
                        return
                    answer = futures[0].result()
                    futures.popleft()
                    waiting.popleft()
                    deaths = 0
                    yield answer
            except BrokenProcessPool:
                deaths += 1
                if deaths == MOST_DEATHS:
                    raise TorresError(
                        f"workers died {deaths} times in a row, last with {waiting[0]} to be done; is memory short?"
                    ) from None
            finally:
                _end(pool)

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.workers, get_context("spawn"), _start, (self.prepare, *self.arguments))

    def _hand_out(
        self,
        pool: ProcessPoolExecutor,
        function: Callable[[Question], Answer],
        waiting: deque[Question],
        futures: deque[Future[Answer]],
        source: Iterator[Question],
    ) -> None:
        """Keep the workers busy: first what a broken pool left undone, then new questions."""
        while len(futures) < AHEAD * self.workers:
            if len(waiting) == len(futures):
                try:
                    waiting.append(next(source))
                except StopIteration:
                    return
            futures.append(pool.submit(function, waiting[len(futures)]))


def new_executor(workers: int, prepare: Callable[..., None], *arguments: Any) -> Executor:
    """Return who does the work of so many workers: a single one is this process.

    prepare: called once in each further process
    """
    return Serial() if workers == 1 else Processes(workers, prepare, arguments)


def _start(prepare: Callable[..., None], *arguments: Any) -> None:
    """Begin a worker: Ctrl-C is for the process that started it, and without that one it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    prepare(*arguments)


def _end_with_parent() -> None:
    """End this process as soon as its parent is gone: killed, it cannot tell its workers."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _end(pool: ProcessPoolExecutor) -> None:
    """End a pool at once, in the middle of whatever its workers do."""
    workers = list((pool._processes or {}).values())  # Python 3.14 has terminate_workers
    manager: Any = pool._executor_manager_thread
    pool.shutdown(wait=False, cancel_futures=True)
    for worker in workers:
        worker.terminate()
    if manager is not None:  # without a wait the pool forgets it, and it may trip over the end of this process
        manager.join()
