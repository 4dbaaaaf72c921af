"""The errors that users meet: one clear line each, saying what is wrong, where, and what would be right."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError


class TorresError(ValueError):
    """Something the user gave cannot be used; the message is one line."""


class FileError(TorresError):
    """A file cannot be read or written, or does not hold what it should."""


class RulesError(TorresError):
    """A rule set cannot be played."""


class PositionError(TorresError):
    """A position is impossible."""


class IllegalAction(TorresError):
    """An action is not legal in a position."""


def suggest(word: str, known: Iterable[str]) -> str:
    """Return a hint such as "; did you mean 'score'?" where a known word is near, else nothing."""
    near = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""


def shorten(value: object, limit: int = 60) -> str:
    """Show a value on one line, cut off where it is long."""
    text = ascii(value) if isinstance(value, str) else str(value).encode("ascii", "backslashreplace").decode()
    return text if len(text) <= limit else text[: limit - 3] + "..."


_EXPECTED = {
    "int_type": "expected a whole number",
    "string_type": "expected a text",
    "bool_type": "expected true or false",
    "list_type": "expected a list",
    "dict_type": "expected an object",
    "model_type": "expected an object",
    "model_attributes_type": "expected an object",
    "missing": "is required",
    "none_required": "expected null",
}


def describe(error: "ValidationError", fields: dict[str, Iterable[str]] | None = None) -> str:
    """Turn the first finding of a schema check into one line that names the field.

    fields: for each object's name the fields it may have, to suggest the nearest for an unknown one
    """
    findings = error.errors(include_url=False)
    first = findings[0]
    where = path_of(first["loc"])
    kind, context = first["type"], first.get("ctx", {})
    given = shorten(first.get("input"))
    if kind == "extra_forbidden":
        name = str(first["loc"][-1])
        known = (fields or {}).get(next((str(p) for p in reversed(first["loc"][:-1]) if isinstance(p, str)), ""), ())
        text = f"{where}: unknown field{suggest(name, known)}"
    elif kind == "missing":
        text = f"{where}: is required"
    elif kind in ("greater_than_equal", "less_than_equal"):
        limit = f"at least {context['ge']}" if "ge" in context else f"at most {context['le']}"
        text = f"{where}: must be {limit}, not {given}"
    elif kind == "literal_error":
        text = f"{where}: {given} is not one of {context['expected']}"
    elif kind in ("too_short", "too_long"):
        bound = f"at least {context['min_length']}" if kind == "too_short" else f"at most {context['max_length']}"
        text = f"{where}: must have {bound} entries, not {context['actual_length']}"
    elif kind == "value_error":
        text = f"{where}: {context['error']}"
    else:
        text = f"{where}: {_EXPECTED.get(kind, first['msg'])}, not {given}"
    return text + (f" (and {len(findings) - 1} more problems)" if len(findings) > 1 else "")


def path_of(location: Iterable[int | str]) -> str:
    """Write the place of a value in a file, as in players[1].stacks[0]."""
    text = ""
    for part in location:
        if isinstance(part, int):
            text += f"[{part}]"
        elif "[" not in part and "(" not in part:  # else a branch of a union, not a field
            text += ("." if text else "") + shorten(part, 40).strip("'")
    return text or "file"
