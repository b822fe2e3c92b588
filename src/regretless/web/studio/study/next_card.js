// SPDX-License-Identifier: MIT
// Where a public card is due: a deck coloured by what each card does, and a report of all cards.

import { h } from "../lib/dom.js";
import { isKnown, number, percent } from "../lib/format.js";
import { card as cardShape, cardText, deckPicker } from "../parts/cards.js";
import { button, segmented, table } from "../parts/panels.js";
import { wordText } from "./model.js";

const STREETS = { 0: "flop", 3: "turn", 4: "river" };
const FEW = 12; // cards that are drawn in full
const NOT_FIGURES = ["card", "cards", "weight"];

export function nextCard(study) {
  const { node, picked } = study;
  const left = node.here.cards_due - picked.length;
  const street = node.isGrid || node.isGrouped ? (STREETS[node.board.length / 2] ?? "board") : "board";
  const chart = chartOf(study);
  return [
    h("div", { class: "panel-head" }, h("h2", null, `Choose ${left} card${left === 1 ? "" : "s"} for the ${street}`)),
    chart.metrics.length > 1
      ? segmented("figure of the cards", chart.metrics, chart.metric, (each) => study.set({ colour: each }))
      : null,
    node.cards.length > FEW ? deck(study, chart, street) : fewCards(study, chart),
    node.is_solved && node.here.cards_due === 1 ? report(study) : null,
  ];
}

/** What the cards are coloured by: EV of a seat, or a column of the report of all cards. */
function chartOf({ node, runoutRows, query }) {
  const metrics = node.seats
    .map((each, seat) => [`ev ${each.name}`, `EV ${each.name}`, seat])
    .filter(([, , seat]) => node.cards.some(([, values]) => isKnown(values[seat])));
  const columns = Object.keys(runoutRows?.[0] ?? {}).filter((name) => !NOT_FIGURES.includes(name));
  for (const name of columns) if (!name.startsWith("ev ")) metrics.push([name, columnText(name), -1]);
  const [metric, text, seat] = metrics.find(([name]) => name === query.colour) ?? metrics[0] ?? ["", "", -1];
  const figures = new Map();
  if (seat >= 0) for (const [card, values] of node.cards) figures.set(card, values[seat]);
  else for (const row of runoutRows ?? []) for (const card of row.cards.split(" ")) figures.set(card, row[metric]);
  const known = [...figures.values()].filter(isKnown);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const write = (value) => (seat >= 0 ? `${number(value)} ${node.unit}` : percent(value));
  const brief = (value) => (seat >= 0 ? number(value, Math.abs(high) >= 100 ? 0 : 1) : number(100 * value, 0));
  return { metrics, metric, text, figures, known, low, high, write, brief };
}

const columnText = (name) => (/^(ev|equity) /.test(name) ? name.replace(/^ev/, "EV") : wordText(name));

const tintOf = ({ figures, low, high }, card) =>
  isKnown(figures.get(card)) && high > low
    ? `color-mix(in oklab, var(--raise0) ${Math.round((100 * (figures.get(card) - low)) / (high - low))}%, var(--fold))`
    : null;

function deck(study, chart, street) {
  const { figures, known, text, write, brief, low, high } = chart;
  return [
    deckPicker({
      label: `cards for the ${street}`,
      chosen: study.picked,
      deck: study.node.cards.map(([card]) => card),
      tint: (card) => tintOf(chart, card),
      title: (card) => (isKnown(figures.get(card)) ? `${text} ${write(figures.get(card))}` : null),
      figure: (card) => (isKnown(figures.get(card)) ? brief(figures.get(card)) : null),
      onpick: (card) => study.pick(card),
    }),
    known.length
      ? h("p", { class: "dim num" }, `${text}: from ${write(low)} (blue) to ${write(high)} (yellow).`)
      : null,
  ];
}

/** The cards of a small game, drawn, each with its figure. */
function fewCards(study, chart) {
  const isCard = (name) => /^[2-9TJQKA][shdc]$/.test(name);
  const buttons = study.node.cards.map(([name]) =>
    h(
      "button",
      { class: "few-card", key: name, "data-card": name, onclick: () => study.pick(name) },
      isCard(name) ? cardShape(name) : h("b", null, name),
      h("span", { class: "few-figure num", style: { background: tintOf(chart, name) } }, figureText(chart, name)),
    ),
  );
  return [
    h("div", { class: "row" }, buttons),
    chart.text ? h("p", { class: "dim" }, `Below each card: ${chart.text}.`) : null,
  ];
}

const figureText = ({ figures, brief }, card) => (isKnown(figures.get(card)) ? brief(figures.get(card)) : "–");

function report(study) {
  const { runoutRows: rows, query } = study;
  if (!rows)
    return h(
      "div",
      null,
      button(query.report ? "Reading all cards…" : "Report of all cards", () => study.set({ report: 1 }), {
        kind: "small",
        name: "chart",
        disabled: Boolean(query.report),
      }),
    );
  const names = Object.keys(rows[0] ?? {}).filter((each) => !NOT_FIGURES.includes(each));
  const columns = [["cards", ""], ...names.map((name) => [columnText(name), "num"])];
  const figures = (row) => names.map((name) => (name.startsWith("ev ") ? number(row[name]) : percent(row[name])));
  const link = (row) =>
    h("button", { class: "link", onclick: () => study.pick(row.card) }, row.cards.split(" ").map(cardText));
  const shown = rows.map((row) => ({
    props: { key: row.card, "data-runout": row.card },
    cells: [link(row), ...figures(row)],
  }));
  const mean = {
    props: { key: "all", "data-runout": "all" },
    cells: [h("b", null, "mean"), ...figures(study.runoutMean)],
  };
  return table("report of all cards", columns, [mean, ...shown], { class: "runouts" });
}
