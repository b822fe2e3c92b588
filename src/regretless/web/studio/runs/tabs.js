// SPDX-License-Identifier: MIT
// The head of the pages about training: runs, leaderboard, cross-play.

import { h } from "../lib/dom.js";

const TABS = [
  ["Runs", "/runs"],
  ["Leaderboard", "/leaderboard"],
  ["Cross-play", "/cross"],
];

/** The name of the page as one of three tabs; `aside` stands at the right. */
export function trainHead(path, ...aside) {
  const title = TABS.find(([, href]) => href === path)[0];
  return h(
    "div",
    { class: "train-head" },
    h("h1", { class: "hidden" }, title),
    h(
      "nav",
      { class: "train-tabs", "aria-label": "training" },
      TABS.map(([text, href]) => h("a", { key: href, href, "aria-current": href === path ? "page" : null }, text)),
    ),
    h("span", { class: "grow" }),
    aside,
  );
}
