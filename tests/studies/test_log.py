"""Logs of games: points by source against the naive rules, what turns add up to, forfeits, cards taken away."""

import json
from collections import Counter
from random import Random

import numpy as np
import pytest

from tests.naive import torres_scoring as naive
from tests.strategies import choose
from tests.tournaments.faulty import Faulty
from torres_mcts import Position, Rules, TorresError
from torres_mcts.agents.agent import Agent, read_agent
from torres_mcts.games.torres.format.model import CARDS, HEIGHT_SIGNS, PRESETS
from torres_mcts.games.torres.format.notation import SQUARE_INDEX, cards_of
from torres_mcts.search.limits import Limit
from torres_mcts.studies.diary import SOURCES, Diary
from torres_mcts.studies.log import GameLog, play_logged_game, take_card
from torres_mcts.studies.metrics import METRICS
from torres_mcts.tournaments.game import play_game

LIMIT = Limit(iterations=8)
RANDOM = read_agent("random")
SHORT_TRACK = {"score_track": 7}  # markers meet all the time
ALL_RULES = [
    pytest.param(preset, players, changes, id=f"{preset}-{players}{'-short-track' if changes else ''}")
    for preset in PRESETS
    for players, changes in ((2, {}), (3, SHORT_TRACK), (4, {}))
]


def follow(start: Position, seed: int, *, wish: str = "") -> tuple[Diary, list[Position], list[str]]:
    """Return the diary of a random game with many rare actions, its positions and its actions.

    wish: an action that is played whenever it is legal
    """
    random, diary, positions, actions = Random(seed), Diary(start), [start], []
    while not diary.position.is_over:
        legal = diary.position.legal_actions()
        actions.append(wish if wish in legal else choose(random, legal))
        diary.play(actions[-1])
        positions.append(diary.position)
    return diary, positions, actions


def new_game(preset: str, players: int = 2, **changes) -> Position:
    return Position.new(Rules.preset(preset, players=players, **changes), seed=1)


def naive_points(positions: list[Position], actions: list[str]) -> list[dict[str, list[int]]]:
    """Return the points of each year by source and seat, by the naive rules."""
    bonuses = {"castles": naive.score_castles, "king": naive.king_bonus, "master": naive.master_bonus}
    years, points = [], {source: [0] * positions[0].rules.players for source in SOURCES}
    for before, after, action in zip(positions, positions[1:], actions, strict=False):
        if action == "score":
            seat = int(before.state["to_move"])
            scores = list(before.scores.values())
            points["ap"][seat] += 1
            points["skips"][seat] += naive.move_marker(scores, seat, 1, before.rules.score_track) - scores[seat] - 1
        if before.phase == "turn" and after.phase in ("king", "over"):
            board = before.to_dict()
            for source, bonus in bonuses.items():
                for player in naive.turn_order(board):
                    seat, had, got = board["players"].index(player), player["score"], bonus(board, player)
                    naive.gain(board, player, got)
                    points[source][seat] += got
                    points["skips"][seat] += player["score"] - had - got
            years.append(points)
            points = {source: [0] * before.rules.players for source in SOURCES}
    return years


@pytest.mark.parametrize(("preset", "players", "changes"), ALL_RULES)
def test_points_come_from_where_the_naive_rules_say_and_sum_to_the_score(preset, players, changes):
    for seed in (1, 2):
        diary, positions, actions = follow(new_game(preset, players, **changes), seed)
        found = [dict(zip(SOURCES, map(list, year.points), strict=True)) for year in diary.years]
        assert found == naive_points(positions, actions)
        totals = np.sum([year.points for year in diary.years], axis=(0, 1))
        assert list(totals) == list(positions[-1].scores.values())
        assert diary.years[-1].scores == tuple(positions[-1].scores.values())


def test_no_space_is_skipped_where_markers_may_share_them():
    diary, _, _ = follow(new_game("2017", 4, score_track=0), 3)
    assert all(set(year.points[SOURCES.index("skips")]) == {0} for year in diary.years)


