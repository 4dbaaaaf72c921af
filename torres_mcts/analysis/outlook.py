"""The fitted outlook (outlook.toml): what positions promise each player at the end of the game."""

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from torres_mcts.games.torres.heuristics.outlook import COLUMNS, look_ahead
from torres_mcts.games.torres.rules import Rules

OUTLOOK_FILE = Path(__file__).with_name("outlook.toml")


class Prospects(NamedTuple):
    """What some positions promise."""

    means: np.ndarray  # [positions, players] expected final points
    spreads: np.ndarray  # [positions] standard deviation of a player's final points around that
    places: np.ndarray  # [positions, players, places] probability; of the first place with ties shared
    year_points: np.ndarray  # [positions] points of one player at the end of the year

    @property
    def wins(self) -> np.ndarray:
        """The win probability of each player: [positions, players]."""
        return self.places[:, :, 0]

    def margins(self, player: int) -> np.ndarray:
        """Return by how much a player leads the best other in the end: [positions]."""
        others = np.delete(self.means, player, axis=1)
        return self.means[:, player] - others.max(axis=1)


@cache
def read_outlook(players: int, path: Path = OUTLOOK_FILE) -> np.ndarray:
    """Return the fitted model for a number of players: [moments, COLUMNS]."""
    rows = tomllib.loads(path.read_text())[f"players{players}"]["rows"]
    return np.array(rows, np.float64).reshape(-1, COLUMNS)


def look_at(states: np.ndarray, rules: Rules, player: int) -> Prospects:
    """Judge some positions, given as records; year_points are those of one player.

    >>> from torres_mcts import Position
    >>> start = Position.new(Rules.preset("2017"), seed=1)
    >>> look_at(start.state_array, start.rules, 0).wins.sum().round(6)
    np.float64(1.0)
    """
    count, players = len(states), rules.players
    found = Prospects(
        np.empty((count, players)),
        np.empty(count),
        np.empty((count, players, players)),
        np.empty(count),
    )
    look_ahead(states, player, read_outlook(players), found.means, found.spreads, found.places, found.year_points)
    return found
