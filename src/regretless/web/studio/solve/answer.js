// SPDX-License-Identifier: MIT
// The answer to the form: memory and time before, progress during, and the result after a solve.

import { h } from "../lib/dom.js";
import { bytes, duration, isKnown, number, percent, plural } from "../lib/format.js";
import { withSuits } from "../parts/cards.js";
import { lineChart } from "../parts/chart.js";
import { checkField, textField } from "../parts/fields.js";
import { icon } from "../parts/icons.js";
import { button, figure, progressBar } from "../parts/panels.js";
import { actionColours, mixBar, swatch } from "../parts/actions.js";
import { limits } from "./form.js";

export function answerPanel(solve) {
  return h(
    "div",
    { class: "solve-answer" },
    cost(solve),
    solve.job && solve.job.status !== "gone" ? progress(solve) : null,
  );
}

/** Memory and time beside the sizes, as they are typed. */
function cost(solve) {
  const { forecast: found } = solve;
  const wrong = whyNot(solve);
  return h(
    "section",
    { class: "panel", "aria-label": "cost" },
    h(
      "div",
      { class: "panel-head" },
      h("h2", null, "Cost"),
      h("span", { class: "grow" }),
      found ? h("span", { class: "dim num" }, `${number(found.decisions, 0)} decisions`) : null,
    ),
    limits(solve),
    wrong
      ? h("p", { class: "bad solve-wrong", role: "alert" }, icon("warning"), wrong)
      : found
        ? estimate(found)
        : h("p", { class: "dim" }, "Estimating …"),
    button("Solve", () => solve.begin(), { kind: "primary large", name: "play", disabled: !solve.canSolve }),
    checkField({
      label: "Open it as soon as it can be explored",
      value: solve.opensItself,
      onchange: (value) => solve.setOpens(value),
    }),
  );
}

/** Why the form cannot be solved, in one line. */
function whyNot({ problem, errors, editors, isSpot }) {
  if (problem) return problem;
  const [key] = Object.keys(errors);
  if (key) return `${key.replaceAll("_", " ")}: ${errors[key]}`;
  const wrong = editors.find((each) => isSpot && each.error);
  return wrong ? `range of ${wrong.name}: ${wrong.error}` : "";
}

function estimate(found) {
  const share = found.memory_bytes / found.allowed_bytes;
  const each = stepText(found.iteration_seconds);
  return [
    h(
      "div",
      { class: "figures" },
      figure("memory", bytes(found.memory_bytes), `of ${bytes(found.allowed_bytes)}, ${found.bits} bits`),
      figure("time", timeText(found.seconds), `${each} per iteration`),
    ),
    progressBar(share, "memory of what is allowed"),
  ];
}

function stepText(seconds) {
  if (seconds < 1e-4) return "under 0.1 ms";
  return seconds >= 0.01 ? `${number(seconds)} s` : `${number(1000 * seconds, 1)} ms`;
}

function timeText(seconds) {
  if (!isKnown(seconds)) return "until the target";
  return seconds < 1 ? "under a second" : `about ${duration(seconds)}`;
}

function progress(solve) {
  const { job, result } = solve;
  const reached = job.progress;
  const unit = reached.exploitability_unit ?? result?.exploitability_unit ?? "";
  return h(
    "section",
    { class: "panel solve-progress", "aria-label": "solve" },
    h(
      "div",
      { class: "panel-head" },
      h("h2", null, withSuits(titleOf(job))),
      h("span", { class: "grow" }),
      h("span", { class: "dim num", role: "status" }, statusOf(job)),
    ),
    solve.isRunning ? progressBar(doneShare(job), "progress") : null,
    job.error ? h("p", { class: "bad", role: "alert" }, job.error) : null,
    h("div", { class: "figures" }, figures(solve, unit)),
    curve(solve, unit),
    h("div", { class: "row" }, actions(solve)),
    result ? outcome(solve) : null,
  );
}

function figures({ job, result, isRunning }, unit) {
  const reached = job.progress;
  const gap = figure("exploitability", gapText(reached.exploitability), unit);
  if (isRunning) {
    const left = isKnown(reached.seconds_left) ? duration(reached.seconds_left) : "–";
    return [gap, figure("iterations", number(reached.iterations ?? 0, 0)), figure("time left", left)];
  }
  if (!result) return gap;
  if (!("ev_oop" in result)) return [gap, figure("value of the first player", number(result.value, 4), "units")];
  const evs = [figure("EV OOP", number(result.ev_oop), "chips"), figure("EV IP", number(result.ev_ip), "chips")];
  return [gap, ...evs, figure("equity OOP", percent(result.equity_oop))];
}

