"""What an opponent may hold: every hand that agrees with what an observer knows, with its exact probability.

Nothing but the observer's view of the position is read. All deals of single cards that agree with it are equally
likely, as `determinize` deals them, so the weight of a hand is a product of binomials: the ways to take its copies of
each card from the copies that the observer has not seen.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import comb
from typing import Any, NamedTuple

import numpy as np

from torres_mcts.core.errors import TorresError, shorten, suggest
from torres_mcts.core.rng import draw_index
from torres_mcts.games.torres.engine.state import CARD_KINDS, UNKNOWN_CARD
from torres_mcts.games.torres.format.decode import pile_entries
from torres_mcts.games.torres.format.model import CARDS
from torres_mcts.games.torres.position import Position

HAND_LIMIT = 100_000  # hands that are listed; of more there are only the probabilities of single cards
WORD_BITS, WORD_MASK = 6, 63  # of one kind of card in the word of a hand
SHARE = 2**32  # parts of one that a random number is drawn in

Hand = tuple[str, ...]  # cards by name, in alphabetical order, as often as they are held
Counts = tuple[int, ...]  # how often each of the ten kinds occurs


@dataclass(frozen=True)
class HandPosterior:
    """The hands that an opponent may have, in the eyes of an observer."""

    observer: str
    opponent: str
    size: int  # cards in the hand, those bought in the turn under way included
    hands: Mapping[Hand, float]  # probability of each possible hand, the likeliest first; empty if there are too many
    holding: Mapping[str, float]  # for each card of the game the probability that at least one is held
    expected: Mapping[str, float]  # for each card of the game the expected number of copies

    @property
    def is_listed(self) -> bool:
        """Whether the single hands are listed: there are not more than HAND_LIMIT."""
        return bool(self.hands)

    def probability(self, hand: Iterable[str]) -> float:
        """Return the probability of a hand, given by its cards in any order."""
        return self.listed_hands.get(tuple(sorted(hand)), 0.0)

    @property
    def listed_hands(self) -> Mapping[Hand, float]:
        """The hands with their probabilities; an error if there are too many to list."""
        if not self.hands:
            raise TorresError(
                f"{self.opponent} has more than {HAND_LIMIT:,} possible hands, so they are not listed; "
                "use holding or expected"
            )
        return self.hands

    def to_dict(self, most: int | None = None) -> dict[str, Any]:
        """Return a dictionary for JSON, with the likeliest `most` hands; all if None."""
        return {
            "observer": self.observer,
            "opponent": self.opponent,
            "size": self.size,
            "holding": dict(self.holding),
            "expected": dict(self.expected),
            "hand_count": len(self.hands) or None,
            "hands": [{"cards": list(hand), "probability": share} for hand, share in list(self.hands.items())[:most]],
        }


class Unseen(NamedTuple):
    """What an observer knows of an opponent's cards."""

    known: Counts  # held for certain
    known_fresh: Counts  # those of them that were bought in the turn under way
    hidden: int  # other cards in the hand
    hidden_fresh: int  # those of them that were bought in the turn under way
    pool: Counts  # all the cards that the hidden ones may be


def hand_posterior(position: Position, observer: str, opponent: str) -> HandPosterior:
    """Return the hands that an opponent may have if plays tell nothing: all deals are equally likely.

    >>> from torres_mcts import Rules
    >>> hand_posterior(Position.new(Rules.preset("2017"), seed=1), "red", "blue").hands
    {(): 1.0}
    """
    unseen = unseen_cards(position, observer, opponent)
    size, cards = sum(unseen.known) + unseen.hidden, sum(unseen.pool)
    deals = comb(cards, unseen.hidden)
    holding = [
        1.0 if known else 1 - comb(cards - copies, unseen.hidden) / deals
        for known, copies in zip(unseen.known, unseen.pool, strict=True)
    ]
    expected = [
        known + (unseen.hidden * copies / cards if cards else 0.0)
        for known, copies in zip(unseen.known, unseen.pool, strict=True)
    ]
    hands: dict[Hand, float] = {}
    if count_hands(unseen.pool, unseen.hidden) <= HAND_LIMIT:
        listed = [
            (add_counts(unseen.known, taken), ways / deals) for taken, ways in deal_counts(unseen.pool, unseen.hidden)
        ]
        hands = sort_hands(listed)
    used = used_cards(position)
    return HandPosterior(
        observer,
        opponent,
        size,
        hands,
        {CARDS[card]: holding[card] for card in used},
        {CARDS[card]: expected[card] for card in used},
    )


