// SPDX-License-Identifier: MIT
// The values of the solve form: defaults by game and preset, their place in the address, and the request they make.

const DEFAULT_PRESET = "btn-bb-srp";
const SIZES = ["bets", "raises"].flatMap((key) => ["", "_flop", "_turn", "_river", "_oop"].map((of) => key + of));
const TEXTS = ["board", "range_oop", "range_ip", ...SIZES, "donks", "aggressor"];
const CHIPS = { pot: "Pot", stack: "Stacks", stack_ip: "Stack of IP", rake_cap: "Most rake" };
const NUMBERS = { add_all_in: [0, 1000], force_all_in: [0, 1000], merge: [0, 1000], rake: [0, 99.99] };
const LIMITS = ["target", "iterations", "seconds"];
const PLAIN = {
  ...Object.fromEntries([...TEXTS, ...Object.keys(CHIPS)].map((key) => [key, ""])),
  ...{ add_all_in: "1.5", force_all_in: "0.2", merge: "0.1", rake: "0", aggressor: "ip", locks: "" },
  ...{ target: "0.5", iterations: "", seconds: "", algorithm: "", threads: "", precision: "", device: "cpu" },
};
const FIRST = {
  nlhe: { board: "QsJh2h" },
  "short-deck": {
    board: "QsJh9h8d",
    pot: "100",
    stack: "300",
    range_oop: "66+,A6s+,ATo+,KTs+,QTs+,JTs",
    range_ip: "66+,A6s+,A9o+,K9s+,KJo+,Q9s+,J9s+,T9s",
  },
  plo4: {
    board: "Ts9d6h4c2s",
    pot: "100",
    stack: "300",
    range_oop: "AsKsQhJd,8c7c6s5d,KcKdJhTc",
    range_ip: "AcAdKhQh,9c9h8d7d,QcJcTdTh",
  },
};
export const FIELDS = ["game", "preset", ...Object.keys(PLAIN)];

/** The values without anything chosen, for a game and a preset. */
export function baseValues(game, preset) {
  const isSpot = game in FIRST;
  const spot = game === "nlhe" && preset ? preset.spot : {};
  const texts = Object.fromEntries(Object.entries(spot).map(([key, value]) => [key, String(value)]));
  return { ...PLAIN, ...FIRST[game], ...texts, target: isSpot ? "0.5" : "0.001", game, preset: preset?.name ?? "" };
}

/** The values of an address. */
export function readQuery(query, presets, games) {
  const game = games.some(({ name }) => name === query.game) ? query.game : "nlhe";
  const wanted = query.preset ?? DEFAULT_PRESET;
  const preset = game === "nlhe" ? (presets.find(({ name }) => name === wanted) ?? presets[0]) : null;
  const base = baseValues(game, preset);
  const given = Object.keys(PLAIN).filter((key) => key in query);
  return { values: { ...base, ...Object.fromEntries(given.map((key) => [key, query[key].trim()])) }, base };
}

/** What differs from the base, for the address; null for everything else. An emptied field is a space. */
export function toQuery(values, base) {
  const changes = Object.fromEntries(
    Object.keys(PLAIN).map((key) => [key, values[key] === base[key] ? null : values[key] || " "]),
  );
  const { game, preset } = values;
  return {
    ...changes,
    game: game === "nlhe" ? null : game,
    preset: !preset || preset === DEFAULT_PRESET ? null : preset,
  };
}

const isWhole = (text) => /^\s*\d+\s*$/.test(text) && Number(text) >= 1 && Number(text) <= 1e9;
const isFilled = (text) => text.trim() !== "";

/** Errors that need no server, by field. */
export function findErrors(values, isSpot) {
  const errors = {};
  const check = (key, isRight, text) => {
    if (!isRight) errors[key] = text;
  };
  for (const key of LIMITS) {
    const isRight = !isFilled(values[key]) || Number(values[key]) > 0;
    check(
      key,
      isRight && (key !== "iterations" || !isFilled(values[key]) || isWhole(values[key])),
      "above 0, or empty for no limit",
    );
  }
  if (!isSpot) return errors;
  for (const key of Object.keys(CHIPS)) {
    const isOptional = key === "stack_ip" || key === "rake_cap";
    check(key, (isOptional && !isFilled(values[key])) || isWhole(values[key]), "a whole number of chips above 0");
  }
  for (const [key, [low, high]] of Object.entries(NUMBERS)) {
    const value = Number(values[key]);
    check(key, !isFilled(values[key]) || (value >= low && value <= high), `a number from ${low} to ${high}`);
  }
  const cards = values.board.replaceAll(" ", "").match(/../g) ?? [];
  const isBoard = /^(\s*[2-9TJQKA][shdc]){3,5}\s*$/i.test(values.board) && new Set(cards).size === cards.length;
  check("board", isBoard, "3, 4 or 5 cards, such as QsJh2h");
  return errors;
}

/** The body of a request to /api/solves. */
export function toRequest(values, isSpot) {
  const given = (key, read = (text) => text) => (isFilled(values[key]) ? { [key]: read(values[key].trim()) } : {});
  const asked = {
    game: values.game,
    device: values.device,
    ...given("algorithm"),
    ...given("threads", Number),
    ...Object.assign({}, ...LIMITS.map((key) => given(key, Number))),
  };
  if (!isSpot) return asked;
  const keys = TEXTS.filter((key) => key !== "aggressor" || isFilled(values.donks)); // only donk bets ask for him
  const spot = Object.assign({}, ...keys.map((key) => given(key)));
  const numbers = [...Object.keys(CHIPS), ...Object.keys(NUMBERS)];
  Object.assign(spot, ...numbers.map((key) => given(key, Number)));
  for (const key of Object.keys(NUMBERS)) spot[key] ??= 0;
  const locks = values.locks
    .split("\n")
    .map((each) => each.trim())
    .filter(Boolean);
  return { ...asked, ...given("precision", Number), spot: { ...spot, board: spot.board.replaceAll(" ", "") }, locks };
}

/** The field that an error is about: its line begins with the name, or quotes what was typed. */
export function fieldOf(line, values) {
  const name = line.match(/^(?:body\.)?(?:spot\.)?-*([a-z_-]+)/)?.[1]?.replaceAll("-", "_");
  if (name in PLAIN) return name;
  const quoted = line.match(/'([^']+)'/)?.[1];
  const typed = [...SIZES, "donks", "locks"];
  return quoted ? typed.find((key) => values[key].includes(quoted)) : undefined;
}
