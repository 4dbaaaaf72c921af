"""The cache of kernels: it spares compilation, never serves old machine code, and works wherever it can."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numba
import pytest

from torres_mcts.core import jit

pytestmark = pytest.mark.kernel

CALLEE = """
from tiny.core.jit import kernel

@kernel
def rate(level):
    return level * {factor}
"""
CALLER = """
from tiny.core.jit import entry_kernel
from tiny.games.callee import rate

@entry_kernel
def score(level):
    return rate(level) + 1
"""
SCRIPT = """
import json
from tiny.core import jit
from tiny.games.caller import score
answer = score(10)
hits = sum(score.stats.cache_hits.values())
print(json.dumps([answer, hits, str(jit.cache_folder()), jit.is_compiled()]))
"""


@dataclass
class Run:
    """What a process that called the kernel of the tiny package saw."""

    answer: int
    hits: int
    folder: str
    is_compiled: bool


class Tiny:
    """A package with the project's jit.py and two kernel files, one calling the other."""

    def __init__(self, home: Path) -> None:
        self.package = home / "tiny"
        self.cache = home / "cache"
        (self.package / "core").mkdir(parents=True)
        (self.package / "games").mkdir()
        shutil.copy(jit.__file__, self.package / "core" / "jit.py")
        (self.package / "games" / "caller.py").write_text(CALLER)
        self.write_callee(factor=2)

    def write_callee(self, factor: int) -> None:
        """Write the kernel that the other one calls."""
        (self.package / "games" / "callee.py").write_text(CALLEE.format(factor=factor))

    def run(self, **environment: str) -> Run:
        """Call the kernel in a new process."""
        settings = os.environ | {"TORRES_CACHE_DIR": str(self.cache), "PYTHONPATH": str(self.package.parent)}
        settings |= {"PYTHONDONTWRITEBYTECODE": "1"} | environment
        command = [sys.executable, "-W", "error", "-c", SCRIPT]
        run = subprocess.run(command, env=settings, capture_output=True, text=True, check=True)
        assert run.stderr == ""
        return Run(*json.loads(run.stdout))


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    """A tiny package of its own, never run."""
    return Tiny(tmp_path)


def test_the_first_run_compiles(tiny: Tiny) -> None:
    assert tiny.run() == Run(21, 0, str(next(tiny.cache.iterdir())), True)


def test_the_second_run_loads_from_the_cache(tiny: Tiny) -> None:
    tiny.run()
    assert tiny.run().hits == 1


def test_an_edited_callee_is_compiled_anew(tiny: Tiny) -> None:
    tiny.run()
    tiny.write_callee(factor=3)
    again = tiny.run()
    assert (again.answer, again.hits) == (31, 0)


def test_a_callee_edited_back_finds_its_machine_code_again(tiny: Tiny) -> None:
    tiny.run()
    tiny.write_callee(factor=3)
    tiny.run()
    tiny.write_callee(factor=2)
    again = tiny.run()
    assert (again.answer, again.hits) == (21, 1)


def test_bounds_checks_do_not_share_the_cache_of_unchecked_kernels(tiny: Tiny) -> None:
    assert tiny.run(NUMBA_BOUNDSCHECK="0").folder != tiny.run(NUMBA_BOUNDSCHECK="1").folder


def test_the_cache_lies_in_the_folder_that_was_asked_for(tiny: Tiny) -> None:
    folder = tiny.run().folder
    assert Path(folder).parent == tiny.cache
    assert list(Path(folder).glob("*.nbi"))


def test_the_cache_lies_in_the_users_folder_when_none_was_asked_for(tiny: Tiny, tmp_path: Path) -> None:
    assert Path(tiny.run(TORRES_CACHE_DIR="", XDG_CACHE_HOME=str(tmp_path)).folder).parent == tmp_path / "torres-mcts"


def test_the_cache_lies_in_the_temporary_folder_when_the_users_cannot_be_written(tiny: Tiny, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "temporary").mkdir()
    blocked = {"TORRES_CACHE_DIR": "", "XDG_CACHE_HOME": str(tmp_path / "file"), "TMPDIR": str(tmp_path / "temporary")}
    first, second = tiny.run(**blocked), tiny.run(**blocked)
    assert Path(first.folder).is_relative_to(tmp_path / "temporary")
    assert second.hits == 1


def test_kernels_run_without_a_cache_when_nothing_can_be_written(tiny: Tiny) -> None:
    tiny.cache.touch()  # a file where the folder should be
    assert tiny.run() == Run(21, 0, "None", False)


def test_nothing_is_written_into_the_package(tiny: Tiny) -> None:
    before = sorted(tiny.package.rglob("*"))
    tiny.run()
    assert sorted(tiny.package.rglob("*")) == before


def test_a_package_that_cannot_be_written_is_cached_all_the_same(tiny: Tiny) -> None:
    for path in [*tiny.package.rglob("*"), tiny.package]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    tiny.run()
    again = tiny.run()
    for path in [tiny.package, *tiny.package.rglob("*")]:
        path.chmod(0o755)
    assert again.hits == 1


def test_folders_of_other_versions_are_forgotten_only_after_a_month(tiny: Tiny) -> None:
    fresh, stale = tiny.cache / "kernels-fresh", tiny.cache / "kernels-stale"
    for folder in (fresh, stale):
        folder.mkdir(parents=True)
    os.utime(stale, (0, 0))
    tiny.run()
    assert (fresh.exists(), stale.exists()) == (True, False)


@pytest.mark.parametrize("folder", jit.KERNEL_FOLDERS)
def test_any_kernel_source_changes_the_hash(folder: str, tmp_path: Path) -> None:
    source = tmp_path / folder / "deep" / "kernel.py"
    source.parent.mkdir(parents=True)
    source.write_text("1")
    before = jit.source_hash(tmp_path)
    source.write_text("2")
    assert jit.source_hash(tmp_path) != before


def test_a_renamed_kernel_source_changes_the_hash(tmp_path: Path) -> None:
    (tmp_path / "core").mkdir()
    source = tmp_path / "core" / "a.py"
    source.write_text("1")
    before = jit.source_hash(tmp_path)
    source.rename(tmp_path / "core" / "b.py")
    assert jit.source_hash(tmp_path) != before


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="without the compiler a kernel is a plain function")
def test_a_kernel_called_from_python_says_that_only_kernels_call_it() -> None:
    @jit.kernel
    def double(number):  # type: ignore[no-untyped-def]
        return 2 * number

    with pytest.raises(TypeError, match="double is called by kernels only"):
        double(1)


def test_importing_the_package_changes_no_setting_of_numba() -> None:
    script = """
import numba
def settings():
    return {name: repr(value) for name, value in vars(numba.config).items() if name.isupper()}
before = settings()
import torres_mcts
torres_mcts.Position, torres_mcts.Rules
import torres_mcts.search.playout
after = settings()
print({name for name in before.keys() | after.keys() if before.get(name) != after.get(name)})
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"
