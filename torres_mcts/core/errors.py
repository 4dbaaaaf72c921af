"""The errors that users meet: one clear line each, saying what is wrong, where, and what would be right."""

import reprlib
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from pydantic import ValidationError

LONG_WORD = 40  # longer ones are no misspellings
LONG_NUMBER_BITS = 128
DIGITS_PER_BIT = 0.30103


class TorresError(ValueError):
    """Something the user gave cannot be used; the message is one line."""


class FileError(TorresError):
    """A file cannot be read or written, or does not hold what it should."""


class RulesError(TorresError):
    """A rule set cannot be played."""


class PositionError(TorresError):
    """A position is impossible."""


class IllegalAction(TorresError):  # noqa: N818 (the contract's name)
    """An action is not legal in a position."""


def refuse(field: str, problem: str) -> NoReturn:
    """Refuse a position because of one of its fields."""
    raise PositionError(f"{field}: {problem}")


def suggest(word: str, known: Iterable[str]) -> str:
    """Return a hint such as "; did you mean 'score'?" where a known word is near, else nothing."""
    near = get_close_matches(word[:LONG_WORD], list(known), n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""


class _ShortRepr(reprlib.Repr):
    """Values of any size and depth in a few signs; Python itself refuses to write numbers of thousands of digits."""

    def repr_int(self, x: int, level: int) -> str:
        if x.bit_length() > LONG_NUMBER_BITS:
            return f"a number of about {round(x.bit_length() * DIGITS_PER_BIT)} digits"
        return str(x)


def shorten(value: object, limit: int = 60) -> str:
    """Show a value of a file on one line, cut off where it is long.

    >>> shorten(None), shorten("a\\tb"), shorten(10**5000)
    ('null', "'a\\\\tb'", 'a number of about 5000 digits')
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        text = ascii(value[: limit + 1])
    else:
        text = _ShortRepr().repr(value).encode("ascii", "backslashreplace").decode()
    return text if len(text) <= limit else text[: limit - 3] + "..."


def printable(text: str) -> str:
    """Show a text with control characters escaped, so that no file can steer a terminal."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


_EXPECTED = {
    "int_type": "expected a whole number",
    "string_type": "expected a text",
    "string_unicode": "expected a text of valid Unicode",
    "invalid_key": "expected a text as the name of a field",
    "bool_type": "expected true or false",
    "list_type": "expected a list",
    "dict_type": "expected an object",
    "model_type": "expected an object",
    "model_attributes_type": "expected an object",
    "missing": "is required",
    "none_required": "expected null",
}


def describe(error: "ValidationError", fields: Mapping[str, Iterable[str]] | None = None) -> str:
    """Turn the first finding of a schema check into one line that names the field.

    fields: for each object's name the fields it may have, to suggest the nearest for an unknown one
    """
    findings = error.errors(include_url=False)
    text = _describe_finding(dict(findings[0]), fields or {})
    if len(findings) == 1:
        return text
    return f"{text} (and {len(findings) - 1} more problem{'s' if len(findings) > 2 else ''})"


def _describe_finding(finding: dict[str, Any], fields: Mapping[str, Iterable[str]]) -> str:
    """Say what is wrong with one value of a file, and what would be right."""
    kind, context, location = finding["type"], finding.get("ctx", {}), finding["loc"]
    where, given = path_of(location, is_field=kind == "extra_forbidden"), shorten(finding.get("input"))
    if kind == "extra_forbidden":
        owner = next((part for part in reversed(location[:-1]) if isinstance(part, str)), "")
        known = list(fields.get(owner, ()))
        hint = suggest(str(location[-1]), known) or (f"; known are {', '.join(known)}" if known else "")
        return f"{where}: unknown field{hint}"
    if kind == "missing":
        return f"{where}: is required"
    if kind in ("greater_than_equal", "less_than_equal"):
        limit = f"at least {context['ge']}" if "ge" in context else f"at most {context['le']}"
        return f"{where}: must be {limit}, not {given}"
    if kind == "literal_error":
        return f"{where}: {given} is not one of {context['expected']}"
    if kind in ("too_short", "too_long"):
        bound, number = ("least", context["min_length"]) if kind == "too_short" else ("most", context["max_length"])
        given = f", not {context['actual_length']}" if context["actual_length"] is not None else ""
        return f"{where}: must have at {bound} {number} entr{'y' if number == 1 else 'ies'}{given}"
    if kind == "value_error":
        return f"{where}: {context['error']}"
    return f"{where}: {_EXPECTED.get(kind, finding['msg'])}, not {given}"


def path_of(location: Sequence[int | str], *, is_field: bool = False) -> str:
    """Write the place of a value in a file, as in players[1].stacks[0].

    is_field: the last part is a field of the file, whatever it looks like

    >>> path_of(("players", 1, "stacks", 0))
    'players[1].stacks[0]'
    """
    text = ""
    for index, part in enumerate(location):
        if isinstance(part, int):
            text += f"[{part}]"
        elif (is_field and index == len(location) - 1) or not set("[(") & set(part):  # else a branch of a union
            text += ("." if text else "") + shorten(part, 40).strip("'")
    return text or "file"
