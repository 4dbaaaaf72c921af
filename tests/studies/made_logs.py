"""Logs of games that were never played, so that the truth about them is known."""

from collections.abc import Sequence
from typing import Any

from torres_mcts.studies.diary import SOURCES, TurnLog, YearLog
from torres_mcts.studies.log import GameLog

NOTHING = (0, 0, 0, 0, 0)


def make_turn(seat: int = 0, year: int = 1, **changes: Any) -> TurnLog:
    """Return a turn of two players in which nothing was done; changes are fields."""
    plain: dict[str, Any] = {
        "round": 1,
        "ap": 5,
        "wasted": 0,
        "done": NOTHING,
        "spent": NOTHING,
        "bought": (),
        "played": (),
        "legal": (10,),
        "scores": (0, 0),
        "standing": (0, 0),
        "wins": (0.5, 0.5),
    }
    return TurnLog(year=year, seat=seat, **{**plain, **changes})


def make_year(number: int, scores: Sequence[int], **points: Sequence[int]) -> YearLog:
    """Return the end of a year; points by source and seat are 0 where they are not given."""
    rows = tuple(tuple(points.get(source, [0] * len(scores))) for source in SOURCES)
    knights = ((),) * len(scores)
    return YearLog(number, rows, tuple(scores), "." * 64, knights, "e4", mover=0 if number < 3 else None, moved=False)


def make_game(scores: Sequence[int], **changes: Any) -> GameLog:
    """Return a game without turns and years, but with final scores."""
    players = len(scores)
    plain: dict[str, Any] = {
        "rules": {"preset": "2017", "players": players},
        "agents": ("greedy",) * players,
        "budgets": (None,) * players,
        "deal": 0,
        "rotation": 0,
        "piles": (),
        "start_wins": (1 / players,) * players,
        "turns": (),
        "years": (),
        "actions": (),
    }
    return GameLog(scores=tuple(scores), **{**plain, **changes})


def make_curve(scores: Sequence[int], *wins: float, years: Sequence[int] | None = None) -> GameLog:
    """Return a game of two with the first player's win probability before the first turn and after each."""
    rows = [(win, 1 - win) for win in wins]
    years = years or [1] * (len(rows) - 1)
    turns = tuple(make_turn(year=year, wins=row) for year, row in zip(years, rows[1:], strict=True))
    return make_game(scores, start_wins=rows[0], turns=turns)
