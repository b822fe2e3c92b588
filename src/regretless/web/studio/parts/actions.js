// SPDX-License-Identifier: MIT
// Colours of actions, and mixes as bars. The variables are in style/tokens.css, one set for each palette.

import { h } from "../lib/dom.js";
import { percent } from "../lib/format.js";

const PASSIVE = { f: "var(--fold)", x: "var(--call)", c: "var(--call)" };
const RAISES = 7;

/** The colour of each choice: fold, check or call, and bets from small to large; in other games, in order. */
export function actionColours(choices) {
  let raises = 0;
  return choices.map((each) => PASSIVE[each.word] ?? `var(--raise${Math.min(raises++, RAISES - 1)})`);
}

/** A strip of shares, one colour each. */
export function mixBar(shares, colours, label) {
  const total = shares.reduce((sum, each) => sum + (each || 0), 0) || 1;
  const text = label ?? shares.map((each) => percent(each, 0)).join(", ");
  return h(
    "span",
    { class: "mix", role: "img", "aria-label": text },
    shares.map((each, place) =>
      h("span", { key: place, style: { width: `${(100 * (each || 0)) / total}%`, background: colours[place] } }),
    ),
  );
}

/** Stripes of a cell: a background of one colour stop for each share. */
export function stripes(shares, colours) {
  let end = 0;
  const stops = shares.map((share, place) => {
    const begin = end;
    end += 100 * share;
    return share > 0.001 ? `${colours[place]} ${begin.toFixed(1)}% ${end.toFixed(1)}%` : null;
  });
  return `linear-gradient(to right, ${stops.filter(Boolean).join(", ")})`;
}

export function swatch(colour) {
  return h("span", { class: "swatch", style: { background: colour }, "aria-hidden": "true" });
}
