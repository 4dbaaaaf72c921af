"""Runs of studies: the same games whoever plays them and whatever is interrupted, and what is planted is found."""

import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.studies.small_study import content, small_study, study_data
from tests.tournaments.faulty import Faulty
from tests.tournaments.loopback import Loopback
from torres_mcts.agents.engines import ENGINES
from torres_mcts.core.errors import TorresError
from torres_mcts.studies.report import write_report
from torres_mcts.studies.results import StudyResults, Verdict, evaluate
from torres_mcts.studies.run import Progress, run, warm_up_study
from torres_mcts.studies.spec import Study
from torres_mcts.studies.store import StudyRun, StudyStore
from torres_mcts.tournaments.spec import to_toml

PROGRAM = [sys.executable, "-c", "from torres_mcts.commands.study import study; study()"]
PATIENCE = 300
MANY_KNIGHTS: dict[str, Any] = {"ap_per_turn": 15, "cost_knight": 1, "knights": 16, "king_level": [1, 1, 1]}


def play(study: Study, path: Path, **options: Any) -> Progress:
    with StudyStore(path) as store:
        return run(study, store, **options)


def read(study: Study, path: Path) -> StudyRun:
    with StudyStore(path, is_read_only=True) as store:
        blocks = {one.name: store.blocks(study, one) for one in study.rule_sets}
        return StudyRun(path.parent, study, blocks, store.seconds_per_game(study))


def find(study: Study, folder: Path) -> StudyResults:
    """Return what a study says when it is played to its end."""
    path = folder / "games.sqlite"
    assert play(study, path).is_over
    return evaluate(read(study, path))


class Interrupted:
    """An executor that is stopped after some blocks, as by Ctrl-C."""

    def __init__(self, blocks: int) -> None:
        self.blocks = blocks

    def map(self, function: Any, questions: Any) -> Generator[Any, None, None]:
        for number, question in enumerate(questions):
            if number == self.blocks:
                raise KeyboardInterrupt
            yield function(question)


def test_workers_interruptions_and_a_second_run_do_not_matter(tmp_path: Path) -> None:
    study = small_study(agents=["random", "greedy:width=1,sweeps=1"], one_at_a_time={"ap_per_turn": [6]})
    whole, two, stopped = (tmp_path / f"{name}.sqlite" for name in ("whole", "two", "stopped"))
    seen: list[Progress] = []
    progress = play(study, whole, see=seen.append)
    assert [one.games for one in seen] == list(range(0, 20, 2))
    assert (progress.games, progress.games_wanted, progress.blocks, progress.forfeits) == (18, 18, 3, 0)
    play(study, two, workers=2)
    for blocks in (1, 4):
        with pytest.raises(KeyboardInterrupt):
            play(study, stopped, executor=Interrupted(blocks))
    assert len(content(stopped)) < len(content(whole))
    play(study, stopped)
    assert content(whole) == content(two) == content(stopped)
    seen.clear()
    play(study, whole, see=seen.append)
    assert [one.games for one in seen] == [18]


def test_a_cluster_plays_the_same_games(tmp_path: Path) -> None:
    from torres_mcts.tournaments.cluster import connect

    study = small_study(blocks=2)
    with Loopback(tmp_path / "cluster", workers=1) as cluster, connect(cluster.address, warm_up_study, study) as crew:
        play(study, tmp_path / "cluster.sqlite", executor=crew)
    play(study, tmp_path / "here.sqlite")
    assert content(tmp_path / "cluster.sqlite") == content(tmp_path / "here.sqlite")


def test_a_killed_study_goes_on_to_the_same_content(tmp_path: Path) -> None:
    file, folder = tmp_path / "small.toml", tmp_path / "run"
    data = study_data(blocks=12)
    file.write_text(to_toml({key: value for key, value in data.items() if key != "variants"}))
    with file.open("a") as text:
        text.write("[variants.late-bonus]\nking_bonus = [5, 10, 25]\n")
    line = [*PROGRAM, "run", str(file), "--folder", str(folder)]
    driver = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + PATIENCE
    while count_logs(folder) < 3 and driver.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    driver.kill()
    assert driver.wait(PATIENCE) == -signal.SIGKILL
    assert 3 <= count_logs(folder) < 24
    assert subprocess.run(line, stdout=subprocess.DEVNULL, timeout=PATIENCE, check=False).returncode == 0
    play(small_study(blocks=12), tmp_path / "whole.sqlite")
    assert content(folder / "games.sqlite") == content(tmp_path / "whole.sqlite")


def count_logs(folder: Path) -> int:
    try:
        return sum(row[0] == "logs" for row in content(folder / "games.sqlite"))
    except sqlite3.OperationalError:
        return 0


def test_more_blocks_and_more_variants_go_on(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    play(small_study(blocks=2), path)
    seen: list[Progress] = []
    more = small_study(one_at_a_time={"ap_per_turn": [6]})
    play(more, path, see=seen.append)
    assert (seen[0].games, seen[-1].games) == (4, 9)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"seed": 6}, "its games have seed 5, not 6"),
        ({"rules": {"draw": 2}}, "its games have rules "),
        ({"agents": "greedy"}, "its games have agents "),
        ({"variants": {"late-bonus": {"draw": 2}}}, "late-bonus is .* give the new variant a name of its own"),
    ],
)
def test_results_of_other_settings_are_never_mixed(changes: dict[str, Any], said: str, tmp_path: Path) -> None:
    with StudyStore(tmp_path / "games.sqlite") as store:
        store.bind(small_study())
        with pytest.raises(TorresError, match=said):
            store.bind(small_study(**changes))


