# SPDX-License-Identifier: MIT
"""The processes of a sweep, run in this one: quicker, and as good for what a sweep does."""

from typing import Any

from regretless import train
from regretless.runs.run import Run
from regretless.training.loop import train as train_run


class InProcess:
    """Stands in for the processes of a sweep: trains in this one, which is quicker."""

    commands: list[list[str]] = []  # noqa: RUF012
    fails = ""

    def __init__(self, command: list[str], **_: Any) -> None:
        words = command[3:-1]
        assert command[1:3] == ["-m", "regretless"] and command[-1] == "--json"
        self.commands.append(words)
        self.returncode = 0
        self.told = ""
        if self.fails and any(self.fails in each for each in words):
            self.returncode, self.told = 2, "note: x\nerror: it is broken\n"
        elif words[0] == "train":
            train(words[1], *words[2:])
        else:
            train_run(Run.existing(words[1], tuple(words[2:])))

    def communicate(self, timeout: float) -> tuple[str, str]:
        return "", self.told
