# SPDX-License-Identifier: MIT
"""/api/runs and /api/recipes: start, stop and resume training; /api/leaderboard: who is best."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from regretless.errors import InputError
from regretless.pictures.curves import BANDS
from regretless.runs.run_groups import EXPLOITABILITY, Standing, leaderboard, name_group
from regretless.web.api.shared import EntryId, Shared, example, off_loop
from regretless.web.run_states import RunState, Status

router = APIRouter(tags=["runs"])

Override = Annotated[str, Field(max_length=500)]
Overrides = Annotated[list[Override], Field(max_length=50)]


class RecipeModel(BaseModel):
    """A config that can be started."""

    id: str
    about: str
    game: str
    algorithm: str
    is_shipped: bool
    why_not: str | None  # why it cannot be started here, in one line; null: it can


class RecipesModel(BaseModel):
    recipes: list[RecipeModel]


class StartRequest(BaseModel):
    model_config = example(recipe="kuhn_cfr", seed=1, overrides=["budget.steps=200"])

    recipe: str = Field(max_length=80)  # an id of /api/recipes
    seed: int | None = Field(None, ge=0, lt=1 << 63)  # that of the recipe where none is given
    overrides: Overrides = []  # `key=value`, as on the command line; no paths and no custom code


class ResumeRequest(BaseModel):
    model_config = example(overrides=["budget.steps=500"])

    overrides: Overrides = []  # the sections budget, log, evaluate, checkpoint and bundle


class RunForecast(BaseModel):
    """The memory and disk of a run, and what is free; null if unknown."""

    memory_bytes: int | None
    memory_free_bytes: int | None
    disk_bytes: int | None
    disk_free_bytes: int | None
    grows: bool
    """Whether its tables grow ..."""
    grows_to_bytes: int | None
    """... and to what, if that can be counted."""
    notes: list[str]  # such as measures that are left out


class RunModel(BaseModel):
    """A run as it is now."""

    id: str
    game: str | None  # null: it has only begun
    algorithm: str | None
    seed: int | None
    status: Status
    is_ours: bool  # whether it goes on and this server can stop it
    step: int
    seconds: float | None
    measures: dict[str, float]
    """The newest of each, `eval/exploitability` and so on; /api/library/{id}/metrics has curves."""
    error: str | None  # one line, of one that failed
    notes: list[str]  # notes of the process: memory, time

    @classmethod
    def of(cls, state: RunState) -> "RunModel":
        record = state.record
        measures = {
            key: value
            for row in (record.metrics if record is not None else [])
            for key, value in row.items()
            if key.startswith("eval/") and isinstance(value, float)
        }
        return cls(
            id=state.id,
            game=None if record is None else record.game,
            algorithm=None if record is None else record.algorithm,
            seed=None if record is None else record.seed,
            status=state.status,
            is_ours=state.is_ours,
            step=state.last.get("step", 0),
            seconds=state.last.get("time/seconds"),
            measures=measures,
            error=state.error,
            notes=list(state.notes),
        )


class RunsModel(BaseModel):
    runs: list[RunModel]


class StandingModel(BaseModel):
    """A run, or the mean of several that differ in their seed only."""

    run: str
    runs: list[str]  # ids
    algorithm: str
    iterations: int | None
    nodes: int | None
    seconds: float | None
    best: float | None
    last: float | None
    low: float | None  # the end of the interval, or of the range over several seeds
    high: float | None


class GameStandings(BaseModel):
    game: str
    standings: list[StandingModel]  # the best first


class LeaderboardModel(BaseModel):
    measure: str
    games: list[GameStandings]


@router.get("/recipes")
@off_loop
def list_recipes(services: Shared) -> RecipesModel:
    """Configs that ship with the package, then those of the served directories."""
    recipes = services.recipes
    return RecipesModel(recipes=[RecipeModel(**recipes.facts(each)) for each in recipes.all()])


@router.get("/runs")
@off_loop
def list_runs(services: Shared) -> RunsModel:
    """All runs of the library, and those that have only begun."""
    return RunsModel(runs=[RunModel.of(each) for each in services.trainings.states()])


@router.post("/runs/forecast")
@off_loop
def forecast_run(services: Shared, request: StartRequest) -> RunForecast:
    """Estimates the memory and disk of a recipe; nothing is started."""
    return RunForecast(**services.trainings.forecast(**request.model_dump()))


@router.post("/runs", status_code=202)
@off_loop
def start_run(services: Shared, request: StartRequest) -> RunModel:
    """Begin a run, as a process of its own; it goes on when whoever asked has gone."""
    return RunModel.of(services.trainings.start(**request.model_dump()))


@router.get("/runs/{id}")
@off_loop
def see_run(services: Shared, id: EntryId) -> RunModel:
    """Returns the state of a run."""
    return RunModel.of(services.trainings.state(id))


@router.post("/runs/{id}/stop", status_code=202)
@off_loop
def stop_run(services: Shared, id: EntryId) -> RunModel:
    """Tell it to write a checkpoint and end; only what this server has started."""
    return RunModel.of(services.trainings.stop(id))


@router.post("/runs/{id}/resume", status_code=202)
@off_loop
def resume_run(services: Shared, id: EntryId, request: ResumeRequest) -> RunModel:
    """Go on with a run that was stopped, or with a larger budget."""
    return RunModel.of(services.trainings.resume(id, request.overrides))


@router.get("/leaderboard")
@off_loop
def rank_runs(
    services: Shared,
    measure: Annotated[str, Query(max_length=200)] = EXPLOITABILITY,
    band: Annotated[
        str, Query(max_length=20, description=f"Of several seeds: {' or '.join(BANDS)}.")
    ] = BANDS[0],
) -> LeaderboardModel:
    """By game its runs, the best first; those that differ in their seed only as one."""
    if band not in BANDS:
        raise InputError.unknown(f"band: unknown band {band!r}", band, BANDS)
    records = services.trainings.records()
    ids = {str(record.path): id for id, record in records.items()}
    games = [
        GameStandings(game=game, standings=[_standing(row, ids) for row in rows])
        for game, rows in leaderboard([*records.values()], measure, band=band).items()
    ]
    return LeaderboardModel(measure=measure, games=games)


def _standing(row: Standing, ids: dict[str, str]) -> StandingModel:
    runs = [ids[path] for path in row.runs]
    names = {"run": name_group(runs[0], len(runs) - 1), "runs": runs}
    return StandingModel(**row.to_json() | names)
