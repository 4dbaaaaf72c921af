"""`torres-analyze`: the best turns of a position, how good they are and how sure that is."""

from collections.abc import Callable
from typing import Any

import click

from torres_mcts import __version__
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
from torres_mcts.commands.watch import SEARCHING, Interruption, Watch, follow
from torres_mcts.core.errors import TorresError

Options = dict[str, Any]
PICTURES = ("png", "svg")
COMPILE_SECONDS = 60  # about
TARGETS = ("output", "html", *PICTURES)
FOR_ONE_FILE = {"turns": "turn", "at": "at", "html": "html", "png": "png", "svg": "svg"}
KNOWLEDGE = "Use what this player knows.  [default: the viewpoint of the file, else the player to move]"


@click.command(cls=Command, context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--time", type=float, metavar="SECONDS", help="Think so long.  [default: 10]")
@click.option("--iterations", type=int, metavar="N", help="Think so many iterations; the same N, the same answer.")
@click.option("--confidence", type=float, metavar="SHARE", help="End as soon as the best turn is so sure, as in 0.99.")
@click.option("--top", type=click.IntRange(1, 1000), default=5, show_default=True, help="How many turns to show.")
@click.option("--turn", "turns", multiple=True, metavar='"ACTION ..."', help="Judge this turn, too; can be repeated.")
@click.option("--viewpoint", metavar="PLAYER", help=KNOWLEDGE)
@click.option("--omniscient", is_flag=True, help="Use every card that the file shows, hidden from a player or not.")
@click.option(
    "--known", multiple=True, metavar="PLAYER:CARDS", help="What a player surely holds, as in blue:climb,ap7."
)
@click.option("--engine", default="turns", show_default=True, metavar="AGENT", help="As in turns:candidates=32.")
@click.option("--threads", type=click.IntRange(1, 256), help="Processor cores to use.  [default: all]")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, help="One seed, one result.")
@click.option("--at", type=click.IntRange(0), metavar="N", help="FILE is a record of a game: analyse after N actions.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print a JSON object (a line for each file if there are several)."
)
@click.option("--stream", is_flag=True, help="Print a JSON line with each intermediate report; the last one is final.")
@click.option("--html", metavar="FILE", help="Write a report with drawings as one HTML file.")
@click.option("--png", metavar="FILE", help="Draw the board with the best turn on it as a PNG picture.")
@click.option("--svg", metavar="FILE", help="Draw the board with the best turn on it as an SVG picture.")
@click.option("--audit", is_flag=True, help="Analyse again with the hidden cards of the file permuted: does it matter?")
@output_option
@click.version_option(__version__, prog_name="torres-analyze")
def analyze(files: tuple[str, ...], **options: Any) -> None:
    """Analyse positions: the best turns, who wins how often, what may follow, what the others may hold.

    FILE is a position, or a record of a game with --at N; - is standard input. Without options it thinks for ten
    seconds on all cores. Thinking ends at whichever limit comes first; Ctrl-C shows what was found until then.
    """
    _check_options(files, options)
    try:
        interruption, watch = Interruption(), Watch(is_on=not options["stream"])
        with interruption, watch, compilation_notice(watch.warn, seconds=COMPILE_SECONDS):
            reports = _analyze_files(files, options, interruption, watch)
    except KeyboardInterrupt:
        click.echo("interrupted before there was a result", err=True)
        raise SystemExit(INTERRUPTED) from None
    named = [options[name] for name in TARGETS if options[name] not in (None, "-")]
    if interruption.is_asked:
        if named:
            click.echo(f"interrupted, so not written: {', '.join(named)}", err=True)
        raise SystemExit(INTERRUPTED)
    _write_files(reports, options)


def _check_options(files: tuple[str, ...], options: Options) -> None:
    """Refuse options that contradict each other, before any time is spent."""
    if len(files) > 1:
        for name, option in FOR_ONE_FILE.items():
            if options[name] not in (None, ()):
                raise TorresError(f"--{option} goes with one FILE, not with {len(files)}")
        if files.count("-") > 1:
            raise TorresError("-: standard input can be read only once")
    if options["stream"] and options["output"] is not None:
        raise TorresError("--stream prints while it runs, -o writes whole or not at all; choose one of them")
    if options["audit"] and options["omniscient"]:
        raise TorresError("--audit and --omniscient exclude each other: hidden cards are either unused or used")
    check_targets({name: options[name] for name in TARGETS}, files)


