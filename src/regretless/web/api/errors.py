# SPDX-License-Identifier: MIT
"""Errors of the API: a status and one line of JSON."""

import logging
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from regretless.errors import InputError

_MOST = 500  # characters of a line


class ErrorLine(BaseModel):
    """An error."""

    error: str  # one line


_TEXTS = {
    400: "The request cannot be read.",
    401: "A token is needed.",
    403: "Another site, or a token of another player.",
    404: "Not found.",
    409: "Not possible in the current state.",
    413: "The request is too long.",
    421: "Another host name.",
    422: "The request is not valid; the line says why.",
    429: "The server is busy.",
}
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorLine, "description": text} for status, text in _TEXTS.items()
}


def add_error_handlers(app: FastAPI) -> None:
    @app.exception_handler(InputError)
    async def _(_: Request, error: InputError) -> JSONResponse:
        return error_response(status_of(error), str(error))

    @app.exception_handler(RequestValidationError)
    async def _(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        place = ".".join(str(each) for each in first["loc"])
        status = 400 if first["type"] == "json_invalid" else 422
        return error_response(status, f"{place}: {first['msg']}")

    @app.exception_handler(HTTPException)
    async def _(_: Request, error: HTTPException) -> JSONResponse:
        return error_response(error.status_code, str(error.detail), error.headers)

    @app.exception_handler(Exception)
    async def _(request: Request, error: Exception) -> JSONResponse:
        logging.getLogger("regretless.web").error("%s %s: %r", request.method, request.url, error)
        return error_response(500, "an error in the server; its log says more")


def status_of(error: InputError) -> int:
    return getattr(error, "status", 422)


def error_response(status: int, text: str, headers: Any = None) -> JSONResponse:
    line = " ".join(text.split())[:_MOST]
    return JSONResponse({"error": line}, status, headers=headers)
