"""Ratings: as of another program and of brute force, intervals that cover, clear words where nothing is known."""

import math
from itertools import permutations
from random import Random

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from tests.tournaments.synthetic import NAMES, draw_blocks, separate_games
from torres_mcts.core.errors import TorresError
from torres_mcts.tournaments.statistics.outcomes import Outcome
from torres_mcts.tournaments.statistics.ratings import (
    ELO,
    Ratings,
    connected_groups,
    elo_of_points,
    points_of_elo,
    rate,
)

FOUR_STRENGTHS = np.array([0.5, 0.2, -0.2, -0.5])
FOUR_SEATS = np.array([0.3, 0.1, -0.1, -0.3])


def elo_of(ratings: Ratings) -> dict[str, float]:
    return {rating.agent: rating.elo.mean for rating in ratings.ratings}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_without_ties_and_seats_ratings_are_those_of_choix(players: int) -> None:
    luck = np.random.default_rng(players)
    games = draw_blocks(luck, np.linspace(-1, 1, 6), np.zeros(players), blocks=25)
    orders = [[NAMES.index(game.agents[seat]) for seat in np.argsort(game.scores)[::-1]] for game in games]
    expected = choix.opt_rankings(6, orders, alpha=0.05, tol=1e-9)
    rated = elo_of(rate(games, with_seats=False, ridge=0.1))  # choix counts the squares once, we count half of them
    assert [rated[name] / ELO for name in NAMES[:6]] == pytest.approx(expected - expected.mean(), abs=1e-6)


def brute_force(games: list[Outcome], agents: str, players: int, ridge: float) -> tuple[np.ndarray, np.ndarray]:
    """Fit by walking through all orders of each game that its ties allow, and let a general optimiser find the top."""

    def order_log_likelihood(order: tuple[int, ...], strengths: np.ndarray) -> float:
        return sum(
            strengths[order[place]] - math.log(sum(math.exp(strengths[seat]) for seat in order[place:]))
            for place in range(len(order))
        )

    def loss(parameters: np.ndarray) -> float:
        skill = parameters[: len(agents)] - parameters[: len(agents)].mean()
        seats = parameters[len(agents) :] - parameters[len(agents) :].mean()
        total = -ridge / 2 * (skill @ skill + seats @ seats)
        for game in games:
            strengths = np.array([skill[agents.index(agent)] for agent in game.agents]) + seats
            allowed = [
                order
                for order in permutations(range(players))
                if all(game.scores[order[i]] >= game.scores[order[i + 1]] for i in range(players - 1))
            ]
            total += np.mean([order_log_likelihood(order, strengths) for order in allowed])
        return -total

    top = minimize(loss, np.zeros(len(agents) + players), method="BFGS", options={"gtol": 1e-7}).x
    skill, seats = top[: len(agents)], top[len(agents) :]
    return skill - skill.mean(), seats - seats.mean()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ties_and_seats_are_those_of_brute_force(players: int) -> None:
    games = draw_blocks(
        np.random.default_rng(7), np.array([0.4, 0.0, -0.4, 0.1]), np.zeros(players), blocks=6, spread=1
    )
    assert sum(len(set(game.scores)) < players for game in games) >= 3
    skill, seats = brute_force(games, NAMES[:4], players, ridge=0.1)
    ratings = rate(games, ridge=0.1)
    rated = elo_of(ratings)
    assert [rated[name] / ELO for name in NAMES[:4]] == pytest.approx(skill, abs=1e-4)
    assert [seat.mean / ELO for seat in ratings.seats[players]] == pytest.approx(seats, abs=1e-4)


