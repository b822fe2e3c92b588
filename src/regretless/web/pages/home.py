# SPDX-License-Identifier: MIT
"""`/`: what is in the library."""

from nicegui import ui

from regretless.web.pages.frame import frame
from regretless.web.services import Services


def add(services: Services) -> None:
    @ui.page("/")
    async def home() -> None:
        entries = await services.work(services.library.entries)
        with frame("Library"):
            ui.label("What is here").classes("text-2xl")
            columns = [
                {"name": key, "label": key, "field": key, "align": "left", "sortable": True}
                for key in ("name", "kind", "ships", "id")
            ]
            rows = [
                {
                    "name": each.name,
                    "kind": each.kind,
                    "ships": "with the package" if each.is_shipped else "",
                    "id": each.id,
                }
                for each in entries
            ]
            ui.table(columns=columns, rows=rows, row_key="id").classes("w-full")
