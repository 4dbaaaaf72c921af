"""Matches: blocks of rotated seats, honest intervals, the same for any number of workers, resumed from a file."""

import math
from pathlib import Path

import numpy as np
import pytest

from torres_mcts import Rules
from torres_mcts.core.errors import TorresError
from torres_mcts.search.limits import Limit
from torres_mcts.tournaments.game import GameResult
from torres_mcts.tournaments.match import (
    Match,
    MatchResult,
    estimate_mean,
    estimate_share,
    margin,
    play_block,
    rank_points,
    run_match,
    win_share,
)


def new_match(players: int = 2, focus: str = "greedy:width=2,sweeps=1", opponent: str = "random") -> Match:
    return Match(focus, opponent, Rules.preset("2017", players=players), Limit(iterations=10), seed=3)


def scores_of(result: MatchResult) -> dict[int, list[tuple[int, ...]]]:
    return {number: [game.scores for game in games] for number, games in result.blocks.items()}


def test_shares_of_a_game() -> None:
    assert [win_share((5, 9, 9), seat) for seat in range(3)] == [0, 0.5, 0.5]
    assert [rank_points((5, 9, 9), seat) for seat in range(3)] == [0, 0.75, 0.75]
    assert [margin((5, 9, 7), seat) for seat in range(3)] == [-4, 2, -2]


def test_a_clean_sweep_is_not_certain() -> None:
    share = estimate_share(np.ones(10))
    assert share.mean == 1
    assert 0.6 < share.low < 1
    assert share.high == 1


def test_intervals_of_shares_cover() -> None:
    luck = np.random.default_rng(1)
    for chance in (0.5, 0.9):
        blocks = luck.binomial(2, chance, size=(2000, 15)) / 2
        covered = [(share := estimate_share(block)).low <= chance <= share.high for block in blocks]
        assert 0.93 < np.mean(covered) < 0.995


def test_one_block_says_nothing_about_the_margin() -> None:
    assert math.isinf(estimate_mean(np.array([3.0])).se)


def test_the_seat_rotates_and_the_deal_stays() -> None:
    games = play_block(new_match(players=3, focus="random"), 0)
    assert len(games) == 3
    assert len({game.scores for game in games}) == 1  # random against random: only the seats have changed


def test_the_better_agent_wins_and_workers_do_not_matter(tmp_path: Path) -> None:
    one = list(run_match(new_match(), blocks=3))[-1]
    path = tmp_path / "match.jsonl"
    two = list(run_match(new_match(), blocks=3, workers=2, path=path))[-1]
    assert scores_of(one) == scores_of(two)
    assert one.wins.mean == 1
    assert one.margin.mean > 20
    again = list(run_match(new_match(), blocks=3, path=path))
    assert len(again) == 1
    assert again[0].blocks == two.blocks


def test_a_match_goes_on_where_its_file_ends(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    whole = list(run_match(new_match(), blocks=3, path=path))[-1]
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], lines[2]]) + "\n")
    resumed = list(run_match(new_match(), blocks=3, path=path))
    assert len(resumed) == 2
    assert scores_of(resumed[-1]) == scores_of(whole)
    with pytest.raises(TorresError, match="holds another match"):
        next(run_match(new_match(opponent="greedy"), blocks=3, path=path))
    path.write_text("nonsense")
    with pytest.raises(TorresError, match="is not a match file"):
        next(run_match(new_match(), blocks=3, path=path))


def test_seconds_are_those_of_each_side() -> None:
    game = GameResult(scores=(1, 2), seconds=(3.0, 1.0), decisions=(2, 4))
    turned = GameResult(scores=(1, 2), seconds=(1.0, 3.0), decisions=(4, 2))
    assert MatchResult(new_match(), {0: [game, turned]}).seconds_per_decision == (1.5, 0.25)
