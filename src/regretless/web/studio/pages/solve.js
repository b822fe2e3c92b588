// SPDX-License-Identifier: MIT
// `/solve`: a spot or a small game, with its cost while it is described. Everything in the form is in the address.

import { h } from "../lib/dom.js";
import { follow, get, post } from "../lib/api.js";
import { store, stored } from "../lib/preferences.js";
import { RangeEditor } from "../parts/range_editor.js";
import { answerPanel } from "../solve/answer.js";
import { boardPanel } from "../solve/board.js";
import { formPanel } from "../solve/form.js";
import { baseValues, FIELDS, fieldOf, findErrors, readQuery, toQuery, toRequest } from "../solve/form_values.js";

const TYPING_MILLISECONDS = 250;
const LOOK_MILLISECONDS = 400;

export async function open(page) {
  page.isWide = true;
  page.title = "Solve";
  const [options, { presets, chips }] = await Promise.all([get("/solves/options"), get("/presets")]);
  const solve = new Solve(page, options, presets, chips);
  page.onQuery = () => solve.load();
  page.keys({ s: () => solve.begin(), e: () => solve.explore(), x: () => solve.finish() }, [
    ["s", "solve"],
    ["e", "explore the solution"],
    ["x", "stop, and keep the strategy"],
    ["arrows, space", "in a grid: move, paint"],
  ]);
  page.onClose(() => clearTimeout(solve.timer));
  solve.load();
  return () => view(solve);
}

function view(solve) {
  const middle = solve.isSpot
    ? [
        boardPanel(solve),
        h(
          "div",
          { class: "solve-ranges" },
          solve.editors.map((each, seat) => each.view({ title: solve.seatName(seat) })),
        ),
      ]
    : gameText(solve);
  return h(
    "div",
    { class: { solve: true, plain: !solve.isSpot } },
    formPanel(solve),
    h("div", { class: "solve-spot" }, middle),
    answerPanel(solve),
  );
}

function gameText({ game }) {
  return h(
    "section",
    { class: "panel", "aria-label": "game" },
    h("h2", null, game.name),
    h("p", null, game.description),
    h("p", { class: "dim" }, "The whole game is solved, for two players."),
  );
}

class Solve {
  constructor(page, options, presets, chips) {
    Object.assign(this, { page, options, presets, chips });
    Object.assign(this, { forecast: null, problem: "", job: null, result: null, saveName: "", isStarting: false });
    this.opensItself = stored("solve.opens", false);
    this.editors = ["oop", "ip"].map(
      (seat) => new RangeEditor(page, seat.toUpperCase(), (text) => this.change({ [`range_${seat}`]: text })),
    );
    for (const each of this.editors) each.offered = offeredRanges(presets);
  }

  get game() {
    return this.options.games.find(({ name }) => name === this.values.game);
  }

  get isSpot() {
    return this.game.is_spot;
  }

  get preset() {
    return this.presets.find(({ name }) => name === this.values.preset) ?? null;
  }

  /** Whether the spot differs from its preset. */
  get isChanged() {
    return Object.keys(this.preset?.spot ?? {}).some((key) => this.values[key] !== this.base[key]);
  }

  get isRunning() {
    return this.isStarting || ["waiting", "running"].includes(this.job?.status);
  }

  /** Whether every field can be read. */
  get isReadable() {
    const hasRanges = !this.isSpot || this.editors.every((each) => !each.error);
    return hasRanges && !Object.keys(this.errors).length;
  }

  get canSolve() {
    return this.isReadable && !this.problem && !this.isRunning;
  }

  seatName(seat) {
    const side = ["OOP", "IP"][seat];
    return this.preset ? `${side} · ${[this.preset.oop, this.preset.ip][seat]}` : side;
  }

  /** Takes the form from the address, and the job that it names. */
  load() {
    const { query } = this.page;
    Object.assign(this, readQuery(query, this.presets, this.options.games));
    this.show();
    if (query.job && query.job !== this.job?.id) this.watch(query.job);
    if (!query.job) Object.assign(this, { job: null, result: null });
    this.showCost();
  }

  show() {
    if (this.isSpot)
      this.editors.forEach((each, seat) =>
        this.page.act(() => each.set(this.values[["range_oop", "range_ip"][seat]], this.values.game, this.game.ranks)),
      );
    this.errors = findErrors(this.values, this.isSpot);
    this.page.redraw();
  }