def test_strengths_and_seats_are_recovered_from_games_of_two_three_and_four() -> None:
    luck = np.random.default_rng(11)
    strengths = np.array([0.9, 0.4, 0.0, -0.4, -0.9])
    effects = {2: np.array([0.4, -0.4]), 3: np.array([0.3, 0.0, -0.3]), 4: FOUR_SEATS}
    games = [
        Outcome((players, game.block), game.agents, game.scores)
        for players, seats in effects.items()
        for game in draw_blocks(luck, strengths, seats, blocks=500, shared=0.5)
    ]
    ratings = rate(games)
    assert ratings.agents == tuple("abcde")
    assert ratings.unknown_seats == ()
    for rating, strength in zip(ratings.ratings, strengths, strict=True):
        assert rating.elo.se < 8
        assert rating.elo.mean == pytest.approx(ELO * strength, abs=4 * rating.elo.se)
    for players, seats in effects.items():
        for found, effect in zip(ratings.seats[players], seats, strict=True):
            assert found.se < 13
            assert found.mean == pytest.approx(ELO * effect, abs=4 * found.se)
    assert sum(rating.elo.mean for rating in ratings.ratings) == pytest.approx(0, abs=1e-6)
    assert ratings.superiority[0, 4] > 0.999


@pytest.mark.slow
@pytest.mark.parametrize(
    ("strengths", "seats", "blocks", "shared"),
    [(np.array([0.4, -0.4]), np.array([0.1, -0.1]), 60, 0.95), (FOUR_STRENGTHS, FOUR_SEATS, 25, 0.7)],
    ids=["2 players", "4 players"],
)
def test_intervals_cover_by_blocks_and_not_by_games(
    strengths: np.ndarray, seats: np.ndarray, blocks: int, shared: float
) -> None:
    luck, runs = np.random.default_rng(5), 300
    gap, own, seat, by_games = 0, 0, 0, 0
    for _ in range(runs):
        games = draw_blocks(luck, strengths, seats, blocks=blocks, shared=shared)
        ratings, careless = rate(games), rate(separate_games(games))
        truth = ELO * (strengths[0] - strengths[1])
        gap += (found := ratings.difference("a", "b")).low <= truth <= found.high
        by_games += (found := careless.difference("a", "b")).low <= truth <= found.high
        first = next(rating.elo for rating in ratings.ratings if rating.agent == "a")
        own += first.low <= ELO * strengths[0] <= first.high
        seat += (found := ratings.seats[len(seats)][0]).low <= ELO * seats[0] <= found.high
    for covered in (gap, own, seat):
        assert 0.92 < covered / runs < 0.98
    assert by_games / runs < 0.9


def test_chances_of_being_stronger_keep_their_word() -> None:
    """Where strengths are equal, a chance below 10 % is given about one time in ten."""
    luck = np.random.default_rng(9)
    chances = []
    for _ in range(300):
        ratings = rate(draw_blocks(luck, np.zeros(2), np.zeros(2), blocks=30, shared=0.5))
        chances.append(ratings.superiority[ratings.agents.index("a"), ratings.agents.index("b")])
    assert 0.06 < np.mean(np.array(chances) < 0.1) < 0.14
    assert 0.06 < np.mean(np.array(chances) > 0.9) < 0.14


def test_an_agent_under_two_names_shows_no_difference() -> None:
    found = rate(draw_blocks(np.random.default_rng(3), np.zeros(2), np.array([0.5, -0.5]), blocks=400))
    gap = found.difference("a", "b")
    assert gap.low < 0 < gap.high
    assert gap.se < 15
    assert found.seats[2][0].low > 30  # the seat is what matters here


def test_an_agent_against_itself_has_rating_zero_and_seats_count() -> None:
    games = [Outcome(deal, ("a", "a"), (1, 0) if deal % 4 else (0, 1)) for deal in range(200)]
    ratings = rate(games)
    assert ratings.ratings[0].elo.mean == 0
    assert ratings.ratings[0].elo.high == 0
    assert ratings.seats[2][0].mean == pytest.approx(ELO * math.log(3) / 2, abs=0.1)


