"""What cards are worth. Each way to ask has its own flaw; the definitions say which.

The paired counterfactual, the same deal with a card taken from one seat, compares two runs: games logged with `blank`
against games without, by the metric `seats` or `scores`.
"""

import math

import numpy as np

from torres_mcts.games.torres.format.model import CARDS
from torres_mcts.games.torres.rules import Rules
from torres_mcts.studies.log import GameLog
from torres_mcts.studies.metrics.metric import (
    YEARS,
    Blocks,
    Sums,
    Values,
    games_of,
    mean,
    metric,
    pool,
    remember,
    sum_up,
)


@metric(
    "Card value: dealt",
    unit="rank points",
    definition="What it is worth to be offered a card first, against the mean of all cards: the coefficients of a"
    " regression of rank points on the cards that chance, and nobody's choice, puts before a player. With own decks"
    " these are the cards of the first draw, the top of the pile as dealt, whether it is drawn or not; with a common"
    " deck and draw 1 the first card that a player buys; with a common deck and a larger draw the first cards that"
    " are looked at in the game. Means of each agent on each seat are taken out. Free of selection; but a card that"
    " is offered later, or to all, has no value here.",
)
def card_dealt(blocks: Blocks) -> Values:
    """Return a value for each card."""
    groups: dict[tuple[str, int], list[tuple[np.ndarray, float]]] = {}
    for game in games_of(blocks):
        for seat, counts_of_seat in _offers_of(game).items():
            groups.setdefault((game.agents[seat], seat), []).append((counts_of_seat, game.utilities[seat]))
    counts, utilities = [np.empty((0, len(CARDS)))], [np.empty(0)]
    for rows in groups.values():
        one, other = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
        counts.append(one - one.mean(axis=0))
        utilities.append(other - other.mean())
    return dict(zip(CARDS, regress(np.concatenate(counts), np.concatenate(utilities)), strict=True))


def regress(counts: np.ndarray, utilities: np.ndarray) -> list[float]:
    """Return the coefficients of centred columns that sum to 0 in every row, those of varying columns with mean 0.

    counts: [rows, cards]; a card that never varies, and all if there are too few rows, have none
    """
    varies = (np.abs(counts) > 1e-9).any(axis=0)
    found = np.full(counts.shape[1], math.nan)
    if varies.sum() > 1 and np.linalg.matrix_rank(counts[:, varies]) == varies.sum() - 1:
        found[varies] = np.linalg.lstsq(counts[:, varies], utilities)[0]  # the shortest solution has mean 0
    return [float(value) for value in found]


def offered(game: GameLog) -> dict[int, tuple[str, ...]]:
    """Return the cards that chance puts before players first, by seat."""
    rules = Rules.from_dict(game.rules)
    if rules.cards == "own":
        return {seat: pile[: rules.draw] for seat, pile in enumerate(game.piles)}
    if rules.cards != "common":
        return {}
    purchases: dict[int, tuple[str, ...]] = {}
    for turn in game.turns:
        if turn.bought and rules.draw == 1:
            purchases.setdefault(turn.seat, turn.bought[:1])
        elif turn.bought and not purchases:
            purchases[turn.seat] = game.piles[0][: rules.draw]
    return purchases


@remember
def _offers_of(game: GameLog) -> dict[int, np.ndarray]:
    """Count the cards that were put before players first, by seat."""
    return {seat: np.array([cards.count(card) for card in CARDS], float) for seat, cards in offered(game).items()}


@metric(
    "Card value: played",
    unit="win probability",
    definition="The change of the player's own win probability over a turn in which the card is played, less the mean"
    " change over turns of that year without a card. The judge sees the board after the turn and counts a card in"
    " hand as any other; turns with a card are those in which it could be used well, so this is what the card brings"
    " where it is played, not what it is worth to hold.",
    needs_judge=True,
)
def card_swing(blocks: Blocks) -> Values:
    """Return a value for each card."""
    changes = [change for game in games_of(blocks) for change in _changes_of(game)]
    usual = {year: mean(change for card, at, change in changes if card is None and at == year) for year in YEARS}
    swings: dict[str, list[float]] = {card: [] for card in CARDS}
    for card, year, change in changes:
        if card is not None and not math.isnan(usual[year]):
            swings[card].append(change - usual[year])
    return {card: mean(found) for card, found in swings.items()}


@remember
def _changes_of(game: GameLog) -> list[tuple[str | None, int, float]]:
    """List card (None: no card), year and change of the player's win probability for each turn and card played."""
    found: list[tuple[str | None, int, float]] = []
    for turn, before, after in zip(game.turns, game.wins, game.wins[1:], strict=False):
        change = float(after[turn.seat] - before[turn.seat])
        found += [(card, turn.year, change) for card in turn.played or (None,)]
    return found


@metric(
    "Wins with a card played",
    unit="share of wins",
    definition="WARNING, selection: how often a player wins who plays the card. Those ahead, and those who buy many"
    " cards, play other cards than those behind, so this is not what a card is worth; see the other card values.",
)
def card_wins(blocks: Blocks) -> Values:
    """Return a value for each card."""
    return pool(blocks, _wins_of)


@remember
def _wins_of(game: GameLog) -> Sums:
    """Add up the wins of those who played each card."""
    played = [
        {card for turn in game.turns if turn.seat == seat for card in turn.played} for seat in range(game.players)
    ]
    return {
        card: sum_up(won for won, cards in zip(game.win_shares, played, strict=True) if card in cards) for card in CARDS
    }


@metric(
    "Use of cards",
    unit="cards a player",
    definition="How often a player buys and plays each card in a game.",
)
def card_use(blocks: Blocks) -> Values:
    """Return `ap6_bought`, `ap6_played`, `ap7_bought`, ..."""
    return pool(blocks, _use_of)


@remember
def _use_of(game: GameLog) -> Sums:
    sums: Sums = {}
    for card in CARDS:
        sums[f"{card}_bought"] = sum(turn.bought.count(card) for turn in game.turns), game.players
        sums[f"{card}_played"] = sum(turn.played.count(card) for turn in game.turns), game.players
    return sums
