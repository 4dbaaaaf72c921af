"""`torres-tournament`: a run and what it says, exit codes, one-line errors."""

import csv
import json
import shlex
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from tests.tournaments.faulty import Faulty
from tests.tournaments.specs import spec_data, to_toml
from torres_mcts.agents.engines import ENGINES
from torres_mcts.commands.main import torres
from torres_mcts.commands.ticker import describe
from torres_mcts.commands.tournament import tournament
from torres_mcts.commands.tournament_options import given_options, read_spec, spec_options
from torres_mcts.games.torres.record import GameRecord
from torres_mcts.tournaments.block import PlayedGame
from torres_mcts.tournaments.folder import open_folder
from torres_mcts.tournaments.game import GameResult
from torres_mcts.tournaments.run import Standing
from torres_mcts.tournaments.spec import make_spec, parse_spec
from torres_mcts.tournaments.statistics.planning import blocks_for_precision, expect_test
from torres_mcts.tournaments.statistics.stopping import Hypotheses, StoppingRule, judge
from torres_mcts.tournaments.store import Store


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of its own, where `results` is made."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(*words: str) -> Result:
    return CliRunner().invoke(tournament, words)


def write_spec(**changes: Any) -> str:
    Path("spec.toml").write_text(to_toml(spec_data(**changes)))
    return "spec.toml"


def test_a_run_keeps_its_games_and_the_others_read_them() -> None:
    first = call("run", write_spec(blocks=2))
    assert first.exit_code == 0, first.output
    assert first.stdout.splitlines() == [
        "results/small: 4 games, 2 blocks, 0 by forfeit",
        "   1.000  quick",
        "   0.000  chance",
        "2 of 2 blocks are played",
    ]
    assert Path("results/small/spec.toml").read_text() == Path("spec.toml").read_text()
    assert call("run", "spec.toml").stdout == first.stdout
    status = call("status", "small")
    assert "small: round-robin, 2 agents, 2 players, seed 5" in status.stdout
    assert "4 of 4 games, 0 by forfeit" in status.stdout
    assert call("status", "results/small").stdout == status.stdout
    assert CliRunner().invoke(torres, ["tournament", "status", "small"]).stdout == status.stdout
    table = call("table", "small").stdout.splitlines()
    assert [line.split() for line in table] == [
        ["quick", "chance"],
        ["quick", "-", "1.000"],
        ["chance", "0.000", "-"],
        ["95", "%", "intervals", "over", "blocks:"],
        ["quick", "against", "chance", "1.000", "[0.000,", "1.000]", "4", "games,", "2", "blocks"],
    ]


def test_ratings_and_tables_are_for_programs_too() -> None:
    call("run", write_spec(blocks=2))
    ratings = [json.loads(line) for line in call("rate", "small", "--anchor", "chance", "--json").stdout.splitlines()]
    assert [(rating["agent"], rating["games"], rating["blocks"]) for rating in ratings] == [
        ("quick", 4, 2),
        ("chance", 4, 2),
    ]
    assert ratings[0]["mean"] > 300
    assert ratings[1]["mean"] == 0
    cells = [json.loads(line) for line in call("table", "small", "--json").stdout.splitlines()]
    assert {(cell["agent"], cell["other"]): cell["mean"] for cell in cells} == {
        ("quick", "chance"): 1.0,
        ("chance", "quick"): 0.0,
    }
    words = call("rate", "small").stdout.splitlines()
    assert words[1].split()[-1] == "quick"
    assert "nobody knows: quick; chance" in words[-1]


def test_an_export_holds_every_game() -> None:
    call("run", write_spec(blocks=2, players=3))
    assert call("export", "small", "--csv", "games.csv", "--jsonl", "games.jsonl").exit_code == 0
    games = [json.loads(line) for line in Path("games.jsonl").read_text().splitlines()]
    assert call("export", "small").stdout == Path("games.jsonl").read_text()
    assert len(games) == 12
    assert games[1]["agents"] == ["chance", "quick", "chance"]
    with open("games.csv", newline="") as file:
        seats = list(csv.DictReader(file))
    assert [int(seat["score"]) for seat in seats] == [score for game in games for score in game["scores"]]
    assert [seat["agent"] for seat in seats[:6]] == ["quick", "chance", "chance", "chance", "quick", "chance"]


