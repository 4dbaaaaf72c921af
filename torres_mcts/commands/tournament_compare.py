"""`torres-tournament compare`: a sequential test between two agents, as it stands or as it will go."""

import math
from typing import Any

import click

from torres_mcts import __version__
from torres_mcts.commands.shell import Command
from torres_mcts.core.errors import TorresError, shorten, suggest

FORMS = "give RUN A B, or none of them and --elo and --sd"


@click.command("compare", cls=Command)
@click.argument("words", nargs=-1, metavar="[RUN A B]")
@click.option("--elo", type=click.FloatRange(-2000, 2000), nargs=2, metavar="LOW HIGH", help="What is to be decided.")
@click.option("--alpha", type=float, help="Risk of accepting HIGH where LOW holds; 0.05.")
@click.option("--beta", type=float, help="Risk of accepting LOW where HIGH holds; 0.05.")
@click.option("--minimum", type=click.IntRange(2), help="Blocks before which nothing is judged; 30.")
@click.option("--sd", type=float, help="Without a RUN: standard deviation of a block's mean rank points, as 0.3.")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of words.")
def compare(
    words: tuple[str, ...],
    elo: tuple[float, float] | None,
    alpha: float | None,
    beta: float | None,
    minimum: int | None,
    sd: float | None,
    as_json: bool,
) -> None:
    """Decide whether agent A is LOW or HIGH Elo above B by a sequential test on the games of a RUN.

    Shows how often A was ahead of B, the Elo of that, the log-likelihood ratio between its bounds, what it means, and
    how many blocks are left on average. Without a RUN: how many blocks such a test takes, for several true strengths.
    """
    from torres_mcts.core.files import to_json
    from torres_mcts.tournaments.statistics.stopping import MINIMUM_BLOCKS, Hypotheses

    if elo is not None and not elo[0] < elo[1]:
        raise TorresError(f"--elo: LOW must be less than HIGH, not {elo[0]:g} and {elo[1]:g}")
    risks = {name: value for name, value in {"alpha": alpha, "beta": beta}.items() if value is not None}
    least = minimum or MINIMUM_BLOCKS
    if not words:
        if elo is None or sd is None:
            raise TorresError(FORMS)
        if not 0 < sd <= 0.5:
            raise TorresError(f"--sd: expected rank points above 0 and at most 0.5, not {sd}")
        result = _foresee(Hypotheses.from_elo(*elo, **risks), elo, sd, least)
    elif len(words) != 3 or sd is not None:
        raise TorresError(FORMS if sd is None else "--sd: is measured by the RUN; leave one of both out")
    else:
        result = _judge(words, elo, risks, least)
    if as_json:
        if words:
            ends = result["elo"].items()
            result["elo"] = {name: value if math.isfinite(value) else None for name, value in ends}
        click.echo(to_json({"version": __version__, **result}, indent=None), nl=False)
    elif words:
        _show_verdict(result)
    else:
        _show_forecast(result)


def _judge(words: tuple[str, ...], elo: tuple[float, float] | None, risks: Any, minimum: int) -> dict[str, Any]:
    """Return how the test between two agents of a run stands."""
    from torres_mcts.tournaments.folder import read_run
    from torres_mcts.tournaments.schedule import list_lineups
    from torres_mcts.tournaments.statistics.planning import expect_test, sd_of_shares
    from torres_mcts.tournaments.statistics.ratings import elo_of_points
    from torres_mcts.tournaments.statistics.stopping import Hypotheses, StoppingRule, judge
    from torres_mcts.tournaments.statistics.tables import duel_blocks

    run, one, other = words
    found = read_run(run)
    spec = found.spec
    for name in (one, other):
        if name not in spec.names:
            raise TorresError(f"{spec.name}: no agent is called {shorten(name)}{suggest(name, spec.names)}")
    if elo is not None:
        hypotheses = Hypotheses.from_elo(*elo, **risks)
    elif spec.stop.hypotheses is None or risks:
        raise TorresError("--elo: give the two strengths to decide between, as --elo 0 30")
    else:
        hypotheses = spec.stop.hypotheses
    games = spec.rules.players * sum(one in lineup and other in lineup for lineup in list_lineups(spec))
    blocks = duel_blocks([game.outcome for game in found.games], one, other, games=games)
    if one == other:
        raise TorresError(f"{one}: is compared with itself; name two agents")
    if len(blocks) < 2:
        raise TorresError(f"{spec.name}: {one} and {other} have {len(blocks)} whole blocks together; 2 are needed")
    verdict = judge(StoppingRule(hypotheses, minimum=minimum), blocks)
    assert verdict.points is not None
    assert verdict.ratio is not None
    points, sd = verdict.points, sd_of_shares(blocks[: verdict.blocks])
    left = None
    if not verdict.is_over:
        wait = max(1, minimum - verdict.blocks)
        left = expect_test(hypotheses, mean=points.mean, sd=sd, minimum=wait, ratio=verdict.ratio)
    ends = {"mean": points.mean, "low": points.low, "high": points.high}
    return {
        "agent": one,
        "other": other,
        "seed": spec.seed,
        "blocks": verdict.blocks,
        "games_per_block": games,
        "share": ends,
        "elo": {name: elo_of_points(value) for name, value in ends.items()},
        "sd": sd,
        **_describe_test(hypotheses),
        "log_likelihood_ratio": verdict.ratio,
        "verdict": str(verdict.reason),
        "blocks_left": None if left is None else left.blocks,
        "chance_of_high": None if left is None else left.high_chance,
    }


