// SPDX-License-Identifier: MIT
// What runs now, and what this browser did last: solves and runs, the table, studies and practice.

import { h } from "../lib/dom.js";
import { withQuery } from "../lib/api.js";
import { ago, number, percent, plural } from "../lib/format.js";
import { stored } from "../lib/preferences.js";
import { icon } from "../parts/icons.js";
import { panel } from "../parts/panels.js";

const MOST = 6;

export function lately(home) {
  const now = [...home.jobsNow.map(jobRow), ...home.runsNow.map(runRow)];
  const past = [...table(), ...studies(home), ...practice(home), ...runs(home)]
    .filter((each) => now.every((other) => other.href !== each.href))
    .sort((a, b) => b.at - a.at)
    .slice(0, MOST);
  return h(
    "aside",
    { class: "home-lately", "aria-label": "what was done last" },
    now.length ? panel({ title: "Running now" }, rows(now)) : null,
    panel(
      { title: "Where you left off" },
      past.length
        ? rows(past)
        : h("p", { class: "dim" }, "Spots you study, your table, your practice and your runs will be listed here."),
    ),
  );
}

function rows(found) {
  return h(
    "ul",
    { class: "lately" },
    found.map(({ name, href, text, kind }) =>
      h(
        "li",
        { key: href },
        h(
          "a",
          { href },
          icon(kind),
          h("span", { class: "lately-text" }, h("b", null, name), h("small", { class: "dim num" }, text)),
        ),
      ),
    ),
  );
}

function jobRow(job) {
  const { exploitability, exploitability_unit: unit, iterations } = job.progress;
  const reached = exploitability
    ? `exploitability ${number(exploitability)} ${unit}`
    : iterations
      ? plural(iterations, "iteration")
      : job.status;
  const href = job.kind === "solve" ? `/study/solve/${job.id}` : "/cross";
  return { kind: job.kind === "solve" ? "search" : "people", name: job.title, href, text: reached };
}

function runRow(run) {
  const { "eval/exploitability": reached } = run.measures;
  const text = [
    run.status,
    `step ${number(run.step, 0)}`,
    reached === undefined ? null : `exploitability ${number(reached, 4)}`,
  ];
  return {
    kind: "chart",
    name: run.id,
    href: withQuery("/runs", { run: run.id }),
    text: text.filter(Boolean).join(" · "),
  };
}

function table() {
  return stored("seat", null)
    ? [{ kind: "cards", name: "Your table", href: "/play", text: "your seat is kept", at: Infinity }]
    : [];
}

/** Whether a strategy is still there: an entry of the library, or a solve of this server. */
function isThere({ entries, jobs, isWatched }, id) {
  if (!id.startsWith("solve/")) return entries.some((each) => each.id === id);
  return !isWatched || jobs.some((each) => `solve/${each.id}` === id);
}

function studies(home) {
  const found = stored("recent", []).filter((each) => isThere(home, each.id));
  return found.map(({ id, name, at }) => ({
    kind: "search",
    name,
    href: `/study/${id}`,
    text: `studied ${ago(at)}`,
    at,
  }));
}

function practice(home) {
  const found = Object.entries(stored("practice", {})).filter(([id]) => isThere(home, id));
  return found.map(([id, { name, rows: answers }]) => {
    const { at } = answers[answers.length - 1];
    const good = answers.filter((each) => each.good).length;
    const text = `${plural(answers.length, "answer")}, ${percent(good / answers.length, 0)} good · ${ago(at)}`;
    return { kind: "target", name: `Practice: ${name}`, href: `/practice/${encodeURIComponent(id)}`, text, at };
  });
}

/** Runs by the time of their files. */
function runs({ entries }) {
  return entries
    .filter((each) => each.kind === "run")
    .map(({ id, name, algorithm, created }) => {
      const at = Date.parse(created) || 0;
      return {
        kind: "chart",
        name,
        href: withQuery("/runs", { run: id }),
        text: `run of ${algorithm} · ${ago(at)}`,
        at,
      };
    });
}