def posterior_of(
    position: Position, observer: str, opponent: str, hands: Iterable[tuple[Counts, float]]
) -> HandPosterior:
    """Return the posterior with the given hands and probabilities, which sum to one."""
    hands = list(hands)
    counts = np.array([hand for hand, _ in hands])
    shares = np.array([share for _, share in hands])
    holding, expected = shares @ (counts > 0), shares @ counts
    used = used_cards(position)
    return HandPosterior(
        observer,
        opponent,
        int(counts[0].sum()),
        sort_hands(hands),
        {CARDS[card]: min(float(holding[card]), 1.0) for card in used},
        {CARDS[card]: float(expected[card]) for card in used},
    )


def sort_hands(hands: Iterable[tuple[Counts, float]]) -> dict[Hand, float]:
    """Name the cards of hands; the likeliest hand first, equally likely ones by name."""
    named = [(name_hand(counts), share) for counts, share in hands]
    return dict(sorted(named, key=lambda pair: (-pair[1], pair[0])))


def name_hand(counts: Iterable[int]) -> Hand:
    """Return the names of the cards of a hand."""
    return tuple(card for card, copies in zip(CARDS, counts, strict=True) for _ in range(copies))


def used_cards(position: Position) -> list[int]:
    """List the kinds of card that the game is played with."""
    return [card for card in range(CARD_KINDS) if position.rules.card_copies(card)]


# Counting.


def counts_of(word: int) -> Counts:
    """Return how often each card occurs in the word of a hand."""
    return tuple(int(word) >> (WORD_BITS * card) & WORD_MASK for card in range(CARD_KINDS))


def word_of(counts: Iterable[int]) -> int:
    """Return the word of a hand."""
    return sum(int(copies) << (WORD_BITS * card) for card, copies in enumerate(counts))


def add_counts(one: Counts, other: Counts) -> Counts:
    """Put two hands together."""
    return tuple(a + b for a, b in zip(one, other, strict=True))


def take_counts(one: Counts, other: Counts) -> Counts:
    """Take one hand out of another."""
    return tuple(a - b for a, b in zip(one, other, strict=True))


def count_hands(pool: Counts, size: int) -> int:
    """Count the different hands of a size that a pool has."""
    ways = [1] + [0] * size
    for copies in pool:
        ways = [sum(ways[max(0, held - copies) : held + 1]) for held in range(size + 1)]
    return ways[size]


def deal_counts(pool: Counts, size: int) -> Iterator[tuple[Counts, int]]:
    """Yield each different hand of a size that a pool has, and in how many ways single cards make it up."""
    if not pool:
        if size == 0:
            yield (), 1
        return
    rest = pool[1:]
    for copies in range(max(0, size - sum(rest)), min(pool[0], size) + 1):
        ways = comb(pool[0], copies)
        for others, other_ways in deal_counts(rest, size - copies):
            yield (copies, *others), ways * other_ways


# What the observer knows.


def unseen_cards(position: Position, observer: str, opponent: str) -> Unseen:
    """Return what an observer knows and does not know of an opponent's cards."""
    _, owner = seats_of(position, observer, opponent)
    view = position.view(observer)
    state, rules = view.state, view.rules
    is_mover = int(state["to_move"]) == owner
    known_fresh = counts_of(state["fresh"]) if is_mover else (0,) * CARD_KINDS
    pool = tuple(rules.card_copies(card) for card in range(CARD_KINDS))
    if rules.cards != "none":
        for player in range(rules.players) if rules.cards == "common" else [owner]:
            pool = take_counts(pool, counts_of(state["played"][player]))
            pool = take_counts(pool, counts_of(state["hands"][player]))
        pile = pile_entries(state, rules, 0 if rules.cards == "common" else owner)
        drawn = state["drawn"][: state["drawn_count"]] if rules.cards == "common" else []
        for card in [*(entry & 15 for entry in pile), *map(int, drawn)]:
            if card != UNKNOWN_CARD:
                pool = tuple(copies - (kind == card) for kind, copies in enumerate(pool))
    return Unseen(
        counts_of(state["hands"][owner]),
        known_fresh,
        int(state["hidden_in_hand"][owner]),
        int(state["hidden_fresh"]) if is_mover else 0,
        pool,
    )


