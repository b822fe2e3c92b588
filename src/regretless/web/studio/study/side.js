// SPDX-License-Identifier: MIT
// The right of the screen: the next actions as a tree, locks, a second solution, and what can be taken along.

import { h } from "../lib/dom.js";
import { get, post, withQuery } from "../lib/api.js";
import { isKnown, number, percent } from "../lib/format.js";
import { swatch } from "../parts/actions.js";
import { selectField, textField } from "../parts/fields.js";
import { button, segmented } from "../parts/panels.js";
import { csvOf } from "./model.js";
import { lockPanel } from "./locks.js";

const BY = [
  ["actions", "Actions"],
  ["hands", "Hands"],
  ["made", "Made hands"],
  ["nodes", "Nodes"],
];
const MOST_ROWS = 100;

export function sidePanel(study) {
  const { node } = study;
  const tabs = [
    ["tree", "Tree"],
    ...(node.is_spot ? [["lock", study.locks.size ? `Lock ${study.locks.size}` : "Lock"]] : []),
    ...(node.is_solved ? [["compare", "Compare"]] : []),
    ["take", "Take along"],
  ];
  const tab = tabs.some(([name]) => name === study.query.side) ? study.query.side : "tree";
  const body = { tree: nextActions, lock: lockPanel, compare: comparison, take: takeAlong }[tab];
  return h(
    "section",
    { class: "panel side", "aria-label": "tools" },
    segmented("tools", tabs, tab, (each) => study.set({ side: each === "tree" ? null : each })),
    h("div", { class: "side-body", key: tab }, body(study)),
  );
}

function nextActions(study) {
  const { node } = study;
  if (!study.tree?.length)
    return h(
      "p",
      { class: "dim" },
      node.hasTurn ? "Reading…" : node.isChance ? "A card is due: choose one." : "Nothing follows.",
    );
  const rows = study.tree.map((each) => {
    const place = each.depth ? -1 : node.choices.findIndex((choice) => choice.word === each.word);
    return h(
      "button",
      {
        class: "tree-row",
        key: each.line,
        style: { "padding-left": `${8 + 18 * each.depth}px` },
        "data-line": each.line,
        onclick: () => study.go(each.line),
      },
      place >= 0 ? swatch(node.colours[place]) : h("span", { class: "dim" }, "└"),
      h(
        "span",
        { class: "tree-text" },
        each.depth ? [h("span", { class: "dim" }, `${each.seat} `), each.text] : h("b", null, each.text),
      ),
      h("b", { class: "num" }, percent(each.share, 0)),
      h("span", { class: "dim num tree-ev" }, isKnown(each.ev) ? number(each.ev) : ""),
    );
  });
  const whole =
    study.page.params.id && !node.isGrid
      ? h(
          "a",
          {
            class: "button small",
            href: withQuery(`/tree/${encodeURIComponent(study.id)}`, { line: node.line, step: study.query.step }),
          },
          "Show the tree",
        )
      : null;
  return h("div", { class: "stack" }, h("div", { class: "tree-rows" }, rows), whole);
}

function comparison(study) {
  const { compared } = study;
  if (!study.entries) {
    study.findEntries();
    return h("p", { class: "dim" }, "Reading the library…");
  }
  const options = [["", "none"], ...study.entries.map((each) => [each.id, each.name])];
  const by = BY.some(([name]) => name === study.query.by) ? study.query.by : "actions";
  return h(
    "div",
    { class: "stack" },
    selectField({
      label: "Second solution",
      value: study.query.with ?? "",
      options,
      onchange: (id) => study.set({ with: id || null }),
    }),
    study.query.with
      ? segmented("compare by", BY, by, (each) => study.set({ by: each === "actions" ? null : each }))
      : h(
          "p",
          { class: "dim" },
          "Another solution of the same game shows here what differs: at this node, by hand, and over all nodes.",
        ),
    study.query.with && compared?.error ? h("p", { class: "bad" }, compared.error) : null,
    study.query.with && compared?.rows ? comparedTable(study, compared) : null,
  );
}

