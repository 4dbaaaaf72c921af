"""What all commands share: one-line errors with exit code 2, seeds, rules options, results to files or stdout."""

import contextlib
import os
import re
import secrets
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from torres_mcts.core.errors import TorresError, shorten
from torres_mcts.core.files import parse_json

Function = TypeVar("Function", bound=Callable[..., Any])
INTERRUPTED = 1
BAD_INPUT = 2


class OneLineError(click.ClickException):
    """Bad input: one line on stderr, exit code 2."""

    exit_code = BAD_INPUT


class OneLineErrors:
    """A mixin for commands and groups: whatever is wrong with the input is said in one line."""

    def main(self, *arguments: Any, **named: Any) -> Any:
        """Run the command as a program."""
        try:
            return super().main(*arguments, **named)  # type: ignore[misc]
        except BrokenPipeError:  # the reader of a pipe has seen enough
            sys.stderr.close()
            sys.exit(INTERRUPTED)
        except OSError as error:  # a full disk behind standard output, say
            click.echo(f"Error: cannot write the result: {error.strerror or error}", err=True)
            sys.stdout = None
            sys.exit(BAD_INPUT)

    def make_context(self, *arguments: Any, **named: Any) -> click.Context:
        """Parse the command line."""
        with _one_line():
            return super().make_context(*arguments, **named)  # type: ignore[misc]

    def invoke(self, context: click.Context) -> Any:
        """Run the command."""
        with _one_line():
            return super().invoke(context)  # type: ignore[misc]


@contextlib.contextmanager
def _one_line() -> Iterator[None]:
    try:
        yield
    except TorresError as error:
        raise OneLineError(str(error)) from None
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "torres"
        raise OneLineError(f"{error.format_message().rstrip('.')} (see {path} --help)") from None


class Group(OneLineErrors, click.Group):
    """A group of commands with one-line errors."""


class Command(OneLineErrors, click.Command):
    """A command with one-line errors."""


def seed_option(function: Function) -> Function:
    """Add `--seed`; where it is not given a fresh one is drawn and named on stderr."""
    return click.option(
        "--seed", type=click.IntRange(0, 2**63 - 1), help="One seed, one result. Drawn and named on stderr if left out."
    )(function)


@contextlib.contextmanager
def chosen_seed(seed: int | None) -> Iterator[int]:
    """Yield the seed given, or draw one and, when all went well, name it on stderr."""
    yield (chosen := secrets.randbelow(10**9) if seed is None else seed)
    if seed is None:
        click.echo(f"seed {chosen}", err=True)


def rules_options(function: Function) -> Function:
    """Add the options that choose a rule set."""
    for option in (
        click.option(
            "--set",
            "overrides",
            multiple=True,
            metavar="NAME=VALUE",
            help="Override a rule parameter, the value as JSON: --set ap_per_turn=6 --set 'king_bonus=[0,0,0]'.",
        ),
        click.option("--players", type=int, default=2, show_default=True, help="Number of players, 2 to 4."),
        click.option("--preset", default="2017", show_default=True, help="Rules: 2017, 2017-common, 1999, ..."),
    ):
        function = option(function)
    return function


def read_rules(preset: str, players: int, overrides: tuple[str, ...]) -> Any:
    """Return the rules that the options ask for."""
    from torres_mcts.games.torres.rules import Rules

    return Rules.from_dict({"preset": preset, "players": players, **read_overrides(overrides)})


def read_overrides(overrides: Iterable[str]) -> dict[str, Any]:
    """Return the parameters that `--set` gives.

    >>> read_overrides(["ap_per_turn=6", "king_bonus=[0,0,0]"])
    {'ap_per_turn': 6, 'king_bonus': [0, 0, 0]}
    """
    values: dict[str, Any] = {}
    for override in overrides:
        name, equals, text = override.partition("=")
        if not equals:
            raise TorresError(f"--set {shorten(override)}: write NAME=VALUE, as in ap_per_turn=6")
        if name in ("preset", "players"):
            raise TorresError(f"--set {name}: use the option --{name}")
        if name in values:
            raise TorresError(f"--set {name}: given twice; give it once")
        values[name] = _read_value(name, text)
    return values


def _read_value(name: str, text: str) -> Any:
    """Read a value as JSON, or take a plain word such as `row` as it is."""
    if text.isidentifier() and text not in ("true", "false", "null"):
        return text
    if re.fullmatch("[a-z0-9-]+", text) and not text.isdigit():
        return text
    return parse_json(text, f"--set {name}")


def output_option(function: Function) -> Function:
    """Add `-o FILE`."""
    return click.option("-o", "--output", metavar="FILE", help="Write to a file, whole or not at all, not to stdout.")(
        function
    )


def check_targets(paths: Mapping[str, str | None], sources: Iterable[str] = ()) -> None:
    """Refuse files that cannot be written, before any time is spent: `output` has any name, others end in theirs.

    sources: files that are read, which no result may replace
    """
    taken = {
        Path(source).resolve(): "is the file to be read" for source in sources if source != "-" and "\0" not in source
    }
    for name, path in paths.items():
        if path is None or (name == "output" and path == "-"):
            continue
        if name != "output" and not path.lower().endswith(f".{name}"):
            raise TorresError(f"--{name} {path}: the name must end in .{name}")
        if "\0" in path or not Path(path).absolute().parent.is_dir():
            raise TorresError(f"{path}: cannot be written: no such folder")
        target = Path(path).resolve()
        if target.is_dir():
            raise TorresError(f"--{name} {path}: cannot be written: is a folder; name a file in it")
        if target.exists() and not target.is_file():
            continue  # a device or a pipe
        if not os.access(target.parent, os.W_OK):
            raise TorresError(f"{path}: cannot be written: the folder allows no new files")
        if target in taken:
            raise TorresError(f"--{name} {path}: {taken[target]}; choose another name")
        taken[target] = f"is the file of --{name}, too"


def write_result(text: str, output: str | None) -> None:
    """Write a result to a file, or to stdout."""
    from torres_mcts.core.files import write_text

    if output is None or output == "-":
        click.echo(text, nl=False)
    else:
        write_text(output, text)


@contextlib.contextmanager
def compilation_notice(announce: Callable[[str], None] | None = None, *, seconds: int = 20) -> Iterator[None]:
    """Say on stderr when kernels have to be compiled, with a spinner on a terminal, and how long it took.

    seconds:  about how long it takes
    announce: shows the notice on a terminal in place of the spinner, for commands that show something there already
    """
    from numba.core import event
    from rich.console import Console

    words = f"compiling the engine for this machine (first time only, about {seconds} s)"
    console = Console(stderr=True)
    status = console.status(words)
    started: list[float] = []
    spent = [0.0]  # in compilations that are no part of another one

    class Notice(event.Listener):
        def on_start(self, _event: Any) -> None:
            if not started and not spent[0]:
                if not console.is_terminal:
                    click.echo(words, err=True)
                elif announce is None:
                    status.start()
                else:
                    announce(words)
            started.append(time.monotonic())

        def on_end(self, _event: Any) -> None:
            began = started.pop()
            if not started:
                spent[0] += time.monotonic() - began

    with event.install_listener("numba:compile", Notice()):
        try:
            yield
        finally:
            status.stop()
    if spent[0]:
        click.echo(f"compiled in {spent[0]:.1f} s", err=True)


def core_count() -> int:
    """Return how many processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def terminal_console() -> Any:
    """Return a console for stdout that shows what its encoding cannot as escapes."""
    from rich.console import Console

    if sys.stdout is not None and hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    return Console(highlight=False)
