"""Pictures of tournaments: complete, the same for the same run, for two agents and for twenty, never drawn empty."""

import csv
import io
import math
from pathlib import Path
from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from tests.plotting.written import check_words
from tests.tournaments.specs import AGENTS
from tests.tournaments.synthetic_run import FAMILY, LONG, synthetic_run
from torres_mcts import __version__
from torres_mcts.plotting.pictures.frame import Table, compose
from torres_mcts.plotting.pictures.listing import render_all
from torres_mcts.plotting.tournament.convergence import course_scale
from torres_mcts.plotting.tournament.findings import Findings
from torres_mcts.plotting.tournament.pictures import PICTURES, list_pictures

PNG = b"\x89PNG\r\n"
SPREAD = {f"greedy-{width}": f"greedy:width={width}" for width in range(1, 9)}


@pytest.fixture(scope="module")
def family(tmp_path_factory: pytest.TempPathFactory) -> Findings:
    """Four agents that differ in their iterations alone."""
    return Findings(synthetic_run(tmp_path_factory.mktemp("family"), FAMILY, blocks=12, forfeits=2))


@pytest.fixture(scope="module")
def files(family: Findings) -> dict[str, bytes]:
    return render_all(list_pictures(family)[0], family.footer)


def rows_of(files: dict[str, bytes], name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(files[name].decode())))


def test_every_picture_has_png_svg_and_csv(files: dict[str, bytes]) -> None:
    for name in PICTURES:
        assert files[f"{name}.png"].startswith(PNG)
        assert ElementTree.fromstring(files[f"{name}.svg"]).tag.endswith("svg")
        assert rows_of(files, f"{name}.csv")


def test_the_same_run_gives_the_same_files(family: Findings, files: dict[str, bytes]) -> None:
    again = Findings(family.run)
    assert render_all(list_pictures(again)[0], again.footer) == files


def test_every_picture_names_games_seed_version_and_config(family: Findings) -> None:
    for picture in list_pictures(family)[0]:
        words = words_of(compose(picture, family.footer))
        assert any(
            all(part in text for part in ("144 games, 12 blocks", "seed 5", __version__, family.run.spec.hash))
            for text in words
        )
        assert picture.title in words


def words_of(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


def test_the_data_are_those_of_the_statistics(family: Findings, files: dict[str, bytes]) -> None:
    ratings = rows_of(files, "ratings.csv")
    assert [row["agent"] for row in ratings] == list(family.ratings.agents)
    assert [float(row["elo"]) for row in ratings] == [rating.elo.mean for rating in family.ratings.ratings]
    assert ratings[0]["text"] == "ismcts:iterations=400"
    assert len(rows_of(files, "cross.csv")) == len(rows_of(files, "superiority.csv")) == 12
    for row in rows_of(files, "superiority.csv"):
        pair = family.agents.index(row["agent"]), family.agents.index(row["other"])
        assert float(row["chance"]) == family.ratings.superiority[pair]
        assert row["told_apart"] == str(bool(family.told_apart[pair]))
    values = rows_of(files, "scores-values.csv")
    assert sum(int(row["times"]) for row in values) == 2 * (144 - 2)  # forfeits have no final points
    assert {row["agent"]: int(row["games"]) for row in rows_of(files, "scores.csv")} == {
        name: sum(int(row["times"]) for row in values if row["agent"] == name) for name in FAMILY
    }
    gains = rows_of(files, "budget-gains.csv")
    assert [float(gains[0][key]) for key in ("elo_per_doubling", "low", "high")] == pytest.approx(
        [getattr(family.families[0].doubling_gain(family.ratings), key) for key in ("mean", "low", "high")]
    )
    assert rows_of(files, "budget.csv")[0]["budget"] == "50"
    assert {row["blocks"] for row in rows_of(files, "convergence.csv")} >= {"2", "12"}


def test_what_does_not_apply_is_left_out_and_says_why(tmp_path: Path) -> None:
    pictures, reasons = list_pictures(Findings(synthetic_run(tmp_path, AGENTS, blocks=2)))
    assert [picture.name for picture in pictures] == ["ratings", "cross", "superiority", "scores", "seats"]
    assert [reason.partition(":")[0] for reason in reasons] == ["convergence", "budget"]


@pytest.mark.parametrize(
    ("agents", "changes"),
    [
        (AGENTS, {"blocks": 1}),
        (AGENTS, {"blocks": 30, "step": 9.0}),  # never beaten
        (SPREAD | LONG | FAMILY, {"blocks": 4}),
        (LONG, {"blocks": 6, "players": 4, "format": "gauntlet"}),
        (FAMILY, {"blocks": 5, "players": 3, "format": "free-for-all"}),
    ],
    ids=["one block", "clean sweep", "twenty agents", "gauntlet of four", "three players"],
)
def test_no_words_leave_their_picture_or_lie_on_each_other(
    agents: dict[str, str], changes: dict[str, object], tmp_path: Path
) -> None:
    findings = Findings(synthetic_run(tmp_path, agents, **changes))  # type: ignore[arg-type]
    for picture in list_pictures(findings)[0]:
        check_words(compose(picture, findings.footer), picture.name)


def test_intervals_without_an_end_are_drawn_and_kept_out_of_json(tmp_path: Path) -> None:
    findings = Findings(synthetic_run(tmp_path, AGENTS, blocks=1))
    (picture,), _ = list_pictures(findings, ["ratings"])
    assert math.isinf(picture.table.rows[0][4])
    assert picture.table.to_dicts()[0]["high"] is None
    assert any("not known" in words for words in words_of(compose(picture, findings.footer)))


def test_the_anchor_is_the_zero_of_all_ratings(family: Findings) -> None:
    findings = Findings(family.run, anchor="search-50")
    (forest, course), _ = list_pictures(findings, ["ratings", "convergence"])
    by_agent = {row[0]: row[2] for row in forest.table.rows}
    assert by_agent["search-50"] == 0
    assert {row[2] for row in course.table.rows if row[0] == "search-50"} == {0}
    low, high = course_scale(findings)
    assert low < min(by_agent.values()) < max(by_agent.values()) < high


def test_forfeits_in_all_games_leave_no_points(tmp_path: Path) -> None:
    run = synthetic_run(tmp_path, AGENTS, blocks=3, forfeits=3)
    lost = Findings(type(run)(run.folder, run.spec, [game for game in run.games if game.forfeit is not None]))
    pictures, reasons = list_pictures(lost, ["scores", "cross"])
    assert [picture.name for picture in pictures] == ["cross"]
    assert reasons == ["scores: every game ended by forfeit, so there are no final points"]
    assert lost.turn_seconds == {}


def test_time_for_a_turn_is_that_of_a_game_by_its_turns(family: Findings) -> None:
    turns = sum(len(stacks) for stacks in family.run.spec.rules.stacks)
    spent = [
        seconds
        for game in family.run.games
        if game.forfeit is None
        for name, seconds in zip(game.agents, game.result.seconds, strict=True)
        if name == "search-400"
    ]
    assert family.turn_seconds["search-400"].mean == pytest.approx(sum(spent) / len(spent) / turns, rel=1e-9)


def test_tables_are_written_as_csv() -> None:
    assert Table(("a", "b"), [("x,y", 0.5)]).to_csv() == 'a,b\n"x,y",0.5\n'
