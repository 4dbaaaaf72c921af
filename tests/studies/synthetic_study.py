"""Runs of studies that were never played: games with points, boards and chances drawn from known rules."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from tests.studies.made_logs import make_game, make_turn
from tests.studies.small_study import study_data
from torres_mcts.games.torres.format.model import HEIGHT_SIGNS
from torres_mcts.games.torres.format.notation import SQUARES
from torres_mcts.studies.diary import YearLog
from torres_mcts.studies.file.read import make_study
from torres_mcts.studies.log import GameLog
from torres_mcts.studies.store import PlayedBlock, StudyRun, open_study, read_study_run
from torres_mcts.studies.variants import Variant
from torres_mcts.tournaments.game import Forfeit

CARDS = ("ap6", "ap7", "gate", "climb")
WIDE: dict[str, Any] = {  # a study that all pictures apply to
    "question": "What do the <king's bonus> and the action points do?",
    "metrics": ["scores.all_mean", "seats.seat1_points", "sources.game_king", "lead_changes.points"],
    "variants": {"a-name-that-is-rather-long-and-says-it": {"king_bonus": [5, 10, 25], "draw": 4}},
    "one_at_a_time": {"ap_per_turn": [4, 6], "king_bonus": [[0, 0, 0], [10, 20, 30]], "knights": [5]},
    "grid": {"draw": [2, 3], "cards_per_turn": [1, 2]},
    "without_card": {"seat": 1, "cards": ["gate", "ap7"]},
    "margins": {"lead_changes": 0.2, "seats": 0.1},
}


def to_toml(data: dict[str, Any]) -> str:
    """Write a study as its file; values as JSON are TOML, too."""
    lines, tables = [], []
    for key, value in data.items():
        if key == "variants":
            tables += [f"[variants.{name}]\n{_pairs(changes)}" for name, changes in value.items()]
        elif isinstance(value, dict):
            tables.append(f"[{key}]\n{_pairs(value)}")
        else:
            lines.append(f"{key} = {json.dumps(value)}")
    return "\n".join([*lines, *tables]) + "\n"


def _pairs(values: dict[str, Any]) -> str:
    return "\n".join(f"{key} = {json.dumps(value)}" for key, value in values.items())


def synthetic_study(folder: Path, *, played: int | None = None, forfeits: int = 0, **changes: Any) -> StudyRun:
    """Make a run in which more action points are more points, and nothing else matters.

    played:   blocks; all of them if None
    forfeits: in so many blocks of the base, seat 0 fails
    """
    data = study_data(**{"blocks": 12, **changes})
    study = make_study(data)
    with open_study(folder, study, to_toml(data)) as store:
        for variant in study.rule_sets:
            for number in range(study.blocks if played is None else played):
                log = draw_game(variant, study.seed, number, is_lost=not variant.changes and number < forfeits)
                logs = [log] * len(study.tables)
                store.add(study.config_hash(variant), PlayedBlock(variant.name, number, tuple(logs), 1.0))
    return read_study_run(str(folder))


def draw_game(variant: Variant, seed: int, number: int, *, is_lost: bool = False) -> GameLog:
    """Return a game of a deal; most of its luck is the same for all rule sets."""
    rules, players = variant.rules, variant.rules.players
    luck, own = np.random.default_rng([seed, number]), np.random.default_rng([seed, number, rules.ap_per_turn])
    castles = luck.integers(8, 30, (3, players)) + 3 * (rules.ap_per_turn - 5)
    kings = luck.random((3, players)) < 0.4
    years, scores = [], np.zeros(players, int)
    for year in range(3):
        king = kings[year] * np.array(rules.king_bonus[year])
        points = [castles[year], king, np.zeros(players, int), luck.integers(0, 3, players), np.ones(players, int)]
        scores = scores + sum(points)
        heights = "".join(HEIGHT_SIGNS[value] for value in luck.integers(0, 2 + year, 64))
        spots = luck.permutation(64)[: players * (2 + year)].reshape(players, -1)
        knights = tuple(tuple(SQUARES[spot] for spot in row) for row in spots)
        rows = tuple(tuple(int(value) for value in row) for row in points)
        years.append(YearLog(year + 1, rows, tuple(map(int, scores)), heights, knights, "e4", mover=0, moved=True))
    scores[0] += variant.blank is None  # the first seat is a bit better, and worse without its card
    winner, turns = int(np.argmax(scores)), []
    for turn in range(6 * players):
        chance = min(0.98, 1 / players + 0.1 * turn / players * own.random())
        wins = [(1 - chance) / (players - 1)] * players
        wins[winner] = chance
        played = (CARDS[int(own.integers(0, 4))],) if turn % 3 == 1 else ()
        standing = tuple(map(int, castles[turn * 3 // (6 * players)]))
        turns.append(
            make_turn(turn % players, 1 + turn * 3 // (6 * players), wins=tuple(wins), played=played,
                      scores=standing, standing=standing)
        )  # fmt: skip
    piles = tuple(tuple(str(card) for card in luck.permutation(CARDS)) for _ in range(players))
    return make_game(
        tuple(map(int, scores)),
        rules=rules.to_dict(),
        agents=("random",) * players,
        deal=number,
        piles=piles,
        turns=tuple(turns),
        years=tuple(years),
        forfeit=Forfeit(0, "RuntimeError: lost <my> way", 17) if is_lost else None,
    )
