"""The shape of a position file: fields, types and ranges, from which the JSON Schema is made."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from torres_mcts.core.errors import shorten, suggest

CARDS = ("ap6", "ap7", "climb", "diagonal", "gate", "jump", "shift", "supply", "transfer", "under")
MASTER_CARDS = (
    "castles",
    "chain",
    "diagonals",
    "different-levels",
    "edges",
    "row",
    "same-level",
    "square",
)
PRESETS = ("2017", "2017-common", "2017-master", "1999", "1999-own", "1999-master", "no-cards")
PHASES = ("castles", "knights", "king-setup", "turn", "keep", "king", "first", "over")
CARD_SOURCES = ("none", "own", "common", "hand")
START_PLAYERS = ("named", "stays", "leader")
FORMAT = "torres-position/1"
GAME_FORMAT = "torres-game/1"
HEIGHT_SIGNS = ".123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@#$"
UNKNOWN = "?"
PLACED = "placed"

# No more can be right, so that a file with millions of entries is refused at once.
SQUARE_LIMIT = 64
CARD_LIMIT = 360  # a common deck of ten kinds, four times nine of each
FIELD_LIMIT = 100


def _check_square(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if len(value) != 2 or value[0] not in "abcdefgh" or value[1] not in "12345678":
        raise ValueError(f"{shorten(value, 20)} is not a square; write a file a-h and a rank 1-8, as in e4")
    return value


def _check_card(value: Any) -> Any:
    if not isinstance(value, str) or value in CARDS or value == UNKNOWN:
        return value
    hint = suggest(value, CARDS) or f"; cards are {', '.join(CARDS)}, or ? for an unknown one"
    raise ValueError(f"{shorten(value, 20)} is not a card{hint}")


def _check_deck(value: Any) -> Any:
    """Check the names of a deck's cards here, for of a million wrong ones the first will do."""
    wrong = [card for card in value if card not in CARDS] if isinstance(value, dict) else []
    if wrong:
        hint = suggest(str(wrong[0]), CARDS) or f"; cards are {', '.join(CARDS)}"
        raise ValueError(f"{shorten(wrong[0], 20)} is not a card{hint}")
    return value


def _check_start_castles(value: Any) -> Any:
    """Check both forms here, for of two forms the schema check cannot know which was meant."""
    if value == PLACED:
        return value
    if not isinstance(value, list):
        raise ValueError(f"expected a list of squares or 'placed', not {shorten(value)}")
    if len(value) > SQUARE_LIMIT:
        raise ValueError(f"must have at most {SQUARE_LIMIT} entries, not {len(value)}")
    for square in value:
        if not isinstance(square, str):
            raise ValueError(f"expected squares such as e4, not {shorten(square)}")
        _check_square(square)
    return value


Square = Annotated[str, Field(pattern="^[a-h][1-8]$"), BeforeValidator(_check_square)]
KnownCard = Annotated[str, Field(pattern=f"^({'|'.join(CARDS)})$")]
Card = Annotated[str, Field(pattern=f"^({'|'.join(CARDS)}|\\?)$"), BeforeValidator(_check_card)]
Squares = Annotated[list[Square], Field(max_length=SQUARE_LIMIT)]
Cards = Annotated[list[Card], Field(max_length=CARD_LIMIT)]
Count = Annotated[int, Field(ge=0, le=99)]
Few = Annotated[int, Field(ge=0, le=9)]
Cost = Annotated[int, Field(ge=1, le=9)]
YearStacks = Annotated[list[Few], Field(min_length=1, max_length=8)]
ThreeCounts = Annotated[list[Count], Field(min_length=3, max_length=3)]


# The default of a field that may be left out but, where it is given, may not be null.
LEFT_OUT: Any = None


def _name_preset(value: Any) -> Any:
    return {"preset": value} if isinstance(value, str) else value


