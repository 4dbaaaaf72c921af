"""Show the review of a game as text for a terminal: the costliest turns first, then sums, then every turn."""

from collections.abc import Mapping

from rich.cells import set_cell_size
from rich.console import Group
from rich.text import Text

from torres_mcts.analysis.review_report import Review, ReviewTurn, TurnPart, Worth
from torres_mcts.core.errors import printable
from torres_mcts.plotting.analysis_view import PLAIN_SIGNS, beside, half, heading, mark, signed, wrapped
from torres_mcts.plotting.terminal import WIDTH, Livery, fitted, liveries

LEAST_WIDTH, MOST_WIDTH = 72, 120
NAME_WIDTH = 8
BAD, POOR = 0.10, 0.03  # losses of win probability from which a turn is shown as bad, or as poor
VIEW_NOTE = "Each turn is judged from what its player knew then. Wins after a turn are as that player saw them."


def review_lines(review: Review, *, width: int = WIDTH, is_unicode: bool = True) -> Group:
    """Show a review in so many columns, in colour."""
    return Group(*review_text(review, width, is_unicode))


def plain_review(review: Review, *, width: int = WIDTH, is_unicode: bool = True) -> str:
    """Write a review as plain text."""
    return "".join(f"{line.plain.rstrip()}\n" for line in review_text(review, width, is_unicode))


def review_text(review: Review, width: int, is_unicode: bool) -> list[Text]:
    """Write all parts of a review."""
    width = max(LEAST_WIDTH, min(width, MOST_WIDTH))
    marks = worn_in(review)
    lines = [
        *title_text(review, width),
        *costliest_text(review, marks, width),
        *sums_text(review, marks),
        *turns_text(review, marks, width),
        Text(""),
        *wrapped(f"{VIEW_NOTE} {settings_words(review)}", width, "", "dim"),
    ]
    for line in lines:
        line.truncate(width, overflow="ellipsis")
        if not is_unicode:
            line.plain = line.plain.translate(PLAIN_SIGNS)
    return lines


def worn_in(review: Review) -> dict[str, Livery]:
    """Return what each player wears."""
    worn = liveries({"players": [{"name": name} for name in review.players]})
    return dict(zip(review.players, worn, strict=True))


def title_text(review: Review, width: int) -> list[Text]:
    """Say what game it is and how it ended."""
    lines = []
    if review.interrupted:
        note = f" INTERRUPTED after {review.engine.seconds:.1f} s: the turns judged until then "
        lines.append(Text(fitted(note, width), "bold reverse yellow"))
    lines.append(beside(result_words(review), "" if review.source is None else printable(review.source), width))
    return lines


def result_words(review: Review) -> str:
    """Say how the game ended."""
    points = ", ".join(f"{printable(name)} {score}" for name, score in review.result.scores.items())
    return f"{'final points' if review.result.is_over else 'points so far'}: {points}"


def costliest_text(review: Review, marks: Mapping[str, Livery], width: int) -> list[Text]:
    """Write the costliest turns: what was played and what would have been better."""
    turns = [turn for number in review.costliest for turn in review.turns if turn.number == number]
    if not turns:
        return []
    lines = [Text(""), heading("COSTLIEST TURNS", "loss against the best found; ± for 95 %")]
    for turn in turns:
        part = costliest_part(turn)
        if turn.loss is None or part.loss is None:
            continue  # never: only turns with a loss are costly
        line = Text(f"{turn.number:>3} ").append_text(mark(marks[turn.player]))
        line.append(f" {printable(turn.player)}, {when(turn)}: ", "bold")
        line.append(f"−{loss_words(turn.loss)} %, −{turn.loss.margin.mean:.1f} points", style_of(turn.loss))
        lines.append(line)
        if len(turn.parts) > 1:
            share = f"of it −{100 * part.loss.win.mean:.1f} % in part {turn.parts.index(part) + 1} of {len(turn.parts)}"
            lines += wrapped(f"{share} (a draw ends a part)", width, "      ", "dim")
        lines += wrapped("played  " + notation(part.actions, part.draws), width, " " * 14, first=" " * 6)
        lines += wrapped("better  " + notation(part.best or [], False), width, " " * 14, "green", first=" " * 6)
    return lines


