// SPDX-License-Identifier: MIT
// /design: every component in every state, for people who change the design and for the tests that measure it.

import { h } from "../lib/dom.js";
import { actionColours, mixBar, stripes, swatch } from "../parts/actions.js";
import { card, cards, cardText, deckPicker } from "../parts/cards.js";
import { lineChart } from "../parts/chart.js";
import { areaField, checkField, selectField, sliderField, textField } from "../parts/fields.js";
import { classNames, handGrid } from "../parts/grid.js";
import { icon, ICONS } from "../parts/icons.js";
import { button, chip, figure, panel, progressBar, segmented, table } from "../parts/panels.js";

const COLOURS = ["page", "s1", "s2", "s3", "line", "line-strong", "ink", "dim", "accent", "good", "bad", "warn"];
const CHOICES = [
  ["f", "Fold"],
  ["c", "Call"],
  ["b33", "Bet 33 %"],
  ["b75", "Bet 75 %"],
  ["b150", "Bet 150 %"],
  ["a", "All-in"],
].map(([word, text]) => ({ word, text }));
const SHARES = [0.2, 0.3, 0.2, 0.15, 0.1, 0.05];

export function open(page) {
  page.title = "Design";
  const state = { tab: "strategy", deck: ["Ah"], pinned: ["AKs"], text: "22+,A2s+", slider: 40, isOn: true };
  const change = (changes) => {
    Object.assign(state, changes);
    page.redraw();
  };
  return () => [
    h(
      "div",
      { class: "page-head" },
      h("h1", null, "Design"),
      h("span", { class: "dim" }, "tokens and components of all pages"),
    ),
    h(
      "div",
      { class: "design" },
      surfaces(),
      actions(),
      cardPanel(state, change),
      controls(state, change),
      grid(state, change),
      data(),
      iconPanel(),
    ),
  ];
}

function surfaces() {
  return panel(
    { title: "Surfaces and inks" },
    h(
      "div",
      { class: "swatches" },
      COLOURS.map((name) =>
        h(
          "div",
          { class: "token" },
          h("span", { class: "block", style: { background: `var(--${name})` } }),
          h("code", null, name),
        ),
      ),
    ),
    h(
      "p",
      null,
      "Text ",
      h("span", { class: "dim" }, "dim text "),
      h("a", { href: "/design" }, "a link "),
      h("b", { class: "good" }, "+12.4 "),
      h("b", { class: "bad" }, "−3.1 "),
      h("b", { class: "warn" }, "careful"),
    ),
  );
}

function actions() {
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

function cardPanel(state, change) {
  return panel(
    { title: "Cards" },
    h(
      "div",
      { class: "row" },
      ["small", "medium", "large", "huge"].map((size) => card("Ts", size)),
      card("Qd", "large"),
      card("7c", "large"),
      card(null, "large"),
      cards("AhKd"),
    ),
    h("p", null, "In a text: ", cardText("AsKhQdJc")),
    deckPicker({ label: "deck", chosen: state.deck, taken: ["2c", "2d"], onpick: (each) => change({ deck: [each] }) }),
  );
}

function controls(state, change) {
  return panel(
    { title: "Controls" },
    h(
      "div",
      { class: "row" },
      button("Solve", () => {}, { kind: "primary", name: "play" }),
      button("Save", () => {}, { name: "save" }),
      button("Small", () => {}, { kind: "small" }),
      button("Stop", () => {}, { kind: "danger" }),
      button("Disabled", () => {}, { disabled: true }),
    ),
    segmented(
      "view",
      [
        ["strategy", "Strategy"],
        ["ev", "EV"],
        ["equity", "Equity"],
      ],
      state.tab,
      (tab) => change({ tab }),
    ),
    h(
      "div",
      { class: "row" },
      chip("flush draw", state.isOn, () => change({ isOn: !state.isOn })),
      chip("gutshot", !state.isOn, () => change({ isOn: !state.isOn })),
      h("span", { class: "badge" }, "shipped"),
      h("span", { class: "badge good" }, "strong"),
    ),
    h(
      "div",
      { class: "form-row" },
      textField({ label: "Range", value: state.text, oninput: (text) => change({ text }) }),
      textField({ label: "Board", value: "AhZZ", error: "unknown card 'ZZ'" }),
      selectField({ label: "Game", value: "nlhe", options: ["kuhn", "leduc", "nlhe"], onchange: () => {} }),
    ),
    areaField({ label: "Locks", value: "x b50 = f 1", hint: "one line each" }),
    checkField({ label: "Deal the next hand", value: state.isOn, onchange: (isOn) => change({ isOn }) }),
    sliderField({
      label: "Bet",
      value: state.slider,
      min: 0,
      max: 100,
      oninput: (slider) => change({ slider }),
      text: `${state.slider} bb`,
    }),
    progressBar(0.4, "progress"),
  );
}

function grid(state, change) {
  const colours = actionColours(CHOICES);
  const cells = classNames().map((name, place) => {
    const weight = place % 7 === 6 ? 0 : 1 - (place % 5) / 8;
    const a = (place % 11) / 11;
    return {
      name,
      isEmpty: !weight,
      height: weight,
      fill: weight ? stripes([0, a, (1 - a) / 2, (1 - a) / 2, 0, 0], colours) : null,
      label: name,
    };
  });
  return panel(
    { title: "Hand grid" },
    handGrid({ label: "hands", cells, pinned: state.pinned, onpick: (name) => change({ pinned: [name] }) }),
  );
}

function data() {
  const points = [...Array(30).keys()].map((x) => [x * 100, 2 / (1 + x), 1.6 / (1 + x), 2.6 / (1 + x)]);
  return panel(
    { title: "Data" },
    h(
      "div",
      { class: "figures" },
      figure("exploitability", "0.31 %", "of the pot"),
      figure("won", "+33 ± 61", "bb/100"),
    ),
    lineChart({
      label: "a curve",
      series: [
        { name: "seed 1", colour: "var(--accent)", points },
        { name: "seed 2", colour: "var(--raise2)", points: points.map(([x, y]) => [x, 1.3 * y]) },
      ],
      isLog: true,
      yLabel: "exploitability",
      xLabel: "seconds",
    }),
    table(
      "hands",
      [["combo"], ["check", "num"], ["EV", "num"]],
      [
        [cardText("AsJs"), "62.1 %", "5.82"],
        [cardText("AhJh"), "18.0 %", "6.45"],
      ],
    ),
  );
}

function iconPanel() {
  return panel(
    { title: "Icons" },
    h(
      "div",
      { class: "swatches" },
      ICONS.map((name) => h("div", { class: "token" }, icon(name, 22), h("code", null, name))),
    ),
  );
}
