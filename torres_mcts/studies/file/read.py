"""Read the file of a study. All mistakes are found at once, each with its line and field."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationError

from torres_mcts.core.errors import TorresError, shorten, suggest
from torres_mcts.core.files import name_of, read_text
from torres_mcts.games.torres.format.model import CARDS, LEFT_OUT, PRESETS, Card, Entry, RulesEntry
from torres_mcts.games.torres.format.model import FIELDS as POSITION_FIELDS
from torres_mcts.games.torres.rules import Rules
from torres_mcts.search.limits import Limit
from torres_mcts.studies.file.problems import Problem, StudyError, list_findings, read_toml
from torres_mcts.studies.metrics import METRICS
from torres_mcts.studies.spec import Study, Wanted
from torres_mcts.studies.variants import BASE, Draft, Variant, count_drafts, list_drafts
from torres_mcts.tournaments.spec import Entrant, LimitEntry, Name

MOST_VARIANTS = 300
Text = Annotated[str, Field(max_length=500)]
Choices = Annotated[dict[str, Annotated[list[Any], Field(min_length=1, max_length=100)]], Field(max_length=50)]


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


class _BlankEntry(Entry):
    seat: Annotated[int, Field(ge=1, le=4)]
    cards: Annotated[list[Card], Field(min_length=1, max_length=len(CARDS))]


class _StudyEntry(Entry):
    name: Name
    question: Text = ""
    players: Annotated[int, Field(ge=2, le=4)]
    blocks: Annotated[int, Field(ge=2, le=10**6)]
    seed: Annotated[int, Field(ge=0, lt=2**63)]
    agents: Annotated[list[str], Field(min_length=1, max_length=4), BeforeValidator(_as_list)]
    metrics: Annotated[list[str], Field(min_length=1, max_length=100)]
    limit: LimitEntry
    rules: dict[str, Any] = Field(default_factory=dict)
    variants: Annotated[dict[Name, dict[str, Any]], Field(max_length=MOST_VARIANTS)] = Field(default_factory=dict)
    one_at_a_time: Choices = Field(default_factory=dict)
    grid: Choices = Field(default_factory=dict)
    without_card: _BlankEntry = LEFT_OUT
    margins: dict[str, Any] = Field(default_factory=dict)


FIELDS = {"": _StudyEntry.model_fields, "limit": LimitEntry.model_fields, "without_card": _BlankEntry.model_fields}
TABLES = ("rules", "variants", "one_at_a_time", "grid", "margins")  # whose parts are checked one by one


def load_study(path: str | Path, known: Mapping[str, str] | None = None) -> Study:
    """Read and check the TOML file of a study; known are hashes of agents by text, see make_study."""
    return parse_study(read_text(path), name_of(path), known)


def parse_study(text: str, name: str, known: Mapping[str, str] | None = None) -> Study:
    """Check the text of a TOML file; all that is wrong is said at once, with the name of the file and the lines."""
    data, lines = read_toml(text, name)
    try:
        return make_study(data, known)
    except StudyError as error:
        raise error.located(name, lines) from None


def make_study(data: dict[str, Any], known: Mapping[str, str] | None = None) -> Study:
    """Check a study given as a dictionary.

    known: hashes of agents by text; these agents are taken as they are, for a run can be looked at without its agents

    >>> study = make_study({"name": "ap", "players": 2, "blocks": 10, "seed": 1, "agents": "random",
    ...                     "limit": {"iterations": 1}, "metrics": ["scores"], "grid": {"ap_per_turn": [4, 5, 6]}})
    >>> [variant.name for variant in study.rule_sets]
    ['base', 'ap_per_turn=4', 'ap_per_turn=6']
    """
    try:
        sound, problems = dict(_StudyEntry.model_validate(data)), []
    except ValidationError as error:
        problems = list_findings(error, FIELDS)
        sound = _without(data, [problem.place for problem in problems])
    entrants = _read_agents(sound, known or {}, problems)
    limit = _read_limit(sound, problems)
    base, variants = _read_rule_sets(sound, problems)
    wanted = _read_metrics(sound, problems)
    margins = _read_margins(sound, wanted, problems)
    if problems or base is None or limit is None:
        raise StudyError(problems)
    shared = {key: sound[key] for key in ("name", "question", "seed", "blocks")}
    return Study(
        base=base,
        variants=variants,
        entrants=entrants,
        limit=limit,
        wanted=wanted,
        margins=margins,
        counts_turns=any(METRICS[one.metric].needs_count for one in wanted),
        **shared,
    )


def _without(data: Mapping[str, Any], places: Iterable[tuple[int | str, ...]]) -> dict[str, Any]:
    """Return what is left of a file without its wrong parts, so that the rest can be checked as well."""
    left = {key: dict(value) if key in TABLES and isinstance(value, dict) else value for key, value in data.items()}
    left |= {"agents": _as_list(left["agents"])} if "agents" in left else {}
    for place in places:
        if len(place) > 1 and place[0] in TABLES and isinstance(left.get(str(place[0])), dict):
            left[str(place[0])].pop(place[1], None)
        else:
            left.pop(str(place[0]), None) if place else left.clear()
    return left


def _read_agents(sound: Mapping[str, Any], known: Mapping[str, str], problems: list[Problem]) -> tuple[Entrant, ...]:
    """Return the agent of each seat; a single one sits on all seats."""
    texts, players = list(sound.get("agents", [])), sound.get("players")
    entrants = []
    for index, text in enumerate(texts):
        place = ("agents", index) if len(texts) > 1 else ("agents",)
        try:
            entrants.append(Entrant(text, text, known[text]) if text in known else Entrant.read(text, text))
        except TorresError as error:
            problems.append(Problem(place, str(error)))
    if len(texts) == 1:
        return tuple(entrants) * (players or 1)
    if texts and players is not None and len(texts) != players:
        problems.append(Problem(("agents",), f"give one for all seats or {players}, one for each, not {len(texts)}"))
    return tuple(entrants)


def _read_limit(sound: Mapping[str, Any], problems: list[Problem]) -> Limit | None:
    if "limit" not in sound:
        return None
    limit = sound["limit"]
    values = limit.model_dump(exclude_unset=True) if isinstance(limit, LimitEntry) else dict(limit)
    try:
        return Limit(**values)
    except TorresError as error:
        place, _, problem = str(error).partition(": ")
        problems.append(Problem(("limit", *place.split(".")[1:]), problem))
        return None


def _read_rule_sets(sound: Mapping[str, Any], problems: list[Problem]) -> tuple[Variant | None, tuple[Variant, ...]]:
    """Return base and variants; what is wrong with the parameters of a variant is found even if the base is wrong."""
    named, single, grid = (sound.get(key, {}) for key in ("variants", "one_at_a_time", "grid"))
    count = count_drafts(named, single, grid)
    if count > MOST_VARIANTS:
        problems.append(Problem(("grid",) if grid else ("variants",), f"{count} variants; the most is {MOST_VARIANTS}"))
        return None, ()
    if BASE in named:
        problems.append(Problem(("variants", BASE), "is the name of the base rules; choose another"))
    players = sound.get("players", 2)
    own = {"preset": PRESETS[0], **sound.get("rules", {})}
    base = _read_rules(Draft(BASE, own, "rules"), {}, players, problems)
    variants = []
    for draft in list_drafts(named, single, grid):
        if not draft.changes:
            problems.append(Problem(draft.place, "changes nothing; name a rule parameter and its value"))
            continue
        rules = _read_rules(draft, own if base is not None else None, players, problems)
        if rules is not None and base is not None and (rules != base or draft.origin == "variants"):
            variants.append(Variant(draft.name, rules, draft.changes, draft.origin))
    if base is None:
        return None, ()
    variants += _read_blanks(sound.get("without_card"), base, problems)
    if not variants and not problems:
        ways = "[variants.NAME], [one_at_a_time], [grid] or [without_card]"
        problems.append(Problem((), f"there is nothing to compare with the base: add {ways}"))
    return Variant(BASE, base, {}, "rules"), tuple(variants)


def _read_blanks(given: Any, base: Rules, problems: list[Problem]) -> list[Variant]:
    """Return a variant for each card that a seat is to do without."""
    if given is None:
        return []
    entry = given if isinstance(given, _BlankEntry) else _BlankEntry.model_validate(given)
    if entry.seat > base.players:
        problems.append(Problem(("without_card", "seat"), f"there are {base.players} seats, not {entry.seat}"))
    if base.cards not in ("own", "hand"):
        problems.append(
            Problem(("without_card",), f"a seat has cards of its own with cards = 'own' or 'hand', not {base.cards!r}")
        )
    for index, card in enumerate(entry.cards):
        if card not in CARDS or not base.card_copies(CARDS.index(card)):
            problems.append(Problem(("without_card", "cards", index), f"{card} is not in the deck"))
    return [
        Variant(f"without {card}", base, {"without_card": [entry.seat, card]}, "without_card", (entry.seat - 1, card))
        for card in dict.fromkeys(entry.cards)
    ]


def _read_rules(draft: Draft, base: Mapping[str, Any] | None, players: int, problems: list[Problem]) -> Rules | None:
    """Return the rules of a variant; None where something is wrong, which is noted once for each place.

    base: what the variant changes; None if that is wrong itself, so that only the changes are checked
    """
    if "players" in draft.changes:
        _note(problems, Problem(draft.place_of("players"), "belongs to the top of the file, as players"))
        return None
    try:
        entry = RulesEntry.model_validate({"preset": PRESETS[0], **(base or {}), **draft.changes, "players": players})
        return Rules.from_entry(entry) if base is not None else None
    except ValidationError as error:
        for found in list_findings(error, {"": POSITION_FIELDS["rules"]}):
            if found.place and found.place[0] in draft.changes:
                _note(problems, _place_finding(draft, found))
    except TorresError as error:
        parameter = str(error).partition(":")[0].partition("[")[0]
        is_own = parameter in draft.changes
        place, text = (
            (draft.place_of(parameter), str(error).partition(": ")[2]) if is_own else (draft.place, str(error))
        )
        _note(problems, Problem(place, text))
    return None


def _place_finding(draft: Draft, found: Problem) -> Problem:
    """Return what is wrong with a parameter, with its place in the file."""
    parameter, *inside = found.place
    place = draft.place_of(str(parameter))
    if draft.origin in ("rules", "variants"):
        return Problem((*place, *inside), found.text)
    return Problem(place, f"{shorten(draft.changes[str(parameter)])}: {found.text}" if inside else found.text)


def _note(problems: list[Problem], problem: Problem) -> None:
    """Add a problem that is not there yet: many variants may share one."""
    if problem not in problems:
        problems.append(problem)


def _read_metrics(sound: Mapping[str, Any], problems: list[Problem]) -> tuple[Wanted, ...]:
    wanted = []
    for index, text in enumerate(sound.get("metrics", [])):
        one = Wanted.read(text)
        if one.metric not in METRICS:
            hint = suggest(one.metric, METRICS) or f"; known are {', '.join(METRICS)}"
            problems.append(Problem(("metrics", index), f"no metric is called {shorten(one.metric)}{hint}"))
        elif one in wanted:
            problems.append(Problem(("metrics", index), f"{shorten(text)} is named twice; name it once"))
        else:
            wanted.append(one)
    return tuple(wanted)


def _read_margins(sound: Mapping[str, Any], wanted: tuple[Wanted, ...], problems: list[Problem]) -> dict[Wanted, float]:
    """Return the margins; that of some values is written metric.pattern, with quotes where a * is in it."""
    flat: dict[str, Any] = {}
    for key, value in sound.get("margins", {}).items():
        flat |= {f"{key}.{label}": part for label, part in value.items()} if isinstance(value, dict) else {key: value}
    names, margins = {one.metric for one in wanted}, {}
    for key, value in flat.items():
        place, own = ("margins", *key.split(".", 1)), Wanted.read(key)
        if "metrics" in sound and own.metric not in names:
            hint = suggest(own.metric, names) or "; name it under metrics"
            problems.append(Problem(place, f"{shorten(own.metric)} is not measured{hint}"))
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
            problems.append(Problem(place, f"expected a number above 0, not {shorten(value)}"))
        margins[own] = value
    return margins
