// SPDX-License-Identifier: MIT
// The runs of the server as the page follows them: states, curves of those that are drawn, details of the chosen one.

import { get, post } from "../lib/api.js";

const EVERY_MILLISECONDS = 1000;
const QUIET_TURNS = 4; // while nothing trains, only every so often
const MOST_DRAWN = 6; // runs that are drawn without being asked for
const GOING_ON = ["starting", "running", "stopping"];
const OVERVIEW = ["strength", "loss", "time/steps_per_second", "sys/peak_memory_bytes", "cluster"];
const MOST_CHARTS = { strength: 4, loss: 2 }; // of a group, in the overview
export const AXES = { seconds: "seconds", iterations: "iterations", nodes: "nodes touched" };

export const isGoingOn = (state) => GOING_ON.includes(state.status);

/** Seeds as they are typed, `1-3, 7`; empty: the one of the recipe (null). Throws an Error with one line. */
export function seedsOf(text) {
  const found = [];
  for (const part of text.split(/[\s,]+/).filter(Boolean)) {
    const [, first, last] = part.match(/^(\d{1,15})(?:-(\d{1,15}))?$/) ?? [];
    if (first === undefined) throw new Error(`no seed: ${part}`);
    for (let seed = Number(first); seed <= Number(last ?? first) && found.length <= 20; seed++) found.push(seed);
  }
  if (found.length > 20) throw new Error("20 seeds at most");
  return found.length ? found : [null];
}

const linesOf = (text) =>
  text
    .split("\n")
    .map((each) => each.trim())
    .filter(Boolean);

export class Runs {
  constructor(page) {
    Object.assign(this, {
      page,
      states: [],
      measures: [],
      charts: [],
      detail: null,
      waiting: [], // starts that wait until the server has room
      started: [],
      recipes: null,
      filter: "",
      isLost: false,
      isLoading: false,
      turns: 0,
    });
    this.form = { recipe: "", seeds: "", keep: "", changes: "", forecast: null, error: "", isBusy: false };
    this.resumption = { id: "", changes: "", error: "" };
  }

  get query() {
    return this.page.query;
  }

  state(id) {
    return this.states.find((each) => each.id === id);
  }

  /** The runs that are drawn: those of the address, else some of one game, first those that go on. */
  get drawn() {
    const { runs, run } = this.query;
    if (runs !== undefined) return runs.split(",").filter((id) => this.state(id));
    if (run !== undefined && this.state(run)) return [run];
    const known = this.states.filter((each) => each.game);
    const first = [...known.filter(isGoingOn), ...known.filter((each) => !isGoingOn(each))];
    return first
      .filter((each) => each.game === first[0].game)
      .slice(0, MOST_DRAWN)
      .map((each) => each.id);
  }

  /** The run whose details are shown. */
  get chosen() {
    return this.state(this.query.run) ?? this.state(this.drawn[0]) ?? this.states[0];
  }

  get axis() {
    return this.query.x in AXES ? this.query.x : "seconds";
  }

  get show() {
    return this.query.show ?? "overview";
  }

  /** The groups that have measures. */
  get groups() {
    return [...new Set(this.measures.map((each) => each.group))];
  }

  /** The charts that are shown; the overview has a few of each group. */
  get shownCharts() {
    const { measure: alone } = this.query;
    if (alone) return this.charts.filter(({ measure }) => measure.name === alone);
    if (this.show !== "overview") return this.charts.filter(({ measure }) => measure.group === this.show);
    const counts = {};
    return this.charts.filter(({ measure }) => {
      counts[measure.group] = (counts[measure.group] ?? 0) + 1;
      return counts[measure.group] <= (MOST_CHARTS[measure.group] ?? 4);
    });
  }

  /** The colour of a curve, by the place of its first run among those that are drawn. */
  colourOf(id) {
    for (const { curves } of this.charts)
      for (const { runs } of curves)
        if (runs.includes(id)) return `var(--curve${Math.max(0, this.drawn.indexOf(runs[0])) % 8})`;
    return null;
  }

  begin() {
    this.page.every(EVERY_MILLISECONDS, () => this.turn());
  }

  /** Looks at what changed; a server that is busy or away is asked again later. */
  async turn() {
    const isQuiet = !this.isLost && !this.waiting.length && !this.states.some(isGoingOn);
    if (isQuiet && this.turns++ % QUIET_TURNS) return;
    try {
      await this.read();
      this.isLost = false;
    } catch (error) {
      if (error.status !== 0 && error.status !== 429) throw error;
      this.isLost = true;
      this.page.redraw();
    }
  }

  async read() {
    const { runs } = await get("/runs");
    const isNew = JSON.stringify(runs) !== JSON.stringify(this.states);
    this.states = runs;
    if (this.waiting.length) await this.startWaiting();
    await this.load();
    if (isNew) this.page.redraw();
  }

