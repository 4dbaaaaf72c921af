"""What cards are worth. Each way to ask has its own flaw; the definitions say which.

The paired counterfactual, the same deal with a card taken from one seat, compares two runs: games logged with `blank`
against games without, by the metric `seats` or `scores`.
"""

import math
from collections.abc import Iterable

import numpy as np

from torres_mcts.games.torres.format.model import CARDS
from torres_mcts.games.torres.rules import Rules
from torres_mcts.studies.log import GameLog
from torres_mcts.studies.metrics.metric import YEARS, Blocks, Values, games_of, mean, metric


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
        for seat, cards in offered(game).items():
            row = np.array([cards.count(card) for card in CARDS], dtype=float), game.utilities[seat]
            groups.setdefault((game.agents[seat], seat), []).append(row)
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
    with_card: dict[str, list[tuple[int, float]]] = {card: [] for card in CARDS}
    without: dict[int, list[float]] = {year: [] for year in YEARS}
    for game in games_of(blocks):
        for turn, before, after in zip(game.turns, game.wins, game.wins[1:], strict=False):
            change = float(after[turn.seat] - before[turn.seat])
            for card in turn.played:
                with_card[card].append((turn.year, change))
            if not turn.played:
                without[turn.year].append(change)
    usual = {year: mean(changes) for year, changes in without.items()}
    return {card: _mean_known(change - usual[year] for year, change in rows) for card, rows in with_card.items()}


def _mean_known(values: Iterable[float]) -> float:
    """Return the mean of those values that are known."""
    return mean(value for value in values if not math.isnan(value))


@metric(
    "Wins with a card played",
    unit="share of wins",
    definition="WARNING, selection: how often a player wins who plays the card. Those ahead, and those who buy many"
    " cards, play other cards than those behind, so this is not what a card is worth; see the other card values.",
)
def card_wins(blocks: Blocks) -> Values:
    """Return a value for each card."""
    won: dict[str, list[float]] = {card: [] for card in CARDS}
    for game in games_of(blocks):
        for seat, share in enumerate(game.win_shares):
            for card in {card for turn in game.turns if turn.seat == seat for card in turn.played}:
                won[card].append(share)
    return {card: mean(shares) for card, shares in won.items()}


@metric(
    "Use of cards",
    unit="cards a player",
    definition="How often a player buys and plays each card in a game.",
)
def card_use(blocks: Blocks) -> Values:
    """Return `ap6_bought`, `ap6_played`, `ap7_bought`, ..."""
    players = sum(game.players for game in games_of(blocks))
    turns = [turn for game in games_of(blocks) for turn in game.turns]
    return {
        f"{card}_{name}": sum(getattr(turn, name).count(card) for turn in turns) / players if players else math.nan
        for card in CARDS
        for name in ("bought", "played")
    }
