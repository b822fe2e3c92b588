# SPDX-License-Identifier: MIT
"""`/`: the library, with links to explore, play and practise; and the page of unknown addresses."""

from urllib.parse import quote

from fastapi import Request, Response
from nicegui import Client, ui
from nicegui import app as pages_app

from regretless.web.library import Entry
from regretless.web.pages.frame import frame
from regretless.web.parts.elements import plain_link
from regretless.web.parts.html import link, row, table
from regretless.web.services import Services


def add(services: Services) -> None:
    @ui.page("/")
    async def home() -> None:
        entries = await services.work(services.library.entries)
        with frame("Library"):
            found = table(["name", "kind", "actions"], map(_row, entries), "plain library")
            with ui.element("div").classes("scroll").style("max-height: none"):
                ui.html(found, sanitize=False)
            if not entries:
                ui.label("The library is empty: solve a spot, or name a directory of runs.")

    @pages_app.exception_handler(404)
    async def not_found(request: Request, _: Exception) -> Response:
        with Client(ui.page(""), request=request) as client, frame("Page not found"):
            ui.label(f"There is no page {request.url.path[:200]}.")
            plain_link("Go to the library", "/")
        return client.build_response(request, 404)


def _row(entry: Entry) -> str:
    kind = f"{entry.kind}, shipped" if entry.is_shipped else entry.kind
    id = quote(entry.id)
    links = {"explore": f"/explore/{id}", "play": f"/table?against={id}"}
    if entry.kind != "onnx":
        links["practise"] = f"/train/{id}"
    if entry.kind == "run":
        links["curves"] = f"/runs?run={id}"
    actions = " · ".join(link(text, target) for text, target in links.items())
    return row([link(entry.name, links["explore"]), kind, actions])
