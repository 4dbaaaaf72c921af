"""How a candidate turn is tried in a world: it is played, greedy turns of all players follow, the rest is estimated."""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from torres_mcts.core.errors import TorresError, shorten
from torres_mcts.core.jit import kernel
from torres_mcts.core.menu import new_menus
from torres_mcts.core.protocol import play_action, stage_of
from torres_mcts.core.rng import new_rng, next_word
from torres_mcts.search.limits import check_whole
from torres_mcts.search.playout import NO_STAGE_LIMIT, is_finished, play_out
from torres_mcts.search.rewards import Reward
from torres_mcts.search.turns.generator import Turns, TurnTable, new_table
from torres_mcts.search.turns.greedy import CALM, Mood, play_greedily
from torres_mcts.search.turns.replies import reply_by_books, write_line

LUCK_STREAM = 1 << 41  # far from the streams that deal and play games
LINE_STREAM = 1 << 42
STATES = 5  # root, world, and three for the turn under way
BEAM_ENTRIES, BEAM_ENDS = 60_000, 20_000  # of the tables for greedy turns


@dataclass(frozen=True)
class TurnEngine:
    """How candidates are found and tried."""

    candidates: int = 32  # turns taken into the comparison, the best by static value
    plan_share: float = 0.5  # of them are no near copies of better ones
    state_limit: int = 300_000  # states that the generator may meet
    tries_all: bool = False  # it first tries to find all turns there are; else it goes by its beam at once
    beam_width: int = 64  # of that beam
    sweeps: int = 8  # of that beam
    rest_width: int = 8  # beam for the rest of a candidate that is cut before a draw
    reply_turns: int = 64  # greedy turns played after a candidate, at the most
    reply_width: int = 1  # beam of the greedy turns
    reply_sweeps: int = 1  # of that beam
    temperature: float = 2.0  # of the greedy turns: how many points of static value a player may miss by whim
    lines: int = 2  # played by wide beams beforehand, to fill the books that greedy turns are chosen from as well
    book_width: int = 16  # of those wide beams
    book_sweeps: int = 4  # of those wide beams
    rollout: bool = False  # a quick playout after them
    epsilon: float = 0.1  # share of random actions in it
    exact_states: int = 30_000  # that solving the last turn of a game may meet; 0: it is tried like any other
    halving: bool = True  # drop the worse half after each round; else all candidates are tried alike to the end
    horizon: int | None = 0  # stages after this one at whose end a playout is cut; None plays to the end
    reward: Reward = field(default_factory=lambda: Reward(win=0, margin=1, margin_scale=40))

    def __post_init__(self) -> None:
        for name in ("candidates", "state_limit", "beam_width", "sweeps", "rest_width"):
            check_whole(f"engine.{name}", getattr(self, name), 1)
        for name in ("reply_width", "reply_sweeps", "book_width", "book_sweeps"):
            check_whole(f"engine.{name}", getattr(self, name), 1)
        for name in ("reply_turns", "lines", "exact_states"):
            check_whole(f"engine.{name}", getattr(self, name), 0)
        if self.horizon is not None:
            check_whole("engine.horizon", self.horizon, 0)
        for name in ("epsilon", "plan_share"):
            if not 0 <= getattr(self, name) <= 1:
                raise TorresError(f"engine.{name}: expected a number from 0 to 1, not {shorten(getattr(self, name))}")
        if not 0 <= self.temperature < math.inf:
            raise TorresError(f"engine.temperature: expected a number from 0 up, not {shorten(self.temperature)}")


REST_WIDTH, REPLY_TURNS, REPLY_WIDTH, REPLY_SWEEPS, BOOK_WIDTH, BOOK_SWEEPS, ROLLS_OUT, HORIZON = range(8)
EPSILON, TEMPERATURE = range(2)


class Plan(NamedTuple):
    """The candidates and how to try them, as kernels take them."""

    actions: np.ndarray  # [candidates, most] int64
    lengths: np.ndarray  # [candidates] int64
    is_cut: np.ndarray  # [candidates] bool
    weights: np.ndarray  # [4] float64, of the reward
    numbers: np.ndarray  # [8] int64, in the places named below
    shares: np.ndarray  # [2] float64, likewise


def new_plan(engine: TurnEngine, found: Turns) -> Plan:
    """Return the candidates as arrays."""
    lengths = np.array([len(sequence) for sequence in found.sequences])
    actions = np.zeros((len(lengths), lengths.max()), np.int64)
    for candidate, sequence in enumerate(found.sequences):
        actions[candidate, : len(sequence)] = sequence
    horizon = -1 if engine.horizon is None else engine.horizon
    numbers = np.array(
        [
            engine.rest_width,
            engine.reply_turns,
            engine.reply_width,
            engine.reply_sweeps,
            engine.book_width,
            engine.book_sweeps,
            int(engine.rollout),
            horizon,
        ]
    )
    shares = np.array([engine.epsilon, engine.temperature])
    return Plan(actions, lengths, found.is_cut, engine.reward.weights(), numbers, shares)


@kernel
def horizon_of(state, plan):
    """Return the stage at whose end playouts from a state are cut."""
    if plan.numbers[HORIZON] < 0:
        return NO_STAGE_LIMIT
    return stage_of(state) + plan.numbers[HORIZON]


@kernel
def play_candidate(table, states, menu, rng, plan, candidate):
    """Play a candidate to the end of the turn in states[2], from the world in states[1]."""
    states[2] = states[1]
    for place in range(plan.lengths[candidate]):
        play_action(states[2], plan.actions[candidate, place], rng)
    if plan.is_cut[candidate]:
        play_greedily(table, states[2:5], menu, rng, plan.numbers[REST_WIDTH], 1, CALM)


@kernel
def open_books(books, table, states, menu, rng, plan, candidate, stage_limit):
    """Fill the books of a line, which begins with a candidate in the world in states[1]: [plies] BOOK."""
    play_candidate(table, states, menu, rng, plan, candidate)
    width, sweeps = plan.numbers[BOOK_WIDTH], plan.numbers[BOOK_SWEEPS]
    write_line(books, table, states[2:5], menu, rng, width, sweeps, plan.numbers[REPLY_TURNS], stage_limit)


@kernel
def try_candidate(books, table, states, menu, rng, plan, candidate, stage_limit):
    """Play a candidate and what follows it in states[2], from the world in states[1]; books: [lines, plies]."""
    mood = Mood(next_word(rng), plan.shares[TEMPERATURE])
    play_candidate(table, states, menu, rng, plan, candidate)
    work = states[2:5]
    width, sweeps = plan.numbers[REPLY_WIDTH], plan.numbers[REPLY_SWEEPS]
    for ply in range(plan.numbers[REPLY_TURNS]):
        if is_finished(work[0], stage_limit):
            break
        if ply < books.shape[1]:
            reply_by_books(books[:, ply], table, work, menu, rng, width, sweeps, mood)
        else:
            play_greedily(table, work, menu, rng, width, sweeps, mood)
    if plan.numbers[ROLLS_OUT] == 1:
        play_out(work[0], menu, rng, plan.shares[EPSILON], stage_limit)


class Desk(NamedTuple):
    """What one thread works with."""

    table: TurnTable
    states: np.ndarray
    menus: np.ndarray
    rng: np.ndarray


def new_desk(states: np.ndarray, seed: int) -> Desk:
    """Return a desk for playouts from states[0]."""
    return Desk(new_table(BEAM_ENTRIES, BEAM_ENDS), np.repeat(states[:1], STATES), new_menus(), new_rng(seed))
