"""Rewards: what the end of a playout is worth to each player, a number from 0 to 1.

A reward mixes three views of the points, by weight:

* win: 1 for the most points, shared equally by those who tie for them;
* rank: (players - rank) / (players - 1), the ranks of a tie averaged: 1 for the first, 0 for the last;
* margin: the logistic function of (own points - best other's points) / margin_scale: one half at a tie, 0.73 when
  ahead by margin_scale. It never quite reaches 0 or 1, so a lead always counts.
"""

import math
from dataclasses import dataclass, fields
from numbers import Real

import numpy as np

from torres_mcts.core.errors import TorresError, shorten
from torres_mcts.core.jit import kernel
from torres_mcts.core.protocol import estimate_score, is_over, player_count, score_of

WIN, RANK, MARGIN, MARGIN_SCALE = range(4)  # places of the weights
NOT_PARANOID = -1


@dataclass(frozen=True)
class Reward:
    """The weights of the reward; only their proportions matter.

    >>> Reward(win=3, margin=1).weights()
    array([ 0.75,  0.  ,  0.25, 30.  ])
    """

    win: float = 1.0
    rank: float = 0.0
    margin: float = 0.0
    margin_scale: float = 30.0  # points ahead that are worth a reward of 0.73

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value) or value < 0:
                raise TorresError(f"reward.{field.name}: expected a number of at least 0, not {shorten(value)}")
        if self.margin_scale == 0:
            raise TorresError("reward.margin_scale: must be above 0")
        if self.win + self.rank + self.margin == 0:
            raise TorresError("reward: one of win, rank and margin must be above 0")

    def weights(self) -> np.ndarray:
        """Return what `write_rewards` takes: the weights with a sum of 1, then the scale."""
        total = self.win + self.rank + self.margin
        return np.array([self.win / total, self.rank / total, self.margin / total, self.margin_scale], np.float64)


@kernel
def write_scores(state, scores):
    """Write every player's points: at the end of the game those there are, before it those to be expected.

    scores: [players] float64, filled
    """
    if is_over(state):
        for player in range(player_count(state)):
            scores[player] = score_of(state, player)
    else:
        for player in range(player_count(state)):
            scores[player] = estimate_score(state, player)


@kernel
def write_rewards(state, weights, scores, rewards):
    """Write every player's points and what they are worth.

    weights: [4] float64, from `Reward.weights`
    scores:  [players] float64, filled
    rewards: [players] float64, filled, each from 0 to 1
    """
    write_scores(state, scores)
    for player in range(player_count(state)):
        rewards[player] = reward_of(scores, weights, player, player_count(state))


@kernel
def reward_of(scores, weights, player, players):
    """Return what the points are worth to one player; alone at the table one is first and leads by all points."""
    better = 0
    equal = 0
    best_other = -np.inf
    for other in range(players):
        if other != player:
            better += scores[other] > scores[player]
            equal += scores[other] == scores[player]
            best_other = max(best_other, scores[other])
    if players == 1:
        return weights[WIN] + weights[RANK] + weights[MARGIN] * squash(scores[player] / weights[MARGIN_SCALE])
    win = 1.0 / (1 + equal) if better == 0 else 0.0
    rank = (players - (better + 1 + 0.5 * equal)) / (players - 1)
    margin = squash((scores[player] - best_other) / weights[MARGIN_SCALE])
    return weights[WIN] * win + weights[RANK] * rank + weights[MARGIN] * margin


@kernel
def squash(margin):
    """Return the logistic function of a number."""
    return 1.0 / (1.0 + math.exp(-margin))


@kernel
def make_paranoid(rewards, root_player, players):
    """Let every opponent of the root player want nothing but to harm that player; NOT_PARANOID changes nothing."""
    if root_player != NOT_PARANOID:
        for player in range(players):
            if player != root_player:
                rewards[player] = 1.0 - rewards[root_player]
