"""Where each key of a TOML file is written, for messages that name the line; Python's reader does not tell."""

import re
from collections.abc import Iterator, Sequence

STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'',
    re.DOTALL,
)
KEY = re.compile(r'\s*(?:([A-Za-z0-9_-]+)|"((?:[^"\\\n]|\\.)*)"|\'([^\'\n]*)\')\s*(\.)?')
OPENING, CLOSING = "[{", "]}"


def find_lines(text: str) -> dict[tuple[str, ...], int]:
    """Return the line, from 1, of every key and table of a file that TOML can read.

    >>> find_lines('name = "x"\\n[rules]  # base\\nking_bonus = [\\n 1, 2, 3]\\n[variants."a b"]\\ndraw = 2\\n')
    {('name',): 1, ('rules',): 2, ('rules', 'king_bonus'): 3, ('variants', 'a b'): 5, ('variants', 'a b', 'draw'): 6}
    """
    found: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for line, statement in _statements(text):
        if statement.startswith("["):
            table = tuple(_keys(statement.lstrip("[")))
            found.setdefault(table, line)
        else:
            found.setdefault((*table, *_keys(statement)), line)
    return found


def line_of(lines: dict[tuple[str, ...], int], place: Sequence[int | str]) -> int | None:
    """Return the line of a place of a file, or of the nearest thing around it; None for the file as a whole.

    >>> line_of({("rules", "king_bonus"): 3}, ("rules", "king_bonus", 1))
    3
    """
    words = tuple(str(part) for part in place)
    for size in range(len(words), 0, -1):
        if words[:size] in lines:
            return lines[words[:size]]
        inside = [line for key, line in lines.items() if key[:size] == words[:size]]
        if inside:  # a table that is only written with its parts
            return min(inside)
    return None


def _keys(text: str) -> Iterator[str]:
    """List the parts of a dotted key."""
    at = 0
    while match := KEY.match(text, at):
        yield next(part for part in match.groups()[:3] if part is not None)
        at = match.end()
        if not match[4]:
            return


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """List the lines on which a key or a table begins; not those inside a list or a long text, nor comments."""
    at, depth, start = 0, 0, 0
    while at < len(text):
        sign = text[at]
        if depth == 0 and at == start:
            line_end = text.find("\n", at)
            rest = text[at : len(text) if line_end < 0 else line_end].strip()
            if rest and not rest.startswith("#"):
                yield text.count("\n", 0, at) + 1, rest
        if match := STRING.match(text, at):
            at = match.end()
            continue
        if sign == "#":
            at = text.find("\n", at)
            if at < 0:
                return
            continue
        depth += (sign in OPENING) - (sign in CLOSING)
        at += 1
        if sign == "\n" and depth == 0:
            start = at
