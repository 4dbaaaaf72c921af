"""The folder of a run: a copy of the spec and the store of the games."""

from dataclasses import dataclass
from pathlib import Path

from torres_mcts.core.errors import FileError, suggest
from torres_mcts.core.files import name_of, write_text
from torres_mcts.tournaments.block import PlayedGame
from torres_mcts.tournaments.spec import Spec, load_spec
from torres_mcts.tournaments.store import Store

RESULTS = Path("results")
SPEC_FILE = "spec.toml"
GAMES_FILE = "games.sqlite"


@dataclass(frozen=True)
class Run:
    """A tournament as it is in its folder."""

    folder: Path
    spec: Spec
    games: list[PlayedGame]


def open_folder(folder: Path, spec: Spec, text: str) -> Store:
    """Make the folder of a tournament, or open the one that holds it, and keep a copy of the spec's text there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{name_of(folder)}: cannot be made: {error.strerror or error}") from None
    store = Store(folder / GAMES_FILE)
    try:
        store.bind(spec)
        write_text(folder / SPEC_FILE, text)
    except BaseException:
        store.connection.close()
        raise
    return store


def read_run(text: str, results: Path = RESULTS) -> Run:
    """Return a run by its folder, or by its name under results."""
    folder = next((folder for folder in (Path(text), results / text) if (folder / SPEC_FILE).is_file()), None)
    if folder is None:
        known = sorted(path.parent.name for path in results.glob(f"*/{SPEC_FILE}"))
        raise FileError(f"{name_of(text)}: is not the folder of a run, nor its name{suggest(text, known)}")
    with Store(folder / GAMES_FILE, is_read_only=True) as store:
        spec = load_spec(folder / SPEC_FILE, store.agent_hashes())
        return Run(folder, spec, store.games(spec))
