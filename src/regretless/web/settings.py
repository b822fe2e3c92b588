# SPDX-License-Identifier: MIT
"""What a server is told before it starts: where to look, where to listen, how much to allow."""

import ipaddress
from dataclasses import dataclass, field
from pathlib import Path

from regretless.bundles.onnx_file import names_onnx
from regretless.errors import InputError

DEFAULT_PORT = 8600
_LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Limits:
    """How much a server takes on; what is beyond gets an answer of one line."""

    body_bytes: int = 1 << 20
    """Of a request."""
    opened: int = 8
    """Strategies kept open; those not used for the longest time are closed first."""
    entries: int = 2000
    """Bundles, runs and files in the library."""
    tables: int = 500
    idle_seconds: float = 1800.0
    """After which a table that nobody acts at or asks about is closed."""
    sockets: int = 16
    """That hear of one table."""
    job_threads: int = 2
    """Solves and matches at a time."""
    jobs_waiting: int = 16
    jobs_kept: int = 64
    """Finished ones whose results can still be asked for."""
    job_bytes: int = 4 << 30
    """Memory of one solve, by its forecast."""
    job_seconds: float = 3600.0
    match_hands: int = 10_000_000
    trainings: int = 2
    """Runs that it trains at a time; none can be started where it is 0."""
    forecast_seconds: float = 60.0
    """For saying what a run would take."""
    stop_seconds: float = 20.0
    """That a server which ends waits for its runs to save themselves."""
    questions: int = 4
    """Short questions (strategies, equities) answered at a time."""
    questions_waiting: int = 64


@dataclass(frozen=True)
class Settings:
    """All of it."""

    directories: tuple[Path, ...] = ()
    """Where bundles, runs and .onnx files are looked for, besides those that ship."""
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    token: str | None = None
    """What every request must bring; None: nothing."""
    data: Path = Path("runs/web")
    """Where finished hands, saved solutions and runs that are started go."""
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        for each in self.directories:
            if not each.exists():
                raise InputError(f"{each}: no such directory")
            if not each.is_dir() and not names_onnx(each):
                raise InputError(f"{each}: neither a directory nor a .onnx file")
        if not 0 <= self.port < 1 << 16:
            raise InputError(f"--port: must be 0 to {(1 << 16) - 1}, not {self.port}")
        if self.token is not None and not (self.token.isascii() and self.token.isprintable()):
            raise InputError("--token: must be plain printable characters")
        if self.token is not None and len(self.token) < 8:
            raise InputError("--token: must be 8 characters or more")
        if self.token is None and not self.is_local:
            raise InputError(f"--host {self.host}: others can reach it, so a token is needed")

    @property
    def bundles(self) -> Path:
        """Where saved solutions go; it is part of the library."""
        return self.data / "bundles"

    @property
    def runs(self) -> Path:
        """Where runs that are started go; it is part of the library."""
        return self.data / "runs"

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the server."""
        return is_loopback(self.host)

    @property
    def host_names(self) -> tuple[str, ...] | None:
        """What a request may call the server; None: anything, since a token is asked for."""
        return (*_LOCAL_NAMES, self.host) if self.is_local else None


def is_loopback(host: str) -> bool:
    """Whether a host is this machine and nothing else."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
