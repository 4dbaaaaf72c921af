"""Which of several pictures apply to some findings, and their files."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from torres_mcts.core.errors import TorresError
from torres_mcts.plotting.pictures.frame import Picture, render

Found = TypeVar("Found")


class LeftOutError(TorresError):
    """A picture that does not apply to a run; says why."""


def draw_applicable(
    findings: Found,
    pictures: Mapping[str, Callable[[Found], Picture]],
    names: Iterable[str],
    see: Callable[[str], None] = lambda name: None,
) -> tuple[list[Picture], list[str]]:
    """Return those of some pictures that apply, and for each other one why it does not.

    see: called with the name of each before it is worked out
    """
    found, reasons = [], []
    for name in names:
        see(name)
        try:
            found.append(pictures[name](findings))
        except LeftOutError as reason:
            reasons.append(str(reason))
    return found, reasons


def render_all(
    pictures: Iterable[Picture], footer: str, *, see: Callable[[str], None] = lambda name: None
) -> dict[str, bytes]:
    """Return the files of pictures by name.

    see: called with the name of each before it is drawn
    """
    files: dict[str, bytes] = {}
    for picture in pictures:
        see(picture.name)
        files |= render(picture, footer)
    return files
