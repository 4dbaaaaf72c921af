"""Evolution of whole turns on a small market: the best turn by trying everything, limits, threads and seeds."""

import time
from typing import Any

import pytest

from tests.small_games.market import END, GAMBLE, PLAYERS, ROUNDS, Plain, new_market
from torres_mcts.core.errors import TorresError
from torres_mcts.search.limits import Limit
from torres_mcts.search.turns.oep import OepEngine, OepResult, search_oep

pytestmark = pytest.mark.kernel

SMALL = OepEngine(population=20, islands=3)
REPLIES = OepEngine(population=20, islands=3, reply_turns=1, reply_worlds=2)
LIMIT = Limit(iterations=1500)


def best_turn(start: Plain, *, gamble_worth: float = 0.0, reply: str = "none") -> float:
    """Return the best lead that any turn gives, by trying all of them."""

    def answer(after: Plain) -> Plain:
        if reply == "quick":
            return after.quick_turn()
        ends = [end for actions, end in after.turns() if actions[-1] == END]
        return max(ends, key=lambda end: end.lead(after.buyer, gamble_worth))

    leads = []
    for actions, after in start.turns():
        if reply != "none":
            after = answer(answer(after)) if actions[-1] == GAMBLE else answer(after)
        leads.append(after.lead(start.buyer, gamble_worth))
    return max(leads)


def play(start: Plain, actions: tuple[int, ...]) -> Plain:
    """Play some actions, each of which must be legal."""
    for action in actions:
        assert action in start.actions()
        start = start.play(action)
    return start


@pytest.mark.parametrize("purse", range(1, 7))
def test_evolution_finds_the_best_turn(purse: int) -> None:
    found = search_oep(new_market(purse=purse), SMALL, limit=LIMIT, seed=1)
    start = Plain(purse=purse)
    assert found.fitness == pytest.approx(best_turn(start))
    assert play(start, found.sequence).lead(0, 0.0) == pytest.approx(found.fitness)
    assert (found.sequence[-1], found.is_cut) == (END, False)


def test_a_sequence_is_cut_at_the_first_draw() -> None:
    found = search_oep(new_market(gamble_worth=3.0), SMALL, limit=LIMIT, seed=1)
    assert found.fitness == pytest.approx(best_turn(Plain(), gamble_worth=3.0))
    assert (found.sequence[-1], found.sequence.count(GAMBLE), found.is_cut) == (GAMBLE, 1, True)


@pytest.mark.parametrize(("reply", "width"), [("quick", 0), ("greedy", 500)])
def test_a_reply_is_part_of_the_fitness_if_wanted(reply: str, width: int) -> None:
    engine = OepEngine(population=20, islands=3, reply_turns=1, reply_width=width, reply_worlds=1)
    found = search_oep(new_market(), engine, limit=Limit(iterations=900 if width == 0 else 300), seed=1)
    assert found.fitness == pytest.approx(best_turn(Plain(), reply=reply))
    blind = search_oep(new_market(), SMALL, limit=LIMIT, seed=1)
    assert sorted(found.sequence) != sorted(blind.sequence), "what the reply takes away must change the turn"


def test_replies_end_with_the_game() -> None:
    engine = OepEngine(population=20, reply_turns=3, reply_worlds=1)
    last = new_market(turns=PLAYERS * ROUNDS - 1)
    assert search_oep(last, engine, limit=LIMIT, seed=1).fitness >= best_turn(Plain())


@pytest.mark.parametrize("engine", [SMALL, REPLIES])
@pytest.mark.parametrize("threads", [2, 3, 8])
def test_the_number_of_threads_does_not_change_the_result(engine: OepEngine, threads: int) -> None:
    limit = Limit(iterations=401)
    one = search_oep(new_market(), engine, limit=limit, seed=4)
    other = search_oep(new_market(), engine, limit=limit, seed=4, threads=threads)
    assert one[:-1] == other[:-1]
    assert (one.iterations, one.stopped_by) == (401, "iterations")


