"""A position file into a state: what was left out is filled in, what is given is checked (position format)."""

import numpy as np

from torres_mcts.core.errors import RulesError, refuse, shorten
from torres_mcts.games.torres.calls import survey_board
from torres_mcts.games.torres.engine import state as st
from torres_mcts.games.torres.format.encode_cards import CardEncoder
from torres_mcts.games.torres.format.model import HEIGHT_SIGNS, PHASES, PlayerEntry, PositionEntry, TurnEntry
from torres_mcts.games.torres.format.notation import SQUARE_INDEX, SQUARES, board_of, stack_word
from torres_mcts.games.torres.rules import Rules

DEFAULT_NAMES = ("red", "blue", "green", "yellow")
SETUP = ("castles", "knights", "king-setup")
AFTER_YEAR = ("king", "first", "over")
IN_TURN = ("turn", "keep")


class Encoder:
    """The checks of one position file, in the order of its fields, and the state that they fill."""

    def __init__(self, entry: PositionEntry) -> None:
        self.entry = entry
        self.rules = self._read_rules()
        self.names = self._read_names()
        self.first = self._read_player("first", entry.first) if entry.first is not None else 0
        self.to_move = self._read_to_move()
        self.viewpoint = None
        if entry.viewpoint is not None:
            self.viewpoint = self._read_player("viewpoint", entry.viewpoint)
        self.states = np.zeros(1, st.STATE)
        self.state = self.states[0]

    def encode(self) -> np.ndarray:
        """Return the state, with all that follows from the board worked out."""
        self._fill_moment()
        self._fill_board()
        self._check_setup()
        self._fill_turn()
        self._fill_players()
        knower = self.to_move if self.viewpoint is None else self.viewpoint
        CardEncoder(self.entry, self.rules, self.state, to_move=self.to_move, knower=knower).fill()
        self._check_supply()
        survey_board(self.states)
        self._check_castles()
        return self.states

    # Who plays by which rules, and when.

    def _read_rules(self) -> Rules:
        number = len(self.entry.players)
        if self.entry.rules.players not in (None, number):
            given = self.entry.rules.players
            raise RulesError(f"rules.players: {given}, but {number} players are listed; make them equal")
        try:
            return Rules.from_entry(self.entry.rules, number)
        except RulesError as error:
            raise RulesError(f"rules.{error}") from None

    def _read_names(self) -> tuple[str, ...]:
        names = tuple(player.name or DEFAULT_NAMES[seat] for seat, player in enumerate(self.entry.players))
        for seat, player in enumerate(self.entry.players):
            where = f"players[{seat}].name"
            if player.name == "":
                refuse(where, "is empty; give a name or leave it out")
            if any(sign.isspace() or sign in ":;," for sign in names[seat]):
                refuse(where, f"{shorten(names[seat])} has white space or one of : ; , ; choose another name")
            if not names[seat].isascii() and any(0xD800 <= ord(sign) <= 0xDFFF for sign in names[seat]):
                refuse(where, "is not valid Unicode text; choose another name")
            if names.count(names[seat]) > 1:
                refuse(where, f"{shorten(names[seat])} is the name of two players; names must differ")
        return names

    def _read_player(self, field: str, name: str) -> int:
        if name not in self.names:
            refuse(field, f"{shorten(name)} is not a player; players are {', '.join(map(shorten, self.names))}")
        return self.names.index(name)

    def _read_to_move(self) -> int:
        entry = self.entry
        if entry.phase == "over":
            if entry.to_move is not None:
                refuse("to_move", "nobody is to move when the game is over; write null")
            return self.first
        if "to_move" not in entry.model_fields_set:
            return self.first
        if entry.to_move is None:
            refuse("to_move", f"null, but in phase {entry.phase} somebody is to move; name a player")
        return self._read_player("to_move", entry.to_move)

    def _fill_moment(self) -> None:
        entry, rules = self.entry, self.rules
        rounds = len(rules.stacks[entry.year - 1])
        if entry.round > rounds:
            refuse("round", f"{entry.round}, but year {entry.year} has {rounds} rounds; write 1 to {rounds}")
        if entry.phase in SETUP and (entry.year, entry.round) != (1, 1):
            refuse("year" if entry.year != 1 else "round", f"the set-up (phase {entry.phase}) is in year 1, round 1")
        if entry.phase in AFTER_YEAR and entry.round != rounds:
            refuse("round", f"phase {entry.phase} follows the last round of the year, {rounds}, not {entry.round}")
        if entry.phase == "over" and entry.year != st.YEARS:
            refuse("year", f"the game is over after year {st.YEARS}, not {entry.year}")
        if entry.phase in ("king", "first") and entry.year == st.YEARS:
            refuse("phase", f"{entry.phase} cannot follow year {st.YEARS}; the game is over then")
        if entry.phase == "first" and rules.start_player != "named":
            refuse("phase", f"nobody names the start player with start_player {rules.start_player!r}")
        if entry.phase == "castles" and not rules.castles_to_place:
            refuse("phase", "castles are placed only with start_castles 'placed'")
        if entry.phase == "keep" and (rules.cards not in ("own", "common") or rules.draw == 1):
            refuse("phase", "keep needs a deck from which several cards are drawn")
        if entry.phase in SETUP and self.first != 0:
            refuse("first", f"player 0 ({shorten(self.names[0])}) opens the game")
        state = self.state
        state["rules"] = rules.record
        state["year"], state["round"] = entry.year, entry.round
        state["phase"] = PHASES.index(entry.phase)
        state["first"], state["to_move"] = self.first, self.to_move

    # The board.

    def _fill_board(self) -> None:
        playable = set(self.rules.playable)
        heights = [0] * len(SQUARES)
        for row, text in enumerate(self.entry.heights):
            if len(text) != 8:
                refuse(f"heights[{row}]", f"has {len(text)} signs, not 8 (one for each file a-h)")
            for file, sign in enumerate(text.replace("0", ".")):
                height = HEIGHT_SIGNS.find(sign)
                if height < 0:
                    refuse(f"heights[{row}]", f"{shorten(sign)} is not a height; use . 1-9 a-z A-Z @ # $")
                square = 8 * (7 - row) + file
                if height and SQUARES[square] not in playable:
                    refuse(
                        f"heights[{row}]",
                        f"there are blocks on {SQUARES[square]}, which is not playable; write . there",
                    )
                heights[square] = height
        self.state["heights"] = heights
        self._fill_pieces(playable)

    def _fill_pieces(self, playable: set[str]) -> None:
        state = self.state
        standing: dict[str, str] = {}
        for seat, player in enumerate(self.entry.players):
            where = f"players[{seat}].knights"
            if len(player.knights) > self.rules.knights:
                refuse(where, f"{len(player.knights)} knights, but a player has {self.rules.knights}; take some off")
            for square in player.knights:
                if square in standing:
                    refuse(where, f"two pieces on {square}, a knight of {standing[square]} too; a square holds one")
                if square not in playable:
                    refuse(where, f"{square} is not one of the playable squares of these rules")
                standing[square] = shorten(self.names[seat])
            state["knights"][seat] = board_of(player.knights)
        king, phase = self.entry.king, self.entry.phase
        state["king"] = st.NO_KING
        if king is None:
            if phase not in SETUP:
                refuse("king", f"is missing; in phase {phase} the king stands on a block")
            return
        if phase in SETUP:
            refuse("king", f"is on {king} before it was placed; in phase {phase} write null")
        if king in standing:
            refuse("king", f"two pieces on {king}, a knight of {standing[king]} too; a square holds one")
        if state["heights"][SQUARE_INDEX[king]] == 0:
            refuse("king", f"{king} is bare ground; the king stands on a block")
        state["king"] = SQUARE_INDEX[king]

    def _check_castles(self) -> None:
        state = self.state
        areas = [int(squares).bit_count() for squares in state["castle_squares"][: state["castle_count"]]]
        for square in np.flatnonzero(state["heights"]):
            height, area = state["heights"][square], areas[state["castle_of"][square]]
            if height > area:
                refuse(
                    "heights",
                    f"{SQUARES[square]} is {height} high, but its castle has area {area}; "
                    "a castle is never higher than its area",
                )

    def _check_setup(self) -> None:
        phase, players = self.entry.phase, self.rules.players
        knights = [len(player.knights) for player in self.entry.players]
        if phase == "castles":
            blocks = int(self.state["heights"].sum())
            if self.state["heights"].max() > 1:
                refuse(
                    "heights", "in phase castles the start castles are being placed, one block each; write 1 for each"
                )
            if blocks >= self.rules.castles_to_place:
                refuse("phase", f"{blocks} start blocks are on the board: castles is over, knights comes next")
            if blocks % players != self.to_move:
                wanted = shorten(self.names[blocks % players])
                refuse("to_move", f"with {blocks} start blocks on the board it is for {wanted} to place one")
            expected = [0] * players
        elif phase == "knights":
            expected = [1] * self.to_move + [0] * (players - self.to_move)
        elif phase == "king-setup":
            if self.to_move != players - 1:
                refuse("to_move", f"the last player, {shorten(self.names[-1])}, places the king")
            expected = [1] * players
        else:
            return
        for seat, (number, wanted_number) in enumerate(zip(knights, expected, strict=True)):
            if number != wanted_number:
                refuse(
                    f"players[{seat}].knights",
                    f"{number}, but in phase {phase} with {shorten(self.names[self.to_move])} to move "
                    f"{shorten(self.names[seat])} has {wanted_number}",
                )

    # The turn and the stacks.

    def _fill_turn(self) -> None:
        turn, rules, state, phase = self.entry.turn, self.rules, self.state, self.entry.phase
        state["in_use"] = st.NONE_IN_USE if turn.in_use is None else turn.in_use
        state["bought"], state["cards_played"] = turn.bought, turn.cards_played
        if phase not in IN_TURN:
            for field in TurnEntry.model_fields:
                if getattr(turn, field) not in (None, 0, []) or (field, turn.in_use) == ("in_use", 0):
                    refuse(f"turn.{field}", f"no turn is under way in phase {phase}; leave turn out")
            return
        most = rules.ap_per_turn + 2 * turn.cards_played
        ap = rules.ap_per_turn if turn.ap is None and phase == "turn" else turn.ap or 0
        if ap > most:
            refuse(
                "turn.ap", f"{shorten(ap)}, but at most {most} are possible (ap_per_turn, and 2 for each card played)"
            )
        state["ap"] = ap
        if turn.in_use is not None and turn.in_use > rules.stack_limit:
            refuse("turn.in_use", f"{turn.in_use} is above the stack limit; write at most {rules.stack_limit}")
        most_bought = rules.buys_per_turn if rules.cards in ("own", "common") else 0
        if turn.bought > most_bought:
            refuse("turn.bought", f"{turn.bought}, but at most {most_bought} cards can be bought in a turn")
        most_played = rules.cards_per_turn if rules.cards != "none" else 0
        if turn.cards_played > most_played:
            refuse("turn.cards_played", f"{turn.cards_played}, but at most {most_played} can be played in a turn")

    def _rounds_left(self, seat: int) -> int:
        """Return how many stacks a player must have."""
        phase, rounds = self.entry.phase, len(self.rules.stacks[self.entry.year - 1])
        if phase in AFTER_YEAR:
            return 0
        if phase in SETUP:
            return rounds
        left = rounds - self.entry.round
        if self._has_moved(seat) or (seat == self.to_move and self.entry.turn.in_use is not None):
            return left
        return left + 1

    def _has_moved(self, seat: int) -> bool:
        """Tell whether a player's turn of this round is over."""
        if self.entry.phase in AFTER_YEAR:
            return True
        players = self.rules.players
        return self.entry.phase in IN_TURN and (seat - self.first) % players < (self.to_move - self.first) % players

    def _fill_players(self) -> None:
        for seat, player in enumerate(self.entry.players):
            where = f"players[{seat}]"
            stacks = player.stacks
            if stacks is None:
                stacks = [] if self.entry.phase in AFTER_YEAR else list(self.rules.stacks[self.entry.year - 1])
            number = self._rounds_left(seat)
            if len(stacks) != number:
                refuse(
                    f"{where}.stacks",
                    f"{len(stacks)} stacks, but {shorten(self.names[seat])} has {number} turns left in year "
                    f"{self.entry.year} whose stack is not in use; give {number}",
                )
            if stacks and max(stacks) > self.rules.stack_limit:
                refuse(f"{where}.stacks", f"a stack of {max(stacks)} is above the limit {self.rules.stack_limit}")
            self.state["stacks"][seat] = stack_word(stacks)
            self.state["stack_count"][seat] = number
            self.state["scores"][seat] = player.score
            self._fill_kept(seat, player)

    def _fill_kept(self, seat: int, player: PlayerEntry) -> None:
        if not player.kept:
            return
        where, entry = f"players[{seat}].kept", self.entry
        if not self.rules.keep_leftovers:
            refuse(where, "these rules return leftover blocks to the supply; write 0")
        last_round = entry.round == len(self.rules.stacks[entry.year - 1])
        if entry.year == st.YEARS or not (last_round and self._has_moved(seat)):
            refuse(
                where, "blocks are kept only between a player's last turn of year 1 or 2 and the new stacks; write 0"
            )
        if player.kept > self.rules.stack_limit:
            refuse(where, f"{player.kept} is more than one stack holds; write at most {self.rules.stack_limit}")
        self.state["kept"][seat] = player.kept

    # The common supply.

    def _check_supply(self) -> None:
        """Refuse more blocks than exist, and a supply too small for what is still to come (rules, section 9)."""
        state, rules, entry = self.state, self.rules, self.entry
        board = int(state["heights"].sum())
        held = sum(
            sum(int(state["stacks"][seat]) >> (4 * place) & 15 for place in range(8)) + int(state["kept"][seat])
            for seat in range(rules.players)
        ) + max(0, int(state["in_use"]))
        supply = rules.blocks - board - held
        if supply < 0:
            refuse(
                "heights",
                f"{board} blocks on the board and {held} in stacks, in use and kept; the rules have {rules.blocks}",
            )
        copies = rules.supply_cards * (1 if rules.cards == "common" else rules.players)
        unplayed = copies - sum(player.played.count("supply") for player in entry.players)
        to_place = rules.castles_to_place - board if entry.phase == "castles" else 0
        stacks = rules.players * sum(map(sum, rules.stacks[entry.year :]))
        if supply < unplayed + to_place + stacks:
            refuse(
                "heights",
                f"{supply} blocks are left for the common supply, but it still needs {stacks} for the stacks of later "
                f"years, {unplayed} for supply cards and {to_place} for start castles; take blocks off the board",
            )
        state["supply"] = supply
