"""Draw the players' panel beside the board, with the lettering and knights that both share."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.patches import FancyBboxPatch, PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Affine2D

from torres_mcts.plotting.geometry import SHAPES, Step
from torres_mcts.plotting.terminal import (
    DARK_INK,
    KNIGHT_COUNT,
    Livery,
    card_notes,
    counted,
    decision,
    has_cards,
    held_cards,
    liveries,
    rules_words,
    shade,
    turn_words,
)

FONT = "DejaVu Sans"  # comes with matplotlib, so pictures agree on all machines
GRAY_INK = "#6b655e"
PIECE_EDGE = "#1a1a1a"
# Lengths in points, the unit of the panel; it is as high as the board and ends with its border.
PANEL_WIDTH, PANEL_HEIGHT = 380.0, 547.0
TOP, FOOT = PANEL_HEIGHT - 6, 38.0
CARD_WIDTH, CARD_HEIGHT, CARD_STEP = 370.0, 99.0, 106.5
LABEL_X, VALUE_X, STACKS_X, END_X = 14.0, 61.0, 230.0, 360.0
HINTING = 1.04  # how much wider than measured a text may come out on a coarse screen
CODES: dict[str, Any] = {"M": Path.MOVETO, "L": Path.LINETO, "Q": Path.CURVE3}


def as_path(steps: list[Step]) -> Path:
    """Return a shape as a path of matplotlib."""
    vertices: list[tuple[float, float]] = []
    codes: list[Any] = []
    start = (0.0, 0.0)
    for letter, points in steps:
        if letter == "Z":
            vertices.append(start)
            codes.append(Path.CLOSEPOLY)
            continue
        start = points[0] if letter == "M" else start
        vertices += points
        codes += [CODES[letter]] * len(points)
    return Path(vertices, codes)


def knight_path(livery: Livery) -> Path:
    """Return the shape of a player's knights, about as wide and high as a circle of radius 1."""
    return Path.unit_circle() if livery.shape == "circle" else as_path(SHAPES[livery.shape])


def write(axes: Axes, x: float, y: float, words: str, size: float, **options: Any) -> None:
    """Write words that are never read as a formula."""
    options = {"color": DARK_INK, "va": "center", "ha": "left"} | options
    axes.text(x, y, words, size=size, family=FONT, parse_math=False, usetex=False, **options)


@cache
def known_signs() -> frozenset[int]:
    """Return the code points that the font can draw."""
    faces = [FontProperties(family=FONT, weight=weight) for weight in ("normal", "bold")]
    plain, bold = (get_font(findfont(face)).get_charmap() for face in faces)
    return frozenset(plain) & frozenset(bold)


def text_width(words: str, size: float, bold: bool = False) -> float:
    """Measure words in points."""
    font = FontProperties(family=FONT, size=size, weight="bold" if bold else "normal")
    measured = text_to_path.get_text_width_height_descent(words, font, ismath=False)
    return HINTING * float(measured[0])


def fitted(words: str, size: float, room: float, bold: bool = False) -> str:
    """Cut words to so many points, with an ellipsis where cut; spell out what the font lacks."""
    words = "".join(
        sign if ord(sign) in known_signs() else sign.encode("unicode_escape").decode()
        for sign in words[:300]  # longer than any line
    )
    if text_width(words, size, bold) <= room:
        return words
    while words and text_width(words + "…", size, bold) > room:
        words = words[:-1]
    return words + "…"


def wrapped(words: str, size: float, room: float, count: int) -> str:
    """Break words into at most so many lines of so many points."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if len(lines) < count and text_width(longer, size) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return "\n".join(fitted(line, size, room) for line in lines)


def draw_knight(
    axes: Axes, livery: Livery, centre: tuple[float, float], radius: float, size: float, *, gid: str
) -> None:
    """Draw a knight in a player's livery: shape, colour and letter, which has this size."""
    x, y = centre
    path = knight_path(livery).transformed(Affine2D().scale(radius).translate(x, y))
    axes.add_patch(PathPatch(path, fc="white", ec="white", lw=size / 3.2, zorder=6, joinstyle="round"))
    piece = PathPatch(path, fc=livery.colour, ec=PIECE_EDGE, lw=size / 10, zorder=7, gid=gid)
    axes.add_patch(piece)
    options = {"ha": "center", "va": "center_baseline", "weight": "bold", "zorder": 8}
    write(axes, x, y, livery.letter, size, color=livery.ink, gid=f"{gid}-letter", **options)


