"""Pictures of studies: complete, the same for the same run, for few and many variants, never drawn empty."""

import csv
import io
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.plotting.test_tournament_pictures import PNG, words_of
from tests.plotting.written import check_words
from tests.studies.made_logs import make_curve, make_game
from tests.studies.synthetic_study import WIDE, synthetic_study
from torres_mcts import __version__
from torres_mcts.games.torres.format.notation import SQUARES
from torres_mcts.plotting.pictures.frame import compose
from torres_mcts.plotting.pictures.listing import render_all
from torres_mcts.plotting.study.boards import board_maps
from torres_mcts.plotting.study.effects import MOST_ROWS, drawn_effects, effect_scale
from torres_mcts.plotting.study.findings import Findings
from torres_mcts.plotting.study.pictures import PICTURES, list_pictures
from torres_mcts.plotting.study.slices import slices_of
from torres_mcts.plotting.study.tornado import bars_of, ends_of
from torres_mcts.plotting.study.winning import fan_of
from torres_mcts.studies.diary import SOURCES, YearLog

MANY = {"one_at_a_time": {"ap_per_turn": list(range(3, 16)), "knights": [4, 5, 7], "draw": [1, 2, 4, 5]}}
POINTS = ("scores", "all_mean")


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Findings:
    """A study to which all pictures apply."""
    return Findings(synthetic_study(tmp_path_factory.mktemp("wide"), blocks=16, forfeits=2, **WIDE))


@pytest.fixture(scope="module")
def files(wide: Findings) -> dict[str, bytes]:
    return render_all(list_pictures(wide)[0], wide.footer)


def rows_of(files: dict[str, bytes], name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(files[f"{name}.csv"].decode())))


def test_every_picture_has_png_svg_and_csv(files: dict[str, bytes]) -> None:
    for name in PICTURES:
        assert files[f"{name}.png"].startswith(PNG)
        assert ElementTree.fromstring(files[f"{name}.svg"]).tag.endswith("svg")
        assert rows_of(files, name)


def test_the_same_run_gives_the_same_files(wide: Findings, files: dict[str, bytes]) -> None:
    again = Findings(wide.run)
    assert render_all(list_pictures(again)[0], again.footer) == files


def test_every_picture_names_games_seed_version_and_config(wide: Findings) -> None:
    parts = ("192 games, 14 blocks", "seed 5", __version__, wide.run.study.hash)
    for picture in list_pictures(wide)[0]:
        words = words_of(compose(picture, wide.footer))
        assert any(all(part in text for part in parts) for text in words)
        assert picture.title in words


def test_the_data_are_those_of_the_results(wide: Findings, files: dict[str, bytes]) -> None:
    effects = rows_of(files, "effects")
    assert [float(row["change"]) for row in effects] == [
        effect.difference.change.mean for effect in wide.results.effects
    ]
    seats = [row for row in rows_of(files, "seats") if row["measure"] == "wins"]
    assert len(seats) == 2 * len(wide.run.study.rule_sets)
    assert float(seats[0]["share"]) + float(seats[1]["share"]) == pytest.approx(1.0)
    games = wide.games("base")
    castles = next(row for row in rows_of(files, "sources") if row["part"] == "game")
    assert (castles["variant"], castles["source"]) == ("base", SOURCES[0])
    assert float(castles["points"]) == pytest.approx(
        np.mean([sum(year.points[0][seat] for year in game.years) for game in games for seat in range(2)])
    )
    assert len(rows_of(files, "boards")) == len(wide.blocks) * 3 * 64


def test_blocks_with_a_forfeit_take_no_part(wide: Findings) -> None:
    assert len(wide.blocks["base"]) == 14
    assert [len(blocks) for blocks in wide.pair("ap_per_turn=6")] == [14, 14]


