// SPDX-License-Identifier: MIT
// Cards drawn as SVG, cards in a line of text, and a deck to choose from.

import { h } from "../lib/dom.js";

export const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const NAMES = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
const RANK_NAMES = {
  A: "ace",
  K: "king",
  Q: "queen",
  J: "jack",
  T: "ten",
  9: "nine",
  8: "eight",
  7: "seven",
  6: "six",
  5: "five",
  4: "four",
  3: "three",
  2: "two",
};
export const RANKS = "AKQJT98765432";
const PIPS = {
  s: "M12 2c3 4 8 6.5 8 11a4 4 0 0 1-7 2.6c.2 2.4.9 3.6 2 4.9H9c1.1-1.3 1.8-2.5 2-4.9A4 4 0 0 1 4 13c0-4.5 5-7 8-11z",
  h: "M12 21C6 16 3 12.500 3 8.500A4.700 4.700 0 0 1 12 6.300 4.700 4.700 0 0 1 21 8.500C21 12.500 18 16 12 21z",
  d: "M12 2l7 10-7 10-7-10z",
  c:
    "M12 2.5a4.2 4.2 0 0 1 3.6 6.4 4.3 4.3 0 1 1-2.5 7c.1 2 .7 3.3 1.7 4.6H9.2c1-1.3 1.6-2.6 1.7-4.6" +
    "a4.3 4.3 0 1 1-2.5-7A4.2 4.2 0 0 1 12 2.5z",
};

/** The cards of a text: `AhKd` becomes ["Ah", "Kd"]. Texts of other games (`K`, dice) stay whole. */
export function cardsOf(text) {
  return text && /^([2-9TJQKA][shdc])+$/.test(text) ? text.match(/../g) : [];
}

const cardName = (card) => `${RANK_NAMES[card[0]]} of ${NAMES[card[1]]}`;

/** One card; `null` is the back of a card. `size`: small, medium or large. */
export function card(name, size = "medium", props = {}) {
  if (!name) return h("span", { ...props, class: `card ${size} back`, role: "img", "aria-label": "hidden card" });
  const rank = name[0] === "T" ? "10" : name[0];
  return h(
    "span",
    { ...props, class: `card ${size} suit-${name[1]} ${props.class ?? ""}`, role: "img", "aria-label": cardName(name) },
    h(
      "svg",
      { viewBox: "0 0 50 70", "aria-hidden": "true" },
      h(
        "text",
        { x: 7, y: 27, class: "rank", textLength: rank === "10" ? 24 : null, lengthAdjust: "spacingAndGlyphs" },
        rank,
      ),
      h("svg", { x: 7, y: 31, width: 14, height: 14, viewBox: "0 0 24 24" }, h("path", { d: PIPS[name[1]] })),
      h("svg", { x: 19, y: 37, width: 28, height: 28, viewBox: "0 0 24 24" }, h("path", { d: PIPS[name[1]] })),
    ),
  );
}

/** A hand or a board: its cards drawn, or its text where it has no cards. */
export function cards(text, size = "medium") {
  const found = cardsOf(text);
  return found.length
    ? h(
        "span",
        { class: "cards" },
        found.map((each) => card(each, size)),
      )
    : h("span", { class: "hand-text" }, text ?? "");
}

/** Cards within a line of text: rank and suit in the suit's colour. */
export function cardText(text) {
  const found = cardsOf(text);
  if (!found.length) return h("span", null, text ?? "");
  return h(
    "span",
    { class: "card-text" },
    found.map((each) => h("span", { class: `suit-${each[1]}` }, each[0], SUITS[each[1]])),
  );
}

/** A text in which boards and hands are drawn with suits: `turn Jc, KhQh`. */
export function withSuits(text) {
  return text.split(/\b((?:[2-9TJQKA][shdc])+)\b/).map((each, place) => (place % 2 ? cardText(each) : each));
}

/** Fifty-two buttons. `chosen` and `taken` are lists of cards; `tint(card)` may give a background,
 * `title(card)` a text, `figure(card)` a short text below the card. */
export function deckPicker({ label, chosen = [], taken = [], deck, onpick, tint, title, figure }) {
  const offered = deck && new Set(deck);
  return h(
    "div",
    { class: "deck", role: "group", "aria-label": label },
    [..."shdc"].flatMap((suit) =>
      [...RANKS].map((rank) => {
        const name = rank + suit;
        const isChosen = chosen.includes(name);
        return h(
          "button",
          {
            key: name,
            class: { "deck-card": true, [`suit-${suit}`]: true, chosen: isChosen, tinted: Boolean(tint?.(name)) },
            "data-card": name,
            "aria-label": cardName(name),
            "aria-pressed": String(isChosen),
            title: title?.(name) ?? null,
            style: { background: tint?.(name) ?? null },
            disabled: taken.includes(name) || (offered ? !offered.has(name) : false),
            onclick: () => onpick(name),
          },
          rank,
          SUITS[suit],
          figure ? h("small", null, figure(name) ?? "") : null,
        );
      }),
    ),
  );
}
