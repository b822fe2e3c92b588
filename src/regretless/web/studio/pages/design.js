// SPDX-License-Identifier: MIT
// /design: every component in every state, for people who change the design and for the tests that measure it.

import { buttonPanel, choicePanel, fieldPanel, overlayPanel } from "../design/controls.js";
import { actionPanel, cardPanel, chartPanel, deckPanel, gridPanel, paintPanel, tablePanel } from "../design/figures.js";
import { h } from "../lib/dom.js";
import { RANKS } from "../parts/cards.js";
import { icon, ICONS } from "../parts/icons.js";
import { panel } from "../parts/panels.js";
import { RangeEditor } from "../parts/range_editor.js";

const COLOURS = [
  "page",
  "s1",
  "s2",
  "s3",
  "line",
  "line-strong",
  "ink",
  "dim",
  "accent",
  "good",
  "bad",
  "warn",
  "felt",
];

export function open(page) {
  page.title = "Design";
  const state = {
    tab: "strategy",
    deck: ["Ah"],
    pinned: ["AKs"],
    painted: ["AA", "KK", "AKs"],
    text: "22+,A2s+",
    slider: 40,
    isOn: true,
  };
  const change = (changes) => {
    Object.assign(state, changes);
    page.redraw();
  };
  const editor = new RangeEditor(page, "BTN", () => {});
  page.act(() => editor.set("22+,A2s+,KTs+:0.5,QJs", "nlhe", RANKS));
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
      typePanel(),
      actionPanel(),
      cardPanel(),
      deckPanel(state, change),
      gridPanel(state, change),
      editor.view(),
      buttonPanel(),
      choicePanel(state, change),
      fieldPanel(state, change),
      overlayPanel(page, state, change),
      chartPanel(),
      tablePanel(),
      paintPanel(state, change),
      iconPanel(),
    ),
  ];
}

function surfaces() {
  const block = (name) => h("span", { class: "block", style: { background: `var(--${name})` } });
  return panel(
    { title: "Surfaces and inks" },
    h(
      "div",
      { class: "swatches" },
      COLOURS.map((name) => h("div", { class: "token" }, block(name), h("code", null, name))),
    ),
  );
}

function typePanel() {
  return panel(
    { title: "Type" },
    h(
      "p",
      null,
      "Text ",
      h("span", { class: "dim" }, "dim text "),
      h("a", { href: "/design" }, "a link "),
      "on a panel",
    ),
    h(
      "p",
      { class: "num" },
      h("b", { class: "good" }, "+12.4 "),
      h("b", { class: "bad" }, "−3.1 "),
      h("b", { class: "warn" }, "careful "),
      h("code", null, "x b75% c"),
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
