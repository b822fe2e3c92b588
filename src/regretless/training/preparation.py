# SPDX-License-Identifier: MIT
"""Everything about a run that is done before its first step."""

from collections.abc import Callable
from pathlib import Path

from regretless.algorithm import Algorithm
from regretless.buffers import buffers_of
from regretless.errors import InputError
from regretless.recipes.config import RunConfig, configured_game
from regretless.runs.room import Room, check_room, machine_room, needed_room
from regretless.runs.run import Run, Tell
from regretless.training.forecast import Forecast, foresee
from regretless.training.restoring import make_configured
from regretless.training.run_measures import RunMeasures


def prepared(
    run: Run, room: Callable[[Path], Room] = machine_room
) -> tuple[Algorithm, RunMeasures, Forecast]:
    """Returns the algorithm, the measures and the forecast; InputError if memory or disk lack."""
    free = room(run.path)
    game = configured_game(run.config)
    algorithm = make_configured(run.config, game, free)
    measures = RunMeasures(run.config, algorithm, game)
    takes, buffers = algorithm.takes(), buffers_of(algorithm)
    check_room(run.path, needed_room(takes, run.config, buffers), free)
    return algorithm, measures, foresee(takes, run.config, free, buffers)


def run_forecast(
    run: Run, *, tell: Tell = lambda _: None, room: Callable[[Path], Room] = machine_room
) -> Forecast:
    """Returns the memory and the disk that a run needs; InputError if it cannot be begun.

    Nothing is written, and no device is needed. `tell` receives notes for the user, as in `train`.
    """
    config = _without_missing_device(run.config, tell)
    _, measures, forecast = prepared(Run(run.path, config), room)
    for note in measures.notes():
        tell(note)
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
        algorithm = config.algorithm.model_copy(update={"device": "cpu"})
        return config.model_copy(update={"algorithm": algorithm})
    return config
