"""What an opponent may hold, judged by the plays of a recorded game: a hand that had a far better turn is unlikely.

The probabilities of the hand are followed through the record (a forward filter over hidden hands, own decks only):

* A bought card is any of the unseen ones, each copy equally likely. Which of several drawn cards is kept and where the
  others go is taken to be blind to what they are; then the rest of the pile stays a uniform shuffle given the hand.
* A played card was held; each held card is as likely to be the one that is played, but for what follows.
* A choice (what is played from the start of a turn, or from the choice of a drawn card, to the next purchase or the end
  of the turn) is weighed by a softmax over options: no card, or one of the cards that may be played. With v(c) the
  static value of the best turn that a beam finds for a player with card c alone, and v(none) without a card, the weight
  is 1 / (exp(v(none) / T) + sum over held cards of exp(v(c) / T)); what was played is worth the same for all hands.

Without a temperature, or as it grows, plays tell nothing and the result is `hand_posterior`. There is one exception,
which play cannot lead to: a record that starts from a view in which the observer knows cards of the opponent's pile.
When such cards are drawn among several, the state forgets that they were known and takes any hidden card of the hand
for one of them; the filter does so for the card just bought only, which is nearer the truth.
"""

import tomllib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from torres_mcts.analysis.hands import (
    Counts,
    HandPosterior,
    Unseen,
    add_counts,
    count_hands,
    deal_counts,
    hand_posterior,
    posterior_of,
    seats_of,
    take_counts,
    unseen_cards,
    word_of,
)
from torres_mcts.core.errors import IllegalAction, TorresError
from torres_mcts.core.menu import new_menus
from torres_mcts.core.rng import new_rng
from torres_mcts.games.torres import verbs  # noqa: F401 (teaches the search this game)
from torres_mcts.games.torres.engine.state import CARD_KINDS
from torres_mcts.games.torres.format.model import CARDS
from torres_mcts.games.torres.position import Position
from torres_mcts.games.torres.record import GameRecord
from torres_mcts.search.turns.generator import TurnTable, follow_beam, new_table

WIDTH, SWEEPS = 16, 2  # of the beam that values a card
BELIEF_LIMIT = 200_000  # hidden hands that are followed at once
LEAST_EXPONENT = -600.0  # so that no option underflows to nothing
FITTED_FILE = Path(__file__).with_name("hands.toml")


def fitted_temperature(path: Path = FITTED_FILE) -> float:
    """Return the temperature in points that `torres tune --hands` fitted to self-play."""
    return float(tomllib.loads(path.read_text())["temperature"])


def weigh_hands(
    record: GameRecord,
    up_to_move: int | None = None,
    *,
    observer: str,
    opponent: str,
    temperature: float | None,
    width: int = WIDTH,
) -> HandPosterior:
    """Return the hands that an opponent may have after so many actions of a record, weighed by the plays seen.

    up_to_move:  number of actions; None for all. A turn under way counts up to the last purchase
    temperature: in points, `fitted_temperature()` for the one fitted to self-play; None: plays tell nothing
    """
    if up_to_move is None:
        up_to_move = len(record.actions)
    if not 0 <= up_to_move <= len(record.actions):
        raise TorresError(
            f"up_to_move: {up_to_move} is not one of 0 to {len(record.actions)}, the actions of the record"
        )
    followed = follow_hands(record, observer=observer, opponent=opponent, temperature=temperature, width=width)
    return next(islice(followed, up_to_move, None))


def follow_hands(
    record: GameRecord, *, observer: str, opponent: str, temperature: float | None, width: int = WIDTH
) -> Iterator[HandPosterior]:
    """Yield what `weigh_hands` returns at the start of a record and after each of its actions."""
    if temperature is not None and not temperature > 0:
        raise TorresError(f"temperature: {temperature} is not above 0; None means that plays tell nothing")
    if record.position.rules.cards != "own":
        if temperature is not None:
            raise TorresError(
                f"hands are weighed by plays with own decks only, not with cards: {record.position.rules.cards}; "
                "take hand_posterior, or no temperature"
            )
        for position in replay_positions(record):
            yield hand_posterior(position, observer, opponent)
        return
    temperatures = np.array([np.inf if temperature is None else temperature])
    for position, belief in follow_beliefs(record, observer, opponent, temperatures, width):
        known = unseen_cards(position, observer, opponent).known
        hands: dict[Counts, float] = {}
        for old, fresh, share in zip(belief.old, belief.fresh, belief.shares[:, 0], strict=True):
            hand = add_counts(known, tuple((old + fresh).tolist()))
            hands[hand] = hands.get(hand, 0.0) + float(share)
        yield posterior_of(position, observer, opponent, hands.items())


