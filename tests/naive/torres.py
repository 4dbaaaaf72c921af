"""The rules of Torres in the plainest Python: an oracle to check the fast kernels against.

Positions are canonical, fully known position dicts. Sections are those of the rules page.
"""

import copy
from itertools import permutations

from .torres_board import (
    board_of,
    castles,
    heights_of,
    move_destinations,
    place_block_targets,
    place_knight_targets,
)
from .torres_cards import add_block, card_actions, move_knight, mover_of, play_card, take_from_stack
from .torres_rules import SQUARES, rules_of
from .torres_scoring import gain, score_year, turn_order


def legal_actions(position: dict) -> list[str]:
    """List every legal action once, sorted."""
    if position["phase"] == "over":
        return []
    return sorted(LISTS[position["phase"]](position))


def play(position: dict, action: str) -> dict:
    """Give the canonical position after an action; ValueError if it is illegal."""
    if action not in legal_actions(position):
        raise ValueError(f"illegal action in phase {position['phase']}: {action!r}")
    return apply(position, action)


def apply(position: dict, action: str) -> dict:
    """Give the position after an action that is known to be legal."""
    after = copy.deepcopy(position)
    PLAYS[position["phase"]](after, action)
    return after


# Set-up (sections 1 and 10)


def list_castles(position: dict) -> list[str]:
    """List the squares at least 3 orthogonal steps from every block."""
    blocks = [square for square, height in heights_of(position).items() if height > 0]
    return [
        f"castle:{s}"
        for s in SQUARES
        if all(abs(ord(s[0]) - ord(b[0])) + abs(ord(s[1]) - ord(b[1])) >= 3 for b in blocks)
    ]


def play_castle(position: dict, action: str) -> None:
    """Place a start block; after the eighth the knights follow, from player 0."""
    add_block(position, action.split(":")[1], 1)
    if sum(heights_of(position).values()) < 8:
        position["to_move"] = next_player(position)
    else:
        position["phase"] = "knights"
        position["to_move"] = position["players"][0]["name"]


def list_setup_piece(position: dict) -> list[str]:
    """List the squares for a first knight or the king: castles that carry no piece."""
    board = board_of(position)
    piece = "knight" if position["phase"] == "knights" else "king"
    empty_castles = [castle for castle in castles(board.heights) if not castle & board.pieces]
    return [f"{piece}:{square}" for castle in empty_castles for square in castle]


def play_setup_knight(position: dict, action: str) -> None:
    """Place a first knight; after the last player's the king follows, by the same player."""
    mover_of(position)["knights"] = [action.split(":")[1]]
    if mover_of(position) is position["players"][-1]:
        position["phase"] = "king-setup"
    else:
        position["to_move"] = next_player(position)


def play_setup_king(position: dict, action: str) -> None:
    """Place the king and begin the first round."""
    position["king"] = action.split(":")[1]
    begin_round(position)


# A turn (sections 2 to 6)


def list_turn(position: dict) -> list[str]:
    """List the actions that cost AP, the cards, and the ways to end the turn."""
    rules, turn, mover = rules_of(position), position["turn"], mover_of(position)
    board = board_of(position)
    actions = card_actions(position) + end_actions(position)
    if turn["ap"] >= rules["cost_knight"] and len(mover["knights"]) < rules["knights"]:
        actions += [f"knight:{square}" for square in place_knight_targets(board, board.own)]
    if turn["ap"] >= rules["cost_move"]:
        actions += [f"move:{a}-{b}" for a in board.own for b in move_destinations(board, a)]
    if turn["ap"] >= rules["cost_block"] and stack_of_turn(position) > 0:
        actions += [f"block:{square}" for square in place_block_targets(board)]
    if turn["ap"] >= rules["cost_buy"] and turn["bought"] < rules["buys_per_turn"]:
        actions += ["buy"] if pile_of(position) else []
    if turn["ap"] >= rules["cost_score"]:
        actions.append("score")
    return actions


def play_turn(position: dict, action: str) -> None:
    """Carry out one action of a turn."""
    kind, _, choice = action.partition(":")
    if kind == "end":
        end_turn(position, choice)
        return
    if kind == "card":
        play_card(position, action)
        return
    mover = mover_of(position)
    position["turn"]["ap"] -= rules_of(position)[f"cost_{kind}"]
    if kind == "knight":
        mover["knights"] = sorted([*mover["knights"], choice])
    elif kind == "move":
        move_knight(position, choice)
    elif kind == "block":
        take_stack(position)
        take_from_stack(position, "use")
        add_block(position, choice, 1)
    elif kind == "buy":
        play_buy(position)
    elif kind == "score":
        gain(position, mover, 1)


