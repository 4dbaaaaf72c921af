"""Agents of users: found, given what they may see, and unable to take more with them than their own game."""

import os
import pickle
import re
import shutil
import signal
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.tournaments.specs import content, small_spec
from torres_mcts import Position, Rules, TorresError
from torres_mcts.agents.agent import read_agent
from torres_mcts.agents.own import process
from torres_mcts.commands.tournament import tournament
from torres_mcts.search.limits import Limit
from torres_mcts.tournaments.folder import open_folder, read_run
from torres_mcts.tournaments.game import AgentError, play_game
from torres_mcts.tournaments.match import Match, run_match
from torres_mcts.tournaments.run import Standing, run
from torres_mcts.tournaments.spec import Spec, make_spec
from torres_mcts.tournaments.store import Store

WILD = Path(__file__).with_name("wild.py")
ROOT = Path(__file__).resolve().parents[2]
MIDDLE_GAME = ROOT / "examples" / "positions" / "middle-game.json"
LIMIT = Limit(iterations=10)


@pytest.fixture(scope="module", autouse=True)
def _ended_processes() -> Iterator[None]:
    yield
    process.end_all()


def choose(text: str, position: Position | None = None) -> tuple[str, ...]:
    position = position or Position.load(MIDDLE_GAME).determinize(1)
    agent = read_agent(text)
    return agent.engine.choose(position, limit=agent.limit(LIMIT), seed=9)


def play(spec: Spec, path: Path, **options: Any) -> Standing:
    with Store(path) as store:
        return run(spec, store, **options)


def faults(spec: Spec, path: Path) -> set[str]:
    """Return the errors of all games, every one of which the agent called bad must have lost."""
    with Store(path) as store:
        games = store.games(spec)
    assert games
    assert all(game.forfeit is not None and game.agents[game.forfeit.seat] == "bad" for game in games)
    return {game.forfeit.error for game in games if game.forfeit is not None}


def test_a_class_or_function_of_a_file_plays_with_its_parameters() -> None:
    legal = Position.load(MIDDLE_GAME).legal_actions()
    assert choose(f"{WILD}:First") == (legal[0],)
    assert choose(f"{WILD}:First:place=3") == (legal[3],)
    assert choose(f"{WILD}:make_first:place=2,iterations=5") == (legal[2],)


def test_an_agent_is_given_the_view_of_its_player_with_limit_and_seed(tmp_path: Path) -> None:
    note = tmp_path / "note"
    position = Position.load(MIDDLE_GAME).determinize(1)
    choose(f"{WILD}:First:note={note},time=2", position)
    name = position.to_move
    assert position.is_known
    assert note.read_text() == f"1 False {name} {name} {Limit(time=2.0)} 9\n"


def test_every_game_has_an_agent_of_its_own(tmp_path: Path) -> None:
    note = tmp_path / "note"
    spec = small_spec(blocks=1, agents={"first": f"{WILD}:First:note={note}", "chance": "random"})
    assert play(spec, tmp_path / "games.sqlite").forfeits == 0
    asked = [int(line.split()[0]) for line in note.read_text().splitlines()]
    assert asked.count(1) == 3  # two games and the warm-up
    assert asked[-2:] == [max(asked[-2:]) - 1, max(asked[-2:])]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nowhere.py:First", "No such file"),
        ("nowhere.py", "name the class in the file, as in nowhere.py:MyAgent"),
        (f"{WILD}:Frist", "did you mean 'First'?"),
        (f"{WILD}:nobody", "is no class or function but 5"),
        (f"{WILD}:Mute", "has no method choose"),
        (f"{WILD}:First:", "nothing follows the colon"),
        (f"{WILD}:First:place=a", "place='a' is not int"),
        (f"{WILD}:First:plaec=1", "did you mean 'place'?"),
        (f"{WILD}:First:patience=0", "engine.patience: expected seconds above 0"),
        (f"{WILD}:First:patience=nan", "engine.patience"),
        (f"{WILD}:Wild", "needs a value for kind"),
    ],
)
def test_what_is_wrong_is_said_on_one_line(text: str, said: str) -> None:
    with pytest.raises(TorresError, match=re.escape(said)) as caught:
        read_agent(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("code", "said"),
    [("def", "SyntaxError"), ("raise SystemExit(3)", "SystemExit: 3"), ("import nothing_like_it", "ModuleNotFound")],
)
def test_code_that_cannot_be_loaded_is_said_on_one_line(code: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(code)
    with pytest.raises(TorresError, match=f"cannot be loaded: {said}") as caught:
        read_agent(f"{path}:Mine")
    assert "\n" not in str(caught.value)


PACKAGE = """
from mine_helper import PLACE

class Mine:
    def __init__(self, place: int = PLACE):
        self.place = place

    def choose(self, position, *, limit, seed):
        return [position.legal_actions()[self.place]]
"""


def install(folder: Path) -> None:
    """Put a package with an entry point into a folder."""
    (folder / "mine_package").mkdir(parents=True)
    (folder / "mine_package" / "__init__.py").write_text(PACKAGE)
    (folder / "mine_helper.py").write_text("PLACE = 1\n")
    information = folder / "mine_package-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: mine-package\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[torres_mcts.agents]\nmine = mine_package:Mine\n")


