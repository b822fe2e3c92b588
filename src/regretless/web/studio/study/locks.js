// SPDX-License-Identifier: MIT
// Locks: fix what a player does at a node, for all hands, a class or one hand; solve again, and see the cost.

import { h } from "../lib/dom.js";
import { follow, get, post, withQuery } from "../lib/api.js";
import { isKnown, number, plural } from "../lib/format.js";
import { selectField, textField } from "../parts/fields.js";
import { button, progressBar } from "../parts/panels.js";
import { plain } from "./model.js";
import { changedPlan, locksOfPlans } from "./plans.js";
import { isRunning } from "./study.js";

const SECONDS = 60;
const TARGET = 0.5; // percent of the pot; whichever comes first ends the solve
const WORST = 100; // percent of the pot, where progress begins

export function lockPanel(study) {
  const { node, lock, plans, page } = study;
  return h(
    "div",
    { class: "stack" },
    node.hasTurn ? form(study) : h("p", { class: "dim" }, "No player acts here."),
    [...plans.values()].map((plan) => planRow(study, plan)),
    plans.size
      ? button("Solve again", () => page.act(() => solveAgain(study)), {
          kind: "primary",
          name: "redo",
          disabled: isRunning(lock.job),
        })
      : null,
    lock.job ? outcome(study) : null,
  );
}

function planRow(study, { line, seat, texts }) {
  const remove = () => {
    study.plans.delete(line);
    study.keepPlans();
  };
  const place = line || "the start";
  return h(
    "div",
    { class: "lock-row", key: `plan ${line}` },
    h("button", { class: "link", onclick: () => study.go(line) }, seat ? `${place}, ${seat}` : place),
    h("span", { class: "grow" }),
    button("Remove", remove, { kind: "small", label: `remove the lock at ${place}` }),
    h("span", { class: "dim lock-text" }, texts.join("; ")),
  );
}

/** The hands that a lock may be for: [value, text, {kind, name, text}]. */
function handsOfLock({ node, seat, pin, keeps, query }) {
  const isOurs = seat === node.actor;
  const found = [["all", "all hands", { kind: "all", text: "all hands" }]];
  if (isOurs && pin) found.push(["class", plain(pin), { kind: "class", name: pin, text: plain(pin) }]);
  if (isOurs && query.hand) found.push(["hand", query.hand, { kind: "hand", name: query.hand, text: query.hand }]);
  if (isOurs && keeps) found.push(["filter", "the hands of the filter", { kind: "filter", text: filterText(query) }]);
  return found;
}

const filterText = ({ made, draw, suits, action }) =>
  [made, draw, suits, action].filter(Boolean).map(plain).join(" and ").replaceAll(",", " or ");

function form(study) {
  const { node, lock } = study;
  const hands = handsOfLock(study);
  const ways = [
    ["played", "the present strategy"],
    ...node.choices.map((each) => [each.word, `always ${each.text}`]),
    ["mix", "a mix"],
  ];
  const how = ways.some(([name]) => name === lock.how) ? lock.how : "played";
  const [whose, , which] = hands.find(([name]) => name === lock.whose) ?? hands[0];
  const sum = node.choices.reduce((all, each) => all + (Number(lock.shares[each.word]) || 0), 0);
  const isWrong = how === "mix" && Math.abs(sum - 100) > 1e-6;
  const add = () => {
    study.plans.set(node.line, changedPlan(study, study.plans.get(node.line), fixedMix(study, how), which));
    study.keepPlans();
  };
  return [
    selectField({
      label: `${node.seats[node.actor].name} plays`,
      value: how,
      options: ways,
      onchange: (value) => study.setLock({ how: value }),
    }),
    hands.length > 1
      ? selectField({ label: "with", value: whose, options: hands, onchange: (each) => study.setLock({ whose: each }) })
      : h("p", { class: "dim" }, "Pin a hand, choose a combo or set a filter to lock those hands alone."),
    how === "mix" ? mixFields(study) : null,
    isWrong ? h("p", { class: "dim" }, `The shares sum to ${number(sum, 1)} %; a lock needs 100 %.`) : null,
    whose === "all" ? null : h("p", { class: "dim" }, "All other hands keep the present strategy."),
    button("Lock this decision", add, { name: "lock", disabled: isWrong }),
  ];
}

function mixFields(study) {
  const { node, lock } = study;
  const fields = node.choices.map((each) =>
    textField({
      label: `${each.text}, %`,
      kind: "number",
      min: 0,
      max: 100,
      value: lock.shares[each.word] ?? "",
      oninput: (value) => study.setLock({ shares: { ...lock.shares, [each.word]: value } }),
    }),
  );
  return h("div", { class: "form-row" }, fields);
}

/** Shares by action; null for the present strategy. */
function fixedMix({ node, lock }, how) {
  if (how === "played") return null;
  const share = (word) => (how === "mix" ? (Number(lock.shares[word]) || 0) / 100 : Number(word === how));
  return node.choices.map(({ word }) => share(word));
}

async function solveAgain(study) {
  const locks = locksOfPlans([...study.plans.values()]);
  const job = await post("/solves", { id: study.id, locks, seconds: SECONDS, target: TARGET });
  study.setLock({ job, result: null });
  study.keepPlans();
  watchJob(study, job.id);
}

/** Follows a solve with locks that was started before the page was loaded again. */
export function watchLock(study) {
  if (study.lockJob) watchJob(study, study.lockJob);
}

function watchJob(study, id) {
  follow(
    study.page,
    () => get(`/jobs/${id}`).catch((error) => (error.status === 404 ? { status: "forgotten" } : Promise.reject(error))),
    async (job) => {
      if (job.status === "forgotten") return;
      const result = job.status === "done" ? (await get(`/jobs/${id}/result`)).result : null;
      study.setLock({ job, result });
    },
    (job) => !isRunning(job),
    400,
  );
}

function outcome(study) {
  const { job, result } = study.lock;
  if (job.status === "failed") return h("p", { class: "bad", role: "alert" }, job.error);
  if (!result) return progress(job);
  const href = withQuery(`/study/solve/${job.id}`, { ...study.query, side: null });
  return h(
    "div",
    { class: "stack", role: "status" },
    h("p", { class: "lock-cost" }, costText(result.lock_cost)),
    h("a", { class: "button primary", href }, "Open the solution"),
  );
}

function progress(job) {
  const { iterations, exploitability, exploitability_unit: unit, what } = job.progress;
  const share = isKnown(exploitability) ? Math.log(WORST / exploitability) / Math.log(WORST / TARGET) : 0;
  const parts = [
    what ?? job.status,
    iterations ? plural(iterations, "iteration") : "",
    isKnown(exploitability) ? `${number(exploitability, 2)} ${unit}` : "",
  ];
  return h(
    "div",
    { class: "stack" },
    progressBar(share, "solving again"),
    h("p", { class: "dim num" }, parts.filter(Boolean).join(", ")),
  );
}

/** What each locked player wins less: `The locks cost IP 2.31 chips.` */
function costText(costs) {
  const parts = Object.entries(costs ?? {}).map(([seat, value]) => `${seat.toUpperCase()} ${number(value, 2)} chips`);
  return `The locks cost ${parts.join(", ")}.`;
}
