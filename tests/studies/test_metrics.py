"""Metrics on games that were made up, where the truth is known by construction."""

import math
from pathlib import Path

import numpy as np
import pytest

from tests.studies.made_logs import make_curve, make_game, make_turn, make_year
from torres_mcts.studies.diary import KINDS, SOURCES
from torres_mcts.studies.metrics import METRICS
from torres_mcts.studies.metrics.seats import compare_seats
from torres_mcts.tournaments.game import Forfeit

DOCS = Path(__file__).parents[2] / "docs" / "metrics.md"


def measure(name, *games):
    """Return the values of a metric for games, each a block of its own."""
    return METRICS[name].measure([[game] for game in games])


# All of them


@pytest.mark.parametrize("name", METRICS)
def test_no_games_give_no_number(name):
    assert all(math.isnan(value) for value in METRICS[name].measure([]).values())


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_is_defined_in_the_docs(name):
    text = " ".join(DOCS.read_text(encoding="utf-8").split())
    assert f"`{name}`" in text
    assert METRICS[name].definition in text
    assert METRICS[name].name == name


@pytest.mark.parametrize("name", METRICS)
def test_a_block_with_a_forfeit_is_left_out(name):
    lost = make_game((50, 0), forfeit=Forfeit(0, "broke down", 1))
    played = make_curve((9, 5), 0.5, 0.7, 0.6)
    whole = make_game(
        (30, 20), turns=played.turns, years=tuple(make_year(number, (number * 10, 5)) for number in (1, 2, 3))
    )
    with_lost = METRICS[name].measure([[whole], [whole, lost]])
    assert with_lost == pytest.approx(METRICS[name].measure([[whole]]), nan_ok=True)


# Seats and agents


def test_the_first_seat_wins_three_games_of_four():
    found = measure("seats", *[make_game(scores) for scores in [(9, 5), (9, 5), (9, 5), (5, 9)]])
    assert found == {"seat1_points": 0.75, "seat1_wins": 0.75, "seat2_points": 0.25, "seat2_wins": 0.25}


def test_rank_points_and_wins_differ_with_three_players():
    found = measure("seats", make_game((9, 5, 1)), make_game((9, 9, 1)))
    assert [found[f"seat{seat}_points"] for seat in (1, 2, 3)] == [0.875, 0.625, 0.0]
    assert [found[f"seat{seat}_wins"] for seat in (1, 2, 3)] == [0.75, 0.25, 0.0]


def test_the_joint_test_tells_an_unfair_game_from_a_fair_one():
    unfair = [[make_game((9, 5), deal=deal)] for deal in range(40)]
    fair = [[make_game((9, 5) if deal % 2 else (5, 9), deal=deal)] for deal in range(40)]
    assert compare_seats(unfair).wins.p_value < 0.001
    assert compare_seats(fair).wins.p_value > 0.9


def test_an_agent_is_followed_through_its_seats():
    games = make_game((9, 5), agents=("turns", "random")), make_game((5, 9), agents=("random", "turns"))
    assert measure("agents", *games) == {"random": 0.0, "turns": 1.0}


# Points


def test_quantiles_of_points_by_seat_place_and_margin():
    found = measure("scores", *[make_game((points, 50)) for points in (10, 30, 70)])
    assert found["seat1_mean"] == pytest.approx(110 / 3)
    assert (found["seat1_q50"], found["seat2_q50"]) == (30, 50)
    assert (found["place1_mean"], found["place2_q50"]) == (pytest.approx(170 / 3), 30)
    assert (found["margin_q50"], found["margin_mean"]) == (20, pytest.approx(80 / 3))
    assert found["all_mean"] == pytest.approx(260 / 6)
    assert found["seat1_q05"] == pytest.approx(12)


def test_sources_by_year_in_all_and_as_shares():
    years = (
        make_year(1, (14, 9), castles=(10, 4), king=(0, 5), ap=(3, 0), skips=(1, 0)),
        make_year(2, (14, 19), king=(0, 10)),
        make_year(3, (64, 19), master=(50, 0)),
    )
    found = measure("sources", make_game((64, 19), years=years))
    assert (found["year1_castles"], found["year1_king"], found["year2_king"]) == (7, 2.5, 5)
    assert (found["game_king"], found["game_master"], found["game_ap"], found["game_skips"]) == (7.5, 25, 1.5, 0.5)
    assert found["share_castles"] == pytest.approx(14 / 83)
    assert sum(found[f"share_{source}"] for source in SOURCES) == pytest.approx(1)


# Tension


