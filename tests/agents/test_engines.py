"""Every engine on Torres: legal choices, one seed one choice, and no look at hidden cards."""

from pathlib import Path

import pytest

from torres_mcts import Position, Rules, TorresError
from torres_mcts.agents.engines import ENGINES, make_engine
from torres_mcts.search.limits import Limit

MIDDLE_GAME = Path(__file__).resolve().parents[2] / "examples" / "positions" / "middle-game.json"
LIMIT = Limit(iterations=600)
SMALL = {"turns": {"state_limit": 3000, "beam_width": 8, "candidates": 8}, "greedy": {"width": 4}}
SMALL["flat"] = SMALL["turns"]
FAIR = [name for name, engine in ENGINES.items() if engine.is_fair]


def choose(name: str, position: Position, seed: int = 3, threads: int = 1) -> tuple[str, ...]:
    return make_engine(name, **SMALL.get(name, {})).choose(position, limit=LIMIT, seed=seed, threads=threads)


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_chooses_legal_actions(name):
    position = Position.load(MIDDLE_GAME).determinize(1)
    actions = choose(name, position)
    assert actions
    for action in actions:
        assert action in position.legal_actions()
        position = position.play(action)


@pytest.mark.parametrize("name", ENGINES)
def test_one_seed_gives_one_choice_on_any_number_of_threads(name):
    position = Position.load(MIDDLE_GAME).determinize(1)
    assert choose(name, position) == choose(name, position, threads=2)


@pytest.mark.parametrize("name", FAIR)
def test_a_fair_engine_never_looks_at_hidden_cards(name):
    view = Position.load(MIDDLE_GAME)
    worlds = [view.determinize(seed) for seed in range(5)]
    assert len({tuple(world.to_dict()["players"][0]["hand"]) for world in worlds}) > 1
    assert len({choose(name, world) for world in worlds}) == 1


def test_the_cheat_looks_at_hidden_cards_which_shows_that_the_test_above_can_fail():
    # Blue may buy; what blue would draw differs between the worlds, and so do the visits of a search that sees it.
    view = Position.load(MIDDLE_GAME)
    worlds = [view.determinize(seed) for seed in range(12)]
    assert len({choose("cheat", world) for world in worlds}) > 1


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_can_play_a_set_up(name):
    position = Position.new(Rules.preset("2017", players=3), seed=1)
    assert choose(name, position)[0] in position.legal_actions()


def test_a_greedy_player_beats_a_random_one():
    position = Position.new(Rules.preset("2017"), seed=2)
    while not position.is_over:
        for action in choose(("greedy", "random")[position.names.index(str(position.to_move))], position, seed=7):
            position = position.play(action)
    assert position.scores["red"] > position.scores["blue"] + 30


@pytest.mark.parametrize(
    ("name", "parameters", "words"),
    [
        ("turnz", {}, "did you mean 'turns'"),
        ("greedy", {"widht": 3}, "did you mean 'width'"),
        ("ismcts", {"exploration": -1}, "exploration"),
        ("turns", {"candidates": 0}, "engine.candidates: expected a whole number of at least 1, not 0"),
        ("turns", {"beam_width": -1}, "engine.beam_width"),
        ("turns", {"reply_turns": -1}, "engine.reply_turns: expected a whole number of at least 0"),
        ("turns", {"horizon": -3}, "engine.horizon"),
        ("turns", {"epsilon": float("nan")}, "engine.epsilon: expected a number from 0 to 1, not nan"),
        ("flat", {"candidates": 2.5}, "engine.candidates"),
        ("greedy", {"width": 0}, "engine.width: expected a whole number of at least 1, not 0"),
        ("greedy", {"sweeps": -1}, "engine.sweeps"),
    ],
)
def test_a_wrong_engine_or_parameter_gets_one_clear_line(name, parameters, words):
    with pytest.raises(TorresError, match=words) as caught:
        make_engine(name, **parameters)
    assert len(str(caught.value).splitlines()) == 1


def test_nothing_is_chosen_when_the_game_is_over():
    position = Position.new(Rules.preset("no-cards"), seed=2)
    while not position.is_over:
        position = position.play(choose("random", position, seed=1)[0])
    with pytest.raises(TorresError, match="over"):
        choose("greedy", position)
