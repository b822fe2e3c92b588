# SPDX-License-Identifier: MIT
"""The server: one FastAPI app with the API under /api and the pages of the studio beside it."""

import contextlib
import os
import socket
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import replace

import uvicorn
from fastapi import FastAPI

import regretless
from regretless.errors import InputError
from regretless.storage.files import told_on_failure
from regretless.web.api import add_api
from regretless.web.guard import CalmSockets, Guard, dropping_after
from regretless.web.services import Services
from regretless.web.settings import Settings
from regretless.web.studio_pages import add_document, add_studio


def create_app(settings: Settings) -> FastAPI:
    """The app; its `state.services` is what all its parts share."""
    services = Services(settings)
    app = FastAPI(
        title="regretless",
        version=regretless.__version__,
        summary="Games, strategies, solves, matches and tables.",
        lifespan=services.running,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.services = services
    add_document(app, "/api/docs")  # before the API, which refuses unknown paths
    add_api(app)
    add_studio(app)
    names, limits = settings.host_names, settings.limits
    app.add_middleware(
        Guard,
        token=settings.token,
        host_names=names,
        most_bytes=limits.body_bytes,
        body_seconds=limits.request_seconds,
    )
    return app


def serve(
    settings: Settings, *, open_browser: bool = True, tell: Callable[[str], None] = print
) -> None:
    """Serves until interrupted; calls `tell` with the address."""
    with told_on_failure(settings.data):
        settings.data.mkdir(parents=True, exist_ok=True)
    if not os.access(settings.data, os.W_OK):
        raise InputError(f"{settings.data}: cannot be written to")
    with contextlib.closing(_listen(settings)) as listener:
        settings = replace(settings, port=listener.getsockname()[1])
        most, app = settings.limits.body_bytes, create_app(settings)
        config = uvicorn.Config(
            app,
            log_level="warning",
            ws_max_size=most,
            server_header=False,
            http=dropping_after(settings.limits.request_seconds),
            ws=CalmSockets,
        )
        address = server_address(settings)
        tell(address)
        if open_browser:
            opener = threading.Timer(1.0, webbrowser.open, [address])
            opener.daemon = True
            opener.start()
        uvicorn.Server(config).run(sockets=[listener])


def _listen(settings: Settings) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM
        )[0]
        listener = socket.create_server(address, family=family)
    except (OSError, ValueError) as error:  # also names that cannot be one
        place = f"{settings.host[:80]}, port {settings.port}"
        raise InputError(f"{place}: {getattr(error, 'strerror', None) or error}") from None
    # Connections inherit it; without it the end of an answer waits 40 ms for an acknowledgement.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def server_address(settings: Settings) -> str:
    """The address of the server for a browser on this machine, with the token if needed."""
    host = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host
    shown = f"[{host}]" if ":" in host else host
    token = f"?token={settings.token}" if settings.token else ""
    return f"http://{shown}:{settings.port}/{token}"
