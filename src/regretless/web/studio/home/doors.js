// SPDX-License-Identifier: MIT
// Three doors, each for one kind of user: study for players, play for those who build bots, train for researchers.

import { h } from "../lib/dom.js";
import { get, post, withQuery } from "../lib/api.js";
import { store, stored } from "../lib/preferences.js";
import { cards } from "../parts/cards.js";
import { icon } from "../parts/icons.js";

const PRESET = "bb-btn-3bet";
const BOARD = "Td9d6hQc";
const OPPONENT = "hunl-deep-cfr"; // of the heads-up strategies that ship, a best response wins the least from it
const RECIPE = "leduc_cfr";
const SEAT = "seat";
const TARGET = 0.5; // % of the pot
const STARTED_MILLISECONDS = 100;

export function doors(home) {
  return h("div", { class: "doors" }, study(home), play(home), train(home));
}

function door({ name, title, user, text, picture, button, note, links }) {
  return h(
    "section",
    { class: `door panel door-${name}`, "aria-label": title },
    h(
      "div",
      { class: "door-head" },
      h("span", { class: "door-icon" }, icon(user.icon, 20)),
      h("div", null, h("h2", null, title), h("span", { class: "dim" }, user.who)),
    ),
    h("p", { class: "door-text" }, text),
    h(
      "div",
      { class: "door-try" },
      picture,
      h("div", { class: "door-what" }, button, h("span", { class: "dim" }, note)),
    ),
    h(
      "div",
      { class: "door-links" },
      links.map(([label, href]) => h("a", { href, key: href }, label)),
    ),
  );
}

function start(home, name, label, work) {
  const isBusy = home.busy === name;
  return h(
    "button",
    { class: "button primary", type: "button", disabled: Boolean(home.busy), onclick: () => home.begin(name, work) },
    icon(isBusy ? "clock" : "play"),
    h("span", null, isBusy ? "One moment…" : label),
  );
}

function study(home) {
  return door({
    name: "study",
    title: "Study",
    user: { icon: "search", who: "for players" },
    text: "Solve any spot, see what every hand does and what it earns, lock a node, and practise until it sticks.",
    picture: h("div", { class: "door-picture" }, cards(BOARD, "small")),
    button: start(home, "study", "Open a turn", solveTurn),
    note: "3-bet pot, BB v BTN, solved in a second",
    links: [
      ["Choose a spot", "/solve"],
      ["Preflop charts", "/preflop"],
      ["Practise", "/practice"],
    ],
  });
}

function play(home) {
  return door({
    name: "play",
    title: "Play",
    user: { icon: "cards", who: "for players and bot builders" },
    text: "Two to nine seats with strategies and bots, and a review of every hand. Your own bot joins over the API.",
    picture: h(
      "div",
      { class: "door-picture door-felt", "aria-hidden": "true" },
      h("span", { class: "door-seat" }),
      h("span", { class: "door-pot" }),
      h("span", { class: "door-seat" }),
    ),
    button: start(home, "play", stored(SEAT, null) ? "Back to your table" : "Play heads-up", sitDown),
    note: `no-limit hold'em, against ${OPPONENT}`,
    links: [
      ["Set up a table", "/play"],
      ["API for bots", "/api/docs"],
      ["Cross-play", "/cross"],
    ],
  });
}

function train(home) {
  return door({
    name: "train",
    title: "Train",
    user: { icon: "chart", who: "for researchers" },
    text: "Start a run, watch its exploitability fall, compare seeds, and study the strategy at any checkpoint.",
    picture: h("div", { class: "door-picture", "aria-hidden": "true" }, curve()),
    button: start(home, "train", "Start a run", startRun),
    note: "Leduc hold'em by CFR: a few seconds",
    links: [
      ["Recipes and runs", "/runs"],
      ["Leaderboard", "/leaderboard"],
    ],
  });
}

/** A falling curve, as runs have it. */
function curve() {
  const points = [...Array(24).keys()].map(
    (x) => `${x ? "L" : "M"}${4 + x * 4} ${(8 + 34 * (1 - Math.exp(-x / 6)) + (x % 3 === 1 ? 2 : 0)).toFixed(1)}`,
  );
  return h(
    "svg",
    { class: "door-curve", viewBox: "0 0 100 50", width: 100, height: 50 },
    h("path", { d: "M4 4V46H98", class: "axis" }),
    h("path", { d: points.join("") }),
  );
}

/** Solves the preset, and waits until there is a strategy to show. */
async function solveTurn() {
  const { presets } = await get("/presets");
  const spot = presets.find((each) => each.name === PRESET).spot;
  const job = await post("/solves", { spot: { ...spot, board: BOARD }, target: TARGET });
  for (
    let now = job;
    ["waiting", "running"].includes(now.status) && !now.progress.iterations;
    now = await get(`/jobs/${job.id}`)
  )
    await new Promise((done) => setTimeout(done, STARTED_MILLISECONDS));
  return `/study/solve/${job.id}`;
}

/** Opens a table heads-up, unless this browser has a seat; the page of the table finds the seat here. */
async function sitDown() {
  if (!(await hasSeat())) {
    const players = [
      { kind: "outside", name: "you" },
      { kind: "strategy", name: OPPONENT },
    ];
    const { table, tokens } = await post("/tables", { players });
    store(SEAT, { table, token: tokens[0] });
  }
  return "/play";
}

/** Whether the seat that this browser keeps is at a table that is still open. */
async function hasSeat() {
  const seat = stored(SEAT, null);
  if (!seat) return false;
  try {
    const path = `/tables/${encodeURIComponent(seat.table)}`;
    return !(await get(path, { headers: { "x-seat-token": seat.token } })).is_closed;
  } catch {
    return false;
  }
}

async function startRun() {
  const run = await post("/runs", { recipe: RECIPE });
  return withQuery("/runs", { run: run.id });
}
