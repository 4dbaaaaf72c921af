"""The review of games: parts and sums are right, nothing hidden is used, luck is fair, threads change nothing."""

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from torres_mcts import Limit, Position, TorresError
from torres_mcts.analysis.answer.candidates import read_turn
from torres_mcts.analysis.answer.hidden import Knowledge
from torres_mcts.analysis.answer.luck import pile_places, worlds_with_draw
from torres_mcts.analysis.answer.settings import read_settings
from torres_mcts.analysis.report import Estimate
from torres_mcts.analysis.review import Job, Piece, add, find_costliest, judge, review, split
from torres_mcts.analysis.review_report import Review, review_schema
from torres_mcts.games.torres.record import GameRecord

pytestmark = pytest.mark.kernel

GAMES = Path(__file__).resolve().parents[2] / "examples" / "games"
TWO, THREE = GAMES / "game-2017-two-players.json", GAMES / "game-1999-three-players.json"
SMALL = {"candidates": 6, "state_limit": 3000, "beam_width": 4, "sweeps": 1, "reply_width": 1, "tries_all": False}
FEW = Limit(iterations=24)


def cut(path: Path, end: int) -> GameRecord:
    """Return the first actions of a record."""
    record = GameRecord.load(path)
    return replace(record, actions=record.actions[:end], scores=None, final=None)


def study(record: GameRecord, **options) -> Review:
    return review(record, FEW, **{"parameters": SMALL, **options})


def numbers(found: Review) -> dict:
    """Return a review without times."""
    data = found.model_dump(mode="json", by_alias=True)
    for key in ("seconds", "threads"):
        del data["engine"][key]
    return data


@pytest.fixture(scope="module")
def opening() -> Review:
    """Three set-up placements, and the first two turns with two draws each."""
    return study(cut(TWO, 19))


def test_a_record_is_split_at_draws_and_ends_of_turns():
    record = GameRecord.load(TWO)
    pieces = list(split(record))
    assert [action for piece in pieces for action in piece.actions] == list(record.actions)
    assert [piece.status for piece in pieces[:4]] == ["set-up", "set-up", "set-up", "judged"]
    assert all(("buy" in piece.actions) == piece.draws for piece in pieces)
    assert all(piece.actions[-1] == "buy" or piece.turn + 1 == after.turn for piece, after in pairwise(pieces))


def test_a_turn_that_the_record_breaks_off_is_left_out():
    assert [piece.turn for piece in split(cut(TWO, 5))] == [1, 2, 3]


def test_every_turn_is_judged_part_by_part(opening: Review):
    assert [(turn.number, turn.player, turn.status, len(turn.parts)) for turn in opening.turns] == [
        (1, "red", "set-up", 1),
        (2, "blue", "set-up", 1),
        (3, "blue", "set-up", 1),
        (4, "red", "judged", 3),
        (5, "blue", "judged", 3),
    ]
    for turn in opening.turns[3:]:
        assert [part.draws for part in turn.parts] == [True, True, False]
        assert [part.luck is not None for part in turn.parts] == [True, True, False]
        assert turn.loss.win.mean == pytest.approx(sum(part.loss.win.mean for part in turn.parts), abs=1e-5)
        assert min(part.loss.win.mean for part in turn.parts) >= 0
        assert sum(win.mean for win in turn.wins.values()) == pytest.approx(1, abs=1e-4)
    assert opening.result.wins is None
    assert not opening.interrupted


def test_sums_and_costliest_follow_from_the_turns(opening: Review):
    red, blue = opening.sums
    assert (red.player, red.turns, red.draws) == ("red", 1, 2)
    assert blue.loss == opening.turns[4].loss
    assert opening.costliest == find_costliest(opening.turns)
    losses = {turn.number: turn.loss.win.mean for turn in opening.turns if turn.loss and turn.loss.margin.mean > 0}
    assert opening.costliest == sorted(losses, key=lambda number: -losses[number])[:3]


def test_the_review_is_the_same_on_two_threads(opening: Review):
    assert numbers(study(cut(TWO, 19), threads=2)) == numbers(opening)


def test_a_review_agrees_with_its_schema(opening: Review):
    data = opening.model_dump(mode="json", by_alias=True)
    schema = review_schema()
    assert set(data) == set(schema["properties"])
    assert set(data["turns"][3]["parts"][0]) == set(schema["$defs"]["TurnPart"]["properties"])
    assert data["schema"] == "torres-review/1"
    assert Review.model_validate(json.loads(json.dumps(data))) == opening


def test_one_player_alone_can_be_reviewed(opening: Review):
    found = study(cut(TWO, 19), player="BLUE")
    assert found.only == "blue"
    assert found.turns == [turn for turn in opening.turns if turn.player == "blue"]
    with pytest.raises(TorresError, match="'green' is not a player"):
        study(cut(TWO, 19), player="green")


