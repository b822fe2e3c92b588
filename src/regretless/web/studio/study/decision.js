// SPDX-License-Identifier: MIT
// The middle of the screen: what the player to act does, the cards that may come, and the hands behind it.

import { h } from "../lib/dom.js";
import { isKnown, number, percent } from "../lib/format.js";
import { mixBar, swatch } from "../parts/actions.js";
import { cardText, deckPicker } from "../parts/cards.js";
import { lineChart } from "../parts/chart.js";
import { segmented } from "../parts/panels.js";
import { classFigures, equityCurve, handsOf, plain, wordText } from "./model.js";

const STREETS = { 0: "flop", 3: "turn", 4: "river" };
const SEAT_COLOURS = [
  "var(--accent)",
  "var(--range)",
  "var(--call)",
  "var(--raise3)",
  "var(--fold)",
  "var(--raise0)",
  "var(--raise4)",
  "var(--raise5)",
  "var(--raise6)",
];

export function decisionPanel(study) {
  const { node } = study;
  return h(
    "section",
    { class: "panel decision", "aria-label": "decision" },
    node.hasTurn ? actions(study) : node.isChance ? deck(study) : h("h2", null, "The hand is over."),
    handsPanel(study),
    graph(node),
  );
}

function actions(study) {
  const { node } = study;
  const other = study.other;
  return [
    h(
      "div",
      { class: "panel-head" },
      h("h2", null, `${node.seats[node.actor].name} to act`),
      h("span", { class: "grow" }),
      other ? h("span", { class: "dim" }, `beside: ${other.name}`) : null,
    ),
    mixBar(
      node.choices.map((each) => each.share),
      node.colours,
      node.choices.map((each) => `${each.text} ${percent(each.share, 0)}`).join(", "),
    ),
    h(
      "div",
      { class: "choices" },
      node.choices.map((each, place) =>
        h(
          "button",
          {
            class: "choice",
            key: each.word,
            "data-word": each.word,
            "data-line": node.here.choices[place][2],
            onclick: () => study.go(node.here.choices[place][2]),
          },
          h("span", { class: "choice-colour", style: { background: node.colours[place] } }),
          h(
            "span",
            { class: "choice-text" },
            h("b", null, each.text),
            place < 9 ? h("kbd", null, `key ${place + 1}`) : null,
          ),
          h("span", { class: "choice-share num" }, percent(each.share)),
          h("span", { class: "choice-ev num dim" }, isKnown(each.ev) ? `EV ${number(each.ev)}` : ""),
          other ? h("span", { class: "choice-other num dim" }, otherShare(other, each)) : null,
        ),
      ),
    ),
  ];
}

function otherShare(other, choice) {
  const same = other.choices.find((each) => each.word === choice.word);
  return same ? `there ${percent(same.share)}, EV ${number(same.ev)}` : "not offered there";
}

/** The deck where a public card is due, tinted by what the card does. */
function deck(study) {
  const { node, picked } = study;
  const left = node.here.cards_due - picked.length;
  const street = node.isGrid || node.isGrouped ? (STREETS[node.board.length / 2] ?? "board") : "board";
  const offered = node.cards.map(([card]) => card);
  const isDeck = offered.every((card) => /^[2-9TJQKA][shdc]$/.test(card));
  const { metrics, metric, figures } = study.runouts();
  const known = [...figures.values()].filter(isKnown);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const percent = (card) => Math.round((100 * (figures.get(card) - low)) / (high - low));
  const tint = (card) =>
    isKnown(figures.get(card)) && high > low
      ? `color-mix(in oklab, var(--raise0) ${percent(card)}%, var(--fold))`
      : null;
  const text = (card) =>
    isKnown(figures.get(card))
      ? `${metrics.find(([name]) => name === metric)?.[1]} ${study.runoutText(figures.get(card))}`
      : null;
  return [
    h("div", { class: "panel-head" }, h("h2", null, `Choose ${left} card${left === 1 ? "" : "s"} for the ${street}`)),
    metrics.length > 1
      ? segmented("colour of the cards", metrics, metric, (each) => study.set({ colour: each }))
      : null,
    isDeck
      ? deckPicker({
          label: `cards for the ${street}`,
          chosen: picked,
          deck: offered,
          tint,
          title: text,
          onpick: (card) => study.pick(card),
        })
      : h(
          "div",
          { class: "row" },
          offered.map((card) =>
            h("button", { class: "button", key: card, onclick: () => study.pick(card) }, cardText(card)),
          ),
        ),
    known.length
      ? h(
          "p",
          { class: "dim num" },
          `${metrics.find(([name]) => name === metric)?.[1]}: `,
          `from ${study.runoutText(low)} (blue) to ${study.runoutText(high)} (yellow).`,
        )
      : null,
    study.runoutRows
      ? runoutTable(study)
      : h(
          "div",
          null,
          h(
            "button",
            { class: "button small", onclick: () => study.findRunouts() },
            study.isFindingRunouts ? "Reading all cards…" : "Report of all cards",
          ),
        ),
  ];
}

function runoutTable(study) {
  const names = Object.keys(study.runoutRows[0] ?? {}).filter((each) => !["card", "cards", "weight"].includes(each));
  const isShare = (name) => !name.startsWith("ev ");
  return h(
    "div",
    { class: "scroll runouts", tabindex: 0, role: "region", "aria-label": "report of all cards" },
    h(
      "table",
      null,
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          ["cards", ...names.map((each) => (/^(ev|equity) /.test(each) ? each : wordText(each)))].map((each, place) =>
            h("th", { class: place ? "num" : "", scope: "col" }, each),
          ),
        ),
      ),
      h(
        "tbody",
        null,
        study.runoutRows.map((row) =>
          h(
            "tr",
            { key: row.card },
            h(
              "td",
              null,
              h(
                "button",
                { class: "link", onclick: () => study.pick(row.card) },
                row.cards.split(" ").map((each) => cardText(each)),
              ),
            ),
            names.map((name) => h("td", { class: "num" }, isShare(name) ? percent(row[name]) : number(row[name]))),
          ),
        ),
      ),
    ),
  );
}

