"""Exact ends: the last turn of the game needs no samples."""

from torres_mcts.analysis.answer.candidates import Listing, make_candidate
from torres_mcts.games.torres.position import Position
from torres_mcts.search.rewards import Reward
from torres_mcts.search.turns.exact import solve_last_turn

STATE_LIMIT = 100_000  # that the solver may meet with an iteration limit
STATES_PER_SECOND = 20_000  # of the time limit: about half of it


def is_last_turn(view: Position) -> bool:
    """Tell whether the game ends with this turn."""
    state = view.state
    if view.phase not in ("turn", "keep") or int(state["year"]) < len(view.rules.stacks):
        return False
    return int(state["stack_count"].sum()) + (int(state["in_use"]) >= 0) == 1 and view.rules.master_card != "random"


def prove(view: Position, *, top: int, seconds: float | None) -> Listing | None:
    """Return the best turns of the last turn of the game, proved, or None where that is not possible in the time."""
    if view.phase != "turn" or not is_last_turn(view) or len(view.legal_actions()) == 1:
        return None
    states = STATE_LIMIT if seconds is None else int(seconds * STATES_PER_SECOND) + 1000
    solution = solve_last_turn(view.state_array, reward=Reward(win=1.0), top=top, state_limit=states)
    if solution is None:
        return None
    best = [make_candidate(view, sequence, is_cut=False) for sequence in solution.sequences]
    return Listing(best, None, True)