def test_an_unbeaten_agent_stays_finite_and_uncertain() -> None:
    games = [Outcome(deal, ("a", "b") if deal % 2 else ("b", "a"), (deal % 2, 1 - deal % 2)) for deal in range(100)]
    ratings = rate(games)
    gap = ratings.difference("a", "b")
    exact = elo_of_points(0.025 ** (1 / 100))  # Clopper and Pearson: the least chance that wins all with 2.5 %
    assert 1000 < gap.mean < 2000
    assert gap.low == pytest.approx(exact, abs=50)
    assert gap.high >= gap.mean
    assert ratings.tiers == (("a",), ("b",))


def test_tiers_are_groups_that_never_lost_to_those_below() -> None:
    results = [("a", "b"), ("b", "a"), ("b", "c"), ("c", "d"), ("d", "c")]
    games = [Outcome(deal, pair, (1, 0)) for deal, pair in enumerate(results)]
    assert [set(tier) for tier in rate(games).tiers] == [{"a", "b"}, {"c", "d"}]
    assert len(rate([*games, Outcome(9, ("d", "a"), (5, 5))]).tiers) == 1


def test_agents_that_no_games_connect_are_named() -> None:
    games = [Outcome(0, ("a", "b"), (1, 0)), Outcome(0, ("c", "d"), (1, 0)), Outcome(1, ("b", "e"), (1, 0))]
    assert connected_groups(games) == [("a", "b", "e"), ("c", "d")]
    with pytest.raises(TorresError, match=r"no games connect these groups .*: a, b, e; c, d"):
        rate(games)
    with pytest.raises(TorresError, match="no games to rate"):
        rate([])


def test_seats_that_agents_never_left_are_not_told_from_them() -> None:
    fixed = [Outcome(deal, ("a", "b"), (deal % 3, 1)) for deal in range(30)]
    ratings = rate(fixed)
    assert ratings.unknown_seats == (2,)
    assert ratings.seats == {}
    turned = rate([*fixed, Outcome(30, ("b", "a"), (1, 0))])
    assert turned.unknown_seats == ()
    assert len(turned.seats[2]) == 2


def test_the_anchor_has_rating_zero() -> None:
    games = draw_blocks(np.random.default_rng(1), FOUR_STRENGTHS, FOUR_SEATS, blocks=50)
    ratings = rate(games, anchor="c")
    by_agent = {rating.agent: rating.elo for rating in ratings.ratings}
    assert (by_agent["c"].mean, by_agent["c"].se) == (0, 0)
    assert by_agent["a"] == ratings.difference("a", "c")
    assert elo_of(rate(games))["a"] - elo_of(rate(games))["c"] == pytest.approx(by_agent["a"].mean)
    with pytest.raises(TorresError, match="no games of the anchor 'C'"):
        rate(games, anchor="C")
    with pytest.raises(TorresError, match="no games of agent 'x'"):
        ratings.difference("a", "x")
    with pytest.raises(TorresError, match="ridge: must be more than 0, not 0"):
        rate(games, ridge=0)


def test_an_anchor_seen_in_two_blocks_makes_all_others_uncertain() -> None:
    games = draw_blocks(np.random.default_rng(4), FOUR_STRENGTHS, FOUR_SEATS, blocks=50)
    games += [Outcome(deal, pair, (1, 0)) for deal, pair in enumerate([("a", "new"), ("new", "a")])]
    by_agent = {rating.agent: rating for rating in rate(games, anchor="new").ratings}
    assert by_agent["a"].blocks == 50
    assert by_agent["new"].blocks == 2
    assert by_agent["a"].elo.high - by_agent["a"].elo.low > 2000


def test_one_block_says_nothing_about_strength() -> None:
    ratings = rate(draw_blocks(np.random.default_rng(1), FOUR_STRENGTHS, FOUR_SEATS, blocks=1))
    gap = ratings.difference("a", "b")
    assert (gap.low, gap.high) == (-math.inf, math.inf)
    assert (ratings.superiority == 0.5).all()