# The filter.


class Belief(NamedTuple):
    """The hidden part of a hand, for several temperatures at once."""

    old: np.ndarray  # [hands, kinds] int64, cards that may be played
    fresh: np.ndarray  # [hands, kinds] int64, cards bought in the turn under way
    shares: np.ndarray  # [hands, temperatures] float64, each column sums to 1


def first_belief(unseen: Unseen, temperatures: int) -> Belief:
    """Return what may be hidden in a hand of which no play was seen."""
    old_size = unseen.hidden - unseen.hidden_fresh
    rows = [
        (old, fresh, old_ways * fresh_ways)
        for old, old_ways in deal_counts(unseen.pool, old_size)
        for fresh, fresh_ways in deal_counts(take_counts(unseen.pool, old), unseen.hidden_fresh)
    ]
    shares = np.array([float(ways) for _, _, ways in rows])
    return Belief(
        np.array([old for old, _, _ in rows]),
        np.array([fresh for _, fresh, _ in rows]),
        np.repeat(shares[:, np.newaxis] / shares.sum(), temperatures, axis=1),
    )


def draw_card(belief: Belief, pool: Counts) -> Belief:
    """Buy a hidden card: any unseen one, each copy equally likely.

    pool: all the unseen cards, those of the hand included
    """
    left = np.array(pool) - belief.old - belief.fresh
    hands, cards = np.nonzero(left > 0)
    if len(hands) > BELIEF_LIMIT * CARD_KINDS:
        raise TorresError(f"more than {BELIEF_LIMIT:,} hands are possible: too many to follow through a record")
    fresh = belief.fresh[hands]
    fresh[np.arange(len(cards)), cards] += 1
    return merge(belief.old[hands], fresh, belief.shares[hands] * left[hands, cards, np.newaxis])


def reveal_card(belief: Belief, card: int) -> Belief:
    """Play a hidden card that was not bought in this turn: each copy held is equally likely to be that one."""
    held = belief.old[:, card] > 0
    old = belief.old[held]
    shares = belief.shares[held] * old[:, card, np.newaxis]
    old[:, card] -= 1
    return Belief(old, belief.fresh[held], shares / shares.sum(axis=0))


def settle_cards(belief: Belief) -> Belief:
    """End the turn: the cards bought in it may be played from now on."""
    return merge(belief.old + belief.fresh, np.zeros_like(belief.fresh), belief.shares)


def merge(old: np.ndarray, fresh: np.ndarray, shares: np.ndarray) -> Belief:
    """Add up the shares of equal hands, and scale them to sum to one."""
    pairs, index = np.unique(np.hstack([old, fresh]), axis=0, return_inverse=True)
    sums = np.zeros((len(pairs), shares.shape[1]))
    np.add.at(sums, index.reshape(-1), shares)
    return Belief(pairs[:, :CARD_KINDS], pairs[:, CARD_KINDS:], sums / sums.sum(axis=0))


def weigh_belief(belief: Belief, others: Counts, none: float, values: np.ndarray, temperatures: np.ndarray) -> Belief:
    """Weigh hands by how well a choice fits them.

    others: cards that were playable beside the hidden ones that still are: known ones, and those played by the choice
    none:   value of the best turn without a card; values: [kinds] with each card
    """
    top = max(none, float(values.max()))
    options = np.exp(np.maximum((np.append(values, none)[:, np.newaxis] - top) / temperatures, LEAST_EXPONENT))
    counts = np.hstack([belief.old + np.array(others), np.ones((len(belief.old), 1), np.int64)])
    sums = counts @ options
    shares = belief.shares * (sums.min(axis=0) / sums)
    return Belief(belief.old, belief.fresh, shares / shares.sum(axis=0))


# The record.


def replay_positions(record: GameRecord) -> Iterator[Position]:
    """Yield the position at the start of a record and after each action."""
    position = record.position
    yield position
    for index, action in enumerate(record.actions):
        try:
            position = position.play(action)
        except IllegalAction as error:
            raise IllegalAction(f"actions[{index}]: {error}") from None
        yield position