def test_judging_a_turn_uses_nothing_that_its_player_does_not_know():
    """The same part with everything dealt anew that red does not know: other cards come, the judgement stays."""
    record = cut(TWO, 6)
    other = replace(record, position=known_deal(record.position, "red", seed=5))
    one, two = (next(piece for piece in split(game) if piece.status == "judged") for game in (record, other))
    cards = [
        [int(piece.position.state["pile"][place]) for place in pile_places(piece.position)] for piece in (one, two)
    ]
    assert cards[0] != cards[1]
    assert judge_first(record, one) == judge_first(other, two)


def known_deal(position: Position, player: str, *, seed: int) -> Position:
    """Return a position with all cards dealt anew that a player does not know."""
    dealt = position.view(player).determinize(seed)
    return Position(dealt.state_array, dealt.rules, dealt.names, None)


def judge_first(record: GameRecord, piece: Piece) -> dict:
    """Return what is said of a part, the luck of its draw aside, which depends on what came."""
    job = Job(record, FEW, read_settings("turns", SMALL, omniscient=False), 0, 1, None)
    return judge(job, piece).part.model_dump(exclude={"luck"})


# Luck.


@pytest.mark.parametrize("path", [TWO, THREE])
def test_the_worlds_of_a_draw_have_the_cards_that_came_and_are_deals_of_the_same_cards(path: Path):
    for piece in [piece for piece in split(cut(path, 60)) if piece.draws][:6]:
        here = piece.position
        knowledge = Knowledge(here, seed=3, viewpoint=here.to_move)
        came = here
        for action in piece.actions:
            came = came.play(action)
        seat, places = int(here.state["to_move"]), pile_places(here)
        for plain, world in zip(knowledge.worlds(0, 8), worlds_with_draw(knowledge, here, 0, 8), strict=True):
            position = Position(np.array([world]), here.rules, here.names, seat)
            for number in read_turn(knowledge.view, piece.actions).numbers:
                position = position.play_number(number)
            assert position.state["hands"][seat] == came.state["hands"][seat]
            assert list(position.state["drawn"]) == list(came.state["drawn"])
            if here.rules.cards == "own":
                assert sorted(plain["pile"][places] & 15) == sorted(world["pile"][places] & 15)


def test_the_luck_of_a_draw_that_is_known_is_nothing():
    """Whoever knows the top of the pile is told nothing by drawing it: the worlds stay as they are."""
    piece = next(piece for piece in split(cut(TWO, 19)) if piece.draws)
    states = piece.position.state_array.copy()
    for place in pile_places(piece.position):
        states[0]["pile"][place] |= 1 << (4 + int(states[0]["to_move"]))
    known = Position(states, piece.position.rules, piece.position.names, None)
    knowledge = Knowledge(known, seed=1, viewpoint=known.to_move)
    assert (worlds_with_draw(knowledge, known, 0, 4) == knowledge.worlds(0, 4)).all()


def test_sums_of_estimates_keep_their_intervals():
    one, two = (Estimate(mean=mean, se=se, ci95=(mean - 2 * se, mean + 2 * se), n=50) for mean, se in ((1, 3), (2, 4)))
    sure = Estimate(mean=5, se=0, ci95=(5, 5), n=2)
    assert add([one, two, sure]) == Estimate(mean=8, se=5, ci95=(-2, 18), n=50)
    assert add([sure, sure]).ci95 == (10, 10)
    assert add([one]) == one


# Ends.


def test_an_interrupted_review_keeps_whole_turns_only():
    seen = []
    found = study(cut(TWO, 19), see=lambda done, _: seen.append(done), should_stop=lambda: 5 in seen)
    assert found.interrupted
    assert [turn.number for turn in found.turns] == [1, 2, 3, 4]


def test_the_end_of_a_game_is_judged_and_the_result_told():
    record = GameRecord.load(TWO)
    start = list(split(record))[-2]
    found = study(GameRecord(start.position, record.actions[start.at :]))
    assert found.result.is_over
    assert sum(found.result.wins.values()) == 1
    last = {name: win.mean for name, win in found.turns[-1].wins.items()}
    assert last == pytest.approx(found.result.wins, abs=1e-6)


def test_a_part_without_a_choice_is_marked_and_has_its_place_in_the_curve():
    record = GameRecord.load(THREE)
    forced = next(piece for piece in split(record) if piece.status == "forced")
    found = study(GameRecord(forced.position, forced.actions)).turns[0]
    assert found.status == found.parts[0].status == "forced"
    assert found.loss is None
    assert set(found.wins) == {"red", "blue", "green"}


def test_wrong_numbers_are_refused():
    for options, words in (({"threads": 0}, "threads"), ({"seed": -1}, "seed")):
        with pytest.raises(TorresError, match=words):
            study(cut(TWO, 3), **options)


def test_the_schema_in_the_package_is_that_of_the_model():
    shipped = Path(__file__).resolve().parents[2] / "torres_mcts" / "analysis" / "review.schema.json"
    assert json.loads(shipped.read_text()) == review_schema()
