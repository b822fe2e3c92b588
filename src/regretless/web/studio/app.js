// SPDX-License-Identifier: MIT
// The studio: one table of addresses, the frame around every page, messages, and keys.

import { h, patch } from "./lib/dom.js";
import { Page } from "./lib/page.js";
import { CHOICES, onPreference, prefer, preference } from "./lib/preferences.js";
import { icon } from "./parts/icons.js";
import { dialog, emptyState, segmented } from "./parts/panels.js";

const PAGES = [
  ["/", () => import("./pages/home.js")],
  ["/solve", () => import("./pages/solve.js")],
  ["/study/solve/:job", () => import("./pages/study.js")],
  ["/study/:id", () => import("./pages/study.js")],
  ["/tree/:id", () => import("./pages/tree.js")],
  ["/preflop", () => import("./pages/preflop.js")],
  ["/play", () => import("./pages/play.js")],
  ["/practice", () => import("./pages/practice.js")],
  ["/practice/:id", () => import("./pages/practice.js")],
  ["/runs", () => import("./pages/runs.js")],
  ["/leaderboard", () => import("./pages/leaderboard.js")],
  ["/cross", () => import("./pages/cross.js")],
  ["/design", () => import("./pages/design.js")],
  ["/api/docs", () => import("./pages/api.js")],
];
const LINKS = [
  ["Study", "/solve", ["/solve", "/study", "/tree"], "search"],
  ["Preflop", "/preflop", ["/preflop"], "grid"],
  ["Play", "/play", ["/play"], "cards"],
  ["Practise", "/practice", ["/practice"], "target"],
  ["Train", "/runs", ["/runs", "/leaderboard", "/cross"], "chart"],
];
const SETTINGS = {
  look: ["Look", { system: "System", dark: "Dark", light: "Light" }],
  palette: ["Colours of actions", { okabe: "Okabe and Ito", tol: "Paul Tol", shades: "Shades" }],
  deck: ["Deck", { four: "Four colours", two: "Two colours" }],
  unit: ["Amounts", { bb: "Big blinds", chips: "Chips" }],
  sound: ["Sound at the table", { off: "Off", on: "On" }],
};
const MESSAGE_MILLISECONDS = 6000;

const app = {
  page: null,
  view: () => h("div", { class: "loading" }),
  isLoading: false,
  isOpen: "", // the dialog that is open: settings or keys
  messages: [],
  isDue: false,

  redraw() {
    if (app.isDue) return;
    app.isDue = true;
    queueMicrotask(() => {
      app.isDue = false;
      draw();
    });
  },

  go(address, { replace = false } = {}) {
    history[replace ? "replaceState" : "pushState"](null, "", address);
    open();
  },

  say(text, kind) {
    const message = { text, kind, key: Math.random() };
    app.messages = [...app.messages.slice(-2), message];
    app.redraw();
    setTimeout(() => {
      app.messages = app.messages.filter((each) => each !== message);
      app.redraw();
    }, MESSAGE_MILLISECONDS);
  },
};

async function open() {
  const path = location.pathname;
  const query = Object.fromEntries(new URLSearchParams(location.search));
  delete query.token;
  if (app.page && app.page.path === path && app.page.onQuery) {
    app.page.query = query;
    await app.page.act(() => app.page.onQuery(query));
    return app.redraw();
  }
  const [params, load] = found(path);
  const page = new Page(app, path, params, query);
  app.page?.close();
  app.page = page;
  app.isOpen = "";
  const waiting = setTimeout(() => {
    app.isLoading = true;
    app.redraw();
  }, 150);
  let view;
  try {
    view = await (await load()).open(page);
  } catch (error) {
    if (error.status === undefined) console.error(error);
    page.title = error.status === 404 ? "Not found" : "Error";
    view = () => emptyState(error.message, h("a", { class: "button", href: "/" }, "Go home"));
  }
  clearTimeout(waiting);
  if (app.page !== page) return undefined; // the visitor has gone on
  app.isLoading = false;
  app.view = view;
  app.shown = page;
  app.redraw();
  scrollTo(0, 0);
  return undefined;
}

function found(path) {
  for (const [pattern, load] of PAGES) {
    const wanted = pattern.split("/");
    const given = path.split("/");
    if (wanted.length !== given.length) continue;
    const params = {};
    const fits = wanted.every((part, place) => {
      if (part.startsWith(":") && given[place]) params[part.slice(1)] = decodeURIComponent(given[place]);
      else return part === given[place];
      return true;
    });
    if (fits) return [params, load];
  }
  return [{}, () => Promise.resolve({ open: notFound })];
}