def test_the_lead_changes_on_points_standing_and_chances():
    turns = (
        make_turn(scores=(1, 0), standing=(0, 2), wins=(0.4, 0.6)),
        make_turn(scores=(1, 1), standing=(3, 2), wins=(0.3, 0.7)),  # a shared lead stays where it was
        make_turn(scores=(2, 1), standing=(3, 4), wins=(0.6, 0.4)),
        make_turn(scores=(2, 3), standing=(5, 4), wins=(0.7, 0.3)),
    )
    assert measure("lead_changes", make_game((2, 3), turns=turns)) == {"points": 0.25, "standing": 0.75, "wins": 0.25}


def test_drama_is_how_far_the_winner_was_behind():
    assert measure("drama", make_curve((9, 5), 0.5, 0.25, 0.75, 1.0))["all"] == pytest.approx(0.5 / 3)
    assert measure("drama", make_curve((9, 5), 0.5, 0.75, 1.0))["all"] == 0


def test_drama_of_a_shared_win_is_the_mean_of_the_winners():
    assert measure("drama", make_curve((9, 9), 0.75, 0.5))["all"] == pytest.approx(0.25)


def test_a_game_is_decided_when_the_winner_stays_above_one_half():
    assert measure("decisive_point", make_curve((9, 5), 0.5, 0.7, 0.4, 0.6, 1.0))["mean"] == pytest.approx(3 / 4)
    assert measure("decisive_point", make_curve((9, 5), 0.6, 0.7, 0.8))["mean"] == 0
    assert measure("decisive_point", make_curve((9, 5), 0.6, 0.3, 1.0))["last_turn"] == 1
    assert measure("decisive_point", make_curve((5, 9), 0.4, 0.3, 0.1))["mean"] == 0  # the second player wins
    assert measure("decisive_point", make_curve((9, 9), 0.6, 0.7, 0.5))["mean"] == 1


def test_games_decided_in_the_last_year_are_told_from_earlier_ones():
    early = make_curve((9, 5), 0.5, 0.7, 0.8, 1.0, years=[1, 2, 3])
    late = make_curve((9, 5), 0.5, 0.7, 0.4, 1.0, years=[1, 2, 3])
    found = measure("decisive_point", early, late)
    assert (found["last_year"], found["last_turn"], found["median"]) == (0.5, 0.5, pytest.approx(2 / 3))


def test_uncertainty_is_one_with_equal_chances_and_falls_to_nought():
    quarter = -(0.25 * math.log(0.25) + 0.75 * math.log(0.75)) / math.log(2)
    found = measure("uncertainty", make_curve((9, 5), 0.5, 0.75, 1.0, 1.0))
    assert found["all"] == pytest.approx((1 + quarter + 0) / 3)
    assert found["last_third"] == 0
    three = make_game((3, 2, 1), turns=(make_turn(wins=(1, 0, 0)),))
    assert measure("uncertainty", three)["all"] == pytest.approx(1)


def test_the_last_third_has_at_least_one_turn():
    assert measure("uncertainty", make_curve((9, 5), 0.5, 1.0))["last_third"] == 1


# Leading and catching up


def with_years(scores, first, second):
    return make_game(scores, years=(make_year(1, first), make_year(2, second), make_year(3, scores)))


def test_comebacks_are_counted_by_how_far_one_was_behind():
    found = measure(
        "comeback",
        with_years((90, 80), (10, 15), (40, 60)),  # 5 and 20 behind, and won
        with_years((80, 90), (10, 19), (50, 60)),  # 9 and 10 behind, and lost
        with_years((90, 80), (20, 8), (30, 30)),  # 12 behind and lost; then level
    )
    assert (found["year1_behind_1_9"], found["year1_behind_10_19"]) == (0.5, 0.0)
    assert (found["year2_behind_10_19"], found["year2_behind_20"]) == (0.0, 1.0)
    assert math.isnan(found["year1_behind_20"])
    assert math.isnan(found["year2_behind_1_9"])


def test_a_game_that_the_leader_always_wins_runs_away():
    games = [with_years((90, 80), (10, 5), (40, 30)), with_years((80, 90), (5, 10), (40, 30))]
    found = measure("runaway", *games)
    assert (found["year1_correlation"], found["year1_leader"]) == (pytest.approx(1), 1)
    assert (found["year2_correlation"], found["year2_leader"]) == (pytest.approx(0), 0.5)


def test_a_shared_lead_counts_in_parts():
    assert measure("runaway", with_years((90, 80), (7, 7), (9, 9)))["year1_leader"] == 0.5


def test_those_behind_catch_up_or_fall_back():
    catching = with_years((90, 90), (10, 20), (70, 40))  # 80 and 70 points after year 1
    assert measure("catch_up", catching) == {"year1": pytest.approx(-1), "year2": pytest.approx(-1)}
    assert measure("catch_up", with_years((90, 50), (20, 10), (40, 30)))["year1"] == pytest.approx(1)


