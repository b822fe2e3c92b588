// SPDX-License-Identifier: MIT
// Locks: fix what a player does at a node, solve again, and see the cost.

import { h } from "../lib/dom.js";
import { get, post, withQuery } from "../lib/api.js";
import { isKnown, number, percent, plural } from "../lib/format.js";
import { selectField, textField } from "../parts/fields.js";
import { button, progressBar } from "../parts/panels.js";
import { locksOf, plain } from "./model.js";

const SECONDS = 60,
  TARGET = 0.5; // end the solve

export function lockPanel(study) {
  const { node, lock } = study;
  return h(
    "div",
    { class: "stack" },
    node.hasTurn ? form(study) : h("p", { class: "dim" }, "No player acts here."),
    [...study.locks].map(([line, { text }]) =>
      h(
        "div",
        { class: "lock-row", key: line },
        h("button", { class: "link", onclick: () => study.go(line) }, line || "the start"),
        h("span", { class: "dim" }, text),
        h("span", { class: "grow" }),
        button(
          "Remove",
          () => {
            study.locks.delete(line);
            study.page.redraw();
          },
          { kind: "small", label: `remove the lock at ${line || "the start"}` },
        ),
      ),
    ),
    study.locks.size
      ? button("Solve again", () => study.page.act(() => solveAgain(study)), {
          kind: "primary",
          name: "redo",
          disabled: lock.job?.status === "running",
        })
      : null,
    lock.job ? outcome(study) : null,
  );
}

function form(study) {
  const { node, lock } = study;
  const hands = [
    ["all", "all hands"],
    ...(study.pin ? [["pin", plain(study.pin)]] : []),
    ...(study.keeps ? [["filter", "the hands of the filter"]] : []),
  ];
  const ways = [
    ["played", "the present strategy"],
    ...node.choices.map((each) => [each.word, `always ${each.text}`]),
    ["mix", "a mix"],
  ];
  const how = ways.some(([name]) => name === lock.how) ? lock.how : "played";
  const whose = hands.some(([name]) => name === lock.whose) ? lock.whose : "all";
  const sum = node.choices.reduce((all, each) => all + (Number(lock.shares[each.word]) || 0), 0);
  const isWrong = how === "mix" && Math.abs(sum - 100) > 1e-6;
  return [
    h(
      "div",
      { class: "stack" },
      selectField({
        label: `${node.seats[node.actor].name} plays`,
        value: how,
        options: ways,
        onchange: (value) => study.setLock({ how: value }),
      }),
      hands.length > 1
        ? selectField({
            label: "with",
            value: whose,
            options: hands,
            onchange: (value) => study.setLock({ whose: value }),
          })
        : null,
    ),
    how === "mix"
      ? h(
          "div",
          { class: "form-row" },
          node.choices.map((each) =>
            textField({
              label: `${each.text}, %`,
              kind: "number",
              min: 0,
              max: 100,
              value: lock.shares[each.word] ?? "",
              oninput: (value) => study.setLock({ shares: { ...lock.shares, [each.word]: value } }),
            }),
          ),
        )
      : null,
    isWrong ? h("p", { class: "dim" }, `The shares sum to ${number(sum, 1)} %; a lock needs 100 %.`) : null,
    whose === "all" ? null : h("p", { class: "dim" }, "All other hands keep the present strategy."),
    button("Lock this decision", () => add(study, how, whose), { name: "lock", disabled: isWrong }),
  ];
}

function add(study, how, whose) {
  const { node, lock, pin, keeps } = study;
  const fixed =
    how === "played"
      ? null
      : node.choices.map(({ word }) => (how === "mix" ? (Number(lock.shares[word]) || 0) / 100 : word === how ? 1 : 0));
  const classes = node.classes(node.actor);
  const counts = (hand) => whose === "all" || (whose === "pin" ? classes[hand] === pin : keeps[hand]);
  const told = fixed
    ? node.choices
        .map(({ text }, place) => (fixed[place] ? `${text} ${percent(fixed[place], 0)}` : ""))
        .filter(Boolean)
        .join(", ")
    : "as it is";
  const who = whose === "pin" ? ` with ${plain(pin)}` : whose === "filter" ? " with some hands" : "";
  const isWhole = fixed && whose === "all";
  const locks = isWhole
    ? [
        {
          line: node.line,
          shares: Object.fromEntries(
            node.choices.map(({ word }, place) => [word, fixed[place]]).filter(([, share]) => share > 0),
          ),
        },
      ]
    : locksOf(node, (hand) => (fixed && counts(hand) ? fixed : null));
  study.locks.set(node.line, { text: `${node.seats[node.actor].name}${who}: ${told}`, locks });
  study.page.redraw();
}

async function solveAgain(study) {
  const locks = [...study.locks.values()].flatMap((each) => each.locks);
  study.lock.job = await post("/solves", { id: study.id, locks, seconds: SECONDS, target: TARGET });
  study.page.redraw();
  const stop = study.page.every(400, async () => {
    study.lock.job = await get(`/jobs/${study.lock.job.id}`);
    if (["done", "failed", "cancelled"].includes(study.lock.job.status)) {
      stop();
      if (study.lock.job.status === "done") study.lock.result = (await get(`/jobs/${study.lock.job.id}/result`)).result;
    }
    study.page.redraw();
  });
}

function outcome(study) {
  const { job, result } = study.lock;
  if (job.status === "failed") return h("p", { class: "bad" }, job.error);
  if (job.status !== "done" || !result) {
    const { iterations, exploitability, exploitability_unit: unit, what } = job.progress;
    const left = isKnown(exploitability) ? Math.log(Math.max(exploitability, TARGET) / TARGET) : 3;
    return h(
      "div",
      { class: "stack" },
      progressBar(Math.min(1, 1 - left / 5), "solving again"),
      h(
        "p",
        { class: "dim num" },
        [
          what ?? job.status,
          iterations ? plural(iterations, "iteration") : "",
          isKnown(exploitability) ? `${number(exploitability, 2)} ${unit}` : "",
        ]
          .filter(Boolean)
          .join(", "),
      ),
    );
  }
  return h(
    "div",
    { class: "stack", role: "status" },
    h("p", { class: "lock-cost" }, costText(result.lock_cost)),
    h(
      "a",
      { class: "button primary", href: withQuery(`/study/solve/${job.id}`, { line: study.node.line }) },
      "Open the solution",
    ),
  );
}

function costText(cost) {
  const parts = Object.entries(cost ?? {}).map(
    ([name, value]) =>
      `${plain(name.replaceAll("_", " "))} ${typeof value === "number" ? number(value, 3) : JSON.stringify(value)}`,
  );
  return parts.length ? `Cost of the locks: ${parts.join(", ")}.` : "Solved with the locks.";
}

/** The locks that a solve was asked for, by line. */
export async function locksOfSolve(job) {
  const found = new Map();
  for (const each of await get(`/solves/${job}/locks`)) {
    const of = found.get(each.line) ?? { text: "as solved", locks: [] };
    of.locks.push(each);
    found.set(each.line, of);
  }
  return found;
}
