// SPDX-License-Identifier: MIT
// The board of a spot: cards clicked or typed.

import { h } from "../lib/dom.js";
import { card, deckPicker } from "../parts/cards.js";
import { textField } from "../parts/fields.js";
import { button } from "../parts/panels.js";

const MOST = 5;
const NAMES = { 3: "flop", 4: "turn", 5: "river" };

export function boardPanel(solve) {
  const text = solve.values.board.replaceAll(" ", "");
  const chosen = text.match(/../g) ?? [];
  const deck = deckOf(solve.game.ranks || "AKQJT98765432");
  const pick = (name) => {
    const rest = chosen.filter((each) => each !== name);
    solve.change({ board: (rest.length < chosen.length ? rest : [...chosen, name].slice(0, MOST)).join("") });
  };
  const known = chosen.filter((each) => deck.includes(each));
  return h(
    "section",
    { class: "panel board-panel", "aria-label": "board" },
    h(
      "div",
      { class: "board-side" },
      h(
        "div",
        { class: "panel-head" },
        h("h2", null, "Board"),
        h("span", { class: "dim" }, NAMES[chosen.length] ?? "3 to 5 cards"),
      ),
      h(
        "div",
        { class: "board-cards" },
        known.map((each) => card(each, "medium", { key: each })),
        Array.from({ length: Math.max(0, 3 - known.length) }, (_, place) =>
          h("span", { class: "card medium blank", key: `blank${place}` }),
        ),
      ),
      h(
        "div",
        { class: "board-typed" },
        textField({
          label: "Cards",
          value: solve.values.board,
          error: solve.errors.board,
          oninput: (board) => solve.change({ board }),
        }),
        button("Random", () => solve.change({ board: randomFlop(deck, solve.game.ranks ? 3 : MOST) }), {
          name: "dice",
          title: "A random board",
        }),
      ),
    ),
    deckPicker({
      label: "cards of the board",
      chosen,
      deck,
      taken: chosen.length >= MOST ? deck.filter((each) => !chosen.includes(each)) : [],
      onpick: pick,
    }),
  );
}

const deckOf = (ranks) => [...ranks].flatMap((rank) => [..."shdc"].map((suit) => rank + suit));

function randomFlop(deck, count) {
  const rest = [...deck];
  const draw = () => rest.splice(Math.floor(Math.random() * rest.length), 1)[0];
  return Array.from({ length: count }, draw)
    .sort((a, b) => deck.indexOf(a) - deck.indexOf(b))
    .join("");
}
