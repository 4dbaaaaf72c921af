"""The house rules: imports point down only, modules and folders stay small."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from torres_mcts.core.jit import KERNEL_FOLDERS

PACKAGE = "torres_mcts"
HOUSE = Path(__file__).parents[1] / PACKAGE
FLOORS = [
    {"core"},
    {"games", "search"},
    {"agents"},
    {"analysis", "tournaments"},
    {"studies"},
    {"plotting"},
    {"commands"},
]
FLOOR_OF = {folder: floor for floor, folders in enumerate(FLOORS) for folder in folders}
HOME_OF = {"Position": "games", "Rules": "games"}  # public names that the package itself hands on
LINE_LIMIT = 400
MODULE_LIMIT = 12
ONE_FILE_A_COMMAND = "commands"


def modules(house: Path) -> list[Path]:
    """List every module of a package."""
    return sorted(house.rglob("*.py"))


def imports(source: str, module: list[str]) -> Iterator[str]:
    """List the dotted name of every import of a module, those inside functions included.

    >>> list(imports("from .b import c", ["torres_mcts", "core", "a"]))
    ['torres_mcts.core.b.c']
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = module[: len(module) - node.level] if node.level else []
            name = ".".join([*start, *([node.module] if node.module else [])])
            yield from (f"{name}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in ("import_module", "__import__"):
            yield from (word.value for word in node.args[:1] if isinstance(word, ast.Constant))


def folder_of(name: str) -> str | None:
    """Return the folder of the package that an imported name comes from; None for the package and for others."""
    parts = name.split(".")
    if parts[0] != PACKAGE or len(parts) == 1:
        return None
    return HOME_OF.get(parts[1], parts[1] if parts[1] in FLOOR_OF else None)


def wrong_imports(house: Path) -> list[str]:
    """List the imports of a package that do not point down, and the folders that are on no floor."""
    found = []
    for path in modules(house):
        inside = path.relative_to(house).with_suffix("").parts
        if len(inside) == 1:
            continue  # the package's own __init__ hands on public names
        if inside[0] not in FLOOR_OF:
            found.append(f"{inside[0]} is on no floor")
            continue
        for name in imports(path.read_text(encoding="utf-8"), [PACKAGE, *inside]):
            folder = folder_of(name)
            if folder not in (None, inside[0]) and FLOOR_OF[folder] >= FLOOR_OF[inside[0]]:
                found.append(f"{'.'.join(inside)} imports {name}")
    return found


def test_every_import_points_down() -> None:
    assert wrong_imports(HOUSE) == []


def test_every_module_of_the_package_is_looked_at() -> None:
    assert {"jit.py", "position.py", "playout.py"} <= {path.name for path in modules(HOUSE)}


def plant(house: Path, module: str, source: str) -> Path:
    """Write a module into a synthetic package and return the package."""
    path = house / module
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source, encoding="utf-8")
    return house


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("core/a.py", "import torres_mcts.games.torres.rules"),
        ("core/a.py", "from torres_mcts import search"),
        ("core/a.py", "from torres_mcts import Position"),
        ("core/a.py", "from ..games import torres"),
        ("core/deep/a.py", "from ...commands.main import torres"),
        ("games/torres/a.py", "from torres_mcts.search import playout"),
        ("search/a.py", "from torres_mcts.games.torres import position"),
        ("agents/a.py", "def play():\n    from torres_mcts.analysis import report"),
        ("analysis/a.py", "from torres_mcts.tournaments import run"),
        ("studies/a.py", "if True:\n    import torres_mcts.plotting.board as board"),
        ("plotting/a.py", "import importlib\nimportlib.import_module('torres_mcts.commands.main')"),
    ],
)
def test_a_planted_upward_import_is_found(module: str, source: str, tmp_path: Path) -> None:
    assert len(wrong_imports(plant(tmp_path, module, source))) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("core/a.py", "import numpy\nfrom . import b\nfrom torres_mcts.core.bits import count"),
        ("games/torres/a.py", "from torres_mcts.core import jit\nfrom ..other import rules"),
        ("plotting/a.py", "from torres_mcts import Position\nfrom torres_mcts.studies import balance"),
        ("commands/a.py", "from torres_mcts import __version__, plotting"),
        ("__init__.py", "from torres_mcts.games.torres.position import Position"),
    ],
)
def test_a_planted_downward_import_is_allowed(module: str, source: str, tmp_path: Path) -> None:
    assert wrong_imports(plant(tmp_path, module, source)) == []


def test_a_folder_on_no_floor_is_found(tmp_path: Path) -> None:
    assert wrong_imports(plant(tmp_path, "utils/a.py", "")) == ["utils is on no floor"]


def test_kernels_live_where_the_cache_looks_for_their_sources() -> None:
    homes = {
        path.relative_to(HOUSE).parts[0]
        for path in modules(HOUSE)
        if re.search(r"^@(entry_)?kernel$|^@overload\(", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert homes == set(KERNEL_FOLDERS)


@pytest.mark.parametrize("path", modules(HOUSE), ids=lambda path: str(path.relative_to(HOUSE)))
def test_a_module_is_at_most_400_lines_long(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LINE_LIMIT


@pytest.mark.parametrize(
    "folder",
    sorted({path.parent for path in modules(HOUSE)} - {HOUSE / ONE_FILE_A_COMMAND}),
    ids=lambda path: str(path.relative_to(HOUSE)),
)
def test_a_folder_has_at_most_12_modules(folder: Path) -> None:
    assert len([path for path in folder.glob("*.py") if path.name != "__init__.py"]) <= MODULE_LIMIT
