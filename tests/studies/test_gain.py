"""The gain of common luck where a variant is an exact multiple of the base, as a doubled bonus is."""

import numpy as np
import pytest

from torres_mcts.studies.statistics.differences import compare


def mean_of(blocks: list[float]) -> dict[str, float]:
    """Return the mean."""
    return {"mean": sum(blocks) / len(blocks)}


@pytest.mark.parametrize("seed", range(20))
def test_a_multiple_of_the_base_has_a_gain_that_is_known(seed: int) -> None:
    base = np.random.default_rng(seed).random(30).tolist()
    gain = compare(mean_of, base, [2 * value for value in base])["mean"].gain
    assert gain is not None
    assert gain.low <= gain.mean <= gain.high
    assert gain.mean == pytest.approx(5)  # (1 + 4) / 1
