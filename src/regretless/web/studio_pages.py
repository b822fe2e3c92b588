# SPDX-License-Identifier: MIT
"""The studio: pages for people, made by the JavaScript modules of `studio/` over the API.

Nothing is built: the modules are served as they are written. Every page has one document, which
names all styles and modules, so that a browser asks for them at once.
"""

from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles

STUDIO = Path(__file__).with_name("studio")
_POLICY = "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'"


class _Files(StaticFiles):
    """Files that a browser keeps, and asks about each time."""

    async def get_response(self, path: str, scope: object) -> Response:
        answer = await super().get_response(path, scope)  # type: ignore[arg-type]
        answer.headers["cache-control"] = "no-cache"
        return answer


def add_studio(app: FastAPI) -> None:
    """Adds the pages; every address that is none of the API's has the same document."""
    app.mount("/studio", _Files(directory=STUDIO), name="studio")
    add_document(app, "/{path:path}")


def add_document(app: FastAPI, address: str) -> None:
    """Answers an address with the document of all pages."""
    document = _document()
    headers = {"content-security-policy": _POLICY, "cache-control": "no-cache"}

    @app.get(address, include_in_schema=False)
    async def page() -> HTMLResponse:
        return HTMLResponse(document, headers=headers)


def _document() -> str:
    """The document, with links to all styles and to the modules that every page needs."""
    styles = sorted((STUDIO / "style").glob("*.css"), key=lambda each: _ORDER.get(each.name, 9))
    modules = [
        STUDIO / "app.js",
        *sorted(STUDIO.glob("lib/*.js")),
        *sorted(STUDIO.glob("parts/*.js")),
    ]
    links = {
        "<!-- styles -->": [f'<link rel="stylesheet" href="{_address(each)}">' for each in styles],
        "<!-- modules -->": [
            f'<link rel="modulepreload" href="{_address(each)}">' for each in modules
        ],
    }
    document = (STUDIO / "index.html").read_text(encoding="utf-8")
    for mark, lines in links.items():
        document = document.replace(mark, "\n    ".join(lines))
    return document


_ORDER = {"tokens.css": 0, "base.css": 1, "parts.css": 2}


def _address(path: Path) -> str:
    return f"/studio/{path.relative_to(STUDIO).as_posix()}"
