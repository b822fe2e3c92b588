# SPDX-License-Identifier: MIT
"""Parameters, helpers and errors that all parts of the API share."""

import functools
import inspect
import logging
from collections.abc import Callable
from typing import Annotated, Any, Literal, Self

from fastapi import APIRouter, Depends, FastAPI, Path, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, Field, Strict
from starlette.exceptions import HTTPException

from regretless.errors import InputError
from regretless.web.services import Services, services_of

_MOST = 500  # characters of the line of an error

Shared = Annotated[Services, Depends(services_of)]
EntryId = Annotated[str, Path(max_length=80, description="Of an entry in the library.")]
Line = Annotated[
    str,
    Field(max_length=2000, description="A line of play, `x b75% c | 7h | x`; empty: the start."),
]

Whole = Annotated[int, Strict()]
Number = Annotated[float, Strict()]
"""Numbers of a request: neither `true` nor `"1"` is one."""

Unit = Literal["bb", "chips"] | None
"""The unit of amounts in an answer; default: the one that is set."""


def example(**fields: Any) -> ConfigDict:
    """The config of a request model with an example for its schema."""
    return ConfigDict(json_schema_extra={"examples": [fields]})


class Answer(BaseModel):
    """An answer with the attributes of an object."""

    @classmethod
    def of(cls, made: object) -> Self:
        return cls.model_validate(made, from_attributes=True)


class _Route(APIRoute):
    """A route; a plain function runs as short work of its parameter `services`."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **given: Any) -> None:
        is_async = inspect.iscoroutinefunction(endpoint)
        super().__init__(path, endpoint if is_async else _off_loop(endpoint), **given)


def make_router(prefix: str, tag: str) -> APIRouter:
    """The router of a noun. Coroutines run on the event loop, plain functions off it."""
    return APIRouter(prefix=prefix, tags=[tag], route_class=_Route)


def _off_loop(endpoint: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(endpoint)
    async def run(services: Services, **given: Any) -> Any:
        return await services.work(endpoint, services, **given)

    return run


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
