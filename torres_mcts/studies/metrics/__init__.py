"""What studies measure: pure functions from blocks of logged games to named values."""

from torres_mcts.studies.metrics import activity, cards, catching, king, scores, seats, skill, tension
from torres_mcts.studies.metrics.metric import Metric

METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        seats.seats,
        seats.agents,
        scores.scores,
        scores.sources,
        tension.lead_changes,
        tension.drama,
        catching.comeback,
        tension.decisive_point,
        tension.uncertainty,
        activity.branching,
        activity.distinct_turns,
        activity.duration,
        activity.ap_use,
        activity.cards_a_year,
        king.king,
        cards.card_dealt,
        cards.card_swing,
        cards.card_wins,
        cards.card_use,
        skill.skill_depth,
        catching.runaway,
        catching.catch_up,
    )
}
