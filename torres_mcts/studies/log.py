"""What a study keeps of a game: its turns and years, points by source, win probabilities. Metrics need nothing else.

Win probabilities are those of a fixed judge, the static outlook of the analysis: it is fast, says always the same of
a position, and does not depend on who plays.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np

from torres_mcts.agents.agent import Agent
from torres_mcts.core.errors import TorresError, shorten
from torres_mcts.core.rng import seed_for
from torres_mcts.games.torres.format.decode import pile_entries
from torres_mcts.games.torres.format.model import CARDS
from torres_mcts.games.torres.format.notation import card_name
from torres_mcts.games.torres.position import Position
from torres_mcts.games.torres.rules import Rules
from torres_mcts.search.limits import Limit
from torres_mcts.studies.diary import Diary, TurnLog, YearLog
from torres_mcts.tournaments.game import AgentError, Forfeit, deal_seed, play_game
from torres_mcts.tournaments.statistics.budgets import UNITS, without_budget
from torres_mcts.tournaments.statistics.outcomes import Outcome, rank_points, win_share

FORMAT = "torres-log/1"
COUNT_STREAM = 9


@dataclass(frozen=True)
class GameLog:
    """A game; everything by seat."""

    rules: dict[str, Any]  # as in position files, the master card drawn
    agents: tuple[str, ...]  # as text
    budgets: tuple[tuple[str, str, float] | None, ...]  # agent without its budget, unit, amount; None: not one limit
    deal: int
    rotation: int
    scores: tuple[int, ...]
    piles: tuple[tuple[str, ...], ...]  # cards as dealt, top first: one pile a seat, a common one, or none
    start_wins: tuple[float, ...]  # win probabilities before the first turn; empty if a forfeit came before it
    turns: tuple[TurnLog, ...]
    years: tuple[YearLog, ...]
    actions: tuple[str, ...] = field(repr=False)
    blank: tuple[int, str] | None = None  # a seat, and the card that was taken from it
    forfeit: Forfeit | None = None  # ended the game

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.scores)

    @cached_property
    def outcome(self) -> Outcome:
        """The game as the statistics of tournaments read it."""
        forfeits = frozenset() if self.forfeit is None else frozenset([self.forfeit.seat])
        return Outcome(self.deal, self.agents, self.scores, forfeits)

    @cached_property
    def utilities(self) -> tuple[float, ...]:
        """Rank points of each seat: 1 for the first place, 0 for the last, ties averaged."""
        return tuple(rank_points(self.outcome.standing, seat) for seat in range(self.players))

    @cached_property
    def win_shares(self) -> tuple[float, ...]:
        """The share of the win that each seat has."""
        return tuple(win_share(self.outcome.standing, seat) for seat in range(self.players))

    @cached_property
    def wins(self) -> np.ndarray:
        """Win probabilities before the first turn and after each: [turns + 1, seats] float64."""
        return np.array([self.start_wins, *(turn.wins for turn in self.turns)], dtype=float)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {"format": FORMAT, **asdict(self)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "GameLog":
        """Return the log that plain data describe."""
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            raise TorresError(f"log of a game: expected format {FORMAT}, not {shorten(str(data))}")
        try:
            entry = {key: value if key == "rules" else _freeze(value) for key, value in data.items() if key != "format"}
            entry["turns"] = tuple(TurnLog(**turn) for turn in entry["turns"])
            entry["years"] = tuple(YearLog(**year) for year in entry["years"])
            if entry.get("forfeit") is not None:
                entry["forfeit"] = Forfeit(**entry["forfeit"])
            return cls(**entry)
        except (KeyError, TypeError) as error:
            names = ", ".join(one.name for one in fields(cls))
            raise TorresError(f"log of a game: {error}; its fields are {names}") from None


def _freeze(value: Any) -> Any:
    """Turn lists into tuples, all the way down."""
    if isinstance(value, Mapping):
        return {key: _freeze(one) for key, one in value.items()}
    return tuple(_freeze(one) for one in value) if isinstance(value, list | tuple) else value


def play_logged_game(
    agents: Sequence[Agent],
    rules: Rules,
    *,
    limit: Limit,
    seed: int,
    deal: int,
    rotation: int = 0,
    blank: tuple[int, str] | None = None,
    count_turns: bool = False,
) -> GameLog:
    """Play a game, agents[seat] on each seat, and return its log; a forfeited game has one up to the turn that failed.

    rotation:    only noted
    blank:       a seat, and a card that it does not get; all else is dealt as ever
    count_turns: count the distinct turns at one turn of the game, drawn by the seed and the deal; takes a second
    """
    start = Position.new(rules, seed=deal_seed(seed, deal))
    if blank is not None:
        start = take_card(start, *blank)
    actions: list[str] = []
    forfeit = None
    try:
        result = play_game(agents, rules, limit=limit, seed=seed, deal=deal, played=actions, start=start)
    except AgentError as fault:
        result, forfeit = fault.result, fault.forfeit
    counted = None
    if count_turns:
        counted = seed_for(seed, COUNT_STREAM, deal) % (rules.players * sum(map(len, rules.stacks)))
    diary = Diary(start, counted)
    for action in actions:
        diary.play(action)
    start_wins, turns = diary.finish()
    return GameLog(
        rules=start.rules.to_dict(),
        agents=tuple(agent.text for agent in agents),
        budgets=tuple(budget_of(agent, limit) for agent in agents),
        deal=deal,
        rotation=rotation,
        scores=result.scores,
        piles=piles_of(start),
        start_wins=start_wins,
        turns=turns,
        years=tuple(diary.years),
        actions=tuple(actions),
        blank=blank,
        forfeit=forfeit,
    )


def take_card(start: Position, seat: int, card: str) -> Position:
    """Return a start position in which one copy of a card is gone for a seat, as if it had been played.

    >>> start = Position.new(Rules.preset("2017"), seed=1)
    >>> [len(player["deck"]) for player in take_card(start, 1, "gate").to_dict()["players"]]
    [10, 9]
    """
    rules = start.rules
    place = {"own": "deck", "hand": "hand"}.get(rules.cards)
    if place is None:
        raise TorresError(f"blank: a seat has cards of its own with cards 'own' or 'hand', not with {rules.cards!r}")
    if not 0 <= seat < rules.players:
        raise TorresError(f"blank: the seat is from 0 to {rules.players - 1}, not {seat}")
    if card not in CARDS or not rules.card_copies(CARDS.index(card)):
        held = [name for name in CARDS if rules.card_copies(CARDS.index(name))]
        raise TorresError(f"blank: {shorten(card)} is not in the deck; its cards are {', '.join(held)}")
    data = start.to_dict()
    player = data["players"][seat]
    player[place].remove(card)
    player["played"].append(card)
    return Position.from_dict(data)


def piles_of(start: Position) -> tuple[tuple[str, ...], ...]:
    """Return the cards of each pile, top first; nothing where no cards are bought."""
    rules = start.rules
    piles = {"own": rules.players, "common": 1}.get(rules.cards, 0)
    return tuple(
        tuple(card_name(entry & 15) for entry in pile_entries(start.state, rules, pile)) for pile in range(piles)
    )


def budget_of(agent: Agent, common: Limit) -> tuple[str, str, float] | None:
    """Return an agent's text without its budget, and the budget; None with two limits at once.

    >>> from torres_mcts.agents.agent import read_agent
    >>> budget_of(read_agent("turns:temperature=2"), Limit(iterations=64))
    ('turns:temperature=2', 'iterations', 64)
    """
    limit = agent.limit(common)
    given = [name for name in UNITS if getattr(limit, name) is not None]
    return (without_budget(agent.text), UNITS[given[0]], getattr(limit, given[0])) if len(given) == 1 else None
