// SPDX-License-Identifier: MIT
// What a node says of its hands: classes, filters, means. The server sends columns of all hands;
// everything here is arithmetic on them.

import { actionColours } from "../parts/actions.js";
import { SUITS } from "../parts/cards.js";
import { classNames } from "../parts/grid.js";

export const VIEWS = { strategy: "Strategy", ev: "EV", equity: "Equity", weight: "Weight", regret: "Regret" };
const SHAPES = ["suited", "offsuit", "pair"];
const KINDS = [...SHAPES, ..."shdc"]; // filters by suits
const LEAST_SHARE = 0.01; // of an action that a hand chooses at all
const STEPS = 1000; // of a share that is locked as it was played

const WORDS = { x: "check", c: "call", f: "fold", b: "bet ", r: "raise to " };

/** A word of a line as people say it: `b413` is `bet 413`. */
export const wordText = (word) => (word[0] in WORDS ? WORDS[word[0]] + word.slice(1).replace(/bb$/, " bb") : word);
export const plain = (name) => name.replaceAll("-", " ");

/** The class of two cards, `AKs`; other hands are their own class. */
export function classOf(hand) {
  if (hand.length !== 4 || !/[shdc]/.test(hand[1])) return hand;
  return hand[0] === hand[2] ? hand[0] + hand[2] : `${hand[0]}${hand[2]}${hand[1] === hand[3] ? "s" : "o"}`;
}

/** The node as the page uses it; `equities` may come later. */
export class Node {
  constructor(answer, equities = null) {
    Object.assign(this, answer);
    this.equities = equities;
    this.colours = actionColours(this.choices);
    this.isGrid = Boolean(this.ranks);
    this.isGrouped = this.group_names.length > 0;
    this.here = this.spots[this.spots.length - 1];
  }

  get hasTurn() {
    return this.choices.length > 0;
  }

  get isChance() {
    return this.cards.length > 0;
  }

  /** The class of each hand of a seat, by the kind of the game. */
  classes(seat) {
    const { hands, groups } = this.seats[seat];
    this.classCache ??= [];
    return (this.classCache[seat] ??= this.isGrouped
      ? groups.map((each) => this.group_names[each])
      : this.isGrid
        ? hands.map(classOf)
        : hands);
  }

  equitiesOf(seat) {
    return this.equities?.[seat] ?? null;
  }

  /** What each hand loses against its best action here; null where that is unknown. */
  regrets(seat) {
    if (seat !== this.actor) return null;
    return this.seats[seat].hands.map((_, hand) => {
      let best = -Infinity;
      let mean = 0;
      for (const { mix, values } of this.choices) {
        if (values[hand] === null) return null;
        best = Math.max(best, values[hand]);
        mean += mix[hand] * values[hand];
      }
      return best - mean;
    });
  }

  column(view, seat) {
    if (view === "ev") return this.seats[seat].values;
    if (view === "equity") return this.equitiesOf(seat);
    return view === "regret" ? this.regrets(seat) : this.seats[seat].weights;
  }

  /** A mean over hands that count, weighted by how likely each is; null where nothing counts. */
  mean(column, seat, keeps = null) {
    if (!column) return null;
    const { shares } = this.seats[seat];
    let sum = 0;
    let total = 0;
    for (let hand = 0; hand < shares.length; hand++) {
      if (!shares[hand] || column[hand] === null || (keeps && !keeps[hand])) continue;
      sum += shares[hand] * column[hand];
      total += shares[hand];
    }
    return total > 0 ? sum / total : null;
  }

  combos(seat, keeps = null) {
    return this.seats[seat].weights.reduce((sum, each, hand) => sum + (!keeps || keeps[hand] ? each : 0), 0);
  }
}

