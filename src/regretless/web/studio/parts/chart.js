// SPDX-License-Identifier: MIT
// Line charts as SVG: axes with sensible ticks, bands, dots; the pointer or the arrow keys read the values.

import { h } from "../lib/dom.js";
import { number } from "../lib/format.js";

const PHONE = matchMedia("(max-width: 760px)");
const PHONE_WIDTH = 340; // the letters keep their size where there is less room
const LETTER = 6.5; // the width of a letter of a tick
const LEFT = 46,
  RIGHT = 10,
  TOP = 10,
  BOTTOM = 24;

/** Ticks at 1, 2 or 5 times a power of ten. */
function ticks(low, high, wanted = 5) {
  if (!(high > low)) return [low];
  const rough = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough);
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-9; at += step)
    found.push(Math.abs(at) < step * 1e-9 ? 0 : at);
  return found;
}

function logTicks(low, high) {
  const found = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
    for (const each of [1, 2, 5]) {
      const at = each * 10 ** power;
      if (at >= low * 0.999 && at <= high * 1.001) found.push(at);
    }
  const powers = found.filter((each) => Math.abs(Math.log10(each) % 1) < 1e-9);
  return found.length > 7 && powers.length > 2 ? powers : found;
}

/** Where the letters of ticks on the x axis begin and end, about. */
function span(text, at, width) {
  const length = LETTER * text.length;
  const begin = at > width - RIGHT - 20 ? at - length : at - length / 2;
  return [begin, begin + length];
}

/** The ticks that leave room for each other. */
function apart(values, x, format, width) {
  let end = -Infinity;
  return values.filter((each) => {
    const [from, to] = span(format(each), x.at(each), width);
    if (from < end + LETTER) return false;
    end = to;
    return true;
  });
}

function shortNumber(value) {
  const size = Math.abs(value);
  if (size >= 1e9) return `${number(value / 1e9, 1)}G`;
  if (size >= 1e6) return `${number(value / 1e6, 1)}M`;
  if (size >= 1e4) return `${number(value / 1e3, 1)}k`;
  if (size && size < 1e-3) return value.toExponential(0);
  return number(value, size < 1 ? 4 : 2);
}

/** `series`: [{name, colour, points: [[x, y, low, high]], dash}], x ascending. `format(y)`
 * and `formatX(x)` write values. */
export function lineChart({
  label,
  series,
  width: widest = 640,
  height = 260,
  isLog = false,
  isLogX = false,
  yLabel,
  xLabel,
  min,
  max,
  format = shortNumber,
  formatX = shortNumber,
  hasLegend = true,
  onpick,
}) {
  const width = PHONE.matches ? Math.min(widest, PHONE_WIDTH) : widest;
  const usable = series
    .map((each) => ({
      ...each,
      points: each.points.filter(([x, y]) => Number.isFinite(y) && (!isLog || y > 0) && (!isLogX || x > 0)),
    }))
    .filter((each) => each.points.length);
  if (!usable.length) return h("div", { class: "chart empty" }, h("p", { class: "dim" }, "Nothing measured yet."));
  const xs = usable.flatMap((each) => each.points.map(([x]) => x));
  const ys = usable.flatMap((each) =>
    each.points.flatMap(([, y, low, high]) =>
      [y, low, high].filter((value) => Number.isFinite(value) && (!isLog || value > 0)),
    ),
  );
  const x = scale(xs, LEFT, width - RIGHT, isLogX, undefined, undefined, false);
  const y = scale(ys, height - BOTTOM, TOP, isLog, min, max, true);
  const wanted = isLogX ? logTicks(x.low, x.high) : ticks(x.low, x.high, Math.max(2, width / 110));
  const xTicks = apart(wanted, x, formatX, width);
  const yTicks = isLog ? logTicks(y.low, y.high) : ticks(y.low, y.high, Math.max(2, height / 55));
  return h(
    "figure",
    { class: "chart" },
    h(
      "svg",
      {
        viewBox: `0 0 ${width} ${height}`,
        role: "img",
        "aria-label": label,
        preserveAspectRatio: "none",
        onpointermove: (event) => read(event, usable, x, y, width, format, formatX),
        onpointerleave: unread,
        onclick: (event) => onpick?.(nearest(event, usable, x, width)),
      },
      yTicks.map((each) =>
        h(
          "g",
          { key: `y${each}` },
          h("line", { class: "rule", x1: LEFT, x2: width - RIGHT, y1: y.at(each), y2: y.at(each) }),
          h("text", { class: "tick", x: LEFT - 6, y: y.at(each) + 4, "text-anchor": "end" }, format(each)),
        ),
      ),
      xTicks.map((each) =>
        h(
          "text",
          {
            class: "tick",
            key: `x${each}`,
            x: x.at(each),
            y: height - 6,
            "text-anchor": x.at(each) > width - RIGHT - 20 ? "end" : "middle",
          },
          formatX(each),
        ),
      ),
      usable.map((each) =>
        h(
          "g",
          { key: each.name, style: { color: each.colour } },
          each.points.some(([, , low]) => Number.isFinite(low))
            ? h("path", { class: "band", d: band(each.points, x, y) })
            : null,
          each.points.length > 1
            ? h("path", { class: "curve", d: path(each.points, x, y), "stroke-dasharray": each.dash ?? null })
            : h("circle", { class: "dot", cx: x.at(each.points[0][0]), cy: y.at(each.points[0][1]), r: 3.5 }),
        ),
      ),
      h("line", { class: "reader", x1: -9, x2: -9, y1: TOP, y2: height - BOTTOM }),
    ),
    h("output", { class: "chart-reading num" }),
    h(
      "figcaption",
      null,
      yLabel ? h("span", { class: "dim" }, yLabel) : null,
      hasLegend && (usable.length > 1 || series[0].isNamed)
        ? usable.map((each) =>
            h(
              "span",
              { class: "legend", key: each.name },
              h("span", { class: "swatch", style: { background: each.colour } }),
              each.name,
            ),
          )
        : null,
      h("span", { class: "grow" }),
      xLabel ? h("span", { class: "dim" }, xLabel) : null,
    ),
  );
}