def test_forfeits_are_told_by_the_exit_code_and_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENGINES, "faulty", Faulty)
    spec = write_spec(blocks=1, agents={"bad": "faulty", "chance": "random"})
    assert call("run", spec).exit_code == 3
    assert call("run", spec).exit_code == 3
    lines = [line for line in call("status", "small").stdout.splitlines() if line.startswith("forfeit: ")]
    assert len(lines) == 2
    assert lines[0].startswith("forfeit: bad, game 0:bad:chance, seed ")
    assert "RuntimeError: lost my way" in lines[0]
    call("export", "small", "--csv", "games.csv")
    with open("games.csv", newline="") as file:
        assert [bool(seat["error"]) for seat in csv.DictReader(file)] == [True, False, False, True]


@pytest.mark.parametrize("limit", [{"iterations": 10}, {"time": 0.01}], ids=["iterations", "time"])
def test_every_game_has_an_id_and_a_record(limit: dict[str, Any]) -> None:
    call("run", write_spec(blocks=1, players=3, limit=limit))
    games = [json.loads(line) for line in call("export", "small").stdout.splitlines()]
    assert [game["game"] for game in games[:3]] == [
        "0:quick:chance:chance",
        "0:chance:quick:chance",
        "0:chance:chance:quick",
    ]
    assert len({game["game"] for game in games}) == 6
    for game in games[1:4]:
        assert call("replay", "small", game["game"], "-o", "game.json").exit_code == 0
        replayed = CliRunner().invoke(torres, ["replay", "game.json", "--json"])
        assert replayed.exit_code == 0, replayed.output
        assert json.loads(replayed.stdout)["is_over"]
        assert json.loads(replayed.stdout)["scores"] == game["scores"]
        assert json.loads(replayed.stdout)["players"] == [
            f"{colour}-{agent}" for colour, agent in zip(("red", "blue", "green"), game["agents"], strict=False)
        ]


def test_a_forfeited_game_is_recorded_up_to_the_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENGINES, "faulty", Faulty)
    call("run", write_spec(blocks=1, agents={"bad": "faulty:kind=late", "chance": "random"}))
    result = call("replay", "small", "0:chance:bad")
    assert result.exit_code == 0
    assert "up to the turn that bad lost by forfeit: IllegalAction: end: the turn is over" in result.stderr
    Path("game.json").write_text(result.stdout)
    record = GameRecord.load("game.json")
    final = record.replay().final
    assert not final.is_over
    assert final.to_move == "blue-bad"


def test_a_record_that_does_not_lead_to_the_stored_scores_is_refused() -> None:
    call("run", write_spec(blocks=1))
    with closing(sqlite3.connect("results/small/games.sqlite")) as connection:
        connection.execute("UPDATE games SET scores = '[1, 2]' WHERE rotation = 0")
        connection.commit()
    result = call("replay", "small", "0:quick:chance")
    assert result.exit_code == 2
    assert "the record says [1, 2], but the actions lead to" in result.stderr


def test_a_run_may_be_given_its_folder_and_read_from_standard_input() -> None:
    text = to_toml(spec_data(blocks=1))
    result = CliRunner().invoke(tournament, ["run", "-", "--folder", "deep/er"], input=text)
    assert result.exit_code == 0, result.output
    assert Path("deep/er/spec.toml").read_text() == text
    assert call("status", "deep/er").exit_code == 0


