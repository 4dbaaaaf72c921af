"""The rest of the page: time, forfeits, why it stopped, and where all of it comes from."""

from torres_mcts import __version__
from torres_mcts.core.files import to_json
from torres_mcts.plotting.page import charts
from torres_mcts.plotting.page.markup import Markup, element, join
from torres_mcts.plotting.page.sections import repeat_section, section
from torres_mcts.plotting.page.tables import Cell, described, interval, sortable_table
from torres_mcts.plotting.tournament.findings import Findings
from torres_mcts.tournaments.folder import SPEC_FILE

MOST_FORFEITS = 100  # listed; the rest is counted


def time_section(findings: Findings) -> Markup | None:
    """Write how long each agent thought."""
    times = findings.turn_seconds
    if not times:
        return None
    most = max(time.mean for time in times.values()) or 1.0
    rows = [
        [
            Cell(element("b", agent), agent),
            Cell(join(f"{time.mean:.3f} s", element("small", interval(time, decimals=3))), time.mean),
            Cell(charts.share_bar(time.mean / most), time.mean),
        ]
        for agent, time in times.items()
    ]
    note = "Mean thinking time for each turn of a player, with its 95 % interval over whole deals (blocks)."
    titles = ("agent", "seconds a turn", f"from 0 to {most:.3g} s")
    return section("time", "Time", sortable_table("Time for a turn", titles, rows, kind="times"), note=note)


def forfeit_section(findings: Findings) -> Markup:
    """List the games lost by forfeit."""
    lost = [game for game in findings.run.games if game.forfeit is not None]
    if not lost:
        return section("forfeits", "Forfeits", element("p", "No game was lost by forfeit."))
    rows = []
    for game in lost[:MOST_FORFEITS]:
        assert game.forfeit is not None
        agent = game.agents[game.forfeit.seat]
        rows.append(
            [
                Cell(element("b", agent), agent),
                Cell(element("code", game.forfeit.error), game.forfeit.error),
                Cell(game.block, game.block),
                Cell(" ".join(game.agents), " ".join(game.agents)),
                Cell(game.forfeit.seat + 1, game.forfeit.seat),
                Cell(str(game.forfeit.seed), str(game.forfeit.seed)),
            ]
        )
    note = f"{len(lost):,} of {len(findings.run.games):,} games: the agent crashed or played illegally, and ranks last."
    if len(lost) > MOST_FORFEITS:
        note += f" The first {MOST_FORFEITS} of them:"
    titles = ("agent", "error", "block", "agents by seat", "seat", "seed of the choice")
    return section("forfeits", "Forfeits", sortable_table("Lost by forfeit", titles, rows, kind="lost"), note=note)


def end_words(findings: Findings) -> list[str]:
    """Say why the run stopped, or how far it is."""
    standing = findings.standing
    words = [f"{name}: {verdict}" for name, verdict in standing.verdicts.items()]
    played = f"{standing.blocks:,} of {standing.blocks_wanted:,} blocks"
    if not standing.is_over:
        return [f"not over yet: {played} are whole", *words]
    return words or [f"all {standing.blocks_wanted:,} blocks are played"]


def end_section(findings: Findings) -> Markup:
    """Say why the run stopped."""
    lines = [element("li", line) for line in end_words(findings)]
    return section("end", "Why it stopped", element("ul", *lines))


def origin_section(findings: Findings, line: str) -> Markup:
    """Write settings, seed, version and hash, and how to repeat the run."""
    spec = findings.run.spec
    settings = spec.settings
    facts = [
        described("version", __version__),
        described("seed", spec.seed),
        described("config hash", element("code", spec.hash)),
        described("format", spec.format),
        described("players", spec.rules.players),
        described("blocks at most", f"{spec.blocks:,}"),
        described("rules", element("code", to_json(settings["rules"], indent=None).strip())),
        described("limit for a turn", element("code", to_json(settings["limit"], indent=None).strip())),
    ]
    return repeat_section(facts, findings.run.folder / SPEC_FILE, "torres-tournament", line)