function scale(values, from, to, isLog, min, max, isPadded) {
  let low = min ?? values.reduce((a, b) => Math.min(a, b));
  let high = max ?? values.reduce((a, b) => Math.max(a, b));
  if (isLog) {
    if (low === high) [low, high] = [low / 2, high * 2];
    const [a, b] = [Math.log10(low), Math.log10(high)];
    return { low, high, at: (value) => from + ((to - from) * (Math.log10(Math.max(value, low / 10)) - a)) / (b - a) };
  }
  if (low === high) [low, high] = [low - (Math.abs(low) || 1) / 2, high + (Math.abs(high) || 1) / 2];
  const room = isPadded ? (high - low) * 0.06 : 0;
  if (min === undefined) low = low >= 0 && low - room < 0 ? 0 : low - room;
  if (max === undefined) high += room;
  return { low, high, at: (value) => from + ((to - from) * (value - low)) / (high - low) };
}

const path = (points, x, y) =>
  points.map(([a, b], place) => `${place ? "L" : "M"}${x.at(a).toFixed(1)} ${y.at(b).toFixed(1)}`).join("");

function band(points, x, y) {
  const sure = points.filter(([, , low, high]) => Number.isFinite(low) && Number.isFinite(high));
  return `${path(
    sure.map(([a, , low]) => [a, low]),
    x,
    y,
  )}${path(sure.map(([a, , , high]) => [a, high]).reverse(), x, y).replace("M", "L")}Z`;
}

function nearest(event, series, x, width) {
  const box = event.currentTarget.getBoundingClientRect();
  const at = ((event.clientX - box.left) / box.width) * width;
  const points = series[0].points;
  return points.reduce((best, each) => (Math.abs(x.at(each[0]) - at) < Math.abs(x.at(best[0]) - at) ? each : best))[0];
}

function read(event, series, x, y, width, format, formatX) {
  const where = nearest(event, series, x, width);
  const chart = event.currentTarget.parentElement;
  const line = chart.querySelector(".reader");
  line.setAttribute("x1", x.at(where));
  line.setAttribute("x2", x.at(where));
  const values = series.map((each) => {
    const point = each.points.reduce((best, one) =>
      Math.abs(one[0] - where) < Math.abs(best[0] - where) ? one : best,
    );
    return series.length > 1 ? `${each.name} ${format(point[1])}` : format(point[1]);
  });
  chart.querySelector(".chart-reading").textContent = `${formatX(where)}: ${values.join(" · ")}`;
}

function unread(event) {
  const chart = event.currentTarget.parentElement;
  chart.querySelector(".reader").setAttribute("x1", -9);
  chart.querySelector(".reader").setAttribute("x2", -9);
  chart.querySelector(".chart-reading").textContent = "";
}
