"""Tests of the drawn board: what stands where, hostile names, files that are always the same."""

import copy
import json
import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import matplotlib
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Patch, PathPatch
from matplotlib.text import Text

from torres_mcts.plotting.board import draw_board, save_board
from torres_mcts.plotting.geometry import find_castles, outline_loops
from torres_mcts.plotting.terminal import COLOURS, liveries, read_heights, shade, square_at

VECTORS = Path(__file__).resolve().parents[3] / "shared" / "vectors" / "positions.jsonl"
NO_TURN: dict[str, Any] = {"ap": 0, "in_use": None, "bought": 0, "cards_played": 0, "drawn": []}

# The squares a1, b1, b2 form one castle, d4 to f6 a ring round bare e5, h8 touches no other.
HEIGHTS = [
    ".......A",
    "........",
    "...111..",
    "...1.2..",
    "...111..",
    "........",
    ".3......",
    "12......",
]


def make_position(names: tuple[str, ...] = ("red", "blue"), **changes: Any) -> dict[str, Any]:
    """Return a canonical position of the own-deck game, with fields changed as wanted."""
    squares = [["a1", "c1"], ["f5", "h1"], ["h7"], ["a8"]]
    players = [
        {"name": name, "score": 10 + seat, "knights": squares[seat], "stacks": [3, 2, 0]}
        | {"hand": ["climb", "?", "?"], "fresh": [], "deck": ["?"] * 7, "played": [], "kept": 0}
        for seat, name in enumerate(names)
    ]
    players[0] |= {"hand": ["climb", "jump"], "fresh": ["jump"], "played": ["ap6", "gate"]}
    position: dict[str, Any] = {
        "format": "torres-position/1",
        "rules": {"preset": "2017", "players": len(names)},
        "year": 2,
        "round": 3,
        "phase": "turn",
        "to_move": names[0],
        "first": names[1],
        "heights": HEIGHTS,
        "king": "h8",
        "players": players,
        "turn": {"ap": 3, "in_use": 2, "bought": 1, "cards_played": 0, "drawn": []},
    }
    return position | changes


def sampled_positions() -> list[Any]:
    """Return the first vector of every preset and number of players, phase, and special kind."""
    if not VECTORS.exists():
        return []
    sample: dict[Any, Any] = {}
    for line in VECTORS.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        rules = case["position"]["rules"]
        kinds = [(rules["preset"], rules["players"]), case["position"]["phase"], *rules]
        kinds += ["extreme"] if "extreme" in case["id"] else []
        for kind in kinds:
            sample.setdefault(kind, case)
    chosen = {case["id"]: case["position"] for case in sample.values()}
    return [pytest.param(position, id=name) for name, position in chosen.items()]


def text_of(figure: Figure, gid: str) -> Text:
    """Return the text with this gid."""
    return next(text for text in figure.findobj(Text) if text.get_gid() == gid)


def patch_of(figure: Figure, gid: str) -> Patch:
    """Return the patch with this gid."""
    return next(patch for patch in figure.findobj(Patch) if patch.get_gid() == gid)


def gids(figure: Figure, prefix: str) -> set[str]:
    """Return the gids that start like this, without their start."""
    found = (artist.get_gid() or "" for artist in figure.findobj())
    return {gid.removeprefix(prefix) for gid in found if gid.startswith(prefix)}


def nearest_square(figure: Figure, patch: Patch) -> tuple[int, int]:
    """Return the square on which a patch of the board is centred."""
    (x0, y0), (x1, y1) = patch.get_path().get_extents().get_points()
    return round((x0 + x1) / 2), round((y0 + y1) / 2)


def test_every_height_is_written_on_its_own_square() -> None:
    position = make_position()
    figure = draw_board(position)
    towers = {square: height for square, height in read_heights(position).items() if height}
    assert {square_at(name) for name in gids(figure, "height-")} == set(towers)
    for name in gids(figure, "height-"):
        text = text_of(figure, f"height-{name}")
        x, y = text.get_position()
        assert text.get_text() == str(towers[square_at(name)])
        assert (round(x), round(y)) == square_at(name)


def test_heights_above_35_are_written_in_full() -> None:
    figure = draw_board(make_position(king=None, heights=["$......A"] + ["........"] * 7))
    assert text_of(figure, "height-a8").get_text() == "64"
    assert text_of(figure, "height-h8").get_text() == "36"


def test_shades_darken_with_every_storey_that_occurs_in_play() -> None:
    def brightness(height: int) -> int:
        return sum(bytes.fromhex(shade(height)[1:]))

    assert [brightness(h) for h in range(65)] == sorted(map(brightness, range(65)), reverse=True)
    assert len({shade(height) for height in range(20)}) == 20


