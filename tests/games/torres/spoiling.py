"""Positions that are right in every phase, and the means to spoil one field of them."""

import copy
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.strategies import entry
from torres_mcts import Position, PositionError, RulesError, TorresError

CASTLES = dict.fromkeys(["d8", "c6", "f6", "h5", "a4", "c3", "f3", "e1"], 1)
OWN = {"preset": "2017", "players": 2}
COMMON = {"preset": "2017-common", "players": 2}
PLACED = {"preset": "2017-master", "players": 2, "master_card": "row"}
MISSING = object()  # the value that stands for leaving a field out

Changes = Mapping[str, Any]

KNIGHTS = [{"knights": ["c3"]}, {"knights": ["f6"]}]
NO_STACKS = [{**player, "stacks": []} for player in KNIGHTS]
NOBODY = [{"knights": []}, {"knights": []}]

POSITIONS: dict[str, dict[str, Any]] = {
    "castles": entry(PLACED, {"c3": 1}, None, NOBODY, phase="castles", to_move="blue"),
    "knights": entry(OWN, CASTLES, None, [KNIGHTS[0], NOBODY[0]], phase="knights", to_move="blue"),
    "king-setup": entry(OWN, CASTLES, None, KNIGHTS, phase="king-setup", to_move="blue"),
    "turn": entry(OWN, CASTLES, "h5", KNIGHTS, turn={"ap": 5}),
    "keep": entry(OWN, CASTLES, "h5", KNIGHTS, phase="keep", turn={"ap": 4, "bought": 1, "drawn": ["ap6", "under"]}),
    "king": entry(OWN, CASTLES, "h5", NO_STACKS, phase="king", round=4),
    "first": entry(OWN, CASTLES, "h5", NO_STACKS, phase="first", round=4),
    "over": entry(OWN, CASTLES, "h5", NO_STACKS, phase="over", year=3, round=4, to_move=None),
    "common": entry(COMMON, CASTLES, "h5", KNIGHTS, turn={"ap": 5}),
    "hand": entry({"preset": "2017-master"}, CASTLES, "h5", KNIGHTS, turn={"ap": 5}),
    "no-cards": entry({"preset": "no-cards"}, CASTLES, "h5", KNIGHTS, turn={"ap": 5}),
    "1999": entry({"preset": "1999"}, CASTLES, "h5", KNIGHTS, turn={"ap": 5}),
}


def change(data: Mapping[str, Any], changes: Changes) -> dict[str, Any]:
    """Return a copy in which the values at some places, such as players.0.hand, are others or left out."""
    result = dict(data)
    for place, value in changes.items():
        *path, last = [int(part) if part.isdigit() else part for part in place.split(".")]
        owner: Any = result
        for part in path:
            owner[part] = copy.copy(owner[part])
            owner = owner[part]
        if value is MISSING:
            del owner[last]
        else:
            owner[last] = value
    return result


def cases(table: Mapping[str, tuple[Any, ...]]) -> Callable[[Any], Any]:
    """Run a test once for each row of a table, under the name of the row.

    A row has the position's name (if it is not "turn"), the changes, the field that is to blame, and words of
    the message that say what would be right.
    """
    rows = [row if len(row) == 4 else ("turn", *row) for row in table.values()]
    return pytest.mark.parametrize(("base", "changes", "field", "right"), rows, ids=list(table))


def error_of(field: str) -> type[TorresError]:
    """Return the class of error that a field of a position file is refused with."""
    return RulesError if field.startswith("rules") else PositionError


def refuse(base: str, changes: Changes, field: str, right: str) -> None:
    """Check that a spoiled position is refused as the contract wants it."""
    with pytest.raises(error_of(field)) as caught:
        Position.from_dict(change(POSITIONS[base], changes))
    message = str(caught.value)
    assert isinstance(caught.value, TorresError)
    assert isinstance(caught.value, ValueError)
    assert len(message.splitlines()) == 1
    assert message.startswith(f"{field}: ")
    assert right in message.removeprefix(field)
