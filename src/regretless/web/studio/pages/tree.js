// SPDX-License-Identifier: MIT
// `/tree/<id>?line=…`: the game tree with ranges and EVs below a line, and the infosets of a small game.

import { h } from "../lib/dom.js";
import { post } from "../lib/api.js";
import { preference } from "../lib/preferences.js";
import { button } from "../parts/panels.js";
import { addresses, branch, MOST_HANDS } from "../tree/branches.js";
import { infosetPanel, ROWS } from "../tree/infosets.js";

export async function open(page) {
  page.isWide = true;
  page.title = `Tree of ${page.params.id}`;
  const tree = new Tree(page);
  await tree.load();
  page.onQuery = () => tree.load();
  return () => view(tree);
}

class Tree {
  constructor(page) {
    Object.assign(this, { page, root: null, found: null, open: new Set(), loads: 0 });
  }

  get links() {
    return addresses(this.page.params.id, this.page.query.step);
  }

  async load() {
    const { page } = this;
    const { line = "", hand = "", step, page: number = "1" } = page.query;
    const asked = {
      id: page.params.id,
      line,
      unit: preference("unit"),
      step: step === undefined ? null : Number(step),
    };
    const begin = (Math.max(1, Math.floor(Number(number)) || 1) - 1) * ROWS;
    const load = ++this.loads;
    const isKnown = this.root?.line === line && this.step === step;
    const [root, origin] = isKnown
      ? [this.root, this.origin]
      : await Promise.all([post("/tree", { ...asked, most_hands: MOST_HANDS }), post("/study", asked)]);
    const isWanted = isWhole(root) || page.query.infosets || hand || begin;
    const rows = { ...asked, hand, begin, count: ROWS };
    const found = isWanted ? await post("/infosets", rows).catch(orLine) : null;
    if (load !== this.loads) return;
    if (!isKnown) this.open = new Set([root.line]);
    Object.assign(this, { root, origin, found, step });
    page.redraw();
  }

  choose = (changes) => {
    this.page.setQuery(changes);
    return this.page.act(() => this.load());
  };

  toggle = (line) => {
    if (!this.open.delete(line)) this.open.add(line);
    this.page.redraw();
  };

  toggleAll = () => {
    const isAny = this.open.size > 1;
    this.open = new Set([this.root.line, ...(isAny ? [] : linesOf(this.root))]);
    this.page.redraw();
  };
}

/** A game that is too large to list is no failure of the page. */
function orLine(error) {
  if (error.status !== 422) throw error;
  return { error: error.message };
}

/** Whether the whole game is small enough for one tree; its infosets are then listed at once. */
const isWhole = (node) => !node.is_cut && node.children.every(isWhole);
const linesOf = (node) => [node.line, ...node.children.flatMap(linesOf)];

function view(tree) {
  const { page, root, origin, found, open: opened, toggle, links } = tree;
  const { line } = page.query;
  return [
    h(
      "div",
      { class: "page-head" },
      h("h1", null, page.title),
      h("span", { class: "dim" }, `${origin.game}: ${origin.strength}`),
      line ? h("span", { class: "dim" }, `below ${line}`) : null,
      line ? h("a", { href: links.below("") }, "Show the whole tree") : null,
      h("a", { href: links.study(line ?? "") }, "Study"),
    ),
    h(
      "div",
      { class: "tree-page" },
      h(
        "section",
        { class: "panel", "aria-label": "game tree" },
        h(
          "div",
          { class: "panel-head" },
          h("h2", null, "Game tree"),
          h("span", { class: "grow" }),
          button(opened.size > 1 ? "Close all" : "Open all", tree.toggleAll, { kind: "small" }),
        ),
        h("div", { class: "branches" }, branch({ open: opened, toggle, ...links }, root)),
      ),
      infosetPanel({ found, query: page.query, choose: tree.choose, study: links.study }),
    ),
  ];
}
