"""Runs: the same games for any number of workers, stopped where the rule says, forfeits and all."""

from collections.abc import Generator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.tournaments.faulty import Faulty
from tests.tournaments.specs import content, small_spec
from torres_mcts.agents.engines import ENGINES
from torres_mcts.core.errors import FileError
from torres_mcts.tournaments.block import Block, PlayedGame, play_block
from torres_mcts.tournaments.executors import Serial
from torres_mcts.tournaments.game import GameResult
from torres_mcts.tournaments.run import Standing, run, stand
from torres_mcts.tournaments.spec import Spec
from torres_mcts.tournaments.statistics.stopping import Reason
from torres_mcts.tournaments.store import Store


def play(spec: Spec, path: Path, **options: Any) -> Standing:
    with Store(path) as store:
        return run(spec, store, **options)


def test_workers_and_a_second_run_do_not_matter(tmp_path: Path) -> None:
    spec = small_spec(agents={"a": "random", "b": "greedy:width=1,sweeps=1", "c": "random"})
    one, two = tmp_path / "one.sqlite", tmp_path / "two.sqlite"
    seen: list[Standing] = []
    standing = play(spec, one, see=seen.append)
    assert [progress.games for progress in seen] == list(range(0, 20, 2))
    assert (standing.games, standing.games_wanted, standing.blocks, standing.forfeits) == (18, 18, 3, 0)
    assert standing.is_over
    assert standing.leader == "b"
    play(spec, two, workers=2)
    assert content(one) == content(two)
    seen.clear()
    play(spec, one, see=seen.append)
    assert [progress.games for progress in seen] == [18]
    assert content(one) == content(two)


def test_a_longer_tournament_and_one_with_more_agents_go_on(tmp_path: Path) -> None:
    short, whole = tmp_path / "short.sqlite", tmp_path / "whole.sqlite"
    play(small_spec(blocks=1), short)
    play(small_spec(blocks=2), short)
    play(small_spec(blocks=2), whole)
    assert content(short) == content(whole)
    more = {"quick": "greedy:width=1,sweeps=1", "chance": "random", "new": "random"}
    assert play(small_spec(blocks=2, agents=more), short).games == 12


def test_an_agent_against_itself_shows_no_difference(tmp_path: Path) -> None:
    twins = {"one": "greedy:width=1,sweeps=1", "other": "greedy:width=1,sweeps=1"}
    standing = play(small_spec(agents=twins), tmp_path / "games.sqlite")
    assert standing.points == {"one": 0.5, "other": 0.5}


@dataclass(frozen=True)
class Ahead:
    """An executor that asks for more than is needed, as workers do."""

    def map(self, function: Any, questions: Any) -> Generator[Any, None, None]:
        yield from [function(question) for question in questions]


def test_a_test_stops_at_a_block_and_nothing_behind_it_is_stored(tmp_path: Path) -> None:
    stop = {"rule": "sprt", "elo": [0, 200], "minimum": 3}
    spec = small_spec(blocks=8, stop=stop)
    paths = [tmp_path / "one.sqlite", tmp_path / "ahead.sqlite", tmp_path / "resumed.sqlite"]
    standing = play(spec, paths[0])
    assert standing.verdicts["quick"].reason == Reason.HIGH
    assert 3 <= standing.blocks < 8
    assert standing.games == 2 * standing.blocks
    play(spec, paths[1], executor=Ahead())
    play(small_spec(blocks=2, stop=stop), paths[2])
    play(spec, paths[2])
    assert content(paths[0]) == content(paths[1]) == content(paths[2])


def test_precision_is_wanted_of_all_agents_and_held_by_the_cap(tmp_path: Path) -> None:
    stop = {"rule": "precision", "half_width": 0.9, "minimum": 2}
    standing = play(small_spec(stop=stop), tmp_path / "wide.sqlite")
    assert {name: verdict.reason for name, verdict in standing.verdicts.items()} == {
        "quick": Reason.PRECISE,
        "chance": Reason.PRECISE,
    }
    assert standing.blocks == 2
    standing = play(small_spec(stop={**stop, "half_width": 0.001}), tmp_path / "narrow.sqlite")
    assert {verdict.reason for verdict in standing.verdicts.values()} == {Reason.CAP}


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("crash", "RuntimeError: lost my way at\\n<object object at 0x...>"),
        ("exit", "SystemExit: 3"),
        ("illegal", "IllegalAction: 'knight:z9': not how knight is written"),
        ("nothing", "IllegalAction: no action was chosen"),
        ("number", "IllegalAction: an action is a text"),
        ("late", "IllegalAction: end: the turn is over"),
        ("none", "TypeError: "),
    ],
)
def test_a_faulty_agent_loses_by_forfeit_and_the_run_goes_on(
    kind: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ENGINES, "faulty", Faulty)
    spec = small_spec(players=3, blocks=1, agents={"bad": f"faulty:kind={kind}", "chance": "random"})
    path = tmp_path / "games.sqlite"
    standing = play(spec, path)
    assert (standing.games, standing.forfeits) == (6, 6)
    assert standing.points["bad"] < 0.5
    with Store(path) as store:
        games = store.games(spec)
    for game in games:
        assert game.forfeit is not None
        assert game.agents[game.forfeit.seat] == "bad"
        assert game.forfeit.error.startswith(said)
        assert game.outcome.ranks[game.forfeit.seat] == 3
    again = play_block(Block(spec, games[0].lineup, games[0].block))
    assert [(game.result.scores, game.forfeit) for game in again] == [
        (game.result.scores, game.forfeit) for game in games[:3]
    ]


def test_a_gap_in_the_store_is_filled(tmp_path: Path) -> None:
    whole, holed = tmp_path / "whole.sqlite", tmp_path / "holed.sqlite"
    for path in (whole, holed):
        play(small_spec(), path)
    with Store(holed) as store:
        store.connection.execute("DELETE FROM games WHERE block = 1")
        assert stand(small_spec(), store.games(small_spec())).blocks == 1
    assert play(small_spec(), holed, executor=Serial()).is_over
    assert [row[2:] for row in sorted(content(holed)[6:], key=lambda row: row[4:6])] == [
        row[2:] for row in content(whole)[6:]
    ]


def test_a_full_disk_ends_the_run_and_its_workers_at_once(tmp_path: Path) -> None:
    ended = []

    class Watched:
        def map(self, function: Any, questions: Any) -> Generator[Any, None, None]:
            try:
                yield from map(function, questions)
            finally:
                ended.append(True)

    path, spec = tmp_path / "games.sqlite", small_spec(blocks=2)
    with Store(path) as store:
        fill_up(store)
        with pytest.raises(FileError, match="the disk is full") as caught:
            run(spec, store, executor=Watched())
        assert caught.traceback  # which keeps everything alive that is not ended
        assert ended == [True]
        store.connection.execute("DELETE FROM games WHERE config = 'other'")
        assert store.games(spec) == []
        store.connection.execute("PRAGMA max_page_count = 100000")
        run(spec, store)
    whole = tmp_path / "whole.sqlite"
    play(spec, whole)
    assert content(path) == content(whole)


def fill_up(store: Store) -> None:
    """Store other games until not one more finds room."""
    store.bind(small_spec())
    store.connection.execute("PRAGMA max_page_count = 1")  # no page more than there are
    with suppress(FileError):
        for number in range(1000):
            result = GameResult((1, 2), (0.0, 0.0), (0, 0))
            store.add("other", [PlayedGame(("a", "b"), number, 0, result)])
