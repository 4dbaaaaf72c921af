"""The card-value forest: what each card is worth, by each way to ask."""

import math

from torres_mcts.games.torres.format.model import CARDS
from torres_mcts.plotting.pictures import marks
from torres_mcts.plotting.pictures.frame import BLUE, QUIET, TEXT_SIZE, Picture, Sheet, Table
from torres_mcts.plotting.pictures.listing import LeftOutError
from torres_mcts.plotting.study.findings import Findings
from torres_mcts.studies.metrics import METRICS
from torres_mcts.studies.statistics.differences import compare
from torres_mcts.studies.variants import BASE
from torres_mcts.tournaments.statistics.estimates import Estimate

ROW, AXIS_ROOM, TITLE_ROOM = 0.34, 0.5, 0.3  # inches
PLOT_WIDTH, GAP = 2.5, 0.4
TITLES = {"dealt": "offered first", "swing": "in the turn it is played", "without": "to have it or not"}
UNITS = {"dealt": "rank points in %", "swing": "win probability in %", "without": "rank points in %"}
MEANINGS = {
    "dealt": "Offered first: what it is worth that chance puts the card before a player first, against the mean card.",
    "swing": "Played: how much more the player's win probability rises in a turn with the card than without any.",
    "without": "To have it or not: the same deals with and without the card for one seat.",
}
CAPTION = (
    "Base rules. Mark: worth of the card, in percent; line: 95 % interval over deals (blocks). {} No single number is "
    "the value of a card: these are different questions."
)
Values = dict[str, dict[str, Estimate]]  # by way to ask, then by card; in percent


def picture(findings: Findings) -> Picture:
    """Return the forest, a panel for each way to ask."""
    values = card_values(findings)
    if not values:
        raise LeftOutError("cards: the games that count tell nothing of the worth of cards")
    cards = ordered_cards(values)
    left = marks.name_room(cards)
    meanings = " ".join(MEANINGS[way] for way in values)

    def draw(sheet: Sheet) -> None:
        for number, (way, found) in enumerate(values.items()):
            axes = sheet.axes(left + number * (PLOT_WIDTH + GAP), AXIS_ROOM, PLOT_WIDTH, ROW * len(cards))
            scale = marks.scale_for(found.values(), least=1.0)
            marks.clear_rows(axes, len(cards), scale)
            axes.axvline(0, color=QUIET, linewidth=1, zorder=2)
            if not number:
                marks.write_names(axes, cards)
            for row, card in enumerate(cards):
                if card in found:
                    marks.draw_interval(axes, row, found[card], scale, BLUE)
            marks.mark_scale(axes, scale, 5)
            axes.set_xlabel(UNITS[way])
            axes.set_title(TITLES[way], size=TEXT_SIZE, color=QUIET, loc="left", pad=6)

    return Picture(
        name="cards",
        title="What the cards are worth",
        caption=CAPTION.format(meanings),
        width=left + len(values) * (PLOT_WIDTH + GAP),
        height=ROW * len(cards) + AXIS_ROOM + TITLE_ROOM,
        draw=draw,
        table=Table(
            ("way", "card", "percent", "low", "high"),
            [(way, card, one.mean, one.low, one.high) for way, found in values.items() for card, one in found.items()],
        ),
    )


def ordered_cards(values: Values) -> list[str]:
    """Return the cards that have a value, the best by the first way to ask on top."""
    first = next(iter(values.values()))
    known = [card for card in CARDS if any(card in found for found in values.values())]
    return sorted(known, key=lambda card: -first[card].mean if card in first else math.inf)


def card_values(findings: Findings) -> Values:
    """Return what cards are worth by each way to ask that has an answer."""
    if BASE not in findings.blocks:
        return {}
    values = {
        "dealt": findings.measure("card_dealt", BASE),
        "swing": findings.measure("card_swing", BASE),
        "without": without_card(findings),
    }
    percents = {
        way: {card: scaled(one, 100.0) for card, one in found.items() if math.isfinite(one.mean)}
        for way, found in values.items()
    }
    return {way: found for way, found in percents.items() if found}


def without_card(findings: Findings) -> dict[str, Estimate]:
    """Return what a seat loses of its rank points without each card that the study takes from it."""
    found = {}
    for variant in findings.run.study.variants:
        if variant.blank is not None and variant.name in findings.blocks:
            seat, card = variant.blank
            differences = compare(METRICS["seats"].measure, *findings.pair(variant.name))
            if label := next((label for label in differences if label == f"seat{seat + 1}_points"), None):
                found[card] = scaled(differences[label].change, -1.0)
    return found


def scaled(one: Estimate, factor: float) -> Estimate:
    """Return an estimate in another unit, or with its sign turned.

    >>> print(scaled(Estimate(0.5, 0.1, 0.25, 1.0), -2))
    -1.000 [-2.000, -0.500]
    """
    low, high = sorted((factor * one.low, factor * one.high))
    return Estimate(factor * one.mean, abs(factor) * one.se, low, high)