AB = ["--agent", "greedy", "--agent", "random"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run", "nowhere.toml"], "nowhere.toml: cannot be read"),
        (["run", "bad.toml"], "bad.toml: blocks: is required"),
        (["run", "spec.toml", "--workers", "0"], "--workers"),
        (["run", "spec.toml", "--folder", "spec.toml"], "spec.toml: cannot be made"),
        (["run", "other.toml"], "its games have seed 5, not 6"),
        (["status", "smal"], "smal: is not the folder of a run, nor its name; did you mean 'small'?"),
        (["rate", "small", "--anchor", "quik"], "did you mean 'quick'?"),
        (["replay", "small", "0:quik:chance"], "has no game '0:quik:chance'; did you mean '0:quick:chance'?"),
        (["run"], "give the file of a tournament, or options"),
        (["run", "spec.toml", "--blocks", "9"], "--blocks: belongs in the file; give either SPEC or options"),
        (["run", "--blocks", "9", "--iterations", "1"], "--agent: give two or more"),
        (["run", *AB, "--iterations", "1"], "--blocks: is required"),
        (["run", *AB, "--blocks", "9"], "--time or --iterations: give a time or a number of iterations"),
        (["run", *AB, "--blocks", "0", "--iterations", "1"], "--blocks: must be at least 1"),
        (["run", *AB, "--agent", "random", "--blocks", "9", "--time", "1"], "there is a random already; write NAME="),
        (["run", *AB, "--agent", "c=gredy", "--blocks", "9", "--time", "1"], "--agent c: engine: "),
        (["run", *AB, "--agent", "greedy:" + "width=1," * 9, "--blocks", "9", "--time", "1"], "give it a name"),
        (["run", *AB, "--blocks", "9", "--time", "nan"], "--time: expected seconds above 0"),
        (["run", *AB, "--blocks", "9", "--time", "1", "--format", "robin"], "--format: "),
        (["run", *AB, "--blocks", "9", "--time", "1", "--preset", "2016"], "--preset: '2016' is unknown"),
        (["run", *AB, "--blocks", "9", "--time", "1", "--set", "ap=6"], "--set ap: unknown field"),
        (["run", *AB, "--blocks", "9", "--time", "1", "--set", "king_bonus=[null]"], "null has no place"),
        (["run", *AB, "--blocks", "9", "--time", "1", "--stop", "sprt"], "--elo: is required by rule = 'sprt'"),
        (["run", *AB, "--blocks", "9", "--time", "1", "--alpha", "0.1"], "--alpha: is no part of rule = 'blocks'"),
        (["plan", "small"], "give either --half-width, in rank points, or --elo"),
        (["plan", "small", "--elo", "5", "--half-width", "0.1"], "give either --half-width"),
        (["plan", "small", "--elo", "5"], "small: has 1 whole blocks; a spread needs 2 or more"),
        (["plan", "--elo", "5"], "--sd: is required without a RUN"),
        (["plan", "small", "--elo", "5", "--sd", "5"], "--sd: is measured by the RUN"),
        (["plan", "small", "--elo", "5", "--agent", "quik"], "no agent is called 'quik'; did you mean 'quick'?"),
        (["plan", "--elo", "nan", "--sd", "1"], "expected finite numbers"),
        (["compare", "small", "quick"], "give RUN A B, or none of them and --elo and --sd"),
        (["compare", "--elo", "0", "30"], "give RUN A B, or none of them and --elo and --sd"),
        (["compare", "--elo", "30", "0", "--sd", "0.3"], "--elo: LOW must be less than HIGH, not 30 and 0"),
        (["compare", "--elo", "0", "nan", "--sd", "0.3"], "--elo: LOW must be less than HIGH, not 0 and nan"),
        (["compare", "--elo", "0", "9", "--sd", "nan"], "--sd: expected rank points above 0"),
        (["compare", "small", "quick", "chance"], "--elo: give the two strengths"),
        (["compare", "small", "quick", "quick", "--elo", "0", "9"], "quick: is compared with itself"),
        (["compare", "small", "quick", "chanc", "--elo", "0", "9"], "did you mean 'chance'?"),
        (["compare", "small", "quick", "chance", "--elo", "0", "9"], "have 1 whole blocks together; 2 are needed"),
        (["compare", "small", "quick", "chance", "--elo", "0", "9", "--sd", "1"], "--sd: is measured by the RUN"),
        (["replay", "small", "9"], "has no game '9'; torres-tournament export lists all"),
        (["replay", "small", "0:quick:chance", "-o", "no/where.json"], "no such folder"),
        (["export", "small", "--csv", "games.txt"], "must end in .csv"),
        (["export", "small", "--jsonl", "no/where.jsonl"], "no such folder"),
    ],
)
def test_bad_input_is_refused_in_one_line(words: list[str], said: str) -> None:
    call("run", write_spec(blocks=1))
    Path("bad.toml").write_text(to_toml(spec_data(blocks=None)))
    Path("other.toml").write_text(to_toml(spec_data(seed=6)))
    result = call(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert said in result.stderr


FLAGS = shlex.split("--agent quick=greedy:width=1,sweeps=1 --agents random --blocks 3 --iterations 10")


@pytest.mark.parametrize(
    ("words", "data"),
    [
        ("", {}),
        (
            "--name mine --format gauntlet --players 3 --seed 7",
            {"name": "mine", "format": "gauntlet", "players": 3, "seed": 7},
        ),
        (
            "--preset 1999 --set ap_per_turn=6 --set 'king_bonus=[0,1,2]'",
            {"rules": {"preset": "1999", "ap_per_turn": 6, "king_bonus": [0, 1, 2]}},
        ),
        ("--time 0.5", {"limit": {"iterations": 10, "time": 0.5}}),
        (
            "--stop sprt --elo -5 30 --alpha 0.1 --beta 0.2 --focus random --minimum 9",
            {"stop": {"rule": "sprt", "elo": [-5.0, 30.0], "alpha": 0.1, "beta": 0.2, "focus": "random", "minimum": 9}},
        ),
        ("--stop precision --half-width 0.25", {"stop": {"rule": "precision", "half_width": 0.25}}),
        (
            "--agent turns:time=0.5,win=1",
            {"agents": {"turns-time-0.5-win-1": "turns:time=0.5,win=1"}, "name": "quick-random-turns-time-0.5-win-1"},
        ),
    ],
)
def test_options_say_all_that_a_file_can(words: str, data: dict[str, Any]) -> None:
    given: dict[str, Any] = {}

    @click.command()
    @spec_options
    def take(**options: Any) -> None:
        given.update(given_options(options))

    assert CliRunner().invoke(take, [*FLAGS, *shlex.split(words)]).exit_code == 0
    spec, text = read_spec(given)
    agents = {"quick": "greedy:width=1,sweeps=1", "random": "random", **data.pop("agents", {})}
    same = {"name": "quick-random", "format": "round-robin", "players": 2, "seed": 1, "blocks": 3, "agents": agents}
    assert spec == make_spec({**same, "limit": {"iterations": 10}, **data})
    assert parse_spec(text, "text") == spec


def test_a_run_from_options_goes_on_by_the_same_line_and_by_its_file() -> None:
    first = call("run", *FLAGS)
    assert first.exit_code == 0, first.output
    assert first.stdout.startswith("results/quick-random: 6 games, 3 blocks")
    assert call("run", *FLAGS).stdout == first.stdout
    assert call("run", "results/quick-random/spec.toml").stdout == first.stdout
    assert call("run", *FLAGS[:-4], "--blocks", "4", "--iterations", "10").stdout.startswith("results/quick-random: 8 ")


def put_games(scores: list[tuple[int, int]]) -> None:
    """Make a run whose games ended as told, two to a block."""
    spec = make_spec(spec_data(blocks=len(scores) // 2))
    with open_folder(Path("results/small"), spec, to_toml(spec_data(blocks=len(scores) // 2))) as store:
        for number, block in enumerate(zip(scores[::2], scores[1::2], strict=True)):
            games = [
                PlayedGame(("quick", "chance"), number, rotation, GameResult(ends, (1.0, 2.0), (1, 1)))
                for rotation, ends in enumerate(block)
            ]
            store.add(spec.config_hash(("quick", "chance")), games)


QUICK_WINS, QUICK_LOSES, SPLIT = [(9, 1), (1, 9)], [(1, 9), (9, 1)], [(9, 1), (9, 1)]


def test_a_plan_is_made_from_what_a_run_has_measured() -> None:
    put_games((QUICK_WINS + QUICK_LOSES) * 20)
    rows = [json.loads(line) for line in call("plan", "small", "--half-width", "0.05", "--json").stdout.splitlines()]
    assert [row["agent"] for row in rows] == ["quick", "chance"]
    row = rows[0]
    assert row["sd"] == pytest.approx(0.5 * (40 / 39) ** 0.5)
    assert row["blocks"]["mean"] == blocks_for_precision(0.05, row["sd"])
    assert row["blocks"]["low"] < row["blocks"]["mean"] < row["blocks"]["high"]
    assert row["games"] == 2 * row["blocks"]["mean"]
    assert row["seconds_per_game"] == 3
    assert row["hours"]["mean"] == pytest.approx(row["games"] * 3 / 3600)
    assert row["blocks_left"] == row["blocks"]["mean"] - 40
    two = call("plan", "small", "--half-width", "0.05", "--workers", "2", "--agent", "quick", "--json").stdout
    assert json.loads(two)["hours"]["mean"] == pytest.approx(row["hours"]["mean"] / 2)
    words = call("plan", "small", "--half-width", "0.05").stdout.splitlines()
    assert words[0] == "for 95 % intervals of +-0.05 rank points, at 3 s of thinking a game and 1 worker:"
    assert words[2].split()[1] == str(row["blocks"]["mean"])
    elo = json.loads(call("plan", "small", "--elo", "35", "--agent", "quick", "--json").stdout)
    assert 50 < elo["blocks"]["mean"] < 1000


def test_a_plan_without_a_run_takes_what_is_stated() -> None:
    stated = ["--half-width", "0.02", "--sd", "0.3", "--games-per-block", "4", "--seconds-per-game", "2"]
    row = json.loads(call("plan", *stated, "--json").stdout)
    assert (row["blocks"], row["games"]) == ({"mean": 867, "low": 867, "high": 867}, 3468)
    assert call("plan", *stated).stdout.splitlines()[2].split() == [
        "0.3",
        "867",
        "-",
        "3468",
        "1.93",
        "1.93",
        "as",
        "stated",
    ]


@pytest.mark.parametrize(
    ("games", "said"),
    [
        (QUICK_WINS * 40, "decided: quick is rather +30 than +0 Elo above chance"),
        (QUICK_LOSES * 40, "decided: quick is rather +0 than +30 Elo above chance"),
        ((QUICK_WINS + SPLIT + QUICK_LOSES) * 10, "undecided: if quick goes on like this, about "),
    ],
)
def test_two_agents_of_a_run_are_compared(games: list[tuple[int, int]], said: str) -> None:
    put_games(games)
    lines = call("compare", "small", "quick", "chance", "--elo", "0", "30").stdout.splitlines()
    assert lines[2].startswith(said)
    assert lines[0].startswith("quick ahead of chance: ")
    result = json.loads(call("compare", "small", "quick", "chance", "--elo", "0", "30", "--json").stdout)
    assert f"log-likelihood ratio {result['log_likelihood_ratio']:.2f}, bounds [-2.94, 2.94]" in lines[1]
    assert (result["blocks_left"] is None) == said.startswith("decided")
    mirrored = json.loads(call("compare", "small", "chance", "quick", "--elo", "-30", "0", "--json").stdout)
    assert mirrored["log_likelihood_ratio"] == pytest.approx(-result["log_likelihood_ratio"])
    assert mirrored["share"]["mean"] == pytest.approx(1 - result["share"]["mean"])


def test_the_test_of_the_file_is_taken_if_no_other_is_given() -> None:
    call("run", write_spec(blocks=3, stop={"rule": "sprt", "elo": [0, 200], "minimum": 3}))
    result = json.loads(call("compare", "small", "quick", "chance", "--json").stdout)
    assert result["hypotheses"] == pytest.approx([0, 200])


def test_a_test_is_foreseen_from_stated_numbers() -> None:
    result = json.loads(call("compare", "--elo", "0", "30", "--sd", "0.3", "--json").stdout)
    blocks = {row["elo"]: row["blocks"] for row in result["expected"]}
    assert blocks[0.0] == pytest.approx(expect_test(Hypotheses.from_elo(0, 30), mean=0.5, sd=0.3).blocks)
    assert blocks[15.0] == max(blocks.values())
    chances = [row["chance_of_high"] for row in result["expected"]]
    assert chances == sorted(chances)
    assert len(call("compare", "--elo", "0", "30", "--sd", "0.3").stdout.splitlines()) == 10


def test_a_refused_spec_leaves_the_copy_as_it_was() -> None:
    call("run", write_spec(blocks=1))
    before = Path("results/small/spec.toml").read_text()
    call("run", write_spec(blocks=1, seed=6))
    assert Path("results/small/spec.toml").read_text() == before


def test_the_line_on_stderr_says_games_rate_time_left_and_leader() -> None:
    standing = Standing(30, 120, 1, 5, 20, {"a": 0.4, "b": 0.6}, {})
    assert describe(standing, 20, 10.0) == "30 of 120 games, 2 a second, 45 s left, 1 by forfeit, b leads with 0.600"
    assert describe(Standing(0, 120, 0, 0, 20, {}, {}), 0, 0.0) == "0 of 120 games"


def test_the_line_on_stderr_says_how_a_test_stands() -> None:
    verdict = judge(StoppingRule(Hypotheses(0.5, 0.6)), [0.5, 1.0, 0.5, 0.75])
    line = describe(Standing(8, 80, 0, 4, 40, {"a": 0.69, "b": 0.31}, {"a": verdict}), 8, 4.0)
    assert line == (
        "8 of 80 games, 2 a second, at most 36 s left, a leads with 0.690, test of a at 0.66 in [-2.94, 2.94]"
    )


@pytest.mark.parametrize("trouble", ["foreign", "folder", "locked"])
def test_trouble_with_the_database_is_one_line(trouble: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place = Path("results/small/games.sqlite")
    place.parent.mkdir(parents=True)
    said = "is a database of another program; choose another folder"
    with closing(sqlite3.connect("other.sqlite" if trouble == "folder" else place)) as connection:
        connection.execute("CREATE TABLE music (title TEXT)")
        if trouble == "folder":
            place.mkdir()
            said = "cannot be opened; is the folder there, and may it be written to?"
        if trouble == "locked":
            monkeypatch.setattr(Store.__init__, "__kwdefaults__", {"is_read_only": False, "patience": 0.1})
            connection.execute("BEGIN EXCLUSIVE")
            said = "is in use by another process; wait for its end"
        result = call("run", write_spec(blocks=1))
    assert result.exit_code == 2
    assert result.stderr == f"Error: results/small/games.sqlite: {said}\n"
    assert not Path("results/small/spec.toml").exists()
