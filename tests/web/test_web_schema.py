# SPDX-License-Identifier: MIT
"""Whatever is sent to the API, it answers as its schema says, and never with a 5xx."""

import contextlib
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
import uvicorn
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.specs.openapi.checks import positive_data_acceptance

from regretless import solve
from regretless.web.app import create_app
from regretless.web.settings import Limits, Settings

LIMITS = Limits(
    job_bytes=1 << 26,
    job_seconds=0.3,
    job_threads=1,
    jobs_waiting=2,
    match_hands=2000,
    tables=20,
    trainings=0,
)
COMMON = settings(
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)


@pytest.fixture(scope="module")
def api_schema(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Returns the schema of a server with a socket, with everything on the way."""
    path = tmp_path_factory.mktemp("web")
    solve("leduc", iterations=10).write_bundle(path / "leduc")
    app = create_app(Settings((path,), data=path / "data", limits=LIMITS))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield schemathesis.openapi.from_url(f"http://127.0.0.1:{port}/api/openapi.json")
    server.should_exit = True
    thread.join()


def _send(api_schema: Any, examples: int) -> None:
    """Requests that keep to the schema, and such that do not, to every operation.

    What keeps to the schema may still mean nothing: a 422 is an answer.
    """
    told = []
    for result in api_schema.get_all_operations():
        operation = result.ok()
        for mode in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE):

            @settings(COMMON, max_examples=examples)
            @given(case=operation.as_strategy(generation_mode=mode))
            def check(case: schemathesis.Case) -> None:
                answer = case.call_and_validate(excluded_checks=[positive_data_acceptance])
                told.append(answer.status_code)

            with contextlib.suppress(Unsatisfiable):  # nothing of it can be wrong
                check()
    assert {200, 404, 422} <= set(told)
    assert max(told) < 500


def test_any_request(api_schema: Any) -> None:
    _send(api_schema, 3)


@pytest.mark.slow
def test_many_requests(api_schema: Any) -> None:
    _send(api_schema, 200)
