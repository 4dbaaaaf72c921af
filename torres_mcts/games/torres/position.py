"""Position: the friendly object around a state. Load it, ask it, play on it; it never changes."""

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from pydantic import ValidationError

from torres_mcts.core.errors import IllegalAction, PositionError, RulesError, TorresError, describe
from torres_mcts.core.files import name_of, read_json, to_json, write_text
from torres_mcts.core.menu import ROW_LIMIT, new_menus
from torres_mcts.core.rng import new_rng
from torres_mcts.games.torres import calls
from torres_mcts.games.torres.engine import actions as act
from torres_mcts.games.torres.engine import state as st
from torres_mcts.games.torres.engine.piles import KNOWERS_SHIFT
from torres_mcts.games.torres.explain import explain
from torres_mcts.games.torres.format.decode import decode, drawn_master, pile_entries
from torres_mcts.games.torres.format.encode import DEFAULT_NAMES, Encoder
from torres_mcts.games.torres.format.model import FIELDS, FORMAT, GAME_FORMAT, PHASES, PositionEntry
from torres_mcts.games.torres.format.notation import read_action, write_action
from torres_mcts.games.torres.rules import Rules
from torres_mcts.games.torres.text import draw_text, printable

ACTION_LIMIT = 64 * ROW_LIMIT  # every square of every row


