"""All pictures of a tournament by name."""

from collections.abc import Callable, Iterable

from torres_mcts.plotting.tournament import budget, convergence, cross, ratings, scores, seats, superiority
from torres_mcts.plotting.tournament.findings import Findings, LeftOutError
from torres_mcts.plotting.tournament.frame import Picture, render

PICTURES: dict[str, Callable[[Findings], Picture]] = {
    "ratings": ratings.picture,
    "cross": cross.picture,
    "superiority": superiority.picture,
    "scores": scores.picture,
    "seats": seats.picture,
    "convergence": convergence.picture,
    "budget": budget.picture,
}


def list_pictures(findings: Findings, names: Iterable[str] = PICTURES) -> tuple[list[Picture], list[str]]:
    """Return the pictures that apply to a run, and for each other one why it does not."""
    found, reasons = [], []
    for name in names:
        try:
            found.append(PICTURES[name](findings))
        except LeftOutError as reason:
            reasons.append(str(reason))
    return found, reasons


def render_all(findings: Findings, pictures: Iterable[Picture]) -> dict[str, bytes]:
    """Return the files of pictures by name."""
    files: dict[str, bytes] = {}
    for picture in pictures:
        files |= render(picture, findings.footer)
    return files
