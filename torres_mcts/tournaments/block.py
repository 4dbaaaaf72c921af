"""A block of a tournament: one line-up on one deal, rotated through all seats. It is what a worker does at a time."""

from dataclasses import dataclass, field

from torres_mcts.tournaments.game import AgentError, Forfeit, GameResult, play_game, warm_up
from torres_mcts.tournaments.schedule import Lineup, rotate
from torres_mcts.tournaments.spec import Spec
from torres_mcts.tournaments.statistics.outcomes import Outcome


@dataclass(frozen=True)
class PlayedGame:
    """A game of a tournament."""

    lineup: Lineup
    block: int
    rotation: int  # seats that everybody has moved on
    result: GameResult
    forfeit: Forfeit | None = None  # ended the game, which its agent has lost
    actions: tuple[str, ...] = field(default=(), compare=False, repr=False)  # not read with many games, for their size

    @property
    def id(self) -> str:
        """The game's name in its tournament: the deal and the agents by seat, which no other game has both.

        >>> PlayedGame(("a", "b", "b"), 12, 1, GameResult((), (), ())).id
        '12:b:a:b'
        """
        return ":".join([str(self.block), *self.agents])

    @property
    def agents(self) -> Lineup:
        """The agents by seat."""
        return rotate(self.lineup, self.rotation)

    @property
    def outcome(self) -> Outcome:
        """The game as the statistics read it."""
        forfeits = frozenset() if self.forfeit is None else frozenset([self.forfeit.seat])
        return Outcome(self.block, self.agents, self.result.scores, forfeits)


@dataclass(frozen=True)
class Block:
    """What is to be played: the games depend on nothing else."""

    spec: Spec
    lineup: Lineup
    number: int

    def __str__(self) -> str:
        return f"block {self.number} of {' '.join(self.lineup)}"


def play_block(block: Block) -> list[PlayedGame]:
    """Play a deal once for each rotation; an agent that fails loses that game."""
    return [_play(block, rotation) for rotation in range(len(block.lineup))]


def _play(block: Block, rotation: int) -> PlayedGame:
    spec = block.spec
    agents = [spec.agent_of(name) for name in rotate(block.lineup, rotation)]
    played: list[str] = []
    forfeit = None
    try:
        result = play_game(agents, spec.rules, limit=spec.limit, seed=spec.seed, deal=block.number, played=played)
    except AgentError as fault:
        result, forfeit = fault.result, fault.forfeit
    return PlayedGame(block.lineup, block.number, rotation, result, forfeit, tuple(played))


def warm_up_all(spec: Spec) -> None:
    """Compile or load what the agents of a tournament need."""
    warm_up([entrant.agent() for entrant in spec.entrants], spec.rules)
