// SPDX-License-Identifier: MIT
// What a visitor has chosen: look, colours, deck, unit, sound. This browser keeps it; nothing is sent.

const NAME = "regretless";
export const CHOICES = {
  look: ["system", "dark", "light"],
  palette: ["okabe", "tol", "shades"],
  deck: ["four", "two"],
  unit: ["bb", "chips"],
  sound: ["off", "on"],
};
const listeners = new Set();

export function preference(name) {
  const found = read()[name];
  return CHOICES[name].includes(found) ? found : CHOICES[name][0];
}

export function prefer(name, value) {
  localStorage.setItem(NAME, JSON.stringify({ ...read(), [name]: value }));
  apply();
  for (const each of listeners) each(name);
}

export function onPreference(listener) {
  listeners.add(listener);
}

function isDark() {
  const look = preference("look");
  return look === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : look === "dark";
}

/** Values that one page keeps in this browser, such as saved ranges and the seat at a table. */
export function stored(key, fallback) {
  try {
    return JSON.parse(localStorage.getItem(`${NAME}.${key}`)) ?? fallback;
  } catch {
    return fallback;
  }
}

export function store(key, value) {
  if (value === null || value === undefined) localStorage.removeItem(`${NAME}.${key}`);
  else localStorage.setItem(`${NAME}.${key}`, JSON.stringify(value));
}

function read() {
  try {
    return JSON.parse(localStorage.getItem(NAME)) ?? {};
  } catch {
    return {};
  }
}

function apply() {
  const data = document.documentElement.dataset;
  data.look = isDark() ? "dark" : "light";
  data.palette = preference("palette");
  data.deck = preference("deck");
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
apply();
