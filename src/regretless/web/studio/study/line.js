// SPDX-License-Identifier: MIT
// The line of play as places in a row, each with the choices it had; the state of the hand beside it.

import { h } from "../lib/dom.js";
import { amount, isKnown, number } from "../lib/format.js";
import { cards, cardText } from "../parts/cards.js";

export function lineOfPlay(study) {
  const { node } = study;
  return h(
    "div",
    { class: "study-top" },
    h(
      "nav",
      {
        class: "crumbs",
        "aria-label": "line of play",
        ref: (element) =>
          requestAnimationFrame(() => {
            element.scrollLeft = element.scrollWidth;
          }),
      },
      node.spots.map((spot, place) => crumb(study, spot, place)),
    ),
    state(node),
  );
}

function crumb(study, spot, place) {
  const { node } = study;
  const isHere = place === node.spots.length - 1;
  const head =
    spot.actor >= 0
      ? [
          h("b", null, node.seats[spot.actor]?.name ?? `seat ${spot.actor}`),
          spot.stack ? h("span", { class: "dim num" }, spot.stack) : null,
        ]
      : [h("b", null, spot.street.split(" ")[0] || "end")];
  const body = spot.choices.length
    ? spot.choices.map(([word, text, line]) =>
        h(
          "button",
          { key: word, "aria-pressed": String(word === spot.chosen), "data-line": line, onclick: () => study.go(line) },
          text,
        ),
      )
    : spot.chosen
      ? [
          h(
            "button",
            {
              "aria-label": `another card than ${spot.chosen}`,
              "data-line": spot.line,
              onclick: () => study.go(spot.line),
            },
            cardText(spot.chosen),
          ),
        ]
      : [h("span", { class: "dim" }, spot.cards_due ? "next card" : "over")];
  return h(
    "div",
    { class: { crumb: true, here: isHere }, key: `${place} ${spot.line}`, "aria-current": isHere ? "step" : null },
    h("div", { class: "crumb-head" }, head),
    h("div", { class: "crumb-body" }, body),
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
