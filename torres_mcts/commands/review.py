"""`torres review`: a whole game, turn by turn: losses, luck, win probabilities, the costliest turns."""

import time
from typing import Any

import click

from torres_mcts.commands.analyze import COMPILE_SECONDS
from torres_mcts.commands.shell import (
    INTERRUPTED,
    Command,
    check_targets,
    compilation_notice,
    core_count,
    output_option,
    terminal_console,
    write_result,
)
from torres_mcts.commands.watch import Interruption
from torres_mcts.core.errors import TorresError

DEFAULT_SECONDS = 1.5
TARGETS = ("output", "html", "png")


@click.command(cls=Command)
@click.argument("game")
@click.option("--time", "seconds", type=float, metavar="SECONDS", help="For each part of a turn.  [default: 1.5]")
@click.option("--iterations", type=int, metavar="N", help="For each part of a turn; the same N, the same answer.")
@click.option("--player", metavar="NAME", help="Judge the turns of this player only.")
@click.option("--threads", type=click.IntRange(1, 256), help="Processor cores to use.  [default: all]")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, help="One seed, one result.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object; torres schema review describes it.")
@click.option("--html", metavar="FILE", help="Write a page with the curve, a table and boards as one HTML file.")
@click.option("--png", metavar="FILE", help="Draw the curve of the win probabilities as a PNG picture.")
@output_option
def review(game: str, **options: Any) -> None:
    """Review a recorded game: what each turn lost against the best found, and the luck of the draws.

    GAME is a record; - is standard input. Each turn is judged from what its player knew. A draw splits a turn. A
    game of two takes about a minute or two; Ctrl-C shows the turns judged until then.
    """
    check_targets({name: options[name] for name in TARGETS}, [game])
    interruption, progress = Interruption(), Progress()
    try:
        with interruption, progress, compilation_notice(progress.say, seconds=COMPILE_SECONDS):
            found = _review(game, options, interruption, progress)
    except KeyboardInterrupt:
        click.echo("interrupted before there was a result", err=True)
        raise SystemExit(INTERRUPTED) from None
    if found.interrupted:
        _print(found, as_json=options["as_json"])
        named = [options[name] for name in TARGETS if options[name] not in (None, "-")]
        if named:
            click.echo(f"interrupted, so not written: {', '.join(named)}", err=True)
        raise SystemExit(INTERRUPTED)
    _write(found, options)


def _review(game: str, options: dict[str, Any], interruption: Interruption, progress: "Progress") -> Any:
    """Read the record and review it."""
    from torres_mcts.analysis.review import review as review_game
    from torres_mcts.core.files import name_of
    from torres_mcts.games.torres.record import GameRecord
    from torres_mcts.search.limits import Limit

    seconds, iterations = options["seconds"], options["iterations"]
    limit = Limit(time=DEFAULT_SECONDS if seconds is None and iterations is None else seconds, iterations=iterations)
    record = GameRecord.load(game)

    def see(done: int, total: int) -> None:
        interruption.is_searching = done > 0
        progress.show(done, total)

    chosen = {"seed": options["seed"], "threads": options["threads"] or core_count(), "player": options["player"]}
    try:
        return review_game(record, limit, **chosen, source=game, should_stop=interruption, see=see)
    except TorresError as error:
        raise type(error)(f"{name_of(game)}: {error}") from None
    finally:
        interruption.is_searching = False


def _print(found: Any, *, as_json: bool) -> None:
    """Print a review as JSON, or for people as the terminal likes it."""
    console = terminal_console()
    if as_json or not console.is_terminal:
        click.echo(_text(found, as_json=as_json, is_unicode=console.encoding.startswith("utf")), nl=False)
        return
    from torres_mcts.plotting.review_view import review_lines

    is_unicode = console.encoding.startswith("utf")
    console.print(review_lines(found, width=console.width, is_unicode=is_unicode), soft_wrap=True)


def _text(found: Any, *, as_json: bool, is_unicode: bool = True) -> str:
    """Return a review as JSON or as plain text."""
    if as_json:
        from torres_mcts.core.files import to_json

        return to_json(found.model_dump(mode="json", by_alias=True))
    from torres_mcts.plotting.review_view import plain_review

    return plain_review(found, is_unicode=is_unicode)


def _write(found: Any, options: dict[str, Any]) -> None:
    """Print the review or write it to a file, and the page and the picture, each whole or not at all."""
    if options["output"] in (None, "-"):
        _print(found, as_json=options["as_json"])
    else:
        write_result(_text(found, as_json=options["as_json"]), options["output"])
    if options["html"] is not None:
        from torres_mcts.core.files import write_text
        from torres_mcts.plotting.page.review_page import write_review

        write_text(options["html"], write_review(found))
    if options["png"] is not None:
        from torres_mcts.plotting.review_plot import draw_curve

        draw_curve(found, options["png"])


class Progress:
    """How far a review is, on stderr: a line that is renewed on a terminal; elsewhere nothing."""

    def __init__(self) -> None:
        from rich.console import Console

        self.console = Console(stderr=True, highlight=False)
        self.status = self.console.status("reading the game")
        self.began = time.monotonic()

    def __enter__(self) -> "Progress":
        if self.console.is_terminal:
            self.status.start()
        return self

    def __exit__(self, *_error: Any) -> None:
        self.status.stop()

    def say(self, words: str) -> None:
        """Say what is being done."""
        self.status.update(words)

    def show(self, done: int, total: int) -> None:
        """Show how many parts of turns are judged, and about how long the rest takes."""
        if not done:
            self.began = time.monotonic()
        self.say(progress_words(done, total, time.monotonic() - self.began))


def progress_words(done: int, total: int, seconds: float) -> str:
    """Say how far it is and about how long the rest takes.

    >>> progress_words(10, 40, 20.0)
    '10 of 40 parts of turns judged, about 60 s left'
    """
    left = f", about {seconds / done * (total - done):.0f} s left" if done else ""
    return f"{done} of {total} parts of turns judged{left}"
