// SPDX-License-Identifier: MIT
// `/study/<id>?line=…` and `/study/solve/<job>`: any node of a strategy on one screen.
// Everything that is chosen is in the address.

import { h } from "../lib/dom.js";
import { get, post } from "../lib/api.js";
import { number, percent } from "../lib/format.js";
import { preference, stored, store } from "../lib/preferences.js";
import { sliderField } from "../parts/fields.js";
import { keepsOf, Node, VIEWS, wordText } from "../study/model.js";
import { lineOfPlay } from "../study/line.js";
import { otherRanges, rangePanel } from "../study/ranges.js";
import { decisionPanel } from "../study/decision.js";
import { sidePanel, solvedEntries } from "../study/side.js";
import { locksOfSolve } from "../study/locks.js";

const WATCH_MILLISECONDS = 2000;
const RECENT = 8; // studies that the home page offers again

export async function open(page) {
  page.isWide = true;
  const study = new Study(page);
  await study.load();
  await study.begin();
  page.onQuery = () => study.load();
  return () => view(study);
}

function view(study) {
  return [
    study.steps.length ? checkpoints(study) : null,
    lineOfPlay(study),
    h(
      "div",
      { class: { study: true, plain: !study.node.isGrid }, "data-line": study.node.line },
      rangePanel(study),
      decisionPanel(study),
      h("div", { class: "study-right" }, otherRanges(study), sidePanel(study)),
    ),
  ];
}

/** A run's strategy at the checkpoints it kept. */
function checkpoints(study) {
  const { steps } = study;
  const at =
    study.query.step === undefined ? steps.length : steps.findIndex((each) => String(each.step) === study.query.step);
  const text = at < steps.length ? steps[at].text : "the newest";
  return h(
    "div",
    { class: "panel checkpoints" },
    sliderField({
      label: "Checkpoint",
      value: at,
      min: 0,
      max: steps.length,
      text,
      onchange: (place) => study.set({ step: place < steps.length ? steps[place].step : null }),
    }),
  );
}

class Study {
  constructor(page) {
    Object.assign(this, {
      page,
      picked: [],
      pointed: null,
      tree: null,
      steps: [],
      locks: new Map(),
      filterGroup: "",
      rank: "",
      saveName: "",
      entries: null,
      other: null,
      compared: null,
    });
    this.id = page.params.job ? `solve/${page.params.job}` : page.params.id;
    this.lock = { how: "played", whose: "all", shares: {}, job: null, result: null };
    this.runoutRows = null;
  }

  get query() {
    return this.page.query;
  }

  get turn() {
    return Math.max(this.node.actor, 0);
  }

  get seat() {
    const asked = Number(this.query.seat);
    return this.query.seat !== undefined && asked >= 0 && asked < this.node.seats.length ? asked : this.turn;
  }

  get view() {
    return this.query.view in VIEWS ? this.query.view : "strategy";
  }

  get pin() {
    return this.query.pin ?? "";
  }

  /** The class whose combos are shown: the pinned one, else the one that the pointer or the keys are on. */
  get shown() {
    return this.pin || this.pointed || "";
  }

  get keeps() {
    return keepsOf(this.node, this.seat, this.query);
  }

  /** What runs beside the page: keys, checkpoints, a solve that is not done. */
  async begin() {
    const { page } = this;
    page.keys(this.keyHandlers(), [
      ["1 … 9", "choose an action"],
      ["Backspace", "one step back"],
      ["Home", "the start"],
      ["v", "next view of the grid"],
      ["s", "the other range"],
      ["/", "filters"],
      ["l", "lock"],
      ["K h", "at a card: its rank, then its suit"],
      ["arrows", "move in the grid, Enter pins"],
    ]);
    const { node } = this;
    store(
      "recent",
      [
        { id: this.id, name: node.name, game: node.game, at: Date.now() },
        ...stored("recent", []).filter((each) => each.id !== this.id),
      ].slice(0, RECENT),
    );
    if (node.kind === "run") this.steps = await get(`/library/${encodeURIComponent(this.id)}/steps`);
    if (!page.params.job) return;
    this.locks = await locksOfSolve(page.params.job);
    const stop = page.every(WATCH_MILLISECONDS, async () => {
      const before = this.job?.status;
      this.job = await get(`/jobs/${page.params.job}`);
      const isOver = !["running", "waiting"].includes(this.job.status);
      if (before && (before === "running" || !isOver)) await this.load({ newest: true });
      if (isOver) stop();
    });
  }

  async load({ newest = false } = {}) {
    const { page, query } = this;
    const asked = {
      id: this.id,
      line: query.line ?? "",
      step: query.step === undefined ? null : Number(query.step),
      unit: preference("unit"),
    };
    const turn = (this.turns = (this.turns ?? 0) + 1);
    const answer = await post("/study", { ...asked, newest });
    if (turn !== this.turns) return;
    const isSame = this.node?.line === answer.line && !newest;
    const equities =
      isSame && this.node.name === answer.name && this.loadedStep === query.step ? this.node.equities : null;
    Object.assign(this, { answer, node: new Node(answer, equities), loadedStep: query.step });
    if (!isSame) Object.assign(this, { picked: [], tree: null, runoutRows: newest ? this.runoutRows : null, rank: "" });
    page.title = this.node.name;
    page.note = `${this.node.game} · ${this.node.strength}`;
    page.redraw();
    this.loadMore(asked, turn);
  }