def draw_panel(axes: Axes, position: Mapping[str, Any]) -> None:
    """Draw all that is not on the board: state of the game, one card for each player, rules."""
    draw_state(axes, position)
    top = FOOT + 4 * CARD_STEP - (CARD_STEP - CARD_HEIGHT)
    for seat, livery in enumerate(liveries(position)):
        draw_player(axes, position, seat, livery, top - seat * CARD_STEP)
    notes = fitted("  ·  ".join(card_notes(position)), 8.5, CARD_WIDTH)
    write(axes, 0, FOOT - 14, notes, 8.5, gid="notes")


def draw_state(axes: Axes, position: Mapping[str, Any]) -> None:
    """Write year, round, phase, who decides what, and what is left of the turn."""
    date = f"Year {position['year']} · Round {position['round']}"
    write(axes, 0, TOP - 10, date, 16, weight="bold", gid="date")
    phase = f"phase {position['phase']}"
    write(axes, CARD_WIDTH, TOP - 10, phase, 9, ha="right", color=GRAY_INK, gid="phase")
    turn = turn_words(position)
    write(axes, CARD_WIDTH, TOP - 33, turn, 10.5, ha="right", weight="bold", gid="turn")
    room = CARD_WIDTH - text_width(turn, 10.5, bold=True) - 12
    write(axes, 0, TOP - 33, fitted(decision(position), 11, room), 11, gid="decision")
    rules = wrapped(rules_words(position), 8.5, CARD_WIDTH, 2)
    write(axes, 0, TOP - 48, rules, 8.5, va="top", color=GRAY_INK, gid="rules")


def draw_player(axes: Axes, position: Mapping[str, Any], seat: int, livery: Livery, top: float) -> None:
    """Draw one player's card: name, score, knights, stacks and cards."""
    player = position["players"][seat]
    is_moving = player["name"] == position["to_move"]
    draw_player_card(axes, livery, top, is_moving)
    draw_knight(axes, livery, (24, top - 19), 9, 9, gid=f"swatch-{seat}")
    score = str(player["score"])
    name = fitted(livery.name, 12.5, 190, bold=True)
    write(axes, 42, top - 19, name, 12.5, weight="bold", gid=f"name-{seat}")
    write(axes, END_X, top - 18, score, 18, ha="right", weight="bold", gid=f"score-{seat}")
    roles = [word for word in ("first", "to_move") if player["name"] == position[word]]
    if roles:
        words = ", ".join({"first": "start player", "to_move": "to move"}[role] for role in roles)
        score_start = END_X - text_width(score, 18, bold=True) - 10
        write(axes, score_start, top - 19, words, 8, ha="right", color=GRAY_INK)
    draw_knight_row(axes, position, seat, livery, top - 42)
    draw_stacks(axes, player, position["turn"]["in_use"] if is_moving else None, top - 48)
    if has_cards(position):
        draw_hand(axes, player, seat, top - 61)
        draw_played(axes, player, seat, top - 88)
    else:
        write(axes, LABEL_X, top - 61, "no action cards in this game", 8.5, color=GRAY_INK)


def draw_player_card(axes: Axes, livery: Livery, top: float, is_moving: bool) -> None:
    """Draw the empty card; a dark frame tells the player to move."""
    corner = (0, top - CARD_HEIGHT)
    shape = "round,pad=0,rounding_size=5"
    card = FancyBboxPatch(corner, CARD_WIDTH, CARD_HEIGHT, boxstyle=shape, fc="white", zorder=1)
    card.set(ec=DARK_INK if is_moving else "#d9d4c8", lw=1.8 if is_moving else 0.9)
    axes.add_patch(card)
    axes.add_patch(Rectangle(corner, 6, CARD_HEIGHT, fc=livery.colour, lw=0, zorder=2))
    axes.patches[-1].set_clip_path(card)


