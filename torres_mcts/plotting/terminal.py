"""Show a position as coloured text of 80 columns that stays readable without its colours."""

import math
import string
import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len, set_cell_size
from rich.console import Group
from rich.text import Text

from torres_mcts.core.errors import printable
from torres_mcts.games.torres.format.model import HEIGHT_SIGNS

Square = tuple[int, int]  # file and rank, both from 0: a1 is (0, 0)

WIDTH = 80
SIDE = 8
KNIGHT_COUNT = 6  # of each player, unless the rules say otherwise
GROUND = "#e8eae3"  # gray enough to stay calm where a terminal has but 256 colours
UNPLAYABLE = "#4a4d52"
DARK_INK, LIGHT_INK = "#2b2118", "#fffaf0"
KING_COLOUR, KING_INK = "#15110d", "#ffc93c"
STONE_LIGHT, STONE_MIDDLE, STONE_DARK = (228, 211, 174), (158, 121, 76), (38, 26, 18)
# A terminal gets stones of the common 256 colours, which it would otherwise match out of order.
TERMINAL_STONES = [(1, "#ffd7af"), (2, "#d7af87"), (3, "#af875f"), (4, "#875f00"), (8, "#4e4e4e")]
TERMINAL_TOWER = "#262626"  # whatever is higher
PHASE_WORDS = {
    "castles": "places a start castle",
    "knights": "places a first knight",
    "king-setup": "places the king",
    "turn": "to move",
    "keep": "keeps a drawn card",
    "king": "may move the king",
    "first": "names the start player",
}


@dataclass(frozen=True)
class Livery:
    """How one player's knights look: a colour of Okabe and Ito's palette, a shape and a letter."""

    name: str  # with control characters escaped
    letter: str
    colour: str
    ink: str
    shape: str


COLOURS = {  # by the default name of the player who wears it: colour, ink on it, shape
    "red": ("#d55e00", "#ffffff", "shield"),
    "blue": ("#0072b2", "#ffffff", "circle"),
    "green": ("#009e73", "#ffffff", "diamond"),
    "yellow": ("#f0e442", "#1a1a1a", "square"),
}


def liveries(position: Mapping[str, Any]) -> list[Livery]:
    """Give each player a colour, the one the name says if it is a colour, and a letter of its own.

    >>> [livery.letter for livery in liveries({"players": [{"name": "red"}, {"name": "rose"}]})]
    ['R', 'O']
    """
    names = [player["name"] for player in position["players"]]
    spare_colours = [name for name in COLOURS if name not in names]
    taken = {"K"}  # the king's
    result = []
    for name in names:
        letters = [sign for sign in name.upper() if sign in string.ascii_uppercase]
        letter = next(sign for sign in [*letters, *"ABCDE"] if sign not in taken)
        taken.add(letter)
        colour, ink, shape = COLOURS[name if name in COLOURS else spare_colours.pop(0)]
        result.append(Livery(printable(name), letter, colour, ink, shape))
    return result


def square_at(name: str) -> Square:
    """Return file and rank of a square such as e4.

    >>> square_at("e4")
    (4, 3)
    """
    return string.ascii_lowercase.index(name[0]), int(name[1]) - 1


def square_name(square: Square) -> str:
    """Return the name of a square.

    >>> square_name((4, 3))
    'e4'
    """
    return f"{string.ascii_lowercase[square[0]]}{square[1] + 1}"


def read_heights(position: Mapping[str, Any]) -> dict[Square, int]:
    """Return the number of blocks on every square, bare ground included.

    >>> read_heights({"heights": ["........"] * 7 + ["..a....."]})[2, 0]
    10
    """
    return {
        (file, SIDE - 1 - row): HEIGHT_SIGNS.index(sign.replace("0", "."))
        for row, line in enumerate(position["heights"])
        for file, sign in enumerate(line)
    }


def unplayable_squares(position: Mapping[str, Any]) -> set[Square]:
    """Return the squares that the rules take off the board."""
    playable = position["rules"].get("playable")
    if playable is None:
        return set()
    everywhere = {(file, rank) for file in range(SIDE) for rank in range(SIDE)}
    return everywhere - {square_at(name) for name in playable}


def shade(height: int) -> str:
    """Return the colour of a square: pale for ground, then stone that darkens with the height.

    >>> shade(1)
    '#e4d3ae'
    """
    if height == 0:
        return GROUND
    depth = 2 - 2 * math.exp((1 - height) / 5.5)  # the first storeys differ most
    low, high = (STONE_LIGHT, STONE_MIDDLE) if depth <= 1 else (STONE_MIDDLE, STONE_DARK)
    part = depth if depth <= 1 else depth - 1
    channels = [round(a + (b - a) * part) for a, b in zip(low, high, strict=True)]
    return "#" + "".join(f"{channel:02x}" for channel in channels)


