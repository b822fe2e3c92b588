// SPDX-License-Identifier: MIT
// Icons as strokes on a square of 24; an icon stands beside a text or in a labelled button,
// so it is hidden from readers.

import { h } from "../lib/dom.js";

const PATHS = {
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M16 16l5 5",
  grid: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  cards: "M4 7l9-3 5 13-9 3zM15 5h5v12h-2",
  target: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 12h.01",
  chart: "M4 4v16h16M7 15l4-5 3 3 5-7",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4",
  keyboard: "M3 7h18v10H3zM7 11h.01M11 11h.01M15 11h.01M8 14h8",
  close: "M6 6l12 12M18 6L6 18",
  play: "M7 5l12 7-12 7z",
  stop: "M6 6h12v12H6z",
  back: "M15 5l-7 7 7 7",
  forward: "M9 5l7 7-7 7",
  first: "M18 5l-7 7 7 7M6 5v14",
  last: "M6 5l7 7-7 7M18 5v14",
  down: "M5 9l7 7 7-7",
  lock: "M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3",
  unlock: "M6 11h12v9H6zM8 11V8a4 4 0 0 1 7-2.500",
  copy: "M8 8h11v12H8zM5 16V4h11",
  download: "M12 4v11M7 11l5 5 5-5M4 20h16",
  save: "M5 4h11l3 3v13H5zM8 4v5h7V4M8 20v-6h8v6",
  edit: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  check: "M5 13l4 4L19 7",
  filter: "M4 5h16l-6 8v6l-4-2v-4z",
  tree: "M6 4v16M6 8h6M6 16h6M12 5h7v6h-7zM12 13h7v6h-7z",
  compare: "M4 5h6v14H4zM14 5h6v14h-6zM10 12h4",
  clock: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M12 8v4l3 2",
  warning: "M12 4l9 16H3zM12 10v4M12 17h.01",
  info: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M12 11v5M12 8h.01",
  trash: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
  redo: "M20 12a8 8 0 1 1-3-6l3-3v6h-6",
  dice: "M5 5h14v14H5zM9 9h.01M15 15h.01M15 9h.01M9 15h.01",
  people: "M9 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M3 20c0-4 3-6 6-6s6 2 6 6M16 6a3 3 0 0 1 0 6M17 14c2 .500 4 2 4 6",
};

export const ICONS = Object.keys(PATHS);

export function icon(name, size = 18) {
  return h(
    "svg",
    {
      class: "icon",
      viewBox: "0 0 24 24",
      width: size,
      height: size,
      "aria-hidden": "true",
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 2,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
    },
    h("path", { d: PATHS[name] }),
  );
}
