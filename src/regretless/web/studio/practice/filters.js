// SPDX-License-Identifier: MIT
// What is drilled: all decisions or own mistakes, by street, position, pot and what has to be answered.

import { h } from "../lib/dom.js";
import { selectField } from "../parts/fields.js";
import { icon } from "../parts/icons.js";
import { button, segmented } from "../parts/panels.js";

const NAMES = {
  street: ["Street", "All streets"],
  position: ["Position", "All positions"],
  pot: ["Pot", "All pots"],
  facing: ["Facing", "Anything"],
};
const TEXTS = { none: "nothing to call", bet: "a bet", raise: "a raise", limped: "not raised" };

export function filterBar(practice) {
  const { offers, page, history } = practice;
  const { line } = page.query;
  const count = history.mistakes(practice.wanted).length;
  return h(
    "div",
    { class: { "practice-bar": true, panel: true, open: practice.isOpen } },
    h("h1", null, "Practice ", h("a", { href: `/study/${practice.id}` }, practice.exercise?.name ?? practice.id)),
    segmented(
      "decisions",
      [
        ["all", "All decisions"],
        ["mistakes", `My mistakes (${count})`],
      ],
      practice.isMistakes ? "mistakes" : "all",
      (part) => practice.choosePart(part),
    ),
    toggle(practice),
    line === undefined
      ? fields(practice, offers)
      : h(
          "div",
          { class: "practice-spot" },
          h("span", null, "Only the spot ", h("code", null, line || "the start")),
          button("All decisions", () => practice.choosePart("all"), { kind: "small" }),
        ),
  );
}

/** On a phone all but the name is folded away, so that a decision fills the screen. */
function toggle(practice) {
  const chosen = [practice.isMistakes ? "my mistakes" : "", ...Object.values(practice.wanted)].filter(Boolean);
  return h(
    "button",
    {
      class: "button practice-toggle",
      type: "button",
      "aria-expanded": String(practice.isOpen),
      onclick: () => practice.set({ isOpen: !practice.isOpen }),
    },
    icon("filter"),
    h("span", null, chosen.length ? chosen.join(", ") : "Filters"),
  );
}

function fields(practice, offers) {
  const wanted = practice.wanted;
  const shown = Object.entries(NAMES).filter(([name]) => offers?.[name]?.length > 1);
  return h(
    "div",
    { class: "practice-fields" },
    shown.map(([name, [label, all]]) =>
      selectField({
        label,
        value: wanted[name],
        options: [["", all], ...offers[name].map((each) => [each, TEXTS[each] ?? each])],
        onchange: (value) => practice.filter(name, value),
      }),
    ),
    wanted.mistake
      ? button(`Mistake: ${wanted.mistake}`, () => practice.filter("mistake", ""), {
          kind: "small",
          name: "close",
          label: `all mistakes, not only ${wanted.mistake}`,
        })
      : null,
  );
}
