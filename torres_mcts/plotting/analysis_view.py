"""Show a report as text for a terminal: the answer first, then the board, the other turns and what is hidden."""

import math
import textwrap
from collections.abc import Mapping

from rich.cells import cell_len, set_cell_size
from rich.console import Group
from rich.text import Text

from torres_mcts.analysis.report import Estimate, Hand, PlayerOutlook, Report, Turn, is_clear
from torres_mcts.core.errors import printable
from torres_mcts.plotting.page.tables import chance
from torres_mcts.plotting.terminal import WIDTH, Livery, board_lines, board_text, fitted, liveries, side_text

LEAST_WIDTH, MOST_WIDTH = 60, 100
BAR_WIDTH, NAME_WIDTH = 12, 10
TIE = "\x1f"
SURE, LIKELY = 0.95, 0.75  # shares from which a claim is shown as sure, or as likely
PLAIN_SIGNS = str.maketrans({"━": "=", "╌": ".", "–": "-", "±": "~", "…": "~", "−": "-", "·": "|"})
SOURCE_WORDS = {"castles": "castles", "king": "the king", "master": "the master card", "actions": "action points"}
STOP_WORDS = {
    "running": "still thinking",
    "time": "time was up",
    "iterations": "all iterations done",
    "confidence": "sure enough",
    "proved": "proved",
    "listed": "every turn found was played to the end",
    "interrupted": "interrupted",
    "forced": "only one turn is possible",
}


def report_lines(report: Report, *, width: int = WIDTH, is_unicode: bool = True) -> Group:
    """Show a report in so many columns, in colour.

    is_unicode: whether the terminal has more than the signs of ASCII
    """
    return Group(*report_text(report, width, is_unicode))


def plain_report(report: Report, *, width: int = WIDTH, is_unicode: bool = True) -> str:
    """Write a report as plain text."""
    return "".join(f"{line.plain.rstrip()}\n" for line in report_text(report, width, is_unicode))


def report_text(report: Report, width: int, is_unicode: bool) -> list[Text]:
    """Write all parts of a report."""
    width = max(LEAST_WIDTH, min(width, MOST_WIDTH))
    names = (player["name"] for player in report.position["players"])
    marks = dict(zip(names, liveries(report.position), strict=True))
    lines = [
        *answer_text(report, width),
        Text(""),
        *position_text(report, width),
        Text(""),
        *standing_text(report, marks, width),
        *turns_text(report, width),
        *variation_text(report, marks, width),
        *hands_text(report, marks, width),
        *warnings_text(report, width),
        *audit_text(report, width),
        Text(""),
        *wrapped(settings_words(report), width, "", "dim"),
    ]
    for line in lines:
        line.truncate(width, overflow="ellipsis")
        if not is_unicode:
            line.plain = line.plain.translate(PLAIN_SIGNS)  # sign for sign, so that styles stay in place
    return lines


# The parts, from top to bottom.


def answer_text(report: Report, width: int) -> list[Text]:
    """Say who should play what, how good that is and how sure."""
    root = report.root
    player = printable(root.player)
    lines = []
    if report.engine.stopped_by == "interrupted":
        note = f" INTERRUPTED after {report.engine.seconds:.1f} s: what was found until then "
        lines.append(Text(fitted(note, width), "bold reverse yellow"))
    where = f"{player} to move, year {root.year}, round {root.round}, {root.ap} AP"
    lines.append(beside(where, "" if report.source is None else printable(report.source), width))
    if not report.turns:
        return [*lines, Text("no turn was judged", "bold")]
    best = report.turns[0]
    lines += wrapped(notation(best), width, "  ", "bold green", first="> ")
    lines += wrapped("; ".join(best.words), width, "  ")
    figures = (
        f"wins {percent(best.win.mean)} ({interval(best.win, 100)}), "
        f"margin {signed(best.margin.mean)} ± {half(best.margin):.1f}, "
        f"{best.year_points.mean:.1f} points this year"
    )
    lines += wrapped(figures, width, "  ", "bold")
    return [*lines, *wrapped(sure_words(report), width, "  ", sure_style(report))]


def position_text(report: Report, width: int) -> list[Text]:
    """Show the board with the players beside it, or below it where there is no room."""
    if width >= WIDTH:
        shown = board_lines(report.position).renderables
        return [line for line in shown if isinstance(line, Text)]
    return [*board_text(report.position), Text(""), *side_text(report.position, width)]


