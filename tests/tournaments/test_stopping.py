"""Early stopping: the formula of the design, error rates that hold, and a record of what stopped a match."""

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from torres_mcts.core.errors import TorresError
from torres_mcts.tournaments.statistics.estimates import estimate_share
from torres_mcts.tournaments.statistics.planning import (
    blocks_for_precision,
    expect_test,
    plan,
)
from torres_mcts.tournaments.statistics.stopping import (
    Hypotheses,
    Reason,
    StoppingRule,
    Unit,
    judge,
    log_likelihood_ratios,
)

POINTS = Hypotheses(0.5, 0.58)
EFFECT = Hypotheses(0.0, 0.2, Unit.EFFECT)


def draw_blocks(luck: np.random.Generator, mean: float, shape: tuple[int, int]) -> np.ndarray:
    """Draw blocks of two games that often end alike, so that games are not independent."""
    first, second = (luck.random((2, *shape)) < mean).astype(float)
    return (first + np.where(luck.random(shape) < 0.5, first, second)) / 2


def first_stops(hypotheses: Hypotheses, blocks: np.ndarray) -> tuple[float, float, float]:
    """Return how often high and low are accepted in many runs, and the mean length."""
    ratios, (low, high) = log_likelihood_ratios(hypotheses, blocks)[:, 29:], hypotheses.bounds
    outside = (ratios >= high) | (ratios <= low)
    assert outside.any(axis=1).mean() > 0.99
    stop = outside.argmax(axis=1)
    ends = ratios[np.arange(len(ratios)), stop]
    return float(np.mean(ends >= high)), float(np.mean(ends <= low)), float(np.mean(stop + 30))


def naive_ratio(blocks: list[float], low: float, high: float) -> float:
    """State the formula of the design page for hypotheses about the mean."""
    mean = sum(blocks) / len(blocks)
    sd = math.sqrt(sum((block - mean) ** 2 for block in blocks) / len(blocks))
    t, t0, t1 = ((value - 0.5) / sd for value in (mean, low, high))
    return len(blocks) / 2 * math.log((1 + (t - t0) ** 2) / (1 + (t - t1) ** 2))


def test_ratios_are_those_of_the_formula() -> None:
    blocks = draw_blocks(np.random.default_rng(1), 0.55, (1, 120))[0]
    ratios = log_likelihood_ratios(POINTS, blocks)
    for count in range(30, 121):
        assert ratios[count - 1] == pytest.approx(naive_ratio(blocks[:count].tolist(), 0.5, 0.58))
    sd = float(np.std(blocks))
    as_effect = Hypotheses(0.0, 0.08 / sd, Unit.EFFECT)
    assert log_likelihood_ratios(as_effect, blocks)[-1] == pytest.approx(ratios[-1])


def test_bounds_are_those_of_wald() -> None:
    low, high = Hypotheses(0.5, 0.6, alpha=0.05, beta=0.1).bounds
    assert math.exp(low) == pytest.approx(0.1 / 0.95)
    assert math.exp(high) == pytest.approx(0.9 / 0.05)


@pytest.mark.parametrize("hypotheses", [POINTS, EFFECT], ids=["points", "effect"])
def test_error_rates_hold_on_blocks_whose_games_depend_on_each_other(hypotheses: Hypotheses) -> None:
    luck = np.random.default_rng(2)
    high_mean = 0.58 if hypotheses is POINTS else 0.5 + 0.2 * math.sqrt(0.1875 * 0.9734)  # sd at that mean
    wrong_high, _, _ = first_stops(hypotheses, draw_blocks(luck, 0.5, (1500, 900)))
    _, wrong_low, _ = first_stops(hypotheses, draw_blocks(luck, high_mean, (1500, 900)))
    assert 0.025 < wrong_high < 0.065
    assert 0.025 < wrong_low < 0.065


def test_a_test_on_games_would_not_hold_its_error_rate() -> None:
    """Each game taken for a block of its own: the games of a block that end alike count twice."""
    luck = np.random.default_rng(3)
    first = luck.random((1500, 900)) < 0.5
    games = np.repeat(first, 2, axis=1).astype(float)
    wrong_by_games, _, _ = first_stops(POINTS, games)
    wrong_by_blocks, _, _ = first_stops(POINTS, first.astype(float))
    assert wrong_by_games > 0.1
    assert wrong_by_blocks < 0.065


def test_a_stop_by_precision_has_the_half_width_and_covers() -> None:
    luck = np.random.default_rng(4)
    rule = StoppingRule(half_width=0.08)
    covered = []
    for blocks in draw_blocks(luck, 0.6, (600, 250)):
        verdict = judge(rule, blocks)
        assert verdict.reason == Reason.PRECISE
        assert verdict.points is not None
        assert verdict.points.high - verdict.points.low <= 2 * 0.08 + 1e-9
        covered.append(verdict.points.low <= 0.6 <= verdict.points.high)
    assert 0.925 < np.mean(covered) < 0.975


def test_nothing_is_decided_before_the_minimum() -> None:
    sweep = np.ones(100)
    rule = StoppingRule(Hypotheses(0.5, 0.6), half_width=0.2)
    assert judge(rule, sweep[:29]).reason == Reason.GOING_ON
    verdict = judge(rule, sweep)
    assert (verdict.reason, verdict.blocks) == (Reason.HIGH, 30)
    assert judge(rule, 1 - sweep).reason == Reason.LOW


@pytest.mark.parametrize("hypotheses", [POINTS, EFFECT], ids=["points", "effect"])
def test_a_near_sweep_decides_soon(hypotheses: Hypotheses) -> None:
    """The formula alone would take it for little evidence, as neither hypothesis explains it."""
    verdict = judge(StoppingRule(hypotheses), np.tile([1.0] * 9 + [0.5], 20))
    assert verdict.reason == Reason.HIGH
    assert verdict.blocks <= 40


