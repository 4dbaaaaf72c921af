"""The analysis of positions: known best turns are found and explained, nothing hidden leaks, numbers are honest."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.commands.sample_report import estimate as told
from tests.commands.sample_report import turn as told_turn
from torres_mcts import IllegalAction, Limit, Position, Rules, TorresError, analyze
from torres_mcts.analysis.analyze import analyze_steps, audit, without_times
from torres_mcts.analysis.answer.candidates import list_candidates
from torres_mcts.analysis.answer.estimates import best_chances, estimate, gain_of_knowing, usual_scale
from torres_mcts.analysis.answer.hidden import Knowledge
from torres_mcts.analysis.answer.settings import read_settings
from torres_mcts.analysis.answer.trials import Trials
from torres_mcts.analysis.answer.warnings import warn_of_second
from torres_mcts.analysis.answer.writing import behind
from torres_mcts.analysis.hands_played import replay_positions
from torres_mcts.analysis.report import Report, report_schema
from torres_mcts.games.torres.record import GameRecord
from torres_mcts.search.turns.sampling import Sampler

pytestmark = pytest.mark.kernel

ROOT = Path(__file__).resolve().parents[2]
POSITIONS = sorted((ROOT / "examples" / "positions").glob("*.json"))
MIDDLE_GAME = ROOT / "examples" / "positions" / "middle-game.json"
SMALL = {"candidates": 8, "state_limit": 5000, "beam_width": 4, "sweeps": 1, "reply_width": 1, "tries_all": False}
FEW = Limit(iterations=80)


def study(position: Position, limit: Limit = FEW, **options) -> Report:
    """Analyse with few states."""
    return analyze(position, limit, **{"parameters": SMALL, **options})


def known_position() -> Position:
    """Return the middle game with every card known."""
    return Position.load(MIDDLE_GAME).determinize(1)


# Known best turns. The last turn of the game, red to move; the castle of the king is c3 c4 c5 d4.


def last_turn(
    *, red: list[str], ap: int, scores: tuple[int, int], hand: tuple[str, ...] = (), year: int = 3
) -> Position:
    """
    5 ..3.....
    4 ..21....   king on d4
    3 ..1.....
    """
    return Position.from_dict(
        {
            "format": "torres-position/1",
            "rules": {"preset": "2017", "players": 2},
            "year": year,
            "round": 4,
            "first": "blue",
            "to_move": "red",
            "heights": ["...1....", "........", ".....1..", "..3....1", "..21....", "..1..1..", "........", "1...1..."],
            "king": "d4",
            "players": [
                {"name": "red", "score": scores[0], "knights": red, "stacks": [], "hand": list(hand)},
                {"name": "blue", "score": scores[1], "knights": ["f6"], "stacks": []},
            ],
            "turn": {"ap": ap, "in_use": 0},
        }
    )


def test_the_only_winning_turn_is_found_and_its_points_are_named():
    report = analyze(last_turn(red=["c3"], ap=1, scores=(100, 105)), Limit(iterations=100))
    best = report.turns[0]
    assert best.actions == ["move:c3-c4", "end"]
    assert (best.win.mean, best.win.ci95, best.margin.mean) == (1.0, (1.0, 1.0), 2.0)
    assert best.words == [
        "move c3 to c4 (level 1 to 2)",
        "end the turn (the year ends and gives 8 points: castles 8)",
    ]
    assert (best.status, report.engine.stopped_by, report.root.exhaustive) == ("proved", "proved", True)
    assert all(turn.win.mean == 0.0 for turn in report.turns[1:])
    assert [player.places for player in report.root.players] == [[1.0, 0.0], [0.0, 1.0]]
    assert (best.best_probability, report.warnings) == (1.0, [])


def test_the_only_way_to_the_bonus_of_the_king_is_found():
    best = analyze(last_turn(red=["c3"], ap=2, scores=(90, 105)), Limit(iterations=100)).turns[0]
    assert best.actions == ["move:c3-c4", "move:c4-c5", "end"]
    assert (best.sources.castles, best.sources.king, best.year_points.mean) == (12.0, 15.0, 27.0)
    assert "king 15" in best.words[-1]


def test_the_card_that_decides_is_played():
    report = analyze(last_turn(red=["b4"], ap=1, scores=(90, 105), hand=("climb",)), Limit(iterations=100))
    assert report.turns[0].actions == ["card:climb:b4-c4", "move:c4-c5", "end"]
    assert report.turns[0].words[0] == "play the card climb: climb from b4 two levels up to c4 (level 0 to 2)"
    assert report.turns[0].win.mean == 1.0 > report.turns[1].win.mean


def test_before_the_end_of_the_game_the_bonus_of_the_king_is_found_by_sampling():
    report = analyze(last_turn(red=["c3"], ap=1, scores=(20, 30), year=2), Limit(iterations=200))
    best, second = report.turns[:2]
    assert best.actions == ["move:c3-c4", "end"]
    assert (best.status, best.sources.castles, best.sources.king) == ("estimated", 8.0, 10.0)
    assert best.words[-1] == "end the turn (the year ends and gives 18 points: castles 8, king 10)"
    assert best.win.mean > second.win.mean
    assert best.margin.mean > second.margin.mean
    assert any("the error of the outlook" in words for words in report.warnings), "the year to come is not sampled"


def test_before_the_end_of_the_game_a_card_is_played_where_it_decides():
    position = last_turn(red=["b4"], ap=0, scores=(20, 30), hand=("climb",), year=2)
    report = analyze(position, Limit(iterations=60))
    assert report.turns[0].actions == ["card:climb:b4-c4", "end"]
    assert report.turns[0].sources.king == 10.0


# What reports are made of.


@pytest.mark.parametrize("path", POSITIONS, ids=lambda path: path.stem)
def test_every_example_is_analysed(path):
    position = Position.load(path)
    report = study(position)
    assert report.root.player == position.to_move
    assert sum(player.win.mean for player in report.root.players) == pytest.approx(1, abs=1e-4)
    for player in report.root.players:
        assert sum(player.places) == pytest.approx(1, abs=1e-4)
        assert player.places[0] == pytest.approx(player.win.mean, abs=1e-5)
    wins = [turn.win.mean for turn in report.turns if turn.visits == report.turns[0].visits]
    assert wins == sorted(wins, reverse=True)
    assert report.turns[0].win_behind_best.mean == 0.0
    text = report.model_dump_json(by_alias=True)
    assert "NaN" not in text
    assert json.loads(text)["schema"] == "torres-analysis/1"
    assert Report.model_validate_json(text) == report


def test_every_turn_of_a_report_can_be_played():
    position = known_position()
    for turn in study(position).turns:
        here = position
        for action in turn.actions:
            here = here.play(action)
        assert here.to_move != position.to_move or turn.goes_on
        assert len(turn.words) == len(turn.actions)


def phases() -> dict[str, Position]:
    """Return a position of each phase."""
    found: dict[str, Position] = {}
    for name in ("game-2017-master", "game-2017-two-players"):
        for position in replay_positions(GameRecord.load(ROOT / "examples" / "games" / f"{name}.json")):
            found.setdefault(position.phase, position)
    return found


def test_every_phase_of_the_game_is_analysed():
    found = phases()
    assert set(found) == {"castles", "knights", "king-setup", "turn", "keep", "king", "first", "over"}
    with pytest.raises(TorresError, match="the game is over"):
        study(found.pop("over"))
    for phase, position in found.items():
        report = study(position, Limit(iterations=24), top=2)
        assert report.root.phase == phase
        assert report.turns[0].visits >= 2


def test_another_viewpoint_knows_less_of_the_player_to_move():
    found = phases()
    position = found["turn"]
    (other,) = (name for name in position.names[:2] if name != position.to_move)
    report = study(position, Limit(iterations=24), viewpoint=other.upper(), top=1)
    assert (report.root.viewpoint, report.root.player) == (other, position.to_move)
    keep = found["keep"]
    (other,) = (name for name in keep.names if name != keep.to_move)
    with pytest.raises(TorresError, match="does not see the drawn cards"):
        study(keep, viewpoint=other)


def test_a_lone_turn_is_called_forced():
    position = last_turn(red=["c3"], ap=0, scores=(100, 105))
    report = analyze(position, FEW)
    assert (report.engine.stopped_by, report.turns[0].actions, report.turns[0].best_probability) == (
        "forced",
        ["end"],
        1,
    )


def test_no_turn_is_behind_by_more_than_all_wins():
    best, own = np.array([0.9, 0.1]), np.array([0.1, 0.3])
    assert behind(best, own, 0.5, most=1.0).ci95 == (-1.0, 1.0)
    assert behind(best, own, 0.5).ci95[1] > 1


SAME = "the first two turns lead to the same in every world: more time will not separate them"
TOO_SMALL = "the limit was too small to separate the first two turns"


def test_more_time_is_asked_for_only_where_it_would_help():
    start = Position.new(Rules.preset("2017"), seed=1)
    report = study(start, Limit(iterations=24), parameters={**SMALL, "reply_turns": 0})  # at once no square is better
    assert SAME in report.warnings
    assert TOO_SMALL not in report.warnings


def test_the_margin_separates_turns_where_wins_never_differ():
    won = {"win_behind_best": told(0, 0)}
    assert warn_of_second(told_turn(2, "end", "end", 0, **won, margin_behind_best=told(0.9, 0.1))) == []
    assert warn_of_second(told_turn(2, "end", "end", 0, **won, margin_behind_best=told(0.1, 0.1))) == [TOO_SMALL]
    assert warn_of_second(told_turn(2, "end", "end", 0, win_behind_best=told(0.01, 0.01))) == [TOO_SMALL]


def test_the_schema_in_the_package_is_that_of_the_model():
    shipped = ROOT / "torres_mcts" / "analysis" / "report.schema.json"
    assert json.loads(shipped.read_text()) == report_schema()


# The same for any number of threads, and blind to what is hidden.


def test_the_number_of_threads_changes_nothing_but_times():
    position = Position.load(MIDDLE_GAME)
    one, two = (study(position, threads=threads) for threads in (1, 2))
    assert without_times(one) == without_times(two)
    assert without_times(study(position, seed=1)) != without_times(one)


def test_reports_on_the_way_change_nothing():
    position = Position.load(MIDDLE_GAME)
    *steps, last = analyze_steps(position, FEW, parameters=SMALL)
    assert steps
    assert without_times(last) == without_times(study(position))


def test_the_audit_finds_that_hidden_cards_change_nothing():
    report = audit(known_position(), FEW, permutations=2, parameters=SMALL)
    assert report.audit is not None
    assert report.audit["clean"]
    assert report.audit["different_deals"] == 2


def test_omniscience_uses_the_hidden_cards_and_says_so():
    report = study(known_position(), omniscient=True)
    assert report.root.viewpoint is None
    assert any("omniscient" in warning for warning in report.warnings)
    other = Position.load(MIDDLE_GAME).determinize(2)
    assert without_times(study(other, omniscient=True)) != without_times(report)
    with pytest.raises(TorresError, match="nothing to audit"):
        audit(other, FEW, omniscient=True)


# What the user asks for.


def test_a_turn_that_is_asked_for_is_judged_however_bad_it_is():
    report = study(known_position(), turns=[["score"], ["buy"]], top=2)
    asked = [turn for turn in report.turns if turn.asked]
    assert sorted(turn.actions[0] for turn in asked) == ["buy", "score"]
    assert len(report.turns) == 4
    assert {turn.visits for turn in asked} == {report.turns[0].visits}
    poor = next(turn for turn in asked if turn.actions[0] == "score")
    assert poor.actions[-1].startswith("end")
    assert poor.win_behind_best.mean > 0


@pytest.mark.parametrize(
    ("turn", "message"),
    [
        (["move:a1-a2"], "no knight on a1"),
        (["fly:a1"], "unknown action"),
        (["buy", "end"], "what is drawn is not known yet"),
        (["end", "score"], "the turn is over before it"),
        ([], "no action given"),
    ],
)
def test_a_turn_that_cannot_be_played_is_refused(turn, message):
    with pytest.raises(TorresError, match=message):
        study(known_position(), turns=[turn])


def test_known_cards_are_held_in_every_world():
    report = study(Position.load(MIDDLE_GAME), known={"RED": ["climb"]})
    (hand,) = report.hidden
    assert hand.known == ["climb"]
    assert next(card for card in hand.cards if card.card == "climb").posterior == 1.0


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ({"pink": ["climb"]}, "not a player"),
        ({"blue": ["climb"]}, "is the viewpoint"),
        ({"red": ["clim"]}, "did you mean 'climb'"),
        ({"red": ["climb", "climb"]}, "no such card is unaccounted for"),
        ({"red": ["climb", "gate", "jump", "shift"]}, "3 unknown cards, and 4 would be needed"),
    ],
)
def test_known_cards_that_cannot_be_are_refused(known, message):
    with pytest.raises(TorresError, match=message):
        study(Position.load(MIDDLE_GAME), known=known)


def test_cards_that_harm_are_found_by_comparing_worlds():
    report = study(Position.load(MIDDLE_GAME), Limit(iterations=300), top=2)
    (hand,) = report.hidden
    assert hand.size == 3
    assert sum(card.posterior for card in hand.cards) == pytest.approx(3, abs=1e-4)
    told = [card for card in hand.cards if card.harm is not None]
    assert told
    for card in told:
        assert card.harm.mean == pytest.approx(card.win_if_not.mean - card.win_if_held.mean, abs=2e-6)
        assert card.win_if_held.n + card.win_if_not.n == report.turns[0].visits


def test_a_record_makes_hands_likelier_or_less_likely():
    record = GameRecord.load(ROOT / "examples" / "games" / "game-2017-two-players.json")
    moments = [p for p in replay_positions(record) if p.phase == "turn" and p.state["year"] == 2]
    position = next(p for p in moments if p.state["hands"][1 - int(p.state["to_move"])])
    report = study(position, Limit(iterations=24), record=record)
    assert any(card.prior != card.posterior for card in report.hidden[0].cards)
    with pytest.raises(TorresError, match="does not occur"):
        study(Position.load(ROOT / "examples" / "positions" / "four-players.json"), record=record)


def test_an_interrupted_analysis_says_what_it_has():
    calls = []
    report = study(Position.load(MIDDLE_GAME), Limit(time=60), should_stop=lambda: calls.append(1) or len(calls) > 2)
    assert report.engine.stopped_by == "interrupted"
    assert any(warning.startswith("interrupted") for warning in report.warnings)
    assert report.turns[0].visits >= 2


def test_confidence_ends_the_search_early():
    position = known_position()
    report = study(
        position,
        Limit(iterations=3000, confidence=0.9),
        turns=[["end"]],
        parameters={**SMALL, "candidates": 1, "temperature": 0.0},  # without whims nothing is left to chance here
    )
    assert report.engine.stopped_by == "confidence"
    assert report.engine.iterations < 3000


@pytest.mark.parametrize("engine", ["random", "greedy", "flat", "oep", "ismcts"])
def test_other_engines_have_their_choice_judged(engine):
    options = {"parameters": None if engine != "flat" else {"candidates": 2, "state_limit": 5000, "tries_all": False}}
    report = study(last_turn(red=["c3"], ap=1, scores=(100, 105)), Limit(iterations=40), engine=engine, **options)
    assert report.engine.name == engine
    assert any(turn.chosen_by_engine for turn in report.turns) == (engine != "flat")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"engine": "cheat"}, "looks at hidden cards"),
        ({"engine": "turn"}, "did you mean 'turns'"),
        ({"parameters": {"reward": None}}, "ranks by win probability"),
        ({"viewpoint": "pink"}, "not a player"),
        ({"threads": 0}, "threads: expected a whole number"),
        ({"omniscient": True, "known": {"red": ["climb"]}}, "leave out one"),
    ],
)
def test_impossible_options_are_refused(options, message):
    with pytest.raises(TorresError, match=message):
        analyze(Position.load(MIDDLE_GAME), FEW, **options)


def test_an_illegal_turn_is_an_illegal_action():
    with pytest.raises(IllegalAction):
        study(known_position(), turns=[["knight:a1"]])


# Honest numbers.


@pytest.mark.slow
def test_intervals_of_95_percent_cover_the_truth_about_as_often():
    knowledge = Knowledge(Position.load(MIDDLE_GAME), seed=3)
    settings = read_settings("turns", SMALL, omniscient=False)
    with Sampler(knowledge.view.state_array, settings.search, seed=3, threads=2) as sampler:
        trials = Trials(knowledge, sampler)
        listing = list_candidates(
            knowledge.view, most=3, plan_share=0, state_limit=5000, width=4, sweeps=1, tries_all=False
        )
        trials.add(listing.best)
        trials.try_up_to([0, 1, 2], 800)
        covered = []
        wins = np.array([trials.wins(turn) for turn in range(3)])
        for parts in np.split(wins, 50, axis=1):  # 16 worlds each
            scale = usual_scale(list(parts))
            for turn in range(3):
                low, high = estimate(parts[turn], 0.0, 1.0, scale=scale).ci95
                covered.append(low <= wins[turn].mean() <= high)
    assert 0.88 <= np.mean(covered) <= 0.99


def test_turns_dropped_early_do_not_look_the_best_by_their_error_alone():
    luck = np.random.default_rng(1)
    leader = 0.6 + 0.1 * luck.standard_normal(200)
    second = leader - 0.05 + 0.02 * luck.standard_normal(200)
    dropped = [leader[:2] - 0.2 + 0.1 * luck.standard_normal(2) for _ in range(90)]
    chances = best_chances([leader, second, *dropped], 0)
    assert chances[0] > 0.9
    assert chances.sum() == pytest.approx(1)


def test_two_turns_that_lasted_and_are_alike_share_the_chance_of_being_the_best():
    luck = np.random.default_rng(5)
    leader = 0.6 + 0.1 * luck.standard_normal(200)
    second = leader + 0.05 * luck.standard_normal(200)
    second += leader.mean() - second.mean()
    dropped = [leader[:4] - 0.2 + 0.1 * luck.standard_normal(4) for _ in range(90)]
    chances = best_chances([leader, second, *dropped], 0)
    assert chances[:2] == pytest.approx([0.5, 0.5], abs=0.1)


def test_a_dropped_turn_that_did_nearly_as_well_keeps_a_chance():
    luck = np.random.default_rng(2)
    leader = 0.6 + 0.1 * luck.standard_normal(200)
    dropped = [leader[:2] - 0.02 + 0.1 * luck.standard_normal(2) for _ in range(3)]
    assert best_chances([leader, *dropped], 0)[1:].sum() > 0.1


def test_knowing_is_worth_nothing_where_one_turn_is_always_the_best():
    luck, is_so = np.random.default_rng(3), np.arange(400) % 3 == 0
    gains = [
        gain_of_knowing(np.array([0.6, 0.55, 0.5])[:, None] + 0.1 * luck.standard_normal((3, 400)), is_so)
        for _ in range(40)
    ]
    assert np.mean([gain.mean for gain in gains]) < 0.004  # the naive best in each case would gain twice as much
    assert np.mean([gain.ci95[0] > 0 for gain in gains]) <= 0.1


def test_knowing_is_worth_what_the_better_answer_gains():
    luck, is_so = np.random.default_rng(4), np.arange(400) % 4 == 0
    wins = np.array([np.where(is_so, 0.2, 0.7), np.where(is_so, 0.6, 0.5)]) + 0.05 * luck.standard_normal((2, 400))
    gain = gain_of_knowing(wins, is_so)
    assert gain.ci95[0] < 0.25 * 0.4 < gain.ci95[1]