function comparedTable(study, { rows, settings }) {
  const told = Object.entries(settings).map(([name, [one, two]]) =>
    h("li", { key: name }, h("b", null, name), `: ${short(one)} here, ${short(two)} there`),
  );
  const head = Object.keys(rows[0] ?? {});
  const numbers = head.filter((name) => rows.some((row) => typeof row[name] === "number"));
  return [
    told.length ? h("ul", { class: "settings-list dim" }, told) : null,
    rows.length
      ? h(
          "div",
          { class: "scroll compared", tabindex: 0, role: "region", "aria-label": "differences" },
          h(
            "table",
            null,
            h(
              "thead",
              null,
              h(
                "tr",
                null,
                head.map((name) =>
                  h("th", { class: numbers.includes(name) ? "num" : "", scope: "col" }, columnName(name)),
                ),
              ),
            ),
            h(
              "tbody",
              null,
              rows.slice(0, MOST_ROWS).map((row, place) =>
                h(
                  "tr",
                  { key: place },
                  head.map((name) =>
                    h("td", { class: numbers.includes(name) ? "num" : "" }, cellOf(study, name, row[name])),
                  ),
                ),
              ),
            ),
          ),
        )
      : h("p", { class: "dim" }, "Nothing differs."),
  ];
}

const columnName = (name) => name.replace(/ A$/, " here").replace(/ B$/, " there");
const short = (value) => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
};

function cellOf(study, name, value) {
  if (name === "line" || name === "node")
    return h("button", { class: "link", onclick: () => study.go(value) }, value || "the start");
  if (typeof value === "number") return number(value, 3);
  return value === null || value === undefined ? "–" : short(value);
}

function takeAlong(study) {
  const { node, seat, page } = study;
  const name = node.name.replace(/[^A-Za-z0-9._-]+/g, "-");
  const { id } = page.params;
  const canPlay = Boolean(id) && node.kind !== "onnx";
  return h(
    "div",
    { class: "stack" },
    h("p", { class: "dim" }, `${node.game}: ${node.strength}`),
    h(
      "div",
      { class: "take" },
      button("Copy the address", () => copy(study, location.href), { name: "copy" }),
      node.isGrid ? button("Copy the range", () => copy(study, rangeText(node, seat)), { name: "copy" }) : null,
      button("Download CSV", () => download(`${name}.csv`, "text/csv", csvOf(node, seat)), { name: "download" }),
      button(
        "Download JSON",
        () =>
          download(
            `${name}.json`,
            "application/json",
            JSON.stringify({ ...study.answer, equities: node.equities }, null, 1),
          ),
        { name: "download" },
      ),
      canPlay
        ? h(
            "a",
            { class: "button", href: withQuery(`/practice/${encodeURIComponent(id)}`, { line: node.line }) },
            "Practise this spot",
          )
        : null,
      canPlay ? h("a", { class: "button", href: withQuery("/play", { with: id }) }, "Play against it") : null,
    ),
    page.params.job && study.job?.status === "done" ? save(study) : null,
  );
}

function save(study) {
  const keep = () =>
    study.page.act(async () => {
      const entry = await post(`/solves/${study.page.params.job}/save`, { name: study.saveName });
      study.page.say(`Saved as ${entry.name}.`);
      study.page.go(withQuery(`/study/${encodeURIComponent(entry.id)}`, study.query), { replace: true });
    });
  return h(
    "form",
    {
      class: "stack",
      onsubmit: (event) => {
        event.preventDefault();
        keep();
      },
    },
    textField({
      label: "Name in the library",
      value: study.saveName,
      oninput: (value) => {
        study.saveName = value.trim();
        study.page.redraw();
      },
    }),
    button("Save the solution", keep, { kind: "primary", name: "save", disabled: !study.saveName }),
  );
}

/** The range as the package reads it: hands with their weights, whole classes in short. */
function rangeText(node, seat) {
  const { hands, weights } = node.seats[seat];
  return hands
    .map((hand, place) => [hand, weights[place]])
    .filter(([, weight]) => weight > 0)
    .map(([hand, weight]) => (weight >= 0.9999 ? hand : `${hand}:${Number(weight.toFixed(4))}`))
    .join(",");
}

async function copy(study, text) {
  await study.page.act(() => navigator.clipboard.writeText(text));
  study.page.say(`Copied: ${text.slice(0, 80)}`);
}

function download(name, type, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Entries that can be compared with: everything solved in the library. */
export async function solvedEntries(id) {
  const { entries } = await get("/library");
  return entries.filter((each) => each.id !== id && each.kind !== "onnx");
}
