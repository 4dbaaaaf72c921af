"""What workers are asked to do in tests; imports little, for every new worker imports it."""

import os
import random
import signal
import time
from pathlib import Path


def do_nothing(_mark: str = "") -> None:
    """Stand in for what takes long the first time."""


def leave_mark(folder: str) -> None:
    """Leave a file for each process that gets ready."""
    Path(folder, f"{os.getpid()}-{random.random()}").touch()


def answer(number: int) -> int:
    """Double a number, some later than others."""
    time.sleep(0.02 if number % 3 else 0.0)
    return 2 * number


def die_once(mark: str) -> str:
    """End this process the first time."""
    if not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def die(number: int) -> int:
    """Never answer."""
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def fail(number: int) -> int:
    """Raise what a mistake in the program would."""
    raise ZeroDivisionError(number)
