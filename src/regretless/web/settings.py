# SPDX-License-Identifier: MIT
"""Settings of a server: directories, address, token, limits."""

import ipaddress
import os
from dataclasses import dataclass, field
from pathlib import Path

from regretless.bundles.onnx_file import names_onnx
from regretless.errors import InputError

DEFAULT_PORT = 8600
_LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Limits:
    """Limits of a server; requests beyond them are refused with one line."""

    body_bytes: int = 1 << 20  # bytes of a request
    request_seconds: float = 30.0  # for the headers of a request to come, and for its body
    opened: int = 8  # open strategies; the least recently used is closed first
    entries: int = 2000  # entries of the library
    tables: int = 500
    tables_each: int = 250  # tables of one address
    unused_seconds: float = 30.0
    """After this time a table at which nobody has acted is closed if room is needed."""
    idle_seconds: float = 1800.0  # seconds after which an idle table is closed
    sockets: int = 16  # sockets per table
    job_threads: int = 2  # solves and matches that run at a time
    jobs_waiting: int = 16
    jobs_kept: int = 64  # finished jobs whose results are kept
    job_bytes: int = 4 << 30  # memory of one solve, by forecast
    job_seconds: float = 3600.0
    solve_threads: int = os.cpu_count() or 1
    match_hands: int = 10_000_000
    trainings: int = 2  # runs that train at a time; 0 forbids starting runs
    forecast_seconds: float = 60.0  # time limit of a forecast
    stop_seconds: float = 20.0  # seconds that a stopping server waits for checkpoints of its runs
    questions: int = 4  # short requests (strategies, equities) answered at a time
    questions_waiting: int = 64


@dataclass(frozen=True)
class Settings:
    """The settings of one server."""

    directories: tuple[Path, ...] = ()  # directories of bundles, runs and .onnx files
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    token: str | None = None  # the token of every request; None for no token
    data: Path = Path("runs/web")  # directory of finished hands, saved solutions and started runs
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
            raise InputError(f"--host {self.host}: other machines can reach it: set --token")

    @property
    def bundles(self) -> Path:
        """The directory of saved solutions, part of the library."""
        return self.data / "bundles"

    @property
    def runs(self) -> Path:
        """The directory of started runs, part of the library."""
        return self.data / "runs"

    @property
    def is_local(self) -> bool:
        """Whether the server listens on this machine only."""
        return is_loopback(self.host)

    @property
    def host_names(self) -> tuple[str, ...] | None:
        """Host names of allowed requests; None for any, since a token is needed."""
        return (*_LOCAL_NAMES, self.host) if self.is_local else None


def is_loopback(host: str) -> bool:
    """Whether a host name is the loopback of this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
