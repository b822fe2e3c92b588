# SPDX-License-Identifier: MIT
"""Long work of a server: a few jobs run at a time, others wait, results are kept for a while."""

import logging
import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from regretless.errors import InputError
from regretless.watch import Stopped, Watch
from regretless.web.errors import BusyError, NotFoundError
from regretless.web.settings import Limits

Status = Literal["waiting", "running", "done", "failed", "cancelled"]
ENDED = ("done", "failed", "cancelled")


@dataclass(eq=False)
class Job:
    """A solve or a match."""

    kind: str
    title: str
    id: str = field(default_factory=lambda: secrets.token_hex(6))
    status: Status = "waiting"
    progress: dict[str, Any] = field(default_factory=dict)
    """The progress; replaced as a whole, never changed."""
    result: dict[str, Any] | None = None
    error: str | None = None  # one line, if the job has failed
    made: Any = None  # the object behind the result, while it is kept
    made_bytes: int = 0
    _begun: float | None = None
    _ended: float | None = None
    _stop: threading.Event = field(default_factory=threading.Event)

    @property
    def watch(self) -> Watch:
        """A watch for the work, which stops when the job is cancelled."""
        return Watch(self._stop.is_set, self._tell)

    def check(self) -> None:
        """Raises `Stopped` if the job is cancelled."""
        if self._stop.is_set():
            raise Stopped

    @property
    def seconds(self) -> float:
        """Seconds of running."""
        ended = time.monotonic() if self._ended is None else self._ended
        return 0.0 if self._begun is None else ended - self._begun

    @property
    def outcome(self) -> str:
        """The status of a job that has ended, with its time and its error, in one line."""
        text = f"{self.status} after {self.seconds:.1f} s"
        return f"{text}: {self.error}" if self.error else text

    def drop(self) -> None:
        """Drops the object behind the result."""
        self.made, self.made_bytes = None, 0

    def _tell(self, what: str, share: float | None) -> None:
        self.progress = {"what": what, "share": share}


_J = TypeVar("_J", bound=Job)


class Jobs:
    """All jobs of a server. Any thread may use it."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._lock = threading.Lock()
        self._jobs: dict[str, Job] = {}
        self._threads = ThreadPoolExecutor(limits.job_threads, thread_name_prefix="job")

    def begin(self, job: _J, work: Callable[[_J], dict[str, Any]]) -> _J:
        """Queues the work of a job; BusyError if too many jobs wait."""
        with self._lock:
            waiting = sum(each.status == "waiting" for each in self._jobs.values())
            if waiting >= self.limits.jobs_waiting:
                raise BusyError(f"{waiting} jobs are waiting: try again later")
            self._jobs[job.id] = job
            self._forget()
        self._threads.submit(self._run, job, work)
        return job

    def all(self) -> list[Job]:
        """All jobs, the newest first."""
        with self._lock:
            return list(self._jobs.values())[::-1]

    def find(self, id: str, kind: type[_J]) -> _J:
        """The job of an id, or NotFoundError."""
        with self._lock:
            job = self._jobs.get(id)
        if not isinstance(job, kind):
            raise NotFoundError(f"no job of the id {id[:80]!r}")
        return job

    def cancel(self, job: Job) -> None:
        """It ends soon; one that has ended stays as it is."""
        with self._lock:
            job._stop.set()
            if job.status == "waiting":
                job.status = "cancelled"

    def stop(self) -> None:
        """The server ends."""
        for job in self.all():
            self.cancel(job)
        self._threads.shutdown(wait=True, cancel_futures=True)

    def _run(self, job: _J, work: Callable[[_J], dict[str, Any]]) -> None:
        with self._lock:
            if job.status != "waiting":
                return
            job.status, job._begun = "running", time.monotonic()
        status, error, result = "done", None, None
        try:
            result = work(job)
        except Stopped:
            status = "cancelled"
        except InputError as problem:
            status, error = "failed", " ".join(str(problem).split())
        except MemoryError:
            status, error = "failed", "there is not enough memory"
        except Exception:
            logging.getLogger("regretless.web").exception("job %s: %s", job.id, job.title)
            status, error = "failed", "an error in the server; its log says more"
        with self._lock:
            job._ended = time.monotonic()
            job.result, job.error = result, error
            job.status = status  # type: ignore[assignment]
            self._forget()

    def _forget(self) -> None:
        """Drop the oldest that have ended, and what the others made beyond the bytes allowed."""
        ended = [each for each in self._jobs.values() if each.status in ENDED]
        for job in ended[: max(0, len(ended) - self.limits.jobs_kept)]:
            del self._jobs[job.id]
        kept = 0
        for job in reversed(ended):
            kept += job.made_bytes
            if kept > self.limits.job_bytes:
                job.drop()
