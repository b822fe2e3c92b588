# SPDX-License-Identifier: MIT
"""Checks every request: its host name, its origin, its token, its length, its time.

A page of another site cannot reach a server on this machine by a name of its own (DNS rebinding),
nor by a form or a socket of its own (the Origin of a request must be the server's).
"""

import asyncio
import hmac
import time
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

COOKIE = "regretless_token"


class Guard:
    """The outermost ASGI layer, before pages, API and sockets."""

    def __init__(
        self,
        app: ASGIApp,
        token: str | None,
        host_names: Iterable[str] | None,
        most_bytes: int,
        body_seconds: float = 30.0,
    ) -> None:
        self.app, self.token, self.most_bytes = app, token, most_bytes
        self.body_seconds = body_seconds
        self.host_names = None if host_names is None else {name.lower() for name in host_names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(HTTPConnection(scope))
        if scope["type"] == "http":
            if refusal is None:
                await self._pass_on(scope, receive, send)
            else:
                status, line = refusal
                await JSONResponse({"error": line}, status)(scope, receive, send)
        elif refusal is None:
            await self.app(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": refusal[1]})

    def _refusal(self, asked: HTTPConnection) -> tuple[int, str] | None:
        """The status and the line of a refused request; None for an allowed one."""
        headers = asked.headers
        for name in ("host", "origin"):
            if len(headers.getlist(name)) > 1:
                return 400, f"{name}: is given twice"
        host = _host_name(headers.get("host", ""))
        if self.host_names is not None and host not in self.host_names:
            return 421, "this server does not answer to that host name"
        origin = headers.get("origin")
        if origin is not None and not _is_same(origin, headers.get("host", "")):
            return 403, "requests from pages of other sites are refused"
        is_change = asked.scope.get("method", "GET") not in ("GET", "HEAD", "OPTIONS")
        if is_change and headers.get("sec-fetch-site") == "cross-site":
            return 403, "requests from pages of other sites are refused"
        if self.token is not None and not self._has_token(asked):
            return 401, "a token is needed: ?token=..., a cookie, or Authorization: Bearer ..."
        length = headers.get("content-length", "0")
        if not length.isdecimal():
            return 400, "content-length: must be a number"
        if int(length[:18]) > self.most_bytes:
            return 413, f"a request may have {self.most_bytes:,} bytes"
        return None

    def _has_token(self, asked: HTTPConnection) -> bool:
        given = [asked.headers.get("authorization", "").removeprefix("Bearer ").strip()]
        given += asked.query_params.getlist("token")
        given += [unquote(asked.cookies.get(COOKIE, ""))]
        wanted = (self.token or "").encode()
        return any(hmac.compare_digest(each.encode("utf-8", "replace"), wanted) for each in given)

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        received, end = 0, time.monotonic() + self.body_seconds
        has_all = False

        async def counted() -> Message:
            nonlocal received, has_all
            if has_all:
                return await receive()
            try:
                message = await asyncio.wait_for(receive(), max(end - time.monotonic(), 0))
            except TimeoutError:
                raise HTTPException(408, "the request did not come in time") from None
            has_all = not message.get("more_body", False)
            received += len(message.get("body", b""))
            if received > self.most_bytes:
                raise HTTPException(413, f"a request may have {self.most_bytes:,} bytes")
            return message

        async def counted_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *self._added(scope)]
            await send(message)

        await self.app(scope, counted, counted_send)

    def _added(self, scope: Scope) -> list[tuple[bytes, bytes]]:
        """Headers of every response; a token in an address is kept as a cookie."""
        added = [
            (b"x-content-type-options", b"nosniff"),
            (b"x-frame-options", b"SAMEORIGIN"),
            (b"referrer-policy", b"no-referrer"),
        ]
        if self.token is not None and b"token=" in scope["query_string"]:
            value = f"{COOKIE}={quote(self.token)}; Path=/; HttpOnly; SameSite=Strict"
            added.append((b"set-cookie", value.encode()))
        return added


def _host_name(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _is_same(origin: str, host: str) -> bool:
    try:
        return urlsplit(origin).netloc.lower() == host.lower() != ""
    except ValueError:
        return False


def dropping_after(seconds: float) -> type[Any]:
    """The HTTP protocol of a server that waits so long for the headers of a request."""
    base: type[Any] = AutoHTTPProtocol

    class Impatient(base):  # type: ignore[misc]
        """Closes a connection whose headers do not come in time; sockets and answers stay."""

        _timer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._wait()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self._is_answering():
                self._stop()
            elif self._timer is None:
                self._wait()

        def connection_lost(self, error: Exception | None) -> None:
            self._stop()
            super().connection_lost(error)

        def _is_answering(self) -> bool:
            return self.cycle is not None and not self.cycle.response_complete

        def _wait(self) -> None:
            self._timer = self.loop.call_later(seconds, self._drop)

        def _stop(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

        def _drop(self) -> None:
            self._timer = None
            is_ours = self.transport.get_protocol() is self  # else it has become a socket
            if is_ours and not self._is_answering():
                self.transport.close()

    return Impatient


_SOCKETS: Any = AutoWebSocketsProtocol


class CalmSockets(_SOCKETS or object):  # type: ignore[misc]
    """A socket that is cut off where its bytes are no WebSocket: uvicorn's has a traceback then."""

    def data_received(self, data: bytes) -> None:
        try:
            super().data_received(data)
        except Exception:
            self.disconnected = self.handshake_complete = True  # nothing more is sent
            self.transport.abort()
