// SPDX-License-Identifier: MIT
// The form of a solve: the preset first, then chips, sizes and limits; what is needed rarely is folded away.

import { h } from "../lib/dom.js";
import { areaField, selectField, textField } from "../parts/fields.js";
import { chip, segmented } from "../parts/panels.js";

const POT_TYPES = { "single-raised": "Single-raised", "3-bet": "3-bet", "4-bet": "4-bet" };
const STREETS = [
  ["flop", "Flop", 3],
  ["turn", "Turn", 4],
  ["river", "River", 5],
];
const RARE = ["stack_ip", "rake", "rake_cap", "add_all_in", "force_all_in", "merge", "algorithm", "precision", "locks"];
const GAMES = { nlhe: "Hold'em", "short-deck": "Short deck", plo4: "Omaha, river", kuhn: "Kuhn poker", leduc: "Leduc" };

export function formPanel(solve) {
  const { isSpot } = solve;
  return h(
    "div",
    { class: "solve-form" },
    h(
      "section",
      { class: "panel", "aria-label": "spot" },
      gameField(solve),
      solve.preset ? presets(solve) : null,
      isSpot ? amounts(solve) : null,
    ),
    isSpot ? sizes(solve) : null,
    isSpot ? more(solve) : null,
  );
}

/** A field of the form by its name. */
function field(solve, key, label, given = {}) {
  return textField({
    label,
    value: solve.values[key],
    error: solve.errors[key],
    oninput: (text) => solve.change({ [key]: text }),
    ...given,
  });
}

function gameField(solve) {
  const options = solve.options.games.map(({ name }) => [
    name,
    GAMES[name] ?? name.replace(/^liars-dice-1x(\d)f$/, "Liar's Dice, $1 faces"),
  ]);
  return selectField({ label: "Game", value: solve.values.game, options, onchange: (game) => solve.chooseGame(game) });
}

function presets(solve) {
  const { preset, presets: all } = solve;
  const depths = [...new Set(all.map(({ stacks }) => stacks))];
  const nearest = (stacks) => {
    const there = all.filter((each) => each.stacks === stacks);
    const same = there.find((each) => each.title === preset.title && each.pot_type === preset.pot_type);
    return (same ?? there.find((each) => each.pot_type === preset.pot_type) ?? there[0]).name;
  };
  const rows = Object.entries(POT_TYPES).map(([type, text]) => {
    const there = all.filter((each) => each.pot_type === type && each.stacks === preset.stacks);
    return there.length
      ? h(
          "div",
          { class: "preset-row", key: type },
          h("span", { class: "dim" }, text),
          h(
            "div",
            { class: "row" },
            there.map((each) =>
              chip(each.title, each === preset, () => solve.choosePreset(each.name), { key: each.name }),
            ),
          ),
        )
      : null;
  });
  const shares = `${preset.oop} ${preset.hands[0]} %, ${preset.ip} ${preset.hands[1]} % of hands`;
  return [
    h(
      "div",
      { class: "preset-row" },
      h("span", { class: "dim" }, "Stacks"),
      segmented(
        "stacks",
        depths.map((each) => [each, `${each} bb`]),
        preset.stacks,
        (each) => solve.choosePreset(nearest(each)),
      ),
    ),
    rows,
    h(
      "p",
      { class: "preset-note" },
      `${preset.play}.`,
      " ",
      solve.isChanged ? h("span", { class: "badge warn" }, "changed") : null,
      h("br"),
      h("span", { class: "dim" }, `${shares}; made by hand, not by a solver. ${solve.chips} chips = 1 bb.`),
    ),
  ];
}

function amounts(solve) {
  return h(
    "div",
    { class: "form-row two" },
    field(solve, "pot", "Pot, chips"),
    field(solve, "stack", "Stacks behind, chips"),
  );
}

