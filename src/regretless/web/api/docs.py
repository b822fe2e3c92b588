# SPDX-License-Identifier: MIT
"""/api/docs: the API as a page, written from its OpenAPI schema; nothing comes from outside."""

import json
from html import escape
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

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
    groups: dict[str, list[str]] = {}
    for path, methods in schema["paths"].items():
        for method, row in methods.items():
            tag = (row.get("tags") or ["other"])[0]
            groups.setdefault(tag, []).append(_operation(schema, path, method, row))
    body = "".join(f"<h2>{escape(tag)}</h2>{''.join(rows)}" for tag, rows in groups.items())
    info = schema["info"]
    return (
        f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{escape(info['title'])} API"
        f"</title><style>{_STYLE}</style><h1>{escape(info['title'])} {escape(info['version'])}: "
        f"the API</h1><p>{escape(info.get('summary', ''))} <a href='/api/openapi.json'>OpenAPI"
        f"</a>, <a href='/'>pages</a>.</p>{body}"
        "<h2>events</h2><p><code>ws /api/tables/{table}/events?seat_token=...</code>: the state of "
        "a table now, and after every change.</p></html>"
    )


def _operation(schema: dict[str, Any], path: str, method: str, row: dict[str, Any]) -> str:
    parts = [f"<p>{escape(row.get('description', ''))}</p>"]
    for each in row.get("parameters", []):
        about = escape(each.get("description") or "")
        parts.append(f"<p><code>{escape(each['name'])}</code> in {each['in']}. {about}</p>")
    body = row.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    if body:
        parts.append(f"<p>Request</p>{_shown(schema, body)}")
    for status, answer in row.get("responses", {}).items():
        content = answer.get("content", {}).get("application/json", {}).get("schema")
        if status.startswith("2") and content:
            parts.append(f"<p>Answer, status {escape(status)}</p>{_shown(schema, content)}")
    return (
        f"<details><summary><span class='method'>{method.upper()}</span> "
        f"<code>{escape(path)}</code></summary>{''.join(parts)}</details>"
    )


def _shown(schema: dict[str, Any], part: dict[str, Any]) -> str:
    return f"<pre>{escape(json.dumps(_resolved(schema, part, 0), indent=2))}</pre>"


def _resolved(schema: dict[str, Any], part: dict[str, Any], depth: int) -> Any:
    """A part of the schema in short, with what it refers to written out."""
    if "$ref" in part:
        name = part["$ref"].rsplit("/", 1)[-1]
        return (
            name if depth > 4 else _resolved(schema, schema["components"]["schemas"][name], depth)
        )
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
