"""The analysis of a position: the best turns with what they are worth, how everybody stands, what is hidden.

The turns of the player to move are listed, the best by static value are tried in the same dealt worlds with the same
luck, the worse half dropped round by round, and the outlook turns where each leads into win probabilities. With an
iteration limit the report is the same for any number of threads, times aside.
"""

import json
import time as clock
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict, Unpack, cast

from torres_mcts.agents.engines import Engine
from torres_mcts.analysis.answer.candidates import Candidate, Listing, let_engine_choose, list_candidates, read_turn
from torres_mcts.analysis.answer.hidden import Knowledge, Known, find_player
from torres_mcts.analysis.answer.proof import is_last_turn, prove
from torres_mcts.analysis.answer.settings import Settings, read_settings
from torres_mcts.analysis.answer.trials import Clock, Trials, run_rounds
from torres_mcts.analysis.answer.warnings import list_warnings
from torres_mcts.analysis.answer.writing import draw_maps, limit_to_dict, rules_hash, write_root, write_turns
from torres_mcts.analysis.report import EngineInfo, Maps, Report
from torres_mcts.core.errors import TorresError
from torres_mcts.games.torres import verbs  # noqa: F401 (teaches the search this game)
from torres_mcts.games.torres.position import Position
from torres_mcts.games.torres.record import GameRecord
from torres_mcts.search.limits import Limit
from torres_mcts.search.turns.sampling import Sampler

QUICK_WIDTH, QUICK_CANDIDATES, QUICK_WORLDS = 32, 12, 2  # of the first report
TRIALS_EACH = 12  # that the limit allows each candidate, on average
REPORT_SECONDS = 1.0  # between reports
CLOSING_SHARE, CLOSING_SECONDS = 0.1, 1.0  # of the time, and at the most: for variations and maps
MAP_WORLDS, QUICK_MAP_WORLDS = 16, 2
AUDIT_ITERATIONS = 2000
TIMES = ("seconds", "iterations_per_second", "threads")


class Options(TypedDict, total=False):
    """What `analyze_steps` takes."""

    seed: int
    threads: int
    top: int
    turns: Sequence[Sequence[str]]
    viewpoint: str | None
    omniscient: bool
    known: Known | None
    engine: str
    parameters: Mapping[str, Any] | None
    record: GameRecord | None
    source: str | None
    should_stop: Callable[[], bool] | None


def analyze(position: Position, limit: Limit, **options: Unpack[Options]) -> Report:
    """Analyse a position; the options are those of `analyze_steps`.

    >>> report = analyze(Position.load("examples/positions/last-turn.json"), Limit(iterations=64), top=1)
    >>> report.root.player, len(report.turns)
    ('red', 1)
    """
    *_, last = analyze_steps(position, limit, **options)
    return last