def ink_on(colour: str) -> str:
    """Return the colour for writing on this one.

    >>> ink_on("#ffffff") == DARK_INK
    True
    """
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return DARK_INK if 0.299 * red + 0.587 * green + 0.114 * blue > 130 else LIGHT_INK


def terminal_shade(height: int) -> str:
    """Return the colour of a square on a terminal.

    >>> terminal_shade(3)
    '#af875f'
    """
    if height == 0:
        return GROUND
    return next((colour for limit, colour in TERMINAL_STONES if height <= limit), TERMINAL_TOWER)


def counted(cards: Iterable[str], times: str = "x") -> list[str]:
    """Name each kind of card once, with its number where there are several.

    >>> counted(["climb", "?", "?"])
    ['climb', '?x2']
    """
    return [f"{card}{times}{n}" if n > 1 else card for card, n in Counter(cards).items()]


def held_cards(player: Mapping[str, Any], times: str = "x") -> list[str]:
    """Name the cards of a hand; a star marks those bought in this turn."""
    fresh = Counter(player["fresh"])
    ready = Counter(player["hand"]) - fresh
    return counted(ready.elements(), times) + [f"{card}*" for card in counted(fresh.elements(), times)]


def has_cards(position: Mapping[str, Any]) -> bool:
    """Tell whether the game is played with action cards."""
    return "deck" in position or any(
        "deck" in player or player["hand"] or player["played"] for player in position["players"]
    )


def card_notes(position: Mapping[str, Any]) -> list[str]:
    """Say what is to be known of the cards besides each player's own."""
    notes = [f"common pile {len(position['deck'])}"] if "deck" in position else []
    if position["turn"]["drawn"]:
        notes.append(f"drawn, top first: {', '.join(position['turn']['drawn'])}")
    if any(player["fresh"] for player in position["players"]):
        notes.append("* bought in this turn")
    if position.get("viewpoint") is not None:
        notes.append(f"as known to {printable(position['viewpoint'])}")
    return notes


def decision(position: Mapping[str, Any]) -> str:
    """Say who decides what, or who has won.

    >>> decision({"phase": "king", "to_move": "red"})
    'red may move the king'
    """
    if position["to_move"] is not None:
        return f"{printable(position['to_move'])} {PHASE_WORDS[position['phase']]}"
    best = max(player["score"] for player in position["players"])
    winners = [printable(player["name"]) for player in position["players"] if player["score"] == best]
    return f"{winners[0]} wins" if len(winners) == 1 else f"{' and '.join(winners)} share the win"


def turn_words(position: Mapping[str, Any]) -> str:
    """Say what is left of the turn under way; empty outside one.

    >>> turn_words({"phase": "turn", "turn": {"ap": 3, "in_use": 2}})
    '3 AP left, 2 blocks in use'
    """
    turn = position["turn"]
    if position["phase"] not in ("turn", "keep"):
        return ""
    if turn["in_use"] is None:
        return f"{turn['ap']} AP left"
    return f"{turn['ap']} AP left, {turn['in_use']} block{'s' * (turn['in_use'] != 1)} in use"


def rules_words(position: Mapping[str, Any]) -> str:
    """Name the preset and what differs from it; long values are only mentioned.

    >>> rules_words({"rules": {"preset": "2017", "players": 2, "blocks": 99, "playable": ["a1"]}})
    'rules 2017, 2 players, blocks 99, own playable'
    """
    rules = position["rules"]
    words = [f"rules {rules['preset']}", f"{rules['players']} players"]
    for name, value in sorted(rules.items(), key=lambda item: item[0] != "master_card"):
        plain = name.replace("_", " ")
        if name not in ("preset", "players"):
            words.append(f"own {plain}" if isinstance(value, list | dict) else f"{plain} {value}")
    return printable(", ".join(words))


