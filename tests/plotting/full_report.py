"""A report made by hand with something in every field, for tests of its page."""

import math
from pathlib import Path
from typing import Any

from torres_mcts import Position
from torres_mcts.analysis import report as parts

POSITIONS = Path(__file__).resolve().parents[2] / "examples" / "positions"
TURNS = {  # legal ones, so that their boards can be checked against the engine
    "middle-game": [
        ("block:e5 card:climb:e6-e5 move:f6-g6 move:g6-h6 block:h7 buy", {"goes_on": True}),
        ("block:e5 card:climb:e6-e5 move:f6-g6 move:g6-h6 block:h7 end", {}),
        ("block:e5 card:climb:e6-e5 knight:g6 move:g6-h6 end", {}),
        ("card:gate:e6-e3 block:e5 block:d8 score score end", {}),
        ("score score score score score end", {"asked": True}),
    ],
    "four-players": [
        ("card:under:g8:3 move:g6-e5 move:h5-h2 move:e5-d5 score move:h2-h1 end", {}),
        ("card:under:g8:3 move:g6-e5 move:h5-h2 move:e5-d5 block:a1 move:h2-h1 end", {"status": "proved"}),
    ],
    "last-turn": [
        ("move:e6-d7 card:diagonal:d7-c8 move:c8-b8 move:h4-f1 move:f1-e1 move:b8-b7 end", {}),
        ("move:e6-e8 card:jump:e8-c8 move:c8-b8 move:b8-b7 score score end", {}),
    ],
}


def estimate(mean: float, se: float) -> parts.Estimate:
    return parts.Estimate(mean=mean, se=se, ci95=(mean - 1.96 * se, mean + 1.96 * se), n=4096)


def outlook(seat: int, name: str, now: int, shares: list[float]) -> parts.PlayerOutlook:
    """Return how a player stands, with made-up figures."""
    mean, sd = now + 38.4 - 3.7 * seat, 11.3 + 2 * seat
    steps = {"5": -1.7, "25": -0.7, "50": 0.05, "75": 0.72, "95": 1.6}
    spread = parts.Spread(
        **estimate(mean, 0.31).model_dump(), sd=sd, quantiles={key: round(mean + z * sd) for key, z in steps.items()}
    )
    places = [shares[(seat + place) % len(shares)] for place in range(len(shares))]
    return parts.PlayerOutlook(
        name=name, score_now=now, win=estimate(shares[seat], 0.012), places=places, final_score=spread
    )


def turn(rank: int, actions: str, **changes: Any) -> parts.Turn:
    """Return a turn with made-up figures."""
    behind = 0.013 * (rank - 1) ** 1.6
    values: dict[str, Any] = {
        "rank": rank,
        "actions": actions.split(),
        "words": [f"do {action}" for action in actions.split()],
        "visits": 24576 // rank,
        "status": "estimated",
        "win": estimate(0.582 - behind, 0.011 + 0.002 * rank),
        "margin": estimate(4.3 - 60 * behind, 0.4),
        "year_points": estimate(31.2 - 30 * behind, 0.1),
        "win_behind_best": estimate(behind, 0.004 + 0.1 * behind) if rank > 1 else estimate(0, 0),
        "margin_behind_best": estimate(60 * behind, 0.3) if rank > 1 else estimate(0, 0),
        "best_probability": [0.86, 0.11, 0.03][rank - 1] if rank < 4 else 0.0,
        "goes_on": False,
        "asked": False,
        "sources": parts.Sources(castles=26 - 2 * rank, king=5, master=0, actions=actions.count("score")),
        "variation": [],
    }
    return parts.Turn(**values | changes)


def wave(scale: float, phase: float) -> list[list[float]]:
    """Return a board of plausible numbers from 0 to the scale."""
    return [
        [round(scale * max(0.0, math.sin(0.9 * file + phase) * math.cos(0.7 * rank)), 3) for file in range(8)]
        for rank in range(8)
    ]


def chance(card: str, posterior: float, harm: float | None) -> parts.CardChance:
    """Return a card that an opponent may hold."""
    if harm is None:
        return parts.CardChance(card=card, prior=0.3, posterior=posterior, win_if_held=None, win_if_not=None, harm=None)
    return parts.CardChance(
        card=card,
        prior=0.3,
        posterior=posterior,
        win_if_held=estimate(0.6 - harm, 0.012),
        win_if_not=estimate(0.6, 0.012),
        harm=estimate(harm, 0.01),
    )


def full_report(name: str = "middle-game", *, rename: dict[str, str] | None = None, **changes: Any) -> parts.Report:
    """Return a report of an example with made-up figures; players may get other names."""
    rename = rename or {}
    position = Position.load(POSITIONS / f"{name}.json")
    data = position.to_dict()
    for key in ("to_move", "first", "viewpoint"):
        if key in data:
            data[key] = rename.get(data[key], data[key])
    for player in data["players"]:
        player["name"] = rename.get(player["name"], player["name"])
    names = [player["name"] for player in data["players"]]
    mover = data["to_move"]
    others = [other for other in names if other != mover]
    shares = [0.42, 0.58] if len(names) == 2 else [0.41, 0.27, 0.2, 0.12]
    turns = [turn(rank, actions, **more) for rank, (actions, more) in enumerate(TURNS[name], start=1)]
    steps = [parts.Step(player=others[0], actions=["block:b6", "move:d5-c5", "score", "end"])]
    steps.append(parts.Step(player=mover, actions=["block:e4", "end"]))
    turns[0] = turns[0].model_copy(update={"variation": steps})
    cards = [chance("climb", 0.46, 0.061), chance("jump", 0.34, 0.022), chance("ap7", 0.3, -0.004)]
    values: dict[str, Any] = {
        "schema": parts.FORMAT,
        "source": f"examples/positions/{name}.json",
        "position": data,
        "engine": parts.EngineInfo(
            name="turns",
            version="0.1.0",
            parameters={"width": 64, "judge": "outlook", "exploration": 0.7},
            rules=position.rules.to_dict(),
            rules_hash="0123456789abcdef",
            seed=7,
            threads=2,
            limit={"time": 10.0, "iterations": None, "confidence": 0.99},
            stopped_by="time",
            iterations=123_456,
            seconds=10.02,
            iterations_per_second=12_321.0,
            playouts="to the end of the year, the rest by the static value",
        ),
        "root": parts.Root(
            player=mover,
            viewpoint=mover,
            phase=data["phase"],
            year=data["year"],
            round=data["round"],
            ap=data["turn"]["ap"],
            players=[
                outlook(seat, player["name"], player["score"], shares) for seat, player in enumerate(data["players"])
            ],
            turn_count=227_104,
            exhaustive=False,
            considered=48,
        ),
        "hidden": [
            parts.Hand(player=other, size=3, known=["under"] * (seat == 0), cards=[*cards, chance("shift", 0.2, None)])
            for seat, other in enumerate(others)
        ],
        "turns": turns,
        "maps": parts.Maps(height=wave(3.4, 0.3), own_knight=wave(0.95, 1.1), other_knight=wave(0.8, 2.4)),
        "warnings": [
            "the first two turns cannot be told apart: give more time (--time 60)",
            "not all turns were found: the enumeration was cut off",
        ],
    }
    return parts.Report(**values | changes)
