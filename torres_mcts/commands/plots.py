"""What `plot` and `report` of tournaments and of studies share: names, progress, files beside each other."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from torres_mcts.core.errors import FileError, TorresError

ALL = "all"
PLOTS, REPORT = "plots", "report.html"


@contextlib.contextmanager
def working() -> Iterator[Callable[[str], None]]:
    """Yield a function that says on a terminal what is being worked out; elsewhere it says nothing."""
    from rich.console import Console

    with Console(stderr=True, highlight=False).status("working out the numbers") as status:
        yield lambda name: status.update(f"working out: {name}")


def chosen(what: Sequence[str], names: Sequence[str]) -> Sequence[str]:
    """Return the plots that were asked for, in their own order.

    >>> chosen(["b", "a"], ["a", "b", "c"]), chosen(["a", "all"], ["a", "b"])
    (['a', 'b'], ['a', 'b'])
    """
    return names if ALL in what else [name for name in names if name in what]


def write_plots(
    place: Path,
    pictures: Sequence[Any],
    reasons: Sequence[str],
    footer: str,
    *,
    is_choice: bool,
) -> None:
    """Draw pictures into a folder, and say which were left out and why.

    is_choice: they were named one by one, so none may be left out
    """
    from torres_mcts.core.files import name_of, write_bytes
    from torres_mcts.plotting.pictures.listing import render_all

    if reasons and is_choice:
        raise TorresError(reasons[0])
    with working() as say:
        files = render_all(pictures, footer, see=say)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise FileError(f"{name_of(place)}: cannot be made: {getattr(error, 'strerror', None) or error}") from None
    for name, data in files.items():
        write_bytes(place / name, data)
    for reason in reasons:
        click.echo(f"left out: {reason}", err=True)
    click.echo(f"{place}: {', '.join(picture.name for picture in pictures)}")
