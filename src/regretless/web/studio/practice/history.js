// SPDX-License-Identifier: MIT
// Answers that this browser keeps, by strategy: figures, streaks and drills of mistakes come from them.

import { stored, store } from "../lib/preferences.js";

const KEY = "practice";
const MOST_ANSWERS = 600; // of one strategy
const MOST_STRATEGIES = 12;
const SESSION_MILLISECONDS = 30 * 60_000; // a longer pause begins a new session
const WINDOW = 20; // answers of a point of the chart
const ACTS = { f: "fold", x: "check", c: "call", b: "bet", r: "raise", a: "all-in" };

/** An action without its size: `bet`, `fold`; in other games its text. */
const actOf = ({ word, text }) => (/^([fxca]|[br][\d.]+(bb)?)$/.test(word) ? ACTS[word[0]] : text);

/** The answer to an exercise as it is kept. */
export function answerOf(exercise, place) {
  const chosen = exercise.choices[place];
  const best = exercise.choices[exercise.best];
  const [did, should] = [actOf(chosen), actOf(best)];
  const { line, hand, street, position, pot_kind: pot, facing, unit } = exercise;
  return {
    at: Date.now(),
    line,
    hand,
    street,
    position,
    pot,
    facing,
    unit,
    chosen: chosen.text,
    best: best.text,
    mix: chosen.mix,
    lost: chosen.lost,
    share: chosen.lost_share,
    good: chosen.is_good,
    mistake: chosen.is_good ? "" : did === should ? `${did} of another size` : `${did}, not ${should}`,
  };
}

/** How bad an answer was: the share of the pot that it lost, else how rare it is. */
const badness = (answer) => (answer.good ? 0 : (answer.share ?? 1 - answer.mix));

export class History {
  constructor(id) {
    this.id = id;
    this.rows = stored(KEY, {})[id]?.rows ?? [];
  }

  add(answer, name) {
    this.rows = [...this.rows, answer].slice(-MOST_ANSWERS);
    const others = Object.entries(stored(KEY, {})).filter(([id]) => id !== this.id);
    const kept = others.sort(([, a], [, b]) => b.rows.at(-1).at - a.rows.at(-1).at).slice(0, MOST_STRATEGIES - 1);
    store(KEY, Object.fromEntries([[this.id, { name, rows: this.rows }], ...kept]));
  }

  clear() {
    this.rows = [];
    const { [this.id]: _, ...others } = stored(KEY, {});
    store(KEY, others);
  }

  /** The answers since the last long pause. */
  get session() {
    let begin = this.rows.length;
    let next = Date.now();
    while (begin > 0 && next - this.rows[begin - 1].at < SESSION_MILLISECONDS) next = this.rows[--begin].at;
    return this.rows.slice(begin);
  }

  /** Good answers in a row, now and at most. */
  get streaks() {
    let now = 0;
    let most = 0;
    for (const { good } of this.rows) {
      now = good ? now + 1 : 0;
      most = Math.max(most, now);
    }
    return { now, most };
  }

  /** Decisions whose last answer was no good one, the worst first. */
  mistakes(wanted = {}) {
    const last = new Map();
    for (const each of this.rows) last.set(`${each.line} ${each.hand}`, each);
    const fits = (answer) => Object.entries(wanted).every(([name, value]) => !value || answer[name] === value);
    return [...last.values()].filter((each) => !each.good && fits(each)).sort((a, b) => badness(b) - badness(a));
  }
}

/** {count, good, share, lost, unit} of some answers; what is not known is null. */
export function figuresOf(rows) {
  const known = rows.filter((each) => each.share !== null);
  const mean = (of) => (known.length ? known.reduce((sum, each) => sum + of(each), 0) / known.length : null);
  const units = new Set(known.map((each) => each.unit));
  return {
    count: rows.length,
    good: rows.length ? rows.filter((each) => each.good).length / rows.length : null,
    share: mean((each) => each.share),
    lost: units.size === 1 ? mean((each) => each.lost) : null,
    unit: known[0]?.unit ?? "",
  };
}

/** Figures of the answers by the values of a field, those that lose the most first. */
export function figuresBy(rows, field) {
  const groups = new Map();
  for (const each of rows) groups.set(each[field], [...(groups.get(each[field]) ?? []), each]);
  return [...groups]
    .filter(([name]) => name)
    .map(([name, of]) => ({ name, ...figuresOf(of) }))
    .sort((a, b) => (b.share ?? 1 - b.good) - (a.share ?? 1 - a.good));
}

/** Points of progress: for each answer the mean of the last twenty. */
export function progressOf(rows, of) {
  return rows.map((_, place) => {
    const part = rows
      .slice(Math.max(0, place - WINDOW + 1), place + 1)
      .map(of)
      .filter((each) => each !== null);
    return [place + 1, part.length ? part.reduce((a, b) => a + b, 0) / part.length : null];
  });
}

/** Every strategy that was practised here: {id, name, count, good, at}. */
export function practised() {
  return Object.entries(stored(KEY, {})).map(([id, { name, rows }]) => ({
    id,
    name,
    ...figuresOf(rows),
    at: rows.at(-1)?.at ?? 0,
  }));
}
