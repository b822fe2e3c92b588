# SPDX-License-Identifier: MIT
"""/api/jobs: what runs, how far it is, what came of it; /api/matches: matches as jobs."""

import time
from typing import Annotated, Any

from fastapi import Path
from pydantic import BaseModel, Field

from regretless.errors import InputError
from regretless.matches.match import MatchConfig
from regretless.seats.matches import match_json, play_contestants
from regretless.web.api.shared import Answer, Shared, Whole, example, make_router
from regretless.web.errors import ConflictError
from regretless.web.jobs import ENDED, Job, Status
from regretless.web.play.seating import Wanted
from regretless.web.services import Services

router = make_router("/jobs", "jobs")
match_router = make_router("/matches", "matches")

JobId = Annotated[str, Path(max_length=64, description="Of a job.")]


class JobModel(Answer):
    id: str
    kind: str
    title: str
    status: Status
    progress: dict[str, Any]
    seconds: float  # that it has run
    error: str | None  # one line, of a job that failed


class JobsModel(BaseModel):
    jobs: list[JobModel]


class ResultModel(BaseModel):
    id: str
    kind: str
    result: dict[str, Any]


@router.get("")
async def list_jobs(services: Shared) -> JobsModel:
    """Those that wait, run or ended not long ago, the newest first."""
    return JobsModel(jobs=[JobModel.of(each) for each in services.jobs.all()])


@router.get("/{id}")
async def see_job(services: Shared, id: JobId) -> JobModel:
    """Returns the status and progress of a job."""
    return JobModel.of(services.jobs.find(id, Job))


@router.get("/{id}/result")
async def read_result(services: Shared, id: JobId) -> ResultModel:
    """Returns the result of a finished job."""
    job = services.jobs.find(id, Job)
    if job.result is None:
        why = f": {job.error}" if job.error else ""
        raise ConflictError(f"the job has no result, it is {job.status}{why}")
    return ResultModel(id=job.id, kind=job.kind, result=job.result)


@router.post("/{id}/cancel")
async def cancel_job(services: Shared, id: JobId) -> JobModel:
    """Tell it to stop; that may take a moment."""
    job = services.jobs.find(id, Job)
    if job.status in ENDED:
        raise ConflictError(f"the job has ended, it is {job.status}")
    services.jobs.cancel(job)
    return JobModel.of(job)


def _bots(*names: str) -> list[dict[str, str]]:
    return [{"kind": "bot", "name": name} for name in names]


class MatchRequest(BaseModel):
    model_config = example(players=_bots("caller", "random"))

    players: list[Wanted] = Field(min_length=2, max_length=10)  # bots and strategies
    game: str | None = Field(None, max_length=80)
    """A name of /api/games; that of the strategies if there are any, else no-limit hold'em."""
    hands: Whole = Field(10_000, ge=1, le=10_000_000)  # in all, copies included
    seed: Whole = Field(0, ge=0, lt=1 << 64)
    aivat: bool = False  # take luck off, too (small games, hold'em for two)


class CrossRequest(MatchRequest):
    model_config = example(players=_bots("caller", "random", "pot-odds"), game="leduc")

    hands: Whole = Field(10_000, ge=1, le=10_000_000)  # hands per pair, copies included
    seats: Whole | None = Field(None, ge=2, le=10)
    """At a table, where no strategy says; more than two: one has the one player, all others the
    other."""


@match_router.post("", status_code=202)
async def begin_match(services: Shared, request: MatchRequest) -> JobModel:
    """Begin a match over duplicate deals; /api/jobs tells what came of it."""
    wanted = request.players
    await _check(services, wanted)
    players = len(wanted) if not any(each.kind == "strategy" for each in wanted) else None
    config = MatchConfig(min(request.hands, services.settings.limits.match_hands), request.seed)

    def work(job: Job) -> dict[str, Any]:
        found = services.seating.contestants(wanted, request.game, players)
        job.check()
        begun = time.perf_counter()
        result = play_contestants(
            found, config, found[0].game, aivat=request.aivat, watch=job.watch
        )
        return match_json(result, config, result.hands / (time.perf_counter() - begun))

    title = " against ".join(each.name for each in wanted)
    return JobModel.of(services.jobs.begin(Job("match", title), work))


@match_router.post("/cross", status_code=202)
async def begin_cross_play(services: Shared, request: CrossRequest) -> JobModel:
    """Begin a match of each against each; the result is the matrix, with 95 % intervals."""
    await _check(services, request.players)
    config = MatchConfig(min(request.hands, services.settings.limits.match_hands), request.seed)
    asked = (request.players, request.game, request.seats, config)
    begin = services.seating.begin_cross
    return JobModel.of(begin(services.jobs, *asked, aivat=request.aivat))


async def _check(services: Services, players: list[Wanted]) -> None:
    if any(each.kind == "outside" for each in players):
        raise InputError("players: nobody from outside plays in a match; open a table")
    await services.work(services.seating.check, players)
