"""A report made by hand, for tests of what is shown of one."""

from pathlib import Path
from typing import Any

from torres_mcts import Position
from torres_mcts.analysis import report as parts

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
MIDDLE_GAME = str(EXAMPLES / "positions" / "middle-game.json")
FOUR_PLAYERS = str(EXAMPLES / "positions" / "four-players.json")


def estimate(mean: float, se: float, n: int = 4096) -> parts.Estimate:
    return parts.Estimate(mean=mean, se=se, ci95=(mean - 1.96 * se, mean + 1.96 * se), n=n)


def outlook(name: str, now: int, win: float, final: float, players: int) -> parts.PlayerOutlook:
    spread = parts.Spread(
        **estimate(final, 0.3).model_dump(), sd=14, quantiles={"5": final - 23, "50": final, "95": final + 23}
    )
    places = [win] + [(1 - win) / (players - 1)] * (players - 1)
    return parts.PlayerOutlook(name=name, score_now=now, win=estimate(win, 0.012), places=places, final_score=spread)


def turn(rank: int, actions: str, words: str, behind: float, **changes: Any) -> parts.Turn:
    values: dict[str, Any] = {
        "rank": rank,
        "actions": actions.split(),
        "words": words.split("; "),
        "visits": 4096 // rank,
        "status": "estimated",
        "win": estimate(0.612 - behind, 0.012),
        "margin": estimate(4.3 - 40 * behind, 0.4),
        "year_points": estimate(18.2 - 10 * behind, 0.1),
        "win_behind_best": estimate(behind, 0.4 * behind + 0.002) if behind else estimate(0, 0),
        "margin_behind_best": estimate(40 * behind, 0.3) if behind else estimate(0, 0),
        "best_probability": 0.94 if rank == 1 else 0.03 / rank,
        "goes_on": False,
        "asked": False,
        "sources": parts.Sources(castles=12, king=5, master=0, actions=1),
        "variation": [],
    }
    return parts.Turn(**values | changes)


def sample_report(file: str = MIDDLE_GAME, **changes: Any) -> parts.Report:
    """Return a report of a position file with made-up figures."""
    position = Position.load(file)
    mover = str(position.to_move)
    share = 0.388 / (len(position.names) - 1)
    others = [name for name in position.names if name != mover]
    players = [
        outlook(name, score, 0.612 if name == mover else share, 63.1 - 4 * (name != mover), len(position.names))
        for name, score in position.scores.items()
    ]
    variation = [
        parts.Step(player=others[0], actions=["card:climb:g5-h5", "block:h6", "move:g4-h4", "block:b4", "end"]),
        parts.Step(player=mover, actions=["block:e4", "move:e5-e4", "end"]),
    ]
    turns = [
        turn(
            1,
            "card:climb:e6-e5 block:e4 block:f7 move:e7-f7 score end",
            "climb with the knight on e6 to e5; a block on e4; a block on f7; move the knight on e7 to f7; "
            "score a point; end",
            0,
            variation=variation,
        ),
        turn(2, "block:e5 move:e6-e5 knight:f7 end", "a block on e5; move e6 to e5; a new knight on f7; end", 0.021),
        turn(3, "block:e5 buy", "a block on e5; buy a card", 0.04, goes_on=True),
        turn(4, "score score score score score end", "score five points; end", 0.21, asked=True),
    ]
    harm = parts.CardChance(
        card="climb",
        prior=0.3,
        posterior=0.41,
        win_if_held=estimate(0.58, 0.014),
        win_if_not=estimate(0.64, 0.011),
        harm=estimate(0.06, 0.018),
    )
    other = parts.CardChance(card="jump", prior=0.3, posterior=0.3, win_if_held=None, win_if_not=None, harm=None)
    values: dict[str, Any] = {
        "schema": parts.FORMAT,
        "source": file,
        "position": position.to_dict(),
        "engine": parts.EngineInfo(
            name="turns",
            version="0.1.0",
            parameters={},
            rules=position.rules.to_dict(),
            rules_hash="0123456789abcdef",
            seed=0,
            threads=2,
            limit={"time": 10.0, "iterations": None, "confidence": None},
            stopped_by="time",
            iterations=123_456,
            seconds=10.02,
            iterations_per_second=12_321,
            playouts="to the end of the year, the rest by the static value",
        ),
        "root": parts.Root(
            player=mover,
            viewpoint=mover,
            phase="turn",
            year=2,
            round=2,
            ap=5,
            players=players,
            turn_count=227_104,
            exhaustive=True,
            considered=48,
        ),
        "hidden": [parts.Hand(player=name, size=3, known=["under"], cards=[harm, other]) for name in others],
        "turns": turns,
        "maps": parts.Maps(height=[[0.0] * 8] * 8, own_knight=[[0.0] * 8] * 8, other_knight=[[0.0] * 8] * 8),
        "warnings": ["the budget is too small to separate the first two turns: give more time (--time 60)"],
    }
    return parts.Report(**values | changes)