/** Sizes by street, for both players or for the one out of position. */
function sizes(solve) {
  const count = solve.values.board.replaceAll(" ", "").length / 2;
  const isFlop = count <= 3;
  const usual = { "": isFlop ? "75%" : "50%,100%,a", _flop: isFlop ? "33%,75%" : "", _turn: "", _river: "", _oop: "" };
  const streets = STREETS.filter(([, , cards]) => cards >= count).map(([name, text]) => [`_${name}`, text]);
  const rows = [["", "All streets"], ...streets, ["_oop", "OOP only"]];
  const cell = (key, of, text) =>
    field(solve, key + of, `${key === "bets" ? "Bets" : "Raises"}, ${text}`, {
      class: "bare",
      placeholder: key === "bets" ? usual[of] : of ? "" : isFlop ? "3x" : "2.5x,a",
    });
  return h(
    "section",
    { class: "panel solve-sizes", "aria-label": "sizes" },
    h(
      "div",
      { class: "sizes" },
      h("h2", null, "Sizes"),
      h("span", { class: "dim" }, "bets"),
      h("span", { class: "dim" }, "raises"),
      rows.map(([of, text]) => [
        h("span", { class: "dim", key: `name${of}` }, text),
        cell("bets", of, text),
        cell("raises", of, text),
      ]),
    ),
    h(
      "div",
      { class: "form-row two" },
      field(solve, "donks", "Donk bets", { placeholder: "as bets" }),
      selectField({
        label: "Aggressor before",
        value: solve.values.aggressor,
        options: [
          ["ip", "IP"],
          ["oop", "OOP"],
          ["none", "nobody"],
        ],
        onchange: (value) => solve.change({ aggressor: value }),
      }),
    ),
  );
}

/** When to stop, and what to solve on. */
export function limits(solve) {
  const { values, options, isSpot } = solve;
  const threads = [
    ["", "as needed"],
    ...Array.from({ length: options.threads }, (_, place) => [String(place + 1), String(place + 1)]),
  ];
  const devices = [
    ["cpu", "CPU"],
    ["cuda", "GPU"],
    ["auto", "GPU if there"],
  ];
  const choose = (key, label, offered) =>
    selectField({
      label,
      value: values[key],
      options: offered,
      error: solve.errors[key],
      onchange: (value) => solve.change({ [key]: value }),
    });
  return [
    h(
      "div",
      { class: "form-row three" },
      field(solve, "target", isSpot ? "Until, % of pot" : "Until, units"),
      field(solve, "seconds", "Seconds", { placeholder: "no limit" }),
      field(solve, "iterations", "Iterations", { placeholder: "no limit" }),
    ),
    h(
      "div",
      { class: "form-row two" },
      choose("device", "Solve on", devices),
      choose("threads", "Threads", threads),
      isSpot ? null : algorithm(solve),
    ),
  ];
}

function algorithm(solve) {
  const usual = solve.isSpot ? "dcfr" : "cfr+";
  const options = [["", `usual (${usual})`], ...solve.options.algorithms.map((each) => [each, each])];
  return selectField({
    label: "Algorithm",
    value: solve.values.algorithm,
    options,
    onchange: (value) => solve.change({ algorithm: value }),
  });
}

function more(solve) {
  const changed = RARE.filter((key) => solve.values[key] !== solve.base[key]).length;
  const isOpen = solve.isMoreOpen ?? changed > 0;
  const toggle = (event) => {
    event.preventDefault();
    solve.isMoreOpen = !isOpen;
    solve.page.redraw();
  };
  const precision = selectField({
    label: "Memory per number",
    value: solve.values.precision,
    options: [
      ["", "as needed"],
      ["32", "32 bits"],
      ["16", "16 bits"],
    ],
    onchange: (value) => solve.change({ precision: value }),
  });
  return h(
    "details",
    { class: "panel solve-more", open: isOpen },
    h(
      "summary",
      { onclick: toggle },
      h("h2", null, "More"),
      h("span", { class: "dim" }, changed ? `${changed} changed` : "rake, all-in rules, locks, algorithm"),
    ),
    h(
      "div",
      { class: "form-row two" },
      field(solve, "stack_ip", "Stack of IP, if other"),
      precision,
      field(solve, "rake", "Rake, % of the pot"),
      field(solve, "rake_cap", "Most rake, chips", { placeholder: "no cap" }),
      field(solve, "add_all_in", "Add all-in up to, pots"),
      field(solve, "force_all_in", "Force all-in below, pots"),
      field(solve, "merge", "Merge sizes closer than, pots"),
      algorithm(solve),
    ),
    areaField({
      label: "Locks",
      value: solve.values.locks,
      rows: 3,
      error: solve.errors.locks,
      placeholder: "x b50% = f 0.6, c 0.4",
      hint: "One per line: line of play = shares. docs/solving.md has more.",
      oninput: (text) => solve.change({ locks: text }),
    }),
  );
}