def stack_of_turn(position: dict) -> int:
    """Give the blocks left for this turn: the stack in use, or else the highest (section 5)."""
    in_use = position["turn"]["in_use"]
    return max(mover_of(position)["stacks"]) if in_use is None else in_use


def take_stack(position: dict) -> None:
    """Take the highest stack into use, unless one is in use already."""
    if position["turn"]["in_use"] is None:
        position["turn"]["in_use"] = mover_of(position)["stacks"].pop(0)


# Buying cards (section 6)


def pile_of(position: dict) -> list[str]:
    """Give the pile that the player to move draws from, top first; empty where none is."""
    where = {"own": mover_of(position), "common": position}.get(rules_of(position)["cards"], {})
    return where.get("deck", [])


def play_buy(position: dict) -> None:
    """Draw cards: a single one goes to the hand, of several one is to be chosen."""
    turn, pile = position["turn"], pile_of(position)
    draw = rules_of(position)["draw"]
    drawn, pile[:] = pile[:draw], pile[draw:]
    turn["bought"] += 1
    if len(drawn) == 1:
        take_card(position, drawn[0])
    else:
        turn["drawn"] = drawn
        position["phase"] = "keep"


def take_card(position: dict, card: str) -> None:
    """Put a card into the hand; it cannot be played in this turn."""
    mover = mover_of(position)
    mover["hand"] = sorted([*mover["hand"], card])
    mover["fresh"] = sorted([*mover["fresh"], card])


def list_keep(position: dict) -> set[str]:
    """List each card to keep with each way to put the others on top and at the bottom."""
    actions = set()
    for kept, *others in permutations(position["turn"]["drawn"]):
        for cut in range(len(others) + 1):
            top, bottom = ",".join(others[:cut]), ",".join(others[cut:])
            actions.add(f"keep:{kept}" + (top and f";top:{top}") + (bottom and f";bottom:{bottom}"))
    return actions


def play_keep(position: dict, action: str) -> None:
    """Keep one of the drawn cards and return the others to the pile."""
    choice = dict(part.split(":") for part in action.split(";"))
    top = choice["top"].split(",") if "top" in choice else []
    bottom = choice["bottom"].split(",") if "bottom" in choice else []
    pile = pile_of(position)
    pile[:] = top + pile + bottom
    take_card(position, choice["keep"])
    position["turn"]["drawn"] = []
    position["phase"] = "turn"


# The end of a turn (sections 5 and 8)


def deal_leftovers(stacks: list[int], blocks: int, limit: int) -> set[tuple[int, ...]]:
    """Give all descending lists of stacks after dealing out as many blocks as fit (section 5).

    >>> sorted(deal_leftovers([2, 1], 1, limit=3))
    [(2, 2), (3, 1)]
    """
    results = {tuple(stacks)}
    for _ in range(min(blocks, sum(limit - stack for stack in stacks))):
        results = {
            tuple(sorted([*stacks[:i], stacks[i] + 1, *stacks[i + 1 :]], reverse=True))
            for stacks in results
            for i in range(len(stacks))
            if stacks[i] < limit
        }
    return results


def stacks_after_turn(position: dict) -> list[str]:
    """List the stacks that can remain after this turn, written as in `end:3,2`."""
    stacks = list(mover_of(position)["stacks"])
    leftover = position["turn"]["in_use"]
    if leftover is None:
        leftover = stacks.pop(0)
    results = deal_leftovers(stacks, leftover, rules_of(position)["stack_limit"])
    return [",".join(str(stack) for stack in result) for result in results]


def end_actions(position: dict) -> list[str]:
    """List the ways to end the turn: one, or one for each result of dealing the leftovers."""
    results = stacks_after_turn(position)
    return ["end"] if len(results) == 1 else [f"end:{stacks}" for stacks in results]


