"""The games of a tournament for other programs: JSON lines, a game each, or CSV, a seat of a game each."""

import csv
import io
from collections.abc import Iterable
from typing import Any

from torres_mcts.core.files import to_json
from torres_mcts.tournaments.block import PlayedGame
from torres_mcts.tournaments.schedule import list_lineups
from torres_mcts.tournaments.spec import Spec

GAME_COLUMNS = ("config", "block", "lineup", "rotation")
SEAT_COLUMNS = ("seat", "agent", "score", "rank", "seconds", "decisions", "error", "seed")


def to_dict(config: str, game: PlayedGame) -> dict[str, Any]:
    """Return all that is known of a game; lists are by seat."""
    forfeit = game.forfeit
    return {
        "config": config,
        "block": game.block,
        "lineup": list(game.lineup),
        "rotation": game.rotation,
        "agents": list(game.agents),
        "scores": list(game.result.scores),
        "ranks": list(game.outcome.ranks),
        "seconds": list(game.result.seconds),
        "decisions": list(game.result.decisions),
        "forfeit": None if forfeit is None else {"seat": forfeit.seat, "error": forfeit.error, "seed": forfeit.seed},
    }


def to_json_lines(spec: Spec, games: Iterable[PlayedGame]) -> str:
    """Return a line for each game."""
    hashes = spec.config_hashes(list_lineups(spec))
    return "".join(to_json(to_dict(hashes[game.lineup], game), indent=None) for game in games)


def to_csv(spec: Spec, games: Iterable[PlayedGame]) -> str:
    """Return a line for each seat of each game; a forfeit's error and seed are with its seat."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*GAME_COLUMNS, *SEAT_COLUMNS])
    hashes = spec.config_hashes(list_lineups(spec))
    for game in games:
        result, ranks = game.result, game.outcome.ranks
        shared = [hashes[game.lineup], game.block, " ".join(game.lineup), game.rotation]
        for seat, agent in enumerate(game.agents):
            values = [result.scores[seat], ranks[seat], result.seconds[seat], result.decisions[seat]]
            forfeit = game.forfeit if game.forfeit is not None and game.forfeit.seat == seat else None
            failed = ["", ""] if forfeit is None else [forfeit.error, forfeit.seed]
            writer.writerow([*shared, seat, agent, *values, *failed])
    return file.getvalue()