def analyze_steps(
    position: Position,
    limit: Limit,
    *,
    seed: int = 0,
    threads: int = 1,
    top: int = 5,
    turns: Sequence[Sequence[str]] = (),
    viewpoint: str | None = None,
    omniscient: bool = False,
    known: Known | None = None,
    engine: str = "turns",
    parameters: Mapping[str, Any] | None = None,
    record: GameRecord | None = None,
    source: str | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Iterator[Report]:
    """Yield better and better reports of a position, the last one final.

    turns:       turns to be judged whatever comes, each as actions
    viewpoint:   the player whose knowledge is used; that of the position if left out
    omniscient:  use all cards that the position shows
    known:       cards that opponents are taken to hold, by name
    record:      the game that the position is from: its plays tell what hands are likely
    should_stop: asked now and then whether to end early
    """
    started = clock.monotonic()
    if position.is_over:
        raise TorresError("the game is over: there is nothing to analyse")
    for name, number, least in (("threads", threads, 1), ("top", top, 1), ("seed", seed, 0)):
        if isinstance(number, bool) or not isinstance(number, int) or number < least:
            raise TorresError(f"{name}: expected a whole number of at least {least}, not {number!r}")
    settings = read_settings(engine, parameters, omniscient=omniscient)
    knowledge = Knowledge(position, seed=seed, viewpoint=viewpoint, omniscient=omniscient, known=known, record=record)
    if not knowledge.view.legal_numbers:
        raise TorresError(
            f"viewpoint: {knowledge.observer} does not see the drawn cards that {position.to_move} chooses from; "
            "take another viewpoint"
        )
    asked = [replace(read_turn(knowledge.view, turn), asked=True) for turn in turns]
    with Sampler(knowledge.view.state_array, settings.search, seed=seed, threads=threads) as sampler:
        study = Study(knowledge, Trials(knowledge, sampler), settings, limit, started, should_stop, top, source, asked)
        yield from study.run(seed=seed, threads=threads)


class Study:
    """An analysis under way."""

    def __init__(
        self,
        knowledge: Knowledge,
        trials: Trials,
        settings: Settings,
        limit: Limit,
        started: float,
        should_stop: Callable[[], bool] | None,
        top: int,
        source: str | None,
        asked: list[Candidate],
    ) -> None:
        self.knowledge, self.trials, self.settings, self.limit = knowledge, trials, settings, limit
        self.top, self.source, self.asked = top, source, asked
        closing = 0.0 if limit.time is None else min(CLOSING_SHARE * limit.time, CLOSING_SECONDS)
        self.watch = Clock(
            limit if limit.time is None else replace(limit, time=limit.time - closing), started, should_stop
        )
        self.listing = Listing([], 0, False)
        self.proved = False  # that the turns listed are the best
        self.exact = is_last_turn(knowledge.view)  # each turn leads to a known result
        self.maps: dict[int, Maps] = {}
        self.trial_seconds = 0.0  # that a turn in a world took

    def run(self, *, seed: int, threads: int) -> Iterator[Report]:
        """Run the analysis; yield reports."""
        self.seed, self.threads = seed, threads
        self.start()
        if not self.is_settled():
            yield self.report()
            self.widen()
            last = self.watch.seconds
            for _ in self.rounds():
                if self.watch.seconds - last > REPORT_SECONDS and self.watch.stopped_by is None:
                    yield self.report()
                    last = self.watch.seconds
        yield self.report(is_final=True)

    def start(self) -> None:
        """Try the turns that a quick beam finds, or all that are proved to be the best."""
        search = self.settings.search
        solved = None
        if self.settings.chooser is None:  # else its choice is to be judged too
            solved = prove(self.knowledge.view, top=max(self.top, 2), seconds=self.limit.time)
        if solved is not None:
            self.listing, self.proved = solved, True
        else:
            states = min(search.state_limit, 300_000)
            self.listing = list_candidates(
                self.knowledge.view,
                most=min(QUICK_CANDIDATES, self.most_candidates()),
                plan_share=search.plan_share,
                state_limit=states,
                width=min(QUICK_WIDTH, search.beam_width),
                sweeps=1,
                tries_all=False,
            )
        self.trials.add([*self.listing.best, *self.asked])
        self.trials.open_books()
        before = self.watch.seconds
        self.trials.try_up_to(list(range(len(self.trials.candidates))), QUICK_WORLDS)
        self.trial_seconds = (self.watch.seconds - before) / max(1, self.trials.iterations)

    def most_candidates(self) -> int:
        """Return how many turns may be compared: with few iterations few, and with little time for them."""
        most, iterations = self.settings.search.candidates, self.limit.iterations
        if self.watch.limit.time is not None and self.trial_seconds > 0:
            affordable = int((self.watch.limit.time - self.watch.seconds) / self.trial_seconds)
            iterations = affordable if iterations is None else min(iterations, affordable)
        return most if iterations is None else max(2, min(most, iterations // TRIALS_EACH))

    def is_settled(self) -> bool:
        """Tell whether there is nothing to compare."""
        if self.proved:
            self.watch.stopped_by = "proved"
        elif self.listing.exhaustive and self.listing.turn_count == 1:
            self.watch.stopped_by = "forced"
            worlds = 32 if self.limit.iterations is None else max(QUICK_WORLDS, min(32, self.limit.iterations))
            self.trials.try_up_to([0], worlds)
        else:
            self.watch.is_interrupted()
        return self.watch.stopped_by is not None

    def widen(self) -> None:
        """List all turns, or as many as there is room for, and take the best of them in; let another engine choose."""
        search = self.settings.listing(self.limit.time, is_last=self.exact)
        self.listing = list_candidates(
            self.knowledge.view,
            most=self.most_candidates(),
            plan_share=search.plan_share,
            state_limit=search.state_limit,
            width=search.beam_width,
            sweeps=search.sweeps,
            tries_all=search.tries_all,
        )
        self.trials.add(self.listing.best)
        chooser: Engine | None = self.settings.chooser
        if chooser is not None and not self.watch.is_interrupted():
            share = replace(
                self.limit,
                time=None if self.limit.time is None else self.limit.time / 2,
                iterations=None if self.limit.iterations is None else max(1, self.limit.iterations // 2),
                confidence=None,
            )
            chosen = let_engine_choose(chooser, self.knowledge.view, limit=share, seed=self.seed, threads=self.threads)
            self.trials.add([chosen])

    def rounds(self) -> Iterator[None]:
        """Compare the candidates; at the end of the game nothing is left to chance, so there no world tells more."""
        count = len(self.trials.candidates)
        if self.exact:
            self.trials.try_up_to(list(range(count)), QUICK_WORLDS)
            self.proved = self.listing.exhaustive
            self.watch.stopped_by = "proved" if self.proved else "listed"
            return
        finalists = max(2, min(self.top, 5)) if self.settings.search.halving else count
        yield from run_rounds(self.trials, self.watch, finalists=min(finalists, count))

    def report(self, *, is_final: bool = False) -> Report:
        """Write the report of what is known so far."""
        knowledge, trials = self.knowledge, self.trials
        best = trials.ranked()[0]
        turns = write_turns(knowledge, trials, top=self.top, proved=self.proved, exact=self.exact, variations=is_final)
        if is_final or best not in self.maps:
            self.maps[best] = draw_maps(knowledge, trials, best, MAP_WORLDS if is_final else QUICK_MAP_WORLDS)
        root = write_root(
            knowledge,
            trials,
            best,
            turn_count=self.listing.turn_count,
            exhaustive=self.listing.exhaustive,
            exact=self.exact,
        )
        hidden = knowledge.describe(trials.finalist_wins())
        found = list_warnings(knowledge, self.settings, root, turns, exact=self.exact, stopped_by=self.watch.stopped_by)
        return Report(
            schema="torres-analysis/1",
            source=self.source,
            position=knowledge.view.to_dict(),
            engine=self.engine_info(),
            root=root,
            hidden=hidden,
            turns=turns,
            maps=self.maps[best],
            warnings=found,
        )

    def engine_info(self) -> EngineInfo:
        """Say how the answer was found."""
        seconds = self.watch.seconds
        return EngineInfo(
            name=self.settings.name,
            version=self.settings.version,
            parameters=self.settings.parameters(),
            rules=self.knowledge.view.rules.to_dict(),
            rules_hash=rules_hash(self.knowledge.view.rules),
            seed=self.seed,
            threads=self.threads,
            limit=limit_to_dict(self.limit),
            stopped_by=cast(Any, self.watch.stopped_by or "running"),
            iterations=self.trials.iterations,
            seconds=round(seconds, 3),
            iterations_per_second=round(self.trials.iterations / max(seconds, 1e-9), 1),
            playouts=self.settings.words(),
        )


def without_times(report: Report) -> str:
    """Return a report as JSON without what may differ between equal analyses: times and the number of threads."""
    data = report.model_dump(mode="json", by_alias=True, exclude={"audit"})
    for key in TIMES:
        data["engine"].pop(key)
    return json.dumps(data, sort_keys=True)


def audit(position: Position, limit: Limit, *, permutations: int = 3, **options: Unpack[Options]) -> Report:
    """Analyse a position, and again with the hidden cards dealt anew; `audit` of the report says what changed.

    The repetitions have an iteration limit, because time is never the same twice. The options are those of
    `analyze_steps`; a record stays as it is.
    """
    if options.get("omniscient"):
        raise TorresError(
            "audit: omniscient uses the hidden cards, so there is nothing to audit; leave out one of the two"
        )
    report = analyze(position, limit, **options)
    iterations = limit.iterations or min(AUDIT_ITERATIONS, max(100, report.engine.iterations))
    again = Limit(iterations=iterations, confidence=limit.confidence)
    base = report if limit == again else analyze(position, again, **options)
    observer = find_player(position, str(options.get("viewpoint") or position.viewpoint), "viewpoint")
    seen, seat = position.view(observer), position.names.index(observer)
    changed, hands = [], set()
    for number in range(permutations):
        states = seen.determinize(number + 1).state_array
        states["rules"]["master_card"] = seen.state["rules"]["master_card"]  # one still to be drawn is no hidden card
        other = Position(states, seen.rules, seen.names, seat)
        hands.add(json.dumps([player["hand"] for player in other.to_dict()["players"]]))
        if without_times(analyze(other, again, **options)) != without_times(base):
            changed.append(number + 1)
    found = {
        "permutations": permutations,
        "different_deals": len(hands),
        "iterations": iterations,
        "viewpoint": observer,
        "changed": changed,
        "clean": not changed,
    }
    return report.model_copy(update={"audit": found})
