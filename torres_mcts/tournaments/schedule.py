"""Which games a tournament has: line-ups of agents, each rotated through all seats on one deal after the other.

A block of a line-up is one deal, played once for each rotation. All line-ups play the same deals, so the statistics
must take all games of a block number for one observation; agents are compared on equal luck.
"""

from collections.abc import Iterator
from itertools import combinations, permutations

from torres_mcts.tournaments.spec import Spec

Lineup = tuple[str, ...]  # agents by name, as they sit in the first game of a block


def list_lineups(spec: Spec) -> list[Lineup]:
    """List the line-ups of a tournament.

    round-robin:   every pair; at tables of more than two, one of each against copies of the other
    gauntlet:      the first agent against copies of each other one
    free-for-all:  every choice of different agents
    """
    names, players = spec.names, spec.rules.players
    if spec.format == "free-for-all":
        return list(combinations(names, players))
    pairs = combinations(names, 2) if players == 2 else permutations(names, 2)
    lineups = [(one, *(other,) * (players - 1)) for one, other in pairs]
    return lineups if spec.format == "round-robin" else [lineup for lineup in lineups if lineup[0] == names[0]]


def rotate(lineup: Lineup, rotation: int) -> Lineup:
    """Return who sits where in a game of a block: everybody moves on one seat a game.

    >>> [rotate(("a", "b", "c"), rotation) for rotation in range(3)]
    [('a', 'b', 'c'), ('c', 'a', 'b'), ('b', 'c', 'a')]
    """
    return lineup[len(lineup) - rotation :] + lineup[: len(lineup) - rotation]


def list_blocks(spec: Spec) -> Iterator[tuple[Lineup, int]]:
    """List the blocks of a tournament in the order of play: every line-up on one deal, then on the next."""
    lineups = list_lineups(spec)
    for block in range(spec.blocks):
        for lineup in lineups:
            yield lineup, block
