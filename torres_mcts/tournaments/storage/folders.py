"""The folder of a run: a copy of the file that says what is played, beside the database of the games."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from torres_mcts.core.errors import FileError, suggest
from torres_mcts.core.files import name_of, write_text
from torres_mcts.tournaments.storage.database import Database

RESULTS = Path("results")
Opened = TypeVar("Opened", bound=Database)


def open_run(
    folder: Path, file: str, text: str, database: Callable[[], Opened], bind: Callable[[Opened], None]
) -> Opened:
    """Make a folder, or take the one that is there; open and bind its database, then keep a copy of the text there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{name_of(folder)}: cannot be made: {error.strerror or error}") from None
    opened = database()
    try:
        bind(opened)
        write_text(folder / file, text)
    except BaseException:
        opened.connection.close()
        raise
    return opened


def find_run(text: str, file: str, results: Path = RESULTS) -> Path:
    """Return the folder of a run, given as such or by its name under results; it is the one that has a file."""
    folder = next((folder for folder in (Path(text), results / text) if (folder / file).is_file()), None)
    if folder is None:
        known = sorted(path.parent.name for path in results.glob(f"*/{file}"))
        raise FileError(f"{name_of(text)}: is not the folder of a run, nor its name{suggest(text, known)}")
    return folder
