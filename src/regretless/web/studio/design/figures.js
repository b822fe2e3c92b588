// SPDX-License-Identifier: MIT
// Cards, grids, charts and tables on the design page, each in every state.

import { h } from "../lib/dom.js";
import { actionColours, mixBar, stripes, swatch } from "../parts/actions.js";
import { card, cards, cardText, deckPicker, withSuits } from "../parts/cards.js";
import { lineChart } from "../parts/chart.js";
import { classNames, handGrid } from "../parts/grid.js";
import { figure, panel, table } from "../parts/panels.js";

const CHOICES = [
  ["f", "Fold"],
  ["c", "Call"],
  ["b33", "Bet 33 %"],
  ["b75", "Bet 75 %"],
  ["b150", "Bet 150 %"],
  ["a", "All-in"],
].map(([word, text]) => ({ word, text }));
const SHARES = [0.2, 0.3, 0.2, 0.15, 0.1, 0.05];

export function actionPanel() {
  const colours = actionColours(CHOICES);
  return panel(
    { title: "Actions" },
    mixBar(SHARES, colours),
    h(
      "div",
      { class: "row" },
      CHOICES.map((each, place) => h("span", { class: "row" }, swatch(colours[place]), each.text)),
    ),
  );
}

export function cardPanel() {
  return panel(
    { title: "Cards" },
    h(
      "div",
      { class: "row" },
      ["small", "medium", "large", "huge"].map((size) => card("Ts", size)),
      [..."hdc"].map((suit, place) => card("AQ7"[place] + suit, "large")),
      card(null, "large"),
    ),
    h("div", { class: "row" }, cards("AhKd"), cards("QsJh2h8d3c", "small"), cards("KQ of Leduc")),
    h("p", null, "In a text: ", cardText("AsKhQdJc"), ". In a line: ", withSuits("x b75% c | turn 7h | x"), "."),
  );
}

export function deckPanel(state, change) {
  const tint = (name) => (name[1] === "c" ? `var(--raise${"AKQJT98".indexOf(name[0]) % 7})` : null);
  return panel(
    { title: "Deck" },
    deckPicker({
      label: "deck",
      chosen: state.deck,
      taken: ["2c", "2d"],
      tint: (name) => ("AKQJT98".includes(name[0]) ? tint(name) : null),
      onpick: (each) => change({ deck: [each] }),
    }),
  );
}

/** Cells that arrive in full, in part and not at all; with figures; and a grid to paint on. */
export function gridPanel(state, change) {
  const colours = actionColours(CHOICES);
  const cells = classNames().map((name, place) => {
    const weight = place % 7 === 6 ? 0 : 1 - (place % 5) / 8;
    const first = (place % 11) / 11;
    const shares = [0, first, (1 - first) / 2, (1 - first) / 2, 0, 0];
    return {
      name,
      isEmpty: !weight,
      height: weight,
      fill: weight ? stripes(shares, colours) : null,
      figure: state.tab === "strategy" || !weight ? null : (10 * first).toFixed(1),
      label: name,
    };
  });
  return panel(
    { title: "Hand grid" },
    handGrid({ label: "hands", cells, pinned: state.pinned, onpick: (name) => change({ pinned: [name] }) }),
  );
}

export function paintPanel(state, change) {
  const cells = classNames("AKQJT").map((name) => {
    const isIn = state.painted.includes(name);
    return { name, isEmpty: !isIn, fill: isIn ? "var(--range)" : null, label: `${name}, ${isIn ? "in" : "out"}` };
  });
  const paint = (names) => {
    const isIn = state.painted.includes(names[0]);
    const others = state.painted.filter((each) => !names.includes(each));
    change({ painted: isIn ? others : [...others, ...names] });
  };
  return panel(
    { title: "A range to paint" },
    h("div", { class: "design-paint" }, handGrid({ label: "range", cells, onpaint: paint })),
  );
}

export function chartPanel() {
  const points = [...Array(30).keys()].map((x) => [x * 100, 2 / (1 + x), 1.6 / (1 + x), 2.6 / (1 + x)]);
  const series = [
    { name: "seed 1", colour: "var(--accent)", points },
    { name: "seed 2", colour: "var(--raise2)", dash: "5 4", points: points.map(([x, y]) => [x, 1.3 * y]) },
  ];
  const labels = { yLabel: "exploitability", xLabel: "seconds" };
  return panel(
    { title: "Charts" },
    lineChart({ label: "two curves", series, isLog: true, ...labels }),
    lineChart({ label: "nothing yet", series: [] }),
  );
}

export function tablePanel() {
  const columns = [["combo"], ["check", "num"], ["EV", "num"]];
  return panel(
    { title: "Figures and tables", aside: h("span", { class: "dim" }, "an aside") },
    h(
      "div",
      { class: "figures" },
      figure("exploitability", "0.31 %", "of the pot"),
      figure("won", "+33 ± 61", "bb/100"),
    ),
    table("hands", columns, [
      [cardText("AsJs"), "62.1 %", "5.82"],
      { cells: [cardText("AhJh"), "18.0 %", "6.45"], props: { "aria-selected": "true" } },
    ]),
  );
}
