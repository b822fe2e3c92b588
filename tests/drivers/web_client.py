# SPDX-License-Identifier: MIT
"""A server of `regretless web` in the process of a test, without a socket."""

import contextlib
from collections.abc import AsyncIterator

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
