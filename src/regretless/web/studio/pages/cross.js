// SPDX-License-Identifier: MIT
// `/cross`: a round-robin of strategies and bots; what is chosen is in the address, the result in a matrix.

import { h } from "../lib/dom.js";
import { follow, get, post } from "../lib/api.js";
import { duration, isKnown, percent } from "../lib/format.js";
import { checkField, selectField, textField } from "../parts/fields.js";
import { button, chip, panel, progressBar } from "../parts/panels.js";
import { crossMatrix } from "../runs/matrix.js";
import { trainHead } from "../runs/tabs.js";

const MOST_PLAYERS = 10;
const USUAL = { hands: "20000", game: "leduc", seats: "2" };
const OVER = ["done", "failed", "cancelled"];
const BOT = "bot:"; // before the name of a bot in the address

export async function open(page) {
  page.title = "Cross-play";
  const cross = new Cross(page);
  await cross.load();
  page.onQuery = () => page.redraw();
  return () => view(cross);
}

class Cross {
  constructor(page) {
    Object.assign(this, { page, entries: [], games: [], bots: [], job: null, result: null, error: "" });
  }

  async load() {
    const [{ entries }, { games, bots }] = await Promise.all([get("/library"), get("/games")]);
    const sound = entries.filter((each) => !each.error);
    Object.assign(this, { entries: sound, games: games.map((each) => each.name), bots });
    if (this.page.query.job) await this.watch(this.page.query.job);
  }

  /** Ids of strategies, and bots with `bot:` in front. */
  get chosen() {
    const known = new Set([...this.entries.map((each) => each.id), ...this.bots.map((each) => BOT + each)]);
    return (this.page.query.players ?? "").split(",").filter((each) => known.has(each));
  }

  get hasStrategy() {
    return this.chosen.some((each) => !each.startsWith(BOT));
  }

  value(name) {
    return this.page.query[name] ?? USUAL[name];
  }

  get isRunning() {
    return Boolean(this.job) && !OVER.includes(this.job.status);
  }

  set(changes) {
    this.error = "";
    for (const [name, value] of Object.entries(changes)) if (value === USUAL[name]) changes[name] = null;
    this.page.setQuery(changes, { replace: true });
    this.page.redraw();
  }

  toggle(name) {
    const { chosen } = this;
    const next = chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name];
    this.set({ players: next.join(",") || null });
  }

  wish() {
    const { chosen } = this;
    if (chosen.length < 2 || chosen.length > MOST_PLAYERS) throw new Error(`players: choose 2 to ${MOST_PLAYERS}`);
    const players = chosen.map((each) =>
      each.startsWith(BOT) ? { kind: "bot", name: each.slice(BOT.length) } : { kind: "strategy", name: each },
    );
    const wish = { players, hands: whole("hands", this.value("hands")), aivat: this.page.query.aivat === "1" };
    if (this.hasStrategy) return wish; // its game
    return { ...wish, game: this.value("game"), seats: whole("seats", this.value("seats")) };
  }

  async play() {
    try {
      const { id } = await post("/matches/cross", this.wish());
      this.result = null;
      this.page.setQuery({ job: id }, { replace: true });
      await this.watch(id);
    } catch (error) {
      this.error = error.message;
    }
    this.page.redraw();
  }

  /** Follows a job; one that the server has forgotten is left out of the address. */
  async watch(id) {
    try {
      this.job = await get(`/jobs/${encodeURIComponent(id)}`);
    } catch (error) {
      if (error.status !== 404) throw error;
      this.page.setQuery({ job: null }, { replace: true });
      return;
    }
    const ask = () => get(`/jobs/${encodeURIComponent(id)}`);
    const each = (job) => {
      this.job = job;
      this.page.redraw();
      if (job.status === "done") this.page.act(() => this.read(id));
    };
    follow(this.page, ask, each, (job) => job.id !== this.job?.id || OVER.includes(job.status), 400);
  }

  async read(id) {
    const { result } = await get(`/jobs/${encodeURIComponent(id)}/result`);
    if (id === this.job?.id) this.result = result;
    this.page.redraw();
  }

  cancel() {
    return this.page.act(async () => {
      this.job = await post(`/jobs/${this.job.id}/cancel`);
      this.page.redraw();
    });
  }
}

