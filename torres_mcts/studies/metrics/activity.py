"""What players do and could do: legal actions, length, use of action points and cards."""

import math

from torres_mcts.studies.diary import KINDS, TurnLog
from torres_mcts.studies.metrics.metric import YEARS, Blocks, Values, games_of, mean, metric, quantile


def turns_of(blocks: Blocks) -> list[TurnLog]:
    """List the turns of all games."""
    return [turn for game in games_of(blocks) for turn in game.turns]


@metric(
    "Branching",
    unit="actions",
    definition="Legal actions: the mean over all decisions of a turn (`decision`; keeping a drawn card is not"
    " counted), at the beginning of a turn (`first`) and in each year, and the size of a turn's tree along the line"
    " played: the mean over turns of the sum of log10 of the legal actions (`log10_turn`).",
)
def branching(blocks: Blocks) -> Values:
    """Return `decision`, `first`, `log10_turn`, `year1`, `year2`, `year3`."""
    turns = [turn for turn in turns_of(blocks) if turn.legal]
    values = {
        "decision": mean(number for turn in turns for number in turn.legal),
        "first": mean(turn.legal[0] for turn in turns),
        "log10_turn": mean(sum(math.log10(number) for number in turn.legal) for turn in turns),
    }
    for year in YEARS:
        values[f"year{year}"] = mean(number for turn in turns if turn.year == year for number in turn.legal)
    return values


@metric(
    "Distinct turns",
    unit="turns",
    definition="Distinct turns, that is different results up to the first purchase, of one turn of each game, drawn"
    " at random: the `median`, and the share of turns whose results could all be counted (`counted`). A turn with"
    " more than the table holds counts as above every other, so the median is nan if it is one of these.",
    needs_count=True,
)
def distinct_turns(blocks: Blocks) -> Values:
    """Return `median` and `counted`."""
    found = [turn.distinct for turn in turns_of(blocks) if turn.distinct is not None]
    numbers = sorted(number if is_all else math.inf for number, is_all in found)
    middle = numbers[(len(numbers) - 1) // 2 : len(numbers) // 2 + 1]
    is_known = bool(numbers) and math.isfinite(middle[-1])
    return {"median": quantile(middle, 50) if is_known else math.nan, "counted": mean(is_all for _, is_all in found)}


@metric(
    "Duration",
    unit="a game, a turn",
    definition="Turns and actions of a game; actions, AP to spend, AP spent and AP wasted a turn; the share of turns"
    " that waste some (`wasting`). An action is whatever costs AP, or a card played.",
)
def duration(blocks: Blocks) -> Values:
    """Return `game_turns`, `game_actions`, `turn_actions`, `turn_ap`, `turn_spent`, `turn_wasted`, `wasting`."""
    games, turns = list(games_of(blocks)), turns_of(blocks)
    return {
        "game_turns": mean(len(game.turns) for game in games),
        "game_actions": mean(sum(map(_count_actions, game.turns)) for game in games),
        "turn_actions": mean(map(_count_actions, turns)),
        "turn_ap": mean(turn.ap for turn in turns),
        "turn_spent": mean(sum(turn.spent) for turn in turns),
        "turn_wasted": mean(turn.wasted for turn in turns),
        "wasting": mean(turn.wasted > 0 for turn in turns),
    }


def _count_actions(turn: TurnLog) -> int:
    return sum(turn.done) + len(turn.played)


@metric(
    "Use of action points",
    unit="AP a turn",
    definition="AP a turn that go into new knights, moves, blocks, cards and points, and AP wasted, in each year.",
)
def ap_use(blocks: Blocks) -> Values:
    """Return `year1_knight`, `year1_move`, ..., `year1_wasted`, `year2_knight`, ..."""
    values = {}
    for year in YEARS:
        turns = [turn for turn in turns_of(blocks) if turn.year == year]
        for place, kind in enumerate(KINDS):
            values[f"year{year}_{kind}"] = mean(turn.spent[place] for turn in turns)
        values[f"year{year}_wasted"] = mean(turn.wasted for turn in turns)
    return values


@metric(
    "Cards a year",
    unit="cards a player",
    definition="Cards that a player buys and plays in each year.",
)
def cards_a_year(blocks: Blocks) -> Values:
    """Return `year1_bought`, `year1_played`, `year2_bought`, ..."""
    players = sum(game.players for game in games_of(blocks))
    values = {}
    for year in YEARS:
        turns = [turn for turn in turns_of(blocks) if turn.year == year]
        for name in ("bought", "played"):
            number = sum(len(getattr(turn, name)) for turn in turns)
            values[f"year{year}_{name}"] = number / players if players else math.nan
    return values