@pytest.mark.slow
def test_a_planted_effect_is_found_with_its_exact_size_and_nothing_else_is(tmp_path: Path) -> None:
    """Whoever plays at random does not see a bonus that comes at the very end: the games stay the same."""
    study = small_study(
        blocks=30,
        rules={"cards": "none", "score_track": 0, **MANY_KNIGHTS},  # even chance puts some into the king's castle
        metrics=["scores.all_mean", "sources.year3_king", "sources.year3_castles", "duration.game_actions"],
        margins={"sources": 0.5},
    )
    found = find(study, tmp_path)
    effects = {effect.label: effect for effect in found.effects}
    bonus = next(one.estimate.mean for one in found.values if one.label == "year3_king" and one.variant == "base")
    assert bonus > 0
    for label in ("all_mean", "year3_king"):
        change = effects[label].difference.change
        assert change.mean == pytest.approx(bonus * 10 / 15)
        assert change.low < bonus * 10 / 15 < change.high
        assert effects[label].verdict == Verdict.HIGHER
    assert effects["year3_castles"].difference.is_nothing
    assert effects["year3_castles"].verdict == Verdict.NO_EFFECT
    assert effects["game_actions"].verdict == Verdict.OPEN  # no margin, no claim
    gain = effects["all_mean"].difference.gain
    assert gain is not None
    assert gain.low > 1
    report = write_report(found)
    assert "late-bonus: scores.all_mean is higher: +" in report
    assert "no effect on sources.year3_castles within 0.5 points" in report
    assert "smaller by a factor of " in report


def test_a_seat_without_a_card_never_plays_it(tmp_path: Path) -> None:
    study = small_study(blocks=4, variants=None, without_card={"seat": 2, "cards": ["gate"]})
    play(study, tmp_path / "games.sqlite")
    blocks = read(study, tmp_path / "games.sqlite").blocks
    for base, other in zip(blocks["base"].values(), blocks["without gate"].values(), strict=True):
        assert base[0].piles[0] == other[0].piles[0]
        assert [card for card in base[0].piles[1] if card != "gate"] == list(other[0].piles[1])


def test_where_nothing_changes_no_effect_is_reported(tmp_path: Path) -> None:
    study = small_study(
        blocks=6,
        metrics=["scores.*_mean", "seats", "sources"],
        variants={"idle": {"master_min_knights": 2}, "same": {"draw": 3}},
    )
    found = find(study, tmp_path)
    assert {effect.variant for effect in found.effects} == {"idle", "same"}
    assert all(effect.difference.is_nothing for effect in found.effects)
    assert {effect.verdict for effect in found.effects} == {Verdict.OPEN}
    assert [one.variant for one in found.seat_tests] == ["base", "idle", "same"]
    assert len({(one.p_points, one.p_wins) for one in found.seat_tests}) == 1
    assert 0 < found.seat_tests[0].p_points <= 1
    assert found.games == 12  # the same rules are played once, whatever their names
    assert "idle: the same as the base in every block" in write_report(found)
    assert "are all seats equal?" in write_report(found)


def test_a_study_that_is_not_at_its_end_can_be_read(tmp_path: Path) -> None:
    study, path = small_study(blocks=9), tmp_path / "games.sqlite"
    with StudyStore(path) as store:
        store.bind(study)
    assert "nothing can be measured yet" in write_report(evaluate(read(study, path)))
    with pytest.raises(KeyboardInterrupt):
        play(study, path, executor=Interrupted(5))
    found = evaluate(read(study, path))
    assert (found.blocks, found.games) == (2, 5)
    assert [one.blocks for one in found.rule_sets] == [3, 2]
    assert found.effects[0].difference.blocks == 2
    write_report(found)


def test_a_value_that_a_metric_does_not_have_is_said_with_those_it_has(tmp_path: Path) -> None:
    study = small_study(blocks=2)
    play(study, tmp_path / "games.sqlite")
    found = read(study, tmp_path / "games.sqlite")
    wrong = replace(found, study=small_study(blocks=2, metrics=["scores.al_mean"]))
    with pytest.raises(TorresError, match=r"metrics: scores has no value 'al_mean'; did you mean 'all_mean'\?"):
        evaluate(wrong)


def test_blocks_with_a_forfeit_are_left_out_on_both_sides_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ENGINES, "faulty", Faulty)
    study = small_study(blocks=2, agents=["random", "faulty"])
    path = tmp_path / "games.sqlite"
    assert play(study, path).forfeits == 8
    found = evaluate(read(study, path))
    assert (found.blocks, found.rule_sets[0].forfeited_blocks) == (0, 2)
    assert "lost by forfeit: 2 of base, 2 of late-bonus blocks" in write_report(found)