# What players do


def test_legal_actions_by_decision_turn_and_year():
    turns = (make_turn(legal=(100, 10)), make_turn(year=2, legal=(1000,)))
    found = measure("branching", make_game((1, 0), turns=turns))
    assert (found["decision"], found["first"], found["log10_turn"]) == (370, 550, pytest.approx(3))
    assert (found["year1"], found["year2"]) == (55, 1000)
    assert math.isnan(found["year3"])


def test_the_median_of_distinct_turns_knows_what_was_not_counted():
    def game(number, is_all):
        return make_game((1, 0), turns=(make_turn(), make_turn(distinct=(number, is_all))))

    found = measure("distinct_turns", game(100, True), game(300, True), game(200, False))
    assert (found["median"], found["counted"]) == (300, pytest.approx(2 / 3))
    assert math.isnan(measure("distinct_turns", game(100, True), game(200, False))["median"])


def test_actions_and_ap_of_a_turn():
    turns = (
        make_turn(ap=7, wasted=1, done=(1, 2, 1, 0, 1), spent=(2, 2, 1, 0, 1), played=("ap7",)),
        make_turn(seat=1, wasted=5),
    )
    found = measure("duration", make_game((1, 0), turns=turns))
    assert (found["game_turns"], found["game_actions"], found["turn_actions"]) == (2, 6, 3)
    assert (found["turn_ap"], found["turn_spent"], found["turn_wasted"], found["wasting"]) == (6, 3, 3, 1)


def test_ap_go_into_kinds_of_actions_by_year():
    turns = (make_turn(spent=(2, 1, 0, 0, 2)), make_turn(spent=(0, 3, 0, 0, 0), wasted=2), make_turn(year=3))
    found = measure("ap_use", make_game((1, 0), turns=turns))
    assert [found[f"year1_{kind}"] for kind in KINDS] == [1, 2, 0, 0, 1]
    assert (found["year1_wasted"], found["year3_move"]) == (1, 0)


def test_cards_bought_and_played_are_a_player_and_year():
    turns = (make_turn(bought=("gate", "jump")), make_turn(seat=1), make_turn(year=2, played=("gate",)))
    found = measure("cards_a_year", make_game((1, 0), turns=turns))
    assert (found["year1_bought"], found["year2_played"], found["year3_played"]) == (1, 0.5, 0)


# King


def test_the_king_helps_the_last():
    years = (
        make_year(1, (5, 9), king=(0, 5)),
        make_year(2, (19, 12), king=(10, 0)),  # the last got it
        make_year(3, (20, 30), king=(0, 15)),  # again
    )
    found = measure("king", make_game((20, 30), years=years))
    assert (found["year1"], found["place1"], found["place2"]) == (0.5, 0, 1)
    assert (found["last_less_first"], found["points_last_less_first"], found["moved"]) == (1, 12.5, 0)


# Skill


def test_skill_is_what_a_doubling_brings():
    def game(won, mine, theirs):
        return make_game(
            (9, 5) if won else (5, 9), budgets=(("turns", "iterations", mine), ("turns", "iterations", theirs))
        )

    games = [game(True, 128, 64), game(True, 128, 64), game(False, 64, 128), game(False, 128, 64)]
    assert measure("skill_depth", *games) == {"turns": pytest.approx(0.25)}
    assert measure("skill_depth", game(True, 256, 64)) == {"turns": pytest.approx(0.25)}  # two doublings
    assert measure("skill_depth", game(True, 64, 64)) == {}


def test_only_budgets_of_the_same_agent_and_unit_are_compared():
    budgets = ("turns", "iterations", 128), ("turns", "seconds", 1.0), ("greedy", "iterations", 64), None
    assert measure("skill_depth", make_game((4, 3, 2, 1), budgets=budgets)) == {}


def test_a_correlation_is_that_of_numpy():
    rng = np.random.default_rng(3)
    games = [
        with_years(tuple(rng.integers(0, 99, 3)), tuple(rng.integers(0, 20, 3)), tuple(rng.integers(20, 60, 3)))
        for _ in range(30)
    ]
    before = np.array([game.years[0].scores for game in games], dtype=float)
    after = np.array([game.scores for game in games]) - before
    before -= before.mean(axis=1, keepdims=True)
    after -= after.mean(axis=1, keepdims=True)
    expected = np.corrcoef(before.ravel(), after.ravel())[0, 1]
    assert measure("catch_up", *games)["year1"] == pytest.approx(expected)
