"""Files of studies: what they say is what is played; all mistakes are said at once, with line and field."""

from pathlib import Path
from typing import Any

import pytest

from tests.studies.small_study import small_study, study_data
from torres_mcts.agents.engines import ENGINES
from torres_mcts.core.errors import TorresError
from torres_mcts.studies.file.example import write_example
from torres_mcts.studies.file.lines import find_lines, line_of
from torres_mcts.studies.file.read import load_study, make_study, parse_study
from torres_mcts.studies.spec import Wanted

WIDE = ("draw", "cost_buy", "cost_move", "knights", "cost_block", "cost_score")


def mistakes(text: str) -> list[str]:
    """Return the lines with which a file is refused."""
    with pytest.raises(TorresError) as caught:
        parse_study(text, "x.toml")
    return str(caught.value).splitlines()


def test_all_mistakes_of_a_file_are_said_at_once_with_line_and_field() -> None:
    text = """\
name = "a/b"
playrs = 2
players = 2
blocks = 1
seed = 1
agents = "gredy"
metrics = [
  "scores",
  "seat",
]
[limit]
iterations = 0
[rules]
ap_per_trun = 6
[variants.one]
king_bonus = [5, 10, 999]
draw = 9
[variants."no name"]
draw = 2
[variants.base]
draw = 2
[one_at_a_time]
knights = [5, 99]
[grid]
cost_mov = [1, 2]
cards = ["own", "none"]
[margins]
scores.all_mean = -1
king = 2.0
"""
    assert mistakes(text) == [
        "x.toml: 15 mistakes",
        "x.toml: line 1: name: 'a/b' is no name; use up to 40 letters, digits and - _ . +",
        "x.toml: line 2: playrs: unknown field; did you mean 'players'?",
        "x.toml: line 4: blocks: must be at least 2, not 1",
        f"x.toml: line 6: agents: engine: 'gredy' is not one of {', '.join(ENGINES)}; did you mean 'greedy'?",
        "x.toml: line 7: metrics[1]: no metric is called 'seat'; did you mean 'seats'?",
        "x.toml: line 12: limit.iterations: expected a whole number of at least 1, not 0",
        "x.toml: line 14: rules.ap_per_trun: unknown field; did you mean 'ap_per_turn'?",
        "x.toml: line 16: variants.one.king_bonus[2]: must be at most 99, not 999",
        "x.toml: line 17: variants.one.draw: must be at most 5, not 9",
        "x.toml: line 18: variants.no name: 'no name' is no name; use up to 40 letters, digits and - _ . +",
        "x.toml: line 20: variants.base: is the name of the base rules; choose another",
        "x.toml: line 23: one_at_a_time.knights: must be at most 16, not 99",
        "x.toml: line 25: grid.cost_mov: unknown field; did you mean 'cost_move'?",
        "x.toml: line 28: margins.scores.all_mean: expected a number above 0, not -1",
        "x.toml: line 29: margins.king: 'king' is not measured; name it under metrics",
    ]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": None}, "name: is required"),
        ({"players": 5}, "players: must be at most 4, not 5"),
        ({"players": "two"}, "players: expected a whole number, not 'two'"),
        ({"agents": ["random", "random", "random"]}, "agents: give one for all seats or 2, one for each, not 3"),
        ({"agents": ["random", "greedy:widht=1"]}, "agents[1]: agent greedy: has no parameter 'widht'"),
        ({"agents": 7}, "agents: expected a list, not 7"),
        ({"limit": {}}, "limit: give a time or a number of iterations"),
        ({"metrics": []}, "metrics: must have at least 1 entry"),
        ({"metrics": ["scores", "scores"]}, "metrics[1]: 'scores' is named twice"),
        ({"rules": {"players": 3}}, "rules.players: belongs to the top of the file"),
        ({"rules": {"preset": "2018"}}, "rules.preset: '2018' is not one of"),
        ({"rules": {"blocks": 10}}, "rules.blocks: 10 are too few"),
        ({"variants": {}}, "there is nothing to compare"),
        ({"variants": {}, "grid": {"draw": [3]}}, "there is nothing to compare"),
        ({"without_card": {"seat": 3, "cards": ["gate"]}}, "without_card.seat: there are 2 seats, not 3"),
        ({"without_card": {"seat": 1, "cards": ["gat"]}}, "without_card.cards[0]: 'gat' is not a card"),
        ({"without_card": {"seat": 1, "card": ["gate"]}}, "without_card.cards: is required"),
        ({"without_card": {"seat": 1, "cards": ["gate"]}, "rules": {"cards": "common"}}, "without_card: a seat has"),
        (
            {"without_card": {"seat": 1, "cards": ["gate"]}, "rules": {"deck": {"gate": 0}}},
            "without_card.cards[0]: gate is not in the deck",
        ),
        ({"variants": {"same": {}}}, "variants.same: changes nothing"),
        ({"variants": {"few": {"blocks": 10}}}, "variants.few.blocks: 10 are too few"),
        ({"variants": {"few": {"stack_limit": 2}}}, "variants.few: stacks[0]: a stack of 3 is above stack_limit 2"),
        ({"variants": {"few": {"players": 3}}}, "variants.few.players: belongs to the top of the file"),
        ({"variants": {"few": 3}}, "variants.few: expected an object, not 3"),
        ({"one_at_a_time": {"draw": 3}}, "one_at_a_time.draw: expected a list, not 3"),
        ({"one_at_a_time": {"king_bonus": [[1, 2, 300]]}}, "one_at_a_time.king_bonus: [1, 2, 300]: must be at most 99"),
        ({"grid": {name: [1, 2, 3] for name in WIDE}}, "grid: 730 variants; the most is 300"),
        ({"margins": {"scores": "wide"}}, "margins.scores: expected a number above 0, not 'wide'"),
        ({"margins": {"scores": True}}, "margins.scores: expected a number above 0, not true"),
    ],
)
def test_each_mistake_names_its_field(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(TorresError) as caught:
        make_study(study_data(**changes))
    assert str(caught.value).startswith(said)


def test_what_is_no_toml_is_one_line() -> None:
    assert mistakes("name = ") == ["x.toml: not TOML: Invalid value (at end of document)"]


def test_lines_are_found_in_whatever_toml_allows() -> None:
    long_text, long_list = 'a = """\nb = 1\n"""\n# c = 1\n', '"d e" = [ # [x]\n 1,\n]\n'
    tables = "[t.u] # y\n'f'.g = {h = 1, i = \"]\"}\n[[k]]\nl = 1\n[[k]]\nl = 2\n"
    lines = find_lines(long_text + long_list + tables)
    assert lines == {
        ("a",): 1,
        ("d e",): 5,
        ("t", "u"): 8,
        ("t", "u", "f", "g"): 9,
        ("k",): 10,
        ("k", "l"): 11,
    }
    assert line_of(lines, ("t", "u", "f", "g", "h")) == 9
    assert line_of(lines, ("t",)) == 8
    assert line_of(lines, ("nowhere",)) is None


def test_variants_are_named_single_and_every_combination_without_the_base() -> None:
    study = small_study(
        rules={"ap_per_turn": 6, "draw": 2},
        variants={"rich": {"king_bonus": [10, 20, 30]}, "same": {"draw": 2}},
        one_at_a_time={"ap_per_turn": [5, 6, 7]},
        grid={"draw": [2, 3], "ap_per_turn": [5, 6]},
    )
    assert [(one.name, one.origin) for one in study.variants] == [
        ("rich", "variants"),
        ("same", "variants"),
        ("ap_per_turn=5", "one_at_a_time"),
        ("ap_per_turn=7", "one_at_a_time"),
        ("draw=2 ap_per_turn=5", "grid"),
        ("draw=3 ap_per_turn=5", "grid"),
        ("draw=3 ap_per_turn=6", "grid"),
    ]
    rules = {one.name: one.rules for one in study.rule_sets}
    assert (rules["base"].ap_per_turn, rules["base"].draw) == (6, 2)
    assert rules["rich"].king_bonus == (10, 20, 30)
    assert rules["rich"].ap_per_turn == 6
    assert study.config_hash(study.variants[1]) == study.config_hash(study.base)
    assert study.config_hash(study.variants[2]) == study.config_hash(study.variants[4])


def test_a_seat_can_do_without_a_card() -> None:
    study = small_study(without_card={"seat": 2, "cards": ["gate", "ap6", "gate"]})
    assert [(one.name, one.blank) for one in study.variants[1:]] == [
        ("without gate", (1, "gate")),
        ("without ap6", (1, "ap6")),
    ]
    assert len({study.config_hash(one) for one in study.rule_sets}) == 4


def test_a_preset_can_be_a_variant() -> None:
    study = small_study(rules={"draw": 2}, variants={"old": {"preset": "1999"}})
    assert study.variants[0].rules.to_dict() == {"preset": "1999", "players": 2, "draw": 2}


def test_equal_agents_play_a_deal_once_and_others_change_seats() -> None:
    assert small_study(players=3).tables == [("random",) * 3]
    two = ["random", "greedy"]
    assert small_study(agents=two).tables == [("random", "greedy"), ("greedy", "random")]
    assert len(small_study(players=4, agents=two * 2).tables) == 2
    assert len(small_study(players=3, agents=["random", "greedy", "greedy"]).tables) == 3


def test_margins_and_metrics_go_by_patterns() -> None:
    study = small_study(
        metrics=["scores.*_mean", "seats"], margins={"scores": 2, "seats": {"seat1_wins": 0.1}, "scores.all_*": 1.0}
    )
    assert study.wanted == (Wanted("scores", "*_mean"), Wanted("seats"))
    assert study.metrics == ("scores", "seats")
    assert study.margin_of("scores", "margin_mean") == 2
    assert study.margin_of("scores", "all_mean") == 1.0
    assert study.margin_of("seats", "seat1_wins") == 0.1
    assert study.margin_of("seats", "seat2_wins") is None


@pytest.mark.parametrize(
    "changes",
    [
        {"seed": 6},
        {"limit": {"iterations": 2}},
        {"rules": {"draw": 2}},
        {"players": 3},
        {"agents": ["random", "greedy"]},
        {"metrics": ["distinct_turns"]},
    ],
)
def test_the_hash_changes_with_whatever_decides_games_and_logs(changes: dict[str, Any]) -> None:
    one, other = small_study(), small_study(**changes)
    assert one.config_hash(one.base) != other.config_hash(other.base)
    assert one.hash != other.hash


@pytest.mark.parametrize(
    "changes",
    [{"name": "other"}, {"blocks": 50}, {"question": "why?"}, {"metrics": ["seats"]}, {"margins": {"scores": 1}}],
)
def test_the_hash_stays_where_only_the_amount_of_play_or_what_is_measured_changes(changes: dict[str, Any]) -> None:
    assert small_study(**changes).hash == small_study().hash


@pytest.mark.parametrize("path", sorted(Path("examples/studies").glob("*.toml")), ids=lambda path: path.name)
def test_the_examples_can_be_played(path: Path) -> None:
    assert load_study(path).name == path.stem


def test_the_file_to_begin_with_can_be_played_and_names_all_metrics() -> None:
    text = write_example()
    study = parse_study(text, "example")
    assert [one.name for one in study.variants] == ["rich-king", "ap_per_turn=4", "ap_per_turn=6"]
    assert study.margin_of("scores", "margin_mean") == 2.0
    assert "#   skill_depth " in text


def test_the_page_about_studies_shows_a_file_that_can_be_played() -> None:
    page = Path("docs/studies.md").read_text()
    study = parse_study(page.partition("```toml\n")[2].partition("```")[0], "docs")
    assert study.name == "king"
