"""The review of a game: what each turn lost against the best found, and what luck the draws brought.

Every turn is judged from its player's knowledge at the time, by the same analysis as `analyze`, with the turn played
among the candidates. A draw splits a turn, because what follows it is decided when the cards are known. The luck of a
draw compares the same turn in worlds with the cards that came and in worlds with any that might have come, so on
average over the draws it is zero. With an iteration limit the review is the same for any number of threads.
"""

import math
import time as clock
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from torres_mcts.analysis.analyze import Study
from torres_mcts.analysis.answer.candidates import has_ended, read_turn
from torres_mcts.analysis.answer.estimates import DIGITS, estimate, make_estimate, usual_scale
from torres_mcts.analysis.answer.hidden import Knowledge, find_player
from torres_mcts.analysis.answer.luck import measure_luck
from torres_mcts.analysis.answer.settings import Settings, read_settings
from torres_mcts.analysis.answer.trials import Trials
from torres_mcts.analysis.answer.words import say_turn
from torres_mcts.analysis.answer.writing import limit_to_dict
from torres_mcts.analysis.report import Estimate
from torres_mcts.analysis.review_report import PlayerSum, Result, Review, ReviewEngine, ReviewTurn, TurnPart, Worth
from torres_mcts.core.errors import TorresError
from torres_mcts.games.torres.format.encode import SETUP
from torres_mcts.games.torres.position import Position
from torres_mcts.games.torres.record import GameRecord
from torres_mcts.search.limits import Limit
from torres_mcts.search.turns.sampling import Sampler

PARAMETERS = {"candidates": 32, "state_limit": 60_000}  # there are many turns to be judged
COSTLIEST = 3
WARM_UP = 24  # iterations that call every kernel

See = Callable[[int, int], None]


class Piece(NamedTuple):
    """A part of a turn, as the record has it."""

    turn: int  # number of the turn, from 1
    at: int  # actions before it
    actions: tuple[str, ...]
    position: Position  # before it, everything known
    draws: bool
    status: Literal["judged", "forced", "set-up"]


@dataclass(frozen=True)
class Job:
    """What all parts are judged by."""

    record: GameRecord
    limit: Limit
    settings: Settings
    seed: int
    threads: int
    should_stop: Callable[[], bool] | None


class Verdict(NamedTuple):
    """What was found of a part."""

    part: TurnPart
    wins: dict[str, Estimate]
    iterations: int


def review(
    record: GameRecord,
    limit: Limit,
    *,
    seed: int = 0,
    threads: int = 1,
    player: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    source: str | None = None,
    should_stop: Callable[[], bool] | None = None,
    see: See | None = None,
) -> Review:
    """Review a game.

    limit:       of each part of a turn
    player:      judge the turns of this player alone
    should_stop: asked now and then whether to end early; the turns judged until then are reported
    see:         called with the number of parts judged, and how many there are

    >>> record = GameRecord.load("examples/games/game-2017-two-players.json")
    >>> start = replace(record, actions=record.actions[:4], scores=None)
    >>> [turn.status for turn in review(start, Limit(iterations=24)).turns]
    ['set-up', 'set-up', 'set-up']
    """
    started = clock.monotonic()
    for name, number, least in (("threads", threads, 1), ("seed", seed, 0)):
        if isinstance(number, bool) or not isinstance(number, int) or number < least:
            raise TorresError(f"{name}: expected a whole number of at least {least}, not {number!r}")
    only = None if player is None else find_player(record.position, player, "player")
    final = record.replay().final
    if not record.position.is_known:
        raise TorresError("the record hides cards, so it cannot be replayed from each player's view; give all of them")
    pieces = [piece for piece in split(record) if only in (None, piece.position.to_move)]
    settings = read_settings("turns", {**PARAMETERS, **(parameters or {})}, omniscient=False)
    job = Job(record, limit, settings, seed, threads, should_stop)
    verdicts = judge_all(job, pieces, see)
    whole = count_whole(pieces, len(verdicts))
    turns = write_turns(pieces[:whole], verdicts[:whole])
    shares = {name: (1 / len(final.winners) if name in final.winners else 0.0) for name in final.names}
    return Review(
        schema="torres-review/1",
        source=source,
        rules=final.rules.to_dict(),
        players=list(final.names),
        only=only,
        engine=ReviewEngine(
            name=settings.name,
            version=settings.version,
            parameters=settings.parameters(),
            seed=seed,
            threads=threads,
            limit=limit_to_dict(limit),
            iterations=sum(verdict.iterations for verdict in verdicts[:whole]),
            seconds=round(clock.monotonic() - started, 3),
            playouts=settings.words(),
        ),
        interrupted=len(verdicts) < len(pieces),
        turns=turns,
        costliest=find_costliest(turns),
        sums=[sum_up(name, turns) for name in final.names if only in (None, name)],
        result=Result(is_over=final.is_over, scores=final.scores, wins=shares if final.is_over else None),
    )


