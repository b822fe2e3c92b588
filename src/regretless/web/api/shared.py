# SPDX-License-Identifier: MIT
"""Parameters that several parts of the API share."""

from typing import Annotated

from fastapi import Depends, Path
from pydantic import Field

from regretless.web.services import Services, services_of

Shared = Annotated[Services, Depends(services_of)]
EntryId = Annotated[str, Path(max_length=80, description="Of an entry in the library.")]
Line = Annotated[
    str,
    Field(max_length=2000, description="A line of play, `x b75% c | 7h | x`; empty: the start."),
]
