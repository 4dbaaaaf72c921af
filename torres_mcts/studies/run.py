"""Play a study: go on where its store is, until every rule set has all its blocks.

Block by block all rule sets are played on the same deal, the base first, so that a study that is not at its end can be
compared as far as it has come. All luck is a function of the seed, the deal, the seat and the number of the decision:
rule sets differ in nothing else than their rules.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace

from torres_mcts.studies.log import GameLog, play_logged_game
from torres_mcts.studies.spec import Study
from torres_mcts.studies.store import PlayedBlock, StudyStore
from torres_mcts.studies.variants import Variant
from torres_mcts.tournaments.executors import Executor, new_executor
from torres_mcts.tournaments.game import warm_up


@dataclass(frozen=True)
class StudyBlock:
    """What is to be played: the games depend on nothing else."""

    study: Study
    variant: Variant
    number: int

    def __str__(self) -> str:
        return f"block {self.number} of {self.variant.name}"


@dataclass(frozen=True)
class Progress:
    """How far a study is."""

    games: int
    games_wanted: int
    forfeits: int
    blocks: int  # that all rule sets have
    blocks_wanted: int

    @property
    def is_over(self) -> bool:
        """Whether all blocks are played."""
        return self.games >= self.games_wanted


def play_study_block(block: StudyBlock) -> PlayedBlock:
    """Play a deal by one rule set, once for each way to sit; an agent that fails loses that game."""
    began = time.monotonic()
    logs = tuple(_play(block, rotation) for rotation in range(len(block.study.tables)))
    return PlayedBlock(block.variant.name, block.number, logs, time.monotonic() - began)


def _play(block: StudyBlock, rotation: int) -> GameLog:
    study = block.study
    entrants = {entrant.name: entrant for entrant in study.entrants}
    return play_logged_game(
        [entrants[name].agent() for name in study.tables[rotation]],
        block.variant.rules,
        limit=study.limit,
        seed=study.seed,
        deal=block.number,
        rotation=rotation,
        blank=block.variant.blank,
        count_turns=study.counts_turns,
    )


def warm_up_study(study: Study) -> None:
    """Compile or load what the agents of a study need."""
    warm_up([entrant.agent() for entrant in dict.fromkeys(study.entrants)], study.base.rules)


class Tally:
    """How far a study is, counted on with each block."""

    def __init__(self, study: Study, store: StudyStore) -> None:
        self.study = study
        once: dict[str, Variant] = {}
        for one in study.rule_sets:
            once.setdefault(study.config_hash(one), one)  # the same rules under two names are played once
        self.rule_sets = list(once.values())
        self.done: dict[str, set[int]] = {one.name: set() for one in self.rule_sets}
        self.shares: Counter[int] = Counter()  # how many rule sets have played a block
        self.blocks = self.forfeits = 0
        for one in self.rule_sets:
            for number, forfeits in store.done(study, one).items():
                if number < study.blocks:  # those beyond take no part
                    self._count(one.name, number, forfeits)

    def missing(self) -> Iterator[StudyBlock]:
        """List what is to be played: every rule set on one deal, the base first, then on the next."""
        common = replace(self.study, variants=(), wanted=(), margins={})  # all that a worker needs
        for number in range(self.study.blocks):
            for one in self.rule_sets:
                if number not in self.done[one.name]:
                    yield StudyBlock(common, one, number)

    def add(self, block: PlayedBlock) -> None:
        """Count a block."""
        self._count(block.variant, block.number, sum(log.forfeit is not None for log in block.logs))

    def _count(self, name: str, number: int, forfeits: int) -> None:
        self.done[name].add(number)
        self.shares[number] += 1
        self.blocks += self.shares[number] == len(self.rule_sets)
        self.forfeits += forfeits

    def progress(self) -> Progress:
        """Return how far the study is."""
        games = len(self.study.tables)
        return Progress(
            games=games * self.shares.total(),
            games_wanted=games * self.study.blocks * len(self.rule_sets),
            forfeits=self.forfeits,
            blocks=self.blocks,
            blocks_wanted=self.study.blocks,
        )


def run(
    study: Study,
    store: StudyStore,
    *,
    workers: int = 1,
    executor: Executor | None = None,
    see: Callable[[Progress], None] = lambda progress: None,
) -> Progress:
    """Play what is missing; each block is in the store before the next one counts.

    Games are stored in the order of play, so that the content of the store, but for times, depends neither on the
    number of workers nor on interruptions.

    see: called before the first block and after each
    """
    store.bind(study)
    tally = Tally(study, store)
    see(progress := tally.progress())
    if progress.is_over:
        return progress
    hashes = {one.name: study.config_hash(one) for one in tally.rule_sets}
    warm_up_study(study)  # compiled once, before workers would do it side by side
    if executor is None:
        executor = new_executor(workers, warm_up_study, study)
    with closing(executor.map(play_study_block, tally.missing())) as blocks:
        for played in blocks:
            store.add(hashes[played.variant], played)
            tally.add(played)
            see(progress := tally.progress())
    return progress