  /** Equities and next actions, which take longer, when the node is on the screen; then the second solution. */
  loadMore(asked, turn) {
    const later = (path, take) =>
      this.page.act(async () => {
        const found = await post(path, asked);
        if (turn !== this.turns) return;
        take(found);
        this.page.redraw();
      });
    if (!this.node.equities)
      later("/study/equities", ({ equities }) => {
        this.node = new Node(this.answer, equities);
      });
    if (!this.tree && this.node.hasTurn)
      later("/study/tree", ({ rows }) => {
        this.tree = rows;
      });
    this.loadOther(asked, turn);
  }

  async loadOther(asked, turn) {
    const second = this.query.with;
    if (!second) {
      this.other = this.compared = null;
      return;
    }
    const by = this.query.by ?? "actions";
    try {
      this.compared = await post("/comparison", { first: this.id, second, line: asked.line, by });
      this.other = await post("/study", { ...asked, id: second, step: null });
    } catch (error) {
      if (error.status === undefined) throw error;
      Object.assign(this, { compared: { error: error.message }, other: null });
    }
    if (turn === this.turns) this.page.redraw();
  }

  /** Goes to another node. */
  go(line) {
    this.page.setQuery({ line, seat: null, action: null });
    return this.page.act(() => this.load());
  }

  /** Changes what is chosen on the page; only a checkpoint or a second solution asks the server. */
  set(changes) {
    this.page.setQuery(changes, { replace: !("step" in changes) });
    if ("step" in changes || "with" in changes || "by" in changes) this.page.act(() => this.load());
    this.page.redraw();
  }

  setLock(changes) {
    Object.assign(this.lock, changes);
    this.page.redraw();
  }

  preview(name) {
    if (this.pin || name === this.pointed || name === null) return;
    this.pointed = name;
    this.page.redraw();
  }

  openFilter(name) {
    this.filterGroup = name;
    this.page.redraw();
  }

  pick(card) {
    this.picked = this.picked.includes(card) ? this.picked.filter((each) => each !== card) : [...this.picked, card];
    if (this.picked.length < this.node.here.cards_due) return this.page.redraw();
    return this.go(`${this.node.line} | ${this.picked.join("")}`.trim());
  }

  /** What the deck is coloured by: EV of a seat, or a column of the report of all cards. */
  runouts() {
    const { node } = this;
    const metrics = node.seats
      .map((each, seat) => [`ev ${each.name}`, `EV of ${each.name}`])
      .filter((_, seat) => node.cards.some(([, values]) => values[seat] !== null));
    const known = this.runoutRows?.[0]
      ? Object.keys(this.runoutRows[0]).filter(
          (each) => !["card", "cards", "weight"].includes(each) && !each.startsWith("ev "),
        )
      : [];
    for (const name of known)
      metrics.push([name, name.startsWith("equity ") ? `equity of ${name.slice(7)}` : wordText(name)]);
    const metric = metrics.some(([name]) => name === this.query.colour) ? this.query.colour : metrics[0]?.[0];
    const figures = new Map();
    const seat = node.seats.findIndex((each) => `ev ${each.name}` === metric);
    if (seat >= 0) for (const [card, values] of node.cards) figures.set(card, values[seat]);
    else
      for (const row of this.runoutRows ?? []) for (const card of row.cards.split(" ")) figures.set(card, row[metric]);
    this.isRunoutShare = seat < 0;
    return { metrics, metric, figures };
  }

  runoutText(value) {
    return this.isRunoutShare ? percent(value) : `${number(value)} ${this.node.unit}`;
  }

  findRunouts() {
    this.isFindingRunouts = true;
    this.page.redraw();
    return this.page.act(async () => {
      const { line } = this.node;
      try {
        const { cards } = await post("/runouts", { id: this.id, line });
        if (this.node.line === line) this.runoutRows = cards;
      } finally {
        this.isFindingRunouts = false;
        this.page.redraw();
      }
    });
  }

  findEntries() {
    return this.page.act(async () => {
      this.entries = await solvedEntries(this.id);
      this.page.redraw();
    });
  }

  keyHandlers() {
    const handlers = {};
    for (let place = 1; place <= 9; place++)
      handlers[place] = () =>
        this.node.hasTurn
          ? this.node.here.choices[place - 1] && this.go(this.node.here.choices[place - 1][2])
          : this.typeCard(String(place));
    for (const each of "AKQJT") handlers[each] = handlers[each.toLowerCase()] = () => this.typeCard(each);
    for (const each of "hdc") handlers[each] = () => this.typeCard(each);
    handlers.s = () => (this.rank ? this.typeCard("s") : this.set({ seat: (this.seat + 1) % this.node.seats.length }));
    handlers.v = () => {
      const names = Object.keys(VIEWS);
      this.set({ view: names[(names.indexOf(this.view) + 1) % names.length] });
    };
    handlers.l = () => this.node.is_spot && this.set({ side: "lock" });
    handlers["/"] = () => document.querySelector(".filters button")?.focus();
    handlers.Backspace = () => this.node.spots.length > 1 && this.go(this.node.spots[this.node.spots.length - 2].line);
    handlers.Home = () => this.go("");
    return handlers;
  }

  /** A card by its rank, then its suit. */
  typeCard(sign) {
    if (!this.node.isChance) return undefined;
    if ("shdc".includes(sign)) {
      const card = this.rank + sign;
      this.rank = "";
      return this.node.cards.some(([each]) => each === card) ? this.pick(card) : undefined;
    }
    this.rank = sign;
    return undefined;
  }
}
