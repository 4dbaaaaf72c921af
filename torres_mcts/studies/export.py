"""A study for other programs: its games as JSON lines or CSV, its effects as CSV."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from torres_mcts.core.files import to_json
from torres_mcts.studies.results import StudyResults
from torres_mcts.studies.store import StudyRun

SEAT_COLUMNS = (
    *("variant", "config", "block", "rotation", "seat", "agent", "score", "rank"),
    *("rank_points", "win_share", "error", "seed"),
)
EFFECT_COLUMNS = (
    *("variant", "metric", "label", "base", "value", "change", "se", "low", "high", "blocks"),
    *("p", "p_holm", "margin", "p_equivalent", "p_equivalent_holm", "gain", "gain_low", "gain_high", "verdict"),
)


def games_to_json_lines(run: StudyRun) -> str:
    """Return a line for each game: its rule set and its whole log."""
    hashes = {one.name: run.study.config_hash(one) for one in run.study.rule_sets}
    return "".join(
        to_json({"variant": name, "config": hashes[name], **log.to_dict()}, indent=None) for name, log in run.games
    )


def games_to_csv(run: StudyRun) -> str:
    """Return a line for each seat of each game; a forfeit's error and seed are with its seat."""
    hashes = {one.name: run.study.config_hash(one) for one in run.study.rule_sets}
    rows = []
    for name, log in run.games:
        ranks = log.outcome.ranks
        for seat, agent in enumerate(log.agents):
            forfeit = log.forfeit if log.forfeit is not None and log.forfeit.seat == seat else None
            failed = ("", "") if forfeit is None else (forfeit.error, forfeit.seed)
            result = log.scores[seat], ranks[seat], log.utilities[seat], log.win_shares[seat]
            rows.append((name, hashes[name], log.deal, log.rotation, seat, agent, *result, *failed))
    return _to_csv(SEAT_COLUMNS, rows)


def effects_to_csv(results: StudyResults) -> str:
    """Return a line for each effect."""
    return _to_csv(EFFECT_COLUMNS, effect_rows(results))


def effect_rows(results: StudyResults) -> list[tuple[Any, ...]]:
    """Return the effects as rows of EFFECT_COLUMNS."""
    rows: list[tuple[Any, ...]] = []
    for effect in results.effects:
        found = effect.difference
        change, gain = found.change, found.gain
        size = found.base.mean, found.variant.mean, change.mean, change.se, change.low, change.high, found.blocks
        tests = effect.p_value, effect.p_holm, effect.margin, effect.p_equivalent, effect.p_equivalent_holm
        shared = ("", "", "") if gain is None else (gain.mean, gain.low, gain.high)
        rows.append((effect.variant, effect.metric, effect.label, *size, *tests, *shared, str(effect.verdict)))
    return rows


def _to_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return file.getvalue()
