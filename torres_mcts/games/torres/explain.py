"""Why an action is not legal: the first reason, in the words of the rules."""

from typing import TYPE_CHECKING, Any

from torres_mcts.games.torres.engine import actions as act
from torres_mcts.games.torres.engine import state as st
from torres_mcts.games.torres.format.model import CARDS, PHASES
from torres_mcts.games.torres.format.notation import SQUARES, cards_of, stacks_of
from torres_mcts.games.torres.rules import beside, castles_of

if TYPE_CHECKING:
    from torres_mcts.games.torres.position import Position

_PHASES_OF = {
    act.PLACE_CASTLE: (st.CASTLES,),
    act.PLACE_KNIGHT: (st.KNIGHTS, st.TURN),
    act.PLACE_KING: (st.KING_SETUP, st.KING),
    act.NAME_FIRST: (st.FIRST,),
    act.KEEP_CARD: (st.KEEP,),
}
_COSTS = {
    act.PLACE_KNIGHT: "cost_knight",
    act.MOVE: "cost_move",
    act.PLACE_BLOCK: "cost_block",
    act.BUY: "cost_buy",
    act.SCORE_POINT: "cost_score",
}
_TO_A_SQUARE = (act.PLACE_CASTLE, act.PLACE_KNIGHT, act.PLACE_KING, act.MOVE, act.PLACE_BLOCK)
_NOT_TO_A_SQUARE = (st.AP6, st.AP7, st.UNDER)


def explain(position: "Position", action: int) -> str:
    """Say why an action that is not on a position's menu is not legal."""
    state = position.state
    family = action >> act.FAMILY_SHIFT
    phases = _PHASES_OF.get(family, (st.TURN,))
    if state["phase"] not in phases:
        wanted = " or ".join(PHASES[phase] for phase in phases)
        return f"the phase is {position.phase}; this belongs to phase {wanted}"
    return (
        _explain_means(position, action, family)
        or _explain_origin(position, action, family)
        or _explain_target(position, action, family)
        or "the rules do not allow it here"
    )


def _explain_means(position: "Position", action: int, family: int) -> str | None:
    """Say which of AP, knights, blocks and cards is missing."""
    state, rules = position.state, position.rules
    player = int(state["to_move"])
    if state["phase"] == st.TURN and family in _COSTS and state["ap"] < getattr(rules, _COSTS[family]):
        return f"it costs {getattr(rules, _COSTS[family])} AP, and {state['ap']} are left"
    if family == act.PLACE_KNIGHT and int(state["knights"][player]).bit_count() >= rules.knights:
        return f"all {rules.knights} knights are on the board"
    if family == act.PLACE_BLOCK:
        left = int(state["in_use"]) if state["in_use"] >= 0 else int(state["stacks"][player]) & 15
        if left == 0:
            return "the stack of this turn has no block left"
    if family == act.BUY:
        if rules.cards not in ("own", "common"):
            return "these rules have no cards to buy"
        if state["bought"] >= rules.buys_per_turn:
            return f"at most {rules.buys_per_turn} cards may be bought in a turn"
        return "the pile is empty"
    return _explain_card(position, act.card_of.py_func(action), player) if family == act.PLAY_CARD else None


def _explain_card(position: "Position", card: int, player: int) -> str | None:
    state, name = position.state, CARDS[card]
    if state["cards_played"] >= position.rules.cards_per_turn:
        return f"at most {position.rules.cards_per_turn} cards may be played in a turn"
    if name not in cards_of(int(state["hands"][player])):
        unknown = (
            " (it may be one of the unknown cards: determinize the position first)"
            if state["hidden_in_hand"][player]
            else ""
        )
        return f"{name} is not in the hand{unknown}"
    if name not in cards_of(int(state["hands"][player]) - int(state["fresh"])):
        return f"{name} was bought this turn and may be played from the next on"
    if card == st.SUPPLY and state["supply"] == 0:
        return "the common supply has no block left"
    return None