/** Figures of each class of a seat: {name, count, combos, weight, share, mix, ev, equity, regret}, by name. */
export function classFigures(node, seat, keeps, classes = node.classes(seat)) {
  const { weights, shares, values } = node.seats[seat];
  const columns = { ev: values, equity: node.equitiesOf(seat), regret: node.regrets(seat) };
  const choices = seat === node.actor ? node.choices : [];
  const found = new Map();
  for (let hand = 0; hand < weights.length; hand++) {
    const name = classes[hand];
    let of = found.get(name);
    if (!of)
      found.set(
        name,
        (of = {
          name,
          count: 0,
          combos: 0,
          share: 0,
          mix: choices.map(() => 0),
          sums: { ev: [0, 0], equity: [0, 0], regret: [0, 0] },
        }),
      );
    of.count += 1;
    const weight = keeps && !keeps[hand] ? 0 : weights[hand];
    if (!weight) continue;
    of.combos += weight;
    of.share += shares[hand];
    for (let i = 0; i < choices.length; i++) of.mix[i] += weight * choices[i].mix[hand];
    for (const name of Object.keys(columns)) {
      const value = columns[name]?.[hand];
      if (value === null || value === undefined) continue;
      of.sums[name][0] += weight * value;
      of.sums[name][1] += weight;
    }
  }
  for (const of of found.values()) {
    of.weight = of.combos / of.count;
    if (of.combos) of.mix = of.mix.map((each) => each / of.combos);
    for (const [name, [sum, total]] of Object.entries(of.sums)) of[name] = total ? sum / total : null;
  }
  return found;
}

/** All classes of the square, in its order; those that the range lacks are empty. */
export function squareFigures(node, seat, keeps) {
  const found = classFigures(node, seat, keeps);
  return classNames(node.ranks).map((name) => found.get(name) ?? { name, count: 0, combos: 0, weight: 0, mix: [] });
}

/** Filters in the address: `made`, `draw`, `suits`, `action`, names between commas. Null: no filter. */
export function keepsOf(node, seat, query) {
  const wanted = (name) => (query[name] ? query[name].split(",") : []);
  const tests = [];
  const { made, draws, hands } = node.seats[seat];
  if (made && wanted("made").length) {
    const codes = new Set(wanted("made").map((each) => node.made_names.indexOf(each)));
    tests.push((hand) => codes.has(made[hand]));
  }
  if (draws && wanted("draw").length) {
    const bits = wanted("draw").reduce((all, each) => all | (1 << Math.max(0, node.draw_names.indexOf(each))), 0);
    tests.push((hand) => (draws[hand] & bits) !== 0);
  }
  if (node.isGrid && wanted("suits").length)
    tests.push((hand) => wanted("suits").some((each) => hasSuits(hands[hand], each)));
  if (seat === node.actor && wanted("action").length) {
    const mixes = node.choices.filter((each) => wanted("action").includes(each.word)).map((each) => each.mix);
    if (mixes.length) tests.push((hand) => mixes.some((mix) => mix[hand] >= LEAST_SHARE));
  }
  return tests.length ? hands.map((_, hand) => tests.every((test) => test(hand))) : null;
}

function hasSuits(hand, word) {
  if (SHAPES.includes(word))
    return (hand[0] === hand[2] ? "pair" : hand[1] === hand[3] ? "suited" : "offsuit") === word;
  return hand[1] === word || hand[3] === word;
}

/** The groups of filters that a seat has here: [name, label, [[value, text, share of the range]]]. */
export function filterGroups(node, seat) {
  const { made, draws, shares, hands } = node.seats[seat];
  const total = shares.reduce((sum, each) => sum + each, 0) || 1;
  const share = (test) => hands.reduce((sum, _, hand) => sum + (test(hand) ? shares[hand] : 0), 0) / total;
  const rows = (names, test) =>
    names.map((name, code) => [name, plain(name), share((hand) => test(hand, code))]).filter(([, , part]) => part > 0);
  const groups = [];
  if (made) groups.push(["made", "Made hand", rows(node.made_names, (hand, code) => made[hand] === code)]);
  if (draws) groups.push(["draw", "Draw", rows(node.draw_names, (hand, code) => (draws[hand] >> code) & 1)]);
  if (node.isGrid)
    groups.push([
      "suits",
      "Suits",
      rows(KINDS, (hand, code) => hasSuits(hands[hand], KINDS[code])).map(([name, text, share]) => [
        name,
        SUITS[name] ?? text,
        share,
      ]),
    ]);
  if (seat === node.actor)
    groups.push(["action", "Action", node.choices.map((each) => [each.word, each.text, each.share])]);
  return groups;
}

