"""Games that were never played: rankings drawn from known strengths, with luck shared within a block."""

import numpy as np

from torres_mcts.tournaments.statistics.outcomes import Outcome

NAMES = "abcdefgh"


def draw_blocks(
    luck: np.random.Generator,
    strengths: np.ndarray,
    seats: np.ndarray,
    *,
    blocks: int,
    shared: float = 0.0,
    spread: int | None = None,
) -> list[Outcome]:
    """Draw blocks of agents rotated through all seats; the table is the first agents, or drawn anew for each block.

    An agent's luck in a game is a Gumbel number, so each single game follows Plackett-Luce exactly. With the chance
    `shared` it is the agent's luck in the whole block instead of fresh: the games of a block then depend on each other.

    spread: scores are rounded to so many steps a unit, which makes ties
    """
    agents, players = len(strengths), len(seats)
    outcomes = []
    for block in range(blocks):
        table = luck.permutation(agents)[:players]
        luck_of_block = luck.gumbel(size=players)
        for game in range(players):
            line = np.roll(np.arange(players), game)  # the member of the table on each seat
            fresh = luck.random(players) >= shared
            gumbel = np.where(fresh, luck.gumbel(size=players), luck_of_block)
            scores = strengths[table[line]] + seats + gumbel[line]
            if spread is not None:
                scores = np.round(scores * spread)
            outcomes.append(Outcome(block, tuple(NAMES[agent] for agent in table[line]), tuple(scores.tolist())))
    return outcomes


def separate_games(outcomes: list[Outcome]) -> list[Outcome]:
    """Return the same games as though each was a block of its own."""
    return [Outcome(number, outcome.agents, outcome.scores) for number, outcome in enumerate(outcomes)]