class Entry(BaseModel):
    """Part of a file: nothing is converted, nothing unknown is accepted."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _refuse_flood(cls, value: Any) -> Any:
        """Refuse an absurd number of fields at once, without a finding for each."""
        if isinstance(value, dict) and len(value) > FIELD_LIMIT:
            raise ValueError(f"{len(value)} fields; the known ones are {', '.join(cls.model_fields)}")
        return value


class RulesEntry(Entry):
    """A rule set: a preset and whatever differs from it."""

    preset: Literal[PRESETS]  # type: ignore[valid-type]
    players: Annotated[int, Field(ge=2, le=4)] = LEFT_OUT
    ap_per_turn: Annotated[int, Field(ge=1, le=20)] = LEFT_OUT
    cost_knight: Cost = LEFT_OUT
    cost_move: Cost = LEFT_OUT
    cost_block: Cost = LEFT_OUT
    cost_buy: Cost = LEFT_OUT
    cost_score: Cost = LEFT_OUT
    buys_per_turn: Few = LEFT_OUT
    cards_per_turn: Few = LEFT_OUT
    cards: Literal[CARD_SOURCES] = LEFT_OUT  # type: ignore[valid-type]
    draw: Annotated[int, Field(ge=1, le=5)] = LEFT_OUT
    king_bonus: ThreeCounts = LEFT_OUT
    king_level: ThreeCounts = LEFT_OUT
    keep_leftovers: bool = LEFT_OUT
    start_player: Literal[START_PLAYERS] = LEFT_OUT  # type: ignore[valid-type]
    king_same_castle: bool = LEFT_OUT
    score_track: Annotated[int, Field(ge=0, le=1000, description="0: markers may share spaces")] = LEFT_OUT
    playable: Squares = LEFT_OUT
    knights: Annotated[int, Field(ge=1, le=16)] = LEFT_OUT
    blocks: Annotated[int, Field(ge=0, le=160)] = LEFT_OUT
    stacks: Annotated[list[YearStacks], Field(min_length=3, max_length=3)] = LEFT_OUT
    stack_limit: Annotated[int, Field(ge=1, le=9)] = LEFT_OUT
    deck: Annotated[dict[KnownCard, Few], BeforeValidator(_check_deck)] = LEFT_OUT
    min_castles: Count = LEFT_OUT
    start_castles: Annotated[Squares | Literal["placed"], BeforeValidator(_check_start_castles)] = LEFT_OUT
    master_card: Literal[(*MASTER_CARDS, "random")] | None = None  # type: ignore[valid-type]
    master_min_knights: Count = LEFT_OUT


class PlayerEntry(Entry):
    """One player's part of a position."""

    name: str = LEFT_OUT
    score: Annotated[int, Field(ge=0, le=1_000_000_000)] = 0
    knights: Squares
    stacks: Annotated[list[Few], Field(max_length=8, description="the year card's stacks if left out")] = LEFT_OUT
    hand: Cards = LEFT_OUT
    fresh: Cards = []
    deck: Annotated[Cards, Field(description="top first; own decks only")] = LEFT_OUT
    played: Cards = []
    kept: Few = 0


class TurnEntry(Entry):
    """The turn under way."""

    ap: Annotated[int, Field(ge=0)] = LEFT_OUT
    in_use: Few | None = None
    bought: Few = 0
    cards_played: Few = 0
    drawn: Annotated[list[Card], Field(max_length=5)] = []


class PositionEntry(Entry):
    """A position of Torres (torres-position/1)."""

    format: Literal[FORMAT]  # type: ignore[valid-type]
    rules: Annotated[RulesEntry, BeforeValidator(_name_preset)]
    year: Annotated[int, Field(ge=1, le=3)] = 1
    round: Annotated[int, Field(ge=1, le=8)] = 1
    phase: Literal[PHASES] = "turn"  # type: ignore[valid-type]
    to_move: str | None = None
    first: str = LEFT_OUT
    heights: Annotated[list[str], Field(min_length=8, max_length=8)]
    king: Square | None = None
    players: Annotated[list[PlayerEntry], Field(min_length=2, max_length=4)]
    turn: TurnEntry = TurnEntry()
    deck: Annotated[Cards, Field(description="top first; common deck only")] = LEFT_OUT
    viewpoint: str = LEFT_OUT


class GameEntry(Entry):
    """A record of a game (torres-game/1): the initial position and every action; the rest is checked."""

    format: Literal[GAME_FORMAT] = GAME_FORMAT  # type: ignore[valid-type]
    id: str = ""
    version: str = ""
    seed: int = LEFT_OUT
    position: dict[str, Any]
    actions: Annotated[list[str], Field(max_length=100_000)]
    scores: Annotated[list[int], Field(description="final scores in seating order")] = LEFT_OUT
    final: dict[str, Any] = LEFT_OUT


FIELDS = {
    "": list(PositionEntry.model_fields),
    "rules": list(RulesEntry.model_fields),
    "players": list(PlayerEntry.model_fields),
    "turn": list(TurnEntry.model_fields),
}


def position_schema() -> dict[str, Any]:
    """Return the JSON Schema of a position file."""
    schema = PositionEntry.model_json_schema()
    preset = schema["$defs"]["RulesEntry"]["properties"]["preset"]
    schema["properties"]["rules"] = {"anyOf": [{"enum": preset["enum"]}, schema["properties"]["rules"]]}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **_without_null_defaults(schema)}


def game_schema() -> dict[str, Any]:
    """Return the JSON Schema of a game record, the schema of its positions included."""
    position = position_schema()
    definitions = {**position.pop("$defs"), "Position": {key: position[key] for key in position if key != "$schema"}}
    schema = _without_null_defaults(GameEntry.model_json_schema())
    for name in ("position", "final"):
        schema["properties"][name] = {"$ref": "#/$defs/Position"}
    return {"$schema": position["$schema"], **schema, "$defs": definitions}


def _without_null_defaults(schema: Any) -> Any:
    """Drop the defaults that only mark a field as one that may be left out."""
    if isinstance(schema, dict):
        return {
            key: _without_null_defaults(value)
            for key, value in schema.items()
            if not (key == "default" and value is None)
        }
    return [_without_null_defaults(value) for value in schema] if isinstance(schema, list) else schema