def test_another_seed_breeds_other_sequences() -> None:
    few = Limit(iterations=6)
    assert len({search_oep(new_market(), SMALL, limit=few, seed=seed).sequence for seed in range(8)}) > 2


def test_more_iterations_never_find_less() -> None:
    for seed in range(5):
        limits = [Limit(iterations=number) for number in (3, 30, 300)]
        fitness = [search_oep(new_market(), SMALL, limit=limit, seed=seed).fitness for limit in limits]
        assert fitness == sorted(fitness)


def test_the_fittest_survive_a_generation_and_the_rest_is_bred_anew() -> None:
    engine = OepEngine(population=20, elite=0.5, islands=1)
    assert search_oep(new_market(), engine, limit=Limit(iterations=20), seed=1).generations == 0
    assert search_oep(new_market(), engine, limit=Limit(iterations=21), seed=1).generations == 1
    assert search_oep(new_market(), engine, limit=Limit(iterations=20 + 10 * 7), seed=1).generations == 7


def test_the_state_that_is_searched_is_not_changed() -> None:
    states = new_market()
    before = states.tobytes()
    for engine in (SMALL, REPLIES):
        search_oep(states, engine, limit=Limit(iterations=100), seed=1)
    assert states.tobytes() == before


def test_fewer_iterations_than_islands_are_enough() -> None:
    found = search_oep(new_market(), SMALL, limit=Limit(iterations=1), seed=1)
    assert found.iterations == 1
    assert found.sequence[-1] in (GAMBLE, END)


def test_a_search_ends_when_time_is_up() -> None:
    search_oep(new_market(), SMALL, limit=Limit(iterations=1), seed=1)
    began = time.perf_counter()
    found = search_oep(new_market(), SMALL, limit=Limit(time=0.2), seed=1, threads=2)
    assert found.stopped_by == "time"
    assert 0.2 <= found.seconds <= time.perf_counter() - began < 2
    assert found.iterations > 1000


def test_a_search_stops_when_asked() -> None:
    answers = iter([False, False, True])
    found = search_oep(new_market(), SMALL, limit=Limit(iterations=10**9), seed=1, should_stop=lambda: next(answers))
    assert found.stopped_by == "request"
    assert 0 < found.iterations < 10**6


def test_a_lone_turn_needs_no_search() -> None:
    found = search_oep(new_market(purse=0), SMALL, limit=Limit(time=60), seed=1)
    assert found == OepResult((END,), 0.0, False, 0, 1, "forced", found.seconds)


def test_a_finished_game_is_refused() -> None:
    with pytest.raises(TorresError, match="the game is over"):
        search_oep(new_market(turns=PLAYERS * ROUNDS), SMALL, limit=LIMIT, seed=1)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"population": 3}, "engine.population: expected a whole number of at least 4, not 3"),
        ({"islands": 0}, "engine.islands: expected a whole number of at least 1, not 0"),
        ({"elite": 1.5}, "engine.elite: expected a number from 0 to 1, not 1.5"),
        ({"mutation": "much"}, "engine.mutation: expected a number from 0 to 1, not 'much'"),
        ({"quick": True}, "engine.quick: expected a number from 0 to 1, not true"),
        ({"reply_turns": -1}, "engine.reply_turns: expected a whole number of at least 0, not -1"),
        ({"reply_width": 0.5}, "engine.reply_width: expected a whole number of at least 0, not 0.5"),
        ({"reply_worlds": 0}, "engine.reply_worlds: expected a whole number of at least 1, not 0"),
    ],
)
def test_an_engine_that_makes_no_sense_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(TorresError) as error:
        OepEngine(**given)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"seed": 1.5}, "seed: expected a whole number, not 1.5"),
        ({"threads": 0}, "threads: expected a whole number of at least 1, not 0"),
    ],
)
def test_a_search_that_makes_no_sense_is_refused(given: dict[str, Any], message: str) -> None:
    arguments = {"limit": Limit(iterations=1), "seed": 1, **given}
    with pytest.raises(TorresError) as error:
        search_oep(new_market(), SMALL, **arguments)
    assert str(error.value) == message
