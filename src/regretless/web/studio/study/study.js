// SPDX-License-Identifier: MIT
// The state of the study page: what is chosen (the address has it), and what was loaded for it.

import { get, post } from "../lib/api.js";
import { number } from "../lib/format.js";
import { preference, store, stored } from "../lib/preferences.js";
import { keepsOf } from "./filters.js";
import { Node, VIEWS } from "./model.js";
import { plansOfLocks } from "./plans.js";

const WATCH_MILLISECONDS = 2000;
const RECENT = 8; // studies that the home page offers again
const LOADS = ["step", "with", "by"]; // parts of the address that the server is asked for

export const isRunning = (job) => job?.status === "running" || job?.status === "waiting";

export class Study {
  constructor(page) {
    Object.assign(this, { page, node: null, picked: [], pointed: "", rank: "", tree: null, steps: null, job: null });
    Object.assign(this, { other: null, compared: null, entries: null, runoutRows: null, runoutMean: null });
    this.id = page.params.job ? `solve/${page.params.job}` : page.params.id;
    this.saveName = null;
    this.loads = 0;
    this.lock = { how: "played", whose: "all", shares: {}, job: null, result: null };
    const kept = stored(this.locksKey, { plans: [], job: null });
    this.plans = new Map(kept.plans.map((each) => [each.line, each]));
    this.lockJob = kept.job;
  }

  get locksKey() {
    return `locks.${this.id}`;
  }

  get query() {
    return this.page.query;
  }

  get turn() {
    return Math.max(this.node.actor, 0);
  }

  /** The seat whose range is in the large square: that of the address, else the one to act. */
  get seat() {
    const asked = Number(this.query.seat);
    return this.query.seat !== undefined && this.node.seats[asked] ? asked : this.turn;
  }

  get view() {
    const { view } = this.query;
    return view in VIEWS && this.node.knows(view, this.seat) ? view : "strategy";
  }

  get views() {
    return Object.entries(VIEWS).filter(([name]) => this.node.knows(name, this.seat));
  }

  get areBoth() {
    return this.query.ranges === "both" && this.node.isGrid && this.node.seats.length === 2;
  }

  get pin() {
    return this.query.pin ?? "";
  }

  /** The class whose combos are shown: the pinned one, else the one that the pointer or the keys are on. */
  get shown() {
    return this.pin || this.pointed;
  }

  get keeps() {
    const { node, seat, query } = this;
    const { made, draw, suits, action } = query;
    return node.once(`keeps ${seat} ${[made, draw, suits, action]}`, null, () => keepsOf(node, seat, query));
  }

  /** What is asked of the server for a node. */
  asked(line = this.query.line ?? "") {
    const step = this.query.step === undefined ? null : Number(this.query.step);
    return { id: this.id, line, step, unit: preference("unit") };
  }

  /** Loads a node; `changes` of the address are made when it has come. Equities and the tree follow. */
  async load({ newest = false, changes = {} } = {}) {
    const { page } = this;
    const asked = this.asked("line" in changes ? changes.line : undefined);
    if ("step" in changes) asked.step = changes.step;
    const load = ++this.loads;
    const answer = await post("/study", { ...asked, newest });
    if (load !== this.loads || page.isClosed) return;
    page.setQuery(changes, { replace: !("line" in changes) });
    const isSame = this.node?.line === answer.line;
    this.node = new Node(answer, isSame ? this.node.equities : null); // a moment old, until the new ones come
    if (!isSame) Object.assign(this, { picked: [], tree: null, runoutRows: null, rank: "" });
    page.title = this.node.name;
    page.redraw();
    this.loadMore(asked, load);
  }

  /** Equities, next actions and reports, which take longer, when the node is on the screen. */
  loadMore(asked, load) {
    const later = (path, take, body = asked) =>
      this.page.act(async () => {
        const found = await post(path, body);
        if (load !== this.loads) return;
        take(found);
        this.page.redraw();
      });
    const { node, query } = this;
    later("/study/equities", ({ equities }) => node.setEquities(equities));
    if (node.hasTurn) later("/study/tree", ({ rows }) => Object.assign(this, { tree: rows }));
    if (node.isChance && node.is_solved && query.report)
      later("/runouts", ({ cards, mean }) => Object.assign(this, { runoutRows: cards, runoutMean: mean }), {
        id: this.id,
        line: asked.line,
      });
    if (query.with) this.loadOther(asked, load);
    else Object.assign(this, { other: null, compared: null });
  }

