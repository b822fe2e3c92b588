// SPDX-License-Identifier: MIT
// The hands behind a decision: combos of a class, made hands, draws, and the equity graph.

import { h } from "../lib/dom.js";
import { isKnown, number, percent } from "../lib/format.js";
import { mixBar, swatch } from "../parts/actions.js";
import { cardText } from "../parts/cards.js";
import { lineChart } from "../parts/chart.js";
import { segmented, table } from "../parts/panels.js";
import { classFigures, equityCurve, handsOf, plain, shortText } from "./model.js";

const MOST_COMBOS = 200;
const MANY = 3; // actions; more are shown in whole percent
const TABS = { combos: "Combos", made: "Made hands", draw: "Draws" };
const SEAT_COLOURS = ["accent", "range", "call", "raise3", "fold", "raise0", "raise4", "raise5", "raise6"];

/** The tab of the address; without one, made hands until a class is pinned or pointed at. */
export function handsPanel(study) {
  const { node, seat, shown } = study;
  if (!node.isGrid && !node.isGrouped) return null;
  const hasClasses = Boolean(node.seats[seat].made);
  const usual = shown || !hasClasses ? "combos" : "made";
  const tab = hasClasses && study.query.tab in TABS ? study.query.tab : usual;
  const choose = (each) => study.set({ tab: each });
  return h(
    "div",
    { class: "hands" },
    h(
      "div",
      { class: "panel-head" },
      h("h2", null, tab === "combos" && shown ? plain(shown) : "Hands"),
      tab === "combos" && shown ? h("span", { class: "dim" }, combosText(study)) : null,
      h("span", { class: "grow" }),
      tab === "combos" && study.pin
        ? h("button", { class: "button small", onclick: () => study.set({ pin: null, hand: null }) }, "Unpin")
        : null,
      hasClasses ? segmented("hands by", Object.entries(TABS), tab, choose) : null,
    ),
    tab === "combos" ? combos(study) : classTable(study, tab),
  );
}

function arriving({ node, seat, shown, keeps }) {
  return handsOf(node, seat, shown, keeps).filter((hand) => node.seats[seat].weights[hand] > 0);
}

function combosText(study) {
  const count = arriving(study).length;
  const text = `${count} combo${count === 1 ? "" : "s"}`;
  return study.pin ? `pinned, ${text}` : text;
}

function combos(study) {
  const { node, seat, shown, query } = study;
  if (!shown) return hint("A click on a hand pins its combos here; the pointer or the arrow keys preview them.");
  const rows = arriving(study).slice(0, MOST_COMBOS);
  if (!rows.length) return hint(`${plain(shown)} does not arrive here.`);
  const { hands } = node.seats[seat];
  const columns = comboColumns(study, rows);
  const pick = (hand) => study.set({ hand: hand === query.hand ? null : hand, pin: shown });
  const cells = (hand) => [
    h(
      "button",
      { class: "link", "aria-pressed": String(hands[hand] === query.hand), onclick: () => pick(hands[hand]) },
      cardText(hands[hand]),
    ),
    ...columns.slice(1).map(([, , cell]) => cell(hand)),
  ];
  const shownRows = rows.map((hand) => ({
    props: { key: hands[hand], "data-hand": hands[hand], "aria-selected": String(hands[hand] === query.hand) },
    cells: cells(hand),
  }));
  return table(`combos of ${shown}`, columns, shownRows, { class: "combos" });
}

const hint = (text) => h("p", { class: "dim hint" }, text);

/** [title, kind, cell of a hand]. */
function comboColumns({ node, seat }, rows) {
  const { weights, values } = node.seats[seat];
  const equities = node.equitiesOf(seat);
  const choices = seat === node.actor ? node.choices : [];
  const digits = choices.length > MANY ? 0 : 1;
  const columns = [["combo", ""]];
  if (rows.some((hand) => weights[hand] < 0.9995))
    columns.push(["weight", "num", (hand) => percent(weights[hand], digits)]);
  choices.forEach((each, place) => {
    const title = h("span", { title: each.text }, swatch(node.colours[place]), " ", shortText(each.text));
    const value = (hand) =>
      isKnown(each.values[hand]) ? h("small", { class: "dim" }, number(each.values[hand])) : null;
    columns.push([title, "num", (hand) => [h("div", null, percent(each.mix[hand], digits)), value(hand)]]);
  });
  if (node.knows("ev", seat)) columns.push(["EV", "num", (hand) => number(values[hand])]);
  if (node.knows("equity", seat)) columns.push(["equity", "num", (hand) => percent(equities[hand], digits)]);
  return columns;
}

/** The range by made hand or by draw; a hand with several draws counts for the first. */
function classTable(study, by) {
  const { node, seat, keeps, query } = study;
  const { made, draws, shares } = node.seats[seat];
  const names = by === "made" ? node.made_names : node.draw_names;
  const places = by === "made" ? made : draws.map((bits) => Math.log2(bits & -bits));
  const classes = places.map((place) => names[place]);
  const found = node.once(`${by} ${seat}`, keeps, () => classFigures(node, seat, keeps, classes, shares));
  const rows = names.map((name) => found.get(name)).filter((each) => each?.combos > 0);
  if (!rows.length) return hint("No hand is left.");
  const isTurn = seat === node.actor && node.hasTurn;
  const columns = [
    [by === "made" ? "made hand" : "draw", ""],
    ["share", "num"],
    ...(isTurn ? [["strategy", "bar-cell"]] : []),
    ...(node.knows("ev", seat) ? [["EV", "num"]] : []),
    ["equity", "num"],
  ];
  const chosen = query[by]?.split(",") ?? [];
  const shown = rows.map((each) => ({
    props: { key: each.name, "data-class": each.name, "aria-selected": String(chosen.includes(each.name)) },
    cells: [
      h("button", { class: "link", onclick: () => study.set(onlyClass(by, each.name, chosen)) }, plain(each.name)),
      percent(each.share),
      ...(isTurn ? [mixBar(each.mix, node.colours, mixLabel(node, each))] : []),
      ...(node.knows("ev", seat) ? [number(each.ev)] : []),
      percent(each.equity),
    ],
  }));
  return table(by === "made" ? "made hands" : "draws", columns, shown, { class: "combos" });
}

const onlyClass = (by, name, chosen) => ({ [by]: chosen.length === 1 && chosen[0] === name ? null : name, filter: by });

const mixLabel = (node, { mix }) =>
  node.choices.map(({ text }, place) => `${text} ${percent(mix[place], 0)}`).join(", ");

export function graph({ node }) {
  const series = node.seats
    .map((each, seat) => ({
      name: `${each.name} ${percent(node.mean(node.equitiesOf(seat), seat))}`,
      colour: `var(--${SEAT_COLOURS[seat]})`,
      points: node.once(`curve ${seat}`, null, () => equityCurve(node, seat)),
      dash: seat ? "6 4" : null,
    }))
    .filter((each) => each.points.length);
  if (!series.length) return null;
  const lines = series.map(({ name, points }) => {
    const [weakest, middle, best] = [0, points.length >> 1, points.length - 1].map((at) => percent(points[at][1], 0));
    return `${name}: weakest ${weakest}, middle ${middle}, best ${best}`;
  });
  return h(
    "div",
    { class: "graph" },
    lineChart({
      label: `Equity graph. ${lines.join("; ")}`,
      series,
      width: 460,
      height: 150,
      min: 0,
      max: 1,
      xLabel: "share of the range",
      yLabel: "equity",
      format: (value) => percent(value, 0),
      formatX: (value) => percent(value, 0),
    }),
  );
}
