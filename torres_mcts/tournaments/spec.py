"""What a tournament is: who plays, by which rules, how long, and when it is enough; read from a TOML file."""

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from torres_mcts import __version__
from torres_mcts.agents.agent import Agent, read_agent
from torres_mcts.agents.own.process import CHANGED
from torres_mcts.core.errors import FileError, TorresError, describe, shorten, suggest
from torres_mcts.core.files import name_of, read_text
from torres_mcts.games.torres.format.model import LEFT_OUT, PRESETS, Entry
from torres_mcts.games.torres.rules import Rules
from torres_mcts.search.limits import Limit
from torres_mcts.tournaments.statistics.stopping import MINIMUM_BLOCKS, Hypotheses, StoppingRule

HASH_BYTES = 8
NAME_PATTERN = "^[A-Za-z0-9][A-Za-z0-9_.+-]{0,39}$"  # fits a line-up, a table, a folder
Name = Annotated[str, Field(pattern=NAME_PATTERN)]
Format = Literal["round-robin", "gauntlet", "free-for-all"]
Risk = Annotated[float, Field(gt=0, lt=0.5)]
Elo = Annotated[float, Field(allow_inf_nan=False)]


class LimitEntry(Entry):
    """How long an agent thinks about a turn."""

    time: float = LEFT_OUT
    iterations: int = LEFT_OUT


class _StopEntry(Entry):
    rule: Literal["blocks", "sprt", "precision"] = "blocks"
    focus: str = LEFT_OUT
    minimum: Annotated[int, Field(ge=2)] = LEFT_OUT
    elo: Annotated[list[Elo], Field(min_length=2, max_length=2)] = LEFT_OUT
    alpha: Risk = LEFT_OUT
    beta: Risk = LEFT_OUT
    half_width: Annotated[float, Field(gt=0, lt=1)] = LEFT_OUT


class _SpecEntry(Entry):
    name: Name
    format: Format
    players: Annotated[int, Field(ge=2, le=4)]
    blocks: Annotated[int, Field(ge=1, le=10**6)]
    seed: Annotated[int, Field(ge=0, lt=2**63)]
    agents: Annotated[dict[Name, str], Field(min_length=2, max_length=100)]
    limit: LimitEntry
    rules: dict[str, Any] = Field(default_factory=dict)
    stop: _StopEntry = Field(default_factory=_StopEntry)


FIELDS = {"": _SpecEntry.model_fields, "limit": LimitEntry.model_fields, "stop": _StopEntry.model_fields}
STOP_KEYS = {
    "blocks": set(),
    "sprt": {"focus", "minimum", "elo", "alpha", "beta"},
    "precision": {"focus", "minimum", "half_width"},
}
NEEDED_KEY = {"sprt": "elo", "precision": "half_width"}


@dataclass(frozen=True)
class Entrant:
    """An agent under the name that it has in a tournament."""

    name: str
    text: str  # the agent as it was written
    hash: str  # of all settings, those left at their defaults included, and of the code if it is a user's

    @classmethod
    def read(cls, name: str, text: str) -> "Entrant":
        """Return the agent of a text under a name.

        >>> one, same, other = (Entrant.read("a", text) for text in ("greedy", "greedy:width=64", "greedy:width=8"))
        >>> one.hash == same.hash != other.hash
        True
        """
        return cls(name, text, hash_of(read_agent(text).identity))

    def agent(self) -> Agent:
        """Return the agent, ready to play one game; refuse one whose code has changed."""
        agent = read_agent(self.text)
        if hash_of(agent.identity) != self.hash:
            raise TorresError(f"agents.{self.name}: {CHANGED}")
        return agent