class Position:
    """A position of Torres: rules, board, players, cards as far as they are known.

    >>> position = Position.new(Rules.preset("2017"), seed=7)
    >>> position.to_move, position.phase, position.legal_actions()[:2]
    ('red', 'knights', ['knight:a4', 'knight:c3'])
    >>> position.play("knight:c3").to_move
    'blue'
    """

    def __init__(self, states: np.ndarray, rules: Rules, names: tuple[str, ...], viewpoint: int | None) -> None:
        self._states = states
        self._viewpoint = viewpoint
        self.rules = rules
        self.names = names

    # Making positions.

    @classmethod
    def new(cls, rules: Rules, *, seed: int, names: tuple[str, ...] | None = None) -> "Position":
        """Return a fresh game: decks shuffled, master card drawn, the set-up still to be played."""
        names = names or DEFAULT_NAMES[: rules.players]
        if len(names) != rules.players:
            raise PositionError(f"players: {len(names)} names for {rules.players} players")
        heights = np.full((8, 8), ".")
        for square in rules.start_squares:
            heights[8 - int(square[1]), "abcdefgh".index(square[0])] = "1"
        position = cls.from_dict(
            {
                "format": FORMAT,
                "rules": rules.to_dict(),
                "phase": "castles" if rules.castles_to_place else "knights",
                "heights": ["".join(row) for row in heights],
                "players": [{"name": name, "knights": []} for name in names],
            }
        )
        return position.determinize(seed)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Position":
        """Read and check a position file; `-` is standard input."""
        try:
            return cls.from_dict(read_json(path))
        except (PositionError, RulesError) as error:
            raise type(error)(f"{name_of(path)}: {error}") from None

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Position":
        """Check a position given as a dictionary."""
        if not isinstance(data, Mapping):
            raise PositionError("expected a JSON object that describes a position")
        if data.get("format") == GAME_FORMAT:
            raise PositionError(
                "this is a record of a game, not a position; torres replay takes one out of it with --at"
            )
        try:
            entry = PositionEntry.model_validate(dict(data))
        except ValidationError as error:
            in_rules = error.errors()[0]["loc"][:1] == ("rules",)
            raise (RulesError if in_rules else PositionError)(describe(error, FIELDS)) from None
        encoder = Encoder(entry)
        return cls(encoder.encode(), encoder.rules, encoder.names, encoder.viewpoint)

    # Asking.

    @property
    def state_array(self) -> np.ndarray:
        """The state as an array of one record, as kernels take it; not to be changed."""
        return self._states

    @property
    def state(self) -> Any:
        """The record of the position; not to be changed."""
        return self._states[0]

    @property
    def phase(self) -> str:
        """What the player to move decides now."""
        return PHASES[self.state["phase"]]

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return bool(self.state["phase"] == st.OVER)

    @property
    def to_move(self) -> str | None:
        """The name of the player to move, None when the game is over."""
        return None if self.is_over else self.names[self.state["to_move"]]

    @property
    def scores(self) -> dict[str, int]:
        """The points of each player."""
        return {name: int(self.state["scores"][seat]) for seat, name in enumerate(self.names)}

    @property
    def winners(self) -> list[str]:
        """The players with the most points: one, or those who share the win."""
        best = max(self.scores.values())
        return [name for name, score in self.scores.items() if score == best]

    @property
    def summary(self) -> str:
        """The moment in a few words, such as "year 2, round 1, turn of blue"."""
        where = f"year {self.state['year']}, round {self.state['round']}"
        return f"{where}, over" if self.is_over else f"{where}, {self.phase} of {printable(str(self.to_move))}"

    @property
    def viewpoint(self) -> str | None:
        """The player whose private knowledge an analysis may use: the one set, else the player to move."""
        return self.to_move if self._viewpoint is None else self.names[self._viewpoint]

    @property
    def is_known(self) -> bool:
        """Whether every card is known."""
        state = self.state
        if state["hidden_in_hand"].any() or (state["drawn"][: state["drawn_count"]] == st.UNKNOWN_CARD).any():
            return False
        piles = [entry for pile in range(self.rules.players) for entry in pile_entries(state, self.rules, pile)]
        return self.rules.master_card != "random" and all(entry & 15 != st.UNKNOWN_CARD for entry in piles)

    def legal_actions(self) -> list[str]:
        """List every legal action as text, sorted."""
        return sorted(self._texts)

    @cached_property
    def legal_numbers(self) -> list[int]:
        """The legal actions as kernels know them: by numbers."""
        actions = np.empty(ACTION_LIMIT, np.int64)
        number = calls.list_legal(self._states, new_menus(), actions)
        return [int(action) for action in actions[:number]]

    @cached_property
    def _ends(self) -> int:
        """How many ways there are to end the turn."""
        return sum(action >> act.FAMILY_SHIFT == act.END_TURN for action in self.legal_numbers)

    @cached_property
    def _texts(self) -> dict[str, int]:
        """The legal actions by their texts."""
        return {self.text_of(action): action for action in self.legal_numbers}

    # Playing.

    def play(self, action: str) -> "Position":
        """Return the position after an action; an illegal one raises IllegalAction with the reason."""
        number = self.number_of(action)
        self._check_known(action)
        return self.play_number(number)

    def number_of(self, action: str) -> int:
        """Return the number by which kernels know an action; an illegal one raises IllegalAction with the reason."""
        if not isinstance(action, str):
            raise IllegalAction(f"an action is a text such as 'move:e4-e5', not {type(action).__name__}")
        number = read_action(self.state, self.names, action, self.legal_numbers)
        if number not in self.legal_numbers:
            raise IllegalAction(f"{printable(action)}: {explain(self, number)}")
        return number

    def text_of(self, number: int) -> str:
        """Return the text of a legal action that kernels know by its number."""
        return write_action(self.state, self.names, number, ends=self._ends)

    def play_number(self, number: int) -> "Position":
        """Return the position after a legal action that kernels know by its number."""
        states = self._states.copy()
        calls.play_legal(states, number)
        after = Position(states, self.rules, self.names, self._viewpoint)
        if after._viewpoint is None and after.to_move != self.to_move and not self.is_known:
            after._viewpoint = int(self.state["to_move"])  # the file showed what this player knows
        return after

    def _check_known(self, action: str) -> None:
        """Refuse an action whose result depends on a card that is not known."""
        state = self.state
        seat = int(state["to_move"])
        if action == "buy":
            pile = 0 if self.rules.cards == "common" else seat
            top = pile_entries(state, self.rules, pile)[: self.rules.draw]
            if any(entry & 15 == st.UNKNOWN_CARD for entry in top):
                raise IllegalAction("buy: the cards on top of the pile are unknown; use determinize(seed) to deal them")
        if action.startswith("end") and self.rules.master_card == "random" and self._ends_year():
            raise IllegalAction(f"{action}: the year cannot be scored while master_card is 'random'; name the card")

    def _ends_year(self) -> bool:
        """Tell whether the end of this turn ends the year."""
        state = self.state
        last_seat = (int(state["to_move"]) + 1) % self.rules.players == state["first"]
        return bool(last_seat and state["round"] == len(self.rules.stacks[state["year"] - 1]))

    def determinize(self, seed: int) -> "Position":
        """Return a fully known position, one of those consistent with what the viewpoint knows."""
        viewpoint = self._viewpoint if self._viewpoint is not None else int(self.state["to_move"])
        states = self._states.copy()
        calls.deal_hidden(states, viewpoint, new_rng(seed))
        rules = self.rules
        if rules.master_card == "random":
            rules = replace(rules, master_card=drawn_master(states[0]))
        return Position(states, rules, self.names, self._viewpoint)

    def view(self, player: str) -> "Position":
        """Return the position as one player sees it: what that player does not know is `?`."""
        if player not in self.names:
            raise TorresError(f"{player!a} is not a player; players are {', '.join(map(ascii, self.names))}")
        seat = self.names.index(player)
        states = self._states.copy()
        state = states[0]
        for other in range(self.rules.players):
            if other != seat and self.rules.cards != "hand":  # there everybody can tell what is left
                _hide_hand(state, seat, other)
        hidden = (state["pile"] >> (KNOWERS_SHIFT + seat)) & 1 == 0
        state["pile"][hidden] |= st.UNKNOWN_CARD
        if state["to_move"] != seat:
            state["drawn"][: state["drawn_count"]] = st.UNKNOWN_CARD
        return Position(states, self.rules, self.names, seat)

    # Writing.

    def to_dict(self) -> dict[str, Any]:
        """Return the canonical dictionary."""
        return decode(self.state, self.rules, self.names, self._viewpoint)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the canonical position to a file, whole or not at all."""
        write_text(path, to_json(self.to_dict()))

    def __str__(self) -> str:
        return draw_text(self.to_dict())

    def __repr__(self) -> str:
        state = self.state
        return f"<Position {self.rules.name} year {state['year']} round {state['round']} {self.phase} {self.to_move}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(to_json(self.to_dict()))


def _hide_hand(state: Any, observer: int, owner: int) -> None:
    """Hide the cards of a hand that an observer does not know."""
    known = int(state["known_hands"][observer][owner])
    size = _count_hand(int(state["hands"][owner])) + int(state["hidden_in_hand"][owner])
    state["hands"][owner] = known
    state["hidden_in_hand"][owner] = size - _count_hand(known)
    if state["to_move"] == owner:
        fresh = _count_hand(int(state["fresh"])) + int(state["hidden_fresh"])
        state["fresh"] = state["known_fresh"][observer]
        state["hidden_fresh"] = fresh - _count_hand(int(state["fresh"]))


def _count_hand(hand: int) -> int:
    return sum(hand >> shift & 63 for shift in range(0, 60, 6))
