# SPDX-License-Identifier: MIT
"""`/`: what is in the library, and what can be done with it."""

from html import escape
from urllib.parse import quote

from nicegui import ui

from regretless.web.library import Entry
from regretless.web.pages.frame import frame
from regretless.web.services import Services


def add(services: Services) -> None:
    @ui.page("/")
    async def home() -> None:
        entries = await services.work(services.library.entries)
        with frame("What is here"):
            rows = "".join(map(_row, entries))
            head = "<tr><th>name</th><th>kind</th><th>what to do</th></tr>"
            with ui.element("div").classes("scroll").style("max-height: none"):
                ui.html(f'<table class="plain">{head}{rows}</table>', sanitize=False)
            if not entries:
                ui.label("Nothing yet: solve a spot, or start the server with a directory of runs.")


def _row(entry: Entry) -> str:
    kind = f"{entry.kind}, ships with the package" if entry.is_shipped else entry.kind
    id = quote(entry.id)
    links = {"explore": f"/explore/{id}", "play": f"/table?against={id}", "train": f"/train/{id}"}
    if entry.kind == "run":
        links["curves"] = f"/runs?run={id}"
    if entry.kind == "onnx":
        links.pop("train")
    told = " · ".join(
        f'<a class="plainlink" href="{target}">{text}</a>' for text, target in links.items()
    )
    return f"<tr><td>{escape(entry.name)}</td><td>{kind}</td><td>{told}</td></tr>"
