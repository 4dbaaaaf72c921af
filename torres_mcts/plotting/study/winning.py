"""Win probability fans: how early the later winner is ahead, turn by turn."""

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes

from torres_mcts.plotting.pictures.frame import BLUE, INK, LINE, ORANGE, QUIET, TEXT_SIZE, Picture, Table
from torres_mcts.plotting.pictures.listing import LeftOutError
from torres_mcts.plotting.pictures.marks import shorten_middle
from torres_mcts.plotting.study.findings import Findings, some_of
from torres_mcts.plotting.study.panels import Panels
from torres_mcts.studies.log import GameLog
from torres_mcts.studies.metrics.metric import QUANTILES

MOST = 9  # panels
CAPTION = (
    "Win probability, by the judge, of the player who will win, before the first turn and after each turn: median, "
    "half of the games (dark), nine in ten (light); thin line: mean. Dashed: equal chances. Upright lines: year ends. "
    "The later the fan rises, the longer the game is open. Games with a shared win take no part."
)


@dataclass(frozen=True, eq=False)
class Fan:
    """The later winner's win probability in the games of a rule set that have a sole winner."""

    quantiles: np.ndarray  # [turns + 1, QUANTILES] in percent
    means: np.ndarray  # [turns + 1] in percent
    year_ends: tuple[int, ...]  # turns after which a year ends, the last left out
    games: int
    players: int


def picture(findings: Findings) -> Picture:
    """Return the fans, a panel for each rule set."""
    fans = fans_of(findings)
    if not fans:
        raise LeftOutError("winning: no game with a sole winner counts yet")
    names, more = some_of(list(fans), MOST, "rule sets")
    panels = Panels(len(names), 3, wide=2.6, high=1.9, across=0.5, down=1.0, left=0.5)
    return Picture(
        name="winning",
        title="When the winner comes to the front",
        caption=CAPTION,
        no_room=more,
        width=panels.width,
        height=panels.height,
        draw=lambda sheet: panels.draw(sheet, names, lambda axes, name: _draw_panel(axes, name, fans[name]), 0.5),
        table=Table(
            ("variant", "turn", "mean", *(f"quantile_{percent:02d}" for percent in QUANTILES), "games"),
            [
                (name, turn, float(fan.means[turn]), *map(float, fan.quantiles[turn]), fan.games)
                for name, fan in fans.items()
                for turn in range(len(fan.means))
            ],
        ),
    )


def fans_of(findings: Findings) -> dict[str, Fan]:
    """Return the fan of each rule set that has one."""
    found = {name: fan_of(findings.games(name)) for name in findings.blocks}
    return {name: fan for name, fan in found.items() if fan is not None}


def fan_of(games: list[GameLog]) -> Fan | None:
    """Return the fan of some games; None where none of them has a sole winner and win probabilities."""
    won = [game for game in games if max(game.win_shares) == 1 and len(game.turns) and game.start_wins]
    if not won:
        return None
    turns = min(len(game.turns) for game in won)
    curves = 100 * np.array([game.wins[: turns + 1, game.win_shares.index(1)] for game in won])
    years = [turn.year for turn in won[0].turns[:turns]]
    ends = tuple(number for number in range(1, turns) if years[number] != years[number - 1])
    quantiles = np.percentile(curves, QUANTILES, axis=0).T
    return Fan(quantiles, curves.mean(axis=0), ends, len(won), won[0].players)


def _draw_panel(axes: Axes, name: str, fan: Fan) -> None:
    turns = np.arange(len(fan.means))
    low, lower, median, upper, high = fan.quantiles.T
    axes.fill_between(turns, low, high, color=BLUE, alpha=0.18, linewidth=0)
    axes.fill_between(turns, lower, upper, color=BLUE, alpha=0.35, linewidth=0)
    axes.plot(turns, median, color=BLUE, linewidth=2.2)
    axes.plot(turns, fan.means, color=INK, linewidth=0.8)
    axes.axhline(100 / fan.players, color=ORANGE, linewidth=1.2, linestyle=(0, (5, 3)))
    for end in fan.year_ends:
        axes.axvline(end, color=LINE, linewidth=1, zorder=0)
    axes.set(xlim=(0, max(len(turns) - 1, 1)), ylim=(0, 102), yticks=(0, 25, 50, 75, 100))
    axes.set_xlabel("turns", labelpad=2)
    axes.tick_params(length=0)
    axes.spines["left"].set_visible(False)
    axes.locator_params(axis="x", nbins=6, integer=True)
    axes.set_title(f"{shorten_middle(name, 24)}, {fan.games:,} games", size=TEXT_SIZE, color=QUIET, loc="left", pad=6)