function notFound(page) {
  page.title = "Page not found";
  const text = `There is no page ${page.path.slice(0, 200)}.`;
  return () => emptyState(text, h("a", { class: "button primary", href: "/" }, "Go home"));
}

function draw() {
  const page = app.page;
  const shown = app.shown ?? page; // the page before, until the next one has loaded
  document.title = page.title ? `${page.title} · regretless` : "regretless";
  patch(document.getElementById("app"), [
    h("a", { class: "skip", href: "#main" }, "Skip to the page"),
    header(page),
    h("div", { class: { progress: true, on: app.isLoading }, "aria-hidden": "true" }),
    h(
      "main",
      {
        id: "main",
        class: { wide: shown.isWide },
        tabindex: -1,
        key: shown.path.split("/")[1],
        "data-page": shown.path,
      },
      app.view(),
    ),
    app.isOpen === "settings" && settings(),
    app.isOpen === "keys" && keyList(page),
    h(
      "div",
      { class: "messages", role: "status", "aria-live": "polite" },
      app.messages.map((each) => h("div", { class: `message ${each.kind}`, key: each.key }, each.text)),
    ),
  ]);
}

function header(page) {
  const isHere = (paths) => paths.some((each) => page.path === each || page.path.startsWith(`${each}/`));
  return h(
    "header",
    { class: "bar" },
    h(
      "a",
      { class: "brand", href: "/", "aria-label": "regretless, home" },
      h("img", { src: "/studio/icon.svg", alt: "", width: 22, height: 22 }),
      h("span", null, "regretless"),
    ),
    h(
      "nav",
      { "aria-label": "pages" },
      LINKS.map(([text, href, paths, name]) =>
        h("a", { href, "aria-current": isHere(paths) ? "page" : null }, icon(name), h("span", null, text)),
      ),
    ),
    h("span", { class: "grow" }),
    h("span", { class: "bar-note num" }, page.note ?? ""),
    h(
      "button",
      {
        class: "quiet unit",
        title: "Amounts in big blinds or chips",
        "aria-label": `amounts in ${preference("unit")}`,
        onclick: () => prefer("unit", preference("unit") === "bb" ? "chips" : "bb"),
      },
      preference("unit"),
    ),
    h(
      "button",
      { class: "quiet on-desktop", "aria-label": "keys", title: "Keys (?)", onclick: () => toggle("keys") },
      icon("keyboard"),
    ),
    h(
      "button",
      { class: "quiet", "aria-label": "settings", title: "Settings", onclick: () => toggle("settings") },
      icon("settings"),
    ),
  );
}

function toggle(name) {
  app.isOpen = app.isOpen === name ? "" : name;
  app.redraw();
}

function settings() {
  const rows = Object.entries(SETTINGS).map(([name, [label, texts]]) =>
    h(
      "div",
      { class: "setting" },
      h("span", { class: "dim" }, label),
      segmented(
        label,
        CHOICES[name].map((each) => [each, texts[each]]),
        preference(name),
        (value) => prefer(name, value),
      ),
    ),
  );
  const links = h(
    "p",
    { class: "dim" },
    h("a", { href: "/api/docs" }, "API"),
    " · ",
    h("a", { href: "/design" }, "Design"),
  );
  return dialog("Settings", () => toggle("settings"), rows, links);
}

function keyList(page) {
  const rows = [...page.help, ["?", "this list"], ["Esc", "close"]];
  const shown = rows.map(([keys, text]) => h("div", { class: "setting" }, h("kbd", null, keys), h("span", null, text)));
  return dialog("Keys", () => toggle("keys"), shown);
}

function isTyping(target) {
  return target.closest?.("input, textarea, select, [contenteditable]");
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && app.isOpen) return toggle(app.isOpen);
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || app.isOpen) return undefined;
  if (event.key === "?") return toggle("keys");
  const isPress = (event.key === " " || event.key === "Enter") && event.target.closest?.("button, a");
  const handler = isPress ? null : app.page?.keyHandlers[event.key];
  if (!handler || event.defaultPrevented) return undefined;
  event.preventDefault();
  return app.page.act(async () => handler(event));
});

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const to = new URL(link.href, location.href);
  const isPage = !to.pathname.startsWith("/api/") || to.pathname === "/api/docs";
  const isOurs = to.origin === location.origin && isPage && !to.hash && !link.download && !link.target;
  if (!isOurs) return;
  event.preventDefault();
  app.go(to.pathname + to.search);
});

addEventListener("popstate", open);
matchMedia("(max-width: 760px)").addEventListener("change", app.redraw);
onPreference((name) => {
  if (name === "unit" && app.page?.onQuery) app.page.act(() => app.page.onQuery(app.page.query)).then(app.redraw);
  app.redraw();
});
open();
