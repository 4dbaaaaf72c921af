"""The file that a user begins with."""

from pathlib import Path

from torres_mcts.studies.metrics import METRICS

TEMPLATE = Path(__file__).with_name("example.toml")


def write_example() -> str:
    """Return the text of a study in which every key is explained, with all metrics that there are."""
    width = max(map(len, METRICS))
    known = "\n".join(f"#   {metric.name:<{width}}  {metric.title}, {metric.unit}" for metric in METRICS.values())
    return TEMPLATE.read_text(encoding="utf-8").replace("{metrics}", known)
