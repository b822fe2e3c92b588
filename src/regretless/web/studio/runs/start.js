// SPDX-License-Identifier: MIT
// The form that starts a recipe, with several seeds at once, and estimates it first.

import { h } from "../lib/dom.js";
import { bytes, duration, isKnown, number, plural } from "../lib/format.js";
import { areaField, selectField, textField } from "../parts/fields.js";
import { button, dialog, figure } from "../parts/panels.js";
import { seedsOf } from "./model.js";

export function startForm(runs) {
  const close = () => runs.set({ new: null, recipe: null });
  const { form, recipes } = runs;
  if (!recipes) return dialog("New run", close, h("p", { class: "dim" }, "Reading recipes…"));
  if (!recipes.length) return dialog("New run", close, h("p", null, "No recipe can be started here."));
  const count = seedCount(form.seeds);
  return dialog(
    "New run",
    close,
    h(
      "form",
      {
        class: "stack start-form",
        onsubmit: (event) => {
          event.preventDefault();
          runs.start();
        },
        onkeydown: (event) => event.key === "Escape" && close(),
      },
      recipeField(runs),
      h(
        "div",
        { class: "form-row" },
        textField({
          label: "Seeds",
          id: "seeds of a new run",
          value: form.seeds,
          placeholder: "from the recipe",
          hint: "1-3 starts three runs",
          error: count.error,
          oninput: (seeds) => runs.setForm({ seeds }),
        }),
        textField({
          label: "Checkpoints to keep",
          kind: "number",
          min: 1,
          value: form.keep,
          placeholder: "from the recipe",
          hint: "more show the strategy over time",
          oninput: (keep) => runs.setForm({ keep }),
        }),
      ),
      areaField({
        label: "Changes, one per line",
        id: "changes of a new run",
        value: form.changes,
        placeholder: "budget.steps=200",
        oninput: (changes) => runs.setForm({ changes }),
      }),
      form.error ? h("p", { class: "bad form-error", role: "alert" }, form.error) : null,
      form.forecast ? forecastView(form.forecast) : null,
      h(
        "div",
        { class: "row" },
        button(form.isBusy ? "Working…" : "Estimate", () => runs.estimate(), {
          disabled: form.isBusy || !count.seeds,
        }),
        h(
          "button",
          { class: "button primary", type: "submit", disabled: form.isBusy || !count.seeds },
          count.seeds > 1 ? `Start ${count.seeds} runs` : "Start",
        ),
      ),
      h(
        "p",
        { class: "dim hint" },
        "A run continues when this page is closed. When the server stops, its runs save a checkpoint and stop; " +
          "Resume continues them.",
      ),
    ),
  );
}

function seedCount(text) {
  try {
    return { seeds: seedsOf(text).length };
  } catch (error) {
    return { seeds: 0, error: error.message };
  }
}

function recipeField(runs) {
  const { form, recipes } = runs;
  const chosen = recipes.find((each) => each.id === form.recipe);
  const facts = chosen ? [chosen.game, chosen.algorithm, chosen.is_shipped ? "shipped" : "your file"].join(" · ") : "";
  return h(
    "div",
    { class: "stack recipe" },
    selectField({
      label: "Recipe",
      value: form.recipe,
      options: recipes.map((each) => each.id),
      onchange: (recipe) => runs.setForm({ recipe }),
    }),
    h("p", { class: "dim hint" }, chosen?.about ? `${facts}. ${chosen.about}` : facts),
  );
}

function forecastView(found) {
  const { steps, seconds, target } = found.budget;
  const of = (free) => (isKnown(free) ? `of ${bytes(free)} free` : "");
  const grown = found.grows_to_bytes ? `, to ${bytes(found.grows_to_bytes)} at most` : "";
  const ends = [
    steps ? plural(steps, "step") : null,
    isKnown(target) ? `exploitability ${number(target, 6)}` : null,
  ].filter(Boolean);
  return h(
    "div",
    { class: "stack forecast", role: "status" },
    h(
      "div",
      { class: "figures" },
      figure("memory", bytes(found.memory_bytes), of(found.memory_free_bytes)),
      figure("disk", bytes(found.disk_bytes), of(found.disk_free_bytes)),
      figure(
        "time",
        isKnown(seconds) ? `${duration(seconds)}${steps || isKnown(target) ? " at most" : ""}` : "not known yet",
        isKnown(seconds) ? ends.join(", ") : `until ${ends.join(" or ")}; the first steps show how long`,
      ),
    ),
    found.grows ? h("p", { class: "dim" }, `Its tables grow${grown}.`) : null,
    found.notes.map((each) => h("p", { class: "dim", key: each }, each)),
  );
}
