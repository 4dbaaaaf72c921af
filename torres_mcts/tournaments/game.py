"""One game between agents."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from torres_mcts.agents.agent import Agent
from torres_mcts.core.rng import seed_for
from torres_mcts.games.torres.position import Position
from torres_mcts.games.torres.rules import Rules
from torres_mcts.search.limits import Limit

DEAL_STREAM = 1
CHOICE_STREAM = 2


@dataclass(frozen=True)
class GameResult:
    """How a game ended; everything by seat."""

    scores: tuple[int, ...]
    seconds: tuple[float, ...]  # that each seat thought
    decisions: tuple[int, ...]  # times that each seat was asked


def play_game(
    agents: Sequence[Agent],
    rules: Rules,
    *,
    limit: Limit,
    seed: int,
    deal: int,
    see: Callable[[Position], None] | None = None,
) -> GameResult:
    """Play a game, agents[seat] on each seat.

    All chance is a function of the seed, the deal, and the seat and number of the decision, not of the agents: the
    same deal gives every line-up the same cards. A player with one legal action only is not asked.

    see: called with each position in which a player is asked
    """
    position = Position.new(rules, seed=seed_for(seed, DEAL_STREAM, deal))
    seconds, decisions = [0.0] * rules.players, [0] * rules.players
    while not position.is_over:
        actions: Sequence[str] = position.legal_actions()
        seat = int(position.state["to_move"])
        if len(actions) > 1:
            if see is not None:
                see(position)
            luck = seed_for(seed, CHOICE_STREAM, deal, seat, decisions[seat])
            started = time.monotonic()
            agent = agents[seat]
            actions = agent.engine.choose(position, limit=agent.limit(limit), seed=luck)
            seconds[seat] += time.monotonic() - started
            decisions[seat] += 1
        for action in actions:
            position = position.play(action)
    return GameResult(tuple(position.scores.values()), tuple(seconds), tuple(decisions))
