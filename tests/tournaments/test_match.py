"""Matches: blocks of rotated seats, the same for any number of workers, resumed from a file."""

from pathlib import Path

import pytest

from torres_mcts import Rules
from torres_mcts.core.errors import TorresError
from torres_mcts.search.limits import Limit
from torres_mcts.tournaments.game import GameResult
from torres_mcts.tournaments.match import Match, MatchResult, play_block, run_match


def new_match(players: int = 2, focus: str = "greedy:width=2,sweeps=1", opponent: str = "random") -> Match:
    return Match(focus, opponent, Rules.preset("2017", players=players), Limit(iterations=10), seed=3)


def scores_of(result: MatchResult) -> dict[int, list[tuple[int, ...]]]:
    return {number: [game.scores for game in games] for number, games in result.blocks.items()}


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
