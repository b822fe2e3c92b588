// SPDX-License-Identifier: MIT
// The middle of the screen: what the player to act does, or the cards that may come; the hands behind it.

import { h } from "../lib/dom.js";
import { isKnown, number, percent } from "../lib/format.js";
import { mixBar } from "../parts/actions.js";
import { graph, handsPanel } from "./hands.js";
import { nextCard } from "./next_card.js";

export function decisionPanel(study) {
  const { node } = study;
  return h(
    "section",
    { class: "panel decision", "aria-label": "decision" },
    node.hasTurn ? actions(study) : node.isChance ? nextCard(study) : over(node),
    node.isReached ? null : h("p", { class: "dim" }, "Nobody arrives here: an earlier action is never chosen."),
    handsPanel(study),
    study.areBoth ? null : graph(study),
  );
}

const over = (node) => [
  h("h2", null, "The hand is over"),
  h("p", { class: "dim" }, `pot ${number(node.pot)} ${node.unit}`),
];

function actions(study) {
  const { node, other, seat } = study;
  const keeps = seat === node.actor ? study.keeps : null;
  const choices = node.choiceFigures(keeps);
  const text = choices.map((each) => `${each.text} ${percent(each.share, 0)}`).join(", ");
  return [
    h(
      "div",
      { class: "panel-head" },
      h("h2", null, `${node.seats[node.actor].name} to act`),
      h("span", { class: "grow" }),
      keeps ? h("span", { class: "badge warn" }, "of the filtered hands") : null,
      other ? h("span", { class: "dim" }, `below: ${other.name}`) : null,
    ),
    mixBar(
      choices.map((each) => each.share),
      node.colours,
      text,
    ),
    h(
      "div",
      { class: { choices: true, many: choices.length > 6 } },
      choices.map((each, place) => choice(study, each, place)),
    ),
  ];
}

function choice(study, each, place) {
  const { node, other } = study;
  const line = node.here.choices[place][2];
  return h(
    "button",
    { class: "choice", key: each.word, "data-word": each.word, "data-line": line, onclick: () => study.go(line) },
    h("span", { class: "choice-colour", style: { background: node.colours[place] } }),
    h("span", { class: "choice-text" }, h("b", null, each.text), place < 9 ? h("kbd", null, place + 1) : null),
    h("span", { class: "choice-share num" }, percent(each.share)),
    isKnown(each.ev) ? h("span", { class: "choice-ev num dim" }, `EV ${number(each.ev)}`) : null,
    other ? h("span", { class: "choice-other num dim" }, otherShare(other, each)) : null,
  );
}

function otherShare(other, { word }) {
  const same = other.choices.find((each) => each.word === word);
  if (!same) return "not offered there";
  return `there ${percent(same.share)}${isKnown(same.ev) ? `, EV ${number(same.ev)}` : ""}`;
}