def sums_text(review: Review, marks: Mapping[str, Livery]) -> list[Text]:
    """Write what each player lost and what luck the player had."""
    lines = [Text(""), heading("SUMS", "over all turns judged; ± for 95 %")]
    lines.append(Text(f"{'':14}turns   loss: wins %   points  draws   luck: wins %   points", "dim"))
    for total in review.sums:
        line = Text("  ").append_text(mark(marks[total.player]))
        line.append(" " + set_cell_size(fitted(printable(total.player), NAME_WIDTH), NAME_WIDTH), "bold")
        line.append(f"{total.turns:>5}{worth_words(total.loss, is_signed=False)}")
        line.append(f"{total.draws:>7}{worth_words(total.luck, is_signed=True)}")
        lines.append(line)
    return lines


def worth_words(worth: Worth | None, *, is_signed: bool) -> str:
    """Write a difference in wins and points."""
    if worth is None:
        return f"{'–':>9}{'':15}"
    sign = "+" if is_signed else ""
    wins, points = f"{100 * worth.win.mean:{sign}.1f}", f"{worth.margin.mean:{sign}.1f}"
    return f"{wins:>9} ± {100 * half(worth.win):<4.1f}{points:>8}"


def turns_text(review: Review, marks: Mapping[str, Livery], width: int) -> list[Text]:
    """Write a line for every turn."""
    lines = [Text(""), heading("ALL TURNS", "loss, luck, wins in %; when: year.round; | is a draw")]
    lines.append(Text("  #     player   when        loss points          luck   wins  played", "dim"))
    return lines + [turn_line(turn, marks[turn.player], width) for turn in review.turns]


def turn_line(turn: ReviewTurn, livery: Livery, width: int) -> Text:
    """Write one turn."""
    line = Text(f"{turn.number:>3} ").append_text(mark(livery))
    line.append(" " + set_cell_size(fitted(livery.name, NAME_WIDTH), NAME_WIDTH))
    line.append(f" {turn.year}.{turn.round} ")
    if turn.loss is None:
        line.append(f"{turn.status:>12}{'':8}", "dim")
    else:
        line.append(f"{loss_words(turn.loss):>13}", style_of(turn.loss)).append(f"{turn.loss.margin.mean:>7.1f}")
    luck = "" if turn.luck is None else f"{signed(100 * turn.luck.win.mean)} ± {100 * half(turn.luck.win):.1f}"
    wins = "" if turn.wins is None else f"{100 * turn.wins[turn.player].mean:.1f}"
    line.append(f"{luck:>14}{wins:>7}  ")
    return line.append(fitted(printable(played_words(turn)), max(8, width - line.cell_len)), "dim")


# Words.


def costliest_part(turn: ReviewTurn) -> TurnPart:
    """Return the part of a turn that lost most."""
    judged = [part for part in turn.parts if part.loss is not None]
    return max(judged, key=lambda part: (part.loss.win.mean, part.loss.margin.mean) if part.loss else (0.0, 0.0))


def when(turn: ReviewTurn) -> str:
    """Say when a turn was played."""
    moment = f"year {turn.year}, round {turn.round}"
    return moment if turn.phase in ("turn", "keep") else f"{moment}, {turn.phase}"


def loss_words(worth: Worth) -> str:
    """Write a loss of wins."""
    return f"{100 * worth.win.mean:.1f} ± {100 * half(worth.win):.1f}"


def style_of(worth: Worth) -> str:
    """Return the style of a loss."""
    return "bold red" if worth.win.mean >= BAD else "yellow" if worth.win.mean >= POOR else "green"


def notation(actions: list[str], draws: bool) -> str:
    """Write actions; dots where the turn goes on after a draw."""
    return " ".join(actions) + (" …" if draws or actions[-1:] == ["buy"] else "")


def played_words(turn: ReviewTurn) -> str:
    """Write the whole turn, its parts divided."""
    return " | ".join(" ".join(part.actions) for part in turn.parts)


def settings_words(review: Review) -> str:
    """Say how the review was made."""
    engine = review.engine
    given = ", ".join(f"{name} {value:g}" for name, value in engine.limit.items())
    return printable(
        f"torres-mcts {engine.version}, {engine.name}, seed {engine.seed}, {engine.threads} "
        f"thread{'s' * (engine.threads != 1)}, for each part of a turn {given}: {engine.iterations:,} iterations in "
        f"{engine.seconds:.0f} s; {engine.playouts}. The best is the best of those tried, so a loss may be greater."
    )
