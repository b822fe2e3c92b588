// SPDX-License-Identifier: MIT
// The hands of games without a square as a table: one row for each hand, or for each class of Omaha hands.

import { h } from "../lib/dom.js";
import { number, percent } from "../lib/format.js";
import { mixBar, swatch } from "../parts/actions.js";
import { cardText } from "../parts/cards.js";
import { table } from "../parts/panels.js";
import { classFigures, plain, shortText } from "./model.js";

const MANY = 4; // actions; more are shown in whole percent
const DENSE = 7; // and more without the bar and the signs

export function handTable(study, seat) {
  const { node } = study;
  const keeps = seat === study.seat ? study.keeps : null;
  const found = node.once(`classes ${seat}`, keeps, () => classFigures(node, seat, keeps));
  const rows = Array.from(found.values()).filter((each) => each.combos > 0);
  if (!rows.length) return h("p", { class: "dim" }, "No hand arrives here.");
  if (node.isGrouped) rows.sort((a, b) => node.group_names.indexOf(a.name) - node.group_names.indexOf(b.name));
  const columns = columnsOf(node, seat);
  const shown = rows.map((each) => ({
    props: { key: each.name, "aria-selected": String(each.name === study.pin), "data-hand": each.name },
    cells: columns.map(([, , cell]) => cell(each, study)),
  }));
  const kind = seat === node.actor && node.choices.length > DENSE ? "group-table dense" : "group-table";
  return table(`hands of ${node.seats[seat].name}`, columns, shown, { class: kind });
}

/** [title, kind, cell of a row]. */
function columnsOf(node, seat) {
  const choices = seat === node.actor ? node.choices : [];
  const isDense = choices.length > DENSE;
  const share = (value) => (isDense ? number(100 * value, 0) : percent(value, choices.length > MANY ? 0 : 1));
  const columns = [
    [node.isGrouped ? "class" : "hand", "", nameCell],
    ["share", "num", (each) => percent(each.share)],
  ];
  if (choices.length && !isDense) columns.push(["strategy", "bar-cell", (each) => mixBar(each.mix, node.colours)]);
  choices.forEach(({ text }, place) => {
    const title = h("span", { title: text }, swatch(node.colours[place]), " ", shortText(text));
    columns.push([title, "num", (each) => share(each.mix[place])]);
  });
  if (node.knows("ev", seat)) columns.push([isDense ? "EV" : `EV, ${node.unit}`, "num", (each) => number(each.ev)]);
  if (node.knows("equity", seat)) columns.push(["equity", "num", (each) => percent(each.equity)]);
  return columns;
}

function nameCell({ name }, study) {
  if (!study.node.isGrouped) return h("b", null, cardText(name));
  return h("button", { class: "link", onclick: () => study.pinClass(name) }, plain(name));
}
