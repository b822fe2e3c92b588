# SPDX-License-Identifier: MIT
"""The status of a job that a visitor has begun, with a button to cancel it."""

from collections.abc import Callable
from typing import Any

from nicegui import ui

from regretless.errors import InputError
from regretless.training.forecast import duration_text
from regretless.web.jobs import ENDED, Job
from regretless.web.parts.elements import plain_link, small_button
from regretless.web.parts.texts import number_text
from regretless.web.services import Services
from regretless.web.solves import SolveJob

_EVERY_SECONDS = 0.3


class JobPanel:
    """One visitor's job; `look` is called while it runs, and a last time when it has ended."""

    def __init__(self, services: Services, look: Callable[[Job], None]) -> None:
        self.services, self.look = services, look
        self.job: Job | None = None
        self._is_over = True

    def begin(self, job: Job) -> None:
        self.job, self._is_over = job, False
        self.actions.refresh()
        self._look()

    def show(self) -> None:
        with ui.row().classes("items-center gap-3"):
            self.status = ui.label().mark("status").props("role=status")
            self.actions()
        ui.timer(_EVERY_SECONDS, self._look)

    @ui.refreshable_method
    def actions(self) -> None:
        if (job := self.job) is None:
            return
        if job.status not in ENDED:
            small_button("Cancel", lambda: self.services.jobs.cancel(job))
        if isinstance(job, SolveJob) and (job.status not in ENDED or job.made is not None):
            plain_link("Open in the explorer", f"/explore/solve/{job.id}", new_tab=True)

    def _look(self) -> None:
        if self.job is None or self._is_over:
            return
        self._is_over = self.job.status in ENDED
        self.status.text = status_text(self.job)
        if self._is_over:
            self.actions.refresh()
        self.look(self.job)


def check_free(job: Job | None) -> None:
    """Raises InputError while a job runs."""
    if job is not None and job.status not in ENDED:
        raise InputError(f"a {job.kind} is running: cancel it, or wait until it has ended")


def status_text(job: Job) -> str:
    """The status, and how far the job is."""
    if job.status in ENDED:
        return job.outcome
    reached = job.progress
    if reached.get("exploitability") is not None:
        measured = f"{reached['exploitability']:.3g} {reached['exploitability_unit']}"
        left = reached.get("seconds_left")
        rest = "" if left is None else f", about {duration_text(left)} left"
        return f"{job.status}: {reached['iterations']:,} iterations, {measured}{rest}"
    done = "" if reached.get("share") is None else f", {reached['share']:.0%} done"
    return f"{job.status}: {reached.get('what', '')}{done}"


def lock_cost_text(costs: dict[str, Any]) -> str:
    """The costs of locks, by seat."""
    told = ", ".join(f"{seat.upper()} {number_text(cost)}" for seat, cost in costs.items())
    return f"The locks cost {told} chips."
