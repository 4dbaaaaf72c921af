"""The last turn of the game, solved exactly: the best turns with the points that everybody ends with.

The turn is worked through as a graph, as in `generator.py`, with what the game says about its last turn
(`core/protocol.py`):

* Only `list_last_actions` are tried; `late_action` waits until nothing but the end of the turn follows it.
* States are merged by `hash_last_turn`. Layers go from the highest `turn_budget` down, and of merged states the one
  with the highest budget is kept, which can do all that the others can. If it is found after another of less
  budget, that one has not been followed yet, because its layer is lower; it is marked as dead.
* Branch and bound: `bound_last_turn` gives the most own and the fewest other points that can follow, and a reward never
  falls with own points nor rises with those of others. A state whose best reward (ties: margin) does not beat
  the worst of the `top` turns found, or is below what a beam found beforehand, is dropped.

So nothing that could be among the best is lost, and the result is proved. Rewards that tie are ordered by margin (own
points less the best other's), then by the order in which they were found, which is the same always. An entry takes 40
bytes, a slot 4; memory is `state_limit` entries and two to four times as many slots.
"""

from dataclasses import dataclass

import numpy as np

from torres_mcts.core.jit import entry_kernel
from torres_mcts.core.menu import new_menus
from torres_mcts.core.protocol import hash_last_turn, is_over, play_action, player_count, player_to_move, turns_left
from torres_mcts.core.rng import new_rng
from torres_mcts.search.rewards import Reward, reward_of, write_scores
from torres_mcts.search.turns.exact_graph import SOLVED, ExactTable, margin_of, new_exact_table, solve_turn, turn_of
from torres_mcts.search.turns.generator import follow_beam, new_table, sequence_of

STATE_LIMIT = 1_000_000
BEAM_WIDTH = 32


@entry_kernel
def judge_sequence(states, rng, actions, weights, scores):
    """Play a whole last turn in states[0]; write the points and return reward, margin and the hash of the result."""
    player = player_to_move(states[0])
    for place in range(actions.size):
        play_action(states[0], actions[place], rng)
    if not is_over(states[0]):
        return -1.0, 0.0, np.uint64(0)
    write_scores(states[0], scores)
    return reward_of(scores, weights, player, scores.size), margin_of(scores, player), hash_last_turn(states[0])


@dataclass(frozen=True)
class Solution:
    """The best turns, best first, with what they are proved to lead to."""

    sequences: tuple[tuple[int, ...], ...]
    rewards: np.ndarray  # [turns] float64, of the player to move
    scores: np.ndarray  # [turns, players] float64, final points
    states: int  # distinct states that were met and could matter
    steps: int  # actions that were tried
    proved: bool = True


def solve_last_turn(
    states: np.ndarray,
    *,
    reward: Reward,
    top: int = 1,
    state_limit: int = STATE_LIMIT,
    beam_width: int = BEAM_WIDTH,
) -> Solution | None:
    """Solve states[0] if it is the last turn of a game; None if it is not, or takes more states than the limit.

    states: the player's view; nothing that the player does not know is looked at
    top:    how many turns with different results are wanted
    """
    players = describe(states)
    if players == 0:
        return None
    table = new_exact_table(state_limit, top, reward)
    set_floor(table, states, players, top, beam_width)
    work = np.repeat(states[:1], 4)
    rng = new_rng(0)
    if solve_turn(table, work, new_menus(), rng) != SOLVED:
        return None
    desk = table.desks[0]
    found = int(desk["result_count"])
    sequences, scores = [], np.empty((found, players))
    for place in range(found):
        sequences.append(turn_of(table, work, place))
        judge_sequence(states[:1].copy(), rng, np.array(sequences[-1]), reward.weights(), scores[place])
    rewards = table.results["reward"][:found].copy()
    return Solution(tuple(sequences), rewards, scores, int(desk["entry_count"]), int(desk["step_count"]))


@entry_kernel
def describe(states):
    """Return the number of players if this is the last turn of the game, else 0."""
    return player_count(states[0]) if turns_left(states[0]) == 1 else 0


def set_floor(table: ExactTable, states: np.ndarray, players: int, top: int, beam_width: int) -> None:
    """Let a beam find good turns: what is worse than the best `top` of them, all different, need not be looked for."""
    beam = new_table(4000 * beam_width + 20_000, 400 * beam_width + 4000)
    rng = new_rng(0)
    follow_beam(np.repeat(states[:1], 3), new_menus(), rng, table=beam, width=beam_width, sweeps=1)
    ends = beam.ends["value"][: beam.desks[0]["end_count"]]
    weights = table.desks["weights"][0].copy()
    worths: dict[int, tuple[float, float]] = {}
    for end in np.argsort(-ends, kind="stable")[: 8 * top + 8]:
        actions = np.array(sequence_of(beam, int(end)))
        worth = judge_sequence(states[:1].copy(), rng, actions, weights, np.empty(players))
        if worth[0] >= 0:
            worths[int(worth[2])] = worth[:2]
    best = sorted(worths.values(), reverse=True)
    if len(best) >= top:
        table.desks["floor_reward"], table.desks["floor_margin"] = best[top - 1]
