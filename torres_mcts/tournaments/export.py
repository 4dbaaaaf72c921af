"""The games of a tournament for other programs: JSON lines, a game each, or CSV, a seat of a game each."""

import csv
import io
from collections.abc import Iterable
from typing import Any

from torres_mcts.core.files import to_json
from torres_mcts.tournaments.block import PlayedGame
from torres_mcts.tournaments.spec import Spec

GAME_COLUMNS = ("config", "block", "lineup", "rotation")
SEAT_COLUMNS = ("seat", "agent", "score", "rank", "seconds", "decisions", "error", "seed")


def to_dict(spec: Spec, game: PlayedGame) -> dict[str, Any]:
    """Return all that is known of a game; lists are by seat."""
    forfeit = game.forfeit
    return {
        "config": spec.config_hash(game.lineup),
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
    return "".join(to_json(to_dict(spec, game), indent=None) for game in games)


def to_csv(spec: Spec, games: Iterable[PlayedGame]) -> str:
    """Return a line for each seat of each game; a forfeit's error and seed are with its seat."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*GAME_COLUMNS, *SEAT_COLUMNS])
    for game in games:
        data = to_dict(spec, game)
        for seat, agent in enumerate(game.agents):
            values = [data[name][seat] for name in ("scores", "ranks", "seconds", "decisions")]
            forfeit = game.forfeit if game.forfeit is not None and game.forfeit.seat == seat else None
            failed = ["", ""] if forfeit is None else [forfeit.error, forfeit.seed]
            shared = [data["config"], game.block, " ".join(game.lineup), game.rotation]
            writer.writerow([*shared, seat, agent, *values, *failed])
    return file.getvalue()