  change(changes) {
    Object.assign(this.values, changes);
    this.show();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.showCost(), TYPING_MILLISECONDS);
  }

  /** Begins with another preset; the board and the limits stay. */
  choosePreset(name) {
    const { board, target, iterations, seconds, threads, precision, device, algorithm } = this.values;
    this.base = baseValues(
      "nlhe",
      this.presets.find((each) => each.name === name),
    );
    const kept = { target, iterations, seconds, threads, precision, device, algorithm };
    this.values = { ...this.base, ...kept, ...(this.values.game === "nlhe" ? { board } : {}) };
    this.change({});
  }

  chooseGame(game) {
    Object.assign(this, readQuery({ game }, this.presets, this.options.games));
    this.change({});
  }

  /** Asks for memory and time of what the form says, and keeps the form in the address. */
  async showCost() {
    const { page } = this;
    const job = this.job ? { job: this.job.id } : {};
    const chosen = toQuery(this.values, this.base);
    page.setQuery({ ...Object.fromEntries(FIELDS.map((key) => [key, null])), ...chosen, ...job }, { replace: true });
    const turn = (this.turns = (this.turns ?? 0) + 1);
    const { forecast, problem } = await this.cost();
    if (turn !== this.turns) return;
    Object.assign(this, { forecast, problem });
    const field = problem && fieldOf(problem, this.values);
    if (field && !field.startsWith("range_")) this.errors[field] = problem;
    page.redraw();
  }

  /** The forecast of the server, or the line that says why there is none. */
  async cost() {
    const nothing = { forecast: null, problem: "" };
    await this.rangesRead();
    if (!this.isReadable) return nothing; // the fields say why
    try {
      return { forecast: await post("/solves/forecast", toRequest(this.values, this.isSpot)), problem: "" };
    } catch (error) {
      if (error.status === undefined) throw error;
      return { ...nothing, problem: error.message };
    }
  }

  async rangesRead() {
    if (this.isSpot) await Promise.all(this.editors.map((each) => each.ready));
  }

  begin() {
    return this.page.act(async () => {
      clearTimeout(this.timer);
      await this.showCost();
      if (!this.canSolve) return;
      this.isStarting = true;
      try {
        const job = await post("/solves", toRequest(this.values, this.isSpot));
        Object.assign(this, { job, result: null });
        this.page.setQuery({ job: job.id }, { replace: true });
        this.watch(job.id);
      } finally {
        this.isStarting = false;
        this.page.redraw();
      }
    });
  }

  /** Follows a job to its end. */
  watch(id) {
    this.stopWatching?.();
    let wasRunning = false;
    const see = (job) => {
      const before = this.job?.status;
      this.job = job;
      wasRunning ||= job.status === "running";
      if (job.status === "done" && before !== "gone") this.page.act(() => this.finished(id));
      if (this.opensItself && wasRunning && job.progress.iterations > 0) this.explore();
      this.page.redraw();
    };
    const ask = async () => {
      try {
        return await get(`/jobs/${id}`);
      } catch (error) {
        if (error.status !== 404) throw error;
        return { id, status: "gone", progress: {} };
      }
    };
    this.stopWatching = follow(
      this.page,
      ask,
      see,
      ({ status }) => !["waiting", "running"].includes(status),
      LOOK_MILLISECONDS,
    );
  }

  async finished(id) {
    const { result } = await get(`/jobs/${id}/result`);
    if (this.job?.id !== id) return;
    this.result = result;
    this.saveName ||= `${result.game}-${this.isSpot ? this.values.board.replaceAll(" ", "") : id.slice(0, 4)}`;
    this.page.redraw();
  }

  /** Opens the spot, as far as it is solved. */
  explore() {
    if (this.job && (this.job.status === "done" || this.job.progress.iterations > 0))
      this.page.go(`/study/solve/${this.job.id}`);
  }

  finish() {
    if (this.isRunning) return this.page.act(() => post(`/solves/${this.job.id}/finish`));
    return undefined;
  }

  cancel() {
    return this.page.act(() => post(`/jobs/${this.job.id}/cancel`));
  }

  setOpens(value) {
    this.opensItself = value;
    store("solve.opens", value);
    this.page.redraw();
  }

  save() {
    return this.page.act(async () => {
      const entry = await post(`/solves/${this.job.id}/save`, { name: this.saveName });
      this.page.say(`Saved as ${entry.name}.`);
      this.page.go(`/study/${encodeURIComponent(entry.id)}`);
    });
  }
}

/** The ranges of the presets with a name each: [name, text]. */
function offeredRanges(presets) {
  const found = new Map();
  for (const { title, pot_type: type, stacks, oop, ip, spot } of presets)
    for (const [seat, text] of [
      [oop, spot.range_oop],
      [ip, spot.range_ip],
    ])
      found.set(`${seat}: ${title}, ${type}, ${stacks} bb`, text);
  return [...found];
}
