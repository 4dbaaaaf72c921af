"""Tests of the board as coloured text: readable without colours, safe with any name."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from rich.text import Text

from torres_mcts.plotting.terminal import (
    GROUND,
    KING_COLOUR,
    board_lines,
    held_cards,
    ink_on,
    liveries,
    read_heights,
    square_at,
    square_name,
    terminal_shade,
)

VECTORS = Path(__file__).resolve().parents[1] / "vectors" / "positions.jsonl"
FIRST_COLUMN, SQUARE_WIDTH = 3, 5


def make_position(names: tuple[str, str] = ("red", "blue"), **changes: Any) -> dict[str, Any]:
    """Return a canonical position of the own-deck game, with fields changed as wanted."""
    red, blue = (
        {"name": name, "score": 0, "knights": [], "stacks": [3, 2], "hand": [], "fresh": []}
        | {"deck": ["?"] * 8, "played": [], "kept": 0}
        for name in names
    )
    red |= {"score": 12, "knights": ["b1", "c3"], "hand": ["climb", "jump"], "fresh": ["jump"]}
    blue |= {"score": 7, "knights": ["h6"], "hand": ["gate", "?", "?"], "played": ["ap6"]}
    position: dict[str, Any] = {
        "format": "torres-position/1",
        "rules": {"preset": "2017", "players": 2},
        "year": 2,
        "round": 3,
        "phase": "turn",
        "to_move": names[0],
        "first": names[0],
        "heights": ["...1....", "......$.", "..1..1..", "...c...1"] + ["1.......", "..21.1..", "........", "....1..."],
        "king": "h5",
        "players": [red, blue],
        "turn": {"ap": 3, "in_use": 2, "bought": 1, "cards_played": 0, "drawn": []},
    }
    return position | changes


def plain(position: dict[str, Any]) -> str:
    """Print a position as into a pipe."""
    console = Console(file=io.StringIO(), width=80, color_system=None)
    console.print(board_lines(position))
    assert isinstance(console.file, io.StringIO)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())


def style_at(position: dict[str, Any], square: str, column: int) -> Style:
    """Return the style of a column, 0 to 4, of a square's upper line."""
    file, rank = square_at(square)
    line = board_lines(position).renderables[2 * (7 - rank)]
    assert isinstance(line, Text)
    return line.get_style_at_offset(Console(), FIRST_COLUMN + SQUARE_WIDTH * file + column)


BOARD = """\
 8  .    .    .    1    .    .    .    .     year 2, round 3, phase turn
                                             red to move
 7  .    .    .    .    .    .   64    .     3 AP left, 2 blocks in use
                                             <K> king, numbers: height
 6  .    .    1    .    .    1    .    . B   >  R  red                 12 points
                                                   knights 2 + 4 in supply
 5  .    .    .   12    .    .    .    1<K>        stacks 3 2
                                                B  blue                 7 points
 4  1    .    .    .    .    .    .    .           knights 1 + 5 in supply
                                                   stacks 3 2
 3  .    .    2 R  1    .    1    .    .

 2  .    .    .    .    .    .    .    .

 1  .    . R  .    .    1    .    .    .

    a    b    c    d    e    f    g    h

   R  hand 2: climb jump* | pile 8 | played: none
   B  hand 3: gate ?x2 | pile 8 | played: ap6
  * bought in this turn
  rules 2017, 2 players"""


def test_the_whole_page_without_colours() -> None:
    assert plain(make_position()) == BOARD


def test_squares_are_shaded_by_height() -> None:
    position = make_position()
    for square, height in read_heights(position).items():
        style = style_at(position, square_name(square), 0)
        assert style.bgcolor is not None
        assert style.bgcolor.name == terminal_shade(height)


def test_shades_darken_with_the_height() -> None:
    channels = [bytes.fromhex(terminal_shade(height)[1:]) for height in range(65)]
    shades = [299 * red + 587 * green + 114 * blue for red, green, blue in channels]
    assert shades == sorted(shades, reverse=True)
    assert len(set(shades[:6])) == 6
    assert ink_on(GROUND) != ink_on(terminal_shade(64))


def test_knights_wear_their_players_colours_and_the_king_his_own() -> None:
    position = make_position()
    red, blue = liveries(position)
    worn = {square: style_at(position, square, 3).bgcolor for square in ("c3", "h6", "h5")}
    assert {square: colour.name for square, colour in worn.items() if colour} == {
        "c3": red.colour,
        "h6": blue.colour,
        "h5": KING_COLOUR,
    }


