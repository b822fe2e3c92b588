// SPDX-License-Identifier: MIT
// Fields of forms. A field with an `error` is red, and its line is read with it.

import { h } from "../lib/dom.js";

let count = 0;
const ids = new Map(); // label -> id, so that a field keeps its id from one drawing to the next

function idOf(label) {
  if (!ids.has(label)) ids.set(label, `field-${++count}`);
  return ids.get(label);
}

function around({ label, error, hint, class: more = "" }, id, control) {
  return h(
    "div",
    { class: `field ${more} ${error ? "wrong" : ""}`, key: `field ${label}` },
    h("label", { for: id }, label),
    control,
    error
      ? h("span", { class: "error", id: `${id}-error`, role: "alert" }, error)
      : hint
        ? h("span", { class: "dim hint" }, hint)
        : null,
  );
}

const described = ({ error }, id) => ({
  id,
  "aria-invalid": error ? "true" : null,
  "aria-describedby": error ? `${id}-error` : null,
});

/** A line of text. `kind`: the type of the input; `list`: suggestions. */
export function textField(given) {
  const { label, value, oninput, onchange, kind = "text", placeholder, min, max, step, list, onkeydown } = given;
  const id = idOf(given.id ?? label);
  return around(given, id, [
    h("input", {
      ...described(given, id),
      type: kind,
      value: value ?? "",
      placeholder,
      min,
      max,
      step,
      list: list ? `${id}-list` : null,
      inputmode: kind === "number" ? "decimal" : null,
      autocomplete: "off",
      spellcheck: "false",
      onkeydown,
      oninput: (event) => oninput?.(event.target.value),
      onchange: (event) => onchange?.(event.target.value),
    }),
    list
      ? h(
          "datalist",
          { id: `${id}-list` },
          list.map((each) => h("option", { value: each })),
        )
      : null,
  ]);
}

export function areaField(given) {
  const { label, value, oninput, rows = 3, placeholder, isReadOnly = false } = given;
  const id = idOf(given.id ?? label);
  return around(
    given,
    id,
    h("textarea", {
      ...described(given, id),
      rows,
      value: value ?? "",
      placeholder,
      readonly: isReadOnly,
      spellcheck: "false",
      oninput: (event) => oninput?.(event.target.value),
    }),
  );
}

/** A choice from a list. `options`: values, or [value, text] pairs. */
export function selectField(given) {
  const { label, value, options, onchange } = given;
  const id = idOf(given.id ?? label);
  return around(
    given,
    id,
    h(
      "select",
      { ...described(given, id), onchange: (event) => onchange(event.target.value) },
      options.map((each) => {
        const [name, text] = Array.isArray(each) ? each : [each, each];
        return h("option", { value: name, selected: String(name) === String(value) }, text);
      }),
    ),
  );
}

export function checkField({ label, value, onchange, hint }) {
  const id = idOf(label);
  return h(
    "div",
    { class: "field check" },
    h("input", { id, type: "checkbox", checked: Boolean(value), onchange: (event) => onchange(event.target.checked) }),
    h("label", { for: id }, label),
    hint ? h("span", { class: "dim hint" }, hint) : null,
  );
}

export function sliderField({ label, value, min, max, step = 1, oninput, onchange, text, isBare = false }) {
  const id = idOf(label);
  return h(
    "div",
    { class: "field slider" },
    isBare ? null : h("label", { for: id }, label),
    h("input", {
      id,
      type: "range",
      min,
      max,
      step,
      value: String(value),
      "aria-label": isBare ? label : null,
      "aria-valuetext": text ?? null,
      oninput: (event) => oninput?.(Number(event.target.value)),
      onchange: (event) => onchange?.(Number(event.target.value)),
    }),
    text ? h("output", { class: "num", for: id }, text) : null,
  );
}