def standing_text(report: Report, marks: Mapping[str, Livery], width: int) -> list[Text]:
    """Write a line for each player: wins as a bar and a figure, points now and at the end."""
    is_wide = width >= WIDTH
    note = "after the best turn; 95 % intervals" + ("; spread of 9 games in 10" if is_wide else "")
    before = 7 + NAME_WIDTH + (BAR_WIDTH if is_wide else 0)
    legend = f"{'':{before}}{'wins':<22}{'now':<6}{'at the end':<14}{'spread' if is_wide else ''}"
    lines = [heading("HOW THEY STAND", note), Text(legend.rstrip(), "dim")]
    return lines + [player_line(player, marks[player.name], is_wide) for player in report.root.players]


def player_line(player: PlayerOutlook, livery: Livery, is_wide: bool) -> Text:
    """Write how one player stands."""
    line = Text("  ").append_text(mark(livery))
    line.append(" " + set_cell_size(fitted(livery.name, NAME_WIDTH - 1), NAME_WIDTH - 1), "bold")
    filled = round(max(0.0, min(1.0, player.win.mean)) * BAR_WIDTH)
    if is_wide:
        line.append("━" * filled, livery.colour).append("╌" * (BAR_WIDTH - filled), "dim")
    line.append(f"{percent(player.win.mean):>8}", "bold").append(f" ({interval(player.win, 100)})".ljust(14))
    final = player.final_score
    line.append(f"{player.score_now:>4}")
    line.append(f"{final.mean:>8.1f}", "bold").append(f" ± {half(final):<4.1f}")
    low, high = final.quantiles.get("5"), final.quantiles.get("95")
    return line if not is_wide or low is None or high is None else line.append(f"   {low:.0f}–{high:.0f}")


def turns_text(report: Report, width: int) -> list[Text]:
    """Write the turns, best first: figures, the actions, the same in words, where the points come from."""
    if not report.turns:
        return []
    root = report.root
    if root.turn_count is None:  # a solver need not list them
        counted = f"{root.considered:,} shown or asked for, the first proved best of all there are"
    else:
        all_words = "in all" if root.exhaustive else "found, not all"
        counted = f"{root.considered:,} tried of {root.turn_count:,} {all_words}"
    year = f"{'this year':>14}" if width >= WIDTH else ""
    legend = f"{'wins %':>13}{'margin':>12}{year}{'behind: wins %':>18}{'points':>9}  best"
    lines = [Text(""), heading("BEST TURNS", f"{counted}; ± for 95 %"), Text(legend, "dim")]
    for turn in report.turns:
        lines += turn_text(turn, width)
    return lines


def turn_text(turn: Turn, width: int) -> list[Text]:
    """Write one turn."""
    is_best = turn.rank == 1
    line = Text(f"{turn.rank:>2} ")
    line.append(f"{100 * turn.win.mean:>6.1f} ± {100 * half(turn.win):<4.1f}", "bold" if is_best else "")
    line.append(f"{signed(turn.margin.mean):>7} ± {half(turn.margin):<4.1f}")
    if width >= WIDTH:
        line.append(f"{turn.year_points.mean:>6.1f} ± {half(turn.year_points):<4.1f}")
    if is_best:
        line.append(f"{'–':>9}{'':13}")
    else:
        line.append(f"{100 * turn.win_behind_best.mean:>8.1f} ± {100 * half(turn.win_behind_best):<4.1f}")
        line.append(f"{turn.margin_behind_best.mean:>7.1f}")
    line.append(f"{chance(turn.best_probability):>7}", shade_of(turn.best_probability))
    tags = [word for word, is_so in _tags(turn).items() if is_so]
    line.append(" " + " ".join(tags) if tags else "", "bold magenta")
    lines = [line, *wrapped(notation(turn), width, "     ", "bold green" if is_best else "bold")]
    if not is_best:  # whose words stand at the top
        lines += wrapped("; ".join(turn.words), width, "     ", "dim")
    return lines + (wrapped(source_words(turn), width, "     ", "dim") if turn.goes_on else [])


def _tags(turn: Turn) -> dict[str, bool]:
    chosen = getattr(turn, "chosen_by_engine", False)
    return {"yours": turn.asked, "chosen": chosen, "proved": turn.status == "proved"}


