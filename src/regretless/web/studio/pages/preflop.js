// SPDX-License-Identifier: MIT
// `/preflop`: charts for any stack and number of players. The spot and the decision are in the address.

import { h } from "../lib/dom.js";
import { follow, get, post, withQuery } from "../lib/api.js";
import { duration, isKnown, number } from "../lib/format.js";
import { button, emptyState, panel, progressBar } from "../parts/panels.js";
import { chartPanel, handPanel } from "../preflop/chart.js";
import { decisionsPanel, playersPanel } from "../preflop/decisions.js";
import { DEFAULTS, findErrors, formPanel, isForTwo, isQuick, toRequest } from "../preflop/form.js";

const TYPING_MILLISECONDS = 200;
const LOOK_MILLISECONDS = 400;
const CHIPS = 10; // in a big blind, in the solve form
const COLUMNS = ["line", "seat", "hand", "combos", "reach", "action", "probability", "ev"];

export function open(page) {
  page.isWide = true;
  page.title = "Preflop";
  const charts = new Charts(page);
  page.onQuery = () => charts.load();
  page.keys(
    {
      v: () => charts.set({ view: charts.view === "ev" ? null : "ev" }),
      n: () => charts.step(1),
      p: () => charts.step(-1),
      s: () => charts.solve(),
    },
    [
      ["v", "strategy or EV"],
      ["n p", "next and previous decision"],
      ["s", "solve"],
      ["arrows", "move in the chart, Enter keeps a hand"],
    ],
  );
  page.onClose(() => clearTimeout(charts.timer));
  charts.load();
  return () => view(charts);
}

function view(charts) {
  return h(
    "div",
    { class: "preflop" },
    h(
      "div",
      { class: "preflop-left" },
      formPanel(charts),
      charts.solution ? playersPanel(charts) : null,
      charts.solution ? exports(charts) : null,
    ),
    charts.solution ? chartPanel(charts) : waiting(charts),
    h(
      "div",
      { class: "preflop-right" },
      charts.job && charts.solution ? jobPanel(charts) : null,
      charts.solution ? [decisionsPanel(charts), handPanel(charts)] : null,
    ),
  );
}

function waiting(charts) {
  if (charts.problem)
    return panel({ class: "preflop-chart", label: "charts" }, h("p", { class: "bad", role: "alert" }, charts.problem));
  if (charts.job) return h("div", { class: "preflop-chart" }, jobPanel(charts));
  return panel(
    { class: "preflop-chart", label: "charts" },
    emptyState(charts.isStale ? "Press Solve to see the charts." : "Solving …"),
  );
}

function jobPanel({ job, cancel }) {
  const { forecast_seconds: forecast, iterations, exploitability } = job.progress;
  const progress = isKnown(iterations)
    ? `${number(iterations, 0)} iterations, ${exploitability.toExponential(1)}`
    : job.status;
  return panel(
    { title: "Solving", aside: button("Stop", cancel, { kind: "small danger", name: "stop" }) },
    progressBar(Math.min(job.seconds / (forecast ?? 10), 0.97), "progress"),
    h(
      "p",
      { class: "dim num", role: "status" },
      `${duration(job.seconds)}, expected about ${duration(forecast ?? 10)}; ${progress}`,
    ),
  );
}

function exports(charts) {
  return h(
    "div",
    { class: "row" },
    button("Download CSV", () => charts.download(), { kind: "small", name: "download" }),
  );
}

class Charts {
  constructor(page) {
    Object.assign(this, {
      page,
      values: { ...DEFAULTS },
      errors: {},
      solution: null,
      job: null,
      problem: "",
      pointed: "",
      showsAll: false,
      isStale: false,
    });
  }

  get query() {
    return this.page.query;
  }

  get view() {
    return this.query.view === "ev" ? "ev" : "strategy";
  }

  get seats() {
    return this.solution.players
      .map(({ seat }) => seat)
      .filter((seat) => this.solution.decisions.some((each) => each.seat === seat));
  }

  /** The decision of the address, else the first. */
  get decision() {
    const { decisions } = this.solution;
    const { seat, after = "" } = this.query;
    return decisions.find((each) => each.seat === seat && each.line.join(",") === after) ?? decisions[0];
  }

  get shown() {
    return this.query.pin || this.pointed;
  }

  get isTournament() {
    return this.opensMore ?? ["prizes", "stacks", "others"].some((key) => this.values[key].trim());
  }

  load() {
    this.values = Object.fromEntries(
      Object.entries(DEFAULTS).map(([key, value]) => [key, (this.query[key] ?? value).trim()]),
    );
    if (!(Number(this.values.players) >= 2 && Number(this.values.players) <= 9)) this.values.players = DEFAULTS.players;
    this.errors = findErrors(this.values);
    if (JSON.stringify(this.values) !== this.solved) return this.solve();
    return this.page.redraw();
  }

