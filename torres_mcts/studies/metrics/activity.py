"""What players do and could do: legal actions, length, use of action points and cards."""

import math

from torres_mcts.studies.diary import KINDS, TurnLog
from torres_mcts.studies.log import GameLog
from torres_mcts.studies.metrics.metric import (
    YEARS,
    Blocks,
    Sums,
    Values,
    games_of,
    mean,
    metric,
    pool,
    quantile,
    remember,
    sum_up,
)


@metric(
    "Branching",
    unit="actions",
    definition="Legal actions: the mean over all decisions of a turn (`decision`; keeping a drawn card is not"
    " counted), at the beginning of a turn (`first`) and in each year, and the size of a turn's tree along the line"
    " played: the mean over turns of the sum of log10 of the legal actions (`log10_turn`).",
)
def branching(blocks: Blocks) -> Values:
    """Return `decision`, `first`, `log10_turn`, `year1`, `year2`, `year3`."""
    return pool(blocks, _legal_of)


@remember
def _legal_of(game: GameLog) -> Sums:
    sums = {
        "decision": sum_up(number for turn in game.turns for number in turn.legal),
        "first": sum_up(turn.legal[0] for turn in game.turns),
        "log10_turn": sum_up(sum(math.log10(number) for number in turn.legal) for turn in game.turns),
    }
    for year in YEARS:
        sums[f"year{year}"] = sum_up(number for turn in game.turns if turn.year == year for number in turn.legal)
    return sums


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
    found = [distinct for game in games_of(blocks) for distinct in _distinct_of(game)]
    numbers = sorted(number if is_all else math.inf for number, is_all in found)
    middle = numbers[(len(numbers) - 1) // 2 : len(numbers) // 2 + 1]
    is_known = bool(numbers) and math.isfinite(middle[-1])
    return {"median": quantile(middle, 50) if is_known else math.nan, "counted": mean(is_all for _, is_all in found)}


@remember
def _distinct_of(game: GameLog) -> list[tuple[int, bool]]:
    return [turn.distinct for turn in game.turns if turn.distinct is not None]


@metric(
    "Duration",
    unit="a game, a turn",
    definition="Turns and actions of a game; actions, AP to spend, AP spent and AP wasted a turn; the share of turns"
    " that waste some (`wasting`). An action is whatever costs AP, or a card played.",
)
def duration(blocks: Blocks) -> Values:
    """Return `game_turns`, `game_actions`, `turn_actions`, `turn_ap`, `turn_spent`, `turn_wasted`, `wasting`."""
    return pool(blocks, _length_of)


@remember
def _length_of(game: GameLog) -> Sums:
    actions = sum_up(map(_count_actions, game.turns))
    return {
        "game_turns": (len(game.turns), 1),
        "game_actions": (actions[0], 1),
        "turn_actions": actions,
        "turn_ap": sum_up(turn.ap for turn in game.turns),
        "turn_spent": sum_up(sum(turn.spent) for turn in game.turns),
        "turn_wasted": sum_up(turn.wasted for turn in game.turns),
        "wasting": sum_up(turn.wasted > 0 for turn in game.turns),
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
    return pool(blocks, _ap_of)


@remember
def _ap_of(game: GameLog) -> Sums:
    sums = {}
    for year in YEARS:
        turns = [turn for turn in game.turns if turn.year == year]
        for place, kind in enumerate(KINDS):
            sums[f"year{year}_{kind}"] = sum_up(turn.spent[place] for turn in turns)
        sums[f"year{year}_wasted"] = sum_up(turn.wasted for turn in turns)
    return sums


@metric(
    "Cards a year",
    unit="cards a player",
    definition="Cards that a player buys and plays in each year.",
)
def cards_a_year(blocks: Blocks) -> Values:
    """Return `year1_bought`, `year1_played`, `year2_bought`, ..."""
    return pool(blocks, _cards_of)


@remember
def _cards_of(game: GameLog) -> Sums:
    sums: Sums = {}
    for year in YEARS:
        turns = [turn for turn in game.turns if turn.year == year]
        sums[f"year{year}_bought"] = sum(len(turn.bought) for turn in turns), game.players
        sums[f"year{year}_played"] = sum(len(turn.played) for turn in turns), game.players
    return sums
