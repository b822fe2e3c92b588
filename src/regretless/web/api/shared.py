# SPDX-License-Identifier: MIT
"""Parameters and helpers that several parts of the API share."""

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any, Self

from fastapi import APIRouter, Depends, Path
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, Field

from regretless.web.services import Services, services_of

Shared = Annotated[Services, Depends(services_of)]
EntryId = Annotated[str, Path(max_length=80, description="Of an entry in the library.")]
Line = Annotated[
    str,
    Field(max_length=2000, description="A line of play, `x b75% c | 7h | x`; empty: the start."),
]


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
