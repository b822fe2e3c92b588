// SPDX-License-Identifier: MIT
// One decision as a chart of hands, with what the actor does and what each action is worth.

import { h } from "../lib/dom.js";
import { isKnown, number, percent, signed } from "../lib/format.js";
import { actionColours, mixBar, stripes, swatch } from "../parts/actions.js";
import { handGrid } from "../parts/grid.js";
import { button, panel, segmented } from "../parts/panels.js";

const WORDS = { fold: "f", call: "c", limp: "c", check: "x" };
const VIEWS = [
  ["strategy", "Strategy"],
  ["ev", "EV"],
];
const NEVER = 1e-6;

export const coloursOf = ({ actions }) => actionColours(actions.map((each) => ({ word: WORDS[each] ?? each })));

const MOST_FOLDS = 2; // seats before the actor whose folds are shown, too

/** `BB after SB all-in`: who decides, after what. */
export function titleOf({ seat, text, line }) {
  const parts = text ? text.split(", ") : [];
  const shown = line.length > MOST_FOLDS ? parts.filter((each) => !each.endsWith(" fold")) : parts;
  return shown.length ? `${seat} after ${shown.join(", ")}` : `${seat} first in`;
}

/** The EV of a class at a decision: its shares times their values. */
function evOf({ strategy, evs }, place) {
  const parts = strategy.map((row, action) => (row[place] ? row[place] * evs[action][place] : 0));
  return evs.every((row) => isKnown(row[place])) ? parts.reduce((sum, each) => sum + each, 0) : null;
}

export function chartPanel(charts) {
  const { decision, solution, view, query } = charts;
  const colours = coloursOf(decision);
  const zoom = { kind: "small grid-zoom", name: "search" };
  return panel(
    {
      class: "preflop-chart",
      label: titleOf(decision),
      title: titleOf(decision),
      aside: [
        button(query.zoom ? "Whole chart" : "Zoom", () => charts.set({ zoom: query.zoom ? null : 1 }), zoom),
        segmented("figures", VIEWS, view, (each) => charts.set({ view: each === "ev" ? each : null })),
      ],
    },
    h(
      "div",
      { class: "preflop-actions" },
      decision.actions.map((action, place) => actionRow(charts, action, place, colours)),
    ),
    gridPlace(charts, colours),
    h("p", { class: "dim preflop-note" }, solution.note, "."),
  );
}

function gridPlace(charts, colours) {
  const { decision, solution, view, query } = charts;
  return h(
    "div",
    { class: { "grid-place": true, zoomed: query.zoom } },
    handGrid({
      label: titleOf(decision),
      cells: cells(decision, solution, view, colours),
      current: charts.shown,
      pinned: query.pin ? [query.pin] : [],
      onpick: (name) => charts.set({ pin: name === query.pin ? null : name }),
      onpreview: (name) => charts.preview(name),
    }),
  );
}

function actionRow(charts, action, place, colours) {
  const { decision } = charts;
  return h(
    "div",
    { class: "preflop-action", key: action },
    swatch(colours[place]),
    h("b", null, action),
    h("span", { class: "num" }, percent(decision.totals[place])),
    action === "fold"
      ? null
      : button("", () => charts.copy(place), {
          kind: "small",
          name: "copy",
          label: `copy the range that plays ${action}`,
          title: "Copy this range",
        }),
    charts.flopAfter(place)
      ? button("Solve a flop", () => charts.solveFlop(place), {
          kind: "small",
          title: "Opens the solve form with both ranges",
        })
      : null,
  );
}

function cells(decision, { classes, unit }, view, colours) {
  const evs = classes.map((_, place) => evOf(decision, place));
  const most = Math.max(...evs.map((each) => Math.abs(each ?? 0)), 1e-9);
  return classes.map((name, place) => {
    const reach = decision.reaches[place];
    if (reach < NEVER) return { name, isEmpty: true, height: 0, label: `${name}: does not arrive` };
    const shares = decision.strategy.map((row) => row[place]);
    const named = decision.actions.map((action, each) => `${action} ${percent(shares[each], 0)}`).join(", ");
    const label = `${name}: ${named}, EV ${signed(evs[place])} ${unit}`;
    if (view !== "ev") return { name, height: reach, fill: stripes(shares, colours), label };
    const colour = evs[place] > 0 ? "var(--call)" : "var(--raise1)";
    return {
      name,
      height: Math.max(Math.abs(evs[place] ?? 0) / most, 0.02),
      fill: colour,
      figure: isKnown(evs[place]) ? signed(evs[place], 2) : "",
      label,
    };
  });
}

/** The class under the pointer, or the pinned one. */
export function handPanel(charts) {
  const { decision, solution, shown } = charts;
  const place = solution.classes.indexOf(shown);
  const colours = coloursOf(decision);
  if (place < 0)
    return panel(
      { title: "Hand", class: "preflop-hand" },
      h("p", { class: "dim" }, "Point at a hand, or click it to keep it here."),
    );
  const shares = decision.strategy.map((row) => row[place]);
  return panel(
    {
      title: shown,
      class: "preflop-hand",
      aside: h("span", { class: "dim num" }, `EV ${signed(evOf(decision, place), 3)} ${solution.unit}`),
    },
    mixBar(shares, colours, decision.actions.map((each, row) => `${each} ${percent(shares[row], 0)}`).join(", ")),
    decision.actions.map((action, row) =>
      h(
        "div",
        { class: "preflop-hand-row", key: action },
        swatch(colours[row]),
        h("span", null, action),
        h("span", { class: "grow" }),
        h("b", { class: "num" }, percent(shares[row], 0)),
        h(
          "span",
          { class: "num preflop-hand-ev" },
          isKnown(decision.evs[row][place]) ? signed(decision.evs[row][place], 3) : number(null),
        ),
      ),
    ),
  );
}
