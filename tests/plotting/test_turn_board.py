"""Tests of turns drawn on the board: every change is marked, and the board agrees with the engine's."""

import random
from pathlib import Path
from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from tests.plotting.full_report import POSITIONS, TURNS
from torres_mcts import Position
from torres_mcts.core.errors import TorresError
from torres_mcts.plotting.page.board_svg import turn_svg
from torres_mcts.plotting.terminal import read_heights, square_at
from torres_mcts.plotting.turn_board import draw_turn, turn_figure
from torres_mcts.plotting.turn_trace import BLOCK, aside_words, board_after, trace_turn

BLUE = ["block:e5", "card:climb:e6-e5", "knight:g6", "move:g6-h6", "card:ap6", "score", "buy"]


def position_of(name: str) -> Position:
    """Return an example in which every card is known."""
    return Position.load(POSITIONS / f"{name}.json").determinize(1)


def texts(figure: Figure, prefix: str) -> dict[str, str]:
    """Return the texts whose gid starts like this, by the rest of it."""
    found = {text.get_gid() or "": text.get_text() for text in figure.findobj(Text)}
    return {gid.removeprefix(prefix): words for gid, words in found.items() if gid.startswith(prefix)}


def gids(figure: Figure, prefix: str) -> set[str]:
    """Return the gids that start like this, without their start."""
    found = (artist.get_gid() or "" for artist in figure.findobj())
    return {gid.removeprefix(prefix) for gid in found if gid.startswith(prefix)}


@pytest.mark.parametrize(("name", "actions"), [(name, turn) for name, turns in TURNS.items() for turn, _ in turns])
def test_the_board_after_a_turn_is_the_engines(name: str, actions: str) -> None:
    position = before = position_of(name)
    for action in actions.split():
        if not action.startswith("end"):
            position = position.play(action)
    trace = trace_turn(before.to_dict(), actions.split())
    assert_same_board(board_after(before.to_dict(), trace), position.to_dict())


@pytest.mark.parametrize("name", ["1999-common-deck", "four-players", "last-turn", "master-game", "middle-game"])
def test_the_board_after_random_actions_is_the_engines(name: str) -> None:
    dice = random.Random(name)
    for seed in range(20):
        position = before = position_of(name)
        actions: list[str] = []
        while position.to_move == before.to_move and len(actions) < 12:
            choices = [action for action in position.legal_actions() if not action.startswith("end")]
            cards = [action for action in choices if action.startswith("card")]
            if not choices:
                break
            actions.append(dice.choice(cards if cards and seed % 2 else choices))
            position = position.play(actions[-1])
        trace = trace_turn(before.to_dict(), actions)
        assert_same_board(board_after(before.to_dict(), trace), position.to_dict())


def assert_same_board(ours: dict, theirs: dict) -> None:
    """Check heights, knights and king."""
    assert ours["heights"] == theirs["heights"]
    assert ours["king"] == theirs["king"]
    for one, other in zip(ours["players"], theirs["players"], strict=True):
        assert sorted(one["knights"]) == sorted(other["knights"])


def test_a_turn_is_marked_on_the_figure() -> None:
    figure = turn_figure(position_of("middle-game").to_dict(), BLUE)
    assert texts(figure, "built-") == {"e5": "+1"}
    assert texts(figure, "new-") == {"h6": "new"}
    assert texts(figure, "card-") == {"e5": "climb"}
    assert gids(figure, "changed-") == {"e5", "e6", "g6", "h6"}
    assert gids(figure, "ghost-") == {"e6", "g6"}
    assert texts(figure, "asides")[""] == "also: card ap6, score 1 point, buy a card"
    assert texts(figure, "height-")["e5"] == "3"


def test_steps_of_one_knight_make_one_way() -> None:
    trace = trace_turn(position_of("last-turn").to_dict(), TURNS["last-turn"][0][0].split())
    ways = [[leg.target for leg in way.legs] for way in trace.ways]
    assert ways == [[square_at(name) for name in ("d7", "c8", "b8", "b7")], [square_at("f1"), square_at("e1")]]


def test_shift_takes_a_block_from_one_square_to_another() -> None:
    trace = trace_turn(position_of("middle-game").to_dict(), ["card:shift:a4-b6"])
    assert trace.built == {square_at("a4"): -1, square_at("b6"): 1}
    assert [way.piece for way in trace.ways] == [BLOCK]


def test_what_is_not_on_the_board_is_said_in_words() -> None:
    position = position_of("middle-game").to_dict()
    assert aside_words(trace_turn(position, ["score", "score", "buy", "keep:climb;top:under"])) == [
        "score 2 points",
        "buy a card",
        "keep climb;top:under",
    ]
    assert trace_turn(position, ["end"]).changed() == []


def test_arrows_go_round_pieces_in_their_way() -> None:
    position = position_of("four-players").to_dict()
    trace = trace_turn(position, ["move:h5-h2"])
    assert trace.bend(trace.ways[0].legs[0])[0] < 7  # knights stand on h3 and h4; inward is to the left
    straight = trace_turn(position, ["move:g6-e5"])
    assert straight.bend(straight.ways[0].legs[0]) == (5, 4.5)


@pytest.mark.parametrize(("action", "message"), [("move:a1-a2", "no knight on a1"), ("block:j9", "not a square")])
def test_actions_that_cannot_be_drawn_are_refused(action: str, message: str) -> None:
    with pytest.raises(TorresError, match=message):
        trace_turn(position_of("middle-game").to_dict(), [action])


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_the_same_turn_gives_the_same_file(suffix: str, tmp_path: Path) -> None:
    for name in ("one", "two"):
        draw_turn(position_of("middle-game").to_dict(), BLUE, tmp_path / f"{name}.{suffix}")
    assert (tmp_path / f"one.{suffix}").read_bytes() == (tmp_path / f"two.{suffix}").read_bytes()
    assert len(list(tmp_path.iterdir())) == 2


def test_other_endings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TorresError, match=r"\.png or \.svg"):
        draw_turn(position_of("middle-game").to_dict(), BLUE, tmp_path / "board.gif")
    assert list(tmp_path.iterdir()) == []


def test_the_small_drawing_shows_every_tower_and_piece() -> None:
    position = position_of("four-players").to_dict()
    root = ElementTree.fromstring(turn_svg(position))
    kinds = [node.get("class") for node in root.iter()]
    towers = [height for height in read_heights(position).values() if height]
    groups = [node for node in root.iter() if node.get("class") == "height"]
    assert sorted(int(text.text or 0) for group in groups for text in group) == sorted(towers)
    assert kinds.count("knight") == sum(len(player["knights"]) for player in position["players"])
    assert kinds.count("king") == 1
    assert not {"changed", "way", "tags", "chips"} & set(kinds)


def test_the_small_drawing_marks_a_turn() -> None:
    drawing = turn_svg(position_of("middle-game").to_dict(), BLUE)
    root = ElementTree.fromstring(drawing)
    kinds = [node.get("class") for node in root.iter()]
    assert kinds.count("changed") == 4
    assert kinds.count("way") == kinds.count("knight ghost") == 2
    assert {"+1", "new", "climb", "card ap6", "score 1 point", "buy a card"} <= {node.text for node in root.iter()}
    assert len(drawing) < 16_000


def test_squares_out_of_play_are_dark_in_the_small_drawing() -> None:
    position = position_of("middle-game").to_dict()
    playable = [file + rank for file in "abcdefgh" for rank in "12345678" if file + rank not in ("b2", "g3")]
    drawing = turn_svg(position | {"rules": position["rules"] | {"playable": playable}})
    assert drawing.count('class="closed"') == 2