def _explain_origin(position: "Position", action: int, family: int) -> str | None:
    """Say what is wrong with the square that the action starts from."""
    state = position.state
    origin = act.origin_of.py_func(action)
    card = act.card_of.py_func(action) if family == act.PLAY_CARD else None
    if card == st.SHIFT:
        if state["heights"][origin] == 0:
            return f"{SQUARES[origin]} has no block"
        who = _occupant(position, origin)
        return f"{who} stands on {SQUARES[origin]}" if who else None
    moves_knight = family == act.MOVE or card in (st.CLIMB, st.DIAGONAL, st.GATE, st.JUMP, st.TRANSFER)
    if moves_knight and not int(state["knights"][state["to_move"]]) >> origin & 1:
        return f"{position.to_move!a} has no knight on {SQUARES[origin]}"
    return None


def _explain_target(position: "Position", action: int, family: int) -> str | None:
    """Say what is wrong with the square that the action ends on."""
    state, target = position.state, act.target_of.py_func(action)
    square = SQUARES[target]
    card = act.card_of.py_func(action) if family == act.PLAY_CARD else None
    if card == st.UNDER:
        return _explain_under(position, target, act.origin_of.py_func(action))
    if family not in _TO_A_SQUARE and (card is None or card in _NOT_TO_A_SQUARE):
        return None
    if square not in position.rules.playable:
        return f"{square} is not a playable square"
    who = _occupant(position, target)
    if who:
        return f"{who} stands on {square}"
    if family == act.PLACE_BLOCK or card == st.SUPPLY:
        return _explain_block(state, target)
    if family == act.PLACE_CASTLE:
        return f"{square} is less than three steps away from another block"
    if family == act.PLACE_KING:
        return _explain_king(state, target)
    if family == act.PLACE_KNIGHT and state["phase"] == st.KNIGHTS:
        return _explain_start(state, target)
    if family == act.PLACE_KNIGHT:
        return _explain_knight(state, target, int(state["knights"][state["to_move"]]))
    origin = act.origin_of.py_func(action)
    if card == st.SHIFT:
        return _explain_shift(position, origin, target)
    return _explain_way(state, card, origin, target)


def _explain_under(position: "Position", target: int, stack: int) -> str:
    """Say why no block may go under a knight."""
    state = position.state
    player = int(state["to_move"])
    if not int(state["knights"][player]) >> target & 1:
        return f"{position.to_move!a} has no knight on {SQUARES[target]}"
    if stack == act.USE:
        if state["in_use"] <= 0:
            return "no stack with a block is in use"
    elif stack not in stacks_of(int(state["stacks"][player]), int(state["stack_count"][player])):
        return f"{position.to_move!a} has no stack of {stack}"
    return _explain_block(state, target)


def _explain_start(state: Any, target: int) -> str:
    """Say why a free square is not one for a piece of the set-up."""
    if not state["heights"][target]:
        return f"{SQUARES[target]} is bare ground; in the set-up pieces stand on castles"
    return f"the castle of {SQUARES[target]} carries a piece already"


def _explain_king(state: Any, target: int) -> str:
    """Say why the king may not go to a free square."""
    if state["phase"] == st.KING_SETUP:
        return _explain_start(state, target)
    if not state["heights"][target]:
        return f"{SQUARES[target]} is bare ground; the king stands on a block"
    return f"{SQUARES[target]} is in the castle where the king stands; it may go to another one"


def _explain_knight(state: Any, target: int, knights: int) -> str:
    """Say why a knight may not be put on a free square."""
    square, height = SQUARES[target], state["heights"][target]
    near = [other for other in range(64) if knights >> other & 1 and _distance(other, target) == (0, 1)]
    if not near:
        return f"{square} is not beside another own knight"
    highest = max(state["heights"][other] for other in near)
    return f"{square} is {height} high, above the own knights beside it (level {highest})"


