// SPDX-License-Identifier: MIT
// The library as cards: game, what it is, strength in words, size and date; searched and filtered where it is long.

import { h } from "../lib/dom.js";
import { withQuery } from "../lib/api.js";
import { ago, bytes } from "../lib/format.js";
import { withSuits } from "../parts/cards.js";
import { selectField, textField } from "../parts/fields.js";
import { button, emptyState } from "../parts/panels.js";

const FORMS = {
  spot: "Solved spot",
  table: "Solved game",
  networks: "Networks",
  values: "Value network",
  onnx: "ONNX model",
  run: "Run",
};
const LEVELS = {
  "near-optimal": ["good", "Near-optimal"],
  strong: ["good", "Strong"],
  practice: ["warn", "For practice"],
  unknown: ["", "Not measured"],
};
const GAMES = {
  nlhe: "No-limit hold'em",
  "hunl-100bb": "No-limit hold'em",
  "short-deck": "Short-deck hold'em",
  leduc: "Leduc hold'em",
  kuhn: "Kuhn poker",
  holdem: "Limit hold'em",
};
const LONG = 6; // entries from which on a search pays
const SHOWN = 48; // cards at first

const formOf = (entry) => (entry.kind === "run" ? "run" : entry.form);
const gameOf = (entry) => GAMES[entry.game] ?? entry.game;

export function library(home) {
  const { entries, page } = home;
  const found = entries.filter((each) => matches(each, page.query));
  const shown = page.query.all ? found : found.slice(0, SHOWN);
  return h(
    "section",
    { class: "home-library", "aria-label": "library" },
    h(
      "div",
      { class: "home-title" },
      h("h2", null, "Library"),
      h(
        "span",
        { class: "dim num", role: "status" },
        found.length === entries.length ? `${entries.length} entries` : `${found.length} of ${entries.length} entries`,
      ),
    ),
    entries.length > LONG ? filters(home) : null,
    found.length
      ? h("ul", { class: "entries" }, shown.map(card))
      : emptyState(
          "Nothing in the library matches.",
          button("Show all", () => choose(home, { q: null, game: null, kind: null })),
        ),
    shown.length < found.length
      ? button(`Show ${found.length - shown.length} more`, () => choose(home, { all: 1 }))
      : null,
  );
}

function matches(entry, { q = "", game, kind }) {
  if (game && entry.game !== game) return false;
  if (kind && formOf(entry) !== kind) return false;
  const text = `${entry.name} ${entry.game} ${gameOf(entry)} ${entry.about} ${entry.algorithm}`.toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((each) => text.includes(each));
}

function choose(home, changes) {
  home.page.setQuery(changes, { replace: true });
  home.page.redraw();
}

function filters(home) {
  const { entries, page } = home;
  const games = [...new Set(entries.map((each) => each.game).filter(Boolean))].sort();
  const kinds = [...new Set(entries.map(formOf))].filter((each) => each in FORMS);
  return h(
    "div",
    { class: "home-filters" },
    textField({
      label: "Search the library",
      kind: "search",
      value: page.query.q,
      placeholder: "name, board, algorithm",
      oninput: (q) => choose(home, { q, all: null }),
    }),
    selectField({
      label: "Game",
      value: page.query.game ?? "",
      options: [["", "All games"], ...games],
      onchange: (game) => choose(home, { game, all: null }),
    }),
    selectField({
      label: "Kind",
      value: page.query.kind ?? "",
      options: [["", "All kinds"], ...kinds.map((each) => [each, FORMS[each]])],
      onchange: (kind) => choose(home, { kind, all: null }),
    }),
  );
}

function card(entry) {
  const id = encodeURIComponent(entry.id);
  const [colour, level] = LEVELS[entry.level] ?? LEVELS.unknown;
  const isRun = entry.kind === "run";
  const address = entry.has_nodes ? `/study/${id}` : isRun ? withQuery("/runs", { run: entry.id }) : null;
  return h(
    "li",
    { class: "entry panel", key: entry.id },
    h(
      "div",
      { class: "entry-head" },
      h("span", { class: "entry-game" }, gameOf(entry) || FORMS[formOf(entry)]),
      h("span", { class: "badge" }, FORMS[formOf(entry)] ?? "Strategy"),
      entry.is_shipped ? h("span", { class: "badge" }, "Shipped") : null,
    ),
    h("h3", null, address ? h("a", { href: address }, entry.name) : entry.name),
    h("p", { class: "entry-about" }, withSuits(capital(entry.about))),
    entry.error
      ? h("p", { class: "bad" }, entry.error)
      : h("p", { class: "entry-strength" }, h("b", { class: colour }, `${level}. `), words(entry)),
    h("p", { class: "dim entry-facts num" }, facts(entry)),
    h(
      "div",
      { class: "entry-links" },
      links(entry, id).map(([text, href]) =>
        h("a", { class: "button small", href, key: text, "aria-label": `${text} ${entry.name}` }, text),
      ),
    ),
  );
}

/** The sentence of the strength without its level, which stands before it. */
function words({ strength }) {
  const rest = strength.replace(/^(Near-optimal|Close to optimal|A practice bot): /, "");
  return capital(rest);
}

const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

function facts(entry) {
  const when = entry.created ? ago(Date.parse(entry.created)) : null;
  return [entry.algorithm, entry.size === null ? null : bytes(entry.size), when].filter(Boolean).join(" · ");
}

function links(entry, id) {
  const found = [];
  if (entry.error) return found;
  if (entry.has_nodes) found.push(["Study", `/study/${id}`]);
  found.push(["Play", withQuery("/play", { with: entry.id })]);
  if (entry.has_nodes) found.push(["Practise", `/practice/${id}`]);
  if (entry.kind === "run") found.push(["Curves", withQuery("/runs", { run: entry.id })]);
  return found;
}
