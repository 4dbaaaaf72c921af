"""The process in which a user's agent lives, seen from the game.

An agent that takes too long is ended, and has lost. One whose process dies is asked again in a new one, for somebody
else may have killed it; only if it dies every time it is its own doing. So what an agent does to its process can
be told from what others do to it, and no game is lost but its own.
"""

import atexit
import json
import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
from contextlib import suppress
from typing import Any

from torres_mcts.agents.own.source import Source
from torres_mcts.core.errors import TorresError, shorten

ATTEMPTS = 3  # to get an answer from a process that dies
START_PATIENCE = 120.0  # seconds for a process to start and to load the agent
CHANGED = "its code has changed since the start; give the new code another name"
LENGTH = struct.Struct(">I")


class AgentFault(TorresError):  # noqa: N818 (it is the agent's fault)
    """A user's agent failed; the message says how."""


class AgentChanged(TorresError):  # noqa: N818 (nothing is wrong with the agent)
    """The code of a user's agent is not what it was at the start."""


class AgentProcess:
    """A running process with an agent of a user."""

    def __init__(self, source: Source, code: str) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "torres_mcts.agents.own.host"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            start_new_session=True,  # Ctrl-C is for the process that asks; what the agent starts ends with it
        )
        self.is_late = False
        self.loaded = self.exchange({"source": source, "code": code}, START_PATIENCE)

    def exchange(self, request: Any, patience: float) -> dict[str, Any] | None:
        """Return the answer to a request; None if there was none: the process is late and ended, or has died."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        timer = threading.Timer(patience, self._give_up)
        timer.start()
        try:
            message = pickle.dumps(request)
            self.process.stdin.write(LENGTH.pack(len(message)) + message)
            self.process.stdin.flush()
            line = self.process.stdout.readline()
            if line.endswith(b"\n"):
                return json.loads(line)
        except ConnectionError:
            pass  # it died before it was asked
        except BaseException:
            self.end()
            raise
        finally:
            timer.cancel()
        self.end()
        return None

    def _give_up(self) -> None:
        self.is_late = True
        self._kill()

    def end(self) -> None:
        """End the process at once, and all that it started."""
        self._kill()
        self.process.communicate()

    def _kill(self) -> None:
        if not hasattr(os, "killpg"):
            self.process.kill()
        elif self.process.returncode is None:  # else the number may be another's by now
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)

    @property
    def last_words(self) -> str:
        """How the process ended."""
        code = self.process.returncode
        if code >= 0:
            return f"exit code {code}"
        try:
            return signal.Signals(-code).name
        except ValueError:
            return f"signal {-code}"


_running: dict[tuple[Source, str], AgentProcess] = {}  # one for each agent, kept for all its games
_one_at_a_time = threading.Lock()


def ask(source: Source, code: str, request: Any, *, patience: float) -> tuple[str, ...]:
    """Return the actions that an agent chooses; AgentFault if it fails, TorresError if its code was changed."""
    key = (source, code)
    with _one_at_a_time:
        for _ in range(ATTEMPTS):
            process = _running.pop(key, None) or AgentProcess(source, code)
            seconds = patience if process.loaded else START_PATIENCE
            answer = process.loaded and process.exchange(request, patience)
            if answer:
                _running[key] = process
                return _read(source, answer)
            if process.is_late:
                raise AgentFault(f"TimeoutError: no answer within {seconds:g} s")
    raise AgentFault(f"its process died {ATTEMPTS} times in a row: {process.last_words}")


def _read(source: Source, answer: dict[str, Any]) -> tuple[str, ...]:
    """Return the actions of an answer, or raise what it says instead."""
    if "changed" in answer:
        raise AgentChanged(f"agent {shorten(source.text)}: {CHANGED}")
    if "fault" in answer:
        raise AgentFault(answer["fault"])
    return tuple(answer["actions"])


@atexit.register
def end_all() -> None:
    """End the processes of all agents."""
    while _running:
        _running.popitem()[1].end()
