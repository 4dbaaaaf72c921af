"""Every command of `torres` as a user meets it: results on stdout, one line and exit code 2 for bad input."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from torres_mcts import Position
from torres_mcts.commands.bench import _print_tournament
from torres_mcts.commands.main import torres

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples" / "positions").glob("*.json"))
GAMES = sorted((ROOT / "examples" / "games").glob("*.json"))
MIDDLE_GAME = str(ROOT / "examples" / "positions" / "middle-game.json")


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(torres, arguments, input=stdin)


def refuse(*arguments: str, stdin: str | None = None) -> str:
    """Run a command that must be refused; return its one line."""
    result = run(*arguments, stdin=stdin)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith("Error: ")
    return lines[0]


@pytest.mark.parametrize(
    "command", [[], *[[name] for name in torres.commands]], ids=lambda words: " ".join(words) or "torres"
)
def test_help_answers_without_importing_numba(command):
    program = (
        "import sys\nfrom torres_mcts.commands.main import torres\n"
        f"try: torres({[*command, '--help']!r})\nexcept SystemExit as stop: assert stop.code == 0\n"
        "slow = {'numba', 'numpy', 'pydantic', 'matplotlib'} & set(sys.modules)\nassert not slow, slow"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert "Usage:" in result.stdout


def test_cli_py_runs_the_same_commands():
    result = subprocess.run([sys.executable, ROOT / "cli.py", "--version"], capture_output=True, text=True, check=True)
    assert result.stdout.startswith("torres, version ")


def test_new_gives_the_same_game_for_the_same_seed():
    first, again, other = (run("new", "--seed", seed, "--setup", "random").stdout for seed in ("7", "7", "8"))
    assert first == again != other
    assert json.loads(first)["phase"] == "turn"


def test_new_names_the_seed_that_it_drew():
    drawn = run("new")
    seed = drawn.stderr.split()[-1]
    assert run("new", "--seed", seed).stdout == drawn.stdout


def test_new_plays_a_given_setup():
    result = run("new", "--seed", "1", "--setup", "knight:c3 knight:f6 king:a4")
    position = json.loads(result.stdout)
    assert (position["king"], position["players"][1]["knights"]) == ("a4", ["f6"])


def test_new_takes_presets_players_names_and_overrides():
    result = run(
        "new", "--preset", "1999", "--players", "3", "--names", "ann,bob,cy", "--set", "ap_per_turn=6", "--seed", "1"
    )
    position = json.loads(result.stdout)
    assert position["rules"] == {"preset": "1999", "players": 3, "ap_per_turn": 6}
    assert [player["name"] for player in position["players"]] == ["ann", "bob", "cy"]


def test_new_accepts_a_plain_word_as_a_parameter():
    result = run("new", "--preset", "2017-master", "--set", "master_card=row", "--seed", "1")
    assert json.loads(result.stdout)["rules"]["master_card"] == "row"


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_position_is_canonical_and_can_be_shown(path):
    text = path.read_text()
    assert json.loads(text) == Position.load(path).to_dict()
    shown = run("show", str(path))
    assert shown.exit_code == 0
    assert max(len(line) for line in shown.stdout.splitlines()) <= 80


def test_show_reads_standard_input():
    assert run("show", "-", stdin=Path(MIDDLE_GAME).read_text()).stdout == run("show", MIDDLE_GAME).stdout


@pytest.mark.parametrize(("option", "start"), [("--png", b"\x89PNG"), ("--svg", b"<?xml")])
def test_show_draws_pictures(tmp_path, option, start):
    target = tmp_path / f"board.{option[2:]}"
    result = run("show", MIDDLE_GAME, option, str(target))
    assert result.exit_code == 0
    assert target.read_bytes().startswith(start)
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


def test_show_hides_what_a_viewpoint_does_not_know():
    position = json.loads(run("show", MIDDLE_GAME, "--viewpoint", "red", "--json").stdout)
    assert position["viewpoint"] == "red"
    assert set(position["players"][1]["hand"]) == {"?"}


def test_check_says_ok_for_good_files_and_names_the_fault_of_bad_ones(tmp_path):
    bad = tmp_path / "bad.json"
    bad.write_text(Path(MIDDLE_GAME).read_text().replace('"year": 2', '"year": 5'))
    result = run("check", MIDDLE_GAME, str(bad))
    assert result.exit_code == 2
    good_line, bad_line = result.stdout.splitlines()
    assert "ok" in good_line
    assert bad_line == f"{bad}: year: must be at most 3, not 5"
    rows = [json.loads(line) for line in run("check", "--json", MIDDLE_GAME, str(bad)).stdout.splitlines()]
    assert [row["ok"] for row in rows] == [True, False]


def test_legal_lists_what_the_position_lists():
    expected = Position.load(MIDDLE_GAME).legal_actions()
    assert run("legal", MIDDLE_GAME).stdout.splitlines() == expected
    assert json.loads(run("legal", MIDDLE_GAME, "--json").stdout) == expected


def test_play_writes_the_position_after(tmp_path):
    target = tmp_path / "after.json"
    result = run("play", MIDDLE_GAME, "score", "score end", "-o", str(target))
    assert result.exit_code == 0
    assert Position.load(target) == Position.load(MIDDLE_GAME).play("score").play("score").play("end")


def test_an_illegal_action_writes_nothing(tmp_path):
    target = tmp_path / "after.json"
    line = refuse("play", MIDDLE_GAME, "score", "move:a1-a2", "-o", str(target))
    assert "has no knight on a1" in line
    assert not target.exists()


def test_a_random_game_replays_to_its_scores(tmp_path):
    game = tmp_path / "game.json"
    assert run("random", "--preset", "1999", "--players", "4", "--seed", "5", "-o", str(game)).exit_code == 0
    record = json.loads(game.read_text())
    assert record["seed"] == 5
    replayed = json.loads(run("replay", str(game), "--json").stdout)
    assert replayed["scores"] == record["scores"] == replayed["years"][-1]["scores"]
    assert [row["year"] for row in replayed["years"]] == [1, 2, 3]


def test_a_record_with_wrong_scores_is_refused(tmp_path):
    record = json.loads(GAMES[0].read_text())
    record["scores"][0] += 1
    game = tmp_path / "game.json"
    game.write_text(json.dumps(record))
    assert "scores: the record says" in refuse("replay", str(game))


def test_a_record_with_an_illegal_action_names_its_index(tmp_path):
    record = json.loads(GAMES[0].read_text())
    record["actions"][4] = "score:2"
    game = tmp_path / "game.json"
    game.write_text(json.dumps(record))
    assert "actions[4]" in refuse("replay", str(game))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_example_game_replays(path):
    result = run("replay", str(path))
    assert result.exit_code == 0
    assert "won by" in result.stdout


def test_replay_gives_the_position_after_some_actions():
    record = json.loads(GAMES[0].read_text())
    position = Position.from_dict(record["position"])
    for action in record["actions"][:5]:
        position = position.play(action)
    assert json.loads(run("replay", str(GAMES[0]), "--at", "5").stdout) == position.to_dict()
    assert "has" in refuse("replay", str(GAMES[0]), "--at", "100000")


@pytest.mark.parametrize("kind", ["position", "game"])
def test_the_shipped_schema_is_the_one_that_the_model_gives(kind):
    shipped = ROOT / "torres_mcts" / "games" / "torres" / "format" / f"{kind}.schema.json"
    assert run("schema", kind).stdout == shipped.read_text()


def test_bench_measures_and_tells_all_figures():
    result = json.loads(run("bench", "--json", "--no-compile", "--seconds", "0.1").stdout)
    assert result["playouts_per_cpu_second"] > 0
    assert result["actions_per_playout"] == pytest.approx(142.7, abs=2)
    assert result["branching"] == pytest.approx(44.3, abs=2)
    assert {"playouts_per_second", "actions_per_second", "version", "seed", "rules", "state_bytes"} <= set(result)


def test_tune_fits_weights_and_says_what_it_did():
    written = run("tune", "--games", "48", "--seed", "2").stdout
    assert "rules {'preset': '2017', 'players': 2}, seed 2" in written
    assert "then 48 games of greedy turns" in written
    years = tomllib.loads(written)
    assert all(0.3 < years[year]["castles"] < 6 for year in ("year1", "year2", "year3"))


def test_the_weights_in_use_were_written_by_tune():
    weights = ROOT / "torres_mcts" / "games" / "torres" / "heuristics" / "weights.toml"
    assert "Written by `torres tune`" in weights.read_text()


def test_bench_measures_tournaments(capsys):
    options = ["bench", "--tournament", "--no-compile", "--seconds", "0.2", "--repeat", "1", "--json"]
    result = json.loads(run(*options).stdout)["tournament"]
    rates = result["games_per_second"]
    assert rates["1"] > 0
    assert result["speed_up_2_workers"] == pytest.approx(rates["2"] / rates["1"])
    assert result["store_share"] == pytest.approx(result["store_seconds_per_game"] * result["store_share_at"])
    assert result["store_seconds_per_game"] > 0
    _print_tournament(result)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0] for line in lines] == ["games/s", "two workers", "store"]


def test_bench_measures_the_searches():
    result = json.loads(run("bench", "--search", "--json", "--no-compile", "--seconds", "0.05").stdout)["search"]
    assert {"cheat", "uct", "pimc", "so-ismcts", "mo-ismcts"} <= set(result["iterations_per_second"])
    assert min(result["iterations_per_second"].values()) > 0
    assert result["turns"]["exhaustive"]
    assert 100_000 < result["turns"]["distinct_turns"] < result["turns"]["orders"]
    assert result["bytes_per_node"]["tree"] < result["bytes_per_node"]["graph"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["new", "--preset", "2018"], "is not one of '2017'"),
        (["new", "--players", "5"], "players: must be at most 4"),
        (["new", "--set", "ap_per_turn=0"], "ap_per_turn: must be at least 1"),
        (["new", "--set", "ap_per_tern=6"], "did you mean 'ap_per_turn'"),
        (["new", "--set", "nonsense"], "write NAME=VALUE"),
        (["new", "--names", "a,b,c"], "3 names for 2 players"),
        (["new", "--setup", "knight:a1", "--seed", "1"], "a1 is bare ground"),
        (["new", "--seed", "-1"], "--seed"),
        (["show", "missing.json"], "missing.json: cannot be read"),
        (["show"], "Missing argument"),
        (["show", MIDDLE_GAME, "--png", "board.jpg"], "must end in .png"),
        (["show", MIDDLE_GAME, "--viewpoint", "pink"], "'pink' is not a player"),
        (["show", MIDDLE_GAME, "--png", "/nowhere/board.png"], "cannot be written"),
        (["legal", "."], "cannot be read"),
        (["play", MIDDLE_GAME, "fly:e4"], "unknown action"),
        (["play", MIDDLE_GAME, "score", "-o", "/nowhere/after.json"], "cannot be written"),
        (["show", str(GAMES[0])], "this is a record of a game"),
        (["replay", str(GAMES[0]), "--viewpoint", "red"], "--viewpoint goes with --at"),
        (["replay", MIDDLE_GAME], "this is a position, not a record"),
        (["schema", "song"], "song"),
        (["bench", "--seconds", "0"], "--seconds"),
        (["nonsense"], "No such command 'nonsense'"),
        (["show", "--colour", MIDDLE_GAME], "--colour"),
    ],
    ids=lambda value: " ".join(value[:3]) if isinstance(value, list) else "",
)
def test_bad_input_gets_one_clear_line_and_exit_code_2(arguments, words):
    assert words in refuse(*arguments)


def test_a_link_or_a_pipe_is_written_through_not_replaced(tmp_path):
    target, link = tmp_path / "real.json", tmp_path / "link.json"
    target.write_text("old")
    link.symlink_to(target)
    assert run("new", "--seed", "1", "-o", str(link)).exit_code == 0
    assert link.is_symlink()
    assert json.loads(target.read_text())["format"] == "torres-position/1"
    assert run("new", "--seed", "1", "-o", "/dev/null").exit_code == 0
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["new", "--set", "name=x"], "name: unknown field"),
        (["new", "--set", "cls=1"], "cls: unknown field"),
        (["new", "--set", "stacks=" + "[" * 100_000], "nested too deeply"),
        (["new", "--set", 'deck={"climb":1,"climb":2}'], "occurs twice"),
        (["new", "--set", "ap_per_turn=5", "--set", "ap_per_turn=6"], "given twice"),
        (["bench", "--seconds", "nan"], "--seconds"),
    ],
    ids=["name", "cls", "nested", "duplicate key", "twice", "nan"],
)
def test_odd_values_of_options_get_one_clear_line(arguments, words):
    assert words in refuse(*arguments)


@pytest.mark.parametrize("redirect", ["<&-", "> /dev/full"])
def test_a_closed_input_or_a_full_disk_gets_one_clear_line(redirect):
    line = f"{sys.executable} {ROOT / 'cli.py'} legal {'-' if '<' in redirect else MIDDLE_GAME} {redirect}"
    result = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1, result.stderr


def test_names_that_the_terminal_cannot_show_are_escaped(tmp_path):
    position = tmp_path / "position.json"
    assert run("new", "--seed", "1", "--names", "é,ü", "-o", str(position)).exit_code == 0
    result = subprocess.run(
        [sys.executable, ROOT / "cli.py", "show", position],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert "\\xe9" in result.stdout


def test_replay_writes_a_players_view():
    position = json.loads(run("replay", str(GAMES[-1]), "--at", "30", "--viewpoint", "blue").stdout)
    assert position["viewpoint"] == "blue"
