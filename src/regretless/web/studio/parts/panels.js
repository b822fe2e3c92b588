// SPDX-License-Identifier: MIT
// Panels, tables, tabs, dialogs and the words of an empty place.

import { h } from "../lib/dom.js";
import { icon } from "./icons.js";

/** A surface with a heading; `aside` stands at the right of it. */
export function panel({ title, aside, class: more = "", level = 2, label }, ...children) {
  return h(
    "section",
    { class: `panel ${more}`, "aria-label": label ?? (typeof title === "string" ? title : null) },
    title || aside
      ? h("div", { class: "panel-head" }, title && h(`h${level}`, null, title), h("span", { class: "grow" }), aside)
      : null,
    children,
  );
}

/** One of several values as joined buttons. `options`: [value, text] pairs. */
export function segmented(label, options, value, onchange) {
  return h(
    "div",
    { class: "segmented", role: "group", "aria-label": label },
    options.map(([each, text]) =>
      h(
        "button",
        { key: each, type: "button", "aria-pressed": String(each === value), onclick: () => onchange(each) },
        text,
      ),
    ),
  );
}

export function button(text, onclick, { kind = "", name, disabled = false, label, title } = {}) {
  return h(
    "button",
    { class: `button ${kind}`, type: "button", disabled, onclick, "aria-label": label ?? null, title: title ?? null },
    name ? icon(name) : null,
    text ? h("span", null, text) : null,
  );
}

/** A chip that is on or off. */
export function chip(text, isOn, onclick, props = {}) {
  return h("button", { class: "chip", type: "button", "aria-pressed": String(isOn), onclick, ...props }, text);
}

/** A table that scrolls by itself. `columns`: [title, kind] with kind `num` for figures; `rows`: arrays of cells or
 * {cells, props}. */
export function table(label, columns, rows, { class: more = "" } = {}) {
  return h(
    "div",
    { class: `scroll ${more}`, tabindex: 0, role: "region", "aria-label": label },
    h(
      "table",
      null,
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          columns.map(([title, kind]) => h("th", { class: kind, scope: "col" }, title)),
        ),
      ),
      h(
        "tbody",
        null,
        rows.map((row) => {
          const { cells, props } = Array.isArray(row) ? { cells: row, props: {} } : row;
          return h(
            "tr",
            props,
            cells.map((each, place) => h("td", { class: columns[place]?.[1] }, each)),
          );
        }),
      ),
    ),
  );
}

/** A figure with its name. */
export function figure(name, value, note) {
  return h(
    "div",
    { class: "figure-box" },
    h("span", { class: "dim" }, name),
    h("b", { class: "num" }, value),
    note ? h("small", { class: "dim" }, note) : null,
  );
}

export function emptyState(text, ...actions) {
  return h("div", { class: "empty-state" }, h("p", null, text), actions);
}

/** A dialog over the page; Esc, the cross and a click beside it close it. */
export function dialog(title, onclose, ...children) {
  return h(
    "div",
    { class: "veil", onclick: (event) => event.target === event.currentTarget && onclose() },
    h(
      "div",
      {
        class: "dialog panel",
        role: "dialog",
        "aria-modal": "true",
        "aria-label": title,
        ref: (element) => requestAnimationFrame(() => element.querySelector("button, input, a")?.focus()),
      },
      h(
        "div",
        { class: "panel-head" },
        h("h2", null, title),
        h("span", { class: "grow" }),
        h("button", { class: "quiet", "aria-label": "close", onclick: onclose }, icon("close")),
      ),
      children,
    ),
  );
}

export function progressBar(share, label) {
  return h(
    "div",
    {
      class: "bar-progress",
      role: "progressbar",
      "aria-label": label,
      "aria-valuemin": 0,
      "aria-valuemax": 100,
      "aria-valuenow": Math.round(100 * share),
    },
    h("span", { style: { width: `${100 * Math.min(Math.max(share, 0), 1)}%` } }),
  );
}