def board_text(position: Mapping[str, Any]) -> list[Text]:
    """Draw the board: two lines a rank, five columns a square, letters of the files below."""
    heights, closed = read_heights(position), unplayable_squares(position)
    pieces = piece_marks(position)
    lines = []
    for rank in reversed(range(SIDE)):
        upper, lower = Text(f" {rank + 1} "), Text("   ")
        for square in ((file, rank) for file in range(SIDE)):
            if square in closed:
                upper.append("/////", f"#8a8d92 on {UNPLAYABLE}")
                lower.append("/////", f"#8a8d92 on {UNPLAYABLE}")
                continue
            height, colour = heights[square], terminal_shade(heights[square])
            weight = "bold" if height else "not bold"
            upper.append(f"{height or '.':>2}", f"{weight} {ink_on(colour)} on {colour}")
            upper.append(*pieces.get(square, ("   ", f"on {colour}")))
            lower.append("     ", f"on {colour}")
        lines += [upper, lower]
    lines.append(Text("   " + "".join(f" {file}   " for file in "abcdefgh"), "dim"))
    return lines


def piece_marks(position: Mapping[str, Any]) -> dict[Square, tuple[str, str]]:
    """Return for each occupied square what to write there and in which style."""
    marks = {
        square_at(name): (f" {livery.letter} ", f"bold {livery.ink} on {livery.colour}")
        for player, livery in zip(position["players"], liveries(position), strict=True)
        for name in player["knights"]
    }
    if position["king"] is not None:
        marks[square_at(position["king"])] = ("<K>", f"bold {KING_INK} on {KING_COLOUR}")
    return marks


def fitted(text: str, columns: int) -> str:
    """Cut the text to so many columns of a terminal, with an ellipsis where it was cut.

    >>> fitted("Montgomery", 5)
    'Mont…'
    """
    return text if cell_len(text) <= columns else set_cell_size(text, columns - 1).rstrip() + "…"


def side_text(position: Mapping[str, Any], columns: int) -> list[Text]:
    """Write the state of the game and each player's score, knights and stacks, beside the board."""
    headline = f"year {position['year']}, round {position['round']}, phase {position['phase']}"
    lines = [
        Text(headline, "bold"),
        Text(fitted(decision(position), columns)),
        Text(turn_words(position)),
        Text("<K> king, numbers: height", "dim"),
    ]
    knight_count = position["rules"].get("knights", KNIGHT_COUNT)
    for player, livery in zip(position["players"], liveries(position), strict=True):
        is_moving = player["name"] == position["to_move"]
        score = f"{player['score']:>5} points"
        name = set_cell_size(fitted(livery.name, columns - 18), columns - 18)
        title = Text("> " if is_moving else "  ")
        title.append(f" {livery.letter} ", f"bold {livery.ink} on {livery.colour}")
        title.append(f" {name}{score}", "bold")
        standing = len(player["knights"])
        lines += [
            title,
            Text(f"      knights {standing} + {knight_count - standing} in supply"),
            Text(fitted("      " + stack_words(player), columns)),
        ]
    return lines


def stack_words(player: Mapping[str, Any]) -> str:
    """Name the stacks of a player, and blocks kept for the next year."""
    stacks = " ".join(str(stack) for stack in player["stacks"]) or "none"
    return f"stacks {stacks}" + (f" ({player['kept']} kept)" if player["kept"] else "")


def card_text(player: Mapping[str, Any], livery: Livery) -> list[Text]:
    """Write a player's hand, pile and played cards, wrapped to the width of the terminal."""
    hand, played = held_cards(player), counted(player["played"])
    words = f"hand {len(player['hand'])}: {' '.join(hand) or 'empty'}"
    if "deck" in player:
        words += f" | pile {len(player['deck'])}"
    words += f" | played: {' '.join(played) or 'none'}"
    lines = []
    for number, line in enumerate(textwrap.wrap(words, WIDTH - 7)):
        mark = Text("   ") if number else Text(f" {livery.letter} ", f"bold {livery.ink}")
        mark.stylize(f"on {livery.colour}" if number == 0 else "")
        lines.append(Text("  ").append_text(mark).append(f" {line}"))
    return lines


def cards_text(position: Mapping[str, Any]) -> list[Text]:
    """Write all about the cards, or nothing in a game without them."""
    lines = []
    if has_cards(position):
        for player, livery in zip(position["players"], liveries(position), strict=True):
            lines += card_text(player, livery)
    return lines + [Text(f"  {note}") for note in card_notes(position)]


def board_lines(position: Mapping[str, Any]) -> Group:
    """Show a canonical position: board and players side by side, cards and rules below."""
    board = board_text(position)
    board_width = max(line.cell_len for line in board)
    side = side_text(position, WIDTH - board_width - 2)
    for line, note in zip(board, side, strict=False):
        line.append(" " * (board_width - line.cell_len + 2)).append_text(note)
    rules = Text(fitted(rules_words(position), WIDTH - 2), "dim")
    return Group(*board, Text(""), *cards_text(position), Text("  ").append_text(rules))
