// SPDX-License-Identifier: MIT
// A hand in words: names, what each player did, and how it ended.

import { wonBy } from "./scenes.js";

const YOU = "You";
const VERBS = {
  fold: ["fold", "folds"],
  check: ["check", "checks"],
  call: ["call", "calls"],
  bet: ["bet", "bets"],
  raise: ["raise", "raises"],
  "all-in": ["go all-in:", "goes all-in:"],
  show: ["show", "shows"],
  win: ["win", "wins"],
};

/** `You raise to 3 bb`, `Counter folds`. */
export function sentence(name, text, money) {
  const [word, ...rest] = text.split(" ");
  const verbs = VERBS[word];
  const inUnit = money.inText(text);
  if (!verbs) return `${name}: ${inUnit}`;
  const verb = verbs[name === "You" ? 0 : 1];
  return rest.length ? `${name} ${verb}${inUnit.slice(word.length)}` : `${name} ${verb}`;
}

/** Names by seat: yours is `You`, those of others are titles, numbered where one sits there twice. */
export function titled(players, own, opponents) {
  const titleOf = (name) => opponents.find((each) => each.name === name)?.title ?? name;
  const titles = players.map(({ name }, seat) => (seat === own ? YOU : titleOf(name)));
  const counts = new Map();
  return titles
    .map((_, place) => (own + place) % titles.length) // round the table, so that numbers stay with their players
    .reduce((found, seat) => {
      const title = titles[seat];
      const count = (counts.get(title) ?? 0) + 1;
      counts.set(title, count);
      found[seat] = titles.indexOf(title) === titles.lastIndexOf(title) ? title : `${title} ${count}`;
      return found;
    }, []);
}

/** The lines of the hand that is played: streets ({name: null}) and actions. */
export function handLines(seen, names) {
  const lines = seen.log.map(({ seat, text, seen: taken }) => ({
    name: seat === null ? null : names[seat],
    text,
    seen: taken,
  }));
  return [...lines, ...endLines(seen, names)];
}

/** The lines of a replay up to its step. */
export function replayLines({ steps, at, hand }, names) {
  const lines = [];
  let street = "";
  for (let place = 1; place <= at; place++) {
    const { seat, text } = steps[place];
    const before = steps[place - 1].seen;
    if (hand.actions[place - 1].street !== street) {
      street = hand.actions[place - 1].street;
      lines.push({ name: null, text: `${street} ${(before.board ?? []).join("")}, pot ${before.pot}` });
    }
    lines.push({ name: names[seat], text });
  }
  return [...lines, ...endLines(steps[at].seen, names)];
}

/** How a hand ended: the hands that were shown, and who takes how much. */
function endLines({ is_over: isOver, seats, board = [] }, names) {
  if (!isOver) return [];
  const shown = seats.flatMap(({ hand, strength, is_live: isLive }, seat) =>
    strength && isLive ? [{ name: names[seat], text: `show ${hand}, ${strength}` }] : [],
  );
  const won = seats.flatMap((each, seat) =>
    "paid" in each && wonBy(each) > 0 ? [{ name: names[seat], text: `win ${wonBy(each)}` }] : [],
  );
  const head = board.length ? [{ name: null, text: `the end ${board.join("")}` }] : [];
  return [...(shown.length ? head : []), ...shown, ...won];
}