def test_no_player_gets_the_letter_of_the_king() -> None:
    assert [livery.letter for livery in liveries(make_position(("Karl", "kk")))] == ["A", "B"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("[red]x[/red]", "[red]x[/red]"),
        ("[/]", "[/]"),
        ("[link=http://x]", "[link=http://x]"),
        ("\x1b[31mx", "\\x1b[31mx"),
        ("a\x07\x9b", "a\\x07\\x9b"),
        ("\u202eevil", "\\u202eevil"),
        ("\u200b", "\\u200b"),
    ],
)
def test_hostile_names_are_shown_as_they_are(name: str, shown: str) -> None:
    page = plain(make_position((name, "blue")))
    assert f"{shown} to move" in page
    assert all(sign.isprintable() for sign in page.replace("\n", ""))


def test_colours_are_the_only_escape_sequences() -> None:
    console = Console(file=io.StringIO(), width=80, color_system="truecolor", force_terminal=True)
    console.print(board_lines(make_position(("\x1b]0;title\x07", "blue"))))
    assert isinstance(console.file, io.StringIO)
    parts = console.file.getvalue().split("\x1b")[1:]
    assert all(part.startswith("[") for part in parts)
    assert all(part[1:].lstrip("0123456789;").startswith("m") for part in parts)


@pytest.mark.parametrize("name", ["W" * 500, "漢" * 60, "\x00" * 50])
def test_long_names_end_with_an_ellipsis(name: str) -> None:
    page = plain(make_position((name, "blue")))
    assert len(page.splitlines()) == len(BOARD.splitlines())
    assert max(cell_len(line) for line in page.splitlines()) <= 80
    assert "…" in page


def test_squares_out_of_play_are_struck_out() -> None:
    playable = [file + rank for file in "bcdefgh" for rank in "12345678"]
    rules = {"preset": "2017", "players": 2, "playable": playable}
    position = make_position(rules=rules, heights=["........"] * 8, king=None)
    assert plain(position).splitlines()[0].startswith(" 8 ///// .    .")


def test_cards_bought_in_this_turn_carry_a_star() -> None:
    assert held_cards({"hand": ["gate", "gate", "?"], "fresh": ["gate"]}) == ["gate", "?", "gate*"]


def test_cards_are_not_mentioned_in_a_game_without_them() -> None:
    position = make_position(rules={"preset": "no-cards", "players": 2})
    for player in position["players"]:
        player |= {"hand": [], "fresh": [], "played": []}
        del player["deck"]
    assert "hand" not in plain(position)


def test_drawn_cards_and_the_common_pile_are_shown() -> None:
    turn = {"ap": 1, "in_use": None, "bought": 1, "cards_played": 0, "drawn": ["jump", "ap6"]}
    page = plain(make_position(phase="keep", turn=turn, deck=["?"] * 33))
    assert "common pile 33" in page
    assert "drawn, top first: jump, ap6" in page
    assert "red keeps a drawn card" in page


def test_a_tie_is_a_shared_win() -> None:
    position = make_position(phase="over", to_move=None)
    position["players"][1]["score"] = 12
    assert "red and blue share the win" in plain(position)


def test_blocks_kept_for_the_next_year_are_shown() -> None:
    position = make_position()
    position["players"][1] |= {"stacks": [], "kept": 2}
    assert "stacks none (2 kept)" in plain(position)


def test_all_vectors_fit_into_80_columns_and_show_every_piece() -> None:
    for line in VECTORS.read_text(encoding="utf-8").splitlines()[::7]:
        position = json.loads(line)["position"]
        lines = plain(position).splitlines()
        assert max(len(line) for line in lines) <= 80
        board = [line[:43].ljust(43) for line in lines[:16:2]]
        for player, livery in zip(position["players"], liveries(position), strict=True):
            for name in player["knights"]:
                file, rank = square_at(name)
                assert board[7 - rank][FIRST_COLUMN + SQUARE_WIDTH * file + 3] == livery.letter
        for (file, rank), height in read_heights(position).items():
            start = FIRST_COLUMN + SQUARE_WIDTH * file
            assert board[7 - rank][start : start + 2].strip() in (str(height or "."), "//")
