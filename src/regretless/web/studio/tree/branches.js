// SPDX-License-Identifier: MIT
// The game tree below a line: a row for each public state, with its share, mix, EVs and ranges.

import { h } from "../lib/dom.js";
import { withQuery } from "../lib/api.js";
import { isKnown, number, percent } from "../lib/format.js";
import { actionColours, mixBar } from "../parts/actions.js";
import { cardText, withSuits } from "../parts/cards.js";
import { icon } from "../parts/icons.js";

export const MOST_HANDS = 12; // of a range, the likeliest

/** A state and, where it is open, those that follow it. `state`: {open (lines), toggle, study, below}. */
export function branch(state, node, depth = 0) {
  const isOpen = state.open.has(node.line);
  return h(
    "div",
    { class: "branch", key: node.line, "data-branch": node.line },
    h(
      "div",
      { class: "branch-row" },
      h(
        "button",
        { class: "branch-name", "aria-expanded": String(isOpen), onclick: () => state.toggle(node.line) },
        icon(isOpen ? "down" : "forward", 14),
        h("b", null, withSuits(node.text || (depth ? node.word : node.line) || "the start")),
        isKnown(node.share) ? h("span", { class: "num dim" }, percent(node.share)) : null,
        node.actor ? h("span", { class: "dim" }, `${node.actor} to act`) : null,
      ),
      mix(node),
      values(node),
    ),
    isOpen ? h("div", { class: "branch-body" }, said(state, node, depth), below(state, node, depth)) : null,
  );
}

const below = (state, node, depth) => node.children.map((each) => branch(state, each, depth + 1));

function mix({ actor, children }) {
  if (!actor || !children.length) return null;
  const shares = children.map((each) => each.share);
  const texts = children.map((each) => `${each.text} ${percent(each.share, 0)}`).join(", ");
  return mixBar(shares, actionColours(children), texts);
}

function values({ values: found, beliefs }) {
  const names = Object.keys(beliefs);
  const parts = found.map((value, seat) => (isKnown(value) ? `${names[seat]} ${number(value)}` : "")).filter(Boolean);
  return parts.length ? h("span", { class: "dim num branch-ev" }, `EV ${parts.join(", ")}`) : null;
}

/** The ranges of all players here, and the ways on. */
function said({ study, below: belowHref }, { line, beliefs, is_cut: isCut }, depth) {
  const ranges = Object.entries(beliefs).map(([name, hands]) => {
    const rows = Object.entries(hands).sort((a, b) => b[1] - a[1]);
    const shown = rows.map(([hand, share]) => h("span", { key: hand }, cardText(hand), ` ${percent(share, 0)} `));
    const more = rows.length === MOST_HANDS ? "…" : "";
    return h("p", { class: "dim num", key: name }, `${name} holds `, rows.length ? [shown, more] : "nothing");
  });
  return h(
    "div",
    { class: "branch-said" },
    ranges,
    h(
      "p",
      { class: "row" },
      h("a", { href: study(line) }, "Study"),
      depth || isCut ? h("a", { href: belowHref(line) }, isCut ? "More of the tree" : "Tree from here") : null,
    ),
  );
}

/** Addresses of a node on the study page and on this one. */
export function addresses(id, step) {
  const of = (page) => (line) => withQuery(`/${page}/${encodeURIComponent(id)}`, { line, step });
  return { study: of("study"), below: of("tree") };
}
