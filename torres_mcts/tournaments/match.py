"""A match: one agent against a table of another, in blocks of rotated seats.

A block is one deal played once from each seat of the focus agent; the other seats are the opponent's. Games of a block
share their cards, so they are not independent: means and intervals are of whole blocks.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from torres_mcts import __version__
from torres_mcts.agents.own.engine import OwnEngine
from torres_mcts.core.errors import TorresError
from torres_mcts.core.files import to_json, write_text
from torres_mcts.games.torres.rules import Rules
from torres_mcts.search.limits import Limit
from torres_mcts.tournaments.executors import new_executor
from torres_mcts.tournaments.game import GameResult, play_game, warm_up
from torres_mcts.tournaments.spec import Entrant
from torres_mcts.tournaments.statistics.estimates import Estimate, estimate_mean, estimate_share
from torres_mcts.tournaments.statistics.outcomes import margin, rank_points, win_share

FORMAT = "torres-match-1"


@dataclass(frozen=True)
class Match:
    """What is played."""

    focus: str  # an agent as text
    opponent: str
    rules: Rules
    limit: Limit
    seed: int

    entrants: tuple[Entrant, Entrant] = field(init=False)

    def __post_init__(self) -> None:
        entrants = tuple(Entrant.read(text, text) for text in (self.focus, self.opponent))
        object.__setattr__(self, "entrants", entrants)

    def to_dict(self) -> dict[str, Any]:
        """Return all that decides how the match goes."""
        limit = {name: value for name, value in asdict(self.limit).items() if value is not None}
        agents = [entrant.agent() for entrant in self.entrants]
        codes = {agent.text: agent.engine.code for agent in agents if isinstance(agent.engine, OwnEngine)}
        return {
            "format": FORMAT,
            "version": __version__,
            "focus": self.focus,
            "opponent": self.opponent,
            "rules": self.rules.to_dict(),
            "limit": limit,
            "seed": self.seed,
            **({"code": codes} if codes else {}),
        }


@dataclass(frozen=True)
class MatchResult:
    """The games of a match so far: blocks[number][seat of the focus agent]."""

    match: Match
    blocks: dict[int, list[GameResult]]

    def _block_means(self, value: Callable[[Sequence[float], int], float]) -> np.ndarray:
        """Return the mean over each block of something that the focus agent got out of a game."""
        return np.array(
            [
                np.mean([value(game.scores, seat) for seat, game in enumerate(games)])
                for _, games in sorted(self.blocks.items())
            ]
        )

    @property
    def wins(self) -> Estimate:
        """Games won by the focus agent, ties shared; fair is one by the number of players."""
        return estimate_share(self._block_means(win_share))

    @property
    def rank_points(self) -> Estimate:
        """(players - rank) / (players - 1) of the focus agent; fair is one half."""
        return estimate_share(self._block_means(rank_points))

    @property
    def margin(self) -> Estimate:
        """Points of the focus agent less the best opponent's."""
        return estimate_mean(self._block_means(margin))

    @property
    def seconds_per_decision(self) -> tuple[float, float]:
        """Mean thinking time of a choice, focus agent and opponents."""
        totals = np.zeros((2, 2))
        for games in self.blocks.values():
            for focus, game in enumerate(games):
                for seat, (seconds, decisions) in enumerate(zip(game.seconds, game.decisions, strict=True)):
                    totals[int(seat != focus)] += seconds, decisions
        return float(totals[0, 0] / max(totals[0, 1], 1)), float(totals[1, 0] / max(totals[1, 1], 1))

    def to_text(self) -> str:
        """Return a file: the match on the first line, a block on each further one."""
        lines = [to_json(self.match.to_dict())]
        lines += [
            to_json({"block": number, "games": [asdict(game) for game in games]})
            for number, games in sorted(self.blocks.items())
        ]
        return "\n".join(" ".join(line.split()) for line in lines) + "\n"


def play_block(match: Match, number: int) -> list[GameResult]:
    """Play one deal once from each seat."""
    (focus, opponent), players = match.entrants, match.rules.players
    return [
        play_game(
            [(focus if seat == focus_seat else opponent).agent() for seat in range(players)],
            match.rules,
            limit=match.limit,
            seed=match.seed,
            deal=number,
        )
        for focus_seat in range(players)
    ]


def _warm_up(match: Match) -> None:
    warm_up([entrant.agent() for entrant in match.entrants], match.rules)


def run_match(match: Match, *, blocks: int, workers: int = 1, path: Path | None = None) -> Iterator[MatchResult]:
    """Play the blocks that are missing; yield the result after each one. A file given is brought up to date each time.

    The result does not depend on the number of workers, except that limits by time never give the same twice.
    """
    done = read_match(path, match) if path is not None and path.exists() else {}
    done = {number: games for number, games in done.items() if number < blocks}
    missing = [number for number in range(blocks) if number not in done]
    result = MatchResult(match, done)
    if not missing:
        yield result
        return
    _warm_up(match)
    executor = new_executor(workers, _warm_up, match)
    with closing(executor.map(partial(play_block, match), missing)) as answers:
        for number, games in zip(missing, answers, strict=True):
            result = MatchResult(match, {**result.blocks, number: games})
            if path is not None:
                write_text(path, result.to_text())
            yield result


def read_match(path: Path, match: Match) -> dict[int, list[GameResult]]:
    """Return the blocks of a file that was written for the same match."""
    try:
        first, *rest = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        if first != json.loads(to_json(match.to_dict())):
            raise TorresError(f"{path}: holds another match; give another file, or the options that it was made with")
        return {line["block"]: [_read_game(game) for game in line["games"]] for line in rest}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TorresError(f"{path}: is not a match file that can be continued ({error})") from None


def _read_game(data: dict[str, Any]) -> GameResult:
    return GameResult(tuple(data["scores"]), tuple(data["seconds"]), tuple(data["decisions"]))
