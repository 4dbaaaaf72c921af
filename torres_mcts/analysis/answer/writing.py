"""Writing the report of an analysis from what was sampled."""

import hashlib
import math
from dataclasses import asdict, fields
from typing import Any

import numpy as np

from torres_mcts.agents.engines import make_engine
from torres_mcts.analysis.answer.candidates import has_ended, texts_of
from torres_mcts.analysis.answer.estimates import DIGITS, best_chances, estimate, spread, usual_scale
from torres_mcts.analysis.answer.hidden import Knowledge
from torres_mcts.analysis.answer.trials import Trials
from torres_mcts.analysis.answer.words import say_turn
from torres_mcts.analysis.report import Estimate, Maps, PlayerOutlook, Root, Step, Turn
from torres_mcts.core.files import to_json
from torres_mcts.games.torres.rules import Rules
from torres_mcts.search.limits import Limit

VARIATION_WIDTH, VARIATION_SWEEPS = 16, 2  # of the beam that plays the following turns
MAP_WIDTH, MAP_SWEEPS = 4, 1
TIE_BREAK = 1e-6  # of a win for a point


def rules_hash(rules: Rules) -> str:
    """Return a short hash of everything that the rules say."""
    full = {field.name: getattr(rules, field.name) for field in fields(rules)}
    return hashlib.blake2b(to_json(full).encode(), digest_size=8).hexdigest()


def limit_to_dict(limit: Limit) -> dict[str, Any]:
    """Return the limits that were asked for."""
    return {key: value for key, value in asdict(limit).items() if key != "nodes" and value is not None}


def write_root(
    knowledge: Knowledge, trials: Trials, best: int, *, turn_count: int | None, exhaustive: bool, exact: bool
) -> Root:
    """Say how everybody stands if the best turn is played."""
    view, state, found = knowledge.view, knowledge.view.state, trials.prospects(best)
    win_scale, score_scale = (usual_scale(list(samples.T)) for samples in (found.wins, found.means))
    players = [
        PlayerOutlook(
            name=name,
            score_now=int(state["scores"][seat]),
            win=estimate(found.wins[:, seat], 0.0, 1.0, scale=win_scale, exact=exact),
            places=[round(float(share), DIGITS) for share in found.places[:, seat].mean(axis=0)],
            final_score=spread(found.means[:, seat], found.spreads, score_scale),
        )
        for seat, name in enumerate(view.names)
    ]
    return Root(
        player=str(view.to_move),
        viewpoint=None if knowledge.omniscient else knowledge.observer,
        phase=view.phase,
        year=int(state["year"]),
        round=int(state["round"]),
        ap=int(state["ap"]),
        players=players,
        turn_count=turn_count,
        exhaustive=exhaustive,
        considered=len(trials.ranked()),
    )


def write_turns(
    knowledge: Knowledge, trials: Trials, *, top: int, proved: bool, exact: bool, variations: bool
) -> list[Turn]:
    """Describe the best turns and all that were asked for or chosen by an engine."""
    order = trials.ranked()
    best = order[0]
    worths = [trials.wins(one) + TIE_BREAK * trials.margins(one) for one in order]
    chances = dict(zip(order, best_chances(worths, 0), strict=True))
    now = float(knowledge.view.state["scores"][trials.player])
    ranks = {one: rank for rank, one in enumerate(order, 1) if rank <= top or trials.is_named(one)}
    wins, margins = {one: trials.wins(one) for one in ranks}, {one: trials.margins(one) for one in ranks}
    points = {one: trials.prospects(one).year_points - now for one in ranks}
    win_scale, margin_scale, point_scale = (usual_scale(list(some.values())) for some in (wins, margins, points))
    rows = []
    for one, rank in ranks.items():
        candidate, count = trials.candidates[one], trials.counts[one]
        actions = texts_of(knowledge.view, candidate)
        words, sources, _ = say_turn(knowledge.view, actions)
        rows.append(
            Turn(
                rank=rank,
                actions=actions,
                words=words,
                visits=count,
                status="proved" if proved and not candidate.is_cut else "estimated",
                win=estimate(wins[one], 0.0, 1.0, scale=win_scale, exact=exact),
                margin=estimate(margins[one], scale=margin_scale),
                year_points=estimate(points[one], scale=point_scale),
                win_behind_best=behind(wins[best], wins[one], win_scale, most=1.0),
                margin_behind_best=behind(margins[best], margins[one], margin_scale),
                best_probability=round(float(chances[one]), DIGITS),
                goes_on=candidate.is_cut,
                asked=candidate.asked,
                chosen_by_engine=candidate.chosen,
                sources=sources,
                variation=play_on(knowledge, actions) if variations else [],
            )
        )
    return rows


def behind(best: np.ndarray, own: np.ndarray, scale: float, most: float = math.inf) -> Estimate:
    """Return how much better the best is than a turn, in the worlds that both were tried in; of itself it is sure.

    most: that the two can differ by
    """
    pairs = best[: len(own)] - own
    return estimate(pairs, -most, most, scale=scale, exact=best is own)


def play_on(knowledge: Knowledge, actions: list[str]) -> list[Step]:
    """Let the following players have a strong greedy turn each, in one dealt world, from their own views."""
    engine, limit = make_engine("greedy", width=VARIATION_WIDTH, sweeps=VARIATION_SWEEPS), Limit(iterations=1)
    here = knowledge.world(0)
    player = here.to_move
    for action in actions:
        here = here.play_number(here.number_of(action))
    steps: list[Step] = []
    while not here.is_over and len(steps) < 2 * len(here.names):
        if here.to_move == player and steps:
            break
        mover, played = str(here.to_move), []
        is_going_on = True
        while is_going_on:
            for action in engine.choose(here, limit=limit, seed=0):
                is_going_on = not has_ended(here, action)
                played.append(action)
                here = here.play_number(here.number_of(action))
        if mover == player:
            continue  # the rest of a turn that was cut before a draw
        steps.append(Step(player=mover, actions=played))
    return steps


def draw_maps(knowledge: Knowledge, trials: Trials, best: int, worlds: int) -> Maps:
    """Draw what to expect at the end of the year after a turn: greedy turns in some worlds."""
    ends = trials.sampler.play_stage(
        trials.candidates[best].numbers, knowledge.worlds(0, worlds), MAP_WIDTH, MAP_SWEEPS
    )
    knights = ends["knights"]
    own = knights[:, trials.player]
    others = np.bitwise_or.reduce(np.delete(knights, trials.player, axis=1), axis=1)
    return Maps(
        height=_board(ends["heights"].astype(float).mean(axis=0)),
        own_knight=_board(_squares(own).mean(axis=0)),
        other_knight=_board(_squares(others).mean(axis=0)),
    )


def _squares(boards: np.ndarray) -> np.ndarray:
    """Return boards as [boards, 64] of 0 and 1."""
    return ((boards[:, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)).astype(float)


def _board(squares: np.ndarray) -> list[list[float]]:
    """Return 64 numbers as rows, rank 8 first."""
    return [[round(float(number), 4) for number in row] for row in squares.reshape(8, 8)[::-1]]
