"""Schedules: who meets whom, and that every agent of a line-up sits on every seat."""

from collections import Counter

import pytest

from tests.tournaments.specs import small_spec
from torres_mcts.tournaments.schedule import list_blocks, list_lineups, rotate

THREE = {"a": "random", "b": "greedy", "c": "greedy:width=2"}


@pytest.mark.parametrize(
    ("format", "players", "expected"),
    [
        ("round-robin", 2, ["ab", "ac", "bc"]),
        ("round-robin", 3, ["abb", "acc", "baa", "bcc", "caa", "cbb"]),
        ("gauntlet", 2, ["ab", "ac"]),
        ("gauntlet", 4, ["abbb", "accc"]),
        ("free-for-all", 2, ["ab", "ac", "bc"]),
        ("free-for-all", 3, ["abc"]),
    ],
)
def test_line_ups_are_those_of_the_format(format: str, players: int, expected: list[str]) -> None:
    spec = small_spec(format=format, players=players, agents=THREE)
    assert ["".join(lineup) for lineup in list_lineups(spec)] == expected


@pytest.mark.parametrize("lineup", [("a", "b"), ("a", "b", "b"), ("a", "b", "c", "d")])
def test_every_agent_of_a_line_up_sits_on_every_seat_equally_often(lineup: tuple[str, ...]) -> None:
    games = [rotate(lineup, rotation) for rotation in range(len(lineup))]
    sat = Counter((agent, seat) for game in games for seat, agent in enumerate(game))
    for agent in lineup:
        assert {sat[agent, seat] for seat in range(len(lineup))} == {lineup.count(agent)}


def test_all_line_ups_play_a_deal_before_the_next_one() -> None:
    spec = small_spec(agents=THREE, blocks=2)
    order = [f"{''.join(lineup)}{block}" for lineup, block in list_blocks(spec)]
    assert order == ["ab0", "ac0", "bc0", "ab1", "ac1", "bc1"]
