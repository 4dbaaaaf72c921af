"""Whatever is in a file: a position that is written as it is read, or one line that says what is wrong."""

import copy
import json
import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.games.torres.spoiling import POSITIONS, change, error_of
from tests.strategies import CARDS, SQUARES, read_vectors
from torres_mcts import FileError, Position, PositionError, RulesError, TorresError

VECTORS = read_vectors("positions.jsonl")
TURN = json.dumps(POSITIONS["turn"])
SECONDS = 10  # more is a hang
MIB = 2**20

Load = Callable[[bytes], Position]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Load a position from a file with some bytes."""
    path = tmp_path / "position.json"

    def load_bytes(data: bytes) -> Position:
        path.write_bytes(data)
        start = time.perf_counter()
        try:
            return Position.load(path)
        except TorresError as error:
            check_message(str(error), path)
            raise
        finally:
            assert time.perf_counter() - start < SECONDS

    return load_bytes


def check_message(message: str, path: Path) -> None:
    """Check that a message is one short line that begins with the name of the file."""
    assert message.startswith(f"{path}: ")
    assert message.isprintable()  # so it has no line breaks either
    assert len(message) < len(str(path)) + 500


def survives(load: Load, data: bytes) -> bool:
    """Check that a file is refused cleanly or makes a sound position; tell which."""
    try:
        position = load(data)
    except TorresError:
        return False
    written = position.to_dict()
    assert Position.from_dict(written).to_dict() == written
    assert str(position)
    assert all(action.isprintable() for action in position.legal_actions() if not action.startswith("first"))
    assert position.determinize(1).is_known
    return True


# Files that are no JSON

NO_JSON = {
    "empty": (b"", "empty; expected a JSON object"),
    "white space": (b" \n\t\r\n", "empty; expected a JSON object"),
    "only a byte order mark": (b"\xef\xbb\xbf", "empty; expected a JSON object"),
    "words": (b"a position", "not JSON: Expecting value in line 1, column 1"),
    "XML": (b"<position/>", "not JSON: Expecting value in line 1, column 1"),
    "two objects": (TURN.encode() * 2, "not JSON: Extra data in line 1"),
    "a comma too many": (TURN.encode()[:-1] + b",}", "not JSON: "),
    "single quotes": (TURN.replace('"', "'").encode(), "not JSON: "),
    "a comment": (b"// turn\n" + TURN.encode(), "not JSON: Expecting value in line 1, column 1"),
    "a line break in a text": (TURN.replace("red", "r\ned").encode(), "not JSON: Invalid control character"),
    "an unknown escape": (TURN.replace("red", "\\x41").encode(), "not JSON: Invalid \\escape"),
    "a NUL byte": (b"\0", "not JSON: Expecting value in line 1, column 1"),
    "a NUL byte after the object": (TURN.encode() + b"\0", "not JSON: Extra data"),
    "a million NUL bytes": (bytes(MIB), "not JSON: "),
    "a leading zero": (TURN.replace('"ap": 5', '"ap": 05').encode(), "not JSON: "),
    "a plus sign": (TURN.replace('"ap": 5', '"ap": +5').encode(), "not JSON: "),
    "UTF-16": (TURN.encode("utf-16"), "not UTF-8 text (byte 0); save the file as UTF-8"),
    "UTF-16 without a mark": (TURN.encode("utf-16-le"), "not JSON: "),
    "UTF-32": (TURN.encode("utf-32"), "not UTF-8 text (byte 0)"),
    "Latin-1": (TURN.replace("red", "r\u00f6t").encode("latin-1"), "not UTF-8 text (byte "),
    "half a sign": (b'"\xc3', "not UTF-8 text (byte 1)"),
    "an overlong NUL": (b"\xc0\x80", "not UTF-8 text (byte 0)"),
    "an encoded surrogate": (b'"\xed\xa0\x80"', "not UTF-8 text (byte 1)"),
    "NaN": (TURN.replace('"ap": 5', '"ap": NaN').encode(), "NaN is not a number of JSON; write a whole number"),
    "infinity": (TURN.replace('"ap": 5', '"ap": Infinity').encode(), "Infinity is not a number of JSON"),
    "minus infinity": (TURN.replace('"ap": 5', '"ap": -Infinity').encode(), "-Infinity is not a number of JSON"),
    "a number of 5000 digits": (TURN.replace('"ap": 5', f'"ap": {10**4000}{10**1000}').encode(), "thousands of digits"),
    "a key twice": (TURN.replace('"king"', '"rules"').encode(), "the key 'rules' occurs twice in one object"),
    "a key twice in a player": (b'{"players": [{"name": 1, "name": 1}]}', "the key 'name' occurs twice"),
    "a key of two lines twice": (b'{"a\\nb": 1, "a\\nb": 1}', "the key 'a\\nb' occurs twice"),
    "a long key twice": (b'{"%b": 1, "%b": 1}' % (b"x" * MIB, b"x" * MIB), "occurs twice in one object"),
    "100000 lists in each other": (b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
    "100000 open lists": (b"[" * 100_000, "nested too deeply"),
    "100000 objects in each other": (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested too deeply"),
    "17 MiB": (b" " * 17 * MIB, "larger than 16 MiB; a position has a few kilobytes"),
}


@pytest.mark.parametrize(("data", "problem"), NO_JSON.values(), ids=list(NO_JSON))
def test_a_file_that_is_no_json_is_refused(load: Load, data: bytes, problem: str) -> None:
    with pytest.raises(FileError) as caught:
        load(data)
    assert problem in str(caught.value)


def test_a_file_cut_off_anywhere_is_refused(load: Load) -> None:
    data = TURN.encode()
    for length in range(len(data)):
        with pytest.raises(FileError, match=r"empty|not JSON"):
            load(data[:length])


def test_a_byte_order_mark_does_no_harm(load: Load) -> None:
    assert load(b"\xef\xbb\xbf" + TURN.encode()) == Position.from_dict(POSITIONS["turn"])


def test_a_file_may_be_written_in_escapes(load: Load) -> None:
    data = json.dumps(change(POSITIONS["turn"], {"players.0.name": "\U0001f3f0"}), ensure_ascii=True)
    assert load(data.encode()).names[0] == "\U0001f3f0"


# Names that are no files


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("missing.json", "cannot be read: No such file or directory"),
        ("", "cannot be read: "),
        ("folder", "cannot be read: Is a directory"),
        ("x" * 5000, "cannot be read: File name too long"),
        ("nul\0byte", "not a file name: embedded null byte"),
        ("two\nlines", "two\\nlines: cannot be read: No such file or directory"),
        ("\udcff", "\\udcff: cannot be read: No such file or directory"),
    ],
    ids=["missing", "empty", "a folder", "too long", "with a NUL", "of two lines", "not UTF-8"],
)
def test_a_name_that_is_no_file_is_refused(tmp_path: Path, name: str, problem: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(FileError) as caught:
        Position.load(os.path.join(tmp_path, name) if name else "")
    assert problem in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_name_with_a_nul_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="not a file name: embedded null byte"):
        Position.from_dict(POSITIONS["turn"]).save(tmp_path / "nul\0byte")


def test_a_folder_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be written: Is a directory"):
        Position.from_dict(POSITIONS["turn"]).save(tmp_path)
    assert not list(tmp_path.iterdir())


# JSON that is no position


@pytest.mark.parametrize("data", ["[]", "5", '"2017"', "null", "true", "1.5", "[[]]", "1e999", "-1"])
def test_a_file_without_an_object_is_refused(load: Load, data: str) -> None:
    with pytest.raises(PositionError, match="expected a JSON object that describes a position"):
        load(data.encode())


PLACES = {
    **{field: field for field in ("format", "rules", "year", "round", "phase", "to_move", "first", "heights", "king")},
    **{field: field for field in ("players", "turn", "deck", "viewpoint")},
    **{
        f"players.0.{field}": f"players[0].{field}" for field in ("name", "score", "knights", "stacks", "hand", "fresh")
    },
    **{f"players.0.{field}": f"players[0].{field}" for field in ("deck", "played", "kept")},
    **{f"turn.{field}": f"turn.{field}" for field in ("ap", "in_use", "bought", "cards_played", "drawn")},
    **{f"rules.{field}": f"rules.{field}" for field in ("preset", "players", "stacks", "deck", "playable", "cards")},
    **{f"rules.{field}": f"rules.{field}" for field in ("start_castles", "master_card", "king_level", "blocks")},
}
HOSTILE: dict[str, Any] = {
    "400 lists in each other": "[" * 400 + "]" * 400,
    "400 objects in each other": '{"a":' * 400 + "1" + "}" * 400,
    "a list of lists": "[[[[]]]]",
    "an infinite number": "1e999",
    "minus an infinite number": "-1e999",
    "the smallest number": "1e-999",
    "minus zero as a fraction": "-0.0",
    "2**63": str(2**63),
    "2**64": str(2**64),
    "minus 2**63": str(-(2**63)),
    "minus one": "-1",
    "a number of 4000 digits": str(10**4000),
    "half a sign": '"\\ud800"',
    "a list with half a sign": '["\\udfff"]',
    "a key with half a sign": '{"\\ud800": 1}',
    "a NUL": '"\\u0000"',
    "line breaks": '"\\n\\u2028\\u0085"',
    "a list of nulls": "[null, null]",
    "a million signs": json.dumps("\u00e4" * MIB),
}


NAMES = ("a NUL", "a million signs")  # odd, but a name may be any text without white space


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_value_is_refused_in_every_field(load: Load, name: str) -> None:
    for place, field in PLACES.items():
        text = json.dumps(change(POSITIONS["turn"], {place: "@@@"})).replace('"@@@"', HOSTILE[name])
        if not (place == "players.0.name" and name in NAMES):
            with pytest.raises((PositionError, RulesError), match=rf": {re.escape(field)}\b"):
                load(text.encode())


FLOODS = {
    "ten MiB of numbers": ("players.0.knights", "[" + "1," * (5 * MIB) + "1]"),
    "ten MiB of squares": ("players.0.knights", "[" + '"c3",' * (2 * MIB) + '"c3"]'),
    "ten MiB of cards": ("players.0.hand", "[" + '"ap6",' * (3 * MIB // 2) + '"ap6"]'),
    "ten MiB of unknown cards": ("players.0.deck", "[" + '"?",' * (5 * MIB // 2) + '"?"]'),
    "ten MiB of stacks": ("players.0.stacks", "[" + "3," * (5 * MIB) + "3]"),
    "ten MiB of players": ("players", "[" + "{}," * (10 * MIB // 3) + "{}]"),
    "ten MiB of rows": ("heights", "[" + '"",' * (10 * MIB // 3) + '""]'),
    "five MiB of unknown fields": ("turn", "{" + ",".join(f'"{number}":0' for number in range(500_000)) + "}"),
    "five MiB of unknown cards in the rules": (
        "rules",
        '{"preset": "2017", "deck": {' + ",".join(f'"{number}":0' for number in range(500_000)) + "}}",
    ),
    "ten MiB of start castles": ("rules", '{"preset": "2017", "start_castles": [' + '"c3",' * (2 * MIB) + '"c3"]}'),
    "a million brackets of years": ("rules", '{"preset": "2017", "stacks": [' + "[]," * (MIB // 2) + "[]]}"),
    "a row of ten MiB": ("heights", json.dumps(["1" * 10 * MIB] * 1 + ["........"] * 7)),
    "a phase of ten MiB": ("phase", json.dumps("turn" * (2 * MIB))),
    "a card of ten MiB": ("players.0.hand", json.dumps(["x" * 10 * MIB])),
    "a square of ten MiB": ("king", json.dumps("e" * 10 * MIB)),
}


@pytest.mark.parametrize(("place", "value"), FLOODS.values(), ids=list(FLOODS))
def test_a_flood_is_refused_at_once(load: Load, place: str, value: str) -> None:
    text = json.dumps(change(POSITIONS["turn"], {place: "@@@"})).replace('"@@@"', value)
    with pytest.raises(error_of(place), match=place.split(".")[0]):
        load(text.encode())


# Random damage


def damage_bytes(random: Random, data: bytes) -> bytes:
    """Change, drop, double or swap a few bytes."""
    result = bytearray(data)
    for _ in range(random.choice([1, 1, 1, 2, 5, 20])):
        place = random.randrange(len(result))
        kind = random.randrange(6)
        if kind == 0:
            result[place] = random.randrange(256)
        elif kind == 1:
            result[place] ^= 1 << random.randrange(8)
        elif kind == 2:
            del result[place : place + random.choice([1, 1, 2, 8])]
        elif kind == 3:
            result[place:place] = result[place : place + random.choice([1, 4, 16])]
        elif kind == 4:
            result[place : place + 1] = random.choice([b"0", b"1", b"9", b"-", b"?", b'"', b"[", b"}", b",", b"null"])
        else:
            result[place : place + 2] = bytes(reversed(result[place : place + 2]))
    return bytes(result)


@pytest.mark.parametrize("seed", range(3))
def test_a_file_with_damaged_bytes_is_refused_cleanly_or_sound(load: Load, seed: int) -> None:
    random = Random(seed)
    outcomes = [survives(load, damage_bytes(random, json.dumps(pick(random)).encode())) for _ in range(700)]
    assert {True, False} == set(outcomes)


def pick(random: Random) -> Any:
    """Return one of the vectors' positions."""
    return random.choice(VECTORS)["position"]


