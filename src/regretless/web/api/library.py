# SPDX-License-Identifier: MIT
"""/api/library: bundles, runs and .onnx files."""

from typing import Annotated, Any

from fastapi import Query
from pydantic import BaseModel

from regretless.bundles.model_card import strength_line
from regretless.errors import InputError
from regretless.runs.run_record import AXES
from regretless.web.api.shared import Answer, EntryId, Shared, make_router
from regretless.web.library import Kind

router = make_router("/library", "library")

_MOST_POINTS = 5000  # of a curve


class EntryModel(Answer):
    """Something in the library."""

    id: str
    kind: Kind
    name: str
    is_shipped: bool


class ListedEntry(EntryModel):
    """An entry with the facts of its manifest or config."""

    game: str  # empty for a .onnx file, which is read when it is opened
    players: int | None
    form: str  # spot, table, networks, values or onnx; empty for a run without a bundle
    about: str  # what it is, in a few words
    algorithm: str
    strength: str  # one sentence
    level: str  # near-optimal, strong, practice or unknown (docs/glossary.md)
    size: int | None  # bytes of the strategy
    created: str  # date and time, UTC
    has_nodes: bool  # whether it can be studied and practised
    error: str | None  # why it cannot be used, in one line


class LibraryModel(BaseModel):
    entries: list[ListedEntry]


class EntryDetail(EntryModel):
    """The manifest, not verified."""

    game: str
    algorithm: str
    strength: str  # in one line
    strengths: list[dict[str, Any]]  # every figure, with how it was measured
    manifest: dict[str, Any] | None  # the manifest of a bundle, or of a run that has one
    measures: list[str]  # the measures of a run


class PointModel(Answer):
    where: float
    value: float
    low: float
    high: float


class CurveModel(BaseModel):
    measure: str
    axis: str
    points: list[PointModel]


class SoundModel(BaseModel):
    id: str
    sha256: str  # the hash of the manifest, and so of all files


@router.get("")
def list_library(services: Shared) -> LibraryModel:
    """Everything there is, what ships with the package first."""
    library = services.library
    rows = [{**vars(each), **vars(library.facts(each))} for each in library.entries()]
    return LibraryModel(entries=[ListedEntry.model_validate(each) for each in rows])


@router.get("/{id}")
def describe_entry(services: Shared, id: EntryId) -> EntryDetail:
    """A bundle, a run or a file: its manifest and its strength."""
    library = services.library
    entry = library.entry(id)
    run, bundle, file = library.run(id), library.bundle(id), library.onnx(id)
    strengths = []
    if bundle is not None:
        game, algorithm = bundle.manifest.game.name, bundle.manifest.algorithm.name
        strengths = bundle.manifest.strength
    elif file is not None:
        game, algorithm = file.game.name, file.facts.algorithm.name
        strengths = file.facts.strength
    else:
        assert run is not None  # a bundle or a file has been found else
        game, algorithm = run.game, run.algorithm
    names = {key for row in (run.metrics if run is not None else []) for key in row}
    return EntryDetail(
        **EntryModel.of(entry).model_dump(),
        game=game,
        algorithm=algorithm,
        strength=strength_line(strengths),
        strengths=[each.model_dump(mode="json") for each in strengths],
        manifest=bundle.manifest.model_dump(mode="json") if bundle is not None else None,
        measures=sorted(each for each in names if each.startswith("eval/")),
    )


@router.post("/{id}/verify")
def verify_entry(services: Shared, id: EntryId) -> SoundModel:
    """Check every byte of a bundle against its sums, and every row."""
    bundle = services.library.bundle(id)
    if bundle is None:
        raise InputError(f"{id}: there is no bundle to check")
    bundle.verify()
    return SoundModel(id=id, sha256=bundle.digest)


@router.get("/{id}/metrics")
def read_curve(
    services: Shared,
    id: EntryId,
    measure: Annotated[str, Query(max_length=200)],
    axis: Annotated[
        str, Query(max_length=40, description=f"One of {', '.join(AXES)}.")
    ] = "seconds",
) -> CurveModel:
    """A measure of a run over time, iterations or nodes touched."""
    run = services.library.run(id)
    if run is None:
        raise InputError(f"{id}: is no run")
    if axis not in AXES:
        raise InputError.unknown(f"axis: no {axis!r}", axis, AXES)
    points = run.curve(measure, axis)
    step = max(1, -(-len(points) // _MOST_POINTS))
    rows = [PointModel.of(each) for each in points[::-1][::step][::-1]]
    return CurveModel(measure=measure, axis=axis, points=rows)
