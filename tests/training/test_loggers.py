# SPDX-License-Identifier: MIT
"""`log.to`: TensorBoard by default; Weights & Biases and MLflow, here as fakes, beside it."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from regretless import InputError, train
from regretless.runs.loggers import IDS
from regretless.runs.run import Run
from regretless.training.loop import train as train_run


class FakeWandb:
    """Keeps the calls that a run makes."""

    def __init__(self) -> None:
        self.begun: list[dict[str, Any]] = []
        self.rows: list[tuple[int, dict[str, float]]] = []
        self.finished = 0
        self.fails = False

    def init(self, **options: Any) -> "FakeWandb":
        self.begun.append(options)
        self.id = options["id"] or "abc"
        return self

    def log(self, row: dict[str, float], step: int) -> None:
        if self.fails:
            raise ConnectionError("no network\nat all")
        self.rows.append((step, row))

    def finish(self) -> None:
        self.finished += 1


class FakeMlflow:
    """Keeps the batches of a client."""

    def __init__(self) -> None:
        make = lambda *values: values  # noqa: E731
        self.entities = SimpleNamespace(Metric=make, Param=make)
        self.batches: list[dict[str, Any]] = []
        self.names: list[str] = []

    def MlflowClient(self) -> "FakeMlflow":
        return self

    def get_experiment_by_name(self, name: str) -> None:
        self.names.append(name)

    def create_experiment(self, name: str) -> str:
        return "7"

    def create_run(self, experiment: str, run_name: str) -> Any:
        assert experiment == "7"
        return SimpleNamespace(info=SimpleNamespace(run_id=f"id of {run_name}"))

    def log_batch(self, run_id: str, **batch: Any) -> None:
        self.batches.append({"run": run_id, **batch})

    def set_terminated(self, run_id: str) -> None:
        self.batches.append({"ended": run_id})


def test_rows_reach_every_logger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wandb, mlflow = FakeWandb(), FakeMlflow()
    monkeypatch.setitem(sys.modules, "wandb", wandb)  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "mlflow", mlflow)  # type: ignore[arg-type]
    path = tmp_path / "run"
    loggers = "log.to=[tensorboard, wandb, mlflow]"
    train("kuhn_cfr", "budget.steps=20", loggers, "log.project=poker", f"output={path}")
    steps = [step for step, _ in wandb.rows]
    rows = [json.loads(line) for line in (path / "metrics.jsonl").read_text().splitlines()]
    assert steps == [row["step"] for row in rows] and wandb.finished == 1
    assert wandb.rows[-1][1]["eval/exploitability"] == rows[-1]["eval/exploitability"]
    begun = wandb.begun[0]
    assert begun["project"] == "poker" and begun["config"]["game"]["name"] == "kuhn"
    sent = [each for batch in mlflow.batches for each in batch.get("metrics", ())]
    last = [(key, value, step) for key, value, _, step in sent if key == "eval/exploitability"][-1]
    assert last == ("eval/exploitability", rows[-1]["eval/exploitability"], 20)
    assert mlflow.names == ["poker"] and mlflow.batches[-1] == {"ended": "id of run"}
    assert list((path / "tensorboard").iterdir())
    assert json.loads((path / IDS).read_text()) == {"wandb": "abc", "mlflow": "id of run"}

    train_run(Run.existing(path, ("budget.steps=40",)))  # goes on in the same places
    assert wandb.begun[1]["id"] == "abc" and wandb.rows[-1][0] == 40 and len(mlflow.names) == 1


def test_tensorboard_can_be_left_out(tmp_path: Path) -> None:
    train("kuhn_cfr", "budget.steps=5", "log.to=[]", f"output={tmp_path / 'run'}")
    assert not (tmp_path / "run" / "tensorboard").exists()


@pytest.mark.parametrize("name", ["wandb", "mlflow"])
def test_a_missing_package_begins_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(InputError, match=rf"log.to: {name} needs {name}: pip install"):
        train("kuhn_cfr", "budget.steps=5", f"log.to=[{name}]", f"output={tmp_path / 'run'}")
    assert not (tmp_path / "run").exists()


def test_a_logger_that_fails_costs_its_rows_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wandb, notes = FakeWandb(), []
    wandb.fails = True
    monkeypatch.setitem(sys.modules, "wandb", wandb)  # type: ignore[arg-type]
    run = train(
        "kuhn_cfr", "budget.steps=20", "log.to=[wandb]", f"output={tmp_path / 'run'}",
        note=notes.append,
    )  # fmt: skip
    assert notes == ["log.to: wandb failed and gets no more rows: no network"]
    assert run.is_finished()


def test_unknown_loggers_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"log.to"):
        train("kuhn_cfr", "log.to=[telegraph]", f"output={tmp_path / 'run'}")
