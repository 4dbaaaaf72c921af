"""Evolution of whole turns on Torres: the best turn of small positions, whole games, and no look at hidden cards."""

from pathlib import Path

import pytest

from tests.analysis.test_turns import small_positions
from torres_mcts import Position, Rules
from torres_mcts.agents.engines import make_engine
from torres_mcts.analysis.turns import list_turns
from torres_mcts.search.limits import Limit
from torres_mcts.search.turns.oep import OepEngine, search_oep

pytestmark = pytest.mark.kernel

MIDDLE_GAME = Path(__file__).resolve().parents[2] / "examples" / "positions" / "middle-game.json"


@pytest.mark.parametrize(
    ("ap", "cards", "iterations"),
    [
        (0, False, 20_000),
        (1, False, 20_000),
        (2, False, 20_000),
        (0, True, 20_000),
        (1, True, 200_000),  # in one of these only 4 of 8,415 turns are best, and none of their parts is good alone
    ],
)
def test_evolution_finds_the_best_turn_of_small_positions(ap, cards, iterations):
    for data in small_positions(ap, 10, cards=cards):
        position = Position.from_dict(data)
        every = list_turns(position, most=1, state_limit=100_000)
        assert every.exhaustive
        found = search_oep(position.state_array, OepEngine(), limit=Limit(iterations=iterations), seed=1, threads=2)
        assert found.fitness == pytest.approx(every.turns[0].value)


@pytest.mark.parametrize(
    ("preset", "players"), [("2017", 2), ("2017", 4), ("1999", 3), ("no-cards", 2), ("2017-master", 2)]
)
def test_whole_games_are_legal(preset, players):
    engine = make_engine("oep", population=8, islands=2)
    position = Position.new(Rules.preset(preset, players=players), seed=players)
    while not position.is_over:
        for action in engine.choose(position, limit=Limit(iterations=40), seed=5):
            assert action in position.legal_actions()
            position = position.play(action)
    assert max(position.scores.values()) > 50


def test_the_number_of_threads_changes_nothing():
    states = Position.load(MIDDLE_GAME).determinize(1).state_array
    results = [
        search_oep(states, OepEngine(), limit=Limit(iterations=3001), seed=2, threads=threads) for threads in (1, 2, 3)
    ]
    assert results[0][:-1] == results[1][:-1] == results[2][:-1]


@pytest.mark.parametrize("engine", [OepEngine(), OepEngine(reply_turns=2), OepEngine(reply_turns=1, reply_width=1)])
def test_the_cards_that_the_player_cannot_see_change_nothing(engine):
    view = Position.load(MIDDLE_GAME)
    worlds = [view.determinize(seed) for seed in range(4)]
    assert len({tuple(world.to_dict()["players"][0]["hand"]) for world in worlds}) > 1
    limit = Limit(iterations=100 if engine.reply_width else 1000)
    assert len({search_oep(world.state_array, engine, limit=limit, seed=1)[:-1] for world in worlds}) == 1
