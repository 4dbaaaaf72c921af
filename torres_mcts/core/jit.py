"""The one decorator for kernels, and the cache folder that never serves old machine code.

Numba stamps a cached kernel with the time of its own source file only, so after an edit in a file that a
kernel *calls*, the old machine code would be loaded and give a wrong answer silently. Here every kernel is
cached in a folder named by a hash of all kernel sources, so any edit starts with an empty folder.
"""

import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import numba
from numba.core import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.registry import CPUDispatcher

PACKAGE = Path(__file__).resolve().parents[1]
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
KERNEL_FOLDERS = ("core", "games", "search", "agents")
UNUSED_AFTER_DAYS = 30


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that other kernels call; it becomes part of their machine code.

    It cannot be called from Python: without the wrappers for that the first compilation takes a fifth less time.
    """
    dispatcher = numba.njit(**_OPTIONS, no_cpython_wrapper=True)(function)
    if not config.DISABLE_JIT:
        dispatcher.__class__ = _InnerKernel
    return dispatcher


def entry_kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that Python calls; with all it calls it is cached on disk."""
    dispatcher = numba.njit(**_OPTIONS)(function)
    if not config.DISABLE_JIT and cache_folder() is not None:
        dispatcher._cache = _KernelCache(function)
    return dispatcher


class _InnerKernel(CPUDispatcher):
    """A kernel without the wrapper that Python needs to call it: say so instead of crashing."""

    def __call__(self, *arguments: Any, **named: Any) -> NoReturn:
        raise TypeError(f"{self.__name__} is called by kernels only; call it from an entry_kernel")


def source_hash(package: Path = PACKAGE) -> str:
    """Hash every kernel source and whatever else decides the machine code."""
    digest = hashlib.sha256()
    digest.update(repr((numba.__version__, config.BOUNDSCHECK, config.OPT, config.DEBUGINFO_DEFAULT)).encode())
    for folder in KERNEL_FOLDERS:
        for path in sorted([*(package / folder).rglob("*.py"), *(package / folder).rglob("*.toml")]):
            digest.update(path.relative_to(package).as_posix().encode() + b"\0")
            digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@cache
def cache_folder() -> Path | None:
    """Return the folder for this version of the kernels, or None where nothing can be written."""
    for root in _cache_roots():
        folder = root / f"kernels-{source_hash()}"
        if not root.is_absolute():  # no home folder
            continue
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
                continue  # machine code of somebody else is not to be trusted
            with tempfile.TemporaryFile(dir=folder):
                os.utime(folder)
        except OSError:
            continue
        _forget_unused(root, keep=folder)
        return folder
    return None


def is_compiled() -> bool:
    """Tell whether this version of the kernels has machine code on disk already."""
    folder = cache_folder()
    return folder is not None and any(folder.glob("*.nbi"))


def _cache_roots() -> list[Path]:
    """List where a cache may live, best first."""
    chosen = os.environ.get("TORRES_CACHE_DIR")
    if chosen:
        return [Path(chosen).absolute()]
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local")
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))
    owner = os.getuid() if hasattr(os, "getuid") else "user"
    return [base / "torres-mcts", Path(tempfile.gettempdir()) / f"torres-mcts-{owner}"]


def _forget_unused(root: Path, keep: Path) -> None:
    """Delete folders of kernel versions that nobody has used for a month."""
    oldest = time.time() - UNUSED_AFTER_DAYS * 86400
    for folder in root.glob("kernels-*"):
        try:
            if folder != keep and folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:  # another process was faster
            continue


class _HashedLocator(_CacheLocator):
    """Put a kernel's cache files into the hashed folder, named by module and function."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._module = function.__module__
        self._line = function.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        return str(cache_folder())

    def get_source_stamp(self) -> str:
        return source_hash()

    def get_disambiguator(self) -> str:
        return f"{self._module}-{self._line}"

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> "_HashedLocator":
        return cls(function, file)


class _KernelCacheImpl(CompileResultCacheImpl):
    _locator_classes = [_HashedLocator]  # noqa: RUF012


class _KernelCache(FunctionCache):
    """A cache that treats a damaged file as a missing one."""

    _impl_class = _KernelCacheImpl

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(signature, target_context)
        except Exception:  # whatever a damaged pickle can raise: compile anew
            self.flush()
            return None
