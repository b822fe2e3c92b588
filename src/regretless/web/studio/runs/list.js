// SPDX-License-Identifier: MIT
// The list of runs: what is drawn, what each is doing, how far it is.

import { h } from "../lib/dom.js";
import { duration, isKnown, number, percent, plural } from "../lib/format.js";
import { textField } from "../parts/fields.js";
import { button, emptyState, panel, progressBar } from "../parts/panels.js";
import { figureText } from "./curves.js";
import { isGoingOn } from "./model.js";

const KINDS = { running: "good", starting: "good", stopping: "warn", failed: "bad" };
const LEAST_TO_FILTER = 9;

export function statusBadge(status) {
  return h("span", { class: `badge ${KINDS[status] ?? ""}` }, status);
}

/** How far a run is: `1,200 of 2,000 steps · 3 min left`. */
export function reachText(state) {
  const { steps, seconds } = state.budget;
  const reached = steps
    ? `${number(state.step, 0)} of ${plural(steps, "step")}`
    : isKnown(seconds)
      ? `${duration(state.seconds ?? 0)} of ${duration(seconds)}`
      : plural(state.step, "step");
  return isKnown(state.seconds_left) ? `${reached} · ${duration(state.seconds_left)} left` : reached;
}

/** What a run that goes on is doing: `measuring the exploitability, 40 %`. */
export function activityText(state) {
  const what = state.activity ?? (state.status === "starting" ? "starting" : "");
  return what && isKnown(state.activity_share) ? `${what}, ${percent(state.activity_share, 0)}` : what;
}

export function runList(runs) {
  const { states, filter, waiting } = runs;
  const known = states.filter((each) => `${each.id} ${each.game} ${each.algorithm}`.includes(filter.trim()));
  const shown = [...known.filter(isGoingOn), ...known.filter((each) => !isGoingOn(each))];
  return panel(
    {
      title: plural(states.length, "run"),
      class: "run-list",
      aside: button("New run", () => runs.page.act(() => runs.openForm()), { kind: "primary", name: "plus" }),
    },
    states.length >= LEAST_TO_FILTER
      ? textField({
          label: "Find runs",
          value: filter,
          placeholder: "name, game or algorithm",
          oninput: (text) => {
            runs.filter = text;
            runs.page.redraw();
          },
        })
      : null,
    waiting.length ? waitingLine(runs) : null,
    states.length
      ? h(
          "ul",
          { class: "run-rows", "aria-label": "runs" },
          shown.map((each) => runRow(runs, each)),
        )
      : emptyState("There are no runs yet."),
  );
}

function waitingLine(runs) {
  const seeds = runs.waiting.map((each) => each.seed ?? "of the recipe").join(", ");
  return h(
    "p",
    { class: "waiting-line", role: "status" },
    h("span", null, `Waiting for room: seed ${seeds}. They start while this page is open.`),
    button("Drop", () => runs.dropWaiting(), { kind: "small" }),
  );
}

function runRow(runs, state) {
  const isDrawn = runs.drawn.includes(state.id);
  const colour = runs.colourOf(state.id);
  const isChosen = runs.chosen?.id === state.id;
  const facts = [state.game, state.algorithm, isKnown(state.seed) ? `seed ${state.seed}` : null].filter(Boolean);
  return h(
    "li",
    { class: { "run-row": true, chosen: isChosen }, key: state.id, "data-run": state.id },
    h(
      "label",
      { class: "run-check", title: "Draw its curves", style: { "accent-color": colour ?? null } },
      h("input", {
        type: "checkbox",
        checked: isDrawn,
        "aria-label": `draw ${state.id}`,
        onchange: () => runs.toggle(state.id),
      }),
    ),
    h(
      "button",
      {
        class: "run-main",
        type: "button",
        "aria-pressed": String(isChosen),
        onclick: () => runs.set({ run: state.id, runs: runs.query.runs ?? runs.drawn.join(",") }),
      },
      h("span", { class: "run-name" }, h("b", null, state.id), statusBadge(state.status)),
      h("span", { class: "dim run-facts" }, facts.join(" · ")),
      isGoingOn(state)
        ? [
            h("span", { class: "run-facts num" }, reachText(state)),
            h("span", { class: "dim run-facts activity" }, activityText(state)),
          ]
        : null,
      state.newest
        ? h("span", { class: "run-facts num" }, `${state.newest.title} ${figureText(state.newest.value)}`)
        : null,
      state.error ? h("span", { class: "bad run-error" }, state.error) : null,
    ),
    state.is_ours && state.status !== "stopping"
      ? h("span", { class: "run-stop" }, button("", () => runs.stop(state.id), {
          kind: "small danger",
          name: "stop",
          label: `Stop: ${state.id}`,
          title: "Save a checkpoint and stop",
        }))
      : null,
    isGoingOn(state) && isKnown(state.share) ? progressBar(state.share, `budget of ${state.id} spent`) : null,
  );
}
