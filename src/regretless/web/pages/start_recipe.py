# SPDX-License-Identifier: MIT
"""The form of `/runs` that starts a recipe with changes, and estimates it first."""

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui

from regretless.errors import InputError
from regretless.runs.room import size_text
from regretless.web.pages.frame import tells_errors
from regretless.web.recipes import Recipes
from regretless.web.services import Services

_FIRST = "leduc_cfr"


class StartRecipe:
    """One visitor's choice."""

    def __init__(self, services: Services, on_start: Callable[[str], Awaitable[None]]) -> None:
        self.services, self.on_start = services, on_start
        self.recipes: dict[str, str] = {}
        self.recipe = ""
        self.seed: float | None = None
        self.overrides = ""
        self.forecast = ""

    async def read(self) -> None:
        self.recipes = await self.services.work(lambda: _startable(self.services.recipes))

    def show(self) -> None:
        if not self.recipes or self.services.settings.limits.trainings < 1:
            return
        self.recipe = _FIRST if _FIRST in self.recipes else next(iter(self.recipes))
        with (
            ui.expansion("Start a recipe", icon="play_arrow").classes("w-full panel"),
            ui.column().classes("w-full gap-3"),
        ):
            with ui.row().classes("w-full items-end gap-4"):
                recipe = ui.select(list(self.recipes), label="recipe", with_input=True)
                recipe.bind_value(self, "recipe").classes("min-w-60")
                recipe.on_value_change(lambda: setattr(self, "forecast", ""))
                seed = ui.number("seed", min=0, precision=0, placeholder="from the recipe")
                seed.bind_value(self, "seed").classes("w-32")
            about = ui.label().classes("dim")
            about.bind_text_from(self, "recipe", lambda id: self.recipes.get(id or "", ""))
            changes = ui.textarea("changes, one per line", placeholder="budget.steps=200")
            changes.bind_value(self, "overrides").props("autogrow").classes("w-full max-w-xl")
            with ui.row().classes("items-center gap-3"):
                ui.button("Estimate", on_click=self._estimate).props("no-caps outline")
                ui.button("Start", on_click=self._start).props("no-caps")
                ui.label().bind_text_from(self, "forecast").mark("forecast")
            ui.label(
                "A run continues when this page is closed. When the server stops, its runs save "
                "a checkpoint and stop; Resume continues them."
            ).classes("dim text-sm")

    @tells_errors
    async def _estimate(self) -> None:
        wish, forecast = self._wish(), self.services.trainings.forecast
        self.forecast = "estimating ..."
        try:
            found = await self.services.work(lambda: forecast(*wish))
        except InputError:
            self.forecast = ""
            raise
        self.forecast = _forecast_text(found)

    @tells_errors
    async def _start(self) -> None:
        wish = self._wish()
        begun = await self.services.work(lambda: self.services.trainings.start(*wish))
        await self.on_start(begun.id)

    def _wish(self) -> tuple[str, list[str], int | None]:
        seed = None if self.seed is None else int(self.seed)
        return self.recipe or "", lines_of(self.overrides), seed


def lines_of(text: str | None) -> list[str]:
    """The lines of a text field that are not blank."""
    return [line.strip() for line in (text or "").splitlines() if line.strip()]


def _startable(recipes: Recipes) -> dict[str, str]:
    return {
        each.id: each.about or f"{each.game}, {each.algorithm}"
        for each in recipes.facts()
        if each.why_not is None
    }


def _forecast_text(found: dict[str, Any]) -> str:
    parts = []
    for what in ("memory", "disk"):
        needed, free = found[f"{what}_bytes"], found[f"{what}_free_bytes"]
        if needed is not None:
            left = "" if free is None else f" of {size_text(free)} free"
            parts.append(f"{what} {size_text(needed)}{left}")
    if found["grows"]:
        most = found["grows_to_bytes"]
        parts.append("its tables grow" + (f" to {size_text(most)} at most" if most else ""))
    return "; ".join([*parts, *found["notes"]])
