# SPDX-License-Identifier: MIT
"""Checks every request: its host name, its origin, its token, its length.

A page of another site cannot reach a server on this machine by a name of its own (DNS rebinding),
nor by a form or a socket of its own (the Origin of a request must be the server's).
"""

import hmac
import json
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, quote, unquote, urlsplit

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "regretless_token"


class Guard:
    """The outermost ASGI layer, before pages, API and sockets."""

    def __init__(
        self, app: ASGIApp, token: str | None, host_names: Iterable[str] | None, most_bytes: int
    ) -> None:
        self.app, self.token, self.most_bytes = app, token, most_bytes
        self.host_names = None if host_names is None else {name.lower() for name in host_names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await _refuse(scope, receive, send, *refusal)
        elif scope["type"] == "websocket":
            await self.app(scope, receive, send)
        else:
            await self._pass_on(scope, receive, send)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        """The status and the line of a refused request; None for an allowed one."""
        host = _host_name(headers.get("host", ""))
        if self.host_names is not None and host not in self.host_names:
            return 421, "this server does not answer to that host name"
        origin = headers.get("origin")
        if origin is not None and not _is_same(origin, headers.get("host", "")):
            return 403, "requests from pages of other sites are refused"
        if self.token is not None and not self._has_token(scope, headers):
            return 401, "a token is needed: ?token=..., a cookie, or Authorization: Bearer ..."
        length = headers.get("content-length", "0")
        if not length.isdecimal():
            return 400, "content-length: must be a number"
        if int(length[:18]) > self.most_bytes:
            return 413, f"a request may have {self.most_bytes:,} bytes"
        return None

    def _has_token(self, scope: Scope, headers: dict[str, str]) -> bool:
        given = [headers.get("authorization", "").removeprefix("Bearer ").strip()]
        given += parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            cookie = None
        given += [unquote(cookie.value)] if cookie is not None else []
        wanted = (self.token or "").encode()
        return any(hmac.compare_digest(each.encode("utf-8", "replace"), wanted) for each in given)

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        received = 0

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self.most_bytes:
                raise HTTPException(413, f"a request may have {self.most_bytes:,} bytes")
            return message

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *self._added(scope)]
            await send(message)

        await self.app(scope, counted, told)

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


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, line: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": line})
        return
    body = json.dumps({"error": line}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
