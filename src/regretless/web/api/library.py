# SPDX-License-Identifier: MIT
"""/api/library: bundles, runs and .onnx files."""

from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import BaseModel

from regretless.web.library import Entry, Kind
from regretless.web.services import Services, services_of

router = APIRouter(prefix="/library", tags=["library"])


class EntryModel(BaseModel):
    """Something in the library."""

    id: str
    kind: Kind
    name: str
    is_shipped: bool

    @classmethod
    def of(cls, entry: Entry) -> "EntryModel":
        return cls(id=entry.id, kind=entry.kind, name=entry.name, is_shipped=entry.is_shipped)


class LibraryModel(BaseModel):
    entries: list[EntryModel]


@router.get("")
async def list_library(services: Annotated[Services, Depends(services_of)]) -> LibraryModel:
    """Everything there is, what ships with the package first."""
    found = await services.work(services.library.entries)
    return LibraryModel(entries=[EntryModel.of(each) for each in found])
