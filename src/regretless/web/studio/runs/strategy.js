// SPDX-License-Identifier: MIT
// The strategy of a run at one node over the checkpoints that it kept.

import { h } from "../lib/dom.js";
import { get, post, withQuery } from "../lib/api.js";
import { isKnown, number, percent } from "../lib/format.js";
import { preference } from "../lib/preferences.js";
import { mixBar, swatch } from "../parts/actions.js";
import { cardText } from "../parts/cards.js";
import { lineChart } from "../parts/chart.js";
import { selectField, textField } from "../parts/fields.js";
import { button, emptyState, panel } from "../parts/panels.js";
import { figureText, placed } from "./curves.js";

const MOST_STEPS = 24; // checkpoints that are asked for
const LINE_SHARE = 70; // percent of the colour of an action in its curve, so that light ones can be seen

/** Reads and shows the nodes; `study` has the model of the study page. */
export class StrategyOverTime {
  constructor(runs, study) {
    Object.assign(this, { runs, study, id: "", steps: [], nodes: [], card: "", error: "", turn: 0, isReading: false });
  }

  get page() {
    return this.runs.page;
  }

  get query() {
    return this.page.query;
  }

  /** The node at the newest checkpoint that was read. */
  get newest() {
    return this.nodes[this.nodes.length - 1]?.node;
  }

  /** Reads the node at each checkpoint, the newest first, and draws as they come. */
  async load() {
    const state = this.runs.chosen;
    const wanted = JSON.stringify([state?.id, this.query.line ?? "", state?.step, preference("unit")]);
    if (!state?.game || wanted === this.wanted) return;
    Object.assign(this, { wanted, error: "", isReading: true });
    const turn = ++this.turn;
    try {
      const kept = await get(`/library/${encodeURIComponent(state.id)}/steps`);
      const last = { step: null, seconds: state.seconds, exploitability: state.measures["eval/exploitability"] };
      const hasBundle = state.status === "done" || !kept.length;
      const found = [];
      for (const at of evenly(hasBundle ? [...kept, last] : kept).reverse()) {
        const asked = { id: state.id, line: this.query.line ?? "", step: at.step, unit: preference("unit") };
        const node = new this.study.Node(await post("/study", asked));
        if (turn !== this.turn || this.page.isClosed) return;
        found.unshift({ ...at, step: at.step, where: at.step ?? state.step, node });
        Object.assign(this, { id: state.id, nodes: found });
        this.page.redraw();
      }
    } catch (error) {
      if (turn !== this.turn) return;
      Object.assign(this, { error: error.message, nodes: [] });
    } finally {
      if (turn === this.turn) this.isReading = false;
      this.page.redraw();
    }
  }

  go(line) {
    this.page.setQuery({ line, hand: null });
    return this.load();
  }

  /** The shares of the actions of one checkpoint: of a hand or of the whole range; null where it does not arrive. */
  mixOf(node) {
    const { hand } = this.query;
    if (!hand) return node.choices.map((each) => each.share);
    const found = this.study.classFigures(node, node.actor, null).get(hand);
    return found?.combos ? found.mix : null;
  }

  view() {
    const { newest, error, id } = this;
    const title = `Strategy over training time${id ? `: ${id}` : ""}`;
    const href = withQuery("/runs", { ...this.query, view: null, line: null, hand: null });
    const back = h("a", { class: "button small", href }, "Curves");
    if (error) return panel({ title, aside: back }, h("p", { class: "bad", role: "alert" }, error));
    const waiting = this.isReading ? "Reading…" : "Choose a run that has begun.";
    if (!newest) return panel({ title, aside: back }, emptyState(waiting));
    return panel(
      { title, aside: back, class: "over-time" },
      this.lineOfPlay(),
      newest.isChance ? this.cardField() : newest.hasTurn ? this.mixes() : emptyState("The hand is over here."),
    );
  }

  /** The places of the line, each with the choices it had. */
  lineOfPlay() {
    const { newest } = this;
    const to = (line) => () => this.page.act(() => this.go(line));
    const step = (text, line, isOn) => {
      const props = { key: line, type: "button", "aria-pressed": String(isOn), "data-line": line };
      return h("button", { ...props, onclick: to(line) }, text);
    };
    return h(
      "nav",
      { class: "node-line", "aria-label": "line of play" },
      newest.spots.map((spot, place) =>
        h(
          "div",
          { class: "node-place", key: `${place} ${spot.line}` },
          h("b", null, spot.actor >= 0 ? newest.seats[spot.actor].name : spot.street.split(" ")[0]),
          spot.choices.length
            ? spot.choices.map(([word, text, line]) => step(text, line, word === spot.chosen))
            : spot.chosen
              ? step(cardText(spot.chosen), spot.line, true)
              : null,
        ),
      ),
    );
  }

