// SPDX-License-Identifier: MIT
// The right of the screen: the next actions as a tree, locks, a second solution, and exports.

import { h } from "../lib/dom.js";
import { withQuery } from "../lib/api.js";
import { isKnown, number, percent } from "../lib/format.js";
import { swatch } from "../parts/actions.js";
import { segmented } from "../parts/panels.js";
import { comparison } from "./compare.js";
import { exportsPanel } from "./exports.js";
import { lockPanel } from "./locks.js";

const BODIES = { tree: nextActions, lock: lockPanel, compare: comparison, export: exportsPanel };

/** The tools that a node has: [name, text]. */
export function sideTabs({ node, plans }) {
  return [
    ["tree", "Tree"],
    ...(node.is_spot ? [["lock", plans.size ? `Lock (${plans.size})` : "Lock"]] : []),
    ...(node.is_solved ? [["compare", "Compare"]] : []),
    ["export", "Export"],
  ];
}

export function sidePanel(study) {
  const tabs = sideTabs(study);
  const tab = tabs.some(([name]) => name === study.query.side) ? study.query.side : "tree";
  return h(
    "section",
    { class: "panel side", "aria-label": "tools" },
    segmented("tools", tabs, tab, (each) => study.set({ side: each === "tree" ? null : each })),
    h("div", { class: "side-body", key: tab }, BODIES[tab](study)),
  );
}

function nextActions(study) {
  const { node, tree } = study;
  const empty = node.hasTurn ? "Reading…" : node.isChance ? "A card is due: choose one." : "Nothing follows.";
  return h(
    "div",
    { class: "stack" },
    tree?.length
      ? h(
          "div",
          { class: "tree-rows" },
          tree.map((each) => treeRow(study, each)),
        )
      : h("p", { class: "dim" }, empty),
    study.page.params.id ? wholeTree(study) : null,
  );
}

function treeRow(study, each) {
  const { node } = study;
  const place = each.depth ? -1 : node.choices.findIndex((choice) => choice.word === each.word);
  const seat = h("span", { class: "dim" }, `${each.seat} `);
  return h(
    "button",
    {
      class: { "tree-row": true, deep: each.depth },
      key: each.line,
      "data-line": each.line,
      onclick: () => study.go(each.line),
    },
    place >= 0 ? swatch(node.colours[place]) : h("span", { class: "dim" }, "└"),
    h("span", { class: "tree-text" }, each.depth ? [seat, each.text] : h("b", null, each.text)),
    h("b", { class: "num" }, percent(each.share, 0)),
    isKnown(each.ev) ? h("span", { class: "dim num tree-ev" }, number(each.ev)) : null,
  );
}

function wholeTree({ id, node, query }) {
  const href = withQuery(`/tree/${encodeURIComponent(id)}`, { line: node.line, step: query.step });
  return h("a", { class: "button small", href }, "Show the tree below");
}
