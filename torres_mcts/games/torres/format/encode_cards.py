"""The cards of a position file into a state: hands, piles, drawn cards (position format; rules, section 6)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from torres_mcts.core.errors import refuse
from torres_mcts.games.torres.engine import state as st
from torres_mcts.games.torres.engine.piles import KNOWERS_SHIFT
from torres_mcts.games.torres.format.model import CARDS, UNKNOWN, PositionEntry
from torres_mcts.games.torres.format.notation import CARD_INDEX, hand_of
from torres_mcts.games.torres.rules import Rules

HIDDEN_LIMIT = 255  # what a byte counts; no game has turns enough to buy so many


class CardEncoder:
    """The checks of the cards of one position file, and the part of the state that they fill.

    knower: the player whose knowledge a file with unknown cards shows
    """

    def __init__(self, entry: PositionEntry, rules: Rules, state: Any, *, to_move: int, knower: int) -> None:
        self.entry = entry
        self.rules = rules
        self.state = state
        self.to_move = to_move
        self.knower = knower
        self.hands = [self._read_hand(seat) for seat in range(rules.players)]
        self.copies = {card: rules.card_copies(index) for index, card in enumerate(CARDS)}

    def fill(self) -> None:
        """Check all cards, and enter them."""
        self._fill_drawn()
        self._check_piles()
        common = self.rules.cards == "common"
        seats = range(self.rules.players)
        piles = [self._read_pile(pile, share) for pile, share in enumerate([seats] if common else [[s] for s in seats])]
        # Where a card is unknown the file is one player's view, and whatever it shows is what that player knows.
        shown = [*self.entry.turn.drawn, *(card for cards in (*self.hands, *piles) for card in cards)]
        is_view = UNKNOWN in shown
        for seat in seats:
            self._fill_hand(seat, is_view)
        for pile, cards in enumerate(piles):
            self._fill_pile(pile, cards, is_view)

    def _read_hand(self, seat: int) -> list[str]:
        player = self.entry.players[seat]
        if player.hand is not None:
            return player.hand
        if self.rules.cards != "hand":
            return []
        left = Counter({card: self.rules.card_copies(index) for index, card in enumerate(CARDS)})
        left.subtract(player.played)
        return list(left.elements())

    def _fill_drawn(self) -> None:
        drawn, phase = self.entry.turn.drawn, self.entry.phase
        if phase == "keep":
            if not 2 <= len(drawn) <= self.rules.draw:
                refuse(
                    "turn.drawn",
                    f"{len(drawn)} cards, but phase keep chooses between 2 to {self.rules.draw} drawn cards",
                )
            if self.entry.turn.bought == 0:
                refuse("turn.bought", "0, but in phase keep a card has just been bought; write at least 1")
        elif drawn:
            refuse("turn.drawn", "cards are drawn only in phase keep; leave it out")
        self.state["drawn_count"] = len(drawn)
        self.state["drawn"][: len(drawn)] = [_card_number(card) for card in drawn]

    def _check_piles(self) -> None:
        """Refuse piles that the rules do not have, and played cards that are not named."""
        source = self.rules.cards
        for seat, player in enumerate(self.entry.players):
            if player.deck is not None and source != "own":
                refuse(
                    f"players[{seat}].deck",
                    f"players have piles of their own only with cards 'own', not {source!r}; leave it out",
                )
            if UNKNOWN in player.played:
                refuse(f"players[{seat}].played", "played cards are public; name them all, without ?")
        if self.entry.deck is not None and source != "common":
            refuse("deck", f"there is a common pile only with cards 'common', not {source!r}; leave it out")

    def _read_pile(self, pile: int, seats: Sequence[int]) -> list[str]:
        """Return a pile, filled in where it was left out; check the cards that these players share with it."""
        places: dict[str, Sequence[str]] = {}
        for seat in seats:
            places[f"players[{seat}].played"] = self.entry.players[seat].played
            places[f"players[{seat}].hand"] = self.hands[seat]
            if seat == self.to_move:
                places["turn.drawn"] = self.entry.turn.drawn
        is_common = self.rules.cards == "common"
        cards = self.entry.deck if is_common else self.entry.players[pile].deck
        if cards is None:
            has_pile = self.rules.cards in ("own", "common")
            others = sum(map(len, places.values()))
            cards = [UNKNOWN] * max(0, sum(self.copies.values()) - others) if has_pile else []
        places["deck" if is_common else f"players[{pile}].deck"] = cards
        self._check_counts(places)
        return cards

    def _check_counts(self, places: Mapping[str, Sequence[str]]) -> None:
        """Refuse cards that occur more often than the rules have them, at the first place that is too much."""
        size = sum(self.copies.values())
        total: Counter[str] = Counter()
        for where, cards in places.items():
            total.update(cards)
            for card in CARDS:
                if total[card] > self.copies[card]:
                    refuse(
                        where,
                        f"{card!r} occurs {total[card]} times in hand, pile, drawn and played cards; "
                        f"the rules have {self.copies[card]}",
                    )
            if total.total() > size:
                refuse(where, f"{total.total()} cards in hand, pile, drawn and played; the rules have {size}")

    def _fill_hand(self, seat: int, is_view: bool) -> None:
        state, hand = self.state, self.hands[seat]
        hidden = hand.count(UNKNOWN)
        if hidden > HIDDEN_LIMIT:
            refuse(f"players[{seat}].hand", f"{hidden} unknown cards; at most {HIDDEN_LIMIT} are possible")
        self._fill_fresh(seat)
        state["hands"][seat] = hand_of(hand)
        state["hidden_in_hand"][seat] = hidden
        state["played"][seat] = hand_of(self.entry.players[seat].played)
        if is_view and self.knower != seat:
            state["known_hands"][self.knower][seat] = hand_of(hand)
            if seat == self.to_move:
                state["known_fresh"][self.knower] = hand_of(self.entry.players[seat].fresh)

    def _fill_fresh(self, seat: int) -> None:
        fresh, entry, where = self.entry.players[seat].fresh, self.entry, f"players[{seat}].fresh"
        if not fresh:
            return
        missing = Counter(fresh) - Counter(self.hands[seat])
        if missing:
            refuse(where, f"{next(iter(missing))!r} is not in the hand (so often); fresh cards are part of the hand")
        if entry.phase not in ("turn", "keep") or seat != self.to_move:
            refuse(where, "only the player whose turn is under way has freshly bought cards; leave it empty")
        most = entry.turn.bought - (1 if entry.phase == "keep" else 0)
        if len(fresh) > most:
            waiting = ", one of them waiting for the choice" if entry.phase == "keep" else ""
            refuse(where, f"{len(fresh)} cards, but turn.bought is {entry.turn.bought}{waiting}; at most {most} fit")
        self.state["fresh"] = hand_of(fresh)
        self.state["hidden_fresh"] = fresh.count(UNKNOWN)

    def _fill_pile(self, pile: int, cards: Sequence[str], is_view: bool) -> None:
        knower = 1 << (KNOWERS_SHIFT + self.knower) if is_view else 0
        base = pile * st.OWN_PILE_LIMIT
        for depth, card in enumerate(cards):
            self.state["pile"][base + depth] = _card_number(card) | (0 if card == UNKNOWN else knower)
        self.state["pile_size"][pile] = len(cards)


def _card_number(card: str) -> int:
    return st.UNKNOWN_CARD if card == UNKNOWN else CARD_INDEX[card]
