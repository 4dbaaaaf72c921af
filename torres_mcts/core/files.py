"""Reading JSON that may be hostile, and writing files whole or not at all."""

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any, NoReturn

from torres_mcts.core.errors import FileError, printable, shorten

SIZE_LIMIT = 16 * 1024 * 1024


class _StrictError(ValueError):
    """JSON that Python would accept and we do not."""


def name_of(path: str | os.PathLike[str]) -> str:
    """Show the name of a file in a message of one line; `-` is standard input."""
    return "standard input" if str(path) == "-" else printable(str(path))


def read_text(path: str | os.PathLike[str], *, size_limit: int = SIZE_LIMIT) -> str:
    """Return the text of a UTF-8 file, or of standard input for `-`."""
    name = name_of(path)
    try:
        if str(path) == "-":
            if sys.stdin is None:
                raise FileError("standard input: is closed; name a file")
            data = sys.stdin.buffer.read(size_limit + 1)
        else:
            with open(path, "rb") as file:
                data = file.read(size_limit + 1)
    except OSError as error:
        raise FileError(f"{name}: cannot be read: {error.strerror or error}") from None
    except ValueError as error:  # a NUL byte in the name
        raise FileError(f"{name}: not a file name: {error}") from None
    if len(data) > size_limit:
        raise FileError(f"{name}: larger than {size_limit // 2**20} MiB; a position has a few kilobytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(f"{name}: not UTF-8 text (byte {error.start}); save the file as UTF-8") from None


def read_json(path: str | os.PathLike[str]) -> Any:
    """Return the value of a JSON file, or of standard input for `-`."""
    return parse_json(read_text(path), name_of(path))


def parse_json(text: str, name: str) -> Any:
    """Parse JSON strictly: no duplicate keys, no NaN, no absurd nesting; errors name the place."""
    if not text.strip():
        raise FileError(f"{name}: empty; expected a JSON object")
    try:
        value = json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise FileError(f"{name}: not JSON: {error.msg} in line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise FileError(f"{name}: nested too deeply; a position nests four levels at most") from None
    except _StrictError as error:
        raise FileError(f"{name}: {error}") from None
    except ValueError:  # Python reads no whole number of thousands of digits
        raise FileError(f"{name}: a number has thousands of digits; write whole numbers of a few digits") from None
    return value


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise _StrictError(f"the key {shorten(key)} occurs twice in one object; keep one of them")
        result[key] = value
    return result


def _refuse_constant(word: str) -> NoReturn:
    raise _StrictError(f"{word} is not a number of JSON; write a whole number")


def to_json(value: Any, *, indent: int | None = 2) -> str:
    """Write a value as JSON text that ends in a line feed."""
    return json.dumps(value, indent=indent, ensure_ascii=False, allow_nan=False) + "\n"


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a file whole or not at all."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file whole or not at all: a temporary file beside it, then a rename.

    A symbolic link stays one; a device or a pipe is written to as it is.
    """
    try:
        target = Path(path).resolve()
        if target.exists() and not target.is_file():
            with target.open("wb") as file:
                file.write(data)
            return
        _replace_file(target, data)
    except OSError as error:
        raise FileError(f"{name_of(path)}: cannot be written: {error.strerror or error}") from None
    except ValueError as error:  # a NUL byte in the name
        raise FileError(f"{name_of(path)}: not a file name: {error}") from None


def _replace_file(target: Path, data: bytes) -> None:
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, target)
    except OSError:
        os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
