// SPDX-License-Identifier: MIT
// The table as it is seen from one seat: felt, seats, cards, chips. Places are shares of the oval, so any screen fits.

import { h } from "../lib/dom.js";
import { card, cardsOf, RANKS } from "../parts/cards.js";
import { wonBy } from "./scenes.js";

const TAU = 2 * Math.PI;
const WIDE = 0.9; // radians between the visitor and the neighbours, at least

/** A scene. `names` are by seat; `thinking`: the seat that thinks; `clock`: seconds of the visitor's decision. */
export function room({ scene, names, money, thinking = null, clock = "", middle = null }) {
  const { seen } = scene;
  const count = seen.seats.length;
  const place = (seat) => (seat - (seen.viewer ?? 0) + count) % count;
  const at = (seat, turn = 0) => {
    const angle = angleOf(place(seat), count) + turn;
    return { "--x": round(Math.cos(angle)), "--y": round(Math.sin(angle)) };
  };
  const shown = { scene, names, money, at, thinking, clock };
  const dealer = seen.seats.findIndex((each) => each.name === "BTN");
  return h(
    "div",
    { class: { room: true, many: count > 6 }, role: "region", "aria-label": "table" },
    h("div", { class: "felt", "aria-hidden": "true" }, h("span", { class: "felt-line" })),
    h("div", { class: "middle" }, board(seen), pots(seen, money), seen.lines?.length ? words(seen) : null, middle),
    seen.seats.map((_, seat) => seatOf(shown, seat, place(seat))),
    seen.seats.map((each, seat) => (each.bet ? bet(shown, seat) : null)),
    seen.is_over ? seen.seats.map((each, seat) => (wonBy(each) > 0 && "paid" in each ? won(shown, seat) : null)) : null,
    dealer < 0
      ? null
      : h(
          "span",
          {
            class: `dealer ${levelOf(at(dealer))}`,
            key: "dealer",
            style: at(dealer, dealerTurn(at(dealer), place(dealer))),
            title: "dealer button",
            role: "img",
            "aria-label": "dealer button",
          },
          "D",
        ),
  );
}

/** Round the table clockwise from the bottom, with room for the visitor's cards. */
function angleOf(place, count) {
  if (!place) return TAU / 4;
  const gap = Math.max(TAU / count, WIDE);
  return TAU / 4 + gap + (count > 2 ? ((TAU - 2 * gap) * (place - 1)) / (count - 2) : 0);
}

const round = (value) => Number(value.toFixed(4));

function board(seen) {
  if (!seen.board?.length) return h("div", { class: "board", key: "board" });
  return h(
    "div",
    { class: "board", key: "board", role: "group", "aria-label": "board" },
    seen.board.map((each) => face(each, "large", { key: each })),
  );
}

function pots(seen, money) {
  if (!("pot" in seen)) return null;
  const [first, ...side] = seen.pots;
  const inside = first?.chips ?? 0;
  return h(
    "div",
    { class: "pots num", key: "pots", "data-pot": seen.pot },
    h(
      "span",
      { class: "pot" },
      inside && !seen.is_over ? chipPile(inside / money.gameUnit) : null,
      `pot ${money.text(seen.pot)}`,
    ),
    side.length
      ? h(
          "span",
          { class: "side-pots" },
          [first, ...side].map((each, place) =>
            h(
              "span",
              { class: "side-pot", key: place, "data-chips": each.chips },
              `${potName(each, place)} ${money.text(each.chips)}`,
            ),
          ),
        )
      : null,
  );
}

function potName({ seats }, place) {
  if (!place) return "main";
  return seats.length === 1 ? "not called" : `side ${place}`;
}

const words = (seen) =>
  h(
    "div",
    { class: "state-words", key: "words" },
    seen.lines.map((each, place) => h("p", { key: place }, each)),
  );

function seatOf({ scene, names, money, at, thinking, clock }, seat, place) {
  const { seen } = scene;
  const each = seen.seats[seat];
  const isOwn = seat === seen.viewer;
  const isWinner = seen.is_over && (each.payoff ?? 0) > 0;
  const acts = seen.actor === seat || thinking === seat;
  return h(
    "div",
    {
      class: { seat: true, own: isOwn, acts, out: !each.is_live, winner: isWinner },
      key: `seat ${place}`,
      "data-seat": seat,
      style: at(seat),
      role: "group",
      "aria-label": [names[seat], each.name, each.is_live ? "" : "folded"].filter(Boolean).join(", "),
    },
    held(seen, seat, isOwn),
    h(
      "div",
      { class: "seat-box" },
      h("div", { class: "seat-name" }, h("b", null, names[seat])),
      h(
        "div",
        { class: "seat-stack num" },
        h("span", { class: "position" }, each.name.replace("seat ", "#")),
        ...stackLine(each, seen, money),
        isOwn && clock ? h("span", { class: "clock" }, clock) : null,
      ),
    ),
    noteOf({ scene, money, thinking }, seat),
  );
}