def end_turn(position: dict, choice: str) -> None:
    """Deal out the leftovers; then the next turn, the next round, or the end of the year."""
    rules, mover = rules_of(position), mover_of(position)
    round_count = len(rules["stacks"][position["year"] - 1])
    remaining = choice or stacks_after_turn(position)[0]
    take_stack(position)
    if position["round"] == round_count and rules["keep_leftovers"] and position["year"] < 3:
        mover["kept"] = position["turn"]["in_use"]
    mover["stacks"] = [int(stack) for stack in remaining.split(",") if stack]
    mover["fresh"] = []
    if next_player(position) != position["first"]:
        begin_turn(position, next_player(position))
    elif position["round"] < round_count:
        position["round"] += 1
        begin_round(position)
    else:
        end_year(position)


def next_player(position: dict) -> str:
    """Name the player clockwise of the one to move."""
    names = [player["name"] for player in position["players"]]
    return names[(names.index(position["to_move"]) + 1) % len(names)]


def set_phase(position: dict, phase: str, to_move: str | None, ap: int) -> None:
    """Enter a phase with nothing done in it yet."""
    position["phase"] = phase
    position["to_move"] = to_move
    position["turn"] = {"ap": ap, "in_use": None, "bought": 0, "cards_played": 0, "drawn": []}


def begin_turn(position: dict, player: str) -> None:
    """Give a player a new turn."""
    set_phase(position, "turn", player, ap=rules_of(position)["ap_per_turn"])


def begin_round(position: dict) -> None:
    """Begin a round with the start player; in master games that is the leader (section 10)."""
    if rules_of(position)["start_player"] == "leader":
        # Of equal scores `max` takes the first: the start player, else the next clockwise.
        leader = max(turn_order(position), key=lambda player: player["score"])
        position["first"] = leader["name"]
    begin_turn(position, position["first"])


# The end of a year (section 8)


def end_year(position: dict) -> None:
    """Score the year; then the game is over, or the last player may move the king."""
    score_year(position)
    if position["year"] == 3:
        set_phase(position, "over", None, ap=0)
    else:
        # Of equal scores the last in turn order counts as the one with the fewest points.
        last = min(reversed(turn_order(position)), key=lambda player: player["score"])
        set_phase(position, "king", last["name"], ap=0)


def list_king(position: dict) -> list[str]:
    """List where the king may go at the end of the year."""
    board = board_of(position)
    squares = [
        square
        for castle in castles(board.heights)
        if position["king"] not in castle or rules_of(position)["king_same_castle"]
        for square in castle - board.pieces
    ]
    return ["king:stay"] + [f"king:{square}" for square in squares]


def play_king(position: dict, action: str) -> None:
    """Move the king; the same player names the start player, or the new year begins."""
    if action != "king:stay":
        position["king"] = action.split(":")[1]
    if rules_of(position)["start_player"] == "named":
        position["phase"] = "first"
    else:
        begin_year(position)


def list_first(position: dict) -> list[str]:
    """List the players who may be named start player: all."""
    return [f"first:{player['name']}" for player in position["players"]]


def play_first(position: dict, action: str) -> None:
    """Name the start player and begin the new year."""
    position["first"] = action.split(":")[1]
    begin_year(position)


def begin_year(position: dict) -> None:
    """Deal the stacks of the next year, and onto them what each player kept."""
    rules = rules_of(position)
    position["year"] += 1
    position["round"] = 1
    for player in position["players"]:
        stacks = rules["stacks"][position["year"] - 1]
        player["stacks"] = deal_kept(stacks, player["kept"], rules["stack_limit"])
        player["kept"] = 0
    begin_round(position)


def deal_kept(stacks: list[int], blocks: int, limit: int) -> list[int]:
    """Deal blocks one by one onto the lowest stack, as many as fit (section 8, 7).

    >>> deal_kept([3, 2, 2], 3, limit=3)
    [3, 3, 3]
    """
    stacks = sorted(stacks)
    for _ in range(blocks):
        if stacks[0] < limit:
            stacks[0] += 1
            stacks.sort()
    return stacks[::-1]


LISTS = {
    "castles": list_castles,
    "knights": list_setup_piece,
    "king-setup": list_setup_piece,
    "turn": list_turn,
    "keep": list_keep,
    "king": list_king,
    "first": list_first,
}
PLAYS = {
    "castles": play_castle,
    "knights": play_setup_knight,
    "king-setup": play_setup_king,
    "turn": play_turn,
    "keep": play_keep,
    "king": play_king,
    "first": play_first,
}
