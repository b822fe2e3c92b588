// SPDX-License-Identifier: MIT
// All decisions by position, and what the seats win.

import { h } from "../lib/dom.js";
import { number, percent, signed } from "../lib/format.js";
import { mixBar, stripes } from "../parts/actions.js";
import { button, panel, segmented, table } from "../parts/panels.js";
import { coloursOf, titleOf } from "./chart.js";

const MOST_DRAWN = 20; // rows with a small chart
const MOST_TOGETHER = 8; // decisions that are listed without tabs
const RAREST = 1e-4; // of all deals: others are listed when asked for

export function decisionsPanel(charts) {
  const { solution, decision, seats } = charts;
  const all = solution.decisions.map((each, place) => [each, place]);
  const isShort = all.length <= MOST_TOGETHER;
  const own = isShort ? all : all.filter(([each]) => each.seat === decision.seat);
  const often = own.filter(([each]) => each.frequency >= RAREST || each === decision);
  const rows = (charts.showsAll ? own : often).sort((a, b) => (isShort ? 0 : b[0].frequency - a[0].frequency));
  return panel(
    { class: "preflop-decisions", label: "decisions" },
    segmented(
      "position",
      seats.map((each) => [each, each]),
      decision.seat,
      (seat) => charts.chooseSeat(seat),
    ),
    h(
      "div",
      { class: "decision-rows" },
      rows.map(([each, place]) => row(charts, each, place, rows.length <= MOST_DRAWN)),
    ),
    often.length < own.length
      ? button(charts.showsAll ? "Only those met often" : `All ${own.length} decisions`, () => charts.toggleAll(), {
          kind: "small",
        })
      : null,
  );
}

function row(charts, decision, place, isDrawn) {
  const colours = coloursOf(decision);
  const shares = decision.actions.map((each, action) => `${each} ${percent(decision.totals[action])}`).join(", ");
  const often = percent(decision.frequency, decision.frequency < 0.001 ? 3 : 1);
  return h(
    "button",
    {
      class: { "decision-row": true, drawn: isDrawn },
      key: place,
      "aria-pressed": String(decision === charts.decision),
      onclick: () => charts.choose(place),
    },
    isDrawn ? miniature(decision, colours) : null,
    h("span", { class: "decision-text" }, titleOf(decision)),
    h("span", { class: "dim num decision-often" }, `met ${often}`),
    h("span", { class: "dim num decision-shares" }, shares),
    mixBar(decision.totals, colours, shares),
  );
}

/** The chart in small, without names. */
function miniature({ strategy, reaches }, colours) {
  const cell = (reach, place) => {
    const shares = strategy.map((each) => each[place]);
    return h("span", { key: place, style: { background: reach < 1e-6 ? null : stripes(shares, colours) } });
  };
  return h("span", { class: "miniature", "aria-hidden": "true" }, reaches.map(cell));
}

export function playersPanel({ solution }) {
  const { players, unit, exploitability, iterations } = solution;
  const hasGains = "gain" in players[0];
  const hasPrizes = "equity" in players[0];
  const columns = [
    ["seat"],
    ["stack", "num"],
    [`EV, ${unit}`, "num"],
    ...(hasPrizes ? [["prizes before", "num"]] : []),
  ];
  const rows = players.map((each) => [
    each.seat,
    number(each.stack),
    h("span", { class: each.value < 0 ? "bad" : "good" }, signed(each.value, 4)),
    ...(hasPrizes ? [number(each.equity, 3)] : []),
  ]);
  const what = hasGains ? "no player gains more by another strategy" : "exploitability";
  return panel(
    { title: "Players" },
    table("players", columns, rows),
    h(
      "p",
      { class: "dim preflop-note" },
      `${exploitability.toExponential(1)} ${unit}: ${what}. ${number(iterations, 0)} iterations.`,
    ),
  );
}