def seats_of(position: Position, observer: str, opponent: str) -> tuple[int, int]:
    """Return the seats of an observer and of an opponent, who must be somebody else."""
    for player in (observer, opponent):
        if player not in position.names:
            raise TorresError(
                f"{shorten(player)} is not a player; players are {', '.join(map(ascii, position.names))}"
                f"{suggest(str(player), position.names)}"
            )
    if observer == opponent:
        raise TorresError(f"observer and opponent are both {observer}; a player's own hand needs no inference")
    return position.names.index(observer), position.names.index(opponent)


# Worlds.


def deal_hands(position: Position, observer: str, posteriors: Iterable[HandPosterior], rng: np.ndarray) -> Position:
    """Return a fully known position with opponents' hands drawn from posteriors and all else dealt as it may be.

    Opponents without a posterior are dealt for uniformly. With a common deck hands depend on each other: give one
    posterior at the most. Which cards of a hand are fresh (bought in the turn under way) is drawn uniformly.
    """
    posteriors = list(posteriors)
    if position.rules.cards == "common" and len(posteriors) > 1:
        raise TorresError(
            f"posteriors: {len(posteriors)} given, but hands from a common deck depend on each other; give one"
        )
    view = position.view(observer)
    states = view.state_array.copy()
    state, seat = states[0], view.names.index(observer)
    for posterior in posteriors:
        if posterior.observer != observer:
            raise TorresError(f"posteriors: one is that of {posterior.observer}, not of {observer}")
        _, owner = seats_of(view, observer, posterior.opponent)
        unseen = unseen_cards(view, observer, posterior.opponent)
        _settle_hand(state, seat, owner, unseen, _draw_hand(posterior, rng), rng)
    settled = Position(states, view.rules, view.names, seat)
    dealt = settled.determinize(draw_index(rng, SHARE) * SHARE + draw_index(rng, SHARE))
    dealt.state["known_hands"][seat] = view.state["known_hands"][seat]  # the world is one that the observer cannot see
    dealt.state["known_fresh"][seat] = view.state["known_fresh"][seat]
    return dealt


def _draw_hand(posterior: HandPosterior, rng: np.ndarray) -> Counts:
    """Draw a hand from a posterior."""
    hands = posterior.listed_hands
    point = (draw_index(rng, SHARE) + draw_index(rng, SHARE) / SHARE) / SHARE
    index = int(np.searchsorted(np.cumsum(list(hands.values())), point, side="right"))
    hand = list(hands)[min(index, len(hands) - 1)]
    return tuple(hand.count(card) for card in CARDS)


def _settle_hand(state: Any, seat: int, owner: int, unseen: Unseen, hand: Counts, rng: np.ndarray) -> None:
    """Let the observer know a hand."""
    hidden = take_counts(hand, unseen.known)
    if min(hidden) < 0 or sum(hidden) != unseen.hidden or min(take_counts(unseen.pool, hidden)) < 0:
        raise TorresError(
            f"posteriors: {', '.join(name_hand(hand))} cannot be that hand; take the posterior of this position"
        )
    state["hands"][owner] = state["known_hands"][seat][owner] = word_of(hand)
    state["hidden_in_hand"][owner] = 0
    if int(state["to_move"]) == owner:
        cards = [card for card, copies in enumerate(hidden) for _ in range(copies)]
        fresh = [cards.pop(draw_index(rng, len(cards))) for _ in range(unseen.hidden_fresh)]
        counts = add_counts(unseen.known_fresh, tuple(fresh.count(card) for card in range(CARD_KINDS)))
        state["fresh"] = state["known_fresh"][seat] = word_of(counts)
        state["hidden_fresh"] = 0
