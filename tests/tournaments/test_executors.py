"""Executors: the answers of a plain loop, in order, whatever happens to the workers."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from torres_mcts.core.errors import TorresError
from torres_mcts.tournaments.executors import AHEAD, MOST_DEATHS, Executor, Processes, Serial


def do_nothing() -> None:
    """Stand in for what takes long the first time."""


def answer(question: tuple[int, str]) -> int:
    """Double a number; the first time a question names a file, leave it there and die."""
    number, mark = question
    time.sleep(0.02 if number % 3 else 0.0)
    if mark and not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return 2 * number


def die(number: int) -> int:
    """Never answer."""
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def fail(number: int) -> int:
    """Raise what a mistake in the program would."""
    raise ZeroDivisionError(number)


@pytest.mark.parametrize("executor", [Serial(), Processes(2, do_nothing)], ids=["serial", "processes"])
def test_answers_come_in_order_and_questions_as_needed(executor: Executor) -> None:
    asked = []

    def questions() -> Iterator[tuple[int, str]]:
        for number in range(40):
            asked.append(number)
            yield number, ""

    answers = executor.map(answer, questions())
    assert next(answers) == 0
    assert len(asked) <= 2 * AHEAD
    assert list(answers) == list(range(2, 80, 2))
    assert asked == list(range(40))


def test_the_work_of_killed_workers_is_done_again(tmp_path: Path) -> None:
    marks = {2: str(tmp_path / "first"), 9: str(tmp_path / "second")}
    questions = [(number, marks.get(number, "")) for number in range(12)]
    assert list(Processes(2, do_nothing).map(answer, questions)) == list(range(0, 24, 2))
    assert len(list(tmp_path.iterdir())) == 2


def test_workers_that_always_die_are_given_up() -> None:
    with pytest.raises(TorresError, match=f"workers died {MOST_DEATHS} times in a row, last with 0 to be done"):
        list(Processes(1, do_nothing).map(die, range(3)))


@pytest.mark.parametrize("executor", [Serial(), Processes(1, do_nothing)], ids=["serial", "processes"])
def test_a_mistake_of_the_program_is_not_hidden(executor: Executor) -> None:
    with pytest.raises(ZeroDivisionError):
        list(executor.map(fail, range(3)))


SLEEPER = """
import time
from torres_mcts.tournaments.executors import Processes

def nothing():
    pass

def pid(_):
    import os
    return os.getpid()

if __name__ == "__main__":
    answers = Processes(1, nothing).map(pid, range(9))
    print(next(answers), flush=True)
    time.sleep(60)
"""


def is_alive(process: int) -> bool:
    """Tell whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks processes up in /proc")
def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "sleeper.py"
    script.write_text(SLEEPER)
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        assert is_alive(worker)
        parent.kill()
    deadline = time.monotonic() + 10
    while is_alive(worker) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_alive(worker)


def test_a_pool_that_was_ended_leaves_no_thread_behind() -> None:
    """One that is left trips over the end of the process now and then, with a traceback."""
    before = set(threading.enumerate())
    answers = Processes(2, print).map(abs, range(-50, 0))
    assert next(answers) == 50
    answers.close()
    assert set(threading.enumerate()) <= before