  /** Reads curves and details where something of them has changed. */
  async load() {
    const { drawn, chosen, query } = this;
    const shown = this.show === "overview" ? OVERVIEW : [this.show];
    const asked = {
      runs: drawn,
      only: query.view === "strategy" ? [] : query.measure ? [query.measure] : shown,
      axis: AXES[this.axis],
      together: query.seeds !== "apart",
      band: query.band === "95" ? "95%" : "range",
    };
    const stamp = JSON.stringify([asked, drawn.map((id) => [this.state(id).step, this.state(id).status])]);
    if (stamp !== this.curvesStamp && drawn.length) {
      const { measures, charts } = await post("/runs/curves", asked);
      Object.assign(this, { measures, charts, curvesStamp: stamp });
      this.page.redraw();
    } else if (!drawn.length) Object.assign(this, { measures: [], charts: [], curvesStamp: "" });
    const detailStamp = JSON.stringify(chosen ?? null);
    if (detailStamp === this.detailStamp) return;
    this.detail = chosen ? await get(`/runs/${encodeURIComponent(chosen.id)}`) : null;
    this.detailStamp = detailStamp;
    this.page.redraw();
  }

  /** Changes the address and reads what it needs. */
  async set(changes) {
    this.page.setQuery(changes, { replace: true });
    this.isLoading = true;
    this.page.redraw();
    await this.page.act(() => this.load());
    this.isLoading = false;
    this.page.redraw();
  }

  toggle(id) {
    const { drawn } = this;
    const next = drawn.includes(id) ? drawn.filter((each) => each !== id) : [...drawn, id];
    return this.set({ runs: next.join(",") || "none" });
  }

  async openForm() {
    await this.set({ new: 1 });
    await this.findRecipes();
  }

  async findRecipes() {
    if (this.recipes) return;
    const { recipes } = await get("/recipes");
    this.recipes = recipes.filter((each) => each.why_not === null);
    const wanted = this.query.recipe ?? "leduc_cfr";
    this.form.recipe = (this.recipes.find((each) => each.id === wanted) ?? this.recipes[0])?.id ?? "";
    this.page.redraw();
  }

  setForm(changes) {
    Object.assign(this.form, { forecast: null, error: "" }, changes);
    this.page.redraw();
  }

  /** What the form asks for, one request for each seed. */
  wishes() {
    const { recipe, seeds, keep, changes } = this.form;
    const overrides = [...linesOf(changes), ...(keep ? [`checkpoint.keep=${keep}`] : [])];
    return seedsOf(seeds).map((seed) => ({ recipe, seed, overrides }));
  }

  /** Does what a button of the form asks for; an error stands in the form. */
  async fromForm(work) {
    if (this.form.isBusy) return;
    this.setForm({ isBusy: true });
    try {
      await work(this.wishes());
    } catch (error) {
      this.form.error = error.message;
    }
    this.form.isBusy = false;
    this.page.redraw();
  }

  estimate() {
    return this.fromForm(async ([first]) => {
      this.form.forecast = await post("/runs/forecast", first);
    });
  }

  start() {
    return this.fromForm(async (wishes) => {
      Object.assign(this, { waiting: wishes, started: [], room: undefined });
      await this.startWaiting();
      this.page.setQuery({ new: null, recipe: null }, { replace: true });
      await this.read();
    });
  }

  /** Starts runs as far as the server has room; the others wait until one of its runs has ended. */
  async startWaiting() {
    const ours = () => this.states.filter((each) => each.is_ours).length;
    if (this.room !== undefined && ours() >= this.room) return;
    while (this.waiting.length) {
      try {
        const { id } = await post("/runs", this.waiting[0]);
        this.started.push(id);
      } catch (error) {
        if (error.status === 429 && this.started.length) {
          this.states = (await get("/runs")).runs;
          this.room = ours();
          return;
        }
        this.waiting = [];
        throw error;
      }
      this.waiting = this.waiting.slice(1);
      const runs = this.started.length > 1 ? this.started.join(",") : null;
      this.page.setQuery({ run: this.started[0], runs, measure: null, view: null }, { replace: true });
    }
  }

  dropWaiting() {
    this.waiting = [];
    this.page.redraw();
  }

  stop(id) {
    return this.page.act(async () => {
      await post(`/runs/${encodeURIComponent(id)}/stop`);
      await this.read();
    });
  }

  /** Opens the form that resumes a run; a larger budget is proposed where it is spent. */
  askResume(state) {
    const { steps, seconds } = state.budget;
    const more = steps ? `budget.steps=${2 * steps}` : seconds ? `budget.seconds=${2 * seconds}` : "";
    this.resumption = { id: state.id, changes: state.status === "done" ? more : "", error: "" };
    this.page.redraw();
  }

  async resume() {
    const { id, changes } = this.resumption;
    try {
      await post(`/runs/${encodeURIComponent(id)}/resume`, { overrides: linesOf(changes) });
      this.resumption = { id: "", changes: "", error: "" };
    } catch (error) {
      this.resumption.error = error.message;
    }
    this.page.redraw();
    await this.page.act(() => this.read());
  }
}
