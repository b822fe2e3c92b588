// SPDX-License-Identifier: MIT
// The form of charts before the flop: players, stacks, antes, prizes, and for two players raises.

import { h } from "../lib/dom.js";
import { checkField, sliderField, textField } from "../parts/fields.js";
import { button, panel, segmented } from "../parts/panels.js";

export const DEFAULTS = {
  players: "2",
  stack: "10",
  stacks: "",
  ante: "0",
  big_blind_ante: "0",
  small_blind: "0.5",
  big_blind: "1",
  sizes: "a",
  limp: "",
  max_raises: "",
  prizes: "",
  others: "",
};
const RAISES = "2.5u,a/3x,a/a";
const AMOUNTS = {
  stack: "Stack",
  ante: "Ante",
  big_blind_ante: "Big blind ante",
  small_blind: "Small blind",
  big_blind: "Big blind",
};
const LISTS = { stacks: "Stacks by seat", prizes: "Prizes", others: "Other stacks" };
const MOST_SLIDER = 50;

/** Errors that need no server, by field. */
export function findErrors(values) {
  const errors = {};
  for (const key of Object.keys(AMOUNTS))
    if (values[key].trim() === "" || !(Number(values[key]) >= 0)) errors[key] = "a number, 0 or more";
  for (const key of Object.keys(LISTS))
    if (values[key].trim() && !amounts(values[key]).every((each) => each >= 0)) errors[key] = "amounts between commas";
  return errors;
}

const amounts = (text) => (text.trim() ? text.split(",").map((each) => (each.trim() ? Number(each) : NaN)) : []);

/** The body of a request to /api/preflop. */
export function toRequest(values) {
  const isTwo = isForTwo(values);
  return {
    players: Number(playersOf(values)),
    ...Object.fromEntries(Object.keys(AMOUNTS).map((key) => [key, Number(values[key])])),
    ...Object.fromEntries(Object.keys(LISTS).map((key) => [key, amounts(values[key])])),
    ...(isTwo ? { sizes: values.sizes || "a", limp: Boolean(values.limp) } : {}),
    ...(isTwo && values.max_raises.trim() ? { max_raises: Number(values.max_raises) } : {}),
  };
}

/** The number of players: that of the stacks where these are given by seat. */
const playersOf = (values) => (values.stacks.trim() ? String(amounts(values.stacks).length) : values.players);

/** Whether there may be raises: two players with one stack, for chips. */
export const isForTwo = (values) =>
  values.players === "2" && !values.stacks.trim() && !values.prizes.trim() && !values.others.trim();
/** Whether the answer takes a tenth of a second, so that it can follow what is typed. */
export const isQuick = (values) =>
  playersOf(values) === "2" && (!isForTwo(values) || (values.sizes === "a" && !values.limp));

export function formPanel(charts) {
  const { values, errors } = charts;
  const field = (key, label, given = {}) =>
    textField({
      label,
      id: `preflop ${key}`,
      value: values[key],
      error: errors[key],
      oninput: (text) => charts.change({ [key]: text }),
      ...given,
    });
  const players = Array.from({ length: 8 }, (_, place) => [String(place + 2), String(place + 2)]);
  return panel(
    { title: "Spot", class: "preflop-form" },
    h(
      "div",
      { class: "stack" },
      h("span", { class: "dim label" }, "Players"),
      segmented("players", players, playersOf(values), (each) => charts.change({ players: each, stacks: "" })),
    ),
    values.stacks.trim() ? null : stackField(charts, field),
    h(
      "div",
      { class: "form-row two" },
      field("ante", "Ante"),
      field("big_blind_ante", "Big blind ante"),
      field("small_blind", "Small blind"),
      field("big_blind", "Big blind"),
    ),
    isForTwo(values) ? raises(charts, field) : h("p", { class: "dim" }, "Each player jams or folds."),
    h(
      "details",
      { class: "preflop-more", open: charts.isTournament },
      h("summary", { onclick: (event) => charts.toggleTournament(event) }, "Tournament, stacks by seat"),
      field("prizes", "Prizes, from the first place (ICM)", { placeholder: "50,30,20" }),
      field("stacks", "Stacks by seat, big blind last", { placeholder: "12,8,10" }),
      field("others", "Stacks at other tables", { placeholder: "20,15,7" }),
    ),
    charts.isStale
      ? button("Solve", () => charts.solve(), {
          kind: "primary large",
          name: "play",
          disabled: Object.keys(errors).length > 0,
        })
      : null,
  );
}

function stackField(charts, field) {
  const stack = Number(charts.values.stack);
  const text = Number(charts.values.big_blind) === 1 ? "Stack, big blinds" : "Stack";
  return h(
    "div",
    { class: "stack-row" },
    field("stack", text),
    sliderField({
      label: "Stack",
      isBare: true,
      value: Math.min(stack || 2, MOST_SLIDER),
      min: 2,
      max: MOST_SLIDER,
      step: 0.5,
      oninput: (value) => charts.change({ stack: String(value) }),
    }),
  );
}

function raises(charts, field) {
  const { values } = charts;
  const isTree = values.sizes !== "a" || Boolean(values.limp);
  const choose = (kind) =>
    charts.change(kind === "tree" ? { sizes: RAISES, limp: "1" } : { sizes: "a", limp: "", max_raises: "" });
  return [
    segmented(
      "play",
      [
        ["jam", "Jam or fold"],
        ["tree", "Raises too"],
      ],
      isTree ? "tree" : "jam",
      choose,
    ),
    isTree
      ? field("sizes", "First raise / second / others", { hint: "u: big blinds, x: times the bet, a: all-in" })
      : null,
    isTree
      ? h(
          "div",
          { class: "form-row two" },
          field("max_raises", "Most raises", { placeholder: "no limit" }),
          checkField({
            label: "Limps",
            value: Boolean(values.limp),
            onchange: (isOn) => charts.change({ limp: isOn ? "1" : "" }),
          }),
        )
      : null,
  ];
}
