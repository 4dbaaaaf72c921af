"""The process in which a user's agent lives, seen from inside: it loads the agent, then chooses when asked.

Requests come as pickles on standard input, answers go as lines of JSON to standard output; what the agent prints goes
to standard error. The end of standard input is the end of the process, whatever the agent is doing.
"""

import json
import os
import pickle
import signal
import threading
import traceback
from collections import OrderedDict
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, BinaryIO

from torres_mcts.agents.own.process import LENGTH
from torres_mcts.agents.own.source import Source
from torres_mcts.core.errors import IllegalAction, TorresError, printable
from torres_mcts.games.torres.position import Position
from torres_mcts.games.torres.rules import Rules

PLAYERS_KEPT = 8  # more than sit at a table


class Host:
    """An agent and its players of the games under way."""

    def __init__(self, source: Source, code: str) -> None:
        self.problem: dict[str, Any] | None = None
        try:
            self.factory, found = source.load()
            if found != code:
                self.problem = {"changed": True}
        except TorresError as error:
            self.problem = {"fault": str(error)}
        self.path = source.place
        first = Position.new(Rules.preset("2017"), seed=0)
        first.play(first.legal_actions()[0])  # what every agent needs is loaded before its clock runs
        self.players: OrderedDict[int, Any] = OrderedDict()

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the actions that the agent chooses, or how it failed."""
        if self.problem is not None:
            return self.problem
        try:
            return {"actions": self._choose(**request)}
        except BaseException as error:  # whatever an agent can do
            return {"fault": printable(f"{type(error).__name__}: {error}{self._place_of(error)}")}

    def _choose(self, player: int, parameters: Any, **moment: Any) -> list[str]:
        if player not in self.players:
            self.players[player] = self.factory(**dict(parameters))
            if len(self.players) > PLAYERS_KEPT:
                self.players.popitem(last=False)
        chosen = self.players[player].choose(moment.pop("position"), **moment)
        if isinstance(chosen, str):
            raise IllegalAction(f"choose returned the text {chosen!a}; a list of actions is wanted")
        actions = list(chosen)
        for action in actions:
            if not isinstance(action, str):
                raise IllegalAction(f"an action is a text such as 'move:e4-e5', not {type(action).__name__}")
        return [str(action) for action in actions]

    def _place_of(self, error: BaseException) -> str:
        """Say in which line of the user's file an error was raised."""
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == self.path]
        return f" (line {lines[-1]})" if lines else ""


def main() -> None:
    """Answer until standard input ends."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    queue: SimpleQueue[dict[str, Any]] = SimpleQueue()
    threading.Thread(target=_receive, args=(requests, queue), daemon=True).start()
    host = None
    while True:
        request = queue.get()
        if host is None:
            host = Host(**request)
            answer: dict[str, Any] = {"loaded": True}
        else:
            answer = host.answer(request)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _receive(requests: BinaryIO, queue: "SimpleQueue[dict[str, Any]]") -> None:
    """Hand requests on; end the process with the last of them, even in the middle of a choice."""
    while len(head := requests.read(LENGTH.size)) == LENGTH.size:
        queue.put(pickle.loads(requests.read(LENGTH.unpack(head)[0])))
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(os.getpid(), signal.SIGKILL)  # what the agent has started, too
    os._exit(1)


if __name__ == "__main__":
    main()
