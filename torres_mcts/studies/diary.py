"""Following a game action by action: what happened in each turn, and where the points of each year came from.

The actions are played again by the rules. Points for castles, king and master card are worked out by the scoring
kernels on the board on which the year ends, points scored with AP are counted, and whatever else the markers moved are
spaces that were occupied.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from torres_mcts.analysis.outlook import look_at
from torres_mcts.analysis.turns import list_turns
from torres_mcts.games.torres.format.model import HEIGHT_SIGNS
from torres_mcts.games.torres.format.notation import SQUARES, cards_of, squares_of
from torres_mcts.games.torres.heuristics.outlook import CASTLES, KING_BONUS, MASTER_BONUS, read_sources
from torres_mcts.games.torres.position import Position

KINDS = ("knight", "move", "block", "buy", "score")  # actions that cost AP
SOURCES = ("castles", "king", "master", "ap", "skips")  # of points; `ap`: scored with AP; `skips`: on the score track
AP, SKIPS = SOURCES.index("ap"), SOURCES.index("skips")
COUNTED_STATES = 400_000
DIGITS = 6  # of win probabilities


@dataclass(frozen=True)
class TurnLog:
    """One turn; scores, standing and wins are those after it, with the year scored if it ended one."""

    year: int
    round: int
    seat: int
    ap: int  # to be spent, with what cards gave
    wasted: int  # of them
    done: tuple[int, ...]  # how often each of KINDS
    spent: tuple[int, ...]  # AP for each of KINDS
    bought: tuple[str, ...]  # cards that were kept
    played: tuple[str, ...]  # cards
    legal: tuple[int, ...]  # legal actions at each decision, the keeping of a drawn card left out
    scores: tuple[int, ...]
    standing: tuple[int, ...]  # points if the year ended now
    wins: tuple[float, ...]  # win probability of each seat by the judge
    distinct: tuple[int, bool] | None = None  # distinct turns that were found, and whether these are all


@dataclass(frozen=True)
class YearLog:
    """The end of a year."""

    year: int
    points: tuple[tuple[int, ...], ...]  # [source of SOURCES, seat] got in this year
    scores: tuple[int, ...]  # after it
    heights: str  # of the squares a1, b1, ... h8, as in position files
    knights: tuple[tuple[str, ...], ...]  # [seat] squares
    king: str  # square at the scoring
    mover: int | None = None  # seat that was asked where the king goes
    moved: bool | None = None  # whether it went somewhere


@dataclass
class _OpenTurn:
    """A turn under way."""

    year: int
    round: int
    seat: int
    ap: int
    distinct: tuple[int, bool] | None
    wasted: int = 0
    scores: tuple[int, ...] = ()
    done: list[int] = field(default_factory=lambda: [0] * len(KINDS))
    spent: list[int] = field(default_factory=lambda: [0] * len(KINDS))
    bought: list[str] = field(default_factory=list)
    played: list[str] = field(default_factory=list)
    legal: list[int] = field(default_factory=list)

    def close(self, standing: Sequence[float], wins: tuple[float, ...]) -> TurnLog:
        """Return the turn as it is kept."""
        return TurnLog(
            year=self.year,
            round=self.round,
            seat=self.seat,
            ap=self.ap,
            wasted=self.wasted,
            done=tuple(self.done),
            spent=tuple(self.spent),
            bought=tuple(self.bought),
            played=tuple(self.played),
            legal=tuple(self.legal),
            scores=self.scores,
            standing=tuple(int(points) for points in standing),
            wins=wins,
            distinct=self.distinct,
        )


class Diary:
    """Follows a game; `years` and, at the end, `finish` hold what is kept of it.

    counted: number of the turn, from 0, whose distinct turns are counted; None: of no turn
    """

    def __init__(self, start: Position, counted: int | None = None) -> None:
        self.position = start
        self.years: list[YearLog] = []
        self._counted = counted
        self._turns: list[_OpenTurn] = []  # those that have ended
        self._turn: _OpenTurn | None = None
        self._marks: list[np.ndarray] = []  # states before the first turn and after each
        self._points = np.zeros((len(SOURCES), start.rules.players), np.int64)  # of the year, [source, seat]

    def play(self, action: str) -> None:
        """Play the next action of the game."""
        before, after = self.position, self.position.play(action)
        if before.phase == "turn" and self._turn is None:
            self._turn = self._begin_turn()
        if self._turn is not None:
            self._note(self._turn, action, before, after)
        elif before.phase == "king":
            mover = int(before.state["to_move"])
            self.years[-1] = replace(self.years[-1], mover=mover, moved=action != "king:stay")
        self.position = after

    def _begin_turn(self) -> _OpenTurn:
        here = self.position
        if not self._marks:
            self._marks.append(here.state_array)
        distinct = None
        if len(self._turns) == self._counted:
            found = list_turns(here, most=0, state_limit=COUNTED_STATES)
            distinct = found.count, found.exhaustive
        year, number, seat, ap = (int(here.state[name]) for name in ("year", "round", "to_move", "ap"))
        return _OpenTurn(year, number, seat, ap, distinct)

    def _note(self, turn: _OpenTurn, action: str, before: Position, after: Position) -> None:
        """Write down an action of a turn."""
        verb, _, rest = action.partition(":")
        change = int(after.state["ap"]) - int(before.state["ap"])
        if before.phase == "turn":
            turn.legal.append(len(before.legal_numbers))
        if verb in KINDS:
            turn.done[KINDS.index(verb)] += 1
            turn.spent[KINDS.index(verb)] -= change
        if verb == "card":
            turn.played.append(rest.partition(":")[0])
            turn.ap += change
        elif verb == "keep":
            turn.bought.append(rest.partition(";")[0])
        elif verb == "buy" and after.phase == "turn":  # the only card goes straight to the hand
            turn.bought += cards_of(int(after.state["hands"][turn.seat]) - int(before.state["hands"][turn.seat]))
        elif verb == "score":
            self._points[AP, turn.seat] += 1
            self._points[SKIPS, turn.seat] += _gains(before, after)[turn.seat] - 1
        elif verb == "end":
            self._end_turn(turn, before, after)

    def _end_turn(self, turn: _OpenTurn, before: Position, after: Position) -> None:
        if after.phase in ("king", "over"):
            self._end_year(turn.year, before, after)
        turn.wasted = int(before.state["ap"])
        turn.scores = tuple(after.scores.values())
        self._turns.append(turn)
        self._marks.append(after.state_array)
        self._turn = None

    def _end_year(self, year: int, before: Position, after: Position) -> None:
        """Write down where the points of the year came from, and the board that they were given for."""
        gains, found = _gains(before, after), np.zeros(3)
        for seat in range(before.rules.players):
            read_sources(before.state_array, seat, found)
            sources = [int(found[source]) for source in (CASTLES, KING_BONUS, MASTER_BONUS)]
            self._points[: len(sources), seat] = sources
            self._points[SKIPS, seat] += gains[seat] - sum(sources)
        state = before.state
        self.years.append(
            YearLog(
                year=year,
                points=tuple(tuple(row) for row in self._points.tolist()),
                scores=tuple(after.scores.values()),
                heights="".join(HEIGHT_SIGNS[int(height)] for height in state["heights"]),
                knights=tuple(tuple(squares_of(int(board))) for board in state["knights"][: before.rules.players]),
                king=SQUARES[int(state["king"])],
            )
        )
        self._points[:] = 0

    def finish(self) -> tuple[tuple[float, ...], tuple[TurnLog, ...]]:
        """Return win probabilities before the first turn (nothing if it never came), and the turns that have ended."""
        if not self._marks:
            return (), ()
        rules, states = self.position.rules, np.concatenate(self._marks)
        prospects = [look_at(states, rules, seat) for seat in range(rules.players)]
        standings = np.column_stack([one.year_points for one in prospects])
        wins = [tuple(row) for row in prospects[0].wins.round(DIGITS).tolist()]
        turns = (turn.close(standings[index], wins[index]) for index, turn in enumerate(self._turns, 1))
        return wins[0], tuple(turns)


def _gains(before: Position, after: Position) -> list[int]:
    """Return how far each marker moved."""
    return [int(gain) for gain in after.state["scores"] - before.state["scores"]][: before.rules.players]
