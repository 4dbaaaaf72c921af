"""Why an action is not legal: the first reason, in the words of the rules."""

from typing import TYPE_CHECKING, Any

from torres_mcts.games.torres.engine import actions as act
from torres_mcts.games.torres.engine import state as st
from torres_mcts.games.torres.model import CARDS, PHASES
from torres_mcts.games.torres.notation import SQUARES, cards_of

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
        return f"{name} is not in the hand"
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
        if not int(state["knights"][state["to_move"]]) >> target & 1:
            return f"{position.to_move!a} has no knight on {square}"
        return f"no such stack, or the block would make the castle of {square} too high or join two castles"
    if family not in _TO_A_SQUARE and (card is None or card in _NOT_TO_A_SQUARE):
        return None
    if square not in position.rules.playable:
        return f"{square} is not a playable square"
    who = _occupant(position, target)
    if who:
        return f"{who} stands on {square}"
    if family == act.PLACE_BLOCK or card == st.SUPPLY:
        return _explain_block(state, target)
    if family == act.MOVE:
        return f"{square} (height {state['heights'][target]}) cannot be reached by a step or through a castle"
    if family == act.PLACE_KNIGHT and state["phase"] == st.TURN:
        return f"{square} is not beside an own knight on the same level or a higher one"
    if family == act.PLACE_KNIGHT or (family == act.PLACE_KING and state["phase"] == st.KING_SETUP):
        return f"{square} does not belong to a castle without a piece"
    if family == act.PLACE_CASTLE:
        return f"{square} is less than three steps away from another block"
    if family == act.PLACE_KING:
        return f"{square} is bare ground, or in the castle where the king stands"
    return f"{CARDS[card]} does not reach {square}" if card is not None else None


def _explain_block(state: Any, target: int) -> str:
    """Say why a free square may not get a block."""
    height, square = int(state["heights"][target]), SQUARES[target]
    if height:
        area = int(state["castle_squares"][state["castle_of"][target]]).bit_count()
        return f"{square} is {height} high already, and its castle has only {area} squares"
    if int(state["beside_many"]) >> target & 1:
        return f"a block on {square} would join two castles"
    return f"{square} is not beside a castle, and a block never starts one"


def _occupant(position: "Position", square: int) -> str | None:
    """Name the piece on a square, if any."""
    if position.state["king"] == square:
        return "the king"
    for seat, name in enumerate(position.names):
        if int(position.state["knights"][seat]) >> square & 1:
            return f"a knight of {name!a}"
    return None
