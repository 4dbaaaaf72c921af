"""What an analysis goes by: how turns are listed and tried, and which engine is asked besides."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from torres_mcts import __version__
from torres_mcts.agents.engines import Engine, FlatEngine, TurnsEngine, make_engine
from torres_mcts.core.errors import TorresError
from torres_mcts.search.turns.trying import TurnEngine

CANDIDATES, STATE_LIMIT, SWEEPS = 96, 600_000, 16  # more than for play
STATES_PER_SECOND = 60_000  # of the time limit: a tenth to a fifth of it for listing
LEAST_STATES = 20_000
LAST_FACTOR = 5  # more states in the last turn of a game
WHOLE_STAGE = 64  # turns that no year exceeds


@dataclass(frozen=True)
class Settings:
    """What an analysis goes by."""

    name: str  # of the engine
    search: TurnEngine  # how turns are listed and tried
    chooser: Engine | None  # an engine whose choice is judged among them
    version: str = __version__

    def listing(self, seconds: float | None, *, is_last: bool) -> TurnEngine:
        """Return how turns are listed within a time limit; in the last turn of a game there is nothing else to do."""
        factor = LAST_FACTOR if is_last else 1
        most = factor * self.search.state_limit
        if seconds is not None:
            most = min(most, max(LEAST_STATES, int(factor * seconds * STATES_PER_SECOND)))
        return replace(self.search, state_limit=most, sweeps=factor * self.search.sweeps)

    def parameters(self) -> dict[str, Any]:
        """Return all parameters for a report."""
        own = {key: value for key, value in asdict(self.search).items() if key != "reward"}
        if self.chooser is None:
            return own
        return {**asdict(getattr(self.chooser, "search", self.chooser)), "judged_by": own}

    def words(self) -> str:
        """Say how far turns are played out, and what judges the rest."""
        search, parts = self.search, []
        until = "the end of the game" if search.horizon is None else "the end of the year"
        if search.reply_turns:
            most = "" if search.reply_turns >= WHOLE_STAGE else f", at the most {search.reply_turns}"
            parts.append(f"greedy turns of all players to {until}{most}")
        if search.rollout:
            parts.append(f"{'random play' if search.epsilon >= 1 else 'quick choices'} to {until}")
        followed = " and ".join(parts) or "nothing"
        text = f"each turn is followed by {followed}; the outlook fitted to self-play judges what is left"
        if self.chooser is not None:
            text += f"; {self.name} chose one of the turns with half of the limit"
        return text


def read_settings(name: str, parameters: Mapping[str, Any] | None, *, omniscient: bool) -> Settings:
    """Return the settings for an engine by name, with any of its parameters changed."""
    given = dict(parameters or {})
    engine = make_engine(name, **given)
    analysis = TurnEngine(candidates=CANDIDATES, state_limit=STATE_LIMIT, tries_all=True, sweeps=SWEEPS, rollout=False)
    if isinstance(engine, TurnsEngine):
        if "reward" in given:
            raise TorresError(f"engine {name}: reward decides nothing here; an analysis ranks by win probability")
        if isinstance(engine, FlatEngine):
            analysis = replace(
                FlatEngine().search, candidates=16, state_limit=STATE_LIMIT, tries_all=True, sweeps=SWEEPS
            )
        return Settings(name, replace(analysis, **given), None)
    if not engine.is_fair and not omniscient:
        raise TorresError(f"engine {name}: looks at hidden cards; allow that with omniscient, or choose another engine")
    return Settings(name, analysis, engine)
