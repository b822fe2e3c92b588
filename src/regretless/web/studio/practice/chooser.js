// SPDX-License-Identifier: MIT
// What can be practised: every strategy of the library that has nodes, those that were practised last first.

import { h } from "../lib/dom.js";
import { ago, percent, plural } from "../lib/format.js";
import { withSuits } from "../parts/cards.js";
import { icon } from "../parts/icons.js";
import { emptyState } from "../parts/panels.js";
import { practised } from "./history.js";

const VALUED = ["spot", "table"]; // forms whose EVs are known

export function chooser(entries) {
  const past = new Map(practised().map((each) => [each.id, each]));
  const found = entries
    .filter((each) => each.has_nodes && !each.error)
    .map((each) => ({ ...each, past: past.get(each.id) }));
  const order = (each) => [each.past?.at ?? 0, VALUED.includes(each.form) ? 1 : 0];
  found.sort((a, b) => order(b)[0] - order(a)[0] || order(b)[1] - order(a)[1]);
  return h(
    "div",
    { class: "practice" },
    h(
      "div",
      { class: "page-head" },
      h("h1", null, "Practice"),
      h("span", { class: "dim" }, "a hand, a decision, and what it costs: choose what to practise"),
    ),
    found.length
      ? h("ul", { class: "practice-entries" }, found.map(row))
      : emptyState("There is nothing to practise yet."),
    h(
      "p",
      { class: "dim" },
      "Solved spots and small games are graded by the EV that a choice loses, networks by how often they do it. ",
      h("a", { href: "/solve" }, "Solve a spot"),
      " to practise it.",
    ),
  );
}

function row({ id, name, about, form, past }) {
  return h(
    "li",
    { key: id },
    h(
      "a",
      { class: "panel practice-entry", href: `/practice/${encodeURIComponent(id)}` },
      icon("target", 22),
      h(
        "span",
        { class: "practice-entry-text" },
        h("b", null, name),
        h("span", { class: "dim" }, withSuits(about)),
        h(
          "small",
          { class: "num" },
          past
            ? `${plural(past.count, "answer")}, ${percent(past.good, 0)} good · ${ago(past.at)}`
            : VALUED.includes(form)
              ? "graded by EV"
              : "graded by the mix",
        ),
      ),
    ),
  );
}