def test_what_does_not_apply_is_left_out_and_says_why(tmp_path: Path) -> None:
    pictures, reasons = list_pictures(Findings(synthetic_study(tmp_path / "one", blocks=4)))
    drawn = [picture.name for picture in pictures]
    assert drawn == ["effects", "slices", "seats", "sources", "winning", "cards", "boards"]
    assert [reason.partition(":")[0] for reason in reasons] == ["tornado"]
    pictures, reasons = list_pictures(Findings(synthetic_study(tmp_path / "none", blocks=4, played=0)))
    assert pictures == []
    assert [reason.partition(":")[0] for reason in reasons] == list(PICTURES)


def test_only_the_surest_effects_have_room(tmp_path: Path) -> None:
    findings = Findings(synthetic_study(tmp_path, blocks=6, metrics=["scores.all_*"], **MANY))
    groups, more = drawn_effects(findings)
    shown = [effect for effects in groups.values() for effect in effects]
    rest = [effect for effect in findings.results.effects if effect not in shown]
    assert len(shown) == MOST_ROWS
    assert max(effect.p_holm for effect in shown) <= min(effect.p_holm for effect in rest)
    assert more == f"Drawn are the {MOST_ROWS} surest of {len(findings.results.effects)} effects; the data have all."


def test_a_margin_has_room_on_the_scale(wide: Findings) -> None:
    for metric, label in wide.values:
        effects = list(wide.effects[metric, label].values())
        margin = effects[0].margin or 0.0
        low, high = effect_scale(effects)
        assert low < -margin <= margin < high


def test_the_tornado_has_the_parameter_that_moves_most_on_top(wide: Findings) -> None:
    bars = bars_of(wide, POINTS)
    assert list(bars)[:2] == ["king_bonus", "ap_per_turn"]  # the king is worth 11 points, an action point 9
    assert {"cards_per_turn", "draw", "knights"} == set(list(bars)[2:])  # those of the grid that change one alone
    assert [value for value, _ in ends_of(bars["ap_per_turn"])] == ["4", "6"]


def test_a_slice_holds_the_rest_of_the_rules(wide: Findings) -> None:
    found = {(one.parameter, one.held): one for one in slices_of(wide, POINTS)}
    points = found["ap_per_turn", ""]
    assert [step.words for step in points.steps] == ["4", "5", "6"]
    assert [step.value.mean - points.base for step in points.steps] == pytest.approx([-9, 0, 9])
    assert [step.words for step in found["draw", "cards_per_turn=2"].steps] == ["2", "3"]
    assert points.moves
    assert not found["knights", ""].moves


def test_a_board_counts_heights_and_knights() -> None:
    year = YearLog(2, ((0, 0),) * 5, (0, 0), "." * 62 + "3a", (("h8", "a1"), ("a1",)), "e4")
    maps = board_maps([make_game((1, 0), years=(year,)), make_game((1, 0), years=(year,))])
    assert maps["towers"][1, SQUARES.index("g8")] == 3
    assert maps["towers"][1, SQUARES.index("h8")] == 10
    assert maps["knights"][1, SQUARES.index("a1")] == 2
    assert maps["knights"][1].sum() == 3
    assert maps["towers"][0].sum() == 0


def test_a_fan_follows_the_winner() -> None:
    games = [make_curve((5, 3), 0.5, 0.6, 1.0, years=[1, 2]), make_curve((3, 5), 0.5, 0.8, 0.0, years=[1, 2])]
    fan = fan_of([*games, make_curve((4, 4), 0.5, 0.9, 0.5)])
    assert fan is not None
    assert fan.means == pytest.approx([50, 40, 100])
    assert (fan.games, fan.year_ends) == (2, (1,))
    assert fan_of([make_curve((4, 4), 0.5, 0.9, 0.5)]) is None


@pytest.mark.parametrize(
    "changes",
    [WIDE, {"played": 1}, {"players": 4}, MANY, {"variants": {"x" * 40: {"draw": 4}}}],
    ids=["wide", "one block", "four players", "many variants", "long name"],
)
def test_no_words_leave_their_picture_or_lie_on_each_other(changes: dict[str, object], tmp_path: Path) -> None:
    findings = Findings(synthetic_study(tmp_path, blocks=3, **changes))  # type: ignore[arg-type]
    for picture in list_pictures(findings)[0]:
        check_words(compose(picture, findings.footer), picture.name)