def test_knights_stand_on_their_squares_in_their_players_colours() -> None:
    names = ("red", "blue", "green", "yellow")
    position = make_position(names)
    figure = draw_board(position)
    for seat, player in enumerate(position["players"]):
        for name in player["knights"]:
            knight = patch_of(figure, f"knight-{seat}-{name}")
            assert nearest_square(figure, knight) == square_at(name)
            assert to_hex(knight.get_facecolor()) == COLOURS[names[seat]][0]
            letter = text_of(figure, f"knight-{seat}-{name}-letter")
            assert letter.get_text() == names[seat][0].upper()
    drawn = {gid for gid in gids(figure, "knight-") if not gid.endswith("letter")}
    assert len(drawn) == sum(len(player["knights"]) for player in position["players"])


def test_players_differ_in_colour_shape_and_letter() -> None:
    worn = liveries(make_position(("Ann", "Anna", "yellow", "Nan")))
    assert len({livery.colour for livery in worn}) == 4
    assert len({livery.shape for livery in worn}) == 4
    assert [livery.letter for livery in worn] == ["A", "N", "Y", "B"]
    assert worn[2].colour == COLOURS["yellow"][0]


def test_king_stands_on_his_square_and_wears_a_crown() -> None:
    figure = draw_board(make_position())
    assert nearest_square(figure, patch_of(figure, "king-h8")) == (7, 7)
    assert nearest_square(figure, patch_of(figure, "king-h8-crown")) == (7, 7)


def test_no_king_is_drawn_before_he_is_on_the_board() -> None:
    assert gids(draw_board(make_position(king=None)), "king-") == set()


def test_castles_are_bodies_with_their_area() -> None:
    figure = draw_board(make_position())
    assert gids(figure, "castle-") == {"a1", "d4", "h8"}
    areas = {text_of(figure, f"area-{name}").get_text() for name in gids(figure, "area-")}
    assert areas == {"×3", "×8"}


def test_castles_that_touch_by_a_corner_are_two() -> None:
    assert len(find_castles({(0, 0): 1, (1, 1): 1, (0, 1): 0, (1, 0): 0})) == 2


def test_a_castle_round_a_courtyard_has_two_outlines() -> None:
    ring = {(x, y) for x in range(3) for y in range(3)} - {(1, 1)}
    assert sorted(len(loop) for loop in outline_loops(ring)) == [4, 12]


def test_a_castle_pinched_at_a_corner_keeps_its_courtyard_apart() -> None:
    # The courtyard b2 touches the outside at c3 by a corner only.
    hook = {(x, y) for x in range(3) for y in range(3)} - {(1, 1), (2, 2)}
    loops = outline_loops(hook)
    assert sum(len(loop) for loop in loops) == 16
    for loop in loops:
        steps = zip(loop, [*loop[1:], loop[0]], strict=True)
        assert all(abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 for a, b in steps)


def test_every_square_of_a_castle_lies_inside_its_outline() -> None:
    figure = draw_board(make_position())
    outline = patch_of(figure, "castle-d4")
    assert isinstance(outline, PathPatch)
    assert outline.get_path().contains_point((3, 3))
    assert outline.get_path().get_extents().bounds == pytest.approx((2.535, 2.535, 2.93, 2.93))


def test_squares_out_of_play_are_hatched() -> None:
    files, ranks = "abcdefgh", "12345678"
    playable = [f + r for f in files for r in ranks if f + r not in ("b8", "g3")]
    rules = {"preset": "2017", "players": 2, "playable": playable}
    figure = draw_board(make_position(rules=rules))
    assert gids(figure, "unplayable-") == {"b8", "g3"}
    assert patch_of(figure, "unplayable-b8").get_hatch()


def test_panel_tells_the_state_of_the_game() -> None:
    figure = draw_board(make_position())
    expected = {
        "date": "Year 2 · Round 3",
        "phase": "phase turn",
        "decision": "red to move",
        "turn": "3 AP left, 2 blocks in use",
        "rules": "rules 2017, 2 players",
        "notes": "* bought in this turn",
        "name-1": "blue",
        "score-0": "10",
        "knights-0": "2 on board, 4 left",
        "hand-1": "hand 3",
        "pile-1": "pile 7",
        "played-0": "ap6, gate",
        "played-1": "none",
    }
    assert {gid: text_of(figure, gid).get_text() for gid in expected} == expected
    written = [text.get_text() for text in figure.axes[1].texts]
    assert {"climb", "jump*", "?×2"} <= set(written)


def test_an_empty_board_before_the_castles_are_placed() -> None:
    position = make_position(phase="castles", heights=["........"] * 8, king=None, turn=NO_TURN, year=1, round=1)
    for player in position["players"]:
        player["knights"] = []
    figure = draw_board(position)
    assert gids(figure, "castle-") == gids(figure, "height-") == gids(figure, "knight-") == set()
    assert text_of(figure, "decision").get_text() == "red places a start castle"


