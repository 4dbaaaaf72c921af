"""A position as plain text, for print() and for terminals without colour."""

from collections.abc import Mapping
from typing import Any

from torres_mcts.core.errors import printable as printable  # names come from files


def draw_text(position: Mapping[str, Any]) -> str:
    """Draw a canonical position: heights, knights by the first letters of their owners, * for the king."""
    marks = marks_of([player["name"] for player in position["players"]])
    pieces = {
        square: mark for player, mark in zip(position["players"], marks, strict=True) for square in player["knights"]
    }
    if position["king"]:
        pieces[position["king"]] = "*"
    lines = [_headline(position), ""]
    for row, heights in enumerate(position["heights"]):
        rank = 8 - row
        cells = [f"{sign}{pieces.get(f'{file}{rank}', ' ')}" for file, sign in zip("abcdefgh", heights, strict=True)]
        lines.append(f"{rank}  {'  '.join(cells)}".rstrip())
    lines += ["   " + "   ".join("abcdefgh"), ""]
    lines += [_player_line(player, mark) for player, mark in zip(position["players"], marks, strict=True)]
    if "deck" in position:
        lines.append(f"common pile: {len(position['deck'])} cards")
    return "\n".join(lines)


def marks_of(names: list[str]) -> list[str]:
    """Choose one sign for each player: the first letter of the name that is still free, else a number.

    >>> marks_of(["red", "blue", "rose"])
    ['R', 'B', 'O']
    """
    marks: list[str] = []
    for seat, name in enumerate(names):
        letters = [sign.upper() for sign in name if sign.isascii() and sign.isalpha()]
        marks.append(next((sign for sign in letters if sign not in marks), str(seat + 1)))
    return marks


def _headline(position: Mapping[str, Any]) -> str:
    rules, turn = position["rules"], position["turn"]
    where = f"{rules['preset']}, {rules['players']} players, year {position['year']}, round {position['round']}"
    if position["phase"] == "over":
        return f"{where}: over"
    who = f"{printable(position['to_move'])} to move ({position['phase']}"
    return f"{where}: {who}, {turn['ap']} AP)" if position["phase"] == "turn" else f"{where}: {who})"


def _player_line(player: Mapping[str, Any], mark: str) -> str:
    stacks = " ".join(map(str, player["stacks"])) or "none"
    line = f"{mark} {printable(player['name'])}: {player['score']} points, "
    line += f"{len(player['knights'])} knights, stacks {stacks}"
    if player["hand"]:
        line += f", hand {' '.join(player['hand'])}"
    if player.get("deck"):
        line += f", pile {len(player['deck'])}"
    return line + (f", played {' '.join(player['played'])}" if player["played"] else "")
