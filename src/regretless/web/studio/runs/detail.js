// SPDX-License-Identifier: MIT
// The chosen run: what it is doing, its newest figures with their intervals, its budget and config; stop and resume.

import { h } from "../lib/dom.js";
import { withQuery } from "../lib/api.js";
import { bytes, duration, isKnown, number } from "../lib/format.js";
import { areaField } from "../parts/fields.js";
import { button, figure, panel, progressBar } from "../parts/panels.js";
import { figureText, secondsText } from "./curves.js";
import { activityText, reachText, statusBadge } from "./list.js";
import { isGoingOn } from "./model.js";

export function detailPanel(runs) {
  const state = runs.chosen;
  if (!state) return null;
  const detail = runs.detail?.id === state.id ? runs.detail : null;
  return panel(
    { title: state.id, label: `run ${state.id}`, class: "run-detail", aside: statusBadge(state.status) },
    isGoingOn(state) ? doing(state) : null,
    state.error ? h("p", { class: "bad run-error", role: "alert" }, state.error) : null,
    actions(runs, state),
    runs.resumption.id === state.id ? resumeForm(runs, state) : null,
    detail?.figures.length ? figures(detail.figures) : null,
    facts(state),
    state.notes.length
      ? h(
          "ul",
          { class: "run-notes dim", "aria-label": "notes" },
          state.notes.map((each) => h("li", { key: each }, each)),
        )
      : null,
    detail?.config
      ? h(
          "details",
          { class: "run-config", key: `config ${state.id}` },
          h("summary", null, "Config"),
          h("pre", { tabindex: 0 }, detail.config),
        )
      : null,
  );
}

function doing(state) {
  return h(
    "div",
    { class: "stack doing" },
    h("p", { role: "status" }, h("b", null, activityText(state) || state.status)),
    isKnown(state.share) ? progressBar(state.share, "budget spent") : null,
    h("p", { class: "dim num" }, reachText(state)),
  );
}

function actions(runs, state) {
  const canResume = state.game && ["stopped", "failed", "done"].includes(state.status);
  const id = encodeURIComponent(state.id);
  return h(
    "div",
    { class: "row" },
    state.is_ours && state.status !== "stopping"
      ? button("Stop", () => runs.stop(state.id), { kind: "danger", name: "stop" })
      : null,
    canResume ? button("Resume", () => runs.askResume(state), { name: "play" }) : null,
    state.game ? h("a", { class: "button", href: `/study/${id}` }, "Study") : null,
    state.game
      ? h("a", { class: "button", href: withQuery("/runs", { run: state.id, view: "strategy" }) }, "Over time")
      : null,
    state.game ? h("a", { class: "button", href: withQuery("/play", { with: state.id }) }, "Play") : null,
  );
}

function resumeForm(runs, state) {
  const { resumption } = runs;
  return h(
    "form",
    {
      class: "stack resume-form",
      "aria-label": `resume ${state.id}`,
      onsubmit: (event) => {
        event.preventDefault();
        runs.resume();
      },
    },
    state.status === "done" ? h("p", { class: "dim" }, "Its budget is spent: set a larger one.") : null,
    areaField({
      label: "Changes, one per line",
      id: "resume changes",
      value: resumption.changes,
      placeholder: "budget.steps=20000",
      error: resumption.error,
      rows: 2,
      oninput: (changes) => {
        Object.assign(resumption, { changes, error: "" });
        runs.page.redraw();
      },
    }),
    h(
      "div",
      { class: "row" },
      h("button", { class: "button primary", type: "submit" }, "Go on"),
      button("Cancel", () => {
        resumption.id = "";
        runs.page.redraw();
      }),
    ),
  );
}

function figures(rows) {
  return h(
    "div",
    { class: "figures run-figures" },
    rows.map(({ name, title, unit, value, low, high }) =>
      h(
        "div",
        { key: name, "data-figure": name },
        figure(
          title,
          figureText(value),
          [unit, isKnown(low) ? `95 %: ${figureText(low)} to ${figureText(high)}` : null].filter(Boolean).join(" · "),
        ),
      ),
    ),
  );
}

function facts(state) {
  const { steps, seconds, target } = state.budget;
  const budget = [
    steps ? `${number(steps, 0)} steps` : null,
    isKnown(seconds) ? duration(seconds) : null,
    isKnown(target) ? `exploitability ${figureText(target)}` : null,
  ].filter(Boolean);
  const rows = [
    ["Game", state.game],
    ["Algorithm", state.algorithm],
    ["Seed", state.seed],
    ["Steps", number(state.step, 0)],
    ["Time", isKnown(state.seconds) ? secondsText(state.seconds) : null],
    ["Budget", budget.join(" or ")],
    ["Memory at its peak", isKnown(state.peak_memory_bytes) ? bytes(state.peak_memory_bytes) : null],
    ["Started by", state.is_ours ? "this server" : null],
  ];
  return h(
    "dl",
    { class: "run-facts-list" },
    rows
      .filter(([, value]) => isKnown(value) && value !== "")
      .map(([name, value]) =>
        h("div", { key: name }, h("dt", { class: "dim" }, name), h("dd", { class: "num" }, value)),
      ),
  );
}
