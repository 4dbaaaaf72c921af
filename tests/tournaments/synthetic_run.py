"""Runs that were never played: a spec, and games with points drawn from known strengths."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tests.tournaments.specs import spec_data, to_toml
from torres_mcts.tournaments.block import PlayedGame
from torres_mcts.tournaments.folder import Run, open_folder
from torres_mcts.tournaments.game import Forfeit, GameResult
from torres_mcts.tournaments.schedule import list_lineups, rotate
from torres_mcts.tournaments.spec import make_spec

FAMILY = {f"search-{size}": f"ismcts:iterations={size}" for size in (50, 100, 200, 400)}
LONG = {f"turns-iterations-{2**k}-temperature-2-abcd": f"turns:iterations={2**k},temperature=2" for k in range(3, 11)}


def synthetic_run(
    folder: Path,
    agents: Mapping[str, str],
    *,
    played: int | None = None,
    step: float = 0.35,
    forfeits: int = 0,
    **changes: Any,
) -> Run:
    """Make a run in which each agent is a step stronger than the one before it.

    played:   blocks; all of them if None
    forfeits: in the first game of so many blocks, seat 0 fails
    """
    data = spec_data(agents=dict(agents), **{"blocks": 30, **changes})
    spec = make_spec(data)
    strengths = {name: step * number for number, name in enumerate(spec.names)}
    luck = np.random.default_rng(spec.seed)
    lineups = list_lineups(spec)
    games = []
    with open_folder(folder, spec, to_toml(data)) as store:
        for block in range(spec.blocks if played is None else played):
            for lineup in lineups:
                block_games = []
                for rotation in range(len(lineup)):
                    values = [strengths[name] for name in rotate(lineup, rotation)] + luck.gumbel(size=len(lineup))
                    values[0] += 0.2  # the first seat is a bit better
                    is_lost = block < forfeits and lineup == lineups[0] and rotation == 0
                    block_games.append(
                        PlayedGame(
                            lineup,
                            block,
                            rotation,
                            GameResult(
                                scores=tuple(int(120 + 25 * value) for value in values),
                                seconds=tuple(float(0.1 + 0.3 * value**2) for value in values),
                                decisions=(30,) * len(lineup),
                            ),
                            Forfeit(0, "RuntimeError: lost <my> way", 17) if is_lost else None,
                        )
                    )
                store.add(spec.config_hash(lineup), block_games)
                games += block_games
    return Run(folder, spec, games)
