// SPDX-License-Identifier: MIT
// A second solution beside the first: its strategy in small, and what differs by action, hand or node.

import { h } from "../lib/dom.js";
import { number } from "../lib/format.js";
import { selectField } from "../parts/fields.js";
import { segmented, table } from "../parts/panels.js";
import { smallGrid } from "./ranges.js";

const BY = [
  ["actions", "Actions"],
  ["hands", "Hands"],
  ["made", "Made hands"],
  ["nodes", "Nodes"],
];
const MOST_ROWS = 100;
const SHORT = 40; // characters of a setting

export function comparison(study) {
  study.findEntries();
  const { compared, other, query } = study;
  const names = study.entries.map((each) => [each.id, each.name]);
  if (query.with && !names.some(([id]) => id === query.with)) names.push([query.with, query.with]);
  const by = BY.some(([name]) => name === query.by) ? query.by : "actions";
  return h(
    "div",
    { class: "stack" },
    selectField({
      label: "Second solution",
      value: query.with ?? "",
      options: [["", "none"], ...names],
      onchange: (id) => study.set({ with: id || null }),
    }),
    query.with
      ? [
          other?.isGrid ? smallGrid(study, other, study.seat) : null,
          segmented("compare by", BY, by, (each) => study.set({ by: each === "actions" ? null : each })),
          compared?.error ? h("p", { class: "bad", role: "alert" }, compared.error) : null,
          compared?.rows ? differences(study, compared) : null,
        ]
      : h(
          "p",
          { class: "dim" },
          "Another solution of the same game shows here what differs at this node and over all.",
        ),
  );
}

function differences(study, { rows, settings }) {
  const lines = Object.entries(settings).map(([name, [one, two]]) =>
    h("li", { key: name }, h("b", null, name), `: ${short(one)} here, ${short(two)} there`),
  );
  return [
    lines.length ? h("ul", { class: "settings-list dim" }, lines) : null,
    rows.length ? differenceTable(study, rows) : h("p", { class: "dim" }, "Nothing differs."),
  ];
}

function differenceTable(study, rows) {
  const names = Object.keys(rows[0]);
  const isNumber = (name) => rows.some((row) => typeof row[name] === "number");
  const columns = names.map((name) => [
    name.replace(/ A$/, " here").replace(/ B$/, " there"),
    isNumber(name) ? "num" : "",
  ]);
  const shown = rows.slice(0, MOST_ROWS).map((row, place) => ({
    props: { key: place },
    cells: names.map((name) => cellOf(study, name, row[name])),
  }));
  return table("differences", columns, shown, { class: "compared" });
}

function short(value) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > SHORT ? `${text.slice(0, SHORT)}…` : text;
}

function cellOf(study, name, value) {
  if (name === "line" || name === "node")
    return h("button", { class: "link", onclick: () => study.go(value) }, value || "the start");
  if (typeof value === "number") return number(value, 3);
  return value === null || value === undefined ? "–" : short(value);
}