def test_an_entry_point_of_an_installed_package_is_an_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TorresError, match="'mine' is not one of"):
        read_agent("mine")
    install(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    legal = Position.load(MIDDLE_GAME).legal_actions()
    assert choose("mine") == (legal[1],)
    assert choose("mine:place=4") == (legal[4],)
    before = read_agent("mine").identity
    assert read_agent("mine").identity == before
    with (tmp_path / "mine_package" / "__init__.py").open("a") as file:
        file.write("# changed\n")
    assert read_agent("mine").identity != before


def test_the_identity_is_the_code_and_its_settings_not_its_place(tmp_path: Path) -> None:
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    shutil.copy(WILD, one)
    shutil.copy(WILD, other)
    same = read_agent(f"{one}:First").identity
    assert read_agent(f"{other}:First").identity == same
    for text in (f"{one}:First:place=1", f"{one}:make_first", f"{one}:First:patience=5"):
        assert read_agent(text).identity != same
    other.write_text(other.read_text() + "\n")
    assert read_agent(f"{other}:First").identity != same


def test_changed_code_is_never_mixed_into_a_run(tmp_path: Path) -> None:
    file, folder = tmp_path / "mine.py", tmp_path / "run"
    shutil.copy(WILD, file)
    data = {"mine": f"{file}:First", "chance": "random"}
    spec = small_spec(blocks=1, agents=data)
    with open_folder(folder, spec, "") as store:
        run(spec, store)
    file.write_text(file.read_text().replace("self.place %", "-1 - self.place %"))
    with pytest.raises(TorresError, match=r"mine has other code now; give the new agent a name of its own"):
        play(small_spec(blocks=2, agents=data), folder / "games.sqlite")
    with (
        Store(tmp_path / "late.sqlite") as store,
        pytest.raises(TorresError, match=r"agents\.mine: its code has changed"),
    ):
        run(spec, store)


def test_a_run_can_be_looked_at_without_its_agents(tmp_path: Path) -> None:
    file, folder = tmp_path / "mine.py", tmp_path / "run"
    shutil.copy(WILD, file)
    text = (
        'name = "x"\nformat = "round-robin"\nplayers = 2\nblocks = 1\nseed = 5\n'
        f'[limit]\niterations = 10\n[agents]\nmine = "{file}:First"\nchance = "random"\n'
    )
    spec = make_spec(tomllib.loads(text))
    with open_folder(folder, spec, text) as store:
        run(spec, store)
    file.unlink()
    assert len(read_run(str(folder)).games) == 2


def test_a_match_file_is_bound_to_the_code(tmp_path: Path) -> None:
    file, output = tmp_path / "mine.py", tmp_path / "match.jsonl"
    shutil.copy(WILD, file)

    def play_match() -> None:
        match = Match(f"{file}:First", "random", Rules.preset("2017"), LIMIT, 3)
        assert [len(result.blocks) for result in run_match(match, blocks=1, path=output)] == [1]

    play_match()
    play_match()
    file.write_text(file.read_text() + "\n")
    with pytest.raises(TorresError, match="holds another match"):
        play_match()


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("crash", r"RuntimeError: lost at\\n<object object at 0x\.\.\.> \(line \d+\)"),
        ("quit", r"SystemExit: enough \(line \d+\)"),
        ("interrupt", r"KeyboardInterrupt: .*"),
        ("text", "IllegalAction: choose returned the text 'end'; a list of actions is wanted"),
        ("nothing", "TypeError: .*"),
        ("numbers", "IllegalAction: an action is a text such as 'move:e4-e5', not int"),
        ("illegal", "IllegalAction: move:a1-h8: .*"),
        ("hang", "TimeoutError: no answer within 2 s"),
    ],
)
def test_whatever_a_users_agent_does_it_loses_its_own_game_only(kind: str, said: str, tmp_path: Path) -> None:
    agents = {"bad": f"{WILD}:Wild:kind={kind},patience=2", "chance": "random"}
    spec, path = small_spec(blocks=1, agents=agents), tmp_path / "games.sqlite"
    assert play(spec, path).points == {"bad": 0.0, "chance": 1.0}
    for error in faults(spec, path):
        assert re.fullmatch(said, error)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("leave", "its process died 3 times in a row: exit code 7"),
        ("segfault", "its process died 3 times in a row: SIGSEGV"),
        ("breed", "TimeoutError: no answer within 2 s"),
    ],
)
def test_an_agent_that_ends_its_process_or_starts_others_loses_its_game(kind: str, said: str) -> None:
    agents = [read_agent(f"{WILD}:Wild:kind={kind},patience=2"), read_agent("random")]
    with pytest.raises(AgentError) as caught:
        play_game(agents, Rules.preset("2017"), limit=LIMIT, seed=1, deal=1)
    assert caught.value.forfeit.seat == 0
    assert caught.value.forfeit.error == said