def _describe_test(hypotheses: Any) -> dict[str, Any]:
    from torres_mcts.tournaments.statistics.ratings import elo_of_points

    return {
        "hypotheses": [elo_of_points(hypotheses.low), elo_of_points(hypotheses.high)],
        "alpha": hypotheses.alpha,
        "beta": hypotheses.beta,
        "bounds": list(hypotheses.bounds),
    }


def _foresee(hypotheses: Any, elo: tuple[float, float], sd: float, minimum: int) -> dict[str, Any]:
    """Return how long a test takes on average for true strengths around the two that are asked about."""
    from torres_mcts.tournaments.statistics.planning import expect_test
    from torres_mcts.tournaments.statistics.ratings import points_of_elo

    low, high = elo
    truths = [low + part * (high - low) for part in (-0.5, 0, 0.25, 0.5, 0.75, 1, 1.5)]
    rows = []
    for truth in truths:
        expected = expect_test(hypotheses, mean=points_of_elo(truth), sd=sd, minimum=minimum)
        rows.append({"elo": truth, "blocks": expected.blocks, "chance_of_high": expected.high_chance})
    return {"sd": sd, "minimum": minimum, **_describe_test(hypotheses), "expected": rows}


def _show_verdict(result: dict[str, Any]) -> None:
    one, other, share = result["agent"], result["other"], result["share"]
    low, high = result["hypotheses"]
    elo = result["elo"]
    click.echo(
        f"{one} ahead of {other}: {share['mean']:.3f} [{share['low']:.3f}, {share['high']:.3f}] of the time,"
        f" Elo {elo['mean']:+.0f} [{elo['low']:+.0f}, {elo['high']:+.0f}], {result['blocks']} blocks,"
        f" sd of a block {result['sd']:.3f}"
    )
    click.echo(
        f"log-likelihood ratio {result['log_likelihood_ratio']:.2f}, bounds [{result['bounds'][0]:.2f},"
        f" {result['bounds'][1]:.2f}], {low:+.0f} against {high:+.0f} Elo, risks {result['alpha']:g} and"
        f" {result['beta']:g}"
    )
    if result["verdict"] == "high accepted":
        click.echo(f"decided: {one} is rather {high:+.0f} than {low:+.0f} Elo above {other}")
    elif result["verdict"] == "low accepted":
        click.echo(f"decided: {one} is rather {low:+.0f} than {high:+.0f} Elo above {other}")
    else:
        left = result["blocks_left"]
        click.echo(
            f"undecided: if {one} goes on like this, about {left:.0f} blocks more"
            f" ({left * result['games_per_block']:.0f} games), and a chance of {result['chance_of_high']:.2f}"
            f" that {high:+.0f} is accepted"
        )


def _show_forecast(result: dict[str, Any]) -> None:
    low, high = result["hypotheses"]
    click.echo(
        f"{low:+.0f} against {high:+.0f} Elo, risks {result['alpha']:g} and {result['beta']:g}, bounds"
        f" [{result['bounds'][0]:.2f}, {result['bounds'][1]:.2f}], sd of a block {result['sd']:g}"
    )
    click.echo(f"{'true Elo':>9}{'blocks':>9}  chance that {high:+.0f} is accepted")
    for row in result["expected"]:
        click.echo(f"{row['elo']:+9.1f}{row['blocks']:9.0f}  {row['chance_of_high']:.3f}")
    click.echo("blocks are the mean of many such tests")