  /** Charts of two players follow what is typed; others are solved when asked for. */
  change(changes) {
    Object.assign(this.values, changes);
    this.errors = findErrors(this.values);
    this.isStale = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.remember();
      if (isQuick(this.values)) this.solve();
    }, TYPING_MILLISECONDS);
    this.page.redraw();
  }

  remember() {
    const changes = Object.entries(this.values).map(([key, value]) => [
      key,
      value === DEFAULTS[key] ? null : value || " ",
    ]);
    this.page.setQuery(Object.fromEntries(changes), { replace: true });
  }

  solve() {
    clearTimeout(this.timer);
    this.remember();
    if (Object.keys(this.errors).length) return this.page.redraw();
    const turn = (this.turns = (this.turns ?? 0) + 1);
    if (this.job) this.cancel();
    this.isStale = false;
    return this.page.act(() => this.ask(turn));
  }

  async ask(turn) {
    const asked = JSON.stringify(this.values);
    this.problem = "";
    this.page.redraw();
    try {
      const { job, solution } = await post("/preflop", toRequest(this.values));
      if (turn !== this.turns) return;
      if (job) this.watch(job, turn);
      else Object.assign(this, { solution, job: null, solved: asked });
    } catch (error) {
      if (error.status === undefined) throw error;
      if (turn === this.turns) Object.assign(this, { problem: error.message, solution: null, solved: asked });
    }
    this.page.redraw();
  }

  watch(job, turn) {
    Object.assign(this, { job, solution: null });
    const see = (seen) => {
      if (turn !== this.turns) return;
      this.job = seen;
      if (seen.status === "done") this.page.act(() => this.ask(turn));
      if (seen.status === "failed") Object.assign(this, { problem: seen.error, job: null });
      if (seen.status === "cancelled") Object.assign(this, { job: null, isStale: true });
      this.page.redraw();
    };
    follow(
      this.page,
      () => get(`/jobs/${job.id}`),
      see,
      ({ status }) => turn !== this.turns || !["waiting", "running"].includes(status),
      LOOK_MILLISECONDS,
    );
  }

  cancel = () => {
    const { job } = this;
    this.job = null;
    return this.page.act(async () => {
      if (["waiting", "running"].includes(job.status)) await post(`/jobs/${job.id}/cancel`);
    });
  };

  set(changes) {
    this.page.setQuery(changes, { replace: true });
    this.page.redraw();
  }

  choose(place) {
    const { seat, line } = this.solution.decisions[place];
    this.set({ seat, after: line.join(",") });
  }

  /** The decision of a seat that is met most often. */
  chooseSeat(seat) {
    const own = this.solution.decisions.filter((each) => each.seat === seat);
    const best = own.reduce((a, b) => (b.frequency > a.frequency ? b : a));
    this.choose(this.solution.decisions.indexOf(best));
  }

  step(by) {
    if (!this.solution) return;
    const { decisions } = this.solution;
    this.choose((decisions.indexOf(this.decision) + by + decisions.length) % decisions.length);
  }

  preview(name) {
    if (this.query.pin || name === null || name === this.pointed) return;
    this.pointed = name;
    this.page.redraw();
  }

  toggleAll() {
    this.showsAll = !this.showsAll;
    this.page.redraw();
  }

  toggleTournament(event) {
    event.preventDefault();
    this.opensMore = !this.isTournament;
    this.page.redraw();
  }

  /** The range that plays an action, in short. */
  async rangeOf(decision, action) {
    const { classes } = this.solution;
    const weights = classes.map((_, place) => decision.reaches[place] * decision.strategy[action][place]);
    const text = classes
      .map((name, place) => `${name}:${Math.min(Number(weights[place].toFixed(3)), 1)}`)
      .filter((each) => !each.endsWith(":0"));
    return (await post("/ranges", { text: text.join(",") })).text;
  }

  copy(action) {
    return this.page.act(async () => {
      const text = await this.rangeOf(this.decision, action);
      await navigator.clipboard.writeText(text);
      this.page.say(`Copied: ${text.slice(0, 160)}${text.length > 160 ? " …" : ""}`);
    });
  }

  /** The bet that both have put in if an action sees a flop with chips behind, in big blinds; else null. */
  flopAfter(action) {
    const { decision, values } = this;
    const last = decision.line.at(-1) ?? "";
    if (!isForTwo(values) || !["call", "check"].includes(decision.actions[action])) return null;
    if (last === "limp") return 1;
    return last.startsWith("raise ") ? Number(last.slice(6)) : null;
  }

  /** Opens the solve form with the ranges of both players; the small blind has the button. */
  solveFlop(action) {
    return this.page.act(async () => {
      const { decision, values, solution } = this;
      const before = solution.decisions.find((each) => each.line.join() === decision.line.slice(0, -1).join());
      const bet = this.flopAfter(action);
      const big = Number(values.big_blind);
      const antes = (2 * Number(values.ante) + Number(values.big_blind_ante)) / big;
      const behind = Number(values.stack) / big - bet - Number(values.ante) / big;
      const own = await this.rangeOf(decision, action);
      const other = await this.rangeOf(before, before.actions.indexOf(decision.line.at(-1)));
      const isBig = decision.seat === "BB";
      const raiser = decision.line.at(-1) === "limp" ? "none" : isBig ? "ip" : "oop";
      const [pot, stack] = [Math.round(CHIPS * (2 * bet + antes)), Math.round(CHIPS * behind)];
      const [range_oop, range_ip] = isBig ? [own, other] : [other, own];
      this.page.go(withQuery("/solve", { pot, stack, range_oop, range_ip, aggressor: raiser }));
    });
  }

  download() {
    const { classes, combos, decisions } = this.solution;
    const quoted = (text) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const rows = decisions.flatMap((each) =>
      classes.flatMap((name, place) =>
        each.actions.map((action, row) =>
          [
            quoted(each.text),
            each.seat,
            name,
            combos[place],
            each.reaches[place],
            action,
            each.strategy[row][place],
            each.evs[row][place] ?? "",
          ].join(","),
        ),
      ),
    );
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([[COLUMNS.join(","), ...rows, ""].join("\n")], { type: "text/csv" }));
    link.download = "preflop.csv";
    link.click();
    URL.revokeObjectURL(link.href);
  }
}
