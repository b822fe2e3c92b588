// SPDX-License-Identifier: MIT
// What leaves the page: the address, the range as text, files, other pages, and a solve saved in the library.

import { h } from "../lib/dom.js";
import { post, withQuery } from "../lib/api.js";
import { areaField, textField } from "../parts/fields.js";
import { button } from "../parts/panels.js";
import { chosenFilters } from "./filters.js";

export function exportsPanel(study) {
  const { page, node } = study;
  const { id, job } = page.params;
  return h(
    "div",
    { class: "stack" },
    h("p", { class: "dim" }, `${node.game}: ${study.strength}`),
    button("Copy the address", () => copy(page, location.href), { name: "copy" }),
    node.isGrid || node.isGrouped ? rangeField(study) : null,
    h(
      "div",
      { class: "row" },
      button("CSV", () => page.act(() => downloadCsv(study)), { name: "download", label: "download CSV" }),
      button("JSON", () => page.act(() => downloadJson(study)), { name: "download", label: "download JSON" }),
    ),
    id && node.kind !== "onnx"
      ? h(
          "div",
          { class: "row" },
          link("Practise this spot", withQuery(`/practice/${encodeURIComponent(id)}`, { line: node.line })),
          link("Play against it", withQuery("/play", { with: id })),
        )
      : null,
    job && study.job?.status === "done" ? saveForm(study) : null,
  );
}

const link = (text, href) => h("a", { class: "button", href }, text);

/** The range as the package writes it, read when the tool is open. */
function rangeField(study) {
  const { node, seat, page } = study;
  const key = `${node.line} ${seat} ${study.loads}`;
  if (study.range?.key !== key) {
    study.range = { key, text: "" };
    page.act(async () => {
      const { text } = await post("/study/range", { ...study.asked(), seat });
      if (study.range.key !== key) return;
      study.range.text = text;
      page.redraw();
    });
  }
  const { text } = study.range;
  return [
    areaField({
      label: `Range of ${node.seats[seat].name}`,
      id: "range as text",
      value: text,
      rows: 3,
      isReadOnly: true,
    }),
    button("Copy the range", () => copy(page, text), { name: "copy", disabled: !text }),
  ];
}

async function copy(page, text) {
  await page.act(() => navigator.clipboard?.writeText(text) ?? copyBySelecting(text));
  page.say(`Copied: ${text.slice(0, 80)}`);
}

/** Browsers have no clipboard for pages of other machines that come without TLS. */
function copyBySelecting(text) {
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

/** The node as `regretless show --json` writes it, with the filters of the page. */
function readNode(study) {
  const filters = chosenFilters(study.query);
  return post("/node", { ...study.asked(), ...filters, ...(Object.keys(filters).length ? { seat: study.seat } : {}) });
}

async function downloadJson(study) {
  download(study, "json", "application/json", JSON.stringify(await readNode(study), null, 1));
}

async function downloadCsv(study) {
  const { name } = study.node.seats[study.seat];
  const rows = (await readNode(study)).hands.filter((row) => row.seat === name);
  const columns = Object.keys(rows[0] ?? {});
  const lines = [columns, ...rows.map((row) => columns.map((each) => row[each] ?? ""))];
  download(study, "csv", "text/csv", lines.map((line) => line.map(csvCell).join(",") + "\n").join(""));
}

const csvCell = (value) => (/[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value));
const plainName = (name) => name.replace(/[^A-Za-z0-9._-]+/g, "-");

function download({ node }, ending, type, text) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(new Blob([text], { type }));
  anchor.download = `${plainName(node.name)}.${ending}`;
  anchor.click();
  URL.revokeObjectURL(anchor.href);
}

function saveForm(study) {
  const { page } = study;
  study.saveName ??= plainName(study.node.name);
  const save = async () => {
    const entry = await post(`/solves/${page.params.job}/save`, { name: study.saveName });
    page.say(`Saved as ${entry.name}.`);
    page.go(withQuery(`/study/${encodeURIComponent(entry.id)}`, study.query), { replace: true });
  };
  const keep = () => page.act(save);
  const onsubmit = (event) => {
    event.preventDefault();
    keep();
  };
  return h(
    "form",
    { class: "stack", onsubmit },
    textField({
      label: "Name in the library",
      value: study.saveName,
      oninput: (value) => {
        study.saveName = value.trim();
        page.redraw();
      },
    }),
    button("Save the solution", keep, { kind: "primary", name: "save", disabled: !study.saveName }),
  );
}
