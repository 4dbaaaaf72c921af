"""The terms of the static value against plain walks over the squares of a position file."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from torres_mcts import Position
from torres_mcts.core.jit import entry_kernel
from torres_mcts.games.torres.heuristics.value import TERMS, terms_of

pytestmark = pytest.mark.kernel

VECTORS = Path(__file__).resolve().parents[2] / "vectors" / "positions.jsonl"
Square = tuple[int, int]


@entry_kernel
def write_terms(states, player, terms):
    found = terms_of(states[0], player)
    for term in range(len(found)):
        terms[term] = found[term]


def square_of(name: str) -> Square:
    return "abcdefgh".index(name[0]), int(name[1]) - 1


def beside(square: Square) -> set[Square]:
    file, rank = square
    return {(file + 1, rank), (file - 1, rank), (file, rank + 1), (file, rank - 1)}


def castles_of(heights: dict[Square, int]) -> list[set[Square]]:
    """Return the castles: blocks that hang together by their sides."""
    castles, left = [], set(heights)
    while left:
        castle, fresh = set(), {left.pop()}
        while fresh:
            castle |= fresh
            fresh = {near for square in fresh for near in beside(square) if near in left}
            left -= fresh
        castles.append(castle)
    return castles


def plain_terms(position: Position, player: int) -> dict[str, int]:
    """Return the terms about castles, as the comments on TERMS have them."""
    heights = {square_of(name): height for name, height in squares_with_blocks(position)}
    content = position.to_dict()
    pieces = {square_of(name) for other in content["players"] for name in other["knights"]}
    king = content["king"]
    knights = {square_of(name) for name in content["players"][player]["knights"]}
    occupied = pieces | ({square_of(king)} if king else set())
    free = {square_of(name) for name in playable(position)} - occupied
    terms = dict.fromkeys(("castles", "climb", "areas", "growth", "levels", "knights"), 0)
    castles = castles_of(heights)
    for castle in castles:
        levels = [heights[square] for square in knights & castle]
        top = max(levels, default=0)
        steps = [
            heights[goal]
            for start in knights
            for goal in beside(start) & castle & free
            if heights[goal] == heights.get(start, 0) + 1
        ]
        terms["castles"] += len(castle) * top
        terms["climb"] += max(max(steps, default=0) - top, 0) * len(castle)
        if levels:
            sites = {near for square in castle for near in beside(square)} & free - set(heights)
            alone = [site for site in sites if sum(bool(beside(site) & other) for other in castles) == 1]
            terms["areas"] += len(castle)
            terms["growth"] += top * min(len(alone), 3)
    terms["levels"] = sum(heights.get(square, 0) for square in knights)
    terms["knights"] = len(knights)
    return terms


def squares_with_blocks(position: Position) -> Iterable[tuple[str, int]]:
    heights: np.ndarray = position.state["heights"]
    for square in range(64):
        if heights[square]:
            yield "abcdefgh"[square % 8] + str(square // 8 + 1), int(heights[square])


def playable(position: Position) -> list[str]:
    board = int(position.state["rules"]["playable"])
    return ["abcdefgh"[square % 8] + str(square // 8 + 1) for square in range(64) if board >> square & 1]


def vector_positions() -> list[dict[str, Any]]:
    return [json.loads(line)["position"] for line in VECTORS.read_text(encoding="utf-8").splitlines()[::5]]


def test_terms_about_castles_are_those_of_a_plain_walk() -> None:
    seen = 0
    for content in vector_positions():
        position = Position.from_dict(content)
        for player in range(len(content["players"])):
            terms = np.empty(len(TERMS))
            write_terms(position.state_array, player, terms)
            plain = plain_terms(position, player)
            assert {term: terms[TERMS.index(term)] for term in plain} == plain, content
            seen += any(plain[term] for term in ("climb", "growth"))
    assert seen > 100
