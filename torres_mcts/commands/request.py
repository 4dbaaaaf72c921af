"""What to analyse and how, as the command line and `torres serve` ask for it; checked before anything is searched."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from numba.core import event

from torres_mcts.agents.agent import read_agent
from torres_mcts.agents.engines import ENGINES, known_parameters, make_engine
from torres_mcts.analysis.answer.candidates import read_turn
from torres_mcts.analysis.answer.hidden import find_player, fix_cards
from torres_mcts.core.errors import TorresError, shorten
from torres_mcts.core.files import name_of, read_json
from torres_mcts.games.torres.format.model import GAME_FORMAT
from torres_mcts.games.torres.position import Position
from torres_mcts.games.torres.record import GameRecord
from torres_mcts.search.limits import Limit

DEFAULT_SECONDS = 10.0
WARM_UP = 24  # iterations that call every kernel
AUDIT_ITERATIONS = 2000  # at most; it analyses several times


class FieldError(TorresError):
    """What one setting of an analysis says cannot be used."""

    def __init__(self, message: str, field: str | None) -> None:
        super().__init__(message)
        self.field = field  # None: all of it


@contextlib.contextmanager
def blame(field: str) -> Iterator[None]:
    """Name the setting that an error comes from."""
    try:
        yield
    except TorresError as error:
        text = str(error)
        raise FieldError(text if text.startswith(field) else f"{field}: {text}", field) from None


@dataclass(frozen=True)
class Request:
    """An analysis that can be run."""

    position: Position
    limit: Limit
    options: Mapping[str, Any]  # the other arguments of `analyze`

    def run(self, **more: Any) -> Iterator[Any]:
        """Yield reports; the last one is final. The time limit begins when all is compiled."""
        from torres_mcts.analysis.analyze import analyze_steps

        steps = analyze_steps(self.position, self.limit, **self.options, **more)
        with event.install_recorder("numba:compile") as compilations:
            first = next(steps)
        if compilations.buffer and self.limit.time is not None:
            for _ in analyze_steps(self.position, Limit(iterations=WARM_UP), **self.options, **more):
                pass  # compiles whatever a whole analysis needs
            steps = analyze_steps(self.position, self.limit, **self.options, **more)
        else:
            yield first
        yield from steps

    def audited(self, report: Any, **more: Any) -> Any:
        """Return a report of this analysis with what an audit found."""
        from torres_mcts.analysis.analyze import audit

        iterations = self.limit.iterations or min(AUDIT_ITERATIONS, report.engine.iterations)
        found = audit(self.position, Limit(iterations=iterations), **self.options, **more)
        return report.model_copy(update={"audit": found.audit})


def load_position(file: str, at: int | None) -> tuple[Position, GameRecord | None]:
    """Read a position, or the one after `at` actions of a record with the plays that led to it."""
    data = read_json(file)
    try:
        return take_position(data, at)
    except TorresError as error:
        raise type(error)(f"{name_of(file)}: {error}") from None


def take_position(data: Any, at: int | None) -> tuple[Position, GameRecord | None]:
    """Return the position that a JSON object describes; of a record the one after `at` actions."""
    is_record = isinstance(data, Mapping) and data.get("format") == GAME_FORMAT
    if is_record and at is None:
        raise TorresError("this is a record of a game; say with --at N after how many actions to analyse it")
    if at is not None and not is_record:
        raise TorresError("--at goes with a record of a game; this is none")
    if not is_record:
        position, record = Position.from_dict(data), None
    else:
        record = GameRecord.from_dict(data)
        position = record.position_after(int(at or 0))
        record = replace(record, actions=record.actions[:at], scores=None, final=None)
    if position.is_over:
        raise TorresError("the game is over: there is nothing to analyse")
    return position, record


def read_known(texts: Iterable[str]) -> dict[str, list[str]]:
    """Read what `--known` says, such as BLUE:climb,ap7."""
    known: dict[str, list[str]] = {}
    for text in texts:
        name, colon, cards = text.rpartition(":")
        if not colon or not name or not cards:
            raise TorresError(f"--known {shorten(text)}: write PLAYER:CARD,CARD, as in blue:climb,ap7")
        known.setdefault(name, []).extend(cards.split(","))
    return known


def read_engine(text: str) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Return an engine's name, its parameters and its limits from an agent's text.

    >>> read_engine("turns:candidates=32,time=2")
    ('turns', {'candidates': 32}, {'time': 2.0})
    """
    agent = read_agent(text)
    name = agent.engine.name
    if name not in ENGINES:
        raise TorresError(f"engine: {shorten(text)} cannot be asked for an analysis, only one of {', '.join(ENGINES)}")
    chosen, usual = (getattr(engine, "search", engine) for engine in (agent.engine, make_engine(name)))
    named = {part.partition("=")[0] for part in text.partition(":")[2].split(",")}
    parameters = {  # a named one counts even if it is usual for play: an analysis has usual values of its own
        key: getattr(chosen, key)
        for key in known_parameters(agent.engine)
        if key in named or getattr(chosen, key) != getattr(usual, key)
    }
    return name, parameters, dict(agent.limits)


def read_limit(own: Mapping[str, Any], asked: Mapping[str, Any], seconds: float) -> Limit:
    """Return the limit asked for, before that of the agent, before so many seconds."""
    given = {name: value for name, value in asked.items() if value is not None}
    if "time" in given or "iterations" in given:
        own = {name: value for name, value in own.items() if name not in ("time", "iterations")}
    limits = {**own, **given}
    if "time" not in limits and "iterations" not in limits:
        limits["time"] = seconds
    return Limit(**limits)


def make_request(
    position: Position,
    record: GameRecord | None,
    *,
    limit: Mapping[str, Any],
    seconds: float = DEFAULT_SECONDS,
    source: str | None = None,
    engine: str = "turns",
    turns: Sequence[str] = (),
    viewpoint: str | None = None,
    omniscient: bool = False,
    known: Mapping[str, Sequence[str]] | None = None,
    **plain: Any,
) -> Request:
    """Check everything that can be checked at once, and return an analysis that can be run.

    limit:   time, iterations and confidence, None where not asked for
    seconds: the time where neither the limit nor the engine's text names time or iterations
    plain:   seed, threads and top, which are passed on as they are
    """
    with blame("engine"):
        name, parameters, own = read_engine(engine)
    with blame("limit"):
        checked = read_limit(own, limit, seconds)
    with blame("omniscient"):
        if omniscient and viewpoint is not None:
            raise TorresError("omniscient and viewpoint exclude each other: all cards, or one player's knowledge")
        if omniscient and known:
            raise TorresError(
                "omniscient and known exclude each other: where all cards are seen there is nothing to add"
            )
    with blame("viewpoint"):
        observer = None if viewpoint is None else find_player(position, viewpoint, "viewpoint")
    named = tuple(tuple(turn.split()) for turn in turns)
    view = position if omniscient else position.view(observer or str(position.viewpoint))
    with blame("known"):
        view = fix_cards(view, observer or str(position.viewpoint), known or {})
    with blame("turns"):
        for turn in named:
            read_turn(view, turn)
    options: dict[str, Any] = {
        **plain,
        "turns": named,
        "viewpoint": observer,
        "omniscient": omniscient,
        "known": known or None,
        "engine": name,
        "parameters": parameters or None,
        "record": record,
        "source": source,
    }
    return Request(position, checked, options)
