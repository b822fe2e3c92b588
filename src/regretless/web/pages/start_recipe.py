# SPDX-License-Identifier: MIT
"""The form of `/runs` that starts a recipe with changes, and estimates it first."""

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui

from regretless.errors import InputError
from regretless.runs.room import size_text
from regretless.web.parts.elements import fields, lines_of, note, tells_errors
from regretless.web.services import Services

_FIRST = "leduc_cfr"


class StartRecipe:
    """One visitor's choice."""

    def __init__(self, services: Services, on_start: Callable[[str], Awaitable[None]]) -> None:
        self.services, self.on_start = services, on_start

    async def show(self) -> None:
        known = await self.services.work(self.services.recipes.facts)
        recipes = {
            each.id: each.about or f"{each.game}, {each.algorithm}"
            for each in known
            if each.why_not is None
        }
        if not recipes or self.services.settings.limits.trainings < 1:
            return
        first = _FIRST if _FIRST in recipes else next(iter(recipes))
        with (
            ui.expansion("Start a recipe", icon="play_arrow").classes("w-full panel"),
            ui.column().classes("w-full gap-3"),
        ):
            with fields():
                self.recipe = ui.select([*recipes], label="recipe", value=first, with_input=True)
                self.recipe.classes("min-w-60")
                self.seed = ui.number("seed", min=0, precision=0, placeholder="from the recipe")
                self.seed.classes("w-32")
            about = note()
            about.bind_text_from(self.recipe, "value", lambda id: recipes.get(id or "", ""))
            self.changes = ui.textarea("changes, one per line", placeholder="budget.steps=200")
            self.changes.props("autogrow").classes("w-full max-w-xl")
            with ui.row().classes("items-center gap-3"):
                ui.button("Estimate", on_click=self._estimate).props("outline")
                ui.button("Start", on_click=self._start)
                self.forecast = ui.label().mark("forecast")
                self.recipe.on_value_change(lambda: self.forecast.set_text(""))
            note(
                "A run continues when this page is closed. When the server stops, its runs save "
                "a checkpoint and stop; Resume continues them."
            ).classes("text-sm")

    @tells_errors
    async def _estimate(self) -> None:
        self.forecast.text = "estimating ..."
        try:
            found = await self.services.work(self.services.trainings.forecast, *self._wish())
        except InputError:
            self.forecast.text = ""
            raise
        self.forecast.text = _forecast_text(found)

    @tells_errors
    async def _start(self) -> None:
        begun = await self.services.work(self.services.trainings.start, *self._wish())
        await self.on_start(begun.id)

    def _wish(self) -> tuple[str, list[str], int | None]:
        seed = None if self.seed.value is None else int(self.seed.value)
        return self.recipe.value or "", lines_of(self.changes.value), seed


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
