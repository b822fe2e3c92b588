// SPDX-License-Identifier: MIT
// How the practice goes: figures, a chart, answers by street, position, pot and mistake, and the worst decisions.

import { h } from "../lib/dom.js";
import { ago, amount, isKnown, percent } from "../lib/format.js";
import { cardText } from "../parts/cards.js";
import { lineChart } from "../parts/chart.js";
import { button, figure, panel, segmented, table } from "../parts/panels.js";
import { figuresBy, figuresOf, progressOf } from "./history.js";

const GROUPS = { street: "Street", position: "Position", pot: "Pot", facing: "Facing", mistake: "Mistake" };
const WORST = 8;

export function progressPanel(practice) {
  const { history } = practice;
  const rows = practice.span === "all" ? history.rows : history.session;
  if (!history.rows.length)
    return panel(
      { title: "Progress", class: "progress-panel" },
      h(
        "p",
        { class: "dim" },
        "Answer, and your score, your streak and your worst decisions will be here. This browser keeps them.",
      ),
    );
  return h(
    "div",
    { class: "progress-side" },
    panel(
      {
        title: "Progress",
        class: "progress-panel",
        aside: segmented(
          "answers",
          [
            ["session", "Session"],
            ["all", "All"],
          ],
          practice.span,
          (span) => practice.set({ span }),
        ),
      },
      score(practice, rows),
      chart(practice, rows),
      groups(practice, rows),
    ),
    worst(practice),
  );
}

function score({ history }, rows) {
  const { count, good, share, lost, unit } = figuresOf(rows);
  const streaks = history.streaks;
  return h(
    "div",
    { class: "figures score" },
    figure("answered", String(count)),
    figure("good", percent(good, 0)),
    figure("streak", String(streaks.now), `best ${streaks.most}`),
    isKnown(share)
      ? figure("lost a decision", percent(share), isKnown(lost) ? amount(lost, unit) : "of the pot")
      : null,
  );
}

function chart(practice, rows) {
  const isValued = rows.some((each) => isKnown(each.share));
  const shown = isValued && practice.curve === "lost" ? "lost" : "good";
  const of = shown === "lost" ? (each) => each.share : (each) => Number(each.good);
  const points = progressOf(rows, of);
  if (points.length < 2) return null;
  const names = { good: "Good answers", lost: "EV lost" };
  return h(
    "div",
    { class: "progress-chart" },
    isValued ? segmented("curve", Object.entries(names), shown, (curve) => practice.set({ curve })) : null,
    lineChart({
      label: `${names[shown]}, mean of the last twenty`,
      series: [{ name: names[shown], colour: "var(--accent)", points }],
      width: 420,
      height: 150,
      min: 0,
      max: shown === "good" ? 1 : undefined,
      yLabel: shown === "good" ? "good, mean of the last 20" : "% of the pot, mean of the last 20",
      xLabel: "answers",
      format: (value) => percent(value, shown === "good" ? 0 : 1),
      formatX: (value) => String(Math.round(value)),
    }),
  );
}

function groups(practice, rows) {
  const offered = Object.keys(GROUPS).filter((name) => figuresBy(rows, name).length > (name === "mistake" ? 0 : 1));
  if (!offered.length) return null;
  const shown = offered.includes(practice.group) ? practice.group : offered[0];
  const cells = figuresBy(rows, shown).map((each) => [
    h(
      "button",
      { class: "link", type: "button", title: "Practise only these", onclick: () => practice.filter(shown, each.name) },
      each.name,
    ),
    String(each.count),
    percent(each.good, 0),
    isKnown(each.share) ? percent(each.share) : "–",
  ]);
  return [
    segmented(
      "answers by",
      offered.map((name) => [name, GROUPS[name]]),
      shown,
      (group) => practice.set({ group }),
    ),
    table(
      `answers by ${GROUPS[shown].toLowerCase()}`,
      [[GROUPS[shown]], ["answers", "num"], ["good", "num"], ["lost, % of pot", "num"]],
      cells,
      { class: "groups" },
    ),
  ];
}

function worst(practice) {
  const found = practice.history.mistakes().slice(0, WORST);
  return panel(
    {
      title: "Worst decisions",
      class: "worst",
      aside: found.length
        ? button("Drill these", () => practice.choosePart("mistakes"), { kind: "small", name: "redo" })
        : null,
    },
    found.length
      ? h(
          "ul",
          { class: "worst-list" },
          found.map((each) => row(practice, each)),
        )
      : h("p", { class: "dim" }, "None: every last answer was good."),
    h(
      "div",
      null,
      button(practice.isClearing ? "Forget all answers?" : "Forget answers", () => practice.clear(), {
        kind: "small",
        name: "trash",
      }),
    ),
  );
}

function row(practice, answer) {
  const { line, hand, position, street, chosen, best, lost, share, unit, mix, at } = answer;
  const price = isKnown(share) ? `−${amount(lost, unit)}, ${percent(share)} of the pot` : `played ${percent(mix, 0)}`;
  return h(
    "li",
    { key: `${line} ${hand}` },
    h("span", { class: "worst-hand" }, cardText(hand)),
    h(
      "span",
      { class: "worst-text" },
      h("span", null, `${chosen}, best ${best}`),
      h("small", { class: "dim num" }, [position, street, price, ago(at)].filter(Boolean).join(" · ")),
    ),
    h(
      "a",
      {
        class: "button small",
        href: practice.studyAddress(answer),
        "aria-label": `study ${hand} after ${line || "the start"}`,
      },
      "Study",
    ),
  );
}
