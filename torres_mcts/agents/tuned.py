"""A game of Torres whose static value has weights that can be changed while it runs, for tuning.

The weights of `heuristics/value.py` are constants of the compiled kernels. Here a state carries weights of its own, two
sets of them, and says which set the player whose turn is planned goes by. The searches take it for any other game.
"""

import numba
import numpy as np
from numba.extending import overload

from torres_mcts.agents.wrapped import pass_verbs_on
from torres_mcts.core import protocol
from torres_mcts.games.torres.engine.state import STATE, YEARS
from torres_mcts.games.torres.heuristics.value import TERMS, weighted_score

TUNED = np.dtype(
    [
        ("state", STATE),
        ("weights", np.float64, (2, YEARS, len(TERMS))),
        ("set_in_use", np.int64),  # of the two
    ],
    align=True,
)
TUNED_TYPE = numba.from_dtype(TUNED)


pass_verbs_on(TUNED_TYPE)


@overload(protocol.estimate_score)
def _estimate_score(state, player):
    if state == TUNED_TYPE:
        return lambda state, player: weighted_score(state.state, player, state.weights[state.set_in_use])
    return None
