// SPDX-License-Identifier: MIT
// /api/docs: the API, written from its OpenAPI schema.

import { get } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { panel } from "../parts/panels.js";

const DEEPEST = 4;

export async function open(page) {
  page.title = "API";
  const schema = await get("/openapi.json");
  const groups = new Map();
  for (const [path, methods] of Object.entries(schema.paths))
    for (const [method, row] of Object.entries(methods))
      groups.set(row.tags[0], [...(groups.get(row.tags[0]) ?? []), operation(schema, path, method, row)]);
  const socket = h(
    "p",
    null,
    h("code", null, "ws /api/tables/{table}/events?seat_token=..."),
    ": the state of a table now, and after every change.",
  );
  return () => [
    h(
      "div",
      { class: "page-head" },
      h("h1", null, `${schema.info.title} ${schema.info.version}: the API`),
      h("a", { href: "/api/openapi.json", download: "openapi.json" }, "OpenAPI"),
    ),
    h("p", { class: "dim" }, schema.info.summary),
    [...groups].map(([name, rows]) => panel({ title: name }, rows)),
    panel({ title: "events" }, socket),
  ];
}

function operation(schema, path, method, row) {
  const bodies = { Request: row.requestBody };
  for (const [status, answer] of Object.entries(row.responses))
    if (status.startsWith("2")) bodies[`Answer, status ${status}`] = answer;
  const shown = Object.entries(bodies)
    .map(([title, body]) => [title, body?.content?.["application/json"]?.schema])
    .filter(([, part]) => part);
  return h(
    "details",
    { class: "operation" },
    h("summary", null, h("b", { class: "method" }, method.toUpperCase()), h("code", null, path)),
    h("p", null, withCode(row.description ?? "")),
    (row.parameters ?? []).map((each) =>
      h("p", null, h("code", null, each.name), ` in ${each.in}. `, withCode(each.description ?? "")),
    ),
    shown.map(([title, part]) => [
      h("p", { class: "dim" }, title),
      h("pre", { tabindex: 0 }, JSON.stringify(resolved(schema, part, 0), null, 2)),
    ]),
  );
}

/** A text in which what stands between backticks is code. */
function withCode(text) {
  return text.split("`").map((each, place) => (place % 2 ? h("code", null, each) : each));
}

/** A part of the schema in short, with what it refers to written out. */
function resolved(schema, part, depth) {
  if (part.$ref) {
    const name = part.$ref.split("/").pop();
    return depth > DEEPEST ? name : resolved(schema, schema.components.schemas[name], depth);
  }
  if (part.properties) {
    const needed = part.required ?? [];
    return Object.fromEntries(
      Object.entries(part.properties).map(([name, each]) => [
        needed.includes(name) ? name : `${name}?`,
        resolved(schema, each, depth + 1),
      ]),
    );
  }
  if (part.type === "array") return [resolved(schema, part.items ?? {}, depth + 1)];
  if (part.anyOf) {
    const found = part.anyOf.map((each) => resolved(schema, each, depth + 1));
    return found.length === 2 && found[1] === "null" ? found[0] : found;
  }
  return part.enum ? part.enum.join(" | ") : (part.type ?? "anything");
}