function whole(name, text) {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${name}: a whole number above 0`);
  return Number(text);
}

function view(cross) {
  return [
    trainHead("/cross"),
    h("div", { class: "cross-page" }, form(cross), h("div", { class: "stack" }, progress(cross), outcome(cross))),
  ];
}

function form(cross) {
  const { chosen, entries } = cross;
  const aside = h("span", { class: "dim num" }, `${chosen.length} of ${MOST_PLAYERS}`);
  const games = [...new Set(entries.map((each) => each.game))].sort();
  return panel(
    { title: "Players", aside, class: "cross-form" },
    games.map((game) =>
      players(
        cross,
        `Strategies of ${game}`,
        entries.filter((each) => each.game === game).map((each) => each.id),
      ),
    ),
    players(
      cross,
      "Bots, of any game",
      cross.bots.map((each) => BOT + each),
    ),
    cross.hasStrategy ? null : gameFields(cross),
    textField({
      label: "Hands per pair",
      kind: "number",
      min: 2,
      value: cross.value("hands"),
      oninput: (hands) => cross.set({ hands }),
    }),
    checkField({
      label: "Reduce luck (AIVAT)",
      value: cross.page.query.aivat === "1",
      hint: "small games, and hold'em for two",
      onchange: (isOn) => cross.set({ aivat: isOn ? "1" : null }),
    }),
    cross.error ? h("p", { class: "bad form-error", role: "alert" }, cross.error) : null,
    button("Play", () => cross.play(), { kind: "primary", name: "play", disabled: cross.isRunning }),
    h("p", { class: "dim hint" }, "Choose two or more players of one game. Every pair plays the same deals."),
  );
}

function players(cross, label, names) {
  const { chosen } = cross;
  return h(
    "div",
    { class: "stack players", role: "group", "aria-label": label, key: label },
    h("h3", { class: "dim" }, label),
    h(
      "div",
      { class: "player-chips" },
      names.map((each) =>
        chip(each.replace(BOT, ""), chosen.includes(each), () => cross.toggle(each), { key: each }),
      ),
    ),
  );
}

function gameFields(cross) {
  return h(
    "div",
    { class: "form-row" },
    selectField({
      label: "Game",
      value: cross.value("game"),
      options: cross.games,
      onchange: (game) => cross.set({ game }),
    }),
    textField({
      label: "Seats",
      kind: "number",
      min: 2,
      max: MOST_PLAYERS,
      value: cross.value("seats"),
      oninput: (seats) => cross.set({ seats }),
    }),
  );
}

function progress(cross) {
  const { job, isRunning } = cross;
  if (!job) return null;
  const { what, share } = job.progress;
  const text = isRunning
    ? `${job.status}${what ? `: ${what}` : ""}${isKnown(share) ? `, ${percent(share, 0)}` : ""}`
    : `${job.status} after ${duration(job.seconds)}${job.error ? `: ${job.error}` : ""}`;
  return h(
    "div",
    { class: "stack panel" },
    h(
      "div",
      { class: "row" },
      h("span", { role: "status", class: { bad: job.status === "failed", "form-error": true } }, text),
      h("span", { class: "grow" }),
      isRunning ? button("Cancel", () => cross.cancel(), { kind: "small", name: "close" }) : null,
    ),
    isRunning ? progressBar(share ?? 0, "hands played") : null,
  );
}

function outcome(cross) {
  if (cross.result) return panel({ title: "Winnings" }, crossMatrix(cross.result));
  const text = "The matrix shows what each player wins from each other, with 95 % intervals.";
  return cross.job ? null : h("p", { class: "dim empty-state" }, text);
}