/** Rows of the hands of a class, the most likely first. */
export function handsOf(node, seat, name, keeps) {
  const classes = node.classes(seat);
  const { hands, weights } = node.seats[seat];
  const places = hands.map((_, hand) => hand).filter((hand) => classes[hand] === name && (!keeps || keeps[hand]));
  return places.sort((a, b) => weights[b] - weights[a] || a - b);
}

/** The equities of a seat, sorted, by the share of the range that has less. */
export function equityCurve(node, seat, points = 60) {
  const equities = node.equitiesOf(seat);
  if (!equities) return [];
  const { shares } = node.seats[seat];
  const places = equities
    .map((_, hand) => hand)
    .filter((hand) => shares[hand] > 0 && equities[hand] !== null)
    .sort((a, b) => equities[a] - equities[b]);
  const total = places.reduce((sum, hand) => sum + shares[hand], 0);
  const curve = [];
  let at = 0;
  let end = places.length ? shares[places[0]] / total : 0;
  for (let point = 0; point <= points && places.length; point++) {
    while (at < places.length - 1 && end < point / points) end += shares[places[++at]] / total;
    curve.push([point / points, equities[places[at]]]);
  }
  return curve;
}

/** Locks that fix the mix of every hand that arrives as it is, in thousandths; `change(hand)` may return
 * other shares. */
export function locksOf(node, change = () => null) {
  const { hands, weights } = node.seats[node.actor];
  const groups = new Map();
  for (let hand = 0; hand < hands.length; hand++) {
    if (!weights[hand]) continue;
    const shares = change(hand) ?? node.choices.map((each) => each.mix[hand]);
    const key = rounded(shares).join(",");
    groups.set(key, [...(groups.get(key) ?? []), hands[hand]]);
  }
  return [...groups].map(([key, names]) => {
    const parts = key
      .split(",")
      .map((each, place) => [node.choices[place].word, Number(each) / STEPS])
      .filter(([, share]) => share > 0);
    return { line: node.line, shares: Object.fromEntries(parts), hands: names.join(",") };
  });
}

function rounded(shares) {
  const steps = shares.map((each) => Math.floor(each * STEPS + 1e-6));
  const cut = shares.map((each, place) => [each * STEPS - steps[place], place]).sort((a, b) => b[0] - a[0]);
  const missing = STEPS - steps.reduce((sum, each) => sum + each, 0);
  for (let i = 0; i < missing && i < cut.length; i++) steps[cut[i][1]] += 1;
  return steps;
}

/** The hands of a seat that arrive as a table of texts, for spreadsheets. */
export function csvOf(node, seat) {
  const { name, hands, weights, values, made, draws } = node.seats[seat];
  const equities = node.equitiesOf(seat);
  const choices = seat === node.actor ? node.choices : [];
  const head = [
    "line",
    "seat",
    "hand",
    ...(made ? ["made", "draw"] : []),
    "weight",
    "equity",
    "ev",
    ...choices.flatMap(({ word }) => [word, `ev ${word}`]),
  ];
  const rows = hands
    .map((hand, place) => place)
    .filter((place) => weights[place] > 0)
    .map((place) => [
      node.line,
      name,
      hands[place],
      ...(made ? [node.made_names[made[place]], node.draw_names[Math.log2(draws[place] & -draws[place])]] : []),
      weights[place],
      equities?.[place] ?? "",
      values[place] ?? "",
      ...choices.flatMap(({ mix, values: each }) => [mix[place], each[place] ?? ""]),
    ]);
  const cell = (value) => (/[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value));
  return [head, ...rows].map((row) => row.map(cell).join(",")).join("\n") + "\n";
}