def _analyze_files(files: tuple[str, ...], options: Options, interruption: Interruption, watch: Watch) -> list[Any]:
    """Analyse one file after the other; print each result unless it goes to a file; return all reports."""
    from torres_mcts.commands.request import load_position, make_request, read_known

    known = read_known(options["known"])
    requests = []
    for file in files:
        position, record = load_position(file, options["at"])
        limit = {name: options[name] for name in ("time", "iterations", "confidence")}
        chosen = {name: options[name] for name in ("top", "turns", "viewpoint", "omniscient", "engine", "seed")}
        chosen |= {"known": known, "threads": options["threads"] or core_count()}
        requests.append(make_request(position, record, limit=limit, source=file, **chosen))
    is_shown = options["output"] is None
    reports: list[Any] = []
    for request in requests:
        watch.announce(SEARCHING)
        see = _print_line if options["stream"] else watch.show
        try:
            report = follow(request.run(should_stop=interruption), interruption, see)
        except KeyboardInterrupt:
            if not reports:
                raise
            interruption.is_asked = True
            break  # nothing of this file is known yet, but all of those before it
        if options["audit"] and not interruption.is_asked:
            watch.announce("analysing again with the hidden cards permuted")
            report = _audit(request, report, interruption)
            if options["stream"]:
                _print_line(report)
        watch.stop()
        reports.append(report)
        if not options["stream"] and is_shown:
            _print_report(report, options, is_one=len(files) == 1)
        if interruption.is_asked:
            break
    if interruption.is_asked and not is_shown:  # no file is written then
        for report in reports:
            _print_report(report, options, is_one=len(files) == 1)
    return reports


def _audit(request: Any, report: Any, interruption: Interruption) -> Any:
    """Return a report with what an audit found; one that Ctrl-C cut short is a warning, the report stays."""
    try:
        return request.audited(report, should_stop=interruption)
    except KeyboardInterrupt:
        interruption.is_asked = True
        return report.model_copy(update={"warnings": [*report.warnings, "interrupted before the audit was done"]})


def _print_line(report: Any) -> None:
    """Print a report as one line of JSON."""
    click.echo(report_json(report, indent=None), nl=False)


def _print_report(report: Any, options: Options, *, is_one: bool) -> None:
    """Print a report as JSON, or for people as the terminal likes it."""
    if options["as_json"]:
        click.echo(report_json(report, indent=2 if is_one else None), nl=False)
        return
    from torres_mcts.plotting.analysis_view import plain_report, report_lines

    console = terminal_console()
    is_unicode = console.encoding.startswith("utf")
    if console.is_terminal:
        console.print(report_lines(report, width=console.width, is_unicode=is_unicode), soft_wrap=True)
    else:
        click.echo(plain_report(report, is_unicode=is_unicode), nl=False)
    if not is_one:
        click.echo()


def _write_files(reports: list[Any], options: Options) -> None:
    """Write what goes to files, each whole or not at all."""
    if options["output"] is not None:
        write_result("".join(_text(report, options, is_one=len(reports) == 1) for report in reports), options["output"])
    writers: dict[str, Callable[[Any, str], None]] = {"html": _write_html, "png": _draw, "svg": _draw}
    for name, write in writers.items():
        if options[name] is not None:
            write(reports[0], options[name])


def _text(report: Any, options: Options, *, is_one: bool) -> str:
    """Return a report as JSON or as plain text."""
    if options["as_json"]:
        return report_json(report, indent=2 if is_one else None)
    from torres_mcts.plotting.analysis_view import plain_report

    return plain_report(report) + ("" if is_one else "\n")


def _write_html(report: Any, path: str) -> None:
    """Write the report as one HTML file."""
    from torres_mcts.core.files import write_text
    from torres_mcts.plotting.report_html import write_html

    write_text(path, write_html(report))


def _draw(report: Any, path: str) -> None:
    """Draw the board with the best turn on it."""
    from torres_mcts.plotting.turn_board import draw_turn

    draw_turn(report.position, report.turns[0].actions, path)


def report_json(report: Any, *, indent: int | None) -> str:
    """Write a report as JSON by its contract."""
    from torres_mcts.core.files import to_json

    return to_json(report.model_dump(mode="json", by_alias=True), indent=indent)
