"""The score track of Torres and the points at the end of a year (rules, 7, 8 and 10)."""

from .torres_board import castle_of, castles, heights_of, offset
from .torres_rules import SQUARES, rules_of

LONG_DIAGONALS = {file + rank for file, rank in zip("abcdefgh", "12345678", strict=True)}
LONG_DIAGONALS |= {file + rank for file, rank in zip("abcdefgh", "87654321", strict=True)}
BORDER = {square for square in SQUARES if square[0] in "ah" or square[1] in "18"}
YEAR_3_POINTS = {"square": 50, "row": 50, "same-level": 50, "different-levels": 40, "chain": 40}


def move_marker(scores: list[int], seat: int, points: int, track: int) -> int:
    """Give a player's new score, moved on past occupied spaces (section 7).

    >>> move_marker([3, 104, 5], seat=0, points=1, track=100)
    6
    """
    if points == 0 or track == 0:
        return scores[seat] + points
    occupied = {score % track for other, score in enumerate(scores) if other != seat}
    score = scores[seat] + points
    while score % track in occupied:
        score += 1
    return score


def gain(position: dict, player: dict, points: int) -> None:
    """Move a player's marker on the position itself."""
    scores = [other["score"] for other in position["players"]]
    seat = position["players"].index(player)
    player["score"] = move_marker(scores, seat, points, rules_of(position)["score_track"])


def turn_order(position: dict) -> list[dict]:
    """List the players clockwise from the start player of the current round."""
    players = position["players"]
    first = [player["name"] for player in players].index(position["first"])
    return players[first:] + players[:first]


def score_year(position: dict) -> None:
    """Score castles, king's bonus and master bonus on the position itself (section 8, 1 to 3)."""
    for bonus in (score_castles, king_bonus, master_bonus):
        for player in turn_order(position):
            gain(position, player, bonus(position, player))


def score_castles(position: dict, player: dict) -> int:
    """Add up area x level of the player's highest knight, over all castles (section 8)."""
    heights = heights_of(position)
    points = 0
    for castle in castles(heights):
        levels = [heights[knight] for knight in player["knights"] if knight in castle]
        points += len(castle) * max(levels, default=0)
    return points


def king_bonus(position: dict, player: dict) -> int:
    """Give the king's bonus of this year if a knight stands on the level asked (section 8)."""
    rules, year = rules_of(position), position["year"]
    heights = heights_of(position)
    castle = castle_of(heights, position["king"])
    levels = {heights[knight] for knight in player["knights"] if knight in castle}
    return rules["king_bonus"][year - 1] if rules["king_level"][year - 1] in levels else 0


# Master cards (section 10)


def master_bonus(position: dict, player: dict) -> int:
    """Give the points of the master card in play for this year."""
    card, year = rules_of(position)["master_card"], position["year"]
    if card is None:
        return 0
    if card == "random":
        raise ValueError("the master card is still random: the year cannot be scored")
    if card == "castles":
        return castles_bonus(position, player)
    if card == "diagonals":
        return most_knights_bonus(position, player, LONG_DIAGONALS)
    if card == "edges":
        return most_knights_bonus(position, player, BORDER)
    if year < 3:
        return 0
    if card != "square" and len(player["knights"]) < rules_of(position)["master_min_knights"]:
        return 0
    heights, knights = heights_of(position), player["knights"]
    return YEAR_3_POINTS[card] if is_year_3_card_met(card, heights, knights) else 0


def castles_bonus(position: dict, player: dict) -> int:
    """Score exactly 4, 5, 6 occupied castles."""
    year = position["year"]
    knights = set(player["knights"])
    occupied_count = sum(bool(castle & knights) for castle in castles(heights_of(position)))
    return (5, 15, 30)[year - 1] if occupied_count == (4, 5, 6)[year - 1] else 0


def most_knights_bonus(position: dict, player: dict, squares: set[str]) -> int:
    """Score each knight on these squares, and one more for strictly more than every other."""
    counts = {other["name"]: len(squares & set(other["knights"])) for other in position["players"]}
    count = counts.pop(player["name"])
    if count > max(counts.values()):
        count += 1
    return count * (2, 5, 10)[position["year"] - 1]


def is_year_3_card_met(card: str, heights: dict[str, int], knights: list[str]) -> bool:
    """Tell whether a player's knights have the shape that a card of year 3 asks for."""
    levels = {heights[knight] for knight in knights}
    if card == "same-level":
        return len(levels) <= 1
    if card == "different-levels":
        return len(levels) == len(knights)
    if card == "chain":
        return len(castles(dict.fromkeys(knights, 1))) <= 1  # edge-connected, as a castle
    if card == "row":
        places = [(ord(knight[0]), ord(knight[1])) for knight in knights]
        files, ranks = {file for file, _ in places}, {rank for _, rank in places}
        rising, falling = {f - r for f, r in places}, {f + r for f, r in places}
        return min(len(files), len(ranks), len(rising), len(falling)) <= 1
    return any(  # square
        {offset(corner, size, 0), offset(corner, 0, size), offset(corner, size, size)} <= set(knights)
        for corner in knights
        for size in range(1, 8)
    )
