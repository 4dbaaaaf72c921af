"""All pictures of a study by name."""

from collections.abc import Callable, Iterable

from torres_mcts.plotting.pictures.frame import Picture
from torres_mcts.plotting.pictures.listing import draw_applicable
from torres_mcts.plotting.study import boards, cards, effects, seats, slices, sources, tornado, winning
from torres_mcts.plotting.study.findings import Findings

PICTURES: dict[str, Callable[[Findings], Picture]] = {
    "effects": effects.picture,
    "tornado": tornado.picture,
    "slices": slices.picture,
    "seats": seats.picture,
    "sources": sources.picture,
    "winning": winning.picture,
    "cards": cards.picture,
    "boards": boards.picture,
}


def list_pictures(
    findings: Findings, names: Iterable[str] = PICTURES, *, see: Callable[[str], None] = lambda name: None
) -> tuple[list[Picture], list[str]]:
    """Return the pictures that apply to a study, and for each other one why it does not."""
    return draw_applicable(findings, PICTURES, names, see)
