# SPDX-License-Identifier: MIT
"""The studio: pages for people, made by the JavaScript modules of `studio/` over the API.

Nothing is built: the modules are served as they are written. The document of a page names the
modules that the page needs, so that a browser asks for them at once. All styles are one answer.
"""

import re
from functools import cache
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles

STUDIO = Path(__file__).resolve().with_name("studio")
_STYLE = "/studio/style.css"
_POLICY = "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'"


class _Files(StaticFiles):
    """Files that a browser keeps, and asks about each time."""

    async def get_response(self, path: str, scope: object) -> Response:
        answer = await super().get_response(path, scope)  # type: ignore[arg-type]
        answer.headers["cache-control"] = "no-cache"
        return answer


def add_studio(app: FastAPI) -> None:
    """Adds the pages; every address that is none of the API's has a document."""

    @app.get(_STYLE, include_in_schema=False)
    async def style() -> Response:
        return Response(_style(), media_type="text/css", headers={"cache-control": "no-cache"})

    app.mount("/studio", _Files(directory=STUDIO), name="studio")

    @app.get("/favicon.ico", include_in_schema=False)
    async def icon() -> FileResponse:
        """Answers browsers that look at the API."""
        return FileResponse(STUDIO / "icon.svg")

    add_document(app, "/{path:path}")


def add_document(app: FastAPI, address: str) -> None:
    """Answers an address with the document of its page."""
    headers = {"content-security-policy": _POLICY, "cache-control": "no-cache"}

    @app.get(address, include_in_schema=False)
    async def page(request: Request) -> HTMLResponse:
        name = request.url.path.split("/")[1] or "home"
        is_page = name.isalpha() and (STUDIO / "pages" / f"{name}.js").is_file()
        return HTMLResponse(
            _document(name if is_page else "home"), 200 if is_page else 404, headers
        )


@cache
def _document(page: str) -> str:
    """The document, with links to the modules that a page needs."""
    modules = sorted({*_needed(STUDIO / "app.js"), *_needed(STUDIO / "pages" / f"{page}.js")})
    links = [f'<link rel="modulepreload" href="{_address(each)}">' for each in modules]
    document = (STUDIO / "index.html").read_text(encoding="utf-8")
    return document.replace("<!-- modules -->", "\n    ".join(links))


@cache
def _style() -> str:
    """All styles in one text."""
    styles = sorted((STUDIO / "style").glob("*.css"), key=lambda each: _ORDER.get(each.name, 9))
    return "\n".join(each.read_text(encoding="utf-8") for each in styles)


def _needed(module: Path) -> set[Path]:
    """A module and all that it imports, directly or by way of others."""
    found, waiting = set[Path](), [module.resolve()]
    while waiting:
        path = waiting.pop()
        if path not in found and path.is_file():
            found.add(path)
            named = re.findall(r'from "(\.[^"]+)"', path.read_text(encoding="utf-8"))
            waiting += [(path.parent / each).resolve() for each in named]
    return found


_ORDER = {"tokens.css": 0, "base.css": 1, "parts.css": 2}


def _address(path: Path) -> str:
    return f"/studio/{path.relative_to(STUDIO).as_posix()}"
