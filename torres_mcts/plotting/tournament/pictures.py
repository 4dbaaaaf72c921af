"""All pictures of a tournament by name."""

from collections.abc import Callable, Iterable

from torres_mcts.plotting.pictures.frame import Picture
from torres_mcts.plotting.pictures.listing import draw_applicable
from torres_mcts.plotting.tournament import budget, convergence, cross, ratings, scores, seats, superiority
from torres_mcts.plotting.tournament.findings import Findings

PICTURES: dict[str, Callable[[Findings], Picture]] = {
    "ratings": ratings.picture,
    "cross": cross.picture,
    "superiority": superiority.picture,
    "scores": scores.picture,
    "seats": seats.picture,
    "convergence": convergence.picture,
    "budget": budget.picture,
}


def list_pictures(
    findings: Findings, names: Iterable[str] = PICTURES, *, see: Callable[[str], None] = lambda name: None
) -> tuple[list[Picture], list[str]]:
    """Return the pictures that apply to a run, and for each other one why it does not."""
    return draw_applicable(findings, PICTURES, names, see)
