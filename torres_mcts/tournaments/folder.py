"""The folder of a run: a copy of the spec and the store of the games."""

from dataclasses import dataclass, replace
from pathlib import Path

from torres_mcts.core.errors import FileError, shorten, suggest
from torres_mcts.core.files import name_of
from torres_mcts.tournaments.block import PlayedGame
from torres_mcts.tournaments.spec import Spec, load_spec
from torres_mcts.tournaments.storage.folders import RESULTS, find_run, open_run
from torres_mcts.tournaments.store import Store

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
    return open_run(folder, SPEC_FILE, text, lambda: Store(folder / GAMES_FILE), lambda store: store.bind(spec))


def read_run(text: str, results: Path = RESULTS) -> Run:
    """Return a run by its folder, or by its name under results."""
    folder = find_run(text, SPEC_FILE, results)
    with Store(folder / GAMES_FILE, is_read_only=True) as store:
        spec = load_spec(folder / SPEC_FILE, store.agent_hashes())
        return Run(folder, spec, store.games(spec))


def read_game(run: Run, game_id: str) -> PlayedGame:
    """Return a game of a run by its id, with its actions."""
    games = {game.id: game for game in run.games}
    if game_id not in games:
        hint = suggest(game_id, games) or "; torres-tournament export lists all"
        raise FileError(f"{name_of(run.folder)}: has no game {shorten(game_id)}{hint}")
    game = games[game_id]
    with Store(run.folder / GAMES_FILE, is_read_only=True) as store:
        return replace(game, actions=store.actions(run.spec.config_hash(game.lineup), game))
