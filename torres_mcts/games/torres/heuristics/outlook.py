"""From a position to the end of the game: expected points, chances of winning and of each place, by a fitted model.

The static value orders turns; it is not in points, and says nothing of how far a game still swings. The model mends
both. For a moment of the game (turns left; or between two years; or the set-up) it has

* how far the final points of a player lie above the mean of all: slopes times how far the static estimate, and the
  points if the year ended now, lie above the mean, plus what it is worth to be next to move, second, ...;
* the mean itself, by the mean estimate;
* how far both spread: the swing of each player (independent, normal) and of all together.

Wins and places follow by quadrature over one player's swing. At the end of the game the result is exact.
"""

import math

import numpy as np

from torres_mcts.core.jit import entry_kernel, kernel
from torres_mcts.games.torres.engine.scoring import castle_points, king_points, master_points
from torres_mcts.games.torres.engine.state import FIRST, KING, NO_KING, NO_MASTER, OVER, PLAYER_LIMIT, TURN, YEARS
from torres_mcts.games.torres.heuristics.value import bonus_points, estimate_score

# Columns of the model, and of what is read from a state.
ESTIMATE_SLOPE, POINTS_SLOPE, SWING, LEVEL, LEVEL_SLOPE, LEVEL_SWING, ORDER = range(7)
COLUMNS = ORDER + PLAYER_LIMIT
MOMENT, TO_MOVE, ESTIMATES, POINTS = 0, 1, 2, 2 + PLAYER_LIMIT
READ_COLUMNS = POINTS + PLAYER_LIMIT

SET_UP_MOMENT, BETWEEN_MOMENT, TURN_MOMENT = (
    0,
    0,
    YEARS - 1,
)  # then between years 1 and 2, 2 and 3, then 1 turn left ...
OVER_MOMENT = -1

# Of sources: what the points of a year come from.
CASTLES, KING_BONUS, MASTER_BONUS = range(3)

NODES, NODE_WEIGHTS = np.polynomial.hermite_e.hermegauss(24)
NODE_WEIGHTS = NODE_WEIGHTS / NODE_WEIGHTS.sum()


@kernel
def turns_to_come(state):
    """Count the turns of all players up to the end of the game, the one under way included."""
    players = np.int64(state.rules.players)
    turns = np.int64(0)
    for year in range(np.int64(state.year), YEARS):
        turns += players * np.int64(state.rules.rounds[year])
    if state.phase < KING:
        for player in range(players):
            turns += np.int64(state.stack_count[player])
        turns += 1 if state.in_use >= 0 else 0
    return turns


@kernel
def moment_of(state, moments):
    """Return the row of the model for a state; more turns than it knows count as the most it knows."""
    if state.phase == OVER:
        return OVER_MOMENT
    if state.phase < TURN:
        return SET_UP_MOMENT
    if state.phase == KING or state.phase == FIRST:
        return BETWEEN_MOMENT + np.int64(state.year)
    return min(TURN_MOMENT + turns_to_come(state), moments - 1)


@kernel
def points_so_far(state, player):
    """Return a player's points if the year ended now."""
    points = np.int64(state.scores[player])
    if state.phase == KING or state.phase == FIRST or state.phase == OVER:
        return points
    return points + castle_points(state, player) + bonus_points(state, player, 1) + bonus_points(state, player, 2)


@kernel
def read_state(state, moments, row):
    """Write what the model goes by into a row of READ_COLUMNS numbers."""
    row[MOMENT] = moment_of(state, moments)
    row[TO_MOVE] = state.to_move
    for player in range(state.rules.players):
        row[ESTIMATES + player] = estimate_score(state, player)
        row[POINTS + player] = points_so_far(state, player)


@entry_kernel
def read_states(states, moments, rows):
    """Write what the model goes by for some states: [states, READ_COLUMNS] float64."""
    for index in range(states.size):
        read_state(states[index], moments, rows[index])


