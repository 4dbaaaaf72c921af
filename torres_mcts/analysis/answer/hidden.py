"""Hidden cards in an analysis: whose knowledge counts, the worlds that agree with it, and which cards would hurt."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from torres_mcts.analysis.answer.estimates import difference, estimate, gain_of_knowing
from torres_mcts.analysis.hands import (
    Counts,
    HandPosterior,
    add_counts,
    counts_of,
    hand_posterior,
    name_hand,
    posterior_of,
    take_counts,
    unseen_cards,
    used_cards,
    word_of,
)
from torres_mcts.analysis.hands import deal_hands as deal_from_posteriors
from torres_mcts.analysis.hands_played import fitted_temperature, replay_positions, weigh_hands
from torres_mcts.analysis.report import CardChance, Hand
from torres_mcts.core.errors import TorresError, shorten, suggest
from torres_mcts.core.rng import new_rng
from torres_mcts.games.torres import calls
from torres_mcts.games.torres.engine.state import CARD_KINDS
from torres_mcts.games.torres.format.model import CARDS
from torres_mcts.games.torres.position import Position
from torres_mcts.games.torres.record import GameRecord

WORLD_STREAM = 1 << 42  # far from the streams that deal and play games
LEAST_WORLDS = 10  # with and without a card, to say what it does

Known = Mapping[str, Iterable[str]]


class Knowledge:
    """What an analysis may know, and the worlds that agree with it, by number."""

    def __init__(
        self,
        position: Position,
        *,
        seed: int,
        viewpoint: str | None = None,
        omniscient: bool = False,
        known: Known | None = None,
        record: GameRecord | None = None,
    ) -> None:
        self.seed, self.omniscient = seed, omniscient
        self.observer = find_player(position, viewpoint, "viewpoint") if viewpoint else str(position.viewpoint)
        self.seat = position.names.index(self.observer)
        if omniscient and known:
            raise TorresError("known: with omniscient the cards of the file are used; leave out one of the two")
        if omniscient and viewpoint:
            raise TorresError("viewpoint: with omniscient everything is known; leave out one of the two")
        self.view = position if omniscient else position.view(self.observer)
        if known:
            self.view = fix_cards(self.view, self.observer, known)
        self.is_certain = omniscient and position.is_known
        self.posteriors: dict[str, HandPosterior] = {}
        if record is not None and not omniscient:
            self._weigh(position, record)
        self._priors: dict[str, HandPosterior] = {}
        self._worlds = np.empty(0, self.view.state_array.dtype)

    @property
    def opponents(self) -> list[str]:
        """The other players, in the order of their turns from the observer."""
        names = self.view.names
        return [names[(self.seat + step) % len(names)] for step in range(1, len(names))]

    def _weigh(self, position: Position, record: GameRecord) -> None:
        """Weigh the hands by the plays of a record."""
        moves = find_in_record(position, record, self.observer)
        if self.view.rules.cards != "own":
            return
        for opponent in self.opponents:
            if not unseen_cards(self.view, self.observer, opponent).hidden:
                continue
            weighed = weigh_hands(
                record, moves, observer=self.observer, opponent=opponent, temperature=fitted_temperature()
            )
            self.posteriors[opponent] = condition(self.view, weighed)

    def worlds(self, first: int, end: int) -> np.ndarray:
        """Return the worlds with some numbers, as records."""
        if end > len(self._worlds):
            more = [self._deal(number) for number in range(len(self._worlds), max(end, 2 * len(self._worlds), 16))]
            self._worlds = np.concatenate([self._worlds, *more])
        return self._worlds[first:end]

    def _deal(self, number: int) -> np.ndarray:
        """Deal a world."""
        if self.is_certain:
            return self.view.state_array
        rng = new_rng(self.seed, WORLD_STREAM + number)
        if self.posteriors:
            return deal_from_posteriors(self.view, self.observer, self.posteriors.values(), rng).state_array
        states = self.view.state_array.copy()
        calls.deal_hidden(states, self.seat, rng)
        return states

    def world(self, number: int) -> Position:
        """Return a world as a position."""
        return Position(self.worlds(number, number + 1).copy(), self.view.rules, self.view.names, self.seat)

    def describe(self, wins: np.ndarray) -> list[Hand]:
        """Say what the opponents may hold and what their cards do to the win probability of the player to move.

        wins: [turns, worlds] in the first worlds, the best turn first
        """
        return [self._describe_hand(opponent, wins) for opponent in self.opponents]

    def _describe_hand(self, opponent: str, wins: np.ndarray) -> Hand:
        owner = self.view.names.index(opponent)
        if self.omniscient:
            hand = counts_of(self.view.state["hands"][owner])
            size = sum(hand) + int(self.view.state["hidden_in_hand"][owner])
            return Hand(player=opponent, size=size, known=list(name_hand(hand)), cards=[])
        unseen = unseen_cards(self.view, self.observer, opponent)
        if opponent not in self._priors:
            self._priors[opponent] = hand_posterior(self.view, self.observer, opponent)
        prior = self._priors[opponent]
        posterior = self.posteriors.get(opponent, prior)
        words = self.worlds(0, wins.shape[1])["hands"][:, owner]
        cards = []
        for card in used_cards(self.view):
            name = CARDS[card]
            if posterior.holding[name] > 0 or prior.holding[name] > 0:
                held = (words >> np.uint64(6 * card)) & np.uint64(63) > 0
                cards.append(_card_chance(name, prior.holding[name], posterior.holding[name], wins, held))
        cards.sort(key=lambda one: (-(one.harm.mean if one.harm else 0.0), -one.posterior, one.card))
        return Hand(player=opponent, size=prior.size, known=list(name_hand(unseen.known)), cards=cards)


def _card_chance(card: str, prior: float, posterior: float, wins: np.ndarray, held: np.ndarray) -> CardChance:
    """Say how likely a card is held and what it does."""
    with_it, without = wins[0, held], wins[0, ~held]
    says = len(with_it) >= LEAST_WORLDS and len(without) >= LEAST_WORLDS
    return CardChance(
        card=card,
        prior=round(prior, 6),
        posterior=round(posterior, 6),
        win_if_held=estimate(with_it, 0.0, 1.0) if says else None,
        win_if_not=estimate(without, 0.0, 1.0) if says else None,
        harm=difference(without, with_it) if says else None,
        worth_knowing=gain_of_knowing(wins, held) if says and len(wins) > 1 else None,
    )


def find_player(position: Position, name: str, option: str) -> str:
    """Return the player that a name means, whatever its case."""
    same = [player for player in position.names if player == name] or [
        player for player in position.names if player.lower() == str(name).lower()
    ]
    if len(same) != 1:
        raise TorresError(
            f"{option}: {shorten(name)} is not a player; players are {', '.join(map(ascii, position.names))}"
            f"{suggest(str(name), position.names)}"
        )
    return same[0]


def find_in_record(position: Position, record: GameRecord, observer: str) -> int:
    """Return after how many actions of a record a position occurs, as an observer sees it; the last time."""
    wanted = position.view(observer).to_dict()
    found = [
        index
        for index, other in enumerate(replay_positions(record))
        if other.names == position.names and not other.is_over and other.view(observer).to_dict() == wanted
    ]
    if not found:
        raise TorresError("record: the position does not occur in it, as the viewpoint sees it")
    return found[-1]


def fix_cards(view: Position, observer: str, known: Known) -> Position:
    """Return a view in which some opponents are known to hold some cards."""
    for name, cards in known.items():
        opponent = find_player(view, name, "known")
        if opponent == observer:
            raise TorresError(f"known: {opponent} is the viewpoint, whose own hand is known")
        view = _fix_hand(view, observer, opponent, [_check_card(card) for card in cards])
    return view


def _check_card(card: str) -> str:
    if card not in CARDS:
        raise TorresError(
            f"known: {shorten(card)} is not a card{suggest(str(card), CARDS) or '; cards are ' + ', '.join(CARDS)}"
        )
    return card


def _fix_hand(view: Position, observer: str, opponent: str, cards: list[str]) -> Position:
    unseen = unseen_cards(view, observer, opponent)
    wanted = tuple(cards.count(card) for card in CARDS)
    more = tuple(max(0, copies - held) for copies, held in zip(wanted, unseen.known, strict=True))
    if sum(more) > unseen.hidden:
        raise TorresError(
            f"known: {', '.join(cards)} cannot be {opponent}'s hand: it has {unseen.hidden} unknown "
            f"card{'' if unseen.hidden == 1 else 's'}, and {sum(more)} would be needed"
        )
    for kind, copies in enumerate(take_counts(unseen.pool, more)):
        if copies < 0:
            raise TorresError(f"known: {opponent} cannot hold {CARDS[kind]}: no such card is unaccounted for")
    states, seat, owner = view.state_array.copy(), view.names.index(observer), view.names.index(opponent)
    state = states[0]
    hand = word_of(add_counts(unseen.known, more))
    state["hands"][owner] = state["known_hands"][seat][owner] = hand
    state["hidden_in_hand"][owner] = unseen.hidden - sum(more)
    if int(state["to_move"]) == owner:  # where all that may be fresh is named, some of it is
        fresh_more = max(0, unseen.hidden_fresh - (unseen.hidden - sum(more)))
        fresh = add_counts(unseen.known_fresh, _first_cards(more, fresh_more))
        state["fresh"] = state["known_fresh"][seat] = word_of(fresh)
        state["hidden_fresh"] = unseen.hidden_fresh - fresh_more
    return Position(states, view.rules, view.names, seat)


def _first_cards(counts: Counts, number: int) -> Counts:
    """Return the first cards of a hand."""
    taken = []
    for kind in range(CARD_KINDS):
        taken.append(min(counts[kind], number))
        number -= taken[-1]
    return tuple(taken)


def condition(view: Position, posterior: HandPosterior) -> HandPosterior:
    """Keep the hands of a posterior that agree with what a view knows."""
    unseen = unseen_cards(view, posterior.observer, posterior.opponent)
    kept = []
    for hand, share in posterior.listed_hands.items():
        counts = tuple(hand.count(card) for card in CARDS)
        hidden = take_counts(counts, unseen.known)
        if min(hidden) >= 0 and min(take_counts(unseen.pool, hidden)) >= 0 and share > 0:
            kept.append((counts, share))
    total = sum(share for _, share in kept)
    if not total:
        raise TorresError(f"known: {posterior.opponent} cannot hold these cards after the plays of the record")
    found = posterior_of(view, posterior.observer, posterior.opponent, [(hand, share / total) for hand, share in kept])
    return replace(found, size=posterior.size)
