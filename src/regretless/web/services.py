# SPDX-License-Identifier: MIT
"""Services that the API and the pages of one server share."""

import asyncio
import contextlib
import functools
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from starlette.requests import HTTPConnection

from regretless.web.errors import BusyError
from regretless.web.jobs import Jobs
from regretless.web.library import Library
from regretless.web.play.seating import Seating
from regretless.web.play.tables import Tables
from regretless.web.runs.recipes import Recipes
from regretless.web.runs.trainings import Trainings
from regretless.web.settings import Settings

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Services:
    """The library, tables, jobs and runs of one server, and threads for short work."""

    def __init__(self, settings: Settings) -> None:
        limits = settings.limits
        self.settings = settings
        places = (*settings.directories, settings.bundles, settings.runs)
        self.library = Library(places, most=limits.entries, opened=limits.opened)
        self._threads = ThreadPoolExecutor(limits.questions, thread_name_prefix="question")
        self._waiting = 0
        self.seating = Seating(self.library)
        self.jobs = Jobs(limits)
        self.tables = Tables(settings.data, limits)
        self.recipes = Recipes(settings.directories)
        self.trainings = Trainings(settings, self.library, self.recipes)

    async def work(self, function: Callable[_P, _T], *args: _P.args, **given: _P.kwargs) -> _T:
        """Calls a function off the event loop; BusyError if too many wait."""
        if self._waiting >= self.settings.limits.questions_waiting:
            raise BusyError("the server is busy: try again later")
        self._waiting += 1
        try:
            call = functools.partial(function, *args, **given)
            return await asyncio.get_running_loop().run_in_executor(self._threads, call)
        finally:
            self._waiting -= 1

    @contextlib.asynccontextmanager
    async def running(self, _: object = None) -> AsyncIterator[None]:
        """Runs the services; at the end, running work is asked to stop."""
        self.tables.start()
        self._threads.submit(self.library.read_facts)
        try:
            yield
        finally:
            await self.tables.stop()
            await asyncio.to_thread(self.trainings.stop_all)
            await asyncio.to_thread(self.jobs.stop)
            self._threads.shutdown(wait=False, cancel_futures=True)


def services_of(connection: HTTPConnection) -> Services:
    """The services of the server of a request or a socket."""
    found: Services = connection.app.state.services
    return found