def test_forfeits_rate_like_last_places() -> None:
    lost = [Outcome(deal, ("a", "b"), (0, 1)) for deal in range(9)]
    forfeited = [Outcome(deal, ("a", "b"), (7, 1), frozenset({0})) for deal in range(9)]
    won = [Outcome(deal, ("a", "b"), (1, 0)) for deal in range(10, 14)]
    assert elo_of(rate(forfeited + won)) == elo_of(rate(lost + won))


def test_rank_points_at_a_table_of_equals_are_those_of_a_duel() -> None:
    """The chance to be ahead of one opponent does not depend on the others at the table."""
    luck = np.random.default_rng(2)
    ahead = luck.gumbel(size=(200_000, 4)) + [100 / ELO, 0, 0, 0]
    points = (ahead[:, :1] > ahead[:, 1:]).mean()
    assert points_of_elo(100) == pytest.approx(points, abs=0.004)
    assert elo_of_points(points_of_elo(-250)) == pytest.approx(-250)
    assert elo_of_points(0) == -math.inf


scores = st.integers(0, 3)
lineups = st.lists(st.tuples(st.sampled_from("abc"), scores), min_size=2, max_size=4)
RING = [("a", "b"), ("b", "c"), ("c", "a")]


def as_games(tables: list[list[tuple[str, int]]]) -> list[Outcome]:
    """Return games of the tables after a ring of games that connects all agents and turns them through seats."""
    ring = [Outcome(f"ring {deal}", pair, (1, deal % 2)) for deal, pair in enumerate([*RING, *RING])]
    drawn = [
        Outcome(deal // 2, tuple(agent for agent, _ in table), tuple(score for _, score in table))
        for deal, table in enumerate(tables)
    ]
    return ring + drawn


@given(st.lists(lineups, max_size=6), st.permutations("abc"))
@settings(max_examples=40, deadline=None)
def test_new_names_for_agents_change_nothing_else(tables: list[list[tuple[str, int]]], names: list[str]) -> None:
    renamed = dict(zip("abc", names, strict=True))
    games = as_games(tables)
    again = [Outcome(game.block, tuple(renamed[agent] for agent in game.agents), game.scores) for game in games]
    before, after = rate(games), rate(again)
    for agent in "abc":
        assert elo_of(after)[renamed[agent]] == pytest.approx(elo_of(before)[agent], abs=1e-4)
    gap, gap_after = before.difference("a", "b"), after.difference(renamed["a"], renamed["b"])
    assert (gap_after.low, gap_after.high) == pytest.approx((gap.low, gap.high), abs=1e-3)


@given(st.lists(lineups, max_size=6), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_the_order_of_games_and_the_size_of_scores_do_not_matter(
    tables: list[list[tuple[str, int]]], luck: Random
) -> None:
    games = as_games(tables)
    stretched = [Outcome(game.block, game.agents, tuple(score**3 + 5 for score in game.scores)) for game in games]
    luck.shuffle(stretched)
    before, after = rate(games, anchor="a"), rate(stretched, anchor="a")
    for agent in "bc":
        gap, gap_after = before.difference(agent, "a"), after.difference(agent, "a")
        assert (gap_after.mean, gap_after.se) == pytest.approx((gap.mean, gap.se), abs=1e-3)


@given(st.lists(lineups, max_size=6))
@settings(max_examples=40, deadline=None)
def test_turning_all_results_round_turns_ratings_round_in_duels(tables: list[list[tuple[str, int]]]) -> None:
    games = as_games([table[:2] for table in tables])
    worst_first = [Outcome(game.block, game.agents, tuple(-score for score in game.scores)) for game in games]
    before, after = rate(games), rate(worst_first)
    for agent in "abc":
        assert elo_of(after)[agent] == pytest.approx(-elo_of(before)[agent], abs=1e-4)
    for seat, turned in zip(before.seats.get(2, ()), after.seats.get(2, ()), strict=True):
        assert turned.mean == pytest.approx(-seat.mean, abs=1e-4)
    chances = before.superiority
    assert chances + chances.T == pytest.approx(np.ones_like(chances))
