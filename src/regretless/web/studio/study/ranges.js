// SPDX-License-Identifier: MIT
// Ranges: one in a large square with its views, or both side by side; the other one in small at the right.

import { h } from "../lib/dom.js";
import { number, percent } from "../lib/format.js";
import { stripes } from "../parts/actions.js";
import { handGrid } from "../parts/grid.js";
import { selectField } from "../parts/fields.js";
import { button, segmented, table } from "../parts/panels.js";
import { filters } from "./filters.js";
import { graph } from "./hands.js";
import { handTable } from "./hand_table.js";
import { squareFigures } from "./model.js";

const MOST_TABS = 4;

/** The range of one player. */
export function rangePanel(study) {
  const { node, seat } = study;
  return h(
    "section",
    { class: "panel range-panel", "aria-label": "range" },
    h("div", { class: "range-head" }, seatTabs(study), h("span", { class: "grow" }), viewTabs(study)),
    node.isGrid ? placed(study, seat) : handTables(study),
    filters(study),
    sampleNote(node, seat),
  );
}

/** The ranges of both players, in the order in which they act. */
export function rangePanels(study) {
  return study.node.seats.map((each, seat) =>
    h(
      "section",
      { class: "panel range-panel", "aria-label": `range of ${each.name}`, key: `range ${seat}` },
      h(
        "div",
        { class: "range-head" },
        seat ? h("h2", null, each.name) : seatTabs(study),
        h("span", { class: "grow" }),
        seat ? viewTabs(study) : h("span", { class: "dim num" }, rangeText(study.node, seat)),
      ),
      placed(study, seat),
      seat ? graph(study) : filters(study),
    ),
  );
}

function rangeText(node, seat) {
  const equity = node.mean(node.equitiesOf(seat), seat);
  const { name, combos } = node.seats[seat];
  const parts = [`${name} ${number(combos, 1)} combos`];
  if (equity !== null) parts.push(`equity ${percent(equity)}`);
  return parts.join(", ");
}

const sampleNote = (node, seat) =>
  node.hands_in_all
    ? h(
        "p",
        { class: "dim" },
        `A sample of ${number(node.seats[seat].hands.length, 0)} of ${number(node.hands_in_all, 0)} hands.`,
      )
    : null;

function seatTabs(study) {
  const { node, areBoth } = study;
  const names = node.seats.map((each, seat) => [seat, each.name]);
  const choose = (seat) => study.set({ seat: Number(seat) === study.turn ? null : seat, ranges: null });
  if (names.length > MOST_TABS)
    return selectField({ label: "Player", value: study.seat, options: names, onchange: choose });
  if (!node.isGrid || names.length !== 2) return segmented("player", names, study.seat, choose);
  const all = [...names, ["both", "Both"]];
  return segmented("player", all, areBoth ? "both" : study.seat, (each) =>
    each === "both" ? study.set({ ranges: "both" }) : choose(each),
  );
}

function viewTabs(study) {
  const { node, query } = study;
  if (!node.isGrid) return null;
  const zoom = { kind: "small grid-zoom", name: "search" };
  return [
    button(query.zoom ? "Whole grid" : "Zoom", () => study.set({ zoom: query.zoom ? null : 1 }), zoom),
    segmented("figures of the grid", study.views, study.view, (view) =>
      study.set({ view: view === "strategy" ? null : view }),
    ),
  ];
}

const placed = (study, seat) =>
  h("div", { class: { "grid-place": true, zoomed: study.query.zoom } }, grid(study, seat));

function grid(study, seat) {
  const { node } = study;
  const isMain = seat === study.seat;
  const view = node.knows(study.view, seat) ? study.view : "strategy";
  return handGrid({
    label: `hands of ${node.seats[seat].name}`,
    cells: cellsOf(node, seat, view, isMain ? study.keeps : null),
    current: study.shown || null,
    pinned: study.pin ? [study.pin] : [],
    line: node.line,
    onpick: (name) => study.pinClass(name, seat),
    onpreview: isMain ? (name) => study.preview(name) : null,
  });
}

function cellsOf(node, seat, view, keeps) {
  const figures = squareFigures(node, seat, keeps);
  return node.once(`cells ${seat} ${view}`, figures, () => {
    const known = figures.map((each) => each[view]).filter((each) => each !== null && each !== undefined);
    const span = view === "ev" ? [Math.min(...known), Math.max(...known)] : [0, view === "regret" ? largest(known) : 1];
    return figures.map((each) => cellOf(node, seat, view, each, span));
  });
}

