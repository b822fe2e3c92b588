# SPDX-License-Identifier: MIT
"""The algorithm of a run before its first step: made, forecast, restored, or begun from a run."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from regretless.algorithm import Algorithm, LearnsFromExamples, StartsFrom
from regretless.algorithms import algorithm_row, knows_memory, make_algorithm
from regretless.buffers import buffers_of
from regretless.bundles.abstraction import with_abstraction
from regretless.errors import InputError
from regretless.games import Game
from regretless.recipes.config import (
    RunConfig,
    config_difference,
    config_text,
    configured_game,
    work_hashes,
)
from regretless.runs.checkpoint import Checkpoint, Record
from regretless.runs.example_log import cut_examples, read_examples
from regretless.runs.loggers import check_loggers
from regretless.runs.room import Room, check_room, machine_room, needed_room
from regretless.runs.run import Run, Tell
from regretless.training.forecast import Forecast
from regretless.training.on_cluster import cluster_forecast
from regretless.training.run_measures import RunMeasures


def prepared(
    run: Run, room: Callable[[Path], Room] = machine_room
) -> tuple[Algorithm, RunMeasures, Forecast]:
    """Returns the algorithm, the measures and the forecast; InputError if memory or disk lack."""
    check_loggers(run.config)
    free = room(run.path)
    game = configured_game(run.config)
    algorithm = make_configured(run.config, game, free)
    measures = RunMeasures(run.config, algorithm, game)
    takes, buffers = algorithm.takes(), buffers_of(algorithm)
    needed = needed_room(takes, run.config, buffers)
    check_room(run.path, needed, free)
    return algorithm, measures, Forecast.of(needed, free, takes)


def run_forecast(
    run: Run, *, tell: Tell = lambda _: None, room: Callable[[Path], Room] = machine_room
) -> Forecast:
    """Returns the memory and the disk that a run needs; InputError if it cannot be begun.

    Nothing is written, and no device is needed. `tell` receives notes for the user, as in `train`.
    """
    config = _without_missing_device(run.config, tell)
    algorithm, measures, forecast = prepared(Run(run.path, config), room)
    for note in measures.notes():
        tell(note)
    if (needs := cluster_forecast(config, algorithm)) is not None:
        tell(needs)
    return forecast


def _without_missing_device(config: RunConfig, tell: Tell) -> RunConfig:
    """Returns the config for the CPU where this machine lacks the device that it names."""
    device = config.algorithm.options.get("device", "cpu")
    if device == "cpu":
        return config
    from regretless.networks.placement import find_placement

    try:
        find_placement(str(device), "float32")
    except InputError as error:
        tell(f"{error}: the forecast is for the CPU")
        on_cpu = {"device": "cpu"}
        if config.algorithm.options.get("precision") in ("tf32", "bfloat16"):
            on_cpu["precision"] = "float32"
        algorithm = config.algorithm.model_copy(update=on_cpu)
        return config.model_copy(update={"algorithm": algorithm})
    return config


def _on_device(config: RunConfig, device: str) -> RunConfig:
    algorithm = config.algorithm.model_copy(update={"device": device})
    return config.model_copy(update={"algorithm": algorithm})


def restored(
    run: Run, tell: Tell = lambda _: None, *, step: int | None = None, device: str | None = None
) -> tuple[Algorithm, Record]:
    """Returns the algorithm as the newest good checkpoint left it, or as that of `step` did.

    Its networks may be put on another `device` than in training. The run itself is not touched.
    """
    checkpoint = run.latest(tell) if step is None else run.at(step)
    if checkpoint is None:
        raise InputError(f"{run.path}: the run has left neither a bundle nor a checkpoint yet")
    config = run.config
    if device is not None and algorithm_row(config.algorithm.name).takes_device:
        config = _on_device(config, device)
    algorithm = make_configured(config, configured_game(config), machine_room(run.path))
    _load(checkpoint, algorithm, run)
    return algorithm, checkpoint.record


def make_configured(config: RunConfig, game: Game, free: Room) -> Algorithm:
    """Makes the algorithm of a config, which may take the free memory."""
    name, options = config.algorithm.name, config.algorithm.options
    if knows_memory(name, game) and free.memory is not None:
        options.setdefault("max_bytes", free.memory)
    algorithm = make_algorithm(name, game, seed=config.seed, **with_abstraction(options))
    is_learner = isinstance(algorithm, LearnsFromExamples)
    if not is_learner and (config.record_examples or config.examples_from):
        key = "record_examples" if config.record_examples else "examples_from"
        raise InputError(f"{key}: algorithm {name!r} has no examples")
    if isinstance(algorithm, LearnsFromExamples) and config.examples_from:
        algorithm.give_examples(read_examples(Path(config.examples_from)))
    return algorithm


def resume_at_newest(run: Run, algorithm: Algorithm, tell: Tell) -> Record:
    """Restores the newest good checkpoint, removes what came after it, and returns its record."""
    checkpoint = run.latest(tell, buffers_of(algorithm))
    if checkpoint:
        _load(checkpoint, algorithm, run)
    run.set_aside_after(checkpoint.record.step if checkpoint else -1)
    run.tidy()
    record = checkpoint.record if checkpoint else Record(step=0)
    cut_examples(run.path / "examples", record.step)
    return replace(record, work=work_hashes(run.config), config=config_text(run.config))


def start_from(source: Path, algorithm: Algorithm, name: str, tell: Tell) -> None:
    """Begins with the networks that another run has learned."""
    other = Run.existing(source)
    checkpoint = other.latest(tell)
    if not isinstance(algorithm, StartsFrom) or other.config.algorithm.name != name:
        raise InputError(
            f"start_from: {name!r} cannot begin with a run of {other.config.algorithm.name!r}"
        )
    if checkpoint is None:
        raise InputError(f"start_from: {source}: the run has left no checkpoint yet")
    try:
        algorithm.start_from(checkpoint.state)
    except (KeyError, ValueError, RuntimeError) as error:
        raise InputError(
            f"start_from: {source}: its networks are others than these ({_reason(error)})"
        ) from None
    tell(f"begins with the networks of {source}, step {checkpoint.record.step:,}")


def _load(checkpoint: Checkpoint, algorithm: Algorithm, run: Run) -> None:
    place = f"{run.path}: checkpoint of step {checkpoint.record.step:,}"
    for key, found in work_hashes(run.config).items():
        if checkpoint.record.work[key] != found:
            why = config_difference(checkpoint.record.config, config_text(run.config), key)
            raise InputError(f"{place}: was trained with another {key} than config.yaml has: {why}")
    try:
        algorithm.restore(checkpoint.state)
    except (KeyError, ValueError, RuntimeError) as error:
        raise InputError(
            f"{place} ({_reason(error)}): it may be of another version or another config"
        ) from None


def _reason(error: Exception) -> str:
    return f"lacks {error}" if isinstance(error, KeyError) else str(error).splitlines()[0]
