# SPDX-License-Identifier: MIT
"""/api/solves: solving a small game or a hold'em spot, as a job."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from regretless.players.spots import SpotOptions
from regretless.web.api.jobs import JobId, JobModel
from regretless.web.api.library import EntryModel
from regretless.web.api.shared import Shared
from regretless.web.errors import ConflictError
from regretless.web.solves import Wish, foresee, save_solution, solve_job

router = APIRouter(prefix="/solves", tags=["solves"])

Chips = Annotated[int, Field(ge=1, le=1_000_000_000)]
Sizes = Annotated[str, Field(max_length=200)]
RangeText = Annotated[str, Field(max_length=20_000)]
Share = Annotated[float, Field(ge=0, le=1000)]


class SpotRequest(BaseModel):
    """A hold'em spot; docs/notation.md has the notation."""

    board: str = Field(min_length=1, max_length=20)
    """3, 4 or 5 cards."""
    pot: Chips
    stack: Chips
    """Behind, of each player."""
    stack_ip: Chips | None = None
    range_oop: RangeText = "random"
    range_ip: RangeText = "random"
    bets: Sizes = SpotOptions.bets
    raises: Sizes = SpotOptions.raises
    add_all_in: Share = 0.0
    force_all_in: Share = 0.0
    merge: Share = 0.0
    rake: float = Field(0.0, ge=0, lt=100)
    """Percent."""
    rake_cap: Chips | None = None


class SolveRequest(BaseModel):
    model_config = ConfigDict(json_schema_extra={"examples": [{"game": "kuhn", "iterations": 100}]})

    game: str = Field("nlhe", max_length=80)
    """A small game for two by its name; of a spot nlhe or short-deck."""
    spot: SpotRequest | None = None
    algorithm: str | None = Field(None, max_length=40)
    """Of the CFR family; without it dcfr for a spot, else cfr+."""
    iterations: int | None = Field(None, ge=1, le=10_000_000)
    target: float | None = Field(None, gt=0, le=1e9)
    """Exploitability in units, of a spot in percent of the pot."""
    seconds: float | None = Field(None, gt=0, le=1e6)
    """The first of the three ends it; without any, a target of 0.001, of a spot 0.5."""

    def wish(self) -> Wish:
        spot = SpotOptions() if self.spot is None else SpotOptions(**self.spot.model_dump())
        name = self.algorithm or ("cfr+" if self.spot is None else "dcfr")
        return Wish(self.game, spot, name, self.iterations, self.target, self.seconds)


class ForecastModel(BaseModel):
    decisions: int
    entries: int
    memory_bytes: int
    bits: int
    """Of a number in the tables."""
    free_bytes: int | None
    allowed_bytes: int
    iteration_seconds: float
    """A rough guess."""
    seconds: float | None
    """Until the budget is spent, a rough guess; None: only a target ends it."""


class SaveRequest(BaseModel):
    name: str = Field(min_length=1, max_length=60)
    """Of the bundle: letters, digits and . _ - only."""


@router.post("/forecast")
async def forecast_solve(services: Shared, request: SolveRequest) -> ForecastModel:
    """What it will take of memory and time; nothing is begun."""
    limits = services.settings.limits
    found = await services.work(lambda: foresee(request.wish(), limits))
    return ForecastModel(**asdict(found))


@router.post("", status_code=202)
async def begin_solve(services: Shared, request: SolveRequest) -> JobModel:
    """Begin to solve; /api/jobs tells how far it is and what came of it."""
    wish, limits = request.wish(), services.settings.limits
    await services.work(wish.to_solve)  # what is wrong is told at once

    def work(job: Any) -> dict[str, Any]:
        return solve_job(wish, limits, job)

    return JobModel.of(services.jobs.begin("solve", wish.title, work))


@router.post("/{id}/save", status_code=201)
async def save_solve(services: Shared, id: JobId, request: SaveRequest) -> EntryModel:
    """Keep what was found as a bundle in the library."""
    job = services.jobs.find(id, "solve")
    solution = job.made
    if solution is None:
        raise ConflictError(f"there is no solution to save: the job is {job.status}, or long ago")
    folder = services.settings.bundles
    path = await services.work(lambda: save_solution(solution, folder, request.name))
    entries = await services.work(services.library.entries)
    return EntryModel.of(next(each for each in entries if each.path.resolve() == path.resolve()))
