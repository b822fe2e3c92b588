// SPDX-License-Identifier: MIT
// `/practice/<id>`: decisions of a strategy to practise, one request each; `/practice` chooses the strategy. What is
// drilled is in the address: street, position, pot, facing, one `line`, or the visitor's own mistakes.

import { h } from "../lib/dom.js";
import { get, post, withQuery } from "../lib/api.js";
import { preference } from "../lib/preferences.js";
import { button, emptyState } from "../parts/panels.js";
import { chooser } from "../practice/chooser.js";
import { exercisePanel } from "../practice/exercise.js";
import { filterBar } from "../practice/filters.js";
import { answerOf, History } from "../practice/history.js";
import { progressPanel } from "../practice/progress.js";

const FIELDS = ["street", "position", "pot", "facing"];
const MOST_SEED = 2 ** 53;

export async function open(page) {
  page.isWide = true;
  if (!page.params.id) {
    page.title = "Practice";
    const { entries } = await get("/library");
    return () => chooser(entries);
  }
  const practice = new Practice(page);
  await practice.next();
  if (practice.error?.status === 404) throw practice.error;
  page.title = `Practice with ${practice.exercise?.name ?? page.params.id}`;
  page.onQuery = () => practice.changed();
  page.keys(practice.keyHandlers(), [
    ["1 … 9", "choose an action"],
    ["Enter, n", "the next decision"],
  ]);
  return () => view(practice);
}

function view(practice) {
  return h(
    "div",
    { class: "practice" },
    filterBar(practice),
    h(
      "div",
      { class: "practice-body" },
      practice.exercise ? exercisePanel(practice) : nothing(practice),
      progressPanel(practice),
    ),
  );
}

function nothing(practice) {
  const text = practice.isMistakes
    ? "No mistakes left here: the last answer to each of these decisions was good."
    : practice.error.message;
  return h(
    "section",
    { class: "exercise panel", "aria-label": "exercise" },
    emptyState(
      text,
      button("All decisions", () => practice.choosePart("all"), { kind: "primary" }),
    ),
  );
}

class Practice {
  constructor(page) {
    Object.assign(this, {
      page,
      exercise: null,
      answer: null,
      error: null,
      offers: null,
      span: "session",
      curve: "good",
      group: "",
      isClearing: false,
      isOpen: false,
    });
    this.id = page.params.id;
    this.history = new History(this.id);
    this.asked = new Set(); // mistakes that came again in this round
  }

  get isMistakes() {
    return this.page.query.of === "mistakes";
  }

  get wanted() {
    return Object.fromEntries([...FIELDS, "mistake"].map((name) => [name, this.page.query[name] ?? ""]));
  }

  /** Asks for the next decision; only an unknown strategy is an error of the page. */
  async next() {
    const turn = (this.turns = (this.turns ?? 0) + 1);
    const address = this.nextAddress();
    this.error = null;
    let found = null;
    try {
      if (address) found = await this.request(address);
    } catch (error) {
      if (error.status === undefined) throw error;
      this.error = error;
    }
    if (turn !== this.turns) return;
    Object.assign(this, { exercise: found, answer: null, offers: found?.offers ?? this.offers });
    this.page.redraw();
  }

  /** What the next request names: a mistake, a line, or filters. */
  nextAddress() {
    const { street, position, pot, facing } = this.wanted;
    if (this.isMistakes) {
      const due = this.history.mistakes(this.wanted);
      const next = due.find((each) => !this.asked.has(`${each.line} ${each.hand}`)) ?? due[0];
      if (!next) return null;
      this.asked.add(`${next.line} ${next.hand}`);
      return { line: next.line, hand: next.hand };
    }
    const seed = Math.floor(Math.random() * MOST_SEED);
    if (this.page.query.line !== undefined) return { line: this.page.query.line, seed };
    return { seed, street, position, pot, facing };
  }

  /** The address has changed, or the unit: then the same decision is shown in the new one. */
  async changed() {
    if (!this.exercise || preference("unit") === this.unit) return this.next();
    const { line, hand } = this.exercise;
    this.exercise = await this.request({ line, hand });
    return this.page.redraw();
  }

  request(address) {
    this.unit = preference("unit");
    return post("/practice", { id: this.id, unit: this.unit, ...address });
  }

  choose(place) {
    if (this.answer !== null || !this.exercise?.choices[place]) return;
    this.answer = place;
    this.isClearing = false;
    this.history.add(answerOf(this.exercise, place), this.exercise.name);
    this.page.redraw();
  }

  /** Practises only decisions with this value of a field. */
  filter(name, value) {
    const changes = { [name]: value || null, line: null };
    if (name === "mistake" && value) changes.of = "mistakes";
    return this.ask(changes);
  }

  /** All decisions, or those that were answered badly. */
  choosePart(part) {
    this.asked.clear();
    const none = Object.fromEntries([...FIELDS, "mistake", "line"].map((name) => [name, null]));
    return this.ask(part === "mistakes" ? { of: "mistakes", line: null } : { ...none, of: null });
  }

  ask(changes) {
    this.page.setQuery(changes);
    return this.page.act(() => this.next());
  }

  set(changes) {
    Object.assign(this, changes);
    this.page.redraw();
  }

  clear() {
    if (!this.isClearing) return this.set({ isClearing: true });
    this.history.clear();
    return this.set({ isClearing: false });
  }

  studyAddress({ line }) {
    const place = this.id.startsWith("solve/") ? this.id : encodeURIComponent(this.id);
    return withQuery(`/study/${place}`, { line });
  }

  spotAddress({ line }) {
    return `/practice/${encodeURIComponent(this.id)}?line=${encodeURIComponent(line)}`;
  }

  keyHandlers() {
    const handlers = {};
    for (let place = 1; place <= 9; place++) handlers[place] = () => this.choose(place - 1);
    handlers.Enter = handlers.n = () => this.answer !== null && this.next();
    return handlers;
  }
}
