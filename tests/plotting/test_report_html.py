"""Tests of the report's page: one valid file, complete, safe with any name, always the same."""

import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from tests.plotting.full_report import TURNS, estimate, full_report
from torres_mcts.analysis.report import Maps, Report
from torres_mcts.plotting.page.markup import VOID
from torres_mcts.plotting.page.players import round_step, score_scale
from torres_mcts.plotting.report_html import write_html

EVIL = "<script>alert('1')</script>\"&"


class Outline(HTMLParser):
    """Check that elements are closed in order, and collect what is in the page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] not in (["script"], ["style"]):
            self.texts.append(data)

    def having(self, tag: str, **wanted: str) -> list[dict[str, str | None]]:
        """List the attributes of elements that have these."""
        return [
            attributes
            for name, attributes in self.tags
            if name == tag and all(attributes.get(key) == value for key, value in wanted.items())
        ]


@pytest.fixture(scope="module")
def page() -> str:
    return write_html(full_report())


@pytest.mark.parametrize("name", TURNS)
def test_the_page_is_well_formed(name: str) -> None:
    outline = Outline(write_html(full_report(name)))
    names = [attributes["id"] for _, attributes in outline.tags if "id" in attributes]
    assert len(names) == len(set(names))
    for attributes in outline.having("section"):
        assert attributes["aria-labelledby"] in names
    targets = {str(attributes.get("href", ""))[1:] for attributes in outline.having("a")} - {""}
    assert targets <= set(names)


def test_every_element_of_a_table_row_has_its_column(page: str) -> None:
    for table in re.findall("<table.*?</table>", page):
        rows = ElementTree.fromstring(table).findall(".//tr")
        assert len({len(row) for row in rows}) == 1


def test_the_page_needs_nothing_else(page: str) -> None:
    addresses = set(re.findall(r"https?://[^\"'\s<>]*", page))
    assert addresses == {"http://www.w3.org/2000/svg"}
    outline = Outline(page)
    loading = [
        attributes
        for tag, attributes in outline.tags
        if tag in ("link", "img", "iframe", "object", "embed") or "src" in attributes
    ]
    assert loading == []
    assert "@import" not in page
    assert "url(" not in page
    policy = outline.having("meta", **{"http-equiv": "Content-Security-Policy"})[0]["content"]
    assert str(policy).startswith("default-src 'none'")


def test_every_turn_has_a_board_and_so_have_position_and_maps(page: str) -> None:
    report = full_report()
    outline = Outline(page)
    labels = [str(attributes["aria-label"]) for attributes in outline.having("svg", role="img")]
    for turn in report.turns:
        wanted = 2 if turn.rank == 1 else 1  # the best is at the top of the page as well
        assert sum(label.startswith(f"Board after turn {turn.rank}:") for label in labels) == wanted
    assert len(labels) == len(report.turns) + 1 + 1 + 3
    assert {attributes["id"] for attributes in outline.having("article")} == {
        f"turn-{turn.rank}" for turn in report.turns
    }


def test_the_page_says_what_the_report_says(page: str) -> None:
    words = " ".join(" ".join(Outline(page).texts).split())
    report = full_report()
    for warning in report.warnings:
        assert warning in words
    for card in report.hidden[0].cards:
        assert card.card in words
    for wanted in (
        "58.2 %",
        "55.7 to 60.7",
        "−1.3",
        "−2.3 to −0.3",
        "86 %",
        "31.2",
        "your turn",
        "goes on after the draw",
        "227,104 distinct",
    ):
        assert wanted in words
    for wanted in ("24 castles", "5 king", "0123456789abcdef", "the time was up", "what blue knows", "seed 7"):
        assert wanted in words


def test_names_cannot_become_markup() -> None:
    report = full_report(rename={"blue": EVIL, "red": "\u202e\x1b"}, warnings=[EVIL], source=f"/tmp/{EVIL}.json")
    page = write_html(report)
    assert "<script>alert" not in page
    assert "\u202e" not in page
    assert "\x1b" not in page
    outline = Outline(page)
    assert len(outline.having("script")) == 2
    assert any(EVIL in text for text in outline.texts)


def test_the_reports_json_is_in_the_page() -> None:
    report = full_report(rename={"blue": EVIL})
    page = write_html(report)
    text = re.findall(r'<script type="application/json" id="report">(.*?)</script>', page)[0]
    assert not set("<>&") & set(text)
    assert Report.model_validate(json.loads(text)) == report


def test_the_same_report_gives_the_same_page(page: str) -> None:
    assert write_html(full_report()) == page


def test_a_report_with_little_in_it_has_a_page_too() -> None:
    empty = [[0.0] * 8 for _ in range(8)]
    report = full_report(
        hidden=[], turns=[], warnings=[], maps=Maps(height=empty, own_knight=empty, other_knight=empty), source=None
    )
    page = write_html(report)
    Outline(page)
    assert "No turn was tried." in page
    assert 'id="hidden"' not in page
    assert 'id="warnings"' not in page


def test_where_nothing_varies_no_certainty_is_claimed() -> None:
    report = full_report()
    first = report.turns[0].model_copy(update={"win": report.turns[0].win.model_copy(update={"mean": 0.7, "se": 0.0})})
    page = write_html(report.model_copy(update={"turns": [first, *report.turns[1:]]}))
    assert "By the outlook it is the best" in page
    assert "By the outlook it is the best" not in write_html(report)


def test_one_turn_alone_is_compared_with_none() -> None:
    first = full_report().turns[0]
    root = full_report().root.model_copy(update={"considered": 1})
    assert "No other turn was tried." in write_html(full_report(turns=[first], root=root))
    one_of_many = write_html(full_report(turns=[first]))
    assert "turns tried with a probability of 86 %" in one_of_many
    assert "the second" not in one_of_many
    proved = first.model_copy(update={"status": "proved"})
    assert "This is proved" in write_html(full_report(turns=[proved]))


def test_a_second_turn_that_is_as_good_is_said_to_be() -> None:
    first, second, *_ = full_report().turns
    close = second.model_copy(update={"win_behind_best": estimate(0.002, 0.01)})
    assert "more points than the second" in write_html(full_report(turns=[first, close]))
    same = close.model_copy(update={"margin_behind_best": estimate(0.1, 0.3)})
    assert "told apart from it yet" in write_html(full_report(turns=[first, same]))


def test_the_scale_of_scores_is_round_and_holds_them_all() -> None:
    players = full_report("four-players").root.players
    low, high = score_scale(players)
    values = [value for player in players for value in player.final_score.quantiles.values()]
    assert low <= min(values)
    assert high >= max(values)
    assert low % round_step(high - low) in (0, low)
    flat = players[0].model_copy(
        update={"score_now": 5, "final_score": players[0].final_score.model_copy(update={"mean": 5.0, "quantiles": {}})}
    )
    assert score_scale([flat])[0] <= 5 <= score_scale([flat])[1]


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour such as #fbfaf6."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_all_words_have_enough_contrast(theme: str, page: str) -> None:
    blocks = re.findall(r"color-scheme: (\w+);(.*?)}", page, re.DOTALL)
    colours = next(dict(re.findall(r"--([\w-]+): (#\w{6});", block)) for name, block in blocks if name == theme)
    for ink in ("ink", "quiet", "accent", "link"):
        for ground in ("paper", "card"):
            assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
    assert contrast(colours["accent"], colours["accent-soft"]) >= 4.5
    assert contrast(colours["ink"], colours["warn"]) >= 4.5
    for ground in ("heat", "field", "field-odd"):
        assert contrast(colours["ink"], colours[ground]) >= 4.5, ground
    assert contrast(colours["fill"], colours["track"]) >= 3


def test_an_estimate_that_never_varies_is_not_shown_as_certain() -> None:
    first = full_report().turns[0].model_copy(update={"win": estimate(0.53, 0.0)})
    assert "how well the engine judges what follows is not part of it" in write_html(full_report(turns=[first]))


def test_cards_that_nobody_has_judged_have_no_empty_columns() -> None:
    hand = full_report().hidden[0]
    page = write_html(full_report(hidden=[hand.model_copy(update={"cards": [hand.cards[-1]]})]))
    assert "wins if held" not in page
    assert "before play" in page
