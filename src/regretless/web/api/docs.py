# SPDX-License-Identifier: MIT
"""/api/docs: the API as a page, written from its OpenAPI schema; nothing comes from outside."""

import json
from html import escape
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from regretless.web.parts.html import tag

router = APIRouter(include_in_schema=False)

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
       color: #1d2733; background: #fff }
code, pre { font: 13px/1.45 ui-monospace, monospace } pre { background: #f3f5f8; padding: .7rem;
       overflow-x: auto; border-radius: 6px }
summary { cursor: pointer; padding: .25rem 0 } .method { display: inline-block; width: 4.5rem;
       font-weight: 600; color: #1b5e9b } h2 { margin-top: 2rem }
@media (prefers-color-scheme: dark) { body { color: #dde4ec; background: #14191f }
       pre { background: #1f262e } a, .method { color: #7db8ee } }
"""


@router.get("/docs")
async def show_docs(request: Request) -> HTMLResponse:
    return HTMLResponse(_page(request.app.openapi()))


def _page(schema: dict[str, Any]) -> str:
    groups: dict[str, str] = {}
    for path, methods in schema["paths"].items():
        for method, row in methods.items():
            (name,) = row["tags"]
            groups[name] = groups.get(name, "") + _operation(schema, path, method, row)
    info = schema["info"]
    body = tag("h1", escape(f"{info['title']} {info['version']}: the API"))
    links = tag("a", "OpenAPI", href="/api/openapi.json") + ", " + tag("a", "pages", href="/")
    body += tag("p", f"{escape(info['summary'])} {links}.")
    body += "".join(tag("h2", escape(name)) + rows for name, rows in groups.items())
    events = tag("code", "ws /api/tables/{table}/events?seat_token=...")
    body += f"<h2>events</h2><p>{events}: the state of a table now, and after every change.</p>"
    head = f"<meta charset='utf-8'>{tag('title', escape(info['title']) + ' API')}"
    return f"<!doctype html><html lang='en'>{head}{tag('style', _STYLE)}{body}</html>"


def _operation(schema: dict[str, Any], path: str, method: str, row: dict[str, Any]) -> str:
    parts = tag("p", escape(row.get("description", "")))
    for each in row.get("parameters", []):
        about = escape(each.get("description") or "")
        parts += tag("p", f"{tag('code', escape(each['name']))} in {each['in']}. {about}")
    told = {"Request": row.get("requestBody", {})}
    answers = row["responses"].items()
    told |= {f"Answer, status {status}": each for status, each in answers if status[0] == "2"}
    for title, each in told.items():
        part = each.get("content", {}).get("application/json", {}).get("schema")
        if part:
            shown = json.dumps(_resolved(schema, part, 0), indent=2)
            parts += tag("p", title) + tag("pre", escape(shown))
    name = tag("span", method.upper(), class_="method") + " " + tag("code", escape(path))
    return tag("details", tag("summary", name) + parts)


def _resolved(schema: dict[str, Any], part: dict[str, Any], depth: int) -> Any:
    """A part of the schema in short, with what it refers to written out."""
    if "$ref" in part:
        name = part["$ref"].rsplit("/", 1)[-1]
        referred = schema["components"]["schemas"][name]
        return name if depth > 4 else _resolved(schema, referred, depth)
    if "properties" in part:
        needed = part.get("required", [])
        return {
            name + ("" if name in needed else "?"): _resolved(schema, each, depth + 1)
            for name, each in part["properties"].items()
        }
    if part.get("type") == "array":
        return [_resolved(schema, part.get("items", {}), depth + 1)]
    if "anyOf" in part:
        found = [_resolved(schema, each, depth + 1) for each in part["anyOf"]]
        return found[0] if len(found) == 2 and found[1] == "null" else found
    if "enum" in part:
        return " | ".join(map(str, part["enum"]))
    return part.get("type", "anything")
