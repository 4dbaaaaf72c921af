"""Specs: what a file says is what is played; every mistake is one line that names the file and the key."""

from pathlib import Path
from typing import Any

import pytest

from tests.tournaments.specs import AGENTS, small_spec, spec_data, to_toml
from torres_mcts.core.errors import TorresError
from torres_mcts.search.limits import Limit
from torres_mcts.tournaments.spec import load_spec, parse_spec
from torres_mcts.tournaments.statistics.stopping import Hypotheses

SPRT = {"rule": "sprt", "elo": [0, 30]}


def test_a_file_says_all_that_is_played(tmp_path: Path) -> None:
    path = tmp_path / "spec.toml"
    rules = {"preset": "1999", "ap_per_turn": 6, "king_bonus": [1, 2, 3]}
    path.write_text(to_toml(spec_data(players=3, rules=rules, stop={**SPRT, "alpha": 0.1, "minimum": 40})))
    spec = load_spec(path)
    assert spec.names == ("quick", "chance")
    assert spec.agent_of("chance").text == "random"
    assert spec.rules.to_dict() == {"preset": "1999", "players": 3, "ap_per_turn": 6, "king_bonus": [1, 2, 3]}
    assert spec.limit == Limit(iterations=10)
    assert spec.stop.hypotheses == Hypotheses.from_elo(0, 30, alpha=0.1)
    assert (spec.blocks, spec.stop.minimum, spec.judged, spec.seed) == (3, 40, ("quick",), 5)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": None}, "name: is required"),
        ({"name": "a/b"}, "name: 'a/b' is no name"),
        ({"format": "knockout"}, "format: 'knockout' is not one of"),
        ({"players": 5}, "players: must be at most 4, not 5"),
        ({"players": "two"}, "players: expected a whole number, not 'two'"),
        ({"blocks": 0}, "blocks: must be at least 1, not 0"),
        ({"seed": -1}, "seed: must be at least 0, not -1"),
        ({"seed": True}, "seed: expected a whole number, not true"),
        ({"formt": 1}, "formt: unknown field; did you mean 'format'?"),
        ({"agents": {"alone": "random"}}, "agents: must have at least 2 entries, not 1"),
        ({"agents": {"a": "random", "b": 5}}, "agents.b: expected a text, not 5"),
        ({"agents": {"a": "random", "b": "gredy"}}, "agents.b: engine: 'gredy' is not one of"),
        ({"agents": {"a": "random", "b": "greedy:widht=3"}}, "agents.b: agent greedy: has no parameter 'widht'"),
        ({"agents": {"a": "random", "b,c": "random"}}, "agents: 'b,c' is no name"),
        ({"format": "free-for-all", "players": 3}, "agents: 2 are too few for tables of 3"),
        ({"limit": None}, "limit: is required"),
        ({"limit": {}}, "limit: give a time or a number of iterations"),
        ({"limit": {"tim": 1.0}}, "limit.tim: unknown field; did you mean 'time'?"),
        ({"limit": {"time": -1.0}}, "limit.time: expected seconds above 0"),
        ({"limit": {"iterations": 0}}, "limit.iterations: expected a whole number of at least 1"),
        ({"rules": {"preset": "2018"}}, "rules.preset: '2018' is unknown; did you mean '2017'?"),
        ({"rules": {"ap_per_trun": 6}}, "rules.ap_per_trun: unknown field; did you mean 'ap_per_turn'?"),
        ({"rules": {"ap_per_turn": 99}}, "rules.ap_per_turn: must be at most 20"),
        ({"rules": {"players": 3}}, "rules.players: belongs to the top"),
        ({"rules": 7}, "rules: expected an object, not 7"),
        ({"stop": {"rule": "spr"}}, "stop.rule: 'spr' is not one of"),
        ({"stop": {"rule": "sprt"}}, "stop.elo: is required by rule = 'sprt'"),
        ({"stop": {**SPRT, "elo": [30, 0]}}, "stop.elo: hypotheses: low must be less than high"),
        ({"stop": {**SPRT, "elo": [30]}}, "stop.elo: must have at least 2 entries"),
        ({"stop": {**SPRT, "alpha": 0.7}}, "stop.alpha: "),
        ({"stop": {**SPRT, "half_width": 0.1}}, "stop.half_width: is no part of rule = 'sprt'"),
        ({"stop": {**SPRT, "focus": "quik"}}, "stop.focus: no agent is called 'quik'; did you mean 'quick'?"),
        ({"stop": {"elo": [0, 5]}}, "stop.elo: is no part of rule = 'blocks'"),
        ({"stop": {"rule": "precision"}}, "stop.half_width: is required"),
        ({"stop": {"rule": "precision", "half_width": 0.0}}, "stop.half_width: "),
        ({"stop": {"rule": "precision", "half_width": 0.1, "minimum": 1}}, "stop.minimum: must be at least 2"),
        ({"stop": SPRT, "agents": {**AGENTS, "third": "random"}}, "stop.focus: name the agent"),
    ],
)
def test_a_mistake_is_one_line_with_file_and_key(changes: dict[str, Any], said: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(to_toml(spec_data(**changes)))
    with pytest.raises(TorresError) as caught:
        load_spec(path)
    assert str(caught.value).startswith(f"{path}: {said}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["name =", "name = 'a'\nname = 'b'", "a = " + "[" * 5000])
def test_what_is_no_toml_is_one_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(TorresError, match="not TOML") as caught:
        load_spec(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "changes",
    [
        {"seed": 6},
        {"limit": {"iterations": 11}},
        {"rules": {"preset": "2017", "ap_per_turn": 6}},
        {"players": 3},
        {"agents": {**AGENTS, "quick": "greedy:width=2,sweeps=1"}},
    ],
)
def test_the_hash_changes_with_whatever_decides_results(changes: dict[str, Any]) -> None:
    lineup = ("quick", "chance")
    assert small_spec(**changes).config_hash(lineup) != small_spec().config_hash(lineup)


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "other"},
        {"blocks": 50},
        {"format": "gauntlet"},
        {"stop": SPRT},
        {"agents": {**AGENTS, "third": "greedy"}},
    ],
)
def test_the_hash_stays_where_only_the_amount_of_play_changes(changes: dict[str, Any]) -> None:
    lineup = ("quick", "chance")
    assert small_spec(**changes).config_hash(lineup) == small_spec().config_hash(lineup)


@pytest.mark.parametrize("path", sorted(Path("examples/tournaments").glob("*.toml")), ids=lambda path: path.name)
def test_the_examples_can_be_played(path: Path) -> None:
    assert load_spec(path).name == path.stem


def test_the_page_about_tournaments_shows_a_file_that_can_be_played() -> None:
    page = Path("docs/tournaments.md").read_text()
    spec = parse_spec(page.partition("```toml\n")[2].partition("```")[0], "docs")
    assert spec.names == ("chance", "careful")
