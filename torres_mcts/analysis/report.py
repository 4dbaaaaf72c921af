"""What an analysis says: the contract of `torres-analyze --json`, from which its JSON Schema is made.

Every estimate carries its uncertainty: `se` and `ci95` say how well the mean is known, `sd` and `quantiles` how far
outcomes spread. Whose point of view a number has is in its key or path. Fields are only ever added; readers ignore what
they do not know.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

FORMAT = "torres-analysis/1"
Probability = float
Board = list[list[float]]  # [rank 8 first][file a first]


class Part(BaseModel):
    """A part of a report."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Estimate(Part):
    """A mean and how well it is known."""

    mean: float
    se: float
    ci95: tuple[float, float]
    n: int


MANY = 3.0  # standard errors that mark one of some thirty numbers as above zero, at 95 % for all of them together


def is_clear(estimate: Estimate | None) -> bool:
    """Tell whether an estimate is above zero even though it is one of many that are looked at."""
    return estimate is not None and estimate.mean > MANY * estimate.se and estimate.mean > 0


class Spread(Estimate):
    """An estimate of an outcome that itself varies from game to game."""

    sd: float
    quantiles: dict[str, float]  # "5", "25", "50", "75", "95"


class EngineInfo(Part):
    """How the answer was found."""

    name: str
    version: str
    parameters: dict[str, Any]
    rules: dict[str, Any]
    rules_hash: str
    seed: int
    threads: int
    limit: dict[str, Any]
    stopped_by: Literal["running", "time", "iterations", "confidence", "proved", "listed", "interrupted", "forced"]
    iterations: int
    seconds: float
    iterations_per_second: float
    playouts: str  # in words: how far a turn is played out, and what judges the rest


class PlayerOutlook(Part):
    """How a player stands, if the best turn is played."""

    name: str
    score_now: int
    win: Estimate  # probability, ties shared
    places: list[Probability]  # of being first, second, ...
    final_score: Spread


class Root(Part):
    """The position."""

    player: str  # to move
    viewpoint: str | None  # whose knowledge was used; None: everything (omniscient)
    phase: str
    year: int
    round: int
    ap: int
    players: list[PlayerOutlook]
    turn_count: int | None  # distinct turns found; None: proved without listing them
    exhaustive: bool  # whether these are all there are, or all others are proved to be no better
    considered: int  # turns that were tried


class CardChance(Part):
    """A card that an opponent may hold."""

    card: str
    prior: Probability  # to hold at least one, before any evidence from plays
    posterior: Probability  # as used in the analysis
    win_if_held: Estimate | None  # of the player to move after the best turn; None: too few worlds to say
    win_if_not: Estimate | None
    harm: Estimate | None  # win_if_not - win_if_held
    worth_knowing: Estimate | None = None  # win probability gained by knowing, before the turn, whether it is held


class Hand(Part):
    """What an opponent may hold."""

    player: str
    size: int
    known: list[str]
    cards: list[CardChance]  # the most harmful first, then the likeliest


class Step(Part):
    """A turn of a principal variation."""

    player: str
    actions: list[str]


class Sources(Part):
    """What the points of this year come from, for the player to move, if the year ended after the turn."""

    castles: float
    king: float
    master: float
    actions: float  # points scored with action points in this turn


class Turn(Part):
    """A whole turn that was tried."""

    rank: int
    actions: list[str]
    words: list[str]  # the same in words
    visits: int
    status: Literal["estimated", "proved"]
    win: Estimate  # of the player to move
    margin: Estimate  # final points of the player to move less the best other's
    year_points: Estimate  # that the player to move makes from now to the end of the year
    win_behind_best: Estimate  # paired: in the same worlds with the same luck; 0 for the best
    margin_behind_best: Estimate
    best_probability: Probability  # that it is the best of those tried, as far as the samples tell
    goes_on: bool  # it ends before a draw; the rest is decided when the card is known
    asked: bool  # named by the user
    chosen_by_engine: bool = False  # by an engine that does not compare whole turns itself
    sources: Sources
    variation: list[Step]  # the turns of the following players in one dealt world


class Maps(Part):
    """Boards, rank 8 first, file a first: expected after the best turn at the end of the year."""

    height: Board
    own_knight: Board  # probability that a knight of the player to move stands there
    other_knight: Board


class Report(Part):
    """An analysis of a position."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    format: str = Field(FORMAT, alias="schema")
    source: str | None  # the file
    position: dict[str, Any]  # as the viewpoint sees it
    engine: EngineInfo
    root: Root
    hidden: list[Hand]
    turns: list[Turn]
    maps: Maps
    warnings: list[str]
    audit: dict[str, Any] | None = None

    @property
    def second(self) -> Turn | None:
        """The second best turn, if it is shown; where few are, a turn that the user named may follow the best."""
        return next((turn for turn in self.turns if turn.rank == 2), None)

    @property
    def rests_on_outlook(self) -> bool:
        """Whether nothing varied in the playouts and the game goes on: then only the outlook tells turns apart.

        So it is at the end of a year, where a playout has little to play. How far the outlook errs, samples cannot say.
        """
        best = self.turns[0]
        return best.visits > 1 and best.win.se == 0 and 0 < best.win.mean < 1 and best.win.mean != 1 / 2


def report_schema() -> dict[str, Any]:
    """Return the JSON Schema of a report. Readers accept fields that it does not know."""
    schema = open_schema(Report.model_json_schema(by_alias=True, mode="serialization"))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def open_schema(schema: Any) -> Any:
    """Allow further fields everywhere: they are only ever added."""
    if isinstance(schema, dict):
        return {
            key: open_schema(value)
            for key, value in schema.items()
            if not (key == "additionalProperties" and value is False)
        }
    return [open_schema(value) for value in schema] if isinstance(schema, list) else schema
