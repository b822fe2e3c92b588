// SPDX-License-Identifier: MIT
// A range to type or to paint: text, grid, weight, share of hands, and ranges that this browser keeps.

import { h } from "../lib/dom.js";
import { post } from "../lib/api.js";
import { number, percent } from "../lib/format.js";
import { store, stored } from "../lib/preferences.js";
import { areaField, selectField, sliderField, textField } from "./fields.js";
import { classNames, handGrid } from "./grid.js";
import { button } from "./panels.js";

const TYPING_MILLISECONDS = 200;

/** One player's range. `onchange(text)` is called whenever it changes; `offered` are [name, text] ranges to load. */
export class RangeEditor {
  constructor(page, name, onchange) {
    Object.assign(this, { page, name, onchange, text: "", game: "nlhe", ranks: "", brush: 1, error: "" });
    Object.assign(this, { weights: {}, combos: 0, share: 0, saveName: null, offered: [], asked: 0 });
    this.ready = Promise.resolve(); // resolved when the last text has been read
  }

  /** Shows another text, which is read at once. */
  set(text, game, ranks) {
    if (text === this.text && game === this.game && ranks === this.ranks) return this.ready;
    Object.assign(this, { text, game, ranks });
    return this.read();
  }

  type(text) {
    this.text = text;
    this.onchange(text);
    clearTimeout(this.timer);
    this.ready = new Promise((resolve) => {
      this.timer = setTimeout(() => this.read().then(resolve), TYPING_MILLISECONDS);
    });
    this.page.redraw();
  }

  /** Gives classes of hands the weight of the brush; a weight that the first one has already is taken away. */
  paint(names) {
    const weight = Math.abs((this.weights[names[0]] ?? 0) - this.brush) < 1e-9 ? 0 : this.brush;
    for (const each of names) this.weights[each] = weight;
    this.page.redraw();
    const before = this.ready;
    this.ready = before.then(() => this.read({ paint: names, weight }));
  }

  read(painted = {}) {
    const turn = ++this.asked;
    this.ready = this.ask(turn, painted);
    return this.ready;
  }

  async ask(turn, painted) {
    try {
      const text = this.error && painted.paint ? "" : this.text;
      const found = await post("/ranges", { text, game: this.game, ...painted });
      if (turn !== this.asked) return;
      Object.assign(this, found, { text: painted.paint ? found.text : this.text });
      this.error = found.combos ? "" : "a range needs hands";
    } catch (error) {
      if (turn !== this.asked) return;
      if (error.status === undefined) throw error;
      this.error = error.message;
    }
    if (painted.paint) this.onchange(this.text);
    this.page.redraw();
  }

  replace(text) {
    this.text = text;
    this.onchange(text);
    return this.read();
  }

  keep() {
    const name = this.saveName.trim();
    if (!name || this.error) return;
    store("ranges", { ...stored("ranges", {}), [name]: this.text });
    this.saveName = null;
    this.page.say(`The range is kept in this browser as ${name}.`);
    this.page.redraw();
  }

  forget(name) {
    const { [name]: _, ...rest } = stored("ranges", {});
    store("ranges", rest);
    this.page.redraw();
  }

  view({ title = this.name, rows = 3 } = {}) {
    return h(
      "section",
      { class: "panel range-editor", "aria-label": `range of ${this.name}`, key: this.name },
      h("div", { class: "panel-head" }, h("h2", null, title), h("span", { class: "grow" }), this.figures()),
      areaField({
        label: `Range of ${this.name}`,
        value: this.text,
        rows,
        placeholder: "22+,A2s+,KTo+,76s:0.5",
        error: this.error,
        oninput: (text) => this.type(text),
      }),
      this.ranks ? this.grid() : null,
      this.ranks ? this.tools() : null,
      this.shelf(),
    );
  }

  figures() {
    if (this.error) return null;
    const share = this.ranks ? h("b", { class: "num" }, percent(this.share)) : null;
    return h(
      "span",
      { class: "range-figures" },
      share,
      h("span", { class: "dim num" }, `${number(this.combos, 0)} combos`),
    );
  }

  grid() {
    const cells = classNames(this.ranks).map((name) => {
      const weight = this.weights[name] ?? 0;
      return {
        name,
        isEmpty: !weight,
        height: weight,
        fill: weight ? "var(--range)" : null,
        label: `${name}: weight ${Number(weight.toFixed(2))}`,
      };
    });
    return handGrid({ label: `hands of ${this.name}`, cells, onpaint: (names) => this.paint(names) });
  }

  tools() {
    return h(
      "div",
      { class: "range-tools" },
      sliderField({
        label: `Weight to paint, ${this.name}`,
        isBare: true,
        value: Math.round(100 * this.brush),
        min: 5,
        max: 100,
        step: 5,
        text: `${Math.round(100 * this.brush)} %`,
        oninput: (value) => {
          this.brush = value / 100;
          this.page.redraw();
        },
      }),
      button("All", () => this.replace("random"), { kind: "small", label: `all hands, ${this.name}` }),
      button("Clear", () => this.replace(""), { kind: "small", label: `clear, ${this.name}` }),
    );
  }

  shelf() {
    if (this.saveName !== null) return this.naming();
    const saved = stored("ranges", {});
    const own = Object.keys(saved).sort();
    const current = own.find((name) => saved[name] === this.text);
    const options = [
      ["", "Load a range …"],
      ...own.map((name) => [`own ${name}`, name]),
      ...this.offered.map(([name]) => [`shipped ${name}`, name]),
    ];
    const load = (value) => {
      const [, kind, name] = value.match(/^(own|shipped) (.*)$/) ?? [];
      if (kind) this.replace(kind === "own" ? saved[name] : this.offered.find(([each]) => each === name)[1]);
    };
    return h(
      "div",
      { class: "range-shelf" },
      selectField({
        label: `Saved ranges, ${this.name}`,
        value: current ? `own ${current}` : "",
        options,
        onchange: load,
      }),
      button("", () => this.nameIt(), {
        name: "save",
        label: `save the range of ${this.name}`,
        title: "Save this range",
      }),
      current
        ? button("", () => this.forget(current), {
            name: "trash",
            label: `delete ${current}`,
            title: `Delete ${current}`,
          })
        : null,
    );
  }

  nameIt() {
    this.saveName = "";
    this.page.redraw();
    requestAnimationFrame(() => document.querySelector(".range-naming input")?.focus());
  }

  naming() {
    const end = () => {
      this.saveName = null;
      this.page.redraw();
    };
    const oninput = (value) => {
      this.saveName = value;
      this.page.redraw();
    };
    const submit = (event) => {
      event.preventDefault();
      this.keep();
    };
    return h(
      "form",
      { class: "range-shelf range-naming", onsubmit: submit },
      textField({ label: `Name of the range, ${this.name}`, value: this.saveName, oninput }),
      h("button", { class: "button primary", disabled: !this.saveName.trim() || Boolean(this.error) }, "Save"),
      button("", end, { name: "close", label: "do not save" }),
    );
  }
}
