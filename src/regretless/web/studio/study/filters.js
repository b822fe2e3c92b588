// SPDX-License-Identifier: MIT
// Filters of a range by made hand, draw, suits and action; the address has them, names between commas.

import { h } from "../lib/dom.js";
import { number, percent } from "../lib/format.js";
import { SUITS } from "../parts/cards.js";
import { icon } from "../parts/icons.js";
import { chip, segmented } from "../parts/panels.js";
import { plain } from "./model.js";

const NAMES = ["made", "draw", "suits", "action"];
const SHAPES = ["suited", "offsuit", "pair"];
const KINDS = [...SHAPES, ..."shdc", "ss", "hh", "dd", "cc"];
const LEAST_SHARE = 0.01; // of an action that a hand chooses at all

const wanted = (query, name) => (query[name] ? query[name].split(",") : []);

/** Whether each hand of a seat meets all filters of the address; null without a filter. */
export function keepsOf(node, seat, query) {
  const tests = testsOf(node, seat)
    .map(([name, test]) => [wanted(query, name), test])
    .filter(([values]) => values.length);
  if (!tests.length) return null;
  const keeps = (hand) => tests.every(([values, test]) => values.some((value) => test(hand, value)));
  return node.seats[seat].hands.map((_, hand) => keeps(hand));
}

/** The filters that a seat has here: [name, test of a hand and a value]. */
function testsOf(node, seat) {
  const { made, draws, hands } = node.seats[seat];
  const tests = [];
  if (made) tests.push(["made", (hand, value) => node.made_names[made[hand]] === value]);
  if (draws) tests.push(["draw", (hand, value) => ((draws[hand] >> node.draw_names.indexOf(value)) & 1) === 1]);
  if (node.isGrid) tests.push(["suits", (hand, value) => hasSuits(hands[hand], value)]);
  if (seat === node.actor && node.hasTurn) {
    const mixes = new Map(node.choices.map((each) => [each.word, each.mix]));
    tests.push(["action", (hand, value) => (mixes.get(value)?.[hand] ?? 0) >= LEAST_SHARE]);
  }
  return tests;
}

function hasSuits(hand, value) {
  if (SHAPES.includes(value))
    return (hand[0] === hand[2] ? "pair" : hand[1] === hand[3] ? "suited" : "offsuit") === value;
  return value.length === 1 ? hand[1] === value || hand[3] === value : hand[1] + hand[3] === value;
}

const LABELS = { made: "Made hand", draw: "Draw", suits: "Suits", action: "Action" };

/** Groups of chips: [name, label, [[value, text, share of the range]]]. */
function groupsOf(node, seat) {
  const { shares } = node.seats[seat];
  const total = shares.reduce((sum, each) => sum + each, 0) || 1;
  const options = {
    made: node.made_names.map((each) => [each, plain(each)]),
    draw: node.draw_names.map((each) => [each, plain(each)]),
    suits: KINDS.map((each) => [each, SHAPES.includes(each) ? each : [...each].map((suit) => SUITS[suit]).join("")]),
    action: node.choices.map((each) => [each.word, each.text]),
  };
  return testsOf(node, seat).map(([name, test]) => {
    const share = (value) => shares.reduce((sum, each, hand) => sum + (test(hand, value) ? each : 0), 0) / total;
    const rows = options[name].map(([value, text]) => [value, text, share(value)]);
    return [name, LABELS[name], rows.filter(([, , part]) => part > 0)];
  });
}

export function filters(study) {
  const { node, seat, query } = study;
  const groups = node.once(`filters ${seat}`, null, () => groupsOf(node, seat));
  if (!groups.length) return null;
  const isAny = groups.some(([name]) => query[name]);
  const open = groups.find(([name]) => name === query.filter) ?? groups[0];
  const [name, label, rows] = open;
  const chosen = wanted(query, name);
  const toggle = (value) => {
    const next = chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value];
    study.set({ [name]: next.join(",") });
  };
  const tabs = groups.map(([each, text]) => [each, query[each] ? `${text} •` : text]);
  const all = { made: null, draw: null, suits: null, action: null };
  return h(
    "div",
    { class: "filters" },
    h(
      "div",
      { class: "row" },
      segmented("filter by", tabs, name, (each) => study.set({ filter: each === groups[0][0] ? null : each })),
      h("span", { class: "dim num" }, `${number(node.combos(seat, study.keeps), 1)} combos`),
      isAny && h("button", { class: "button small", onclick: () => study.set(all) }, icon("close", 14), "All hands"),
    ),
    h(
      "div",
      { class: "filter-chips", role: "group", "aria-label": label },
      rows.map(([value, text, share]) => {
        const shown = [text, h("span", { class: "dim num" }, ` ${percent(share, 0)}`)];
        const props = { key: value, "data-filter": `${name}:${value}` };
        return chip(shown, chosen.includes(value), () => toggle(value), props);
      }),
    ),
  );
}

/** The filters of the address, for a request; the server reads the same names. */
export const chosenFilters = (query) =>
  Object.fromEntries(NAMES.filter((name) => query[name]).map((name) => [name, query[name]]));
