# SPDX-License-Identifier: MIT
"""A server of `regretless web`: in the process of a test without a socket, or in its own."""

import asyncio
import contextlib
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import httpx

from regretless.web.app import create_app
from regretless.web.settings import Settings

ADDRESS = "http://localhost:8600"


@contextlib.asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a server that runs as long as the block."""
    app = create_app(settings)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=ADDRESS) as client,
    ):
        yield client


@contextlib.asynccontextmanager
async def started(
    data: Path, log: Path | None = None
) -> AsyncIterator[tuple[subprocess.Popen[bytes], str]]:
    """A process that serves as long as the block, and its place, HOST:PORT."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    command = [sys.executable, "-m", "regretless.cli", "web", str(data), "--no-browser"]
    command += ["--port", str(port), "--data", str(data)]
    errors = None if log is None else log.open("wb")
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
    try:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
            for _ in range(600):
                with contextlib.suppress(httpx.TransportError):
                    if (await client.get("/api/library")).status_code == 200:
                        break
                assert process.poll() is None
                await asyncio.sleep(0.1)
        yield process, f"127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()
        if errors is not None:
            errors.close()