@pytest.mark.parametrize("preset", ["2017", "1999", "2017-master"])
def test_turns_add_up(preset):
    start = new_game(preset, 3)
    diary, positions, _ = follow(start, 5)
    start_wins, turns = diary.finish()
    assert len(turns) == 3 * sum(map(len, start.rules.stacks))
    assert Counter(turn.seat for turn in turns) == dict.fromkeys(range(3), len(turns) // 3)
    assert all(sum(turn.spent) + turn.wasted == turn.ap for turn in turns)
    assert all(turn.ap == 5 + turn.played.count("ap6") + 2 * turn.played.count("ap7") for turn in turns)
    assert all(len(turn.legal) == sum(turn.done) + len(turn.played) + 1 for turn in turns)  # the end of the turn
    assert turns[-1].scores == turns[-1].standing == tuple(positions[-1].scores.values())
    assert sum(start_wins) == pytest.approx(1, abs=1e-5)
    best = max(turns[-1].scores)
    assert turns[-1].wins == tuple(float(score == best) for score in turns[-1].scores)


@pytest.mark.parametrize("preset", ["2017", "1999", "2017-common"])
def test_cards_bought_are_in_the_hand_or_played(preset):
    diary, positions, _ = follow(new_game(preset), 6)
    _, turns = diary.finish()
    state = positions[-1].state
    for seat in range(2):
        bought = Counter(card for turn in turns if turn.seat == seat for card in turn.bought)
        played = Counter(card for turn in turns if turn.seat == seat for card in turn.played)
        assert bought
        assert played == Counter(cards_of(int(state["played"][seat])))
        assert bought - played == Counter(cards_of(int(state["hands"][seat])))


def test_a_year_keeps_the_board_that_was_scored():
    diary, positions, actions = follow(new_game("2017"), 7)
    index = next(index for index, position in enumerate(positions) if position.phase == "king")
    year, scored = diary.years[0], positions[index].to_dict()
    assert [list(squares) for squares in year.knights] == [player["knights"] for player in scored["players"]]
    assert year.king == scored["king"]
    assert [HEIGHT_SIGNS.index(sign) for sign in year.heights] == positions[index].state["heights"].tolist()
    assert year.heights[SQUARE_INDEX["e4"]] == scored["heights"][4][4]  # the fourth rank from below, the fifth file
    assert (year.mover, year.moved) == (int(positions[index].state["to_move"]), actions[index] != "king:stay")
    assert diary.years[2].mover is None


# Whole games


def play(rules: Rules | None = None, agents: list[Agent] | None = None, **settings) -> GameLog:
    rules = rules or Rules.preset("2017")
    agents = agents or [RANDOM] * rules.players
    return play_logged_game(agents, rules, limit=LIMIT, seed=4, deal=2, **settings)


def test_a_log_is_of_the_game_that_is_played_without_one():
    log = play()
    assert log.scores == play_game([RANDOM] * 2, Rules.preset("2017"), limit=LIMIT, seed=4, deal=2).scores
    assert log == play()
    assert sum(log.utilities) == sum(log.win_shares) == 1
    assert log.wins.shape == (len(log.turns) + 1, 2)
    assert [sorted(pile) for pile in log.piles] == [sorted(CARDS)] * 2


def test_a_log_survives_json():
    log = play(Rules.preset("2017-master", players=3, king_bonus=[1, 2, 3]), rotation=1, count_turns=True)
    again = GameLog.from_dict(json.loads(json.dumps(log.to_dict())))
    assert again == log
    assert again.actions == log.actions
    assert Rules.from_dict(again.rules).master_card is not None
    assert sum(turn.distinct is not None for turn in again.turns) == 1


@pytest.mark.parametrize("data", [[], {}, {"format": "torres-log/1"}])
def test_what_is_no_log_is_refused_in_one_line(data):
    with pytest.raises(TorresError, match=r"^log of a game: [^\n]*$"):
        GameLog.from_dict(data)


def test_an_unknown_field_of_a_log_is_refused():
    with pytest.raises(TorresError, match="'odd'; its fields are rules, agents"):
        GameLog.from_dict({**play().to_dict(), "odd": 1})


def test_a_forfeited_game_has_a_log_up_to_the_turn_that_failed():
    log = play(agents=[RANDOM, Agent("faulty", Faulty())])
    assert log.forfeit is not None
    assert (log.forfeit.seat, log.win_shares) == (1, (1.0, 0.0))
    assert [turn.seat for turn in log.turns] == [0]
    assert GameLog.from_dict(json.loads(json.dumps(log.to_dict()))) == log


def test_budgets_are_those_that_were_played_with():
    log = play(agents=[read_agent("random:iterations=32"), read_agent("random:time=1,iterations=9")])
    assert log.budgets == (("random", "iterations", 32), None)


# Cards taken away


@pytest.mark.parametrize("preset", ["2017", "2017-master"])
def test_a_card_is_taken_from_one_seat_alone(preset):
    rules = Rules.preset(preset, players=3)
    start = Position.new(rules, seed=8)
    place = "deck" if preset == "2017" else "hand"
    before, after = start.to_dict()["players"], take_card(start, 1, "ap7").to_dict()["players"]
    assert [card for card in before[1][place] if card != "ap7"] == after[1][place]
    assert after[1]["played"] == ["ap7"]
    assert (before[0], before[2]) == (after[0], after[2])


def test_a_card_that_was_taken_is_never_bought():
    diary, _, _ = follow(take_card(new_game("2017"), 0, "gate"), 9, wish="buy")
    _, turns = diary.finish()
    bought = [{card for turn in turns if turn.seat == seat for card in turn.bought} for seat in (0, 1)]
    assert bought == [{*CARDS} - {"gate"}, {*CARDS}]


def test_a_game_without_a_card_has_the_same_deal_otherwise():
    whole, without = play(), play(blank=(0, "gate"))
    assert without.blank == (0, "gate")
    assert without.piles[1] == whole.piles[1]
    assert without.piles[0] == tuple(card for card in whole.piles[0] if card != "gate")


@pytest.mark.parametrize(
    ("rules", "blank", "message"),
    [
        (Rules.preset("1999"), (0, "gate"), "blank: a seat has cards of its own"),
        (Rules.preset("2017"), (2, "gate"), "blank: the seat is from 0 to 1, not 2"),
        (Rules.preset("2017"), (0, "castle"), "blank: 'castle' is not in the deck"),
        (Rules.preset("2017", deck={"gate": 0}), (0, "gate"), "blank: 'gate' is not in the deck"),
    ],
)
def test_a_card_that_cannot_be_taken_is_refused(rules, blank, message):
    with pytest.raises(TorresError, match=message):
        play(rules, blank=blank)


# Metrics of games that were played


@pytest.mark.parametrize("preset", ["2017", "2017-common", "1999", "2017-master", "no-cards"])
def test_metrics_of_played_games_agree_with_each_other(preset):
    rules = Rules.preset(preset, players=3)
    blocks = [[play_logged_game([RANDOM] * 3, rules, limit=LIMIT, seed=4, deal=deal)] for deal in range(3)]
    found = {name: metric.measure(blocks) for name, metric in METRICS.items()}
    again = [[GameLog.from_dict(json.loads(json.dumps(game.to_dict()))) for game in block] for block in blocks]
    for name, metric in METRICS.items():
        assert all(type(value) is float for value in found[name].values())
        assert metric.measure(again) == pytest.approx(found[name], nan_ok=True)
    assert sum(found["seats"][f"seat{seat}_wins"] for seat in (1, 2, 3)) == pytest.approx(1)
    in_all = sum(found["sources"][f"game_{source}"] for source in SOURCES)
    assert in_all == pytest.approx(found["scores"]["all_mean"])
    turns, duration = 3 * sum(map(len, rules.stacks)), found["duration"]
    assert duration["game_turns"] == turns
    assert duration["turn_spent"] + duration["turn_wasted"] == pytest.approx(duration["turn_ap"])
    played = sum(found["card_use"][f"{card}_played"] for card in CARDS)
    assert played == pytest.approx(sum(found["cards_a_year"][f"year{year}_played"] for year in (1, 2, 3)))
    assert 0 < found["uncertainty"]["last_third"] < found["uncertainty"]["all"] <= 1