def test_an_agent_against_itself_is_found_no_stronger() -> None:
    verdict = judge(StoppingRule(Hypotheses.from_elo(0, 20)), np.full(400, 0.5))
    assert verdict.reason == Reason.LOW
    assert 30 < verdict.blocks < 120  # blocks that are all alike so far are no proof that all are


def test_the_cap_stops_and_says_so() -> None:
    blocks = np.tile([0.25, 0.75, 0.5, 0.6], 30)
    rule = StoppingRule(Hypotheses(0.5, 0.55), cap=40)
    verdict = judge(rule, blocks)
    assert (verdict.reason, verdict.blocks, verdict.is_over) == (Reason.CAP, 40, True)
    assert verdict.points == estimate_share(blocks[:40])
    assert "cap reached after 40 blocks" in str(verdict)
    assert "within [-2.94, 2.94]" in str(verdict)
    assert judge(rule, blocks[:39]).is_over is False
    assert judge(StoppingRule(cap=5), blocks).blocks == 5


def test_without_blocks_nothing_is_said() -> None:
    verdict = judge(StoppingRule(POINTS, half_width=0.1, cap=50), [])
    assert (verdict.reason, verdict.blocks, verdict.points, verdict.ratio) == (Reason.GOING_ON, 0, None, None)
    assert str(verdict) == "going on after 0 blocks"


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=1, max_size=150), st.integers(0, 150))
@settings(max_examples=60, deadline=None)
def test_a_verdict_does_not_depend_on_what_was_played_beyond(blocks: list[float], cut: int) -> None:
    rule = StoppingRule(POINTS, half_width=0.07, cap=120)
    early, late = judge(rule, blocks[:cut]), judge(rule, blocks)
    if early.is_over:
        assert early == late
    else:
        assert not late.is_over or late.blocks > len(blocks[:cut])


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=1, max_size=60))
@settings(max_examples=60, deadline=None)
def test_the_opponents_test_is_the_mirror_image(blocks: list[float]) -> None:
    own = log_likelihood_ratios(Hypotheses(0.45, 0.55), blocks)
    other = log_likelihood_ratios(Hypotheses(0.45, 0.55), [1 - block for block in blocks])
    assert other == pytest.approx(-own, abs=1e-9)


def test_more_wins_are_never_less_evidence() -> None:
    """From all drawn to all won, at each share of wins."""
    ends = [log_likelihood_ratios(EFFECT, [1.0] * wins + [0.5] * (40 - wins))[-1] for wins in range(41)]
    assert all(later >= earlier - 1e-9 for earlier, later in pairwise(ends))


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: Hypotheses(0.6, 0.5), "low must be less than high"),
        (lambda: Hypotheses(0.5, 20), "from 0 to 1"),
        (lambda: Hypotheses(0.5, 0.6, alpha=0), "risks are between"),
        (lambda: StoppingRule(half_width=0), "half_width: must be more than 0"),
        (lambda: StoppingRule(cap=0), "cap: must be at least 1"),
        (lambda: StoppingRule(minimum=1), "minimum: must be at least 2"),
        (lambda: blocks_for_precision(0, 0.3), "half-width above 0"),
        (lambda: expect_test(POINTS, mean=0.5, sd=0), "sd of blocks above 0"),
        (lambda: plan(0, games_per_block=2, seconds_per_game=1), "at least 1"),
    ],
)
def test_senseless_settings_are_refused(make: Callable[[], object], problem: str) -> None:
    with pytest.raises(TorresError, match=problem):
        make()


@pytest.mark.parametrize("mean", [0.5, 0.54, 0.58, 0.7])
def test_the_expected_length_is_that_of_simulated_tests(mean: float) -> None:
    blocks = draw_blocks(np.random.default_rng(5), mean, (600, 2000))
    high, _, length = first_stops(POINTS, blocks)
    expected = expect_test(POINTS, mean=mean, sd=float(blocks.std()))
    assert expected.blocks == pytest.approx(length, rel=0.12)
    assert expected.high_chance == pytest.approx(high, abs=0.04)


def test_the_planned_blocks_give_the_wanted_interval() -> None:
    luck = np.random.default_rng(6)
    sd = float(draw_blocks(luck, 0.5, (1, 100_000)).std())
    count = blocks_for_precision(0.05, sd)
    widths = [(share := estimate_share(blocks)).high - share.low for blocks in draw_blocks(luck, 0.5, (200, count))]
    assert np.mean(widths) / 2 == pytest.approx(0.05, rel=0.02)
    assert blocks_for_precision(0.05, 0.0) == 2
    assert 3.9 < blocks_for_precision(0.025, sd) / count < 4.1


def test_a_plan_counts_games_and_hours() -> None:
    planned = plan(90, games_per_block=3, seconds_per_game=40, workers=2)
    assert (planned.games, planned.hours) == (270, 1.5)


def test_what_is_left_of_a_test_shrinks_towards_a_bound() -> None:
    low, high = POINTS.bounds
    lefts = [expect_test(POINTS, mean=0.55, sd=0.3, minimum=1, ratio=ratio) for ratio in (0.0, high / 2, 0.99 * high)]
    assert lefts[0] == expect_test(POINTS, mean=0.55, sd=0.3, minimum=1)
    assert lefts[0].blocks > lefts[1].blocks > lefts[2].blocks
    assert lefts[0].high_chance < lefts[1].high_chance < lefts[2].high_chance < 1
    assert expect_test(POINTS, mean=0.55, sd=0.3, minimum=1, ratio=0.99 * low).high_chance < 0.1
