// SPDX-License-Identifier: MIT
// The range of one player as a square or a table, with its views and filters;
// the other player's range in small beside it.

import { h } from "../lib/dom.js";
import { number, percent } from "../lib/format.js";
import { mixBar, stripes } from "../parts/actions.js";
import { handGrid } from "../parts/grid.js";
import { icon } from "../parts/icons.js";
import { button, chip, segmented } from "../parts/panels.js";
import { selectField } from "../parts/fields.js";
import { classFigures, filterGroups, plain, squareFigures, VIEWS } from "./model.js";

const MOST_TABS = 4;

export function rangePanel(study) {
  const { node, seat } = study;
  return h(
    "section",
    { class: "panel range-panel", "aria-label": "range" },
    h(
      "div",
      { class: "range-head" },
      seatTabs(study),
      h("span", { class: "grow" }),
      node.isGrid
        ? button(study.query.zoom ? "Whole grid" : "Zoom", () => study.set({ zoom: study.query.zoom ? null : 1 }), {
            kind: "small grid-zoom",
            name: "search",
          })
        : null,
      node.isGrid
        ? segmented("figures of the grid", Object.entries(VIEWS), study.view, (view) =>
            study.set({ view: view === "strategy" ? null : view }),
          )
        : null,
    ),
    node.isGrid
      ? h("div", { class: { "grid-place": true, zoomed: study.query.zoom } }, grid(study))
      : groupTable(study),
    node.isGrid || node.isGrouped ? filters(study) : null,
    node.hands_in_all
      ? h(
          "p",
          { class: "dim" },
          `A sample of ${number(node.seats[seat].hands.length, 0)} of ${number(node.hands_in_all, 0)} hands.`,
        )
      : null,
  );
}

function seatTabs(study) {
  const { node } = study;
  const names = node.seats.map((each, seat) => [seat, each.name]);
  const choose = (seat) => study.set({ seat: Number(seat) === study.turn ? null : seat });
  return names.length > MOST_TABS
    ? selectField({ label: "Player", value: study.seat, options: names, onchange: choose })
    : segmented("player", names, study.seat, choose);
}

function grid(study) {
  const { node, seat, view, keeps } = study;
  const figures = squareFigures(node, seat, keeps);
  const known = figures.map((each) => each[view]).filter((each) => each !== null && each !== undefined);
  const span =
    view === "ev" || view === "regret"
      ? [view === "regret" ? 0 : Math.min(...known), Math.max(...known, 1e-9)]
      : [0, 1];
  const isTurn = seat === node.actor;
  const cells = figures.map((each) => {
    const cell = {
      name: each.name,
      isEmpty: !each.combos,
      height: each.combos ? Math.max(each.weight, 0.06) : 0,
      label: label(node, seat, each),
    };
    if (!each.combos) return cell;
    if (view === "strategy") return { ...cell, fill: isTurn ? stripes(each.mix, node.colours) : "var(--range)" };
    if (view === "weight") return { ...cell, fill: "var(--range)", figure: number(100 * each.weight, 0) };
    const value = each[view];
    if (value === null) return { ...cell, fill: "var(--cell)" };
    return {
      ...cell,
      height: 1,
      fill: heat((value - span[0]) / (span[1] - span[0] || 1), view),
      figure: view === "equity" ? number(100 * value, 0) : number(value, figuresDigits(span[1])),
    };
  });
  return handGrid({
    label: `hands of ${node.seats[seat].name}`,
    cells,
    current: study.pin || null,
    pinned: study.pin ? [study.pin] : [],
    line: node.line,
    onpick: (name) => study.set({ pin: name === study.pin ? null : name }),
    onpreview: (name) => study.preview(name),
  });
}

const figuresDigits = (largest) => (largest >= 100 ? 0 : largest >= 1 ? 1 : 2);

function heat(share, view) {
  const part = Math.round(100 * Math.min(Math.max(share, 0), 1));
  return view === "regret"
    ? `color-mix(in oklab, var(--raise2) ${part}%, var(--cell))`
    : `color-mix(in oklab, var(--raise0) ${part}%, var(--fold))`;
}

function label(node, seat, each) {
  if (!each.combos) return `${each.name}: not in the range`;
  const mix =
    seat === node.actor
      ? node.choices.map((choice, place) => `${choice.text} ${percent(each.mix[place], 0)}`).join(", ")
      : `${number(each.combos, 1)} combos`;
  const value = each.ev === null ? "" : `, EV ${number(each.ev)} ${node.unit}`;
  return `${each.name}: ${mix}${value}`;
}

