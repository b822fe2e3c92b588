# SPDX-License-Identifier: MIT
"""Named tasks as shards: a function by its name, arguments and results as JSON."""

import json
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from regretless.algorithm import Arrays
from regretless.custom_code import check_same, code_sha256, load_custom
from regretless.errors import InputError
from regretless.watch import UNWATCHED, Watch


@dataclass(frozen=True)
class Task:
    """A call of a function."""

    name: str
    arguments: str
    """The keyword arguments, as JSON."""

    def head(self, count: int) -> None:
        """Returns None: a task has no small part, and may measure a time that differs."""


@dataclass(frozen=True)
class TaskResult:
    """The value that a function returned, or the line of its InputError."""

    value: Any
    error: str | None = None

    @classmethod
    def from_columns(cls, columns: Arrays) -> "TaskResult":
        return cls(**json.loads(columns["result"].tobytes()))


class TaskGenerator:
    """Implements `Generator`: runs a function that is installed wherever a task runs."""

    def __init__(self, function: str, sha256: str) -> None:
        """Raises InputError if the code of the function is missing or has another hash."""
        check_same(function, sha256)
        self._spec = {"function": function, "sha256": sha256}
        self._call = load_custom(function, "task", "package.module:run")

    @classmethod
    def of(cls, function: str) -> Self:
        """Makes the generator of a function of this machine."""
        return cls(function, code_sha256(function))

    def make(self, weights: Any, task: Task, watch: Watch = UNWATCHED) -> Arrays:
        """Returns the JSON of a `TaskResult`."""
        found: dict[str, Any] = {"value": None}
        try:
            found["value"] = self._call(**json.loads(task.arguments))
        except InputError as error:
            found["error"] = str(error)
        return {"result": np.frombuffer(json.dumps(found).encode(), np.uint8)}

    def spec(self) -> dict[str, Any]:
        return self._spec

    @classmethod
    def from_spec(cls, spec: dict[str, Any]) -> Self:
        return cls(**spec)

    def forecast_bytes(self, count: int) -> int:
        return 0