  async loadOther(asked, load) {
    const { with: second, by = "actions" } = this.query;
    const found = { other: null, compared: null };
    try {
      const comparison = { first: this.id, second, line: asked.line, by };
      found.compared = await post("/comparison", comparison);
      found.other = new Node(await post("/study", { ...asked, id: second, step: null }));
    } catch (error) {
      if (error.status === undefined) throw error;
      found.compared = { error: error.message };
    }
    if (load !== this.loads) return;
    Object.assign(this, found);
    this.page.redraw();
  }

  /** What runs beside the page: the list of recent studies, checkpoints, a solve that is not done. */
  async begin() {
    const { page, node, id } = this;
    const others = stored("recent", []).filter((each) => each.id !== id);
    store("recent", [{ id, name: node.name, game: node.game, at: Date.now() }, ...others].slice(0, RECENT));
    if (node.kind === "run") this.steps = await get(`/library/${encodeURIComponent(id)}/steps`);
    if (!page.params.job) return;
    if (!this.plans.size) this.plans = plansOfLocks(await get(`/solves/${page.params.job}/locks`));
    const stop = page.every(WATCH_MILLISECONDS, async () => {
      const wasRunning = isRunning(this.job);
      this.job = await get(`/jobs/${page.params.job}`);
      if (wasRunning) await this.load({ newest: true });
      if (!isRunning(this.job)) stop();
      page.redraw();
    });
  }

  /** Goes to another node. */
  go(line) {
    return this.page.act(() => this.load({ changes: { line, seat: null, action: null } }));
  }

  /** Changes what is chosen on the page; only some of it asks the server. */
  set(changes) {
    if ("step" in changes) return this.page.act(() => this.load({ changes }));
    this.page.setQuery(changes, { replace: true });
    this.page.redraw();
    const isAsked = LOADS.some((name) => name in changes) || changes.report;
    return isAsked ? this.page.act(() => this.load()) : undefined;
  }

  setLock(changes) {
    Object.assign(this.lock, changes);
    this.page.redraw();
  }

  keepPlans() {
    const kept = { plans: [...this.plans.values()], job: this.lock.job?.id ?? null };
    store(this.locksKey, this.plans.size ? kept : null);
    this.page.redraw();
  }

  preview(name) {
    if (this.pin || name === this.pointed || name === null) return;
    this.pointed = name;
    this.page.redraw();
  }

  /** Pins a class, or lets it go. */
  pinClass(name, seat = this.seat) {
    const isSame = name === this.pin && seat === this.seat;
    this.set({ pin: isSame ? null : name, hand: null, tab: null, seat: seat === this.turn ? null : seat });
  }

  pick(card) {
    this.picked = this.picked.includes(card) ? this.picked.filter((each) => each !== card) : [...this.picked, card];
    if (this.picked.length < this.node.here.cards_due) return this.page.redraw();
    return this.go(`${this.node.line} | ${this.picked.join("")}`.trim());
  }

  findEntries() {
    if (this.entries) return;
    this.entries = []; // asked once
    this.page.act(async () => {
      const { entries } = await get("/library");
      const game = entries.find((each) => each.id === this.id)?.game;
      const fits = (each) => each.id !== this.id && each.kind !== "onnx" && each.game === (game ?? each.game);
      this.entries = entries.filter(fits);
      this.page.redraw();
    });
  }

  /** How good the strategy is, in one line; of a solve that runs, how far it is. */
  get strength() {
    const { exploitability: value, exploitability_unit: unit } = this.job?.progress ?? {};
    const measured = typeof value === "number" ? `, exploitability ${number(value, 3)} ${unit}` : "";
    return this.node.strength + measured;
  }
}
