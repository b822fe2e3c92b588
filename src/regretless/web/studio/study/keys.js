// SPDX-License-Identifier: MIT
// The keys of the study page: everything that a pointer does.

import { sideTabs } from "./side.js";

const HELP = [
  ["1 … 9", "choose an action"],
  ["Backspace", "one step back"],
  ["Home", "the start"],
  ["g", "go to the hands"],
  ["arrows", "move in the grid; Enter pins"],
  ["Esc", "let go of what is pinned"],
  ["v", "next view of the grid"],
  ["s", "the other player's range"],
  ["b", "both ranges"],
  ["/", "filters"],
  ["f", "remove all filters"],
  ["l", "lock"],
  ["[ and ]", "previous and next tool"],
  ["K h", "at a card: its rank, then its suit"],
];

export function addKeys(study) {
  study.page.keys({ ...cardKeys(study), ...actionKeys(study), ...viewKeys(study) }, HELP);
}

function actionKeys(study) {
  const handlers = {};
  const choose = (place) => {
    const choice = study.node.here.choices[place - 1];
    return choice ? study.go(choice[2]) : undefined;
  };
  for (let place = 1; place <= 9; place++)
    handlers[place] = () => (study.node.hasTurn ? choose(place) : typeCard(study, String(place)));
  handlers.Backspace = () => {
    const { spots } = study.node;
    return spots.length > 1 ? study.go(spots[spots.length - 2].line) : undefined;
  };
  handlers.Home = () => study.go("");
  return handlers;
}

function viewKeys(study) {
  const step = (names, name, by) => names[(names.indexOf(name) + by + names.length) % names.length];
  const tool = (by) => {
    const names = sideTabs(study).map(([name]) => name);
    study.set({ side: step(names, names.includes(study.query.side) ? study.query.side : names[0], by) });
  };
  return {
    g: () => focusOn(".hand-grid [tabindex='0'], .group-table .link"),
    v: () => study.set({ view: step(study.views.map(([name]) => name), study.view, 1) }), // prettier-ignore
    s: () => (study.rank ? typeCard(study, "s") : study.set({ seat: (study.seat + 1) % study.node.seats.length })),
    b: () => study.set({ ranges: study.query.ranges ? null : "both" }),
    l: () => study.node.is_spot && study.set({ side: "lock" }),
    f: () => study.set({ made: null, draw: null, suits: null, action: null }),
    "/": () => focusOn(".filter-chips button"),
    "[": () => tool(-1),
    "]": () => tool(1),
    Escape: () => study.set({ pin: null, hand: null }),
  };
}

function cardKeys(study) {
  const handlers = {};
  for (const each of "AKQJT") handlers[each] = handlers[each.toLowerCase()] = () => typeCard(study, each);
  for (const each of "hdc") handlers[each] = () => typeCard(study, each);
  return handlers;
}

const focusOn = (selector) => document.querySelector(selector)?.focus();

/** A card by its rank, then its suit. */
function typeCard(study, sign) {
  if (!study.node.isChance) return undefined;
  if (!"shdc".includes(sign)) {
    study.rank = sign;
    return undefined;
  }
  const card = study.rank + sign;
  study.rank = "";
  return study.node.cards.some(([each]) => each === card) ? study.pick(card) : undefined;
}
