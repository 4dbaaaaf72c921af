"""Workers of a Dask cluster, on this machine or on others. Imported only where a cluster is asked for."""

import asyncio
import hashlib
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from torres_mcts import __version__
from torres_mcts.core.errors import TorresError, printable
from torres_mcts.tournaments.executors import AHEAD, MOST_DEATHS, Answer, Answers, Question

try:
    import distributed
    from distributed.scheduler import KilledWorker
except ImportError:
    raise TorresError("a cluster needs Dask, which is not installed: pip install 'torres-mcts[cluster]'") from None

PACKAGE = Path(__file__).resolve().parents[1]
CONNECT_SECONDS = 10
LOOK_SECONDS = 2.0  # how often the number of workers is looked up
LONELY_SECONDS = 60.0  # to wait for a worker when all are gone
SOURCES = ("*.py", "*.toml", "*.json")


@cache
def identify() -> str:
    """Name this version of the package; equal names stand for equal sources, and so for equal games."""
    digest = hashlib.blake2b(digest_size=4)
    for path in sorted(path for pattern in SOURCES for path in PACKAGE.rglob(pattern)):
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return f"{__version__} (sources {digest.hexdigest()})"


@dataclass(frozen=True)
class _Task:
    """What a worker does; whatever takes long the first time is done once in each process."""

    function: Callable[[Any], Any]
    prepare: Callable[..., None]
    arguments: tuple[Any, ...]
    identity: str
    token: str  # of the run

    def __call__(self, question: Any) -> Any:
        with _one_at_a_time:  # threads of a worker would take each other's thinking time
            if self.identity != identify():
                raise TorresError(_other_version(f"a worker has {identify()}", self.identity))
            if self.token not in _prepared:
                self.prepare(*self.arguments)
                _prepared.add(self.token)
            return self.function(question)


_one_at_a_time = threading.Lock()
_prepared: set[str] = set()  # tokens of runs that this process has worked for


@dataclass(frozen=True)
class Cluster:
    """The workers of a scheduler; the work of one that dies is done again by another, and new ones are given some."""

    client: Any
    address: str
    prepare: Callable[..., None]
    arguments: tuple[Any, ...] = ()

    def map(self, function: Callable[[Question], Answer], questions: Iterable[Question]) -> Answers[Answer]:
        """Yield the answers in the order of the questions; closed, what has not begun is never done."""
        task = _Task(function, self.prepare, self.arguments, identify(), self.client.id)
        source, futures, deaths = iter(questions), deque[tuple[Question, Any]](), 0
        workers, looked = self._count_workers(), time.monotonic()
        try:
            while True:
                while len(futures) < AHEAD * max(1, workers):
                    try:
                        question = next(source)
                    except StopIteration:
                        break
                    futures.append((question, self.client.submit(task, question, pure=False)))
                if not futures:
                    return
                question, future = futures[0]
                try:
                    answer = self._wait(future)
                except KilledWorker:
                    deaths += 1
                    if deaths == MOST_DEATHS:
                        raise TorresError(f"workers die again and again with {question} to be done") from None
                    futures[0] = question, self.client.submit(task, question, pure=False)
                    continue
                futures.popleft()
                deaths = 0
                yield answer
                if time.monotonic() - looked > LOOK_SECONDS:
                    workers, looked = self._count_workers(), time.monotonic()
        finally:
            for _, future in futures:
                future.release()

    def _wait(self, future: Any) -> Any:
        """Return an answer; give up without a scheduler, or without a worker for long."""
        lonely_since = None
        while True:
            try:
                return future.result(timeout=LOOK_SECONDS)
            except distributed.TimeoutError:
                if self._count_workers():
                    lonely_since = None
                else:
                    lonely_since = lonely_since or time.monotonic()
                    if time.monotonic() - lonely_since > LONELY_SECONDS:
                        raise TorresError(f"{self._name}: all workers are gone; start some and run again") from None
            except (distributed.CancelledError, OSError):
                raise self._lost() from None
            except (KilledWorker, TorresError):
                raise
            except Exception:
                check_workers(self.client, self._name)  # one that came later may lack what it needs
                raise

    def _count_workers(self) -> int:
        try:
            return len(self.client.nthreads())
        except (OSError, distributed.TimeoutError, distributed.CancelledError):
            raise self._lost() from None

    def _lost(self) -> TorresError:
        return TorresError(f"{self._name}: the scheduler is gone; start it and its workers and run again")

    @property
    def _name(self) -> str:
        return _name(self.address)


def _name(address: str) -> str:
    return f"cluster {printable(address)}"


def _other_version(what: str, own: str) -> str:
    return f"{what}, but this is {own}; install the same torres-mcts everywhere and start the workers again"


@contextmanager
def connect(address: str, prepare: Callable[..., None], *arguments: Any) -> Iterator[Cluster]:
    """Connect to the scheduler at an address; it and its workers are checked first.

    prepare: called once in each process that works
    """
    name = _name(address)
    _silence()
    try:
        asyncio.run(_knock(address))
        client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError, distributed.TimeoutError, distributed.CancelledError):
        raise TorresError(
            f"{name}: no Dask scheduler answers within {CONNECT_SECONDS} s; start one with `dask scheduler`,"
            " and give the address that it names, as tcp://HOST:8786"
        ) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except (distributed.TimeoutError, OSError):
            raise TorresError(f"{name}: has no workers; start some with `dask worker {printable(address)}`") from None
        check_workers(client, name)
        yield Cluster(client, address, prepare, arguments)


async def _knock(address: str) -> None:
    """Raise unless something that speaks Dask's language answers; a client would wait for the answer for ever."""
    async with asyncio.timeout(CONNECT_SECONDS):
        settings = distributed.Security().get_connection_args("client")
        door = await distributed.comm.connect(address, timeout=CONNECT_SECONDS, **settings)
        await door.close()


def _silence() -> None:
    """Keep Dask from logging pages about what is said here in one line."""
    for name in [name for name in logging.Logger.manager.loggerDict if name.split(".")[0] == "distributed"]:
        logging.getLogger(name).setLevel(logging.CRITICAL)


def check_workers(client: Any, name: str) -> None:
    """Refuse workers that would play other games, or none."""

    def ask() -> str | None:  # sent as source, for the worker may lack the package
        try:
            from torres_mcts import __version__
        except ImportError:
            return None
        try:
            from torres_mcts.tournaments.cluster import identify
        except ImportError:
            return __version__
        return identify()

    for worker, identity in sorted(client.run(ask).items()):
        if identity is None:
            raise TorresError(f"{name}: worker {worker} has no torres-mcts; install {identify()} there")
        if identity != identify():
            raise TorresError(_other_version(f"{name}: worker {worker} has torres-mcts {identity}", identify()))
