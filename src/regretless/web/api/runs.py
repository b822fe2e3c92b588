# SPDX-License-Identifier: MIT
"""/api/runs and /api/recipes: start, stop and resume training; /api/leaderboard: who is best."""

from typing import Annotated, Any

from fastapi import Query
from pydantic import BaseModel, Field

from regretless.pictures.curves import BANDS
from regretless.runs.run_groups import EXPLOITABILITY, Standing
from regretless.runs.run_record import AXES
from regretless.web.api.shared import EntryId, Shared, Whole, example, make_router
from regretless.web.runs.recipes import RecipeFacts
from regretless.web.runs.run_curves import (
    Chart,
    MeasureFacts,
    all_measures,
    measure_facts,
    newest_figures,
)
from regretless.web.runs.run_states import RunState

router = make_router("", "runs")

Override = Annotated[str, Field(max_length=500)]
Overrides = Annotated[list[Override], Field(max_length=50)]


class RecipesModel(BaseModel):
    recipes: list[RecipeFacts]


class StartRequest(BaseModel):
    model_config = example(recipe="kuhn_cfr", seed=1, overrides=["budget.steps=200"])

    recipe: str = Field(max_length=80)  # an id of /api/recipes
    seed: Whole | None = Field(None, ge=0, lt=1 << 63)  # that of the recipe where none is given
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
    budget: dict[str, float | None]  # steps, seconds, target: the first that is reached ends it
    notes: list[str]  # such as measures that are left out


class RunsModel(BaseModel):
    runs: list[RunState]


class RunDetail(RunState):
    """A run as it is now, with its config and its newest figures."""

    config: str  # YAML
    figures: list[dict[str, Any]]  # name, title, unit, value, low, high, at


class CurvesRequest(BaseModel):
    model_config = example(runs=[], only=["strength"], axis="seconds")

    runs: list[Annotated[str, Field(max_length=80)]] = Field(max_length=40)
    only: list[Annotated[str, Field(max_length=200)]] = Field([], max_length=100)
    """Measures that are drawn, or whole groups of them."""
    axis: str = Field("seconds", max_length=40, description=f"One of {', '.join(AXES)}.")
    together: bool = True  # whether runs that differ in their seed only are one curve
    band: str = Field(BANDS[0], max_length=20, description=f"Of seeds: {' or '.join(BANDS)}.")


class CurvesAnswer(BaseModel):
    measures: list[MeasureFacts]  # all of these runs
    charts: list[Chart]


class GameStandings(BaseModel):
    game: str
    facts: MeasureFacts  # the measure in the unit of the game; figures are not scaled
    standings: list[Standing]  # the best first


class LeaderboardModel(BaseModel):
    measure: str
    measures: list[MeasureFacts]  # that runs can be ranked by
    games: list[GameStandings]


@router.get("/recipes")
def list_recipes(services: Shared) -> RecipesModel:
    """Configs that ship with the package, then those of the served directories."""
    return RecipesModel(recipes=services.recipes.facts())


@router.get("/runs")
def list_runs(services: Shared) -> RunsModel:
    """All runs of the library, and those that have only begun."""
    return RunsModel(runs=services.trainings.states())


@router.post("/runs/forecast")
def forecast_run(services: Shared, request: StartRequest) -> RunForecast:
    """Estimates the memory and disk of a recipe; nothing is started."""
    return RunForecast(**services.trainings.forecast(**request.model_dump()))


@router.post("/runs", status_code=202)
def start_run(services: Shared, request: StartRequest) -> RunState:
    """Begin a run, as a process of its own; it goes on when whoever asked has gone."""
    return services.trainings.start(**request.model_dump())


@router.get("/runs/{id}")
def see_run(services: Shared, id: EntryId) -> RunDetail:
    """Returns the state of a run, its config and its newest figures."""
    state, config = services.trainings.state(id), services.trainings.config_text(id)
    figures = [] if state.record is None else newest_figures(state.record)
    return RunDetail(**state.model_dump(), config=config, figures=figures)


@router.post("/runs/curves")
def draw_curves(services: Shared, request: CurvesRequest) -> CurvesAnswer:
    """The measures of runs with their names and units, and curves; seeds of one setup as one."""
    asked = request.model_dump(include={"axis", "together", "band", "only"})
    measures, charts = services.trainings.charts(request.runs, **asked)
    return CurvesAnswer(measures=measures, charts=charts)


@router.post("/runs/{id}/stop", status_code=202)
def stop_run(services: Shared, id: EntryId) -> RunState:
    """Tell it to write a checkpoint and end; only what this server has started."""
    return services.trainings.stop(id)


@router.post("/runs/{id}/resume", status_code=202)
def resume_run(services: Shared, id: EntryId, request: ResumeRequest) -> RunState:
    """Go on with a run that was stopped, or with a larger budget."""
    return services.trainings.resume(id, request.overrides)


@router.get("/leaderboard")
def rank_runs(
    services: Shared,
    measure: Annotated[str, Query(max_length=200)] = EXPLOITABILITY,
    band: Annotated[
        str, Query(max_length=20, description=f"Of several seeds: {' or '.join(BANDS)}.")
    ] = BANDS[0],
) -> LeaderboardModel:
    """By game its runs, the best first; those that differ in their seed only as one."""
    found = services.trainings.standings(measure, band)
    games = [
        GameStandings(game=game, facts=measure_facts(measure, [game]), standings=rows)
        for game, rows in found.items()
    ]
    measures = all_measures(services.trainings.records().values())
    ranked = [each for each in measures if each.group == "strength"]
    return LeaderboardModel(measure=measure, measures=ranked, games=games)
