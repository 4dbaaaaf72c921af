"""Characters: each is the first of all in what its idea is about, all of them can play, and zeal 0 is plain greed."""

import pytest

from tests.agents.habits import CHARACTERS, LIMIT, Habits, mean_habits
from torres_mcts import Position, Rules, TorresError
from torres_mcts.agents.engines import ENGINES, make_engine
from torres_mcts.agents.heuristics.heuristic import Heuristic
from torres_mcts.core.rng import seed_for

DEALS = 6


@pytest.fixture(scope="module")
def habits() -> dict[str, Habits]:
    """Return how every character plays against the same opponent on the same deals."""
    return {name: mean_habits(name, deals=DEALS) for name in CHARACTERS}


def test_the_registry_holds_every_character() -> None:
    assert {name for name, engine in ENGINES.items() if issubclass(engine, Heuristic)} == set(CHARACTERS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "habit"),
    [
        ("builder", "widest"),
        ("climber", "level"),
        ("climber", "highest"),
        ("king-seeker", "kings"),
        ("card-collector", "held"),
        ("sprinter", "scored"),
    ],
)
def test_a_character_is_first_in_what_it_cares_for(name: str, habit: str, habits: dict[str, Habits]) -> None:
    others = [getattr(habits[other], habit) for other in CHARACTERS if other != name]
    assert getattr(habits[name], habit) > max(others)


@pytest.mark.slow
def test_nobody_leaves_opponents_less_than_the_spoiler(habits: dict[str, Habits]) -> None:
    assert habits["spoiler"].opponent < min(habits[other].opponent for other in CHARACTERS if other != "spoiler")


@pytest.mark.parametrize("name", CHARACTERS)
def test_a_character_beats_chance(name: str) -> None:
    habits = mean_habits(name, "random", deals=1)
    assert habits.won == 1
    assert habits.score > habits.opponent + 50


@pytest.mark.parametrize("players", [2, 3])
def test_without_zeal_a_character_plays_the_usual_greedy_turn(players: int) -> None:
    position, engine = Position.new(Rules.preset("2017", players=players), seed=4), make_engine("greedy", width=4)
    plain = make_engine("climber", width=4, sweeps=4, zeal=0.0)
    for number in range(30):
        chosen = engine.choose(position, limit=LIMIT, seed=seed_for(1, number))
        assert plain.choose(position, limit=LIMIT, seed=seed_for(1, number)) == chosen
        for action in chosen:
            position = position.play(action)
    assert position.state["year"] > 1


@pytest.mark.parametrize("preset", ["1999", "2017-master", "no-cards"])
def test_a_character_can_play_every_edition(preset: str) -> None:
    position = Position.new(Rules.preset(preset, players=2), seed=1)
    while not position.is_over:
        engine = make_engine(CHARACTERS[int(position.state["round"]) % len(CHARACTERS)], width=2, sweeps=1)
        for action in engine.choose(position, limit=LIMIT, seed=1):
            position = position.play(action)
    assert max(position.scores.values()) > 50


@pytest.mark.parametrize(
    ("parameters", "words"),
    [({"zeal": -1.0}, "engine.zeal"), ({"zeal": float("nan")}, "engine.zeal"), ({"width": 0}, "engine.width")],
)
def test_a_wrong_parameter_gets_one_clear_line(parameters: dict[str, float], words: str) -> None:
    with pytest.raises(TorresError, match=words):
        make_engine("builder", **parameters)
