// SPDX-License-Identifier: MIT
// What a node says of its hands: classes, means, curves. The server sends columns of all hands;
// everything here is arithmetic on them.

import { actionColours } from "../parts/actions.js";
import { classNames } from "../parts/grid.js";

export const VIEWS = { strategy: "Strategy", ev: "EV", equity: "Equity", weight: "Weight", regret: "Regret" };
const WORDS = { x: "check", c: "call", f: "fold", b: "bet ", r: "raise to " };

/** A word of a line as people say it: `b413` is `bet 413`. */
export const wordText = (word) => (word[0] in WORDS ? WORDS[word[0]] + word.slice(1).replace(/bb$/, " bb") : word);
export const plain = (name) => name.replaceAll("-", " ");

/** The text of an action without its verb where the colour beside it says as much: `raise to 3 bb` is `3 bb`. */
export const shortText = (text) =>
  text
    .replace(/^(?:bet|raise to) (?=[\d.,]+)/, "")
    .replace(/^(call|all-in) .*$/, "$1")
    .replace(" x ", "×");

/** The class of two cards, `AKs`; other hands are their own class. */
function classOf(hand) {
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
    this.classesBySeat = [];
    this.regretsOfActor = undefined;
    this.figures = new Map(); // what was computed last, by what it is
  }

  get hasTurn() {
    return this.choices.length > 0;
  }

  get isChance() {
    return this.cards.length > 0;
  }

  /** Whether the strategy itself ever comes here. */
  get isReached() {
    return this.seats.every((each) => each.shares.some((share) => share > 0));
  }

  /** The class of each hand of a seat, by the kind of the game. */
  classes(seat) {
    const { hands, groups } = this.seats[seat];
    const found = () => (this.isGrouped ? groups.map((each) => this.group_names[each]) : hands.map(classOf));
    return (this.classesBySeat[seat] ??= this.isGrid || this.isGrouped ? found() : hands);
  }

  /** Takes equities that came later; what does not depend on them stays computed. */
  setEquities(equities) {
    this.equities = equities;
    for (const name of this.figures.keys()) if (!/^(keeps|filters) /.test(name)) this.figures.delete(name);
  }

  equitiesOf(seat) {
    return this.equities?.[seat] ?? null;
  }

  /** What each hand loses against its best action here; null where that is unknown. */
  regrets(seat) {
    if (seat !== this.actor || !this.hasTurn) return null;
    return (this.regretsOfActor ??= this.seats[seat].hands.map((_, hand) => {
      let best = -Infinity;
      let mean = 0;
      for (const { mix, values } of this.choices) {
        if (values[hand] === null) return null;
        best = Math.max(best, values[hand]);
        mean += mix[hand] * values[hand];
      }
      return best - mean;
    }));
  }

  column(view, seat) {
    if (view === "ev") return this.seats[seat].values;
    if (view === "equity") return this.equitiesOf(seat);
    return view === "regret" ? this.regrets(seat) : this.seats[seat].weights;
  }

  /** Whether a view has a figure at all: networks have no EVs, and only the player to act has regrets. */
  knows(view, seat) {
    const { shares } = this.seats[seat];
    if (view === "strategy" || view === "weight") return true;
    return this.column(view, seat)?.some((each, hand) => each !== null && shares[hand] > 0) ?? false;
  }

  /** A mean over hands that count, weighted by how likely each is; null where nothing counts. */
  mean(column, seat, keeps = null) {
    if (!column) return null;
    const { shares } = this.seats[seat];
    return weighted(column, (hand) => (keeps && !keeps[hand] ? 0 : shares[hand]));
  }

  combos(seat, keeps = null) {
    return this.seats[seat].weights.reduce((sum, each, hand) => sum + (!keeps || keeps[hand] ? each : 0), 0);
  }

  /** Share and EV of each action, of all hands or of those that a filter keeps. */
  choiceFigures(keeps) {
    if (!keeps) return this.choices;
    const { shares } = this.seats[this.actor];
    return this.choices.map((each) => ({
      ...each,
      share: this.mean(each.mix, this.actor, keeps),
      ev: weighted(each.values, (hand) => (keeps[hand] ? shares[hand] * each.mix[hand] : 0)),
    }));
  }

  /** Computes something once for the same `keeps` and equities. */
  once(name, keeps, compute) {
    const known = this.figures.get(name);
    if (known && known.keeps === keeps) return known.value;
    const value = compute();
    this.figures.set(name, { keeps, value });
    return value;
  }
}

function weighted(column, weight) {
  let sum = 0;
  let total = 0;
  for (let hand = 0; hand < column.length; hand++) {
    const part = weight(hand);
    if (!part || column[hand] === null) continue;
    sum += part * column[hand];
    total += part;
  }
  return total > 0 ? sum / total : null;
}

/** Figures of each class of a seat: {name, count, combos, weight, share, mix, ev, equity, regret}, by name.
 *  `by` has the weight of each hand in the means: `weights` of combos, or `shares` of the range. */
export function classFigures(node, seat, keeps, classes = node.classes(seat), by = node.seats[seat].weights) {
  const { weights, shares, values } = node.seats[seat];
  const columns = { ev: values, equity: node.equitiesOf(seat), regret: node.regrets(seat) };
  const choices = seat === node.actor ? node.choices : [];
  const found = new Map();
  for (let hand = 0; hand < weights.length; hand++) {
    const name = classes[hand];
    if (!found.has(name)) found.set(name, emptyClass(name, choices.length));
    const of = found.get(name);
    of.count += 1;
    if (!weights[hand] || (keeps && !keeps[hand])) continue;
    of.combos += weights[hand];
    of.share += shares[hand];
    of.total += by[hand];
    for (let i = 0; i < choices.length; i++) of.mix[i] += by[hand] * choices[i].mix[hand];
    for (const [figure, sums] of Object.entries(of.sums)) {
      const value = columns[figure]?.[hand];
      if (value === null || value === undefined) continue;
      sums[0] += by[hand] * value;
      sums[1] += by[hand];
    }
  }
  for (const of of found.values()) {
    of.weight = of.combos / of.count;
    if (of.total) of.mix = of.mix.map((each) => each / of.total);
    for (const [figure, [sum, total]] of Object.entries(of.sums)) of[figure] = total ? sum / total : null;
  }
  return found;
}

const emptyClass = (name, choices) => ({
  name,
  count: 0,
  combos: 0,
  share: 0,
  total: 0,
  weight: 0,
  mix: Array(choices).fill(0),
  sums: { ev: [0, 0], equity: [0, 0], regret: [0, 0] },
});

/** All classes of the square, in its order; those that the range lacks are empty. */
export function squareFigures(node, seat, keeps) {
  return node.once(`square ${seat}`, keeps, () => {
    const found = classFigures(node, seat, keeps);
    return classNames(node.ranks).map((name) => found.get(name) ?? emptyClass(name, 0));
  });
}

/** Hands of a class, the most likely first, as numbers. */
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
    while (at < places.length - 1 && end < (point / points) * (1 + 1e-9)) end += shares[places[++at]] / total;
    curve.push([point / points, equities[places[at]]]);
  }
  return curve;
}