def test_a_finished_game_names_the_winner() -> None:
    figure = draw_board(make_position(phase="over", to_move=None, turn=NO_TURN))
    assert text_of(figure, "decision").get_text() == "blue wins"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("$x_1$", "$x_1$"),
        ("$\\frac{", "$\\frac{"),
        ("[bold]", "[bold]"),
        ("a\x1b[31m", "a\\x1b[31m"),
        ("\u202eevil", "\\u202eevil"),
        ("<&'\">", "<&'\">"),
        ("漢", "\\u6f22"),
        ("\ud800", "\\ud800"),
    ],
)
def test_hostile_names_are_shown_as_they_are(name: str, shown: str, tmp_path: Path) -> None:
    position = make_position((name, "blue"))
    target = tmp_path / "board.svg"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        save_board(position, target, title=f"{name} begins")
    ElementTree.parse(target)
    figure = draw_board(position, title=f"{name} begins")
    assert text_of(figure, "name-0").get_text() == shown
    assert text_of(figure, "title").get_text() == f"{shown} begins"
    assert not any(text.get_parse_math() for text in figure.findobj(Text) if text.get_gid())


def test_long_names_end_with_an_ellipsis() -> None:
    figure = draw_board(make_position(("W" * 5000, "blue")))
    shown = text_of(figure, "name-0").get_text()
    assert shown.startswith("WWWW")
    assert shown.endswith("…")
    assert_texts_fit(figure)


def assert_texts_fit(figure: Figure) -> None:
    """Check that nothing is written over the edge of the figure or of the player cards."""
    panel = figure.axes[1]
    board_end = panel.get_window_extent().x0
    card_end = panel.transData.transform((370, 0))[0]
    for text in panel.texts:
        box = text.get_window_extent()
        assert box.x0 >= board_end - 1, text
        assert box.x1 <= card_end + 1, text
    for text in figure.axes[0].texts:
        assert text.get_gid() == "title" or text.get_window_extent().x1 < board_end, text


def test_crowded_player_cards_keep_within_their_bounds() -> None:
    position = make_position(("red", "blue", "green", "yellow"), viewpoint="red")
    position["rules"] |= {"knights": 16, "master_card": "different-levels", "playable": []}
    position["rules"] |= {f"cost_{name}": 9 for name in ("knight", "move", "block", "buy", "score")}
    cards = [f"{card}{number}" for card in ("transfer", "diagonal") for number in range(20)]
    for player in position["players"]:
        player |= {"hand": cards, "played": cards, "stacks": [9] * 8, "score": 9999}
    assert_texts_fit(draw_board(position))


def test_ten_played_cards_are_all_named() -> None:
    position = make_position()
    played = ["ap6", "ap7", "climb", "diagonal", "gate", "jump", "shift", "supply"]
    played += ["transfer", "under"]
    position["players"][1]["played"] = played
    assert text_of(draw_board(position), "played-1").get_text() == ", ".join(played)


@pytest.mark.parametrize("position", sampled_positions())
def test_positions_of_all_presets_can_be_drawn(position: dict[str, Any]) -> None:
    before = copy.deepcopy(position)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = draw_board(position)
        figure.canvas.draw()
    assert position == before
    knights = {gid for gid in gids(figure, "knight-") if not gid.endswith("letter")}
    assert knights == {
        f"{seat}-{name}" for seat, player in enumerate(position["players"]) for name in player["knights"]
    }
    assert (position["king"] is None) == (not gids(figure, "king-"))
    assert_texts_fit(figure)


def test_the_same_position_gives_the_same_file(tmp_path: Path) -> None:
    for suffix in ("svg", "png"):
        save_board(make_position(), tmp_path / f"one.{suffix}", title="Same")
        with matplotlib.rc_context({"font.family": "serif", "svg.fonttype": "none"}):
            save_board(make_position(), tmp_path / f"two.{suffix}", title="Same")
        one, two = ((tmp_path / f"{name}.{suffix}").read_bytes() for name in ("one", "two"))
        assert one == two
    assert b"<dc:date>" not in (tmp_path / "one.svg").read_bytes()


def test_another_process_writes_the_same_svg(tmp_path: Path) -> None:
    code = (
        "import json, sys\n"
        "from torres_mcts.plotting.board import save_board\n"
        "save_board(json.load(sys.stdin), sys.argv[1])\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    root = str(Path(__file__).resolve().parents[2])
    for seed in ("1", "2"):
        subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / f"{seed}.svg")],
            input=json.dumps(make_position()).encode(),
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": root},
            check=True,
        )
    assert (tmp_path / "1.svg").read_bytes() == (tmp_path / "2.svg").read_bytes()


def test_drawing_changes_no_global_setting(tmp_path: Path) -> None:
    before = dict(matplotlib.rcParams)
    save_board(make_position(), tmp_path / "board.svg")
    assert dict(matplotlib.rcParams) == before


def test_saving_leaves_only_the_file(tmp_path: Path) -> None:
    save_board(make_position(), str(tmp_path / "board.PNG"))
    assert [path.name for path in tmp_path.iterdir()] == ["board.PNG"]
    assert (tmp_path / "board.PNG").read_bytes().startswith(b"\x89PNG")


def test_a_failed_save_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "board.png"
    target.write_text("old")

    def fail(*arguments: Any, **options: Any) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(Figure, "savefig", fail)
    with pytest.raises(OSError, match="disk full"):
        save_board(make_position(), target)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]


def test_other_endings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"board\.pdf.*\.png or \.svg"):
        save_board(make_position(), tmp_path / "board.pdf")
