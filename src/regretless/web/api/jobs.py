# SPDX-License-Identifier: MIT
"""/api/jobs: what runs, how far it is, what came of it."""

from typing import Annotated, Any

from fastapi import Path
from pydantic import BaseModel

from regretless.web.api.shared import Answer, Shared, make_router
from regretless.web.errors import ConflictError
from regretless.web.jobs import ENDED, Job, Status

router = make_router("/jobs", "jobs")

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
