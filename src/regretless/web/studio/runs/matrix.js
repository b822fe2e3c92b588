// SPDX-License-Identifier: MIT
// The result of a round-robin as a matrix, where blue wins, orange loses and pale cells are within their interval of 0.

import { h } from "../lib/dom.js";
import { number, signed } from "../lib/format.js";

const DEEPEST = 55; // percent of the colour of the largest win

export function crossMatrix(result) {
  const { names, matrix } = result;
  const cells = matrix.flat().filter(Boolean);
  const most = Math.max(...cells.map((each) => Math.abs(each.bb_per_100)), 0);
  return h(
    "div",
    { class: "stack" },
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "cross-play" },
      h(
        "table",
        { class: "cross" },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            h("th", { scope: "col" }, "row against column"),
            [...names, "mean"].map((each, place) => h("th", { key: place, class: "num", scope: "col" }, each)),
          ),
        ),
        h(
          "tbody",
          null,
          names.map((name, row) =>
            h(
              "tr",
              { key: row },
              h("th", { scope: "row" }, name),
              matrix[row].map((each, column) => cell(each, most, column)),
              h("td", { class: "num mean" }, h("b", null, signed(result.mean_bb_per_100[row], 1))),
            ),
          ),
        ),
      ),
    ),
    pairs(result),
    h("p", { class: "dim" }, describe(result)),
  );
}

/** The same as a list of pairs, for a narrow screen. */
function pairs({ names, matrix }) {
  const rows = names.flatMap((one, row) =>
    names.slice(row + 1).map((two, place) => ({ one, two, won: matrix[row][row + 1 + place] })),
  );
  return h(
    "ul",
    { class: "pairs", "aria-label": "pairs" },
    rows.map(({ one, two, won }) =>
      h(
        "li",
        { key: `${one} ${two}` },
        h("span", null, `${one} against ${two}`),
        won ? h("b", { class: `num ${kindOf(won)}` }, wonText(won)) : "–",
      ),
    ),
  );
}

const halfOf = (won) => won.bb_per_100_half_width;
const isSure = (won) => halfOf(won) !== null && Math.abs(won.bb_per_100) > halfOf(won);
const kindOf = (won) => (isSure(won) ? (won.bb_per_100 > 0 ? "wins" : "loses") : "even");

function wonText(won) {
  const mean = signed(won.bb_per_100, 1);
  return halfOf(won) === null ? mean : `${mean} ± ${number(halfOf(won), 1)}`;
}

function cell(won, most, column) {
  if (!won) return h("td", { key: column, class: "num dim", "aria-label": "itself" }, "·");
  const depth = isSure(won) && most > 0 ? DEEPEST * Math.sqrt(Math.abs(won.bb_per_100) / most) : 0;
  return h(
    "td",
    { key: column, class: `num ${kindOf(won)}`, style: { "--depth": `${depth.toFixed(0)}%` } },
    signed(won.bb_per_100, 1),
    halfOf(won) === null ? null : h("small", null, ` ± ${number(halfOf(won), 1)}`),
  );
}

function describe(result) {
  const unit = result.unit === "big blinds" ? "bb/100" : `${result.unit} per 100 hands`;
  const luck = result.aivat ? ", with AIVAT" : "";
  return (
    `${result.game}, ${result.players} at a table: ${unit} with 95 % intervals over ${number(result.hands, 0)} hands ` +
    `per pair${luck}. Blue wins, orange loses; a pale cell is within its interval of 0. The mean gives each opponent ` +
    "the same weight."
  );
}