const titleOf = ({ title }) => (title?.split(",")[0] ?? "Solve").replace(/^\S+ (?=\S)/, "");
const gapText = (value) => (isKnown(value) ? number(value, value < 1 ? 3 : value < 10 ? 2 : 1) : "–");

function statusOf(job) {
  if (job.status === "running")
    return job.progress.what === "solving" ? duration(job.seconds) : (job.progress.what ?? "starting");
  if (job.status !== "done") return job.status;
  return `done: ${plural(job.progress.iterations ?? 0, "iteration")}, ${duration(job.seconds)}`;
}

function doneShare({ seconds, progress: { seconds_left: left } }) {
  return isKnown(left) && seconds + left > 0 ? seconds / (seconds + left) : 0;
}

function curve(solve, unit) {
  const points = (solve.job.progress.curve ?? []).filter(([, value]) => value > 0);
  if (points.length < 2) return null;
  const target = Number(solve.values.target);
  const [first, last] = [points[0][0], points.at(-1)[0]];
  const goal =
    target > 0 && solve.job.progress.what
      ? [
          {
            name: "target",
            colour: "var(--good)",
            dash: "5 4",
            points: [
              [first, target],
              [last, target],
            ],
          },
        ]
      : [];
  return lineChart({
    label: `exploitability by iterations, now ${number(points.at(-1)[1], 3)} ${unit}`,
    width: 340,
    height: 124,
    isLog: true,
    isLogX: true,
    series: [{ name: "exploitability", colour: "var(--accent)", points }, ...goal],
    xLabel: "iterations",
    formatX: (value) => number(value, 0),
  });
}

function actions(solve) {
  const { job, isRunning } = solve;
  const canExplore = job.status === "done" || (isRunning && job.progress.iterations > 0);
  const explore = canExplore
    ? h(
        "a",
        { class: "button primary", href: `/study/solve/${job.id}` },
        icon("search"),
        h("span", null, isRunning ? "Explore now" : "Explore"),
      )
    : null;
  if (!isRunning) return explore;
  return [
    explore,
    button("Stop", () => solve.finish(), { name: "stop", title: "End now, and keep the strategy" }),
    button("Discard", () => solve.cancel(), { kind: "danger", title: "End now, without a result" }),
  ];
}

function outcome(solve) {
  const { result } = solve;
  return [
    result.root_mix ? rootMix(result.root_mix) : null,
    result.lock_cost
      ? h(
          "p",
          { class: "lock-cost" },
          icon("lock"),
          ` The locks cost ${Object.entries(result.lock_cost)
            .map(([seat, chips]) => `${seat.toUpperCase()} ${number(chips)}`)
            .join(", ")} chips.`,
        )
      : null,
    result.note ? h("p", { class: "dim" }, result.note) : null,
    solve.values.game === "plo4" ? h("p", { class: "dim" }, "A spot of Omaha cannot be saved.") : saving(solve),
  ];
}

function rootMix(mix) {
  const names = Object.keys(mix);
  const colours = actionColours(
    names.map((name) => ({ word: { check: "x", fold: "f", call: "c" }[name.split(" ")[0]] ?? name })),
  );
  return h(
    "div",
    { class: "stack" },
    mixBar(Object.values(mix), colours, names.map((name) => `${name} ${percent(mix[name])}`).join(", ")),
    h(
      "div",
      { class: "row root-mix" },
      h("span", { class: "dim" }, "first action"),
      names.map((name, place) =>
        h("span", { key: name }, swatch(colours[place]), ` ${name} `, h("b", { class: "num" }, percent(mix[name]))),
      ),
    ),
  );
}

function saving(solve) {
  const submit = (event) => {
    event.preventDefault();
    solve.save();
  };
  const oninput = (value) => {
    solve.saveName = value.trim();
    solve.page.redraw();
  };
  return h(
    "form",
    { class: "solve-save", onsubmit: submit },
    textField({ label: "Name in the library", value: solve.saveName, oninput }),
    h("button", { class: "button", disabled: !solve.saveName }, icon("save"), "Save"),
  );
}
