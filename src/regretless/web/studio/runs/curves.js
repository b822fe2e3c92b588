// SPDX-License-Identifier: MIT
// Curves of the runs that are drawn: one chart for each measure, with the newest value of each curve beside its name.

import { h } from "../lib/dom.js";
import { duration, number } from "../lib/format.js";
import { lineChart } from "../parts/chart.js";
import { swatch } from "../parts/actions.js";
import { selectField } from "../parts/fields.js";
import { button, emptyState, segmented } from "../parts/panels.js";
import { AXES } from "./model.js";

const DIGITS = 4;
const SHAPE = [350, 180]; // width and height of a chart
const BESIDE = 720; // width of the columns beside a chart that is alone
const TIMES = [
  ["hours", 3600, 7200],
  ["minutes", 60, 300],
  ["seconds", 1, 0],
]; // name, seconds, and the most seconds of an axis from which on it is used
const WIDE = 100; // from the first to the last place, beyond which the axis is logarithmic

/** A figure with four digits that count: `0.07631`, `711`, `12,340`. */
export function figureText(value) {
  const size = Math.abs(value);
  if (!size) return "0";
  if (size < 1e-4) return value.toExponential(DIGITS - 1);
  return number(value, Math.max(0, DIGITS - 1 - Math.floor(Math.log10(size))));
}

/** Seconds with the digits that count in short times. */
export const secondsText = (value) => (value < 10 ? `${number(value, value < 1 ? 3 : 1)} s` : duration(value));

/** The name of an axis and its points: seconds, minutes or hours by how long the curves are. */
export function placed(axis, curves) {
  if (axis !== "seconds") return { name: AXES[axis], points: curves };
  const most = Math.max(...curves.flat().map(([where]) => where), 0);
  const [name, seconds] = TIMES.find(([, , least]) => most >= least);
  return { name, points: curves.map((each) => each.map(([where, ...rest]) => [where / seconds, ...rest])) };
}

export function curvesPanel(runs) {
  const { drawn, shownCharts } = runs;
  return h(
    "section",
    { class: "run-curves", "aria-label": "curves" },
    toolbar(runs),
    !drawn.length
      ? emptyState("Mark a run in the list to draw its curves.")
      : shownCharts.length
        ? [legend(runs), charts(runs)]
        : emptyState(runs.isLoading ? "Reading…" : "Nothing is logged yet."),
  );
}

function toolbar(runs) {
  const { groups, query } = runs;
  const title = (text) => text[0].toUpperCase() + text.slice(1);
  const tabs = [["overview", "Overview"], ...groups.map((each) => [each, title(each)])];
  return h(
    "div",
    { class: "curves-bar" },
    segmented("measures", tabs, query.measure ? "" : runs.show, (show) =>
      runs.set({ show: show === "overview" ? null : show, measure: null }),
    ),
    h("span", { class: "grow" }),
    selectField({
      label: "Against",
      class: "beside",
      value: runs.axis,
      options: Object.keys(AXES).map((each) => [each, each === "seconds" ? "time" : AXES[each]]),
      onchange: (x) => runs.set({ x: x === "seconds" ? null : x }),
    }),
  );
}

/** All curves by name, once for all charts, and how seeds are drawn. */
function legend(runs) {
  const names = new Map();
  for (const { curves } of runs.shownCharts)
    for (const each of curves) if (!names.has(each.runs[0])) names.set(each.runs[0], each.name);
  return h(
    "div",
    { class: "curves-bar" },
    h(
      "ul",
      { class: "curves-legend", "aria-label": "curves by colour" },
      [...names].map(([id, name]) => h("li", { key: id }, swatch(runs.colourOf(id)), name)),
    ),
    h("span", { class: "grow" }),
    runs.drawn.length > 1 ? seeds(runs) : null,
  );
}

function seeds(runs) {
  const { query } = runs;
  const isApart = query.seeds === "apart";
  const shown = isApart ? "apart" : query.band === "95" ? "95" : "range";
  const options = [
    ["range", "Mean, range"],
    ["95", "Mean, 95 %"],
    ["apart", "Apart"],
  ];
  return selectField({
    label: "Seeds",
    class: "beside",
    value: shown,
    options,
    onchange: (how) => runs.set({ seeds: how === "apart" ? how : null, band: how === "95" ? how : null }),
  });
}

function charts(runs) {
  const isLarge = Boolean(runs.query.measure);
  return h(
    "div",
    { class: { "chart-grid": true, large: isLarge || runs.shownCharts.length === 1 } },
    runs.shownCharts.map((each) => chartBox(runs, each, isLarge || runs.shownCharts.length === 1)),
  );
}

function chartBox(runs, { measure, curves, is_log: isLog }, isLarge) {
  const { name, title, unit } = measure;
  const [width, height] = isLarge ? [Math.max(640, innerWidth - BESIDE), 430] : SHAPE;
  const axis = placed(
    runs.axis,
    curves.map((each) => each.points),
  );
  const last = curves.map((each) => each.points[each.points.length - 1]);
  const newest = curves.map((each, place) => `${each.name} ${figureText(last[place][1])}`).join(", ");
  const series = curves.map((each, place) => ({
    name: each.name,
    colour: runs.colourOf(each.runs[0]),
    points: axis.points[place],
  }));
  return h(
    "section",
    { class: "panel chart-box", key: name, "data-measure": name, "aria-label": title },
    h(
      "div",
      { class: "chart-title" },
      h("h2", null, title),
      unit ? h("span", { class: "dim" }, unit) : null,
      h("span", { class: "grow" }),
      button("", () => runs.set({ measure: runs.query.measure ? null : name }), {
        kind: "small plain",
        name: runs.query.measure ? "close" : "search",
        label: runs.query.measure ? `show ${title} among the others` : `show ${title} alone`,
      }),
    ),
    h(
      "div",
      { class: "chart-last num" },
      curves.map((each, place) =>
        h(
          "span",
          { key: each.runs[0], class: "chart-value", title: each.name, "data-curve": each.name },
          swatch(runs.colourOf(each.runs[0])),
          h("b", null, figureText(last[place][1])),
          last[place].length > 2 && last[place][2] !== last[place][3]
            ? h("span", { class: "dim" }, `${figureText(last[place][2])} to ${figureText(last[place][3])}`)
            : null,
        ),
      ),
    ),
    lineChart({
      label: `${title}${unit ? `, ${unit}` : ""}, against ${axis.name}. Newest: ${newest || "none"}`,
      series,
      width,
      height,
      isLog,
      isLogX: isWide(curves),
      xLabel: axis.name,
      hasLegend: false,
    }),
  );
}

function isWide(curves) {
  const places = curves.flatMap((each) => each.points.map(([where]) => where));
  const least = Math.min(...places);
  return least > 0 && Math.max(...places) > WIDE * least;
}
