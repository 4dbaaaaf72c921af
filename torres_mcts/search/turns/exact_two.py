"""The last two turns of a game of two, solved exactly: the best turn against the best reply.

With two players every reward of `rewards.py` sums to one, so the game is zero-sum: the last player's best reply,
found as in `exact.py`, is the worst for the first. What a game says about its last turn (`core/protocol.py`) must
hold for the first player's turn too, which is that player's last one; then its turns are found in the same way.

The last player may end the turn at once, so what a turn is worth in that case is never less than its true worth.
Turns are taken in the order of this bound until none that is left beats the best worth found: that proves it. A reply
good enough to show that a turn is no better refutes it. Such replies are tried first on the turns that follow, where
they are legal.

What the first player does not know is a set of worlds with their chances; the worth of a turn is the mean over them.
The first player must not be able to learn more about them within the turn.
"""

import numpy as np

from torres_mcts.core.jit import entry_kernel
from torres_mcts.core.menu import is_offered, new_menus
from torres_mcts.core.protocol import is_over, list_actions, play_action, player_count, player_to_move, turns_left
from torres_mcts.core.rng import new_rng
from torres_mcts.search.rewards import Reward, reward_of, write_scores
from torres_mcts.search.turns.exact import Solution
from torres_mcts.search.turns.exact_graph import CUT_OFF, SOLVED, ExactTable, new_exact_table, solve_turn, turn_of

STATE_LIMIT = 200_000
TURN_LIMIT = 2000
WORK_LIMIT = 20_000_000
KILLERS = 8


@entry_kernel
def has_two_turns(states):
    """Tell whether these are the last two turns of a game of two."""
    return turns_left(states[0]) == 2 and player_count(states[0]) == 2


@entry_kernel
def play_sequence(states, rng, actions):
    """Play some actions in states[0]."""
    for place in range(actions.size):
        play_action(states[0], actions[place], rng)


@entry_kernel
def try_reply(states, menus, rng, actions, weights):
    """Play a turn in states[0] if it is legal there and ends the game; return the mover's reward, else -1."""
    player = player_to_move(states[0])
    for place in range(actions.size):
        if is_over(states[0]):
            return -1.0
        list_actions(states[0], menus[0])
        if not is_offered(menus[0], actions[place]):
            return -1.0
        play_action(states[0], actions[place], rng)
    if not is_over(states[0]):
        return -1.0
    scores = np.empty(player_count(states[0]))
    write_scores(states[0], scores)
    return reward_of(scores, weights, player, scores.size)


@entry_kernel
def write_points(states, scores):
    """Write the points of all players."""
    write_scores(states[0], scores)


def solve_last_two(
    states: np.ndarray,
    *,
    reward: Reward,
    worlds: np.ndarray | None = None,
    chances: np.ndarray | None = None,
    state_limit: int = STATE_LIMIT,
    turn_limit: int = TURN_LIMIT,
    work_limit: int = WORK_LIMIT,
) -> Solution | None:
    """Solve states[0] if two turns of a game of two are left; None if not, or if it takes more than the limits.

    worlds:      [worlds] states[0] with all that the player does not know dealt in each possible way; states[0] if
                 left out
    chances:     [worlds] float64, with a sum of 1
    state_limit: distinct states within one turn
    turn_limit:  turns of the first player to be compared
    work_limit:  actions tried in all
    """
    if not has_two_turns(states):
        return None
    worlds = states[:1] if worlds is None else worlds
    chances = np.full(len(worlds), 1 / len(worlds)) if chances is None else chances
    turns = new_exact_table(state_limit, turn_limit, reward, work_limit)
    work = np.repeat(states[:1], 4)
    if solve_turn(turns, work, new_menus(), new_rng(0)) != SOLVED:
        return None
    proof = _Proof(worlds, chances, reward, state_limit, work_limit - int(turns.desks[0]["step_count"]))
    for place in range(int(turns.desks[0]["result_count"])):
        bound = float(turns.results[place]["reward"])
        if proof.sequence is not None and bound <= proof.worth:
            break
        if not proof.consider(turn_of(turns, work, place), bound):
            return None
    else:
        if turns.desks[0]["result_count"] == turn_limit:  # there may be more turns that could be better
            return None
    if proof.sequence is None:
        return None
    steps = work_limit - proof.work_left
    scores = proof.scores[None, :]
    return Solution((proof.sequence,), np.array([proof.worth]), scores, int(turns.desks[0]["entry_count"]), steps)


class _Proof:
    """The best turn so far, and the work that is left to show that no other is better."""

    def __init__(
        self, worlds: np.ndarray, chances: np.ndarray, reward: Reward, state_limit: int, work_left: int
    ) -> None:
        self.worlds, self.chances, self.work_left = worlds, chances, work_left
        self.table: ExactTable = new_exact_table(state_limit, 1, reward, work_left)
        self.weights = reward.weights()
        self.menus = new_menus()
        self.killers: list[tuple[int, ...]] = []
        self.is_refuted = False
        self.sequence: tuple[int, ...] | None = None
        self.worth = -np.inf
        self.scores = np.zeros(2)  # mean final points

    def consider(self, sequence: tuple[int, ...], bound: float) -> bool:
        """Compare a turn with the best one; False if that takes too much work."""
        sure, scores = 0.0, np.zeros(2)
        left = float(self.chances.sum())
        for world, chance in zip(self.worlds, self.chances, strict=True):
            left -= chance
            state = np.array([world])
            play_sequence(state, new_rng(0), np.array(sequence))
            allowed = (self.worth - sure - max(left, 0.0) * bound) / chance  # a worth of no more refutes the turn
            found = self.find_reply(state, 1.0 - allowed)
            if found is None:
                return self.work_left > 0 and self.is_refuted
            sure += chance * (1.0 - found[0])
            scores += chance * found[1]
        if self.sequence is None or sure > self.worth:
            self.sequence, self.worth, self.scores = sequence, sure, scores
        return True

    def find_reply(self, state: np.ndarray, enough: float) -> tuple[float, np.ndarray] | None:
        """Return the best reply's reward and points; None if one of at least `enough` was found, or none at all."""
        self.is_refuted = True
        scores = np.empty(2)
        for killer in self.killers:
            found = try_reply(state.copy(), self.menus, new_rng(0), np.array(killer), self.weights)
            if found >= enough and self.sequence is not None:
                return None
        work = np.repeat(state, 4)
        desk = self.table.desks[0]
        desk["step_limit"] = self.work_left
        desk["enough"] = enough if self.sequence is not None else np.inf
        code = solve_turn(self.table, work, new_menus(), new_rng(0))
        self.work_left -= int(desk["step_count"])
        if code not in (SOLVED, CUT_OFF):
            self.is_refuted = False
            return None
        reply = turn_of(self.table, work, 0)
        self.killers = [reply, *(killer for killer in self.killers if killer != reply)][:KILLERS]
        if code == CUT_OFF:
            return None
        write_points(work[1:2], scores)
        return float(self.table.results[0]["reward"]), scores
