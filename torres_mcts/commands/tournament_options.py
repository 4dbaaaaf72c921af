"""A tournament from options instead of a file: they are turned into the text of that file."""

import re
from collections.abc import Mapping
from typing import Any

import click

from torres_mcts.commands.shell import Function, read_overrides
from torres_mcts.core.errors import TorresError, shorten

NAME_LENGTH = 40
KEYS = {  # of the file, and the option that stands for each
    "agents": "--agent",
    "name": "--name",
    "format": "--format",
    "players": "--players",
    "blocks": "--blocks",
    "seed": "--seed",
    "limit.time": "--time",
    "limit.iterations": "--iterations",
    "rules.preset": "--preset",
    "rules": "--set",
    "stop.rule": "--stop",
    "stop.focus": "--focus",
    "stop.minimum": "--minimum",
    "stop.elo": "--elo",
    "stop.alpha": "--alpha",
    "stop.beta": "--beta",
    "stop.half_width": "--half-width",
}
DEFAULTS = {"format": "round-robin", "players": 2, "seed": 1}


def spec_options(function: Function) -> Function:
    """Add an option for each key of the file; each is None, or empty, where it is not given."""
    for option in (
        click.option("--half-width", type=float, help="Of --stop precision: of the interval of mean rank points."),
        click.option("--beta", type=float, help="Of --stop sprt: risk of accepting LOW where HIGH holds; 0.05."),
        click.option("--alpha", type=float, help="Of --stop sprt: risk of accepting HIGH where LOW holds; 0.05."),
        click.option("--elo", type=float, nargs=2, metavar="LOW HIGH", help="Of --stop sprt: what is to be decided."),
        click.option("--minimum", type=int, help="Blocks before which --stop judges nothing; 30."),
        click.option("--focus", metavar="NAME", help="The agent that --stop is about."),
        click.option("--stop", metavar="RULE", help="What ends it before all blocks: blocks, sprt or precision."),
        click.option("--set", "rules", multiple=True, metavar="NAME=VALUE", help="Override a rule parameter."),
        click.option("--preset", help="Rules: 2017 (if left out), 2017-common, 1999, ..."),
        click.option("--iterations", type=int, help="Limit for each turn."),
        click.option("--time", type=float, help="Limit for each turn, in seconds."),
        click.option("--seed", type=int, help="Decides all luck; 1 if left out."),
        click.option("--blocks", type=int, help="The most deals that are played."),
        click.option("--players", type=int, help="At a table; 2 if left out."),
        click.option("--format", metavar="FORMAT", help="round-robin (if left out), gauntlet or free-for-all."),
        click.option("--name", help="Of the run; the names of the agents if left out."),
        click.option(
            "--agent",
            "--agents",
            "agents",
            multiple=True,
            metavar="[NAME=]AGENT",
            help="An agent, once for each: greedy, or fast=turns:iterations=50.",
        ),
    ):
        function = option(function)
    return function


def given_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that were given, by the keys of the file."""
    words = {key: option.removeprefix("--").replace("-", "_") for key, option in KEYS.items()}
    words |= {"agents": "agents", "rules": "rules"}
    return {key: options[word] for key, word in words.items() if options[word] not in (None, ())}


def write_spec(given: Mapping[str, Any]) -> str:
    """Return the file that says the same as the options that were given.

    >>> print(write_spec({"agents": ["greedy", "fast=turns:width=4"], "blocks": 9, "limit.iterations": 50}), end="")
    name = "greedy-fast"
    format = "round-robin"
    players = 2
    seed = 1
    blocks = 9
    [agents]
    greedy = "greedy"
    fast = "turns:width=4"
    [limit]
    iterations = 50
    """
    from torres_mcts.tournaments.spec import to_toml

    agents: dict[str, str] = {}
    for text in given.get("agents", ()):
        name, agent = name_agent(text)
        if name in agents:
            raise TorresError(f"--agent {shorten(text)}: there is a {name} already; write NAME={agent}")
        agents[name] = agent
    if len(agents) < 2:
        raise TorresError("--agent: give two or more, as --agent greedy --agent fast=turns:iterations=50")
    data: dict[str, Any] = {"name": "-".join(agents)[:NAME_LENGTH], **DEFAULTS, "blocks": None, "agents": agents}
    data |= {"limit": {}, "rules": {}, "stop": {}}
    for key, value in given.items():
        table, _, name = key.rpartition(".")
        if key == "rules":
            data["rules"] |= read_overrides(value)
        elif key != "agents":
            (data[table] if table else data)[name] = list(value) if isinstance(value, tuple) else value
    empty: tuple[Any, ...] = (None, {}) if "limit.time" in given or "limit.iterations" in given else (None,)
    return to_toml({key: value for key, value in data.items() if value not in empty})


def name_agent(text: str) -> tuple[str, str]:
    """Return the name and the text of an agent; without a name it is named by its text.

    >>> name_agent("fast=turns:width=4"), name_agent("turns:width=4")
    (('fast', 'turns:width=4'), ('turns-width-4', 'turns:width=4'))
    """
    name, equals, agent = text.partition("=")
    if equals and ":" not in name:
        return name, agent
    name = re.sub("[^A-Za-z0-9_.+]+", "-", text)
    if len(name) > NAME_LENGTH:
        raise TorresError(f"--agent {shorten(text)}: is long; give it a name of its own: NAME={text}")
    return name, text


def read_spec(given: Mapping[str, Any]) -> tuple[Any, str]:
    """Return the tournament that the options describe, and its file; what is wrong is said of the option."""
    from torres_mcts.tournaments.spec import parse_spec

    text = write_spec(given)
    try:
        return parse_spec(text, "options"), text
    except TorresError as error:
        place, _, problem = str(error).removeprefix("options: ").partition(": ")
        table, _, name = place.partition(".")
        option = "--time or --iterations" if place == "limit" else KEYS.get(place) or f"{KEYS.get(table, table)} {name}"
        raise TorresError(f"{option}: {problem}") from None