# The parts of a record.


def split(record: GameRecord) -> Iterator[Piece]:
    """Yield the turns of a record, split after every draw; a part that the record breaks off is left out."""
    here, turn = record.position, 1
    start, first = here, 0
    is_forced = True
    for index, action in enumerate(record.actions):
        is_forced = is_forced and len(here.legal_numbers) == 1
        after, draws, ends = here.play(action), action == "buy", has_ended(here, action)
        if draws or ends:
            status: Literal["judged", "forced", "set-up"] = "forced" if is_forced else "judged"
            if start.phase in SETUP:
                status = "set-up"
            yield Piece(turn, first, record.actions[first : index + 1], start, draws, status)
            turn += ends
            start, first, is_forced = after, index + 1, True
        here = after


def count_whole(pieces: Sequence[Piece], judged: int) -> int:
    """Return how many of the parts judged belong to turns that were judged to their end."""
    while 0 < judged < len(pieces) and pieces[judged - 1].turn == pieces[judged].turn:
        judged -= 1
    return judged


# Judging.


def judge_all(job: Job, pieces: Sequence[Piece], see: See | None) -> list[Verdict]:
    """Judge one part after the other until there are no more, or an end is asked for."""
    to_judge = [piece for piece in pieces if piece.status != "set-up"]  # forced ones for the curve
    if job.limit.time is not None and to_judge:  # what has to be compiled does not count
        judge(replace(job, limit=Limit(iterations=WARM_UP)), to_judge[0])
    verdicts: list[Verdict] = []
    done = 0
    if see is not None:
        see(0, len(to_judge))
    for piece in pieces:
        if piece.status != "set-up":
            found = judge(job, piece)
            done += 1
        else:
            found = Verdict(plain_part(piece), {}, 0)
        if job.should_stop is not None and job.should_stop():
            break
        verdicts.append(found)
        if see is not None:
            see(done, len(to_judge))
    return verdicts


def plain_part(piece: Piece) -> TurnPart:
    """Describe a part without judging it."""
    view = piece.position.view(str(piece.position.to_move))
    words, _, _ = say_turn(view, list(piece.actions))
    return TurnPart(at=piece.at, actions=list(piece.actions), words=words, status=piece.status, draws=piece.draws)


def judge(job: Job, piece: Piece) -> Verdict:
    """Compare what was played with the best that can be found, knowing what its player knew."""
    started = clock.monotonic()
    player = str(piece.position.to_move)
    before = replace(job.record, actions=job.record.actions[: piece.at], scores=None, final=None)
    knowledge = Knowledge(piece.position, seed=job.seed, viewpoint=player, record=before)
    asked = replace(read_turn(knowledge.view, piece.actions), asked=True)
    search = job.settings.search
    with Sampler(knowledge.view.state_array, search, seed=job.seed, threads=job.threads) as sampler:
        trials = Trials(knowledge, sampler)
        study = Study(knowledge, trials, job.settings, job.limit, started, job.should_stop, 1, None, [asked])
        *_, report = study.run(seed=job.seed, threads=job.threads)
        played = next(turn for turn in report.turns if turn.asked)
        index = next(one for one, candidate in enumerate(trials.candidates) if candidate.asked)
        found = trials.prospects(index)
    luck = None
    if piece.draws and not study.watch.is_interrupted():
        luck = measure_luck(knowledge, piece.position, asked, search, limit=job.limit, threads=job.threads)
    best = report.turns[0]
    scale = usual_scale(list(found.wins.T))
    wins = {
        name: estimate(found.wins[:, seat], 0.0, 1.0, scale=scale, exact=study.exact)
        for seat, name in enumerate(piece.position.names)
    }
    is_forced = piece.status == "forced" or report.engine.stopped_by == "forced"
    part = plain_part(piece).model_copy(
        update={
            "status": "forced" if is_forced else "judged",
            "win": played.win,
            "margin": played.margin,
            "loss": Worth(win=played.win_behind_best, margin=played.margin_behind_best),
            "luck": luck,
            "best": best.actions,
            "best_words": best.words,
            "best_probability": played.best_probability,
            "considered": report.root.considered,
            "stopped_by": report.engine.stopped_by,
            "position": report.position,
        }
    )
    return Verdict(part, wins, report.engine.iterations)


