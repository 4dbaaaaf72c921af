"""The games of a tournament for other programs: JSON lines, a game each, CSV, a seat of a game each, or a record."""

import csv
import io
from collections.abc import Iterable
from typing import Any

from torres_mcts.core.files import to_json
from torres_mcts.games.torres.format.encode import DEFAULT_NAMES
from torres_mcts.games.torres.position import Position
from torres_mcts.games.torres.record import GameRecord
from torres_mcts.tournaments.block import PlayedGame
from torres_mcts.tournaments.game import deal_seed
from torres_mcts.tournaments.schedule import list_lineups
from torres_mcts.tournaments.spec import Spec

GAME_COLUMNS = ("game", "config", "block", "lineup", "rotation")
SEAT_COLUMNS = ("seat", "agent", "score", "rank", "seconds", "decisions", "error", "seed")


def to_dict(config: str, game: PlayedGame) -> dict[str, Any]:
    """Return all that is known of a game; lists are by seat."""
    forfeit = game.forfeit
    return {
        "game": game.id,
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
        shared = [game.id, hashes[game.lineup], game.block, " ".join(game.lineup), game.rotation]
        for seat, agent in enumerate(game.agents):
            values = [result.scores[seat], ranks[seat], result.seconds[seat], result.decisions[seat]]
            forfeit = game.forfeit if game.forfeit is not None and game.forfeit.seat == seat else None
            failed = ["", ""] if forfeit is None else [forfeit.error, forfeit.seed]
            writer.writerow([*shared, seat, agent, *values, *failed])
    return file.getvalue()


def to_record(spec: Spec, game: PlayedGame) -> GameRecord:
    """Return the record of a game with its actions, up to the fault where it was lost by forfeit.

    A player has the colour of the seat and the agent as a name. The record is played through: what does not lead to
    the scores that were stored is refused.
    """
    seed = deal_seed(spec.seed, game.block)
    names = {colour: f"{colour}-{agent}" for colour, agent in zip(DEFAULT_NAMES, game.agents, strict=False)}
    renamed = {f"first:{colour}": f"first:{name}" for colour, name in names.items()}
    record = GameRecord(
        Position.new(spec.rules, seed=seed, names=tuple(names.values())),
        tuple(renamed.get(action, action) for action in game.actions),
        seed,
        game.result.scores,
    )
    record.replay()
    return record
