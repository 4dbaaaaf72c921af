"""The lines that `torres serve` reads: what a query may say, and what is wrong with one."""

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr, ValidationError

from torres_mcts.commands.request import FieldError, Request, blame, load_position, make_request, take_position
from torres_mcts.core.errors import TorresError, describe, shorten, suggest
from torres_mcts.core.files import parse_json

ACTIONS = {"terminate": {"terminateId"}, "terminate_all": set(), "query_version": set()}


class Entry(BaseModel):
    """A part of a query."""

    model_config = ConfigDict(extra="forbid")


class LimitEntry(Entry):
    """When to end; whichever comes first."""

    time: float | None = None
    iterations: StrictInt | None = None
    confidence: float | None = None


class QueryEntry(Entry):
    """A query as it is written."""

    id: StrictStr = Field(min_length=1)
    position: dict[str, Any] | None = None
    file: StrictStr | None = None
    at: StrictInt | None = Field(None, ge=0)
    limit: LimitEntry = LimitEntry()
    turns: list[StrictStr] = []
    top: StrictInt = Field(5, ge=1, le=1000)
    seed: StrictInt = Field(0, ge=0, le=2**63 - 1)
    threads: StrictInt | None = Field(None, ge=1, le=256)
    engine: StrictStr = "turns"
    viewpoint: StrictStr | None = None
    omniscient: StrictBool = False
    known: dict[str, list[StrictStr]] = {}
    reportEvery: float | None = Field(None, gt=0)  # noqa: N815 (KataGo's way of writing)


FIELDS = {"": list(QueryEntry.model_fields), "limit": list(LimitEntry.model_fields)}


@dataclass(frozen=True)
class Task:
    """A query that can be worked on."""

    id: str
    request: Request
    report_every: float | None  # seconds between intermediate reports; None: the last one only


def read_line(line: bytes) -> dict[str, Any]:
    """Return the object of a line; an action is checked, a query is not yet."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FieldError(f"the line is not UTF-8 text (byte {error.start})", None) from None
    try:
        data = parse_json(text, "line")
    except TorresError as error:
        raise FieldError(str(error), None) from None
    if not isinstance(data, dict):
        raise FieldError(f"expected a JSON object, not {shorten(data)}", None)
    if "action" in data:
        _check_action(data)
    return data


def _check_action(data: dict[str, Any]) -> None:
    action = data["action"]
    if not isinstance(action, str) or action not in ACTIONS:
        hint = suggest(str(action), ACTIONS) or f"; actions are {', '.join(ACTIONS)}"
        raise FieldError(f"action: {shorten(action)} is unknown{hint}", "action")
    known = {"action", "id", *ACTIONS[action]}
    for key in data:
        if key not in known:
            raise FieldError(f"{shorten(key)}: unknown field{suggest(key, known)}", key)
    for key in ("id", "terminateId"):
        if key in data and not isinstance(data[key], str):
            raise FieldError(f"{key}: expected a text, not {shorten(data[key])}", key)


def read_query(data: dict[str, Any], *, threads: int, seconds: float) -> Task:
    """Check a query; threads and seconds are for those that name none."""
    try:
        entry = QueryEntry.model_validate(data)
    except ValidationError as error:
        raise FieldError(describe(error, FIELDS), str(error.errors()[0]["loc"][0])) from None
    if (entry.position is None) == (entry.file is None):
        raise FieldError("position: give either a position or a file", "position")
    with blame("file" if entry.position is None else "position"):
        if entry.file == "-":
            raise TorresError("standard input brings the queries; name a file")
        loaded = load_position(entry.file, entry.at) if entry.file else take_position(entry.position, entry.at)
    request = make_request(
        *loaded,
        source=entry.file,
        limit=entry.limit.model_dump(),
        seconds=seconds,
        **{name: getattr(entry, name) for name in ("turns", "top", "seed", "engine", "viewpoint", "omniscient")},
        known=entry.known,
        threads=entry.threads or threads,
    )
    return Task(entry.id, request, entry.reportEvery)