def follow_beliefs(
    record: GameRecord, observer: str, opponent: str, temperatures: np.ndarray, width: int
) -> Iterator[tuple[Position, Belief]]:
    """Yield each position of a record of own decks, and what the observer believes to be hidden in the hand there."""
    seats_of(record.position, observer, opponent)
    positions = replay_positions(record)
    here = next(positions)
    unseen = unseen_cards(here, observer, opponent)
    if count_hands(unseen.pool, unseen.hidden) > BELIEF_LIMIT:
        raise TorresError(f"more than {BELIEF_LIMIT:,} hands are possible: too many to follow through a record")
    belief = first_belief(unseen, len(temperatures))
    yield here, belief
    judge = _Judge(observer, opponent, temperatures, width)
    for action, after in zip(record.actions, positions, strict=True):
        if here.to_move == opponent and here.phase in ("turn", "keep"):
            belief = judge.follow(belief, here, action, after)
        here = after
        yield here, belief


class _Judge:
    """Follows the actions of one opponent, one choice after the other."""

    def __init__(self, observer: str, opponent: str, temperatures: np.ndarray, width: int) -> None:
        self.observer = observer
        self.opponent = opponent
        self.temperatures = temperatures
        self.values = CardValues(width)
        self.start: Position | None = None  # of the choice under way
        self.played = (0,) * CARD_KINDS  # since then

    def follow(self, belief: Belief, before: Position, action: str, after: Position) -> Belief:
        """Return the belief after an action of the opponent."""
        verb, _, detail = action.partition(":")
        known = unseen_cards(before, self.observer, self.opponent)
        seen = unseen_cards(after, self.observer, self.opponent)
        if self.start is None and before.phase == "turn":
            self.start, self.played = before, (0,) * CARD_KINDS
        if verb == "card":
            card = CARDS.index(detail.partition(":")[0])
            self.played = tuple(copies + (kind == card) for kind, copies in enumerate(self.played))
            if seen.known == known.known:  # not one that the observer knew of
                belief = reveal_card(belief, card)
        elif verb in ("buy", "end"):
            belief = self.weigh(belief, known)
            self.start = None
        if seen.hidden > known.hidden and verb in ("buy", "keep"):
            belief = draw_card(belief, seen.pool)
        return settle_cards(belief) if verb == "end" else belief

    def weigh(self, belief: Belief, known: Unseen) -> Belief:
        """Weigh the hands by the choice just made."""
        others = add_counts(take_counts(known.known, known.known_fresh), self.played)
        held = belief.old.max(axis=0) + np.array(others) > 0
        start = self.start
        if start is None or not held.any() or not np.isfinite(self.temperatures).any():
            return belief
        if start.state["cards_played"] >= start.rules.cards_per_turn:
            return belief
        none, values = self.values.judge(start, self.observer, self.opponent, held)
        return weigh_belief(belief, others, none, values, self.temperatures)


class CardValues:
    """Values a turn of an opponent for each card that may be held, from what an observer sees."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.table: TurnTable = new_table(4000 * width * SWEEPS + 20_000, 400 * width * SWEEPS + 4000)
        self.menus = new_menus()

    def judge(self, position: Position, observer: str, opponent: str, held: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the value of the best turn found without a card, and with each of some cards ([kinds] bool) alone.

        A card that is of no use is worth what the turn is worth without it.
        """
        none = self._best(position, observer, opponent, None)
        values = [self._best(position, observer, opponent, card) if held[card] else none for card in range(CARD_KINDS)]
        return none, np.maximum(values, none)

    def _best(self, position: Position, observer: str, opponent: str, card: int | None) -> float:
        """Return the value of the best turn found for an opponent with one playable card or none."""
        unseen = unseen_cards(position, observer, opponent)
        states = np.repeat(position.view(observer).state_array, 3)
        owner = position.names.index(opponent)
        one = tuple(int(kind == card) for kind in range(CARD_KINDS))
        hand = add_counts(unseen.known_fresh, one)
        states[0]["hands"][owner] = word_of(hand)  # other cards count, but cannot be played
        states[0]["hidden_in_hand"][owner] = sum(unseen.known) + unseen.hidden - sum(hand)
        follow_beam(states, self.menus, new_rng(0), table=self.table, width=self.width, sweeps=SWEEPS)
        return float(self.table.ends["value"][: self.table.desks[0]["end_count"]].max())