ODD_VALUES: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    2,
    3,
    4,
    9,
    10,
    99,
    -1,
    1.0,
    2**63,
    "",
    "?",
    "red",
    "blue",
    "e4",
    "a1",
]
ODD_VALUES += ["turn", "keep", "king", "first", "over", "knights", "castles", "placed", "random", "2017", [], {}, [[]]]
ODD_VALUES += [*CARDS, *SQUARES[::9], ["ap6"], ["?"], ["c3"], [3], [3, 3, 3], {"ap": 1}, "........", "11111111"]


def places_of(value: Any) -> list[tuple[Any, Any]]:
    """List every place inside a value: the list or object, and the index or key."""
    items = (
        list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    )
    return [(value, key) for key, _ in items] + [place for _, inner in items for place in places_of(inner)]


def damage_structure(random: Random, data: Any) -> Any:
    """Change, drop, double, swap or borrow a few values."""
    result = copy.deepcopy(data)
    donor = places_of(pick(random))
    for _ in range(random.choice([1, 1, 2, 3, 8])):
        owner, key = random.choice(places_of(result) or [({}, None)])
        kind = random.randrange(6)
        if kind == 0:
            owner[key] = copy.deepcopy(random.choice(ODD_VALUES))
        elif kind == 1 and key is not None:
            del owner[key]
        elif kind == 2 and isinstance(owner, list):
            owner.insert(key, owner[key])
        elif kind == 3 and isinstance(owner, list):
            random.shuffle(owner)
        elif kind == 4:
            same = [(other, name) for other, name in donor if name == key]
            other, name = random.choice(same or donor)
            owner[key] = copy.deepcopy(other[name])
        elif isinstance(owner.get(key) if isinstance(owner, dict) else owner[key], int):
            owner[key] += random.choice([-1, 1, 1, 5])
    return result


@pytest.mark.parametrize("seed", range(3))
def test_a_file_with_damaged_values_is_refused_cleanly_or_sound(load: Load, seed: int) -> None:
    random = Random(seed)
    outcomes = [survives(load, json.dumps(damage_structure(random, pick(random))).encode()) for _ in range(700)]
    assert {True, False} == set(outcomes)