def variation_text(report: Report, marks: Mapping[str, Livery], width: int) -> list[Text]:
    """Write the turns that may follow the best one."""
    if not report.turns or not report.turns[0].variation:
        return []
    lines = [Text(""), heading("WHAT MAY FOLLOW", "in one deal of the hidden cards")]
    for step in report.turns[0].variation:
        lines += beneath(Text("  ").append_text(mark(marks[step.player])), " ".join(step.actions), width)
    return lines


def hands_text(report: Report, marks: Mapping[str, Livery], width: int) -> list[Text]:
    """Write what each opponent may hold, and which of these cards would hurt."""
    hands = [hand for hand in report.hidden if hand.size]
    if not hands:
        return []
    is_weighed = any(abs(card.prior - card.posterior) >= 0.005 for hand in hands for card in hand.cards)
    note = "in brackets: before their plays were looked at" if is_weighed else "any deal equally likely"
    lines = [Text(""), heading("WHAT THEY MAY HOLD", note)]
    for hand in hands:
        lines += beneath(Text("  ").append_text(mark(marks[hand.player])), hand_words(hand), width)
        hurting = [
            f"{card.card} (wins −{100 * card.harm.mean:.1f} ± {100 * half(card.harm):.1f} %)"
            for card in hand.cards
            if card.harm is not None and is_clear(card.harm)
        ]
        if hurting:
            lines += wrapped(f"would hurt: {', '.join(hurting)}", width, " " * 6, "red")
        telling = [
            f"{card.card} (wins +{100 * card.worth_knowing.mean:.1f} ± {100 * half(card.worth_knowing):.1f} %)"
            for card in hand.cards
            if card.worth_knowing is not None and is_clear(card.worth_knowing)
        ]
        if telling:
            lines += wrapped(f"worth knowing: {', '.join(telling)}", width, " " * 6)
    return lines


def warnings_text(report: Report, width: int) -> list[Text]:
    """Write what the reader should know."""
    lines = [line for words in report.warnings for line in wrapped(words, width, "  ", "yellow", first="! ")]
    return [Text(""), *lines] if lines else []


def audit_text(report: Report, width: int) -> list[Text]:
    """Say what became of the audit, if there was one."""
    if report.audit is None:
        return []
    found = report.audit
    again = f"hidden cards dealt anew {found.get('permutations')} times, {found.get('iterations')} iterations each"
    is_clean = bool(found.get("clean"))
    words = f"AUDIT {again}: {'the answer stayed the same' if is_clean else 'THE ANSWER CHANGED'}"
    return [Text(""), *wrapped(words, width, "  ", "bold green" if is_clean else "bold red")]


# Words and figures.


def settings_words(report: Report) -> str:
    """Say how the answer was found."""
    engine = report.engine
    given = [f"{name} {value:g}" for name, value in engine.limit.items() if isinstance(value, int | float)]
    seen = "every card of the file" if report.root.viewpoint is None else f"what {report.root.viewpoint} knows"
    return printable(
        f"torres-mcts {engine.version}, {engine.name}, seed {engine.seed}, "
        f"{engine.threads} thread{'s' * (engine.threads != 1)}, {', '.join(given)}, from {seen}: "
        f"{engine.iterations:,} iterations in {engine.seconds:.1f} s ({engine.iterations_per_second:,.0f} a second), "
        f"{STOP_WORDS[engine.stopped_by]}; {engine.playouts}"
    )


def sure_words(report: Report) -> str:
    """Say how sure it is that the best turn is the best."""
    best = report.turns[0]
    if best.status == "proved":
        return "proved: no turn is better"
    if report.root.considered == 1:
        return "the only turn that was judged"
    if report.rests_on_outlook:
        return "best of all tried by the outlook; playouts end here all alike, so how sure that is they cannot tell"
    sure, second = f"best of all tried with {chance(best.best_probability)}", report.second
    if second is None:
        return sure
    share = better_than(second)
    if share is None:
        return "the second does just as well in every sample"
    return f"better than the second with {chance(share)}, {sure}"


def better_than(turn: Turn) -> float | None:
    """Return how sure the best turn is better than this one; None if they never differed."""
    for behind in (turn.win_behind_best, turn.margin_behind_best):
        if behind.se > 0:
            return 0.5 * (1 + math.erf(behind.mean / behind.se / math.sqrt(2)))
        if behind.mean:
            return float(behind.mean > 0)
    return None


