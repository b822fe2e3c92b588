# SPDX-License-Identifier: MIT
"""Parameters and helpers that several parts of the API share."""

import functools
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, ParamSpec, TypeVar, cast

from fastapi import Depends, Path
from pydantic import ConfigDict, Field

from regretless.web.services import Services, services_of

_P = ParamSpec("_P")
_T = TypeVar("_T")

Shared = Annotated[Services, Depends(services_of)]
EntryId = Annotated[str, Path(max_length=80, description="Of an entry in the library.")]
Line = Annotated[
    str,
    Field(max_length=2000, description="A line of play, `x b75% c | 7h | x`; empty: the start."),
]


def example(**fields: Any) -> ConfigDict:
    """The config of a request model with an example for its schema."""
    return ConfigDict(json_schema_extra={"examples": [fields]})


def off_loop(endpoint: Callable[_P, _T]) -> Callable[_P, Awaitable[_T]]:
    """Runs an endpoint as short work of its parameter `services`, off the event loop."""

    @functools.wraps(endpoint)
    async def run(*args: _P.args, **given: _P.kwargs) -> _T:
        services = cast(Services, given["services"])
        return await services.work(lambda: endpoint(*args, **given))

    return run
