# SPDX-License-Identifier: MIT
"""A process that trains: `regretless train` or `resume`, with its log."""

import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from regretless.storage.files import told_on_failure

COMMAND = (sys.executable, "-m", "regretless")
_STOPPED = (128 + signal.SIGINT, 128 + signal.SIGTERM, -signal.SIGINT, -signal.SIGTERM)
_MOST_LOG = 1 << 14


@dataclass(eq=False)
class Training:
    """A run that a process of this server trains."""

    id: str
    path: Path
    process: "subprocess.Popen[bytes]"
    log: Path
    is_stopping: bool = False  # whether the process was asked to stop

    @classmethod
    def spawn(cls, id: str, path: Path, arguments: list[str], log: Path) -> "Training":
        """Starts the process in a session of its own: Ctrl-C at the server does not reach it."""
        with told_on_failure(log):
            log.parent.mkdir(parents=True, exist_ok=True)
            output = log.open("wb")
        with output:
            process = subprocess.Popen(
                [*COMMAND, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        return cls(id, path, process, log)

    def stop(self) -> None:
        """Asks the process to save a checkpoint and end."""
        self.is_stopping = True
        self.process.terminate()

    @property
    def is_alive(self) -> bool:
        return self.process.poll() is None

    @property
    def error(self) -> str | None:
        """One line, if the process has failed."""
        if self.is_alive or self.process.returncode in (0, *_STOPPED):
            return None
        errors = [each for each in self._log() if each.startswith("error: ")]
        line = errors[-1].removeprefix("error: ") if errors else ""
        return self._plain(line) or f"the process ended with {self.process.returncode}"

    @property
    def notes(self) -> list[str]:
        """Notes of the process: memory, time, measures that are left out."""
        return [
            self._plain(each.removeprefix("note: "))
            for each in self._log()
            if each.startswith("note: ")
        ]

    def _plain(self, line: str) -> str:
        """The line without the path, which clients must not see."""
        return line.replace(str(self.path.resolve()), self.id).replace(str(self.path), self.id)

    def _log(self) -> list[str]:
        try:
            with self.log.open("rb") as file:
                return file.read(_MOST_LOG).decode(errors="replace").splitlines()
        except OSError:
            return []
