"""One game between agents."""

import re
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from torres_mcts.agents.agent import Agent
from torres_mcts.agents.own.process import AgentChanged, AgentFault
from torres_mcts.core.errors import IllegalAction, TorresError, printable
from torres_mcts.core.rng import seed_for
from torres_mcts.games.torres.position import Position
from torres_mcts.games.torres.rules import Rules
from torres_mcts.search.limits import Limit

DEAL_STREAM = 1
CHOICE_STREAM = 2
ERROR_LENGTH = 300
WARM_UP = Limit(iterations=64)


@dataclass(frozen=True)
class GameResult:
    """How a game ended; everything by seat."""

    scores: tuple[int, ...]
    seconds: tuple[float, ...]  # that each seat thought
    decisions: tuple[int, ...]  # times that each seat was asked


@dataclass(frozen=True)
class Forfeit:
    """Who could not play on, and why."""

    seat: int
    error: str  # one line
    seed: int  # of the choice that failed


class AgentError(TorresError):
    """An agent crashed or played illegally; with the game up to there."""

    def __init__(self, forfeit: Forfeit, result: GameResult) -> None:
        super().__init__(forfeit, result)
        self.forfeit, self.result = forfeit, result

    def __str__(self) -> str:
        return f"seat {self.forfeit.seat}, seed {self.forfeit.seed}: {self.forfeit.error}"


def play_game(
    agents: Sequence[Agent],
    rules: Rules,
    *,
    limit: Limit,
    seed: int,
    deal: int,
    see: Callable[[Position], None] | None = None,
    played: list[str] | None = None,
    start: Position | None = None,
) -> GameResult:
    """Play a game, agents[seat] on each seat.

    All chance is a function of the seed, the deal, and the seat and number of the decision, not of the agents: the
    same deal gives every line-up the same cards. A player with one legal action only is not asked. An agent that
    crashes or plays illegally raises AgentError.

    see:    called with each position in which a player is asked
    played: gets all actions, up to a turn that fails
    start:  the position to begin with instead of that of the deal
    """
    position = Position.new(rules, seed=deal_seed(seed, deal)) if start is None else start
    played = [] if played is None else played
    seconds, decisions = [0.0] * rules.players, [0] * rules.players

    def result() -> GameResult:
        return GameResult(tuple(position.scores.values()), tuple(seconds), tuple(decisions))

    while not position.is_over:
        actions = position.legal_actions()
        if len(actions) == 1:
            position = position.play(actions[0])
            played += actions
            continue
        if see is not None:
            see(position)
        seat = int(position.state["to_move"])
        luck = seed_for(seed, CHOICE_STREAM, deal, seat, decisions[seat])
        started = time.monotonic()
        agent = agents[seat]
        try:
            chosen = agent.engine.choose(position, limit=agent.limit(limit), seed=luck)
            seconds[seat] += time.monotonic() - started
            decisions[seat] += 1
            chosen = tuple(chosen)
            position = play_turn(position, chosen)
            played += chosen
        except AgentChanged:  # this is not the agent's doing
            raise
        except (Exception, SystemExit) as error:  # whatever an agent can do
            raise AgentError(Forfeit(seat, describe_fault(error), luck), result()) from error
    return result()


def deal_seed(seed: int, deal: int) -> int:
    """Return the seed of the cards of a deal."""
    return seed_for(seed, DEAL_STREAM, deal)


def play_turn(position: Position, actions: Sequence[str]) -> Position:
    """Return the position after what a player chose; one action at least, none of another player's."""
    player = position.to_move
    if not actions:
        raise IllegalAction("no action was chosen")
    for action in actions:
        if position.to_move != player:
            raise IllegalAction(f"{action}: the turn is over")
        position = position.play(action)
    return position


def describe_fault(error: BaseException) -> str:
    """Say on one line what an agent did wrong, the same in every process.

    >>> describe_fault(KeyError(object()))
    'KeyError: <object object at 0x...>'
    """
    fault = str(error) if isinstance(error, AgentFault) else f"{type(error).__name__}: {error}"
    text = re.sub("0x[0-9a-f]+", "0x...", fault)
    return printable(text)[:ERROR_LENGTH]


def warm_up(agents: Iterable[Agent], rules: Rules) -> None:
    """Compile or load what agents need, so that no thinking time goes into it; what fails will fail in a game."""
    position = Position.new(rules, seed=0)
    while position.phase != "turn":
        position = position.play(position.legal_actions()[0])
    for agent in agents:
        with suppress(Exception, SystemExit):
            agent.engine.prepare(position, WARM_UP)
