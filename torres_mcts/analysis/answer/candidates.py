"""The turns that an analysis compares: the best of all by static value, those the user asks for, an engine's choice."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from torres_mcts.agents.engines import Engine
from torres_mcts.core.errors import IllegalAction, TorresError, shorten
from torres_mcts.core.menu import new_menus
from torres_mcts.core.rng import new_rng
from torres_mcts.games.torres.position import Position
from torres_mcts.search.limits import Limit
from torres_mcts.search.turns.generator import Turns, list_turns, new_table
from torres_mcts.search.turns.sampling import judge_turn


@dataclass(frozen=True)
class Candidate:
    """A turn to be tried."""

    numbers: tuple[int, ...]  # its actions as kernels know them
    digest: int  # of its end; equal for equal results
    value: float  # static
    is_cut: bool  # it ends before a draw
    asked: bool = False  # named by the user
    chosen: bool = False  # by the engine


@dataclass(frozen=True)
class Listing:
    """The turns found."""

    best: list[Candidate]  # by static value
    turn_count: int | None  # None: proved to be the best without listing all
    exhaustive: bool


def list_candidates(
    view: Position, *, most: int, plan_share: float, state_limit: int, width: int, sweeps: int, tries_all: bool
) -> Listing:
    """List good turns by static value, all turns compared if they fit into `state_limit` states.

    plan_share: of them are no near copies of better ones
    """
    found = list_turns(
        np.repeat(view.state_array, 3),
        new_menus(),
        new_rng(0),
        table=new_table(state_limit, state_limit),
        width=width,
        sweeps=sweeps,
        tries_all=tries_all,
        most=most,
        plans=int(plan_share * most),
    )
    best = [
        Candidate(sequence, int(digest), float(value), bool(is_cut))
        for sequence, digest, value, is_cut in zip(
            found.sequences, found.digests, found.values, found.is_cut, strict=True
        )
    ]
    return Listing(best, found.turn_count, found.exhaustive)


def read_turn(view: Position, actions: Sequence[str]) -> Candidate:
    """Return the turn that some actions make up; the end of the turn may be left out where there is one way only."""
    if not actions:
        raise TorresError("turn: no action given; write one such as 'move:e4-e5 block:e5 end'")
    numbers: list[int] = []
    here, ends = view, False
    for place, action in enumerate(actions):
        if action == "buy" and "buy" in here.legal_actions():
            if place < len(actions) - 1:
                raise IllegalAction("buy: what is drawn is not known yet; name the turn up to the purchase")
            return make_candidate(view, [*numbers, here.number_of(action)], is_cut=True)
        numbers.append(here.number_of(action))
        ends = has_ended(here, action)
        here = here.play_number(numbers[-1])
        if ends and place < len(actions) - 1:
            raise IllegalAction(f"{shorten(actions[place + 1])}: the turn is over before it")
    if not ends:
        last = [action for action in here.legal_actions() if action.startswith("end")]
        if len(last) != 1:
            ways = f"; end it with {', '.join(last)}" if last else ""
            raise IllegalAction(f"{shorten(actions[-1])}: the turn is not finished after it{ways}")
        numbers.append(here.number_of(last[0]))
    return make_candidate(view, numbers, is_cut=False)


def has_ended(before: Position, action: str) -> bool:
    """Tell whether an action ends a turn: in the set-up and at a year's end each does."""
    return action.startswith("end") or before.phase not in ("turn", "keep")


def make_candidate(view: Position, numbers: Iterable[int], *, is_cut: bool) -> Candidate:
    """Return a turn given by the numbers of its actions."""
    actions = np.array(list(numbers), np.int64)
    digest, value = judge_turn(np.repeat(view.state_array, 2), new_rng(0), actions)
    return Candidate(tuple(int(number) for number in actions), int(digest), float(value), is_cut)


def let_engine_choose(engine: Engine, view: Position, *, limit: Limit, seed: int, threads: int) -> Candidate:
    """Let an engine choose a whole turn, action by action if that is its way, up to a draw."""
    actions: list[str] = []
    here = view
    while True:
        for action in engine.choose(here, limit=limit, seed=seed + len(actions), threads=threads):
            actions.append(action)
            if action == "buy" or has_ended(here, action):
                return replace(read_turn(view, actions), chosen=True)
            here = here.play(action)


def merge(known: list[Candidate], more: Iterable[Candidate]) -> list[Candidate]:
    """Add candidates to those known; one with the same result as a known one only adds its marks.

    The order of actions that the user named is kept.
    """
    merged, places = list(known), {candidate.digest: place for place, candidate in enumerate(known)}
    for candidate in more:
        place = places.setdefault(candidate.digest, len(merged))
        if place == len(merged):
            merged.append(candidate)
            continue
        old = merged[place]
        numbers = candidate.numbers if candidate.asked and not old.asked else old.numbers
        merged[place] = replace(
            old, numbers=numbers, asked=old.asked or candidate.asked, chosen=old.chosen or candidate.chosen
        )
    return merged


def as_turns(candidates: Sequence[Candidate], listing: Listing | None = None) -> Turns:
    """Return candidates as the search takes them."""
    return Turns(
        digests=np.array([candidate.digest for candidate in candidates], np.uint64),
        values=np.array([candidate.value for candidate in candidates]),
        orders=np.ones(len(candidates)),
        is_cut=np.array([candidate.is_cut for candidate in candidates]),
        sequences=[candidate.numbers for candidate in candidates],
        turn_count=listing.turn_count if listing and listing.turn_count is not None else len(candidates),
        states=0,
        exhaustive=bool(listing and listing.exhaustive),
    )


def texts_of(view: Position, candidate: Candidate) -> list[str]:
    """Write the actions of a turn."""
    here, texts = view, []
    for place, number in enumerate(candidate.numbers):
        texts.append(here.text_of(number))
        if place < len(candidate.numbers) - 1:
            here = here.play_number(number)
    return texts