def draw_knight_row(axes: Axes, position: Mapping[str, Any], seat: int, livery: Livery, y: float) -> None:
    """Draw the player's knights in small: coloured on the board, hollow in supply."""
    standing = len(position["players"][seat]["knights"])
    count = max(standing, position["rules"].get("knights", KNIGHT_COUNT))
    write(axes, LABEL_X, y, "knights", 8.5, color=GRAY_INK)
    step = min(10.5, 63 / count)
    for index in range(count):
        place = Affine2D().scale(3.6).translate(VALUE_X + 4 + index * step, y)
        knight = PathPatch(place.transform_path(knight_path(livery)), lw=0.7, zorder=3)
        knight.set(fc=livery.colour if index < standing else "white", ec=PIECE_EDGE)
        axes.add_patch(knight)
    words = f"{standing} on board, {count - standing} left"
    write(axes, VALUE_X + 70, y, words, 8.5, gid=f"knights-{seat}")


def draw_stacks(axes: Axes, player: Mapping[str, Any], in_use: int | None, ground: float) -> None:
    """Draw the block stacks as little stacks, the one in use with a frame round it."""
    stacks = list(player["stacks"])
    highest = max([in_use or 0, *stacks], default=0)
    block = 4.2 if highest <= 3 else 13 / highest
    write(axes, STACKS_X, ground + 6, "stacks", 8.5, color=GRAY_INK)
    x = STACKS_X + 36
    for height in stacks:
        draw_stack(axes, x, ground, height, block)
        x += 10.5
    if in_use is not None:
        frame = Rectangle((x + 1, ground - 3), 12, block * max(in_use, 1) + 6, fill=False, zorder=2)
        frame.set(ec=DARK_INK, lw=0.9, linestyle=(0, (2, 1.5)))
        axes.add_patch(frame)
        draw_stack(axes, x + 3, ground, in_use, block)
        x += 15
    words = "" if stacks or in_use is not None else "none"
    if player["kept"]:
        words = f"{player['kept']} kept"
    write(axes, x + 3, ground + 6, words, 8.5)


def draw_stack(axes: Axes, x: float, ground: float, height: int, block: float) -> None:
    """Draw one stack, with its number if it is too high to count; an empty one is only a base."""
    axes.add_patch(Rectangle((x - 0.5, ground - 1), 9, 1, fc=DARK_INK, lw=0, zorder=3))
    for level in range(height):
        top = Rectangle((x, ground + block * level), 8, block, fc=shade(2), ec=DARK_INK, lw=0.7)
        top.set_zorder(3)
        axes.add_patch(top)
    if height > 3:
        write(axes, x + 4, ground + block * height + 4.5, str(height), 6.5, ha="center")


def draw_hand(axes: Axes, player: Mapping[str, Any], seat: int, y: float) -> None:
    """Draw the hand as little cards on at most two lines; hidden ones are dark; and the pile."""
    write(axes, LABEL_X, y, f"hand {len(player['hand'])}", 8.5, color=GRAY_INK, gid=f"hand-{seat}")
    if "deck" in player:
        words = f"pile {len(player['deck'])}"
        write(axes, LABEL_X, y - 13, words, 8.5, color=GRAY_INK, gid=f"pile-{seat}")
    x, rows_left = VALUE_X, 2
    for card in held_cards(player, "×"):
        width = text_width(card, 8) + 8
        if x + width > END_X:
            x, y, rows_left = VALUE_X, y - 13, rows_left - 1
        if rows_left == 0:
            write(axes, END_X, y + 13, "…", 9)
            return
        is_hidden = card.startswith("?")
        chip = FancyBboxPatch((x, y - 5), width, 10, boxstyle="round,pad=0,rounding_size=2.5")
        chip.set(fc="#5b5650" if is_hidden else "#f4efe2", ec="#8c8474", lw=0.7, zorder=3)
        axes.add_patch(chip)
        ink = "white" if is_hidden else DARK_INK
        write(axes, x + width / 2, y - 0.3, card, 8, ha="center", color=ink, zorder=4)
        x += width + 3


def draw_played(axes: Axes, player: Mapping[str, Any], seat: int, y: float) -> None:
    """Write the cards that the player has played."""
    played = ", ".join(counted(player["played"], "×")) or "none"
    write(axes, LABEL_X, y, "played", 8.5, color=GRAY_INK)
    write(axes, VALUE_X, y, fitted(played, 8.5, END_X - VALUE_X), 8.5, gid=f"played-{seat}")
