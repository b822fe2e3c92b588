// SPDX-License-Identifier: MIT
// `/leaderboard`: the runs of each game, the best first or by any column; seeds of one setup are one row.

import { h } from "../lib/dom.js";
import { get, withQuery } from "../lib/api.js";
import { isKnown, number } from "../lib/format.js";
import { selectField } from "../parts/fields.js";
import { emptyState, panel } from "../parts/panels.js";
import { figureText, secondsText } from "../runs/curves.js";
import { trainHead } from "../runs/tabs.js";

const EVERY_MILLISECONDS = 5000;
const COLUMNS = {
  run: "run",
  algorithm: "algorithm",
  best: "best",
  last: "last",
  iterations: "iterations",
  nodes: "nodes",
  seconds: "time",
};
const TEXTS = ["run", "algorithm"];

export async function open(page) {
  page.title = "Leaderboard";
  const board = { page, found: null, isLost: false };
  await load(board);
  page.onQuery = () => load(board);
  page.every(EVERY_MILLISECONDS, async () => {
    try {
      await load(board);
      board.isLost = false;
    } catch (error) {
      if (error.status !== 0 && error.status !== 429) throw error;
      board.isLost = true; // asked again the next time
    }
    page.redraw();
  });
  return () => view(board);
}

async function load(board) {
  const { measure, band } = board.page.query;
  const asked = { measure, band: band === "95" ? "95%" : null };
  board.found = await get(withQuery("/leaderboard", asked));
  const { games, measures } = board.found;
  if (!games.length && measures.length && !measure) {
    board.found = await get(withQuery("/leaderboard", { ...asked, measure: measures[0].name }));
  }
  board.page.redraw();
}

function view(board) {
  const { found, isLost } = board;
  const lost = isLost ? h("span", { class: "warn", role: "status" }, "The server does not answer.") : null;
  if (!found.measures.length) {
    const start = h("a", { class: "button primary", href: "/runs?new=1" }, "Start a run");
    return [trainHead("/leaderboard", lost), emptyState("There are no measures yet.", start)];
  }
  return [
    trainHead("/leaderboard", lost, fields(board)),
    found.games.map((each) => gameTable(board, each)),
    found.games.length ? null : emptyState("No run has this measure."),
    h(
      "p",
      { class: "dim" },
      "Best and last value of the measure. In brackets: the 95 % interval of the last value, or the band over " +
        "several seeds.",
    ),
  ];
}

function fields(board) {
  const { page, found } = board;
  const change = (changes) => {
    page.setQuery(changes, { replace: true });
    page.act(() => load(board));
  };
  return [
    selectField({
      label: "Measure",
      class: "beside",
      value: found.measure,
      options: found.measures.map((each) => [each.name, each.title]),
      onchange: (measure) => change({ measure }),
    }),
    selectField({
      label: "Band over seeds",
      class: "beside",
      value: page.query.band ?? "",
      options: [
        ["", "range"],
        ["95", "95 % of the mean"],
      ],
      onchange: (band) => change({ band }),
    }),
    selectField({
      label: "Order",
      class: "beside order",
      value: page.query.sort ?? "",
      options: [["", "best first"], ...Object.keys(COLUMNS).flatMap(orders)],
      onchange: (sort) => change({ sort }),
    }),
  ];
}

const orders = (column) => [
  [column, `${COLUMNS[column]} ▲`],
  [`-${column}`, `${COLUMNS[column]} ▼`],
];

/** The order of the address: `best`, or `-best` for the largest first; none: the best first. */
function sorted(query, rows) {
  const column = (query.sort ?? "").replace(/^-/, "");
  if (!(column in COLUMNS)) return rows;
  const sign = query.sort.startsWith("-") ? -1 : 1;
  const known = rows.filter((each) => isKnown(each[column]));
  known.sort((a, b) => sign * (a[column] < b[column] ? -1 : a[column] > b[column] ? 1 : 0));
  return [...known, ...rows.filter((each) => !isKnown(each[column]))];
}

function gameTable(board, { game, facts, standings }) {
  const { query } = board.page;
  const rows = sorted(query, standings);
  const what = [facts.title, facts.unit].filter(Boolean).join(", ");
  return panel(
    { title: game, aside: h("span", { class: "dim" }, what) },
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": `runs of ${game}` },
      h(
        "table",
        { class: "standings" },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            Object.keys(COLUMNS).map((each) => heading(board, game, each)),
          ),
        ),
        h(
          "tbody",
          null,
          rows.map((each) => standing(each, facts)),
        ),
      ),
    ),
  );
}

function heading(board, game, column) {
  const { page } = board;
  const isHere = (page.query.sort ?? "").replace(/^-/, "") === column;
  const isUp = isHere && !page.query.sort.startsWith("-");
  const sort = () => {
    page.setQuery({ sort: isUp ? `-${column}` : column }, { replace: true });
    page.redraw();
  };
  return h(
    "th",
    {
      key: column,
      class: TEXTS.includes(column) ? "" : "num",
      scope: "col",
      "aria-sort": isHere ? (isUp ? "ascending" : "descending") : null,
    },
    h(
      "button",
      { class: "sort", "aria-label": `sort ${game} by ${COLUMNS[column]}`, onclick: sort },
      COLUMNS[column] + (isHere ? (isUp ? " ▲" : " ▼") : ""),
    ),
  );
}

function standing(each, { scale }) {
  const figure = (value) => (isKnown(value) ? figureText(scale * value) : "–");
  const band = isKnown(each.low) && each.low !== each.high ? ` (${figure(each.low)} to ${figure(each.high)})` : "";
  const address = withQuery("/runs", { runs: each.runs.slice(0, 40).join(","), run: each.runs[0] });
  const cell = (name, kind, ...content) => h("td", { key: name, class: kind, "data-name": COLUMNS[name] }, content);
  return h(
    "tr",
    { key: each.runs[0], "data-run": each.runs[0] },
    cell("run", "wrap", h("a", { href: address }, each.run)),
    cell("algorithm", "", each.algorithm),
    cell("best", "num", h("b", null, figure(each.best))),
    cell("last", "num", h("span", null, figure(each.last), h("span", { class: "dim" }, band))),
    cell("iterations", "num", number(each.iterations, 0)),
    cell("nodes", "num", number(each.nodes, 0)),
    cell("seconds", "num", isKnown(each.seconds) ? secondsText(each.seconds) : "–"),
  );
}
