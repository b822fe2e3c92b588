# SPDX-License-Identifier: MIT
"""The JSON API under /api, one file for each noun."""

from fastapi import FastAPI

from regretless.web.api import (
    docs,
    equity,
    games,
    jobs,
    library,
    matches,
    runs,
    solves,
    strategy,
    tables,
)
from regretless.web.api.errors import ERRORS, add_error_handlers

NOUNS = (games, library, strategy, equity, solves, matches, runs, jobs, tables, docs)
"""Modules with a `router`."""


def add_api(app: FastAPI) -> None:
    add_error_handlers(app)
    for each in NOUNS:
        app.include_router(each.router, prefix="/api", responses=ERRORS)