# Summing up.


def write_turns(pieces: Sequence[Piece], verdicts: Sequence[Verdict]) -> list[ReviewTurn]:
    """Put the parts of each turn together."""
    groups: dict[int, list[tuple[Piece, Verdict]]] = {}
    for piece, verdict in zip(pieces, verdicts, strict=True):
        groups.setdefault(piece.turn, []).append((piece, verdict))
    return [write_turn(number, group) for number, group in groups.items()]


def write_turn(number: int, group: Sequence[tuple[Piece, Verdict]]) -> ReviewTurn:
    """Describe a turn by its parts."""
    start, parts = group[0][0].position, [verdict.part for _, verdict in group]
    kinds = [part.status for part in parts]
    return ReviewTurn(
        number=number,
        player=str(start.to_move),
        year=int(start.state["year"]),
        round=int(start.state["round"]),
        phase=start.phase,
        status="judged" if "judged" in kinds else kinds[0],
        parts=parts,
        loss=add_worths([part.loss for part in parts if part.status == "judged"]),
        luck=add_worths([part.luck for part in parts]),
        wins=group[-1][1].wins or None,
    )


def add_worths(worths: Sequence[Worth | None]) -> Worth | None:
    """Add up differences that were measured apart; None if there is none."""
    known = [worth for worth in worths if worth is not None]
    if not known:
        return None
    return Worth(win=add([worth.win for worth in known]), margin=add([worth.margin for worth in known]))


def add(estimates: Sequence[Estimate]) -> Estimate:
    """Return the sum of estimates that have nothing to do with each other; of a single one itself.

    >>> some = Estimate(mean=1, se=3, ci95=(-5, 7), n=99), Estimate(mean=2, se=4, ci95=(-6, 10), n=99)
    >>> add(some).mean, add(some).se
    (3.0, 5.0)
    """
    if len(estimates) == 1:
        return estimates[0]
    mean, se = sum(one.mean for one in estimates), math.hypot(*(one.se for one in estimates))
    uncertain = [one for one in estimates if one.se > 0]
    count = min(one.n for one in uncertain or estimates)
    if not uncertain:
        return make_estimate(round(mean, DIGITS), 0.0, count, exact=True)
    reach = math.hypot(*((one.ci95[1] - one.ci95[0]) / 2 for one in uncertain))  # each by its own quantile
    ends = (round(mean - reach, DIGITS), round(mean + reach, DIGITS))
    return Estimate(mean=round(mean, DIGITS), se=round(se, DIGITS), ci95=ends, n=count)


def find_costliest(turns: Sequence[ReviewTurn]) -> list[int]:
    """Return the numbers of the turns that lost most, those that lost nothing left out."""
    lossy = [turn for turn in turns if turn.loss is not None and (turn.loss.win.mean > 0 or turn.loss.margin.mean > 0)]
    order = sorted(lossy, key=lambda turn: (-turn.loss.win.mean, -turn.loss.margin.mean))  # type: ignore[union-attr]
    return [turn.number for turn in order[:COSTLIEST]]


def sum_up(player: str, turns: Sequence[ReviewTurn]) -> PlayerSum:
    """Add up the turns of a player."""
    own = [turn for turn in turns if turn.player == player and turn.status == "judged"]
    return PlayerSum(
        player=player,
        turns=len(own),
        draws=sum(part.luck is not None for turn in own for part in turn.parts),
        loss=add_worths([turn.loss for turn in own]),
        luck=add_worths([turn.luck for turn in own]),
    )
