// SPDX-License-Identifier: MIT
// `/study/<id>?line=…` and `/study/solve/<job>`: any node of a strategy on one screen.
// Everything that is chosen is in the address.

import { h } from "../lib/dom.js";
import { get } from "../lib/api.js";
import { sliderField } from "../parts/fields.js";
import { emptyState } from "../parts/panels.js";
import { decisionPanel } from "../study/decision.js";
import { addKeys } from "../study/keys.js";
import { lineOfPlay } from "../study/line.js";
import { watchLock } from "../study/locks.js";
import { otherRanges, rangePanel, rangePanels } from "../study/ranges.js";
import { sidePanel } from "../study/side.js";
import { isRunning, Study } from "../study/study.js";

const WAIT_MILLISECONDS = 700;
const CONFLICT = 409; // a solve that has no strategy yet

export async function open(page) {
  page.isWide = true;
  page.title = "Study";
  const study = new Study(page);
  try {
    await study.load();
    await begin(study);
  } catch (error) {
    if (!page.params.job || error.status !== CONFLICT) throw error;
    waitForTree(study);
  }
  return () => (study.node ? view(study) : waiting(study));
}

async function begin(study) {
  study.page.onQuery = () => study.load();
  addKeys(study);
  await study.begin();
  watchLock(study);
}

/** A solve builds its tree before there is a strategy to look at. */
function waitForTree(study) {
  const { page } = study;
  const stop = page.every(WAIT_MILLISECONDS, async () => {
    study.job = await get(`/jobs/${page.params.job}`);
    page.redraw();
    try {
      await study.load();
    } catch (error) {
      if (isRunning(study.job) && error.status === CONFLICT) return;
      stop();
      study.error = error.message;
      page.redraw();
      return;
    }
    stop();
    await begin(study);
  });
}

function waiting({ error, job }) {
  if (error) return emptyState(job?.error ?? error, h("a", { class: "button", href: "/solve" }, "Solve a spot"));
  return emptyState(`The solve has begun: ${job?.progress.what ?? job?.status ?? "waiting"}.`);
}

function view(study) {
  const { node, areBoth } = study;
  return [
    study.steps ? checkpoints(study) : null,
    lineOfPlay(study),
    h(
      "div",
      { class: { study: true, plain: !node.isGrid, grouped: node.isGrouped, both: areBoth }, "data-line": node.line },
      areBoth
        ? [rangePanels(study), h("div", { class: "study-right" }, decisionPanel(study), sidePanel(study))]
        : [
            rangePanel(study),
            decisionPanel(study),
            h("div", { class: "study-right" }, otherRanges(study), sidePanel(study)),
          ],
    ),
  ];
}

/** A run's strategy at the checkpoints it kept. */
function checkpoints(study) {
  const { steps, query } = study;
  if (!steps.length)
    return h("p", { class: "dim" }, "The run kept only its newest strategy; set checkpoint.keep to keep more.");
  const place = steps.findIndex((each) => String(each.step) === query.step);
  const at = place < 0 ? steps.length : place;
  return h(
    "div",
    { class: "panel checkpoints" },
    sliderField({
      label: "Checkpoint",
      value: at,
      min: 0,
      max: steps.length,
      text: steps[at]?.text ?? "the newest",
      onchange: (next) => study.set({ step: steps[next]?.step ?? null }),
    }),
  );
}
