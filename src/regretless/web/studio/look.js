// SPDX-License-Identifier: MIT
// Sets the look before the first paint, from what this browser keeps; lib/preferences.js has the rest.
(() => {
  const kept = JSON.parse(localStorage.getItem("regretless") || "{}");
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const data = document.documentElement.dataset;
  data.look = kept.look === "dark" || kept.look === "light" ? kept.look : isDark ? "dark" : "light";
  data.palette = kept.palette || "okabe";
  data.deck = kept.deck || "four";
})();