@dataclass(frozen=True)
class Spec:
    """A tournament that can be played."""

    name: str
    format: Format
    entrants: tuple[Entrant, ...]  # of a gauntlet, the first runs it
    rules: Rules
    limit: Limit
    seed: int
    stop: StoppingRule  # its cap is the number of blocks
    judged: tuple[str, ...]  # whose results the stopping rule looks at, all must meet it; none: it only counts blocks

    @property
    def names(self) -> tuple[str, ...]:
        """The agents by name."""
        return tuple(entrant.name for entrant in self.entrants)

    @property
    def blocks(self) -> int:
        """The most blocks that are played."""
        assert self.stop.cap is not None
        return self.stop.cap

    def entrant_of(self, name: str) -> Entrant:
        """Return the entrant of a name."""
        return {entrant.name: entrant for entrant in self.entrants}[name]

    def text_of(self, name: str) -> str:
        """Return the agent of a name as it was written."""
        return self.entrant_of(name).text

    def agent_of(self, name: str) -> Agent:
        """Return the agent of a name, ready to play one game."""
        return self.entrant_of(name).agent()

    @property
    def settings(self) -> dict[str, Any]:
        """All that decides how games go, but for the agents; which games are played is no part of it."""
        limit = {name: value for name, value in asdict(self.limit).items() if value is not None}
        return {"version": __version__, "rules": self.rules.to_dict(), "limit": limit, "seed": self.seed}

    @property
    def hash(self) -> str:
        """A hash of all that decides the games of a tournament; how many of them are played is no part of it."""
        entrants = [[entrant.name, entrant.hash] for entrant in self.entrants]
        return hash_of([self.settings, self.format, entrants])

    def config_hash(self, lineup: tuple[str, ...]) -> str:
        """Return a hash of all that decides the games of a line-up, so that agents can be added to a tournament."""
        return self.config_hashes([lineup])[lineup]

    def config_hashes(self, lineups: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
        """Return the hash of each line-up."""
        settings, hashes = self.settings, {entrant.name: entrant.hash for entrant in self.entrants}
        return {lineup: hash_of([settings, [hashes[name] for name in lineup]]) for lineup in lineups}


def hash_of(value: Any) -> str:
    """Return a short hash of plain data; the order of keys does not matter.

    >>> hash_of({"a": 1, "b": 2}) == hash_of({"b": 2, "a": 1})
    True
    """
    text = json.dumps(value, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=HASH_BYTES).hexdigest()


def load_spec(path: str | Path, known: Mapping[str, str] | None = None) -> Spec:
    """Read and check the TOML file of a tournament; known are hashes of agents by name, see make_spec."""
    return parse_spec(read_text(path), name_of(path), known)


def parse_spec(text: str, name: str, known: Mapping[str, str] | None = None) -> Spec:
    """Check the text of a TOML file; whatever is wrong is said with the name of the file."""
    try:
        return make_spec(tomllib.loads(text), known)
    except tomllib.TOMLDecodeError as error:
        raise FileError(f"{name}: not TOML: {error}") from None
    except RecursionError:
        raise FileError(f"{name}: not TOML that can be read: nested too deeply") from None
    except TorresError as error:
        raise TorresError(f"{name}: {error}") from None


def make_spec(data: dict[str, Any], known: Mapping[str, str] | None = None) -> Spec:
    """Check a tournament given as a dictionary.

    known: hashes of agents by name; these agents are taken as they are, for a run can be looked at without its agents

    >>> agents = {"careful": "greedy", "hasty": "greedy:width=1"}
    >>> spec = make_spec({"name": "two", "format": "round-robin", "players": 2, "blocks": 10, "seed": 1,
    ...                   "agents": agents, "limit": {"iterations": 100}})
    >>> spec.names, spec.blocks, spec.rules.name
    (('careful', 'hasty'), 10, '2017')
    """
    try:
        entry = _SpecEntry.model_validate(data)
    except ValidationError as error:
        raise TorresError(_explain(error)) from None
    entrants = [
        Entrant(name, text, known[name])
        if known is not None and name in known
        else with_place(f"agents.{name}", Entrant.read, name, text)
        for name, text in entry.agents.items()
    ]
    if entry.format == "free-for-all" and len(entry.agents) < entry.players:
        raise TorresError(f"agents: {len(entry.agents)} are too few for tables of {entry.players} different ones")
    names = tuple(entry.agents)
    return Spec(
        name=entry.name,
        format=entry.format,
        entrants=tuple(entrants),
        rules=_read_rules(entry),
        limit=Limit(**entry.limit.model_dump(exclude_unset=True)),
        seed=entry.seed,
        stop=_read_stop(entry),
        judged=_read_judged(entry, names),
    )


def with_place(place: str, function: Any, *arguments: Any, **named: Any) -> Any:
    """Call a function; whatever it refuses is said to be at a place of the file."""
    try:
        return function(*arguments, **named)
    except TorresError as error:
        raise TorresError(f"{place}: {error}") from None


def _explain(error: ValidationError) -> str:
    """Say what is wrong with a file, in the words of TOML."""
    finding = error.errors(include_url=False)[0]
    location, kind = finding["loc"], finding["type"]
    if kind == "string_pattern_mismatch":
        place = "name" if location[0] == "name" else "agents"
        return f"{place}: {shorten(finding['input'])} is no name; use up to 40 letters, digits and - _ . +"
    return describe(error, FIELDS)


def _read_rules(entry: _SpecEntry) -> Rules:
    if "players" in entry.rules:
        raise TorresError("rules.players: belongs to the top of the file, as players")
    if entry.rules.get("preset", PRESETS[0]) not in PRESETS:
        preset = entry.rules["preset"]
        hint = suggest(str(preset), PRESETS) or f"; presets are {', '.join(PRESETS)}"
        raise TorresError(f"rules.preset: {shorten(preset)} is unknown{hint}")
    try:
        return Rules.from_dict({"preset": PRESETS[0], **entry.rules, "players": entry.players})
    except TorresError as error:
        raise TorresError(f"rules.{error}") from None


def _read_stop(entry: _SpecEntry) -> StoppingRule:
    """Return what ends a tournament; keys of another rule are refused, for they would do nothing."""
    stop = entry.stop
    for key in sorted(stop.model_fields_set - {"rule"} - STOP_KEYS[stop.rule]):
        raise TorresError(f"stop.{key}: is no part of rule = {stop.rule!r}")
    needed = NEEDED_KEY.get(stop.rule)
    if needed is not None and needed not in stop.model_fields_set:
        raise TorresError(f"stop.{needed}: is required by rule = {stop.rule!r}")
    hypotheses = None
    if stop.rule == "sprt":
        risks = {name: getattr(stop, name) for name in ("alpha", "beta") if name in stop.model_fields_set}
        hypotheses = with_place("stop.elo", Hypotheses.from_elo, *stop.elo, **risks)
    minimum = stop.minimum if stop.minimum is not None else MINIMUM_BLOCKS
    return StoppingRule(hypotheses, stop.half_width, entry.blocks, minimum)


def _read_judged(entry: _SpecEntry, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the agents that the stopping rule looks at: the focus, or everybody where there is none."""
    focus = entry.stop.focus
    if focus is not None:
        if focus not in names:
            raise TorresError(f"stop.focus: no agent is called {shorten(focus)}{suggest(focus, names)}")
        return (focus,)
    if entry.stop.rule == "sprt":
        if entry.format != "gauntlet" and len(names) > 2:
            raise TorresError("stop.focus: name the agent that the test is about")
        return names[:1]
    return names if entry.stop.rule == "precision" else ()


def to_toml(data: Mapping[str, Any], table: str = "") -> str:
    """Write plain data as the text of a file: plain values first, then tables.

    >>> print(to_toml({"blocks": 9, "agents": {"a.b": "greedy"}, "stop": {"elo": [0, 30.5]}}), end="")
    blocks = 9
    [agents]
    "a.b" = "greedy"
    [stop]
    elo = [0, 30.5]
    """
    lines = [f"[{_toml_key(table)}]"] if table else []
    lines += [f"{_toml_key(key)} = {_toml_value(value)}" for key, value in data.items() if not isinstance(value, dict)]
    tables = [to_toml(value, key) for key, value in data.items() if isinstance(value, dict)]
    return "".join([*(f"{line}\n" for line in lines), *tables])


def _toml_key(key: str) -> str:
    return key if re.fullmatch("[A-Za-z0-9_-]+", key) else _toml_value(key)


def _toml_value(value: Any) -> str:
    if value is None:
        raise TorresError("null has no place in a file of a tournament; leave it out")
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml_value, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_toml_key(key)} = {_toml_value(part)}' for key, part in value.items())}}}"
    if isinstance(value, str):  # as in JSON, but for one sign
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value).lower()
