"""How agents play, in numbers: `python -m tests.agents.habits --deals 50` prints the table of docs/agents.md."""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from torres_mcts.agents.agent import read_agent
from torres_mcts.core.rng import seed_for
from torres_mcts.games.torres.position import Position
from torres_mcts.games.torres.rules import Rules
from torres_mcts.search.limits import Limit
from torres_mcts.tournaments.statistics.estimates import estimate_mean

CHARACTERS = ("builder", "climber", "king-seeker", "card-collector", "spoiler", "sprinter")
REFERENCE = "greedy:width=12,sweeps=2"
LIMIT = Limit(iterations=1)


@dataclass
class Habits:
    """What a player did in a game."""

    won: float = 0.0
    score: float = 0.0
    opponent: float = 0.0  # the best other score
    cards: float = 0.0  # bought
    held: float = 0.0  # cards in hand at the end of the second year
    scored: float = 0.0  # action points turned into points
    widest: float = 0.0  # area of the largest castle with a knight, mean over the ends of years
    highest: float = 0.0  # level of the highest knight, mean over the ends of years
    level: float = 0.0  # of the knights on the board, mean over them and the ends of years
    kings: float = 0.0  # years with the king's bonus
    first_year: float = 0.0  # points after it


def watch(agent: str, opponent: str, seat: int, deal: int, rules: Rules) -> Habits:
    """Play a game, the agent on one seat and the opponent on all others, and look at the agent."""
    seen, position = Habits(), Position.new(rules, seed=deal)
    engines = [read_agent(agent if place == seat else opponent).engine for place in range(rules.players)]
    decisions = 0
    while not position.is_over:
        mover, decisions = int(position.state["to_move"]), decisions + 1
        for action in engines[mover].choose(position, limit=LIMIT, seed=seed_for(deal, decisions)):
            before, position = position, position.play(action)
            if mover == seat:
                seen.cards += action == "buy"
                seen.scored += action == "score"
            if before.phase == "turn" and position.phase in ("king", "first", "over"):
                look_at_year(seen, position, seat, int(before.state["year"]))
    scores = list(position.scores.values())
    seen.score, seen.opponent = scores[seat], max(scores[:seat] + scores[seat + 1 :])
    seen.won = float(np.sign(seen.score - seen.opponent) + 1) / 2
    return seen


def look_at_year(seen: Habits, position: Position, seat: int, year: int) -> None:
    """Note how the board looks at the end of a year."""
    state, years = position.state, len(position.rules.stacks)
    squares = list(bits(int(state["knights"][seat])))
    castles = {int(state["castle_of"][square]) for square in squares if state["heights"][square]}
    seen.widest += max((int(state["castle_squares"][castle]).bit_count() for castle in castles), default=0) / years
    seen.highest += max(int(state["heights"][square]) for square in squares) / years
    seen.level += float(np.mean([state["heights"][square] for square in squares])) / years
    level, king = int(state["rules"]["king_level"][year - 1]), state["castle_of"][state["king"]]
    seen.kings += any(state["castle_of"][square] == king and state["heights"][square] == level for square in squares)
    if year == 2:
        seen.held = sum(int(state["hands"][seat]) >> shift & 63 for shift in range(0, 60, 6))
    if year == 1:
        seen.first_year = list(position.scores.values())[seat]


def bits(board: int) -> Iterator[int]:
    """List the squares of a board."""
    return (square for square in range(64) if board >> square & 1)


def deal_habits(agent: str, opponent: str, *, deals: int, players: int = 2, seed: int = 1) -> dict[str, np.ndarray]:
    """Return each habit by deal: the mean of the games from every seat."""
    rules = Rules.preset("2017", players=players)
    games = [
        [watch(agent, opponent, seat, seed_for(seed, deal), rules) for seat in range(players)] for deal in range(deals)
    ]
    return {
        name: np.array([np.mean([getattr(game, name) for game in block]) for block in games]) for name in vars(Habits())
    }


def mean_habits(agent: str, opponent: str = REFERENCE, *, deals: int) -> Habits:
    """Return the means over deals that are played from every seat."""
    return Habits(**{name: float(means.mean()) for name, means in deal_habits(agent, opponent, deals=deals).items()})


def main() -> None:
    """Print a line for each agent: means and 95 % intervals over deals."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--deals", type=int, default=50)
    parser.add_argument("--opponent", default=REFERENCE)
    parser.add_argument("agents", nargs="*", default=[*CHARACTERS, REFERENCE])
    options = parser.parse_args()
    print(f"{'':26}" + "".join(f"{name:>16}" for name in vars(Habits())))
    for agent in options.agents:
        habits = deal_habits(agent, options.opponent, deals=options.deals)
        cells = [
            f"{estimate.mean:.2f} ± {estimate.high - estimate.mean:.2f}"
            for estimate in map(estimate_mean, habits.values())
        ]
        print(f"{agent:26}" + "".join(f"{cell:>16}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