@pytest.mark.slow
def test_forfeits_are_the_same_for_any_number_of_workers_and_after_an_interruption(tmp_path: Path) -> None:
    agents = {"bad": f"{WILD}:Wild:kind=hang,patience=1", "chance": "random"}
    one, two = tmp_path / "one.sqlite", tmp_path / "two.sqlite"
    play(small_spec(blocks=1, agents=agents), one)
    play(small_spec(blocks=2, agents=agents), one)
    assert play(small_spec(blocks=2, agents=agents), two, workers=2).forfeits == 4
    assert content(one) == content(two)


@pytest.mark.parametrize("kind", ["leave", "segfault"])
def test_an_agent_that_dies_once_is_asked_again(kind: str, tmp_path: Path) -> None:
    position = Position.load(MIDDLE_GAME).determinize(1)
    assert choose(f"{WILD}:Wild:kind={kind},mark={tmp_path / 'mark'}", position) == (position.legal_actions()[0],)


def test_an_agent_that_is_killed_by_others_loses_nothing() -> None:
    legal = Position.load(MIDDLE_GAME).legal_actions()
    assert choose(f"{WILD}:First") == (legal[0],)
    engine = read_agent(f"{WILD}:First").engine
    running = process._running[engine.source, engine.code]  # type: ignore[attr-defined]
    os.kill(running.process.pid, signal.SIGKILL)
    running.process.wait()
    assert choose(f"{WILD}:First") == (legal[0],)


def test_a_hanging_agent_ends_with_the_process_that_asks() -> None:
    engine = read_agent(f"{WILD}:Wild:kind=hang").engine
    agent = process.AgentProcess(engine.source, engine.code)  # type: ignore[attr-defined]
    assert agent.loaded
    position = Position.load(MIDDLE_GAME)
    request = {"player": 0, "parameters": engine.parameters, "position": position, "limit": LIMIT, "seed": 1}  # type: ignore[attr-defined]
    message = pickle.dumps(request)
    with agent.process as running:
        assert running.stdin is not None
        running.stdin.write(process.LENGTH.pack(len(message)) + message)
        running.stdin.close()
        assert running.wait(60) == -signal.SIGKILL


def test_the_example_plays_in_a_tournament(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    line = ["run", "examples/tournaments/own-agent.toml", "--folder", str(tmp_path)]
    result = CliRunner().invoke(tournament, line)
    assert result.exit_code == 0, result.output
    assert {game.agents for game in read_run(str(tmp_path)).games} >= {("hermit", "chance"), ("climber", "hermit")}


def test_the_agent_of_the_manual_plays(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    file = tmp_path / "mine.py"
    file.write_text(text.partition("```python\n")[2].partition("```")[0])
    position = Position.load(MIDDLE_GAME)
    assert choose(f"{file}:MyAgent:boldness=1", position)[0].startswith("block:")
