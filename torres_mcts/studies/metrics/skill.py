"""Skill: what more thinking brings."""

import math
from itertools import combinations

from torres_mcts.studies.metrics.metric import Blocks, Values, games_of, metric
from torres_mcts.tournaments.statistics.outcomes import duel_points


@metric(
    "Skill depth",
    unit="duel points a doubling",
    definition="What a doubling of the search budget is worth: over all pairs of players with the same agent and"
    " different budgets, the slope, through the origin, of the duel points (1 ahead, 1/2 tie, 0 behind) less 1/2 on"
    " the log2 of the ratio of their budgets. For each agent, by its text without the budget; needs tables where"
    " budgets meet.",
)
def skill_depth(blocks: Blocks) -> Values:
    """Return a value for each agent that played with several budgets."""
    sums: dict[str, tuple[float, float]] = {}
    for game in games_of(blocks):
        for one, other in combinations(range(game.players), 2):
            mine, theirs = game.budgets[one], game.budgets[other]
            if mine is None or theirs is None or mine[:2] != theirs[:2] or mine[2] == theirs[2]:
                continue
            doublings = math.log2(mine[2] / theirs[2])
            above = duel_points(game.scores[one], game.scores[other]) - 0.5
            products, squares = sums.get(mine[0], (0.0, 0.0))
            sums[mine[0]] = products + doublings * above, squares + doublings**2
    return {agent: products / squares for agent, (products, squares) in sorted(sums.items())}
