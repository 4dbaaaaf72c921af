"""How fast tournaments are played: what a second worker brings, and what the store costs."""

import tempfile
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from torres_mcts import __version__
from torres_mcts.games.torres.rules import Rules
from torres_mcts.tournaments.block import Block, PlayedGame, play_block, warm_up_all
from torres_mcts.tournaments.executors import AHEAD, new_executor
from torres_mcts.tournaments.schedule import list_blocks
from torres_mcts.tournaments.spec import Spec, make_spec
from torres_mcts.tournaments.store import Store

AGENT = "greedy:width=8,sweeps=1"
GAMES_A_SECOND = 50  # at which the share of the store is told
STORED_BLOCKS = 500
WORKERS = (1, 2)


def measure_tournament(rules: Rules, *, seconds: float, parts: int, seed: int) -> dict[str, Any]:
    """Measure games per second with one and two workers, turn by turn, and the time that the store takes.

    seconds: of each part, without the start of the workers
    """
    data = rules.to_dict()
    spec = make_spec(
        {
            "name": "bench",
            "format": "round-robin",
            "players": data.pop("players"),
            "blocks": 10**6,
            "seed": seed,
            "agents": {"one": AGENT, "other": AGENT},
            "limit": {"iterations": 1},
            "rules": data,
        }
    )
    warm_up_all(spec)
    rates: dict[int, list[float]] = {workers: [] for workers in WORKERS}
    played: list[list[PlayedGame]] = []
    for _ in range(parts):
        for workers in WORKERS:
            rate, blocks = _measure_part(spec, workers, seconds)
            rates[workers].append(rate)
            played += blocks
    means = {workers: sum(values) / parts for workers, values in rates.items()}
    ratios = [two / one for one, two in zip(rates[1], rates[2], strict=True)]
    stored = _measure_store(spec, played)
    return {
        "version": __version__,
        "agent": AGENT,
        "seed": seed,
        "games_per_second": {str(workers): mean for workers, mean in means.items()},
        "speed_up_2_workers": means[2] / means[1],
        "speed_up_2_workers_range": [min(ratios), max(ratios)],
        "store_seconds_per_game": stored,
        "store_share": stored * GAMES_A_SECOND,
        "store_share_at": GAMES_A_SECOND,
    }


def _measure_part(spec: Spec, workers: int, seconds: float) -> tuple[float, list[list[PlayedGame]]]:
    """Return games per second and the blocks that were played, from when all workers are at work."""
    questions = (Block(spec, lineup, number) for lineup, number in list_blocks(spec))
    blocks = []
    with closing(new_executor(workers, warm_up_all, spec).map(play_block, questions)) as answers:
        for _ in range(AHEAD * workers):
            next(answers)
        began = time.monotonic()
        for block in answers:
            blocks.append(block)
            if time.monotonic() - began >= seconds:
                break
        spent = time.monotonic() - began
    return sum(map(len, blocks)) / spent, blocks


def _measure_store(spec: Spec, played: list[list[PlayedGame]]) -> float:
    """Return the seconds that the store takes for a game, with opening and closing it."""
    blocks = [[replace(game, block=number) for game in played[number % len(played)]] for number in range(STORED_BLOCKS)]
    config = spec.config_hash(blocks[0][0].lineup)
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        with Store(Path(folder) / "games.sqlite") as store:
            store.bind(spec)
            for block in blocks:
                store.add(config, block)
        return (time.monotonic() - began) / sum(map(len, blocks))
