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


def list_pictures(
    findings: Findings, names: Iterable[str] = PICTURES, *, see: Callable[[str], None] = lambda name: None
) -> tuple[list[Picture], list[str]]:
    """Return the pictures that apply to a run, and for each other one why it does not.

    see: called with the name of each before it is worked out
    """
    found, reasons = [], []
    for name in names:
        see(name)
        try:
            found.append(PICTURES[name](findings))
        except LeftOutError as reason:
            reasons.append(str(reason))
    return found, reasons


def render_all(
    findings: Findings, pictures: Iterable[Picture], *, see: Callable[[str], None] = lambda name: None
) -> dict[str, bytes]:
    """Return the files of pictures by name.

    see: called with the name of each before it is drawn
    """
    files: dict[str, bytes] = {}
    for picture in pictures:
        see(picture.name)
        files |= render(picture, findings.footer)
    return files