@kernel
def expect(row, model, players, means):
    """Write the final points to be expected of each player; return the swing of one and the spread of a score.

    means: [players] float64, filled
    """
    moment = np.int64(row[MOMENT])
    if moment == OVER_MOMENT:
        means[:players] = row[POINTS : POINTS + players]
        return 0.0, 0.0
    estimate = row[ESTIMATES : ESTIMATES + players].sum() / players
    points = row[POINTS : POINTS + players].sum() / players
    level = model[moment, LEVEL] + model[moment, LEVEL_SLOPE] * estimate
    for player in range(players):
        order = (player - np.int64(row[TO_MOVE]) + players) % players
        means[player] = level + model[moment, ORDER + order]
        means[player] += model[moment, ESTIMATE_SLOPE] * (row[ESTIMATES + player] - estimate)
        means[player] += model[moment, POINTS_SLOPE] * (row[POINTS + player] - points)
    swing = model[moment, SWING]
    return swing, math.sqrt(model[moment, LEVEL_SWING] ** 2 + swing**2 * (players - 1) / players)


@kernel
def exact_places(means, players, places):
    """Write the places of each player at the end of the game; those who tie share theirs.

    places: [players, players] float64, filled: probability of each place
    """
    places[:, :] = 0.0
    for player in range(players):
        better = 0
        equal = 0
        for other in range(players):
            better += means[other] > means[player]
            equal += means[other] == means[player]
        for place in range(better, better + equal):
            places[player, place] = 1.0 / equal


@kernel
def chance_places(means, swing, players, places):
    """Write the probability of each place for each player, whose points swing independently."""
    places[:, :] = 0.0
    ahead = np.empty(players)  # probability that so many others are ahead
    for player in range(players):
        for node in range(NODES.size):
            ahead[:] = 0.0
            ahead[0] = NODE_WEIGHTS[node]
            counted = 0
            for other in range(players):
                if other != player:
                    distance = (means[player] - means[other]) / swing + NODES[node]
                    is_ahead = 0.5 * math.erfc(distance * math.sqrt(0.5))
                    counted += 1
                    for number in range(counted, 0, -1):
                        ahead[number] = ahead[number] * (1.0 - is_ahead) + ahead[number - 1] * is_ahead
                    ahead[0] *= 1.0 - is_ahead
            for place in range(players):
                places[player, place] += ahead[place]


@entry_kernel
def look_ahead(states, player, model, means, spreads, places, year_points):
    """Judge some states by the model.

    means:       [states, players] float64, filled: expected final points
    spreads:     [states] float64, filled: standard deviation of a player's final points around that
    places:      [states, players, players] float64, filled: probability that a player gets a place
    year_points: [states] float64, filled: points that one player has if the year ends now, or has ended
    """
    players = means.shape[1]
    row = np.empty(READ_COLUMNS)
    for index in range(states.size):
        read_state(states[index], model.shape[0], row)
        swing, spreads[index] = expect(row, model, players, means[index])
        if swing > 0:
            chance_places(means[index], swing, players, places[index])
        else:
            exact_places(means[index], players, places[index])
        year_points[index] = row[POINTS + player]


@entry_kernel
def judge_rows(rows, model, wins):
    """Write the win probabilities of each player for what was read from states: [states, players] float64."""
    players = wins.shape[1]
    means = np.empty(players)
    places = np.empty((players, players))
    for index in range(rows.shape[0]):
        swing, _ = expect(rows[index], model, players, means)
        if swing > 0:
            chance_places(means, swing, players, places)
        else:
            exact_places(means, players, places)
        wins[index] = places[:, 0]


@entry_kernel
def read_sources(states, player, sources):
    """Write what a player's points of the year come from if it ends on this board: [3] float64."""
    state = states[0]
    sources[CASTLES] = castle_points(state, player)
    sources[KING_BONUS] = king_points(state, player) if state.king != NO_KING else 0
    sources[MASTER_BONUS] = master_points(state, player) if state.rules.master_card < NO_MASTER - 1 else 0
