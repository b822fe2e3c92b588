// SPDX-License-Identifier: MIT
// All infosets of a small game, by line and hand, some at a time.

import { h } from "../lib/dom.js";
import { number, percent } from "../lib/format.js";
import { cardText } from "../parts/cards.js";
import { textField } from "../parts/fields.js";
import { button, table } from "../parts/panels.js";

export const ROWS = 100;

/** `found`: the page of infosets, {error}, or null before it was asked for; `choose(changes)` changes the address
 *  and loads again. */
export function infosetPanel({ found, query, choose, study }) {
  const list = () => button("List the infosets", () => choose({ infosets: 1 }));
  return h(
    "section",
    { class: "panel", "aria-label": "infosets" },
    h("h2", null, "Infosets"),
    found ? (found.error ? h("p", { class: "dim" }, found.error) : rows(found, query, choose, study)) : list(),
  );
}

const rows = (found, query, choose, study) => [fields(found, query, choose), rowTable(found, study)];

function fields({ total, begin, rows: shown }, query, choose) {
  const page = Math.floor(begin / ROWS) + 1;
  const count = shown.length
    ? `${number(begin + 1, 0)} to ${number(begin + shown.length, 0)} of ${number(total, 0)} infosets`
    : `none of ${number(total, 0)} infosets`;
  const field = (label, name, placeholder) =>
    textField({
      label,
      id: `infosets ${name}`,
      value: query[name] ?? "",
      placeholder,
      onchange: (value) => choose({ [name]: value.trim(), page: null }),
    });
  const turn = (by) => choose({ page: page + by > 1 ? page + by : null });
  return h(
    "div",
    { class: "infoset-fields" },
    field("At and below the line", "line", "the start"),
    field("Hand", "hand", "any"),
    h(
      "div",
      { class: "row" },
      button("Previous", () => turn(-1), { name: "back", disabled: page <= 1 }),
      button("Next", () => turn(1), { name: "forward", disabled: begin + shown.length >= total }),
      h("span", { class: "dim num", role: "status" }, count),
    ),
  );
}

function rowTable({ rows }, study) {
  const words = [...new Set(rows.flatMap((each) => Object.keys(each.mix)))];
  const names = ["own reach", "share", "EV", ...words];
  const columns = [["line"], ["seat"], ["hand"], ...names.map((name) => [name, "num"])];
  const shown = rows.map((each) => ({
    props: { key: `${each.line} ${each.hand}`, "data-infoset": `${each.line} ${each.hand}` },
    cells: [
      h("a", { href: study(each.line) }, each.line || "the start"),
      each.seat,
      cardText(each.hand),
      number(each.reach, 4),
      percent(each.share),
      number(each.ev, 3),
      ...words.map((word) => (word in each.mix ? percent(each.mix[word]) : "")),
    ],
  }));
  return table("infosets", columns, shown, { class: "infoset-table" });
}
