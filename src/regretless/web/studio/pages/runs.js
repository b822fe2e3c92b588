// SPDX-License-Identifier: MIT
// `/runs`: all runs with live curves, the chosen one in detail, and its strategy over training time.

import { h } from "../lib/dom.js";
import { curvesPanel } from "../runs/curves.js";
import { detailPanel } from "../runs/detail.js";
import { runList } from "../runs/list.js";
import { Runs } from "../runs/model.js";
import { startForm } from "../runs/start.js";
import { StrategyOverTime } from "../runs/strategy.js";
import { trainHead } from "../runs/tabs.js";
import { classFigures, Node } from "../study/model.js";

export async function open(page) {
  page.title = "Runs";
  page.isWide = true;
  const runs = new Runs(page);
  const overTime = new StrategyOverTime(runs, { Node, classFigures });
  await runs.read();
  if (page.query.new) page.act(() => runs.findRecipes());
  runs.begin();
  page.keys({ n: () => runs.openForm() }, [["n", "new run"]]);
  page.onQuery = () => runs.load();
  return () => view(page, runs, overTime);
}

function view(page, runs, overTime) {
  const isOverTime = page.query.view === "strategy";
  if (isOverTime) page.act(() => overTime.load());
  const lost = runs.isLost ? h("span", { class: "warn", role: "status" }, "The server does not answer.") : null;
  return [
    trainHead("/runs", lost),
    h(
      "div",
      { class: "runs" },
      runList(runs),
      isOverTime ? overTime.view() : curvesPanel(runs),
      detailPanel(runs),
    ),
    page.query.new ? startForm(runs) : null,
  ];
}