def _explain_way(state: Any, card: int | None, origin: int, target: int) -> str:
    """Say why a knight may not go from one square to another, by a move (no card) or with a card."""
    start, square, distance = SQUARES[origin], SQUARES[target], _distance(origin, target)
    climb = int(state["heights"][target]) - int(state["heights"][origin])
    too_high = f"{square} is {climb} levels above {start}; one at most is possible"
    if card is None:
        return (
            too_high if distance == (0, 1) else f"{square} cannot be reached from {start} by a step or through a castle"
        )
    if card == st.TRANSFER:
        return _explain_knight(state, target, int(state["knights"][state["to_move"]]) & ~(1 << origin))
    if card == st.GATE:
        doors = beside(1 << origin) & int(state["planes"][state["heights"][origin] + 1])
        return f"{square} has no door of the same castle" if doors else f"{start} is not before a door"
    if card == st.CLIMB:
        if distance == (0, 1):
            return f"climb goes exactly two levels up; from {start} to {square} it is {climb}"
        return f"{square} is not beside {start}"
    if card == st.DIAGONAL:
        return too_high if distance == (1, 1) else f"{square} is not diagonally beside {start}"
    if distance != (0, 2):
        return f"{square} is not two steps from {start} in a straight line"
    between = (origin + target) // 2
    others = [int(knights) for seat, knights in enumerate(state["knights"]) if seat != state["to_move"]]
    if not any(knights >> between & 1 for knights in others):
        return f"no opposing knight stands on {SQUARES[between]} to jump over"
    return too_high


def _explain_shift(position: "Position", origin: int, target: int) -> str:
    """Say why a free top block may not go to a free square, judged on the board without it."""
    heights = [int(height) for height in position.state["heights"]]
    castles = len(_castles_of(heights))
    heights[origin] -= 1
    if len(_castles_of(heights)) > castles:
        return f"lifting the only block of {SQUARES[origin]} would split its castle"
    touched = [castle for castle in _castles_of(heights) if castle & (1 << target | beside(1 << target))]
    if origin == target:
        return "the block must go to another square"
    if heights[target] and heights[target] >= touched[0].bit_count():
        return _too_high(target, heights[target], touched[0].bit_count())
    if not heights[target] and len(touched) > 1:
        return f"a block on {SQUARES[target]} would join two castles"
    heights[target] += 1
    after = _castles_of(heights)
    if len(after) < position.rules.min_castles:
        return f"{len(after)} castles would stand; at least {position.rules.min_castles} must"
    return f"without the block of {SQUARES[origin]} its castle would be higher than its area"


def _castles_of(heights: list[int]) -> list[int]:
    return castles_of(sum(1 << square for square, height in enumerate(heights) if height))


def _explain_block(state: Any, target: int) -> str:
    """Say why a free square may not get a block."""
    height, square = int(state["heights"][target]), SQUARES[target]
    if height:
        area = int(state["castle_squares"][state["castle_of"][target]]).bit_count()
        return _too_high(target, height, area)
    if int(state["beside_many"]) >> target & 1:
        return f"a block on {square} would join two castles"
    return f"{square} is not beside a castle, and a block never starts one"


def _too_high(square: int, height: int, area: int) -> str:
    squares = "1 square" if area == 1 else f"{area} squares"
    return f"{SQUARES[square]} is {height} high already, and its castle has only {squares}"


def _distance(origin: int, target: int) -> tuple[int, int]:
    """Return how far two squares are apart along files and ranks, the lesser first."""
    across, up = abs(origin % 8 - target % 8), abs(origin // 8 - target // 8)
    return min(across, up), max(across, up)


def _occupant(position: "Position", square: int) -> str | None:
    """Name the piece on a square, if any."""
    if position.state["king"] == square:
        return "the king"
    for seat, name in enumerate(position.names):
        if int(position.state["knights"][seat]) >> square & 1:
            return f"a knight of {name!a}"
    return None
