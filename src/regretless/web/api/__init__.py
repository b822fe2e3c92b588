# SPDX-License-Identifier: MIT
"""The JSON API under /api."""

from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.routing import Match

from regretless.web.api import (
    games,
    jobs,
    library,
    practice,
    preflop,
    reports,
    runs,
    solves,
    strategy,
    study,
    tables,
)
from regretless.web.api.shared import ERRORS, add_error_handlers

ROUTERS = (
    games.router,
    library.router,
    strategy.router,
    study.router,
    practice.router,
    reports.router,
    games.equity_router,
    games.range_router,
    solves.preset_router,
    solves.router,
    preflop.router,
    jobs.match_router,
    runs.router,
    jobs.router,
    tables.router,
    tables.opponents_router,
)

_METHODS = ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT")


def add_api(app: FastAPI) -> None:
    add_error_handlers(app)
    for each in ROUTERS:
        app.include_router(each, prefix="/api", responses=ERRORS)

    known = list(app.routes)

    @app.api_route("/api/{path:path}", methods=[*_METHODS], include_in_schema=False)
    async def refuse(request: Request) -> None:
        """Answers unknown paths and methods with a JSON error; the pages would answer HTML."""
        scopes = {each: {**request.scope, "method": each} for each in _METHODS}
        allowed = [
            method
            for method, scope in scopes.items()
            if any(route.matches(scope)[0] is Match.FULL for route in known)
        ]
        if allowed:
            raise HTTPException(405, "this path has other methods", {"Allow": ", ".join(allowed)})
        raise HTTPException(404, f"the API has no path {request.url.path[:200]!r}")
