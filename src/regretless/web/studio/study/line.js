// SPDX-License-Identifier: MIT
// The top of the screen: what is studied, the line of play as places in a row, and the state of the hand.

import { h } from "../lib/dom.js";
import { amount, isKnown, number } from "../lib/format.js";
import { cards, cardText } from "../parts/cards.js";

const STREETS = { flop: "Flop", turn: "Turn", river: "River" }; // that a card opens

export function lineOfPlay(study) {
  const { node } = study;
  return h(
    "div",
    { class: "study-top" },
    h(
      "div",
      { class: "study-name" },
      h("h1", null, node.name),
      h("span", { class: "dim num" }, `${node.game}, ${study.strength.split(";")[0]}`),
    ),
    h(
      "nav",
      { class: "crumbs", "aria-label": "line of play", tabindex: 0, ref: showLast, "data-line": node.line },
      node.spots.map((spot, place) => crumb(study, spot, place)),
    ),
    state(node),
  );
}

/** Keeps the current place in sight whenever the line changes. */
function showLast(element) {
  const scroll = () => {
    const here = element.lastElementChild;
    if (here) element.scrollLeft = here.offsetLeft + here.offsetWidth - element.clientWidth - element.offsetLeft + 8;
  };
  new MutationObserver(scroll).observe(element, { attributes: true, attributeFilter: ["data-line"] });
  requestAnimationFrame(scroll);
}

function crumb(study, spot, place) {
  const { node } = study;
  const isHere = place === node.spots.length - 1;
  return h(
    "div",
    { class: { crumb: true, here: isHere }, key: `${place} ${spot.line}`, "aria-current": isHere ? "step" : null },
    h("div", { class: "crumb-head" }, crumbHead(node, spot)),
    h("div", { class: "crumb-body" }, spot.choices.length ? choices(study, spot) : cardPlace(study, spot)),
  );
}

function crumbHead(node, spot) {
  if (spot.actor >= 0)
    return [
      h("b", null, node.seats[spot.actor]?.name ?? `seat ${spot.actor}`),
      spot.stack ? h("span", { class: "dim num" }, spot.stack) : null,
    ];
  return h("b", null, spot.cards_due ? (STREETS[spot.street.split(" ")[0]] ?? "Card") : "End");
}

const choices = (study, spot) =>
  spot.choices.map(([word, text, line]) =>
    h(
      "button",
      { key: word, "aria-pressed": String(word === spot.chosen), "data-line": line, onclick: () => study.go(line) },
      text,
    ),
  );

function cardPlace(study, spot) {
  if (!spot.chosen) return h("span", { class: "dim" }, spot.cards_due ? "next card" : "over");
  const label = `choose another card than ${spot.chosen}`;
  return h(
    "button",
    { "aria-label": label, title: label, "data-line": spot.line, onclick: () => study.go(spot.line) },
    cardText(spot.chosen),
  );
}

function state(node) {
  const behind = node.behind.filter((each) => each > 0);
  const least = behind.length > 1 ? Math.min(...behind) : null;
  const figures = [
    node.pot ? ["pot", amount(node.pot, node.unit)] : null,
    node.to_call ? ["to call", amount(node.to_call, node.unit)] : null,
    isKnown(least) ? ["behind", amount(least, node.unit)] : null,
    isKnown(least) && node.pot ? ["SPR", number(least / node.pot, 1)] : null,
  ].filter(Boolean);
  if (!figures.length && !node.board) return null;
  return h(
    "div",
    { class: "study-state" },
    node.board ? cards(node.board, "medium") : null,
    figures.map(([name, value]) =>
      h(
        "span",
        { class: "state-figure", key: name },
        h("span", { class: "dim" }, name),
        h("b", { class: "num" }, value),
      ),
    ),
  );
}
