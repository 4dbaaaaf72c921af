"""A board on which every kind of action can fail, and the check that it does for the right reason."""

from typing import Any

import pytest

from tests.games.torres.spoiling import change
from tests.strategies import CARDS, entry
from torres_mcts import IllegalAction, Position, TorresError

# A board to fail on. Heights:     Knights of red (r), blue (b), and the king (*):
#
#   8  .  .  .  1  .  .  .  .      .  .  .  .  .  .  .  .
#   7  .  .  .  .  .  .  .  .      .  .  .  .  .  .  .  .
#   6  .  .  1  .  .  1  .  .      .  .  .  .  .  .  .  .
#   5  .  .  .  .  .  .  .  1      .  .  .  .  .  .  .  *
#   4  1  .  .  .  .  .  .  .      .  .  r  b  .  .  .  .
#   3  .  .  3  2  1  .  .  .      .  .  .  .  r  .  .  .
#   2  .  .  .  .  .  .  .  .      .  .  .  .  .  .  .  .
#   1  .  .  1  .  1  .  .  .      b  .  .  .  .  .  .  .
HEIGHTS = dict.fromkeys(["d8", "c6", "f6", "h5", "a4", "c1", "e1", "e3"], 1) | {"c3": 3, "d3": 2}
RULES = {"preset": "2017", "players": 2, "deck": {"jump": 2, "climb": 2}}
BOARD = entry(
    RULES,
    HEIGHTS,
    "h5",
    [
        {"knights": ["c4", "e3"], "hand": [*CARDS, "jump"], "fresh": ["jump"], "deck": ["climb"]},
        {"knights": ["d4", "a1"], "hand": []},
    ],
    turn={"ap": 5, "bought": 1},
)


def refuse(data: dict[str, Any], action: str, reason: str) -> None:
    """Check that an action is refused for a reason, in one line that begins with the action."""
    position = Position.from_dict(data)
    assert action not in position.legal_actions()
    with pytest.raises(IllegalAction) as caught:
        position.play(action)
    message = str(caught.value)
    assert isinstance(caught.value, TorresError)
    assert isinstance(caught.value, ValueError)
    assert len(message.splitlines()) == 1
    assert len(message) < 400
    assert message.isprintable()
    assert reason in message


def on_board(**changes: Any) -> dict[str, Any]:
    """Return the board above with some changes; a place is written with __ for the points."""
    return change(BOARD, {place.replace("__", "."): value for place, value in changes.items()})
