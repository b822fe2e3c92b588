// SPDX-License-Identifier: MIT
// What is locked at nodes: a plan has the mix of each hand of the player to act, in thousandths.

import { percent } from "../lib/format.js";
import { wordText } from "./model.js";

const STEPS = 1000;

/** A plan with the mix of some hands changed; the others keep the mix of `before` or of the node as it is.
 *  `fixed`: shares by action, or null for the present strategy; `whose`: {kind: all, class, hand or filter, name}. */
export function changedPlan(study, before, fixed, whose) {
  const { node } = study;
  const { hands, name } = node.seats[node.actor];
  const counts = handTest(study, whose);
  const mixes = {};
  hands.forEach((hand, place) => {
    const isHis = fixed && counts(place);
    const kept = before?.mixes?.[hand];
    mixes[hand] = isHis
      ? rounded(fixed)
      : kept && !(counts(place) && !fixed)
        ? kept
        : rounded(node.choices.map((each) => each.mix[place]));
  });
  const text = `${whose.kind === "all" ? "" : `${whose.text}: `}${fixed ? mixText(node, fixed) : "as it is"}`;
  const earlier =
    whose.kind === "all" ? [] : (before?.texts ?? []).filter((each) => !each.startsWith(`${whose.text}:`));
  return {
    line: node.line,
    seat: name,
    words: node.choices.map((each) => each.word),
    mixes,
    texts: [...earlier, text],
  };
}

function handTest({ node, keeps }, { kind, name }) {
  const { hands } = node.seats[node.actor];
  const classes = node.classes(node.actor);
  if (kind === "class") return (place) => classes[place] === name;
  if (kind === "hand") return (place) => hands[place] === name;
  return kind === "filter" ? (place) => keeps?.[place] ?? true : () => true;
}

const mixText = (node, fixed) =>
  node.choices
    .map(({ text }, place) => (fixed[place] ? `${text} ${percent(fixed[place], 0)}` : ""))
    .filter(Boolean)
    .join(", ");

/** Plans as the API takes them; hands with equal mixes share a lock. */
export function locksOfPlans(plans) {
  return plans.flatMap((plan) => plan.locks ?? locksOfPlan(plan));
}

function locksOfPlan({ line, words, mixes }) {
  const groups = new Map();
  for (const [hand, mix] of Object.entries(mixes)) {
    const key = mix.join(",");
    groups.set(key, [...(groups.get(key) ?? []), hand]);
  }
  const shares = (key) =>
    Object.fromEntries(
      key
        .split(",")
        .map((each, place) => [words[place], Number(each) / STEPS])
        .filter(([, share]) => share > 0),
    );
  if (groups.size === 1) return [{ line, shares: shares([...groups.keys()][0]) }];
  return [...groups].map(([key, hands]) => ({ line, shares: shares(key), hands: hands.join(",") }));
}

/** The plans of locks that a solve was asked for. */
export function plansOfLocks(locks) {
  const found = new Map();
  for (const each of locks) {
    const plan = found.get(each.line) ?? { line: each.line, seat: "", texts: [], locks: [] };
    plan.locks.push(each);
    plan.texts = [plan.locks.length === 1 && each.hands === "random" ? sharesText(each.shares) : "a mix by hand"];
    found.set(each.line, plan);
  }
  return found;
}

const sharesText = (shares) =>
  Object.entries(shares)
    .map(([word, share]) => `${wordText(word)} ${percent(share, 0)}`)
    .join(", ");

/** Shares in thousandths whose sum is exact: the parts that were cut off most are rounded up. */
function rounded(shares) {
  const steps = shares.map((each) => Math.floor(each * STEPS + 1e-6));
  const cut = shares.map((each, place) => [each * STEPS - steps[place], place]).sort((a, b) => b[0] - a[0]);
  const missing = STEPS - steps.reduce((sum, each) => sum + each, 0);
  for (let i = 0; i < missing && i < cut.length; i++) steps[cut[i][1]] += 1;
  return steps;
}
