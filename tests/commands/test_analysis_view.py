"""The report for people: the answer first, 80 columns, readable without colours and with ASCII alone."""

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from tests.commands.sample_report import FOUR_PLAYERS, MIDDLE_GAME, estimate, sample_report, turn
from torres_mcts.plotting.analysis_view import better_than, hand_words, plain_report, report_lines


@pytest.mark.parametrize("file", [MIDDLE_GAME, FOUR_PLAYERS])
@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_no_line_is_wider_than_the_terminal(file, width):
    lines = plain_report(sample_report(file), width=width).splitlines()
    assert max(cell_len(line) for line in lines) <= width


def test_the_answer_comes_first():
    lines = plain_report(sample_report()).splitlines()
    assert lines[0].startswith("blue to move, year 2, round 2, 5 AP")
    assert lines[1] == "> card:climb:e6-e5 block:e4 block:f7 move:e7-f7 score end"
    head = "\n".join(lines[:7])
    assert "wins 61.2 % (58.8–63.6), margin +4.3 ± 0.8, 18.2 points this year" in head
    assert "better than the second with 98 %, best of all tried with 94 %" in head


def test_every_part_is_there():
    text = plain_report(sample_report())
    for words in (
        "if the year ended then: castles 12, the king 5, action points 1",
        "48 tried of 227,104 in all",
        "block:e5 buy …",
        "<1 % yours",
        "   R  card:climb:g5-h5 block:h6",
        "3 cards; surely under; 41 % (30 %) climb; 30 % jump",
        "would hurt: climb (wins −6.0 ± 3.5 %)",
        "! the budget is too small",
        "torres-mcts 0.1.0, turns, seed 0, 2 threads, time 10, from what blue knows",
        "123,456 iterations in 10.0 s (12,321 a second), time was up",
    ):
        assert words in text, words


def test_an_interrupted_analysis_says_so_first():
    report = sample_report()
    engine = report.engine.model_copy(update={"stopped_by": "interrupted", "seconds": 2.3})
    text = plain_report(report.model_copy(update={"engine": engine}))
    assert text.startswith(" INTERRUPTED after 2.3 s")


def test_where_nothing_varies_no_certainty_is_claimed():
    first = turn(1, "score end", "score a point; end", 0, win=estimate(0.7, 0))
    second = turn(2, "block:e5 end", "build; end", 0.1, win=estimate(0.6, 0), win_behind_best=estimate(0.1, 0))
    text = plain_report(sample_report(turns=[first, second]))
    assert "best of all tried by the outlook" in text
    assert "better than the second with" not in text
    won = turn(1, "score end", "score a point; end", 0, win=estimate(1, 0))
    assert "by the outlook" not in plain_report(sample_report(turns=[won]))


def test_a_proved_turn_and_an_only_turn_are_called_so():
    proved = turn(1, "score end", "score a point; end", 0, status="proved")
    assert "proved: no turn is better" in plain_report(sample_report(turns=[proved]))
    root = sample_report().root.model_copy(update={"considered": 4, "turn_count": None})
    assert "4 shown or asked for, the first proved best" in plain_report(sample_report(turns=[proved], root=root))
    only = turn(1, "score end", "score a point; end", 0)
    root = sample_report().root.model_copy(update={"considered": 1})
    assert "the only turn that was judged" in plain_report(sample_report(turns=[only], root=root))


def test_where_one_turn_is_shown_the_users_own_is_not_called_the_second():
    best, *_, own = sample_report().turns
    assert (best.rank, own.asked, own.rank) == (1, True, 4)
    for shown in ([best], [best, own]):
        text = plain_report(sample_report(turns=shown))
        assert "\n  best of all tried with 94 %\n" in text
        assert "the second" not in text.split("HOW THEY STAND")[0]


def test_how_sure_a_difference_is_comes_from_its_paired_error():
    assert better_than(turn(2, "end", "end", 0, win_behind_best=estimate(0.0196, 0.01))) == pytest.approx(
        0.975, abs=1e-3
    )
    same = turn(2, "end", "end", 0, win_behind_best=estimate(0, 0), margin_behind_best=estimate(0, 0))
    assert better_than(same) is None
    by_margin = turn(2, "end", "end", 0, win_behind_best=estimate(0, 0), margin_behind_best=estimate(3, 0))
    assert better_than(by_margin) == 1


def test_a_card_that_must_be_held_is_called_sure():
    (hand,) = sample_report().hidden
    climb = hand.cards[0].model_copy(update={"posterior": 1.0, "prior": 1.0})
    assert hand_words(hand.model_copy(update={"size": 2, "cards": [climb]})) == "2 cards; surely climb under"


def test_an_audit_is_told_in_a_line():
    clean = {"permutations": 3, "iterations": 200, "clean": True}
    words = "AUDIT hidden cards dealt anew 3 times, 200 iterations each: the answer stayed the same"
    assert words in " ".join(plain_report(sample_report(audit=clean)).split())
    assert "THE ANSWER CHANGED" in plain_report(sample_report(audit={**clean, "clean": False}))


def test_ascii_alone_is_enough():
    assert plain_report(sample_report(FOUR_PLAYERS), is_unicode=False).isascii()


def test_colours_change_no_letter():
    console = Console(file=io.StringIO(), width=80, force_terminal=True, color_system="truecolor", record=True)
    console.print(report_lines(sample_report()), soft_wrap=True)
    shown = console.export_text()
    assert "\n".join(line.rstrip() for line in shown.splitlines()) + "\n" == plain_report(sample_report())