  cardField() {
    const { newest } = this;
    const { cards_due: due } = newest.here;
    const deal = (cards) => this.page.act(() => this.go(`${newest.line} | ${cards}`.trim()));
    if (due === 1)
      return h(
        "div",
        { class: "row", role: "group", "aria-label": "next card" },
        newest.cards.map(([card]) => button(card, () => deal(card), { kind: "small" })),
      );
    return h(
      "form",
      {
        class: "row",
        onsubmit: (event) => {
          event.preventDefault();
          deal(this.card);
        },
      },
      textField({
        label: `${due} cards`,
        value: this.card,
        placeholder: "Td9d6h",
        oninput: (card) => {
          this.card = card.trim();
          this.page.redraw();
        },
      }),
      h("button", { class: "button", type: "submit", disabled: !this.card }, "Deal"),
    );
  }

  mixes() {
    const { newest, nodes, isReading } = this;
    const hands = [...this.study.classFigures(newest, newest.actor, null).values()].filter((each) => each.combos > 0);
    const ofTime = this.runs.axis === "seconds";
    const rows = nodes.map((each) => ({ ...each, mix: this.mixOf(each.node) }));
    const known = rows.filter((each) => each.mix);
    const points = (place) => known.map((each) => [ofTime ? each.seconds : each.where, 100 * each.mix[place]]);
    const axis = placed(
      ofTime ? "seconds" : "iterations",
      newest.choices.map((_, place) => points(place)),
    );
    const series = newest.choices.map((choice, place) => ({
      name: choice.text,
      colour: `color-mix(in oklab, ${newest.colours[place]} ${LINE_SHARE}%, var(--ink))`,
      points: axis.points[place],
    }));
    return h(
      "div",
      { class: "stack" },
      h(
        "div",
        { class: "row" },
        selectField({
          label: `Hand of ${newest.seats[newest.actor].name}`,
          value: this.query.hand ?? "",
          options: [["", "whole range"], ...hands.map((each) => each.name)],
          onchange: (hand) => {
            this.page.setQuery({ hand: hand || null }, { replace: true });
            this.page.redraw();
          },
        }),
        h(
          "span",
          { class: "dim", role: "status" },
          isReading ? `reading, ${nodes.length} checkpoints so far` : keptText(nodes),
        ),
      ),
      known.length > 1
        ? lineChart({
            label: `frequencies of actions over ${ofTime ? axis.name : "steps"}`,
            series,
            width: 710,
            height: 240,
            min: 0,
            max: 100,
            format: (value) => `${number(value, 1)} %`,
            xLabel: ofTime ? `${axis.name} of training` : "steps",
          })
        : null,
      this.table(rows),
    );
  }

  table(rows) {
    const { newest, id } = this;
    const address = `/study/${encodeURIComponent(id)}`;
    return h(
      "ol",
      { class: "checkpoint-rows", "aria-label": "checkpoints" },
      [...rows].reverse().map(({ step, where, exploitability, mix }) =>
        h(
          "li",
          { key: where, class: "checkpoint-row", "data-step": where },
          h("b", { class: "num" }, `step ${number(where, 0)}`),
          isKnown(exploitability)
            ? h("span", { class: "dim num" }, `exploitability ${figureText(exploitability)}`)
            : h("span", { class: "dim" }, step === null ? "the newest" : ""),
          mix ? mixBar(mix, newest.colours) : h("span", { class: "dim" }, "does not arrive here"),
          mix
            ? h(
                "span",
                { class: "checkpoint-mix num" },
                mix.map((share, place) => {
                  const { text } = newest.choices[place];
                  return h("span", { key: place }, swatch(newest.colours[place]), text, h("b", null, percent(share)));
                }),
              )
            : null,
          h("a", { href: withQuery(address, { line: this.query.line, step, pin: this.query.hand }) }, "Study"),
        ),
      ),
    );
  }
}

function keptText(nodes) {
  const text = `${nodes.length} checkpoint${nodes.length === 1 ? "" : "s"} kept`;
  return nodes.length < 6 ? `${text}; checkpoint.keep=30 keeps more` : text;
}

/** At most MOST_STEPS of the checkpoints, the first and the last among them. */
function evenly(steps) {
  if (steps.length <= MOST_STEPS) return [...steps];
  const stride = (steps.length - 1) / (MOST_STEPS - 1);
  return Array.from({ length: MOST_STEPS }, (_, place) => steps[Math.round(place * stride)]);
}
