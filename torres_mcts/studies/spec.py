"""What a study is: a question, base rules and variants of them, who plays, how much, and what is measured."""

from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from typing import Any

from torres_mcts import __version__
from torres_mcts.search.limits import Limit
from torres_mcts.studies.variants import Variant
from torres_mcts.tournaments.schedule import Lineup, rotate
from torres_mcts.tournaments.spec import Entrant, hash_of


@dataclass(frozen=True)
class Wanted:
    """A metric that is measured, and which of its values count."""

    metric: str
    pattern: str = "*"  # of their names, with * for anything

    @classmethod
    def read(cls, text: str) -> "Wanted":
        """Return what a text asks for.

        >>> Wanted.read("scores.*_mean"), Wanted.read("seats")
        (Wanted(metric='scores', pattern='*_mean'), Wanted(metric='seats', pattern='*'))
        """
        metric, dot, pattern = text.partition(".")
        return cls(metric, pattern if dot else "*")

    def __str__(self) -> str:
        return self.metric if self.pattern == "*" else f"{self.metric}.{self.pattern}"

    def covers(self, label: str) -> bool:
        """Tell whether a value counts."""
        return fnmatchcase(label, self.pattern)


@dataclass(frozen=True)
class Study:
    """A study that can be played."""

    name: str
    question: str
    base: Variant
    variants: tuple[Variant, ...]  # without the base
    entrants: tuple[Entrant, ...]  # by seat, in the first game of a block
    limit: Limit
    seed: int
    blocks: int
    wanted: tuple[Wanted, ...]
    margins: dict[Wanted, float]  # what counts as no effect
    counts_turns: bool = False  # some metric needs the number of distinct turns, which is counted as games are played

    @property
    def rule_sets(self) -> tuple[Variant, ...]:
        """All that is played, the base first."""
        return self.base, *self.variants

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that are measured, each once."""
        return tuple(dict.fromkeys(one.metric for one in self.wanted))

    @property
    def players(self) -> int:
        """The number of players."""
        return self.base.rules.players

    @property
    def tables(self) -> list[Lineup]:
        """Who sits where in each game of a block: every rotation that is not the same as one before."""
        lineup = tuple(entrant.name for entrant in self.entrants)
        return list(dict.fromkeys(rotate(lineup, rotation) for rotation in range(len(lineup))))

    @property
    def settings(self) -> dict[str, Any]:
        """All that decides how games go, but for the variants and the code of agents."""
        limit = {name: value for name, value in asdict(self.limit).items() if value is not None}
        agents = [entrant.text for entrant in self.entrants]
        rules = self.base.rules.to_dict()
        return {"version": __version__, "rules": rules, "agents": agents, "limit": limit, "seed": self.seed}

    def config_hash(self, variant: Variant) -> str:
        """Return a hash of all that decides the games of a rule set, whatever its name; so variants can be added."""
        settings = {**self.settings, "rules": variant.rules.to_dict()}
        settings |= {"counts_turns": True} if self.counts_turns else {}
        settings |= {"blank": variant.blank} if variant.blank is not None else {}
        return hash_of([settings, [entrant.hash for entrant in self.entrants]])

    @property
    def hash(self) -> str:
        """A hash of all that decides the games of the study; how many of them are played is no part of it."""
        return hash_of([[variant.name, self.config_hash(variant)] for variant in self.rule_sets])

    def margin_of(self, metric: str, label: str) -> float | None:
        """Return what counts as no effect on a value, the last that fits; None where nothing is said."""
        fitting = [margin for one, margin in self.margins.items() if one.metric == metric and one.covers(label)]
        return fitting[-1] if fitting else None
