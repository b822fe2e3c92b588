// SPDX-License-Identifier: MIT
// Buttons, fields, dialogs and messages on the design page, each in every state.

import { h } from "../lib/dom.js";
import { areaField, checkField, selectField, sliderField, textField } from "../parts/fields.js";
import { button, chip, dialog, emptyState, panel, progressBar, segmented } from "../parts/panels.js";

const none = () => {};

export function buttonPanel() {
  return panel(
    { title: "Buttons" },
    h(
      "div",
      { class: "row" },
      button("Solve", none, { kind: "primary", name: "play" }),
      button("Save", none, { name: "save" }),
      button("Small", none, { kind: "small" }),
      button("Stop", none, { kind: "danger", name: "stop" }),
      button("", none, { name: "trash", label: "delete" }),
    ),
    h(
      "div",
      { class: "row" },
      button("Solve", none, { kind: "primary", disabled: true }),
      button("Save", none, { name: "save", disabled: true }),
      h("a", { class: "button", href: "/design" }, "A link"),
      h("button", { class: "quiet", type: "button" }, "Quiet"),
      h("kbd", null, "Enter"),
    ),
  );
}

export function choicePanel(state, change) {
  const toggle = () => change({ isOn: !state.isOn });
  return panel(
    { title: "Choices" },
    segmented(
      "view",
      [
        ["strategy", "Strategy"],
        ["ev", "EV"],
        ["equity", "Equity"],
      ],
      state.tab,
      (tab) => change({ tab }),
    ),
    h("div", { class: "row" }, chip("flush draw", state.isOn, toggle), chip("gutshot", !state.isOn, toggle)),
    h(
      "div",
      { class: "row" },
      h("span", { class: "badge" }, "shipped"),
      h("span", { class: "badge good" }, "strong"),
      h("span", { class: "badge warn" }, "for practice"),
      h("span", { class: "badge bad" }, "failed"),
    ),
  );
}

export function fieldPanel(state, change) {
  return panel(
    { title: "Fields" },
    h(
      "div",
      { class: "form-row" },
      textField({ label: "Range", value: state.text, oninput: (text) => change({ text }) }),
      textField({ label: "Board", value: "AhZZ", error: "unknown card 'ZZ'" }),
      selectField({ label: "Game", value: "nlhe", options: ["kuhn", "leduc", "nlhe"], onchange: none }),
      textField({ label: "Hands", value: 100, kind: "number", min: 1, hint: "at most 1,000" }),
    ),
    areaField({ label: "Locks", value: "x b50 = f 1", hint: "one line each" }),
    checkField({ label: "Deal the next hand", value: state.isOn, onchange: (isOn) => change({ isOn }) }),
    sliderField({
      label: "Bet",
      value: state.slider,
      min: 0,
      max: 100,
      oninput: (slider) => change({ slider }),
      text: `${state.slider} bb`,
    }),
    progressBar(0.4, "progress"),
  );
}

/** What comes and goes: a dialog, messages, an empty place. */
export function overlayPanel(page, state, change) {
  return panel(
    { title: "Messages" },
    h(
      "div",
      { class: "row" },
      button("A note", () => page.say("Saved as my-spot.")),
      button("An error", () => page.say("unknown card 'ZZ' at column 3", "error")),
      button("A dialog", () => change({ isAsking: true })),
    ),
    emptyState("Nothing was solved yet.", button("Solve a spot", none, { kind: "primary" })),
    state.isAsking ? dialog("A dialog", () => change({ isAsking: false }), h("p", null, "Esc closes it.")) : null,
  );
}