function handsPanel(study) {
  const { node, seat } = study;
  const shown = study.shown;
  const tab = study.query.tab === "classes" ? "classes" : "combos";
  const hasClasses = Boolean(node.seats[seat].made);
  if (!node.isGrid && !node.isGrouped) return null;
  return h(
    "div",
    { class: "hands" },
    h(
      "div",
      { class: "panel-head" },
      h("h2", null, tab === "combos" && shown ? plain(shown) : "Hands"),
      tab === "combos"
        ? h(
            "span",
            { class: "dim" },
            shown ? (study.pin ? `pinned, ${combosText(study, shown)}` : combosText(study, shown)) : "",
          )
        : null,
      h("span", { class: "grow" }),
      tab === "combos" && study.pin
        ? h("button", { class: "button small", onclick: () => study.set({ pin: null }) }, "Let go")
        : null,
      hasClasses
        ? segmented(
            "hands by",
            [
              ["combos", "Combos"],
              ["classes", "Classes"],
            ],
            tab,
            (each) => study.set({ tab: each === "combos" ? null : each }),
          )
        : null,
    ),
    tab === "classes" && hasClasses
      ? classTable(study)
      : shown
        ? combos(study, shown)
        : h(
            "p",
            { class: "dim hint" },
            "Choose hands to see their combos: a click pins them, the pointer or the arrow keys preview.",
          ),
  );
}

const combosText = ({ node, seat, keeps }, name) => {
  const count = handsOf(node, seat, name, keeps).filter((hand) => node.seats[seat].weights[hand] > 0).length;
  return `${count} combo${count === 1 ? "" : "s"}`;
};

function combos(study, name) {
  const { node, seat, keeps } = study;
  const { hands, weights, values } = node.seats[seat];
  const equities = node.equitiesOf(seat);
  const isTurn = seat === node.actor;
  const rows = handsOf(node, seat, name, keeps).filter((hand) => weights[hand] > 0);
  const isPart = rows.some((hand) => weights[hand] < 0.9995);
  if (!rows.length) return h("p", { class: "dim hint" }, `${plain(name)} does not arrive here.`);
  return h(
    "div",
    { class: "scroll combos", tabindex: 0, role: "region", "aria-label": `combos of ${name}` },
    h(
      "table",
      null,
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          [
            "combo",
            ...(isPart ? ["weight"] : []),
            ...(isTurn ? node.choices.map((each, place) => [swatch(node.colours[place]), " ", each.text]) : []),
            "EV",
            "equity",
          ].map((each, place) => h("th", { class: place ? "num" : "", scope: "col" }, each)),
        ),
      ),
      h(
        "tbody",
        null,
        rows
          .slice(0, 200)
          .map((hand) =>
            h(
              "tr",
              { key: hands[hand] },
              h("td", null, cardText(hands[hand])),
              isPart ? h("td", { class: "num" }, percent(weights[hand], 0)) : null,
              isTurn
                ? node.choices.map((each) =>
                    h(
                      "td",
                      { class: "num" },
                      h("div", null, percent(each.mix[hand])),
                      isKnown(each.values[hand]) ? h("small", { class: "dim" }, number(each.values[hand])) : null,
                    ),
                  )
                : null,
              h("td", { class: "num" }, number(values[hand])),
              h("td", { class: "num" }, percent(equities?.[hand])),
            ),
          ),
      ),
    ),
  );
}

function classTable(study) {
  const { node, seat, keeps } = study;
  const { made } = node.seats[seat];
  const isTurn = seat === node.actor;
  const found = classFigures(
    node,
    seat,
    keeps,
    made.map((each) => node.made_names[each]),
  );
  const rows = node.made_names.map((name) => found.get(name)).filter((each) => each?.combos > 0);
  return h(
    "div",
    { class: "scroll combos", tabindex: 0, role: "region", "aria-label": "made hands" },
    h(
      "table",
      null,
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          ["made hand", "share", ...(isTurn ? [""] : []), "EV", "equity"].map((each, place) =>
            h("th", { class: place ? "num" : "", scope: "col" }, each || h("span", { class: "hidden" }, "strategy")),
          ),
        ),
      ),
      h(
        "tbody",
        null,
        rows.map((each) =>
          h(
            "tr",
            { key: each.name },
            h("td", null, plain(each.name)),
            h("td", { class: "num" }, percent(each.share)),
            isTurn ? h("td", { class: "bar-cell" }, mixBar(each.mix, node.colours)) : null,
            h("td", { class: "num" }, number(each.ev)),
            h("td", { class: "num" }, percent(each.equity)),
          ),
        ),
      ),
    ),
  );
}

function graph(node) {
  const series = node.seats.map((each, seat) => ({
    name: `${each.name} ${percent(node.mean(node.equitiesOf(seat), seat))}`,
    colour: SEAT_COLOURS[seat],
    points: equityCurve(node, seat),
    dash: seat ? "6 4" : null,
  }));
  if (!series.some((each) => each.points.length))
    return node.equities === undefined ? null : h("div", { class: "graph" });
  return h(
    "div",
    { class: "graph" },
    lineChart({
      label: `Equity graph: ${series.map((each) => each.name).join(", ")}`,
      series,
      width: 460,
      height: 150,
      min: 0,
      max: 1,
      xLabel: "share of the range",
      yLabel: "equity",
      format: (value) => percent(value, 0),
      formatX: (value) => percent(value, 0),
    }),
  );
}
