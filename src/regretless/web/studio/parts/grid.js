// SPDX-License-Identifier: MIT
// The square of hand classes: pairs on the diagonal, suited hands above. One cell is reached by Tab,
// the others by arrows.

import { h } from "../lib/dom.js";

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** The names of the classes for ranks from high to low, row by row. */
export function classNames(ranks = "AKQJT98765432") {
  return [...ranks].flatMap((row, i) =>
    [...ranks].map((column, j) => (i === j ? row + row : i < j ? `${row}${column}s` : `${column}${row}o`)),
  );
}

/** A grid of buttons. Each cell: {name, fill (background), height (0 to 1), figure, label, isEmpty}.
 *  `onpick(name)` on click or Enter, `onpreview(name or null)` while the pointer is over a cell or the keys are on it,
 *  `onpaint(names)` makes the grid one to paint on: it gets all cells that a drag went over. */
export function handGrid({ label, cells, current, pinned = [], onpick, onpreview, onpaint, line }) {
  const size = Math.round(Math.sqrt(cells.length));
  const first = current && cells.some((each) => each.name === current) ? current : cells[0]?.name;
  const at = (event) => event.target.closest?.("[data-cell]")?.dataset.cell;
  return h(
    "div",
    {
      class: { "hand-grid": true, paintable: Boolean(onpaint) },
      role: "group",
      "aria-label": label,
      "data-line": line ?? null,
      style: { "--size": size },
      onclick: (event) => !onpaint && at(event) && onpick?.(at(event)),
      onpointerover: (event) => event.pointerType !== "touch" && at(event) && onpreview?.(at(event)),
      onpointerleave: () => onpreview?.(null),
      onpointerdown: (event) => onpaint && at(event) && paint(event, onpaint),
      onkeydown: (event) => move(event, size, onpreview, onpaint),
    },
    cells.map((each) =>
      h(
        "button",
        {
          key: each.name,
          class: { cell: true, empty: each.isEmpty, pinned: pinned.includes(each.name) },
          "data-cell": each.name,
          tabindex: each.name === first ? 0 : -1,
          title: each.label,
          "aria-label": each.label,
          "aria-pressed": onpaint ? null : String(pinned.includes(each.name)),
        },
        h("span", { class: "fill", style: { background: each.fill ?? null, height: `${100 * (each.height ?? 1)}%` } }),
        h("span", { class: "name" }, each.name),
        each.figure ? h("span", { class: "figure" }, each.figure) : null,
      ),
    ),
  );
}

function move(event, size, onpreview, onpaint) {
  const cell = event.target.closest("[data-cell]");
  if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
  if (onpaint && (event.key === " " || event.key === "Enter")) {
    event.preventDefault();
    onpaint([cell.dataset.cell]);
    return;
  }
  const step = STEPS[event.key];
  if (!step) return;
  event.preventDefault();
  const cells = [...cell.parentElement.children];
  const place = cells.indexOf(cell);
  const [row, column] = [Math.floor(place / size) + step[0], (place % size) + step[1]];
  if (row < 0 || column < 0 || row >= size || column >= size) return;
  const next = cells[row * size + column];
  next.focus();
  onpreview?.(next.dataset.cell);
}

function paint(event, onpaint) {
  event.preventDefault();
  const grid = event.target.closest(".hand-grid");
  const painted = new Set();
  const add = (cell) => {
    if (!cell || cell.closest(".hand-grid") !== grid) return;
    painted.add(cell.dataset.cell);
    cell.classList.add("pinned");
  };
  const over = (moved) => add(document.elementFromPoint(moved.clientX, moved.clientY)?.closest("[data-cell]"));
  const end = () => {
    removeEventListener("pointermove", over);
    removeEventListener("pointerup", end);
    for (const each of grid.children) each.classList.remove("pinned");
    onpaint([...painted]);
  };
  event.target.releasePointerCapture?.(event.pointerId);
  add(event.target.closest("[data-cell]"));
  addEventListener("pointermove", over);
  addEventListener("pointerup", end);
}
