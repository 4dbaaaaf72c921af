"""What a review of a game says: the contract of `torres review --json`, from which its JSON Schema is made.

Losses are positive where the turn played is worse than the best found; luck is positive where the draw was better for
the player who drew than what could be expected. Every number is that of the player of its turn, from that player's
knowledge at the time. Fields are only ever added; readers ignore what they do not know.
"""

from typing import Any, Literal

from pydantic import ConfigDict, Field

from torres_mcts.analysis.report import Estimate, Part, Probability, open_schema

REVIEW_FORMAT = "torres-review/1"


class Worth(Part):
    """A difference in win probability and in final points."""

    win: Estimate
    margin: Estimate


class TurnPart(Part):
    """A turn, or a part of one: a draw ends a part, because what follows is decided when the cards are known."""

    at: int  # actions of the record before it: `torres-analyze GAME --at N` looks at the same position
    actions: list[str]  # as played
    words: list[str]
    status: Literal["judged", "forced", "set-up"]  # forced: nothing else could be done, nothing is lost
    draws: bool  # it ends with a draw
    win: Estimate | None = None  # of the player, after it
    margin: Estimate | None = None
    loss: Worth | None = None  # behind the best found, in the same worlds with the same luck
    luck: Worth | None = None  # of the draw that ends it: with what came, less with what might have come
    best: list[str] | None = None  # the best found
    best_words: list[str] | None = None
    best_probability: Probability | None = None  # of what was played, to be the best of those tried
    considered: int | None = None  # turns that were tried
    stopped_by: str | None = None
    position: dict[str, Any] | None = None  # before it, as the player sees it


class ReviewTurn(Part):
    """A turn of the game."""

    number: int  # from 1, every turn of the record counted
    player: str
    year: int
    round: int
    phase: str
    status: Literal["judged", "forced", "set-up"]
    parts: list[TurnPart]
    loss: Worth | None  # sum over its parts
    luck: Worth | None  # sum over its draws; None without a draw that was judged
    wins: dict[str, Estimate] | None  # of every player after the turn, as its player sees it


class PlayerSum(Part):
    """The turns of a player together."""

    player: str
    turns: int  # judged
    draws: int
    loss: Worth | None
    luck: Worth | None


class ReviewEngine(Part):
    """How the review was made."""

    name: str
    version: str
    parameters: dict[str, Any]
    seed: int
    threads: int
    limit: dict[str, Any]  # of each part of a turn
    iterations: int
    seconds: float
    playouts: str


class Result(Part):
    """Where the record ends."""

    is_over: bool
    scores: dict[str, int]
    wins: dict[str, float] | None  # 1 for the winner, shared in a tie; None while the game goes on


class Review(Part):
    """A review of a game."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    format: str = Field(REVIEW_FORMAT, alias="schema")
    source: str | None
    rules: dict[str, Any]
    players: list[str]
    only: str | None  # the player whose turns alone were judged
    engine: ReviewEngine
    interrupted: bool  # turns after the last one listed were not looked at
    turns: list[ReviewTurn]
    costliest: list[int]  # numbers of up to three turns, the costliest first
    sums: list[PlayerSum]
    result: Result


def review_schema() -> dict[str, Any]:
    """Return the JSON Schema of a review. Readers accept fields that it does not know."""
    schema = open_schema(Review.model_json_schema(by_alias=True, mode="serialization"))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