function stackLine(each, seen, money) {
  if (!("stack" in each)) return [seen.is_over ? money.signed(each.payoff) : each.is_live ? "" : "out"];
  const isAllIn = !each.stack && each.is_live && !seen.is_over;
  if (!seen.is_over || !each.payoff)
    return [h("span", { "data-stack": each.stack }, isAllIn ? "all-in" : money.text(each.stack))];
  return [
    h(
      "span",
      { class: each.payoff > 0 ? "good" : "bad", "data-stack": each.stack, "data-payoff": each.payoff },
      money.signed(each.payoff),
    ),
  ];
}

/** The last words of a seat, and at the end the hand it made. */
function noteOf({ scene, money, thinking }, seat) {
  const { seen, notes } = scene;
  const each = seen.seats[seat];
  if (thinking === seat)
    return h(
      "span",
      { class: "note thinking", key: "note", role: "status" },
      "thinking",
      h("i", null),
      h("i", null),
      h("i", null),
    );
  if (each.strength) return h("span", { class: { note: true, gain: each.payoff > 0 }, key: "note" }, each.strength);
  return notes[seat]
    ? h("span", { class: { note: true, num: true, spoken: each.bet > 0 }, key: "note" }, money.inText(notes[seat]))
    : null;
}

function held(seen, seat, isOwn) {
  const { hand, is_live: isLive } = seen.seats[seat];
  const size = isOwn ? "huge" : "medium";
  if (!isLive && !isOwn) return h("div", { class: "held", key: "held" });
  const hidden = seen.hole_cards ?? 0;
  const shown =
    hand === null
      ? [...Array(hidden)].map((_, place) => card(null, size, { key: `back ${place}` }))
      : facesOf(hand, size);
  return h("div", { class: { held: true, [`of-${shown.length}`]: true }, key: "held" }, shown);
}

function facesOf(hand, size) {
  const found = sorted(cardsOf(hand));
  if (found.length) return found.map((each) => face(each, size, { key: each }));
  return hand.split(" ").map((each, place) => face(each, size, { key: `${place} ${each}` }));
}

/** A card; a rank alone (Kuhn) or the face of a die where the game has no suits. */
function face(text, size, props = {}) {
  if (cardsOf(text).length) return card(text, size, props);
  return h("span", { ...props, class: `card plain ${size}`, role: "img", "aria-label": text }, text);
}

/** Cards from the highest rank down. */
export function sorted(names) {
  return [...names].sort(
    (a, b) => RANKS.indexOf(a[0]) - RANKS.indexOf(b[0]) || "shdc".indexOf(a[1]) - "shdc".indexOf(b[1]),
  );
}

function bet({ scene, money, at }, seat) {
  const { bet: chips } = scene.seen.seats[seat];
  return h(
    "div",
    {
      class: `bet num ${levelOf(at(seat))}`,
      key: `bet ${seat}`,
      "data-bet": seat,
      "data-chips": chips,
      style: at(seat),
    },
    chipPile(chips / money.gameUnit),
    h("span", null, money.text(chips)),
  );
}

function won({ scene, money, at }, seat) {
  const chips = wonBy(scene.seen.seats[seat]);
  return h(
    "div",
    { class: `bet taken num ${levelOf(at(seat))}`, key: `won ${seat}`, "data-won": seat, style: at(seat) },
    chipPile(chips / money.gameUnit),
    h("span", null, money.text(chips)),
  );
}

/** Where on the oval a seat is: chips before it lie where no cards are. */
function levelOf({ "--x": x, "--y": y }) {
  if (Math.abs(y) < 0.4) return "level";
  return y > 0 ? "low" : Math.abs(x) < 0.5 ? "top" : "high";
}

/** How far beside its seat the button lies, in radians: away from bets and cards. */
function dealerTurn(place, number) {
  if (!number) return 0.75;
  const side = place["--x"] > 0.1 ? 1 : -1;
  return { top: -0.5, high: -0.3, level: 0.3, low: 0.3 }[levelOf(place)] * side;
}

/** A pile that grows with the amount. */
function chipPile(units) {
  const count = Math.min(6, 1 + Math.floor(Math.log2(Math.max(units, 0) + 1)));
  const height = 12 + 4 * count;
  const kind = units < 3 ? 1 : units < 20 ? 2 : 3;
  const discs = [...Array(count)].flatMap((_, place) => {
    const y = height - 6 - 4 * place;
    return [
      h("ellipse", { key: `e${place}`, class: "chip-edge", cx: 12, cy: y + 2, rx: 10, ry: 5 }),
      h("ellipse", { key: `t${place}`, class: "chip-top", cx: 12, cy: y, rx: 10, ry: 5 }),
      h("ellipse", { key: `r${place}`, class: "chip-ring", cx: 12, cy: y, rx: 6.5, ry: 3.1 }),
    ];
  });
  return h(
    "svg",
    {
      class: `chips chips-${kind}`,
      viewBox: `0 0 24 ${height}`,
      width: 22,
      height: (22 * height) / 24,
      "aria-hidden": "true",
    },
    discs,
  );
}
