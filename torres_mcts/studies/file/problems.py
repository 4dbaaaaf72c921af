"""All that is wrong with a file, at once: each mistake on a line, with its line in the file and its field."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from torres_mcts.core.errors import FileError, TorresError, describe, path_of, shorten
from torres_mcts.studies.file.lines import find_lines, line_of

Lines = dict[tuple[str, ...], int]


@dataclass(frozen=True)
class Problem:
    """A mistake in a file."""

    place: tuple[int | str, ...]  # keys and indices; empty for the file as a whole
    text: str

    def __str__(self) -> str:
        return f"{path_of(self.place, is_field=True)}: {self.text}" if self.place else self.text


class StudyError(TorresError):
    """A file with mistakes."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = list(problems)

    def located(self, name: str, lines: Lines) -> TorresError:
        """Return the same with the name of the file and the line of each mistake, in the order of the lines."""
        found = sorted(((line_of(lines, problem.place) or 0), str(problem)) for problem in self.problems)
        said = [f"{name}: {f'line {line}: ' if line else ''}{text}" for line, text in found]
        return TorresError("\n".join(said if len(said) == 1 else [f"{name}: {len(said)} mistakes", *said]))


def read_toml(text: str, name: str) -> tuple[dict[str, Any], Lines]:
    """Return what a TOML file says, and on which line."""
    try:
        return tomllib.loads(text), find_lines(text)
    except tomllib.TOMLDecodeError as error:
        raise FileError(f"{name}: not TOML: {error}") from None
    except RecursionError:
        raise FileError(f"{name}: not TOML that can be read: nested too deeply") from None


def list_findings(error: ValidationError, fields: Mapping[str, Iterable[str]]) -> list[Problem]:
    """List every finding of a schema check, with the words of `describe`.

    fields: for each object's name the fields it may have, to suggest the nearest for an unknown one
    """
    problems = []
    for finding in error.errors(include_url=False):
        place = tuple(part for part in finding["loc"] if part != "[key]")
        if finding["type"] == "string_pattern_mismatch":
            given = shorten(finding["input"])
            problems.append(Problem(place, f"{given} is no name; use up to 40 letters, digits and - _ . +"))
            continue
        said = describe(_Single(finding), fields)  # type: ignore[arg-type]
        where = path_of(place, is_field=finding["type"] == "extra_forbidden")
        problems.append(Problem(place, said.removeprefix(f"{where}: ")))
    return problems


@dataclass(frozen=True)
class _Single:
    """One finding of many, as though it was the only one."""

    finding: Any

    def errors(self, *, include_url: bool) -> list[Any]:
        """Return the finding."""
        return [self.finding]