const largest = (values) => Math.max(...values, 1e-9);

function cellOf(node, seat, view, each, [low, high]) {
  const height = each.combos ? Math.max(each.weight, 0.06) : 0;
  const cell = { name: each.name, isEmpty: !each.combos, height, label: label(node, seat, each) };
  if (!each.combos) return cell;
  if (view === "strategy")
    return { ...cell, fill: seat === node.actor ? stripes(each.mix, node.colours) : "var(--range)" };
  if (view === "weight") return { ...cell, fill: "var(--range)", figure: number(100 * each.weight, 0) };
  const value = each[view];
  if (value === null) return { ...cell, fill: "var(--cell)" };
  const figure = view === "equity" ? number(100 * value, 0) : number(value, digits(high));
  return { ...cell, height: 1, fill: heat((value - low) / (high - low || 1), view), figure };
}

const digits = (most) => (most >= 100 ? 0 : most >= 1 ? 1 : 2);

function heat(share, view) {
  const part = Math.round(100 * Math.min(Math.max(share, 0), 1));
  return view === "regret"
    ? `color-mix(in oklab, var(--raise2) ${part}%, var(--cell))`
    : `color-mix(in oklab, var(--raise0) ${part}%, var(--fold))`;
}

function label(node, seat, each) {
  if (!each.combos) return `${each.name}: not in the range`;
  const mix =
    seat === node.actor
      ? node.choices.map((choice, place) => `${choice.text} ${percent(each.mix[place], 0)}`).join(", ")
      : `${number(each.combos, 1)} combos`;
  const value = each.ev === null ? "" : `, EV ${number(each.ev)} ${node.unit}`;
  const equity = each.equity === null ? "" : `, equity ${percent(each.equity, 0)}`;
  return `${each.name}: ${mix}${value}${equity}`;
}

/** Games without a square: one table for each player where hands are few, else of the chosen player. */
function handTables(study) {
  const { node, seat } = study;
  if (node.isGrouped || node.seats.length !== 2) return handTable(study, seat);
  return [seat, 1 - seat].map((each) =>
    h(
      "div",
      { class: "stack", key: `table ${each}` },
      each === seat ? null : h("h2", null, node.seats[each].name),
      handTable(study, each),
    ),
  );
}

/** All ranges in figures, and the other player's in small; a click shows one in the large square. */
export function otherRanges(study) {
  const { node, seat } = study;
  const show = (each) => study.set({ seat: each === study.turn ? null : each });
  const hasValues = node.seats.some((each) => each.ev !== null);
  const columns = [
    ["range"],
    ["combos", "num"],
    ["equity", "num"],
    ...(hasValues ? [[`EV, ${node.unit}`, "num"]] : []),
  ];
  const rows = node.seats.map((each, place) => ({
    props: { key: place, "aria-selected": String(place === seat), "data-seat": each.name },
    cells: [
      h("button", { class: "link", onclick: () => show(place) }, each.name),
      number(each.combos, 1),
      percent(node.mean(node.equitiesOf(place), place)),
      ...(hasValues ? [number(each.ev)] : []),
    ],
  }));
  return h(
    "section",
    { class: "panel others", "aria-label": "ranges" },
    table("ranges", columns, rows, { class: "ranges" }),
    node.isGrid && node.seats.length === 2 ? smallGrid(study, node, 1 - seat, () => show(1 - seat)) : null,
  );
}

/** A range without names, of this node or of a second solution. */
export function smallGrid(study, node, seat, onclick) {
  const isTurn = seat === node.actor;
  const { name } = node.seats[seat];
  const background = (each) =>
    isTurn
      ? stripes(each.mix, node.colours)
      : `color-mix(in oklab, var(--range) ${Math.round(100 * each.weight)}%, var(--s2))`;
  const text = `${name}, ${isTurn ? "strategy" : "weights"}`;
  const cells = squareFigures(node, seat, null).map((each) =>
    h("span", { key: each.name, style: { background: each.combos ? background(each) : "var(--s2)" } }),
  );
  return h(
    onclick ? "button" : "div",
    { class: "small-grid", "aria-label": onclick ? `show the range of ${name}` : null, onclick },
    h("span", { class: "small-grid-name dim" }, node === study.node ? text : `${node.name}: ${text}`),
    h("span", { class: "small-cells", style: { "--size": node.ranks.length } }, cells),
  );
}