/** Hands of other games: one row for each hand, or for each class of Omaha hands. */
function groupTable(study) {
  const { node, seat, keeps } = study;
  const rows = [...classFigures(node, seat, keeps).values()].filter((each) => each.combos > 0);
  if (!rows.length) return h("p", { class: "dim" }, "No hand arrives here.");
  if (node.isGrouped) rows.sort((a, b) => node.group_names.indexOf(a.name) - node.group_names.indexOf(b.name));
  const isTurn = seat === node.actor;
  const head = [
    node.isGrouped ? "class" : "hand",
    "share",
    ...(isTurn ? ["strategy", ...node.choices.map((each) => each.text)] : []),
    `EV, ${node.unit}`,
    "equity",
  ];
  return h(
    "div",
    { class: "scroll group-table", tabindex: 0, role: "region", "aria-label": `hands of ${node.seats[seat].name}` },
    h(
      "table",
      null,
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          head.map((each, place) => h("th", { class: place && each !== "strategy" ? "num" : "", scope: "col" }, each)),
        ),
      ),
      h(
        "tbody",
        null,
        rows.map((each) =>
          h(
            "tr",
            { key: each.name, "aria-selected": String(each.name === study.pin) },
            h(
              "td",
              null,
              node.isGrouped
                ? h(
                    "button",
                    { class: "link", onclick: () => study.set({ pin: each.name === study.pin ? null : each.name }) },
                    plain(each.name),
                  )
                : h("b", null, each.name),
            ),
            h("td", { class: "num" }, percent(each.share)),
            isTurn
              ? [
                  h("td", { class: "bar-cell" }, mixBar(each.mix, node.colours)),
                  each.mix.map((share) => h("td", { class: "num" }, percent(share))),
                ]
              : null,
            h("td", { class: "num" }, number(each.ev)),
            h("td", { class: "num" }, percent(each.equity)),
          ),
        ),
      ),
    ),
  );
}

function filters(study) {
  const { node, seat, query } = study;
  const groups = filterGroups(node, seat);
  if (!groups.length) return null;
  const isAny = groups.some(([name]) => query[name]);
  const open = groups.find(([name]) => name === study.filterGroup) ?? groups[0];
  const [name, , rows] = open;
  const chosen = query[name] ? query[name].split(",") : [];
  const toggle = (value) =>
    study.set({
      [name]: (chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value]).join(",") || null,
    });
  return h(
    "div",
    { class: "filters" },
    h(
      "div",
      { class: "row" },
      segmented(
        "filter by",
        groups.map(([each, label]) => [each, query[each] ? `${label} •` : label]),
        name,
        (each) => study.openFilter(each),
      ),
      h("span", { class: "dim num" }, `${number(node.combos(seat, study.keeps), 1)} combos`),
      isAny
        ? h(
            "button",
            { class: "button small", onclick: () => study.set({ made: null, draw: null, suits: null, action: null }) },
            icon("close", 14),
            h("span", null, "All hands"),
          )
        : null,
    ),
    h(
      "div",
      { class: "filter-chips", role: "group", "aria-label": open[1] },
      rows.map(([value, text, share]) =>
        chip(
          [text, h("span", { class: "dim num" }, ` ${percent(share, 0)}`)],
          chosen.includes(value),
          () => toggle(value),
          { key: value, "data-filter": `${name}:${value}` },
        ),
      ),
    ),
  );
}

/** The other ranges in small; a click shows one in the large square. */
export function otherRanges(study) {
  const { node, seat } = study;
  const shown = node.seats.map((_, each) => each).filter((each) => each !== seat || node.seats.length > 2);
  return h(
    "section",
    { class: "panel others", "aria-label": "ranges" },
    h(
      "table",
      { class: "ranges" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          ["range", "combos", "equity", `EV, ${node.unit}`].map((each, place) =>
            h("th", { class: place ? "num" : "", scope: "col" }, each),
          ),
        ),
      ),
      h(
        "tbody",
        null,
        node.seats.map((each, place) =>
          h(
            "tr",
            { key: place, "aria-selected": String(place === seat) },
            h(
              "td",
              null,
              h(
                "button",
                { class: "link", onclick: () => study.set({ seat: place === study.turn ? null : place }) },
                each.name,
              ),
            ),
            h("td", { class: "num" }, number(each.combos, 1)),
            h("td", { class: "num" }, percent(node.mean(node.equitiesOf(place), place))),
            h("td", { class: "num" }, number(each.ev)),
          ),
        ),
      ),
    ),
    node.isGrid && node.seats.length === 2 ? shown.map((each) => smallGrid(study, each)) : null,
  );
}

function smallGrid(study, seat) {
  const { node } = study;
  const size = node.ranks.length;
  const isTurn = seat === node.actor;
  const cells = squareFigures(node, seat, null);
  const name = node.seats[seat].name;
  return h(
    "button",
    {
      class: "small-grid",
      key: seat,
      "aria-label": `show the range of ${name}`,
      title: `Show ${name}`,
      onclick: () => study.set({ seat: seat === study.turn ? null : seat }),
    },
    h("span", { class: "small-grid-name dim" }, `${name}, ${isTurn ? "strategy" : "weights"}`),
    h(
      "span",
      { class: "small-cells", style: { "--size": size } },
      cells.map((each) =>
        h("span", {
          key: each.name,
          class: "small-cell",
          style: {
            background: each.combos
              ? isTurn
                ? stripes(each.mix, node.colours)
                : `color-mix(in oklab, var(--range) ${Math.round(100 * each.weight)}%, var(--s2))`
              : "var(--s2)",
          },
        }),
      ),
    ),
  );
}