def sure_style(report: Report) -> str:
    """Return the style of the claim that the best turn is the best."""
    best, second = report.turns[0], report.second
    if report.root.considered == 1 or best.status == "proved":
        return "green"
    if report.rests_on_outlook:
        return shade_of(LIKELY)
    return shade_of(best.best_probability if second is None else better_than(second) or 0.0)


def shade_of(share: float) -> str:
    """Return the style of a claim that holds with this share."""
    return "green" if share >= SURE else "yellow" if share >= LIKELY else "dim"


def source_words(turn: Turn) -> str:
    """Say what the points of this year come from."""
    parts = [f"{SOURCE_WORDS[name]} {points:g}" for name, points in turn.sources.model_dump().items() if points]
    return f"if the year ended then: {', '.join(parts)}" if parts else "no points if the year ended then"


def hand_words(hand: Hand) -> str:
    """Say what an opponent may hold."""
    held = [card.card for card in hand.cards if card.posterior >= 1 and card.card not in hand.known]
    sure = sorted([*hand.known, *held])
    shares: dict[str, list[str]] = {}  # cards that are equally likely, likeliest first
    for card in sorted(hand.cards, key=lambda card: -card.posterior):
        now, before = percent(card.posterior, 0), percent(card.prior, 0)
        if card.posterior >= 0.005 and card.card not in sure:
            shares.setdefault(now if now == before else f"{now} ({before})", []).append(card.card)
    known = [f"surely {' '.join(sure)}"] if sure else []
    maybe = [f"{share}{' each' * (len(cards) > 1)} {' '.join(sorted(cards))}" for share, cards in shares.items()]
    return "; ".join([f"{hand.size} card{'s' * (hand.size != 1)}", *known, *maybe])


def notation(turn: Turn) -> str:
    """Write the actions of a turn; dots where it goes on after a draw."""
    return " ".join(turn.actions) + (" …" if turn.goes_on else "")


def percent(share: float, digits: int = 1) -> str:
    """Write a share.

    >>> percent(0.6125), percent(0.97, 0)
    ('61.3 %', '97 %')
    """
    return f"{round(100 * share + 1e-9, digits):.{digits}f} %"


def signed(points: float) -> str:
    """Write a difference of points with its sign.

    >>> signed(3.25), signed(-0.01)
    ('+3.2', '+0.0')
    """
    return f"{round(points, 1) + 0.0:+.1f}"


def half(estimate: Estimate) -> float:
    """Return half the width of the 95 % interval."""
    return (estimate.ci95[1] - estimate.ci95[0]) / 2


def interval(estimate: Estimate, scale: float = 1) -> str:
    """Write the 95 % interval."""
    low, high = (scale * end for end in estimate.ci95)
    return f"{low:.1f}–{high:.1f}"


# Lines.


def heading(title: str, note: str) -> Text:
    """Write the title of a part."""
    return Text(title, "bold cyan").append(f"  {note}", "not bold dim")


def mark(livery: Livery) -> Text:
    """Write the letter of a player on the player's colour."""
    return Text(f" {livery.letter} ", f"bold {livery.ink} on {livery.colour}")


def beside(left: str, right: str, width: int) -> Text:
    """Write two texts at the two ends of a line; the right one gives way."""
    left = fitted(left, width)
    room = width - cell_len(left) - 2
    if room < 8 or not right:
        return Text(left, "bold")
    if cell_len(right) > room:
        right = "…" + right[-(room - 1) :]  # the end of a path says most
    return Text(left, "bold").append(" " * (width - cell_len(left) - cell_len(right))).append(right, "dim")


def wrapped(words: str, width: int, indent: str, style: str = "", first: str | None = None) -> list[Text]:
    """Break words into lines; the first may begin with a mark of its own."""
    found = _break(printable(words), width - cell_len(indent))
    starts = [indent if first is None else first] + [indent] * len(found)
    return [Text(start + line, style) for start, line in zip(starts, found, strict=False)]


def beneath(start: Text, words: str, width: int) -> list[Text]:
    """Write words behind a mark, and below each other where they need more lines."""
    found = _break(printable(words), width - start.cell_len - 1) or [""]
    rest = [Text(" " * (start.cell_len + 1) + line) for line in found[1:]]
    return [start.append(" " + found[0]), *rest]


def _break(words: str, room: int) -> list[str]:
    whole = words.replace(" %", f"{TIE}%").replace("± ", f"±{TIE}")  # no break between a number and its sign
    return [line.replace(TIE, " ") for line in textwrap.wrap(whole, room, break_on_hyphens=False)]
