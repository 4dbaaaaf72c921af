"""What the reader of a report should know."""

from collections.abc import Sequence

from torres_mcts.analysis.answer.hidden import Knowledge
from torres_mcts.analysis.answer.settings import Settings
from torres_mcts.analysis.report import Root, Turn
from torres_mcts.games.torres.rules import Rules

FEW_WORLDS = 20


def list_warnings(
    knowledge: Knowledge, settings: Settings, root: Root, turns: Sequence[Turn], *, exact: bool, stopped_by: str | None
) -> list[str]:
    """List what the reader of a report should know."""
    view, found = knowledge.view, []
    if knowledge.omniscient:
        found.append("omniscient: hidden cards of the file were used; no player could know this")
        if not view.is_known:
            found.append("the file itself hides cards; those were dealt at random")
    elif (
        knowledge.observer != root.player
        and view.phase == "turn"
        and view.state["hidden_in_hand"][int(view.state["to_move"])]
    ):
        found.append(
            f"the hand of {root.player} is hidden from {knowledge.observer}: turns with unknown cards are left out"
        )
    if stopped_by == "interrupted":
        found.append("interrupted: this is what was known by then")
    if not root.exhaustive and root.turn_count is not None:
        found.append(f"there are too many turns to list all: {root.turn_count:,} were found by a beam")
    if not exact and stopped_by != "forced":
        if turns[0].visits < FEW_WORLDS and not knowledge.is_certain:
            found.append(f"few worlds: the best turn was tried in {turns[0].visits} only")
        elif turns[0].win.se == 0 and turns[0].visits > 1:
            found.append("all worlds lead to the same: the intervals do not show the error of the outlook itself")
        found += [words for turn in turns if turn.rank == 2 for words in warn_of_second(turn)]
    for turn in turns:
        if turn.chosen_by_engine and turn.rank > 1:
            found.append(f"{settings.name} chose the turn ranked {turn.rank}, not the first")
    plain = Rules.preset("2017", players=view.rules.players)
    if view.rules != plain:
        found.append("win probabilities were fitted to games of the 2017 rules; these rules differ")
    return found


def warn_of_second(second: Turn) -> list[str]:
    """Say why the second turn cannot be told from the first, by wins or, where these never differ, by the margin."""
    for behind in (second.win_behind_best, second.margin_behind_best):
        if behind.mean or behind.se:
            small = behind.ci95[0] <= 0
            return ["the limit was too small to separate the first two turns"] if small else []
    return ["the first two turns lead to the same in every world: more time will not separate them"]
