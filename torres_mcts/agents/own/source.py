"""Where a user's agent comes from: a class or function of a Python file, or an installed package's entry point.

An agent is told apart by a hash of its code, so that results of different code are never mixed under one name.
"""

import hashlib
import inspect
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from torres_mcts.core.errors import TorresError, printable, shorten, suggest

GROUP = "torres_mcts.agents"  # of entry points
FILE_PATTERN = re.compile(r"(?P<path>.+\.py):(?P<name>[^:=,]+)(?P<rest>:.*)?", re.DOTALL)
HASH_BYTES = 16
Factory = Callable[..., Any]


@dataclass(frozen=True)
class Source:
    """Where the code of an agent is: what a process needs to load it."""

    place: str  # path of a Python file, or name of an entry point
    name: str  # of the class or function in the file; empty for an entry point

    @property
    def text(self) -> str:
        """How the agent is written without parameters."""
        return f"{self.place}:{self.name}" if self.name else self.place

    def load(self) -> tuple[Factory, str]:
        """Run the code; return what makes the agent, and the hash of the code. One line says why that failed."""
        try:
            return self._load_file() if self.name else self._load_entry_point()
        except TorresError:
            raise
        except (Exception, SystemExit) as error:  # whatever code can do
            raise TorresError(
                f"agent {shorten(self.text)}: cannot be loaded: {printable(f'{type(error).__name__}: {error}')}"
            ) from None

    def _load_file(self) -> tuple[Factory, str]:
        path = Path(self.place).absolute()
        try:
            content = path.read_bytes()
        except OSError as error:
            raise TorresError(f"agent {shorten(self.text)}: {error.strerror or error}") from None
        digest = _hash([content])
        module = _run_file(path, content, digest)
        known = [name for name, value in vars(module).items() if callable(value) and not name.startswith("_")]
        factory = getattr(module, self.name, None)
        if factory is None:
            raise TorresError(f"agent {shorten(self.text)}: the file has no {self.name}{suggest(self.name, known)}")
        return _checked(factory, self.text), digest

    def _load_entry_point(self) -> tuple[Factory, str]:
        point = find_entry_points()[self.place]
        factory = _checked(point.load(), self.text)
        home = sys.modules[point.module.partition(".")[0]]
        files = (
            sorted(Path(home.__path__[0]).rglob("*.py")) if hasattr(home, "__path__") else [Path(str(home.__file__))]
        )
        version = "" if point.dist is None else f"{point.dist.name} {point.dist.version}"
        return factory, _hash([version.encode(), point.value.encode(), *(file.read_bytes() for file in files)])


def find_source(text: str) -> tuple[Source, str] | None:
    """Return the source that an agent's text begins with, and what follows; None if it is none of a user's.

    >>> find_source("path/mine.py:Mine:depth=2")
    (Source(place='path/mine.py', name='Mine'), 'depth=2')
    >>> find_source("greedy:width=2")
    """
    match = FILE_PATTERN.fullmatch(text)
    if match is not None:
        return Source(match["path"], match["name"]), (match["rest"] or "")[1:]
    name, _, rest = text.partition(":")
    if name.endswith(".py"):
        raise TorresError(f"agent {shorten(text)}: name the class in the file, as in {shorten(name)[1:-1]}:MyAgent")
    return (Source(name, ""), rest) if name in find_entry_points() else None


def find_entry_points() -> dict[str, EntryPoint]:
    """Return the agents that installed packages offer, by name."""
    return {point.name: point for point in entry_points(group=GROUP)}


_modules: dict[tuple[Path, str], ModuleType] = {}  # by path and hash of the content: run once in a process


def _run_file(path: Path, content: bytes, digest: str) -> ModuleType:
    """Return the module of a file as it was read, not as it may be by now."""
    if (path, digest) not in _modules:
        module = ModuleType(f"torres_agent_{path.stem}")
        module.__file__ = str(path)
        sys.modules[module.__name__] = module  # dataclasses and pickles look it up there
        exec(compile(content, str(path), "exec"), vars(module))  # it is the user's own code
        _modules[path, digest] = module
    return _modules[path, digest]


def _checked(factory: Any, text: str) -> Factory:
    """Refuse what cannot make an agent."""
    if not callable(factory):
        raise TorresError(f"agent {shorten(text)}: is no class or function but {shorten(factory)}")
    if inspect.isclass(factory) and not callable(getattr(factory, "choose", None)):
        raise TorresError(f"agent {shorten(text)}: the class has no method choose(self, position, *, limit, seed)")
    return factory


def _hash(parts: list[bytes]) -> str:
    digest = hashlib.blake2b(digest_size=HASH_BYTES)
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()
