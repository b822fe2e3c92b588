// SPDX-License-Identifier: MIT
// Beside the table: this hand in words, who sits there, the session and its hands, and the review of mistakes.

import { h } from "../lib/dom.js";
import { number, percent, plural } from "../lib/format.js";
import { mixBar, actionColours } from "../parts/actions.js";
import { cardsOf, cardText, withSuits } from "../parts/cards.js";
import { lineChart } from "../parts/chart.js";
import { selectField } from "../parts/fields.js";
import { button, panel } from "../parts/panels.js";
import { sorted } from "./felt.js";
import { sentence } from "./words.js";

export function side(game) {
  return h(
    "aside",
    { class: "table-side" },
    logPanel(game),
    game.review ? reviewPanel(game) : [playersPanel(game), sessionPanel(game)],
  );
}

function logPanel(game) {
  const { money } = game;
  const rows = game.log().map(({ name, text, seen }, place) => {
    if (name === null) return h("p", { class: "log-street dim", key: place }, withSuits(money.inText(text)));
    return h(
      "p",
      { class: "log-line", key: place },
      withSuits(sentence(name, text, money)),
      seen ? h("span", { class: "dim" }, ` (seen as ${money.inText(seen)})`) : null,
    );
  });
  const keep = (element) => {
    const low = () => {
      element.scrollTop = element.scrollHeight;
    };
    new MutationObserver(low).observe(element, { childList: true, subtree: true });
    low();
  };
  return panel(
    {
      title: game.replay
        ? `Replay of hand ${game.replay.hand.hand + 1}`
        : game.state
          ? `Hand ${game.state.hand + 1}`
          : "This hand",
      aside: h("span", { class: "dim" }, game.gameText),
      class: "log-panel",
    },
    h(
      "div",
      { class: "table-log num", tabindex: 0, role: "log", "aria-label": "this hand", ref: keep },
      rows.length ? rows : h("p", { class: "dim" }, "Nothing has happened yet."),
    ),
  );
}

function playersPanel(game) {
  const seen = new Map();
  for (const each of game.sitting) if (!seen.has(each.name)) seen.set(each.name, each);
  if (!seen.size) return null;
  return panel(
    { title: "Opponents", class: "players-panel" },
    h(
      "div",
      { class: "opponents", tabindex: 0, role: "group", "aria-label": "styles and strengths" },
      [...seen.values()].map((each) =>
        h(
          "div",
          { class: "opponent", key: each.name },
          h("div", { class: "row" }, h("b", null, each.title), levelBadge(each)),
          h("p", { class: "dim" }, each.style),
          h("p", null, each.strength),
        ),
      ),
    ),
  );
}

export function levelBadge({ level }) {
  return h("span", { class: `badge ${level === "practice" ? "" : "good"}` }, level);
}

function sessionPanel(game) {
  const { hands, money, session } = game;
  const mine = (each) => each.players[each.seat];
  const rows = [...hands].reverse().map((each) => {
    const own = mine(each);
    return h(
      "button",
      {
        class: "hand-row",
        key: each.hand,
        type: "button",
        "data-hand": each.hand,
        "aria-current": game.replay?.hand.hand === each.hand ? "true" : null,
        onclick: () => game.openReplay(each.hand),
        "aria-label": `replay hand ${each.hand + 1}`,
      },
      h("span", { class: "dim num" }, each.hand + 1),
      handText(own.cards),
      h("span", { class: "dim hand-where" }, own.position),
      h("span", { class: "dim hand-where" }, each.street),
      h("b", { class: { num: true, good: own.won > 0, bad: own.won < 0 } }, money.signed(own.won)),
    );
  });
  return panel(
    { title: "Session", class: "session-panel", aside: h("span", { class: "dim num" }, plural(session.hands, "hand")) },
    h(
      "p",
      { class: "session-result num", "data-session": session.hands, title: "with its 95 % interval" },
      h("b", null, money.session(session)),
    ),
    hands.length > 2
      ? winnings(
          hands.map((each) => mine(each).won),
          money,
        )
      : null,
    h(
      "div",
      { class: "row session-actions" },
      session.hands ? button("Review mistakes", () => game.openReview(), { name: "target", kind: "small" }) : null,
      session.hands && game.isPoker
        ? button("PHH", () => game.download(), {
            name: "download",
            kind: "small",
            label: "Download PHH",
            title: "all hands as a PHH file",
          })
        : null,
      button(game.state && !game.state.is_closed ? "Leave" : "Choose a table", () => game.leave(), { kind: "small" }),
    ),
    rows.length
      ? h("div", { class: "hand-rows", role: "group", "aria-label": "hands" }, rows)
      : h("p", { class: "dim" }, "Hands that are over are listed here; a click replays one."),
  );
}

function handText(cards) {
  const found = sorted(cardsOf(cards));
  return found.length ? cardText(found.join("")) : h("span", null, cards ?? "–");
}

function winnings(won, money) {
  let sum = 0;
  const points = [[0, 0], ...won.map((each, place) => [place + 1, (sum += each) / money.perUnit])];
  return h(
    "div",
    { class: "winnings" },
    lineChart({
      label: "winnings over the session",
      series: [{ name: "won", colour: "var(--accent)", points }],
      height: 96,
      width: 340,
      format: (value) => `${number(value, 1)} ${money.name}`,
      formatX: (value) => `hand ${value}`,
    }),
  );
}

// The review.

function reviewPanel(game) {
  const { review, money } = game;
  const options = game.reviewers.map((each) => [
    each.name,
    `${each.title}${each.kind === "bot" ? " (a practice bot)" : ""}`,
  ]);
  const shown = review.decisions?.filter((each) => review.hand === null || each.hand === review.hand);
  const lost = shown?.reduce((sum, { choice }) => sum + (choice.lost ?? 0), 0);
  const isKnown = shown?.some(({ choice }) => choice.lost !== null);
  return panel(
    {
      title: review.hand === null ? "Review of the session" : `Review of hand ${review.hand + 1}`,
      class: "review-panel",
      aside: button("Close", () => game.closeReview(), { kind: "small", name: "close" }),
    },
    h(
      "div",
      { class: "row" },
      selectField({
        label: "Compare with",
        value: review.name,
        options,
        onchange: (name) => game.openReview(review.hand, name),
      }),
      review.hand === null ? null : button("All hands", () => game.openReview(), { kind: "small" }),
    ),
    h(
      "p",
      { class: "dim" },
      !shown ? "Asking the strategy about each decision…" : summary(shown, isKnown, lost, money),
    ),
    shown?.length
      ? h(
          "div",
          { class: "reviewed" },
          shown.map((each) => decision(game, each)),
        )
      : null,
  );
}

function summary(shown, isKnown, lost, money) {
  if (!shown.length) return "You made no decision.";
  const order = "Worst first; a click replays the hand there.";
  if (isKnown) return `${plural(shown.length, "decision")}, EV lost in all: ${money.ofUnits(lost)}. ${order}`;
  const why = "EVs are not known in this game, so the share of your choice in its mix is shown.";
  return `${plural(shown.length, "decision")}. ${why} ${order}`;
}

function decision(game, { hand, choice }) {
  const { money } = game;
  const mix = choice.mix.filter(([, share]) => share >= 0.0005);
  const words = mix.map(([text]) => ({ word: { fold: "f", check: "x", call: "c" }[text.split(" ")[0]] ?? text }));
  const colours = actionColours(words);
  const text = mix.map(([name, share]) => `${money.inText(name)} ${percent(share, 0)}`).join(", ");
  return h(
    "button",
    {
      class: "decision-row",
      key: `${hand} ${choice.step}`,
      type: "button",
      "data-decision": `${hand} ${choice.step}`,
      onclick: () => game.openReplay(hand, choice.step),
    },
    h(
      "span",
      { class: "row" },
      h("b", null, `#${hand + 1}`),
      h("span", { class: "dim decision-place" }, withSuits(money.inText(choice.place))),
      h("span", { class: "grow" }),
      grade(choice, money),
    ),
    h(
      "span",
      { class: "decision-chosen" },
      `You: ${money.inText(choice.chosen)}`,
      choice.seen_as ? h("span", { class: "dim" }, ` (seen as ${money.inText(choice.seen_as)})`) : null,
    ),
    mix.length
      ? mixBar(
          mix.map(([, share]) => share),
          colours,
          text,
        )
      : null,
    h("span", { class: "dim num decision-mix" }, text || "unknown hand"),
  );
}

function grade({ lost, share }, money) {
  if (lost !== null)
    return h(
      "b",
      { class: { num: true, bad: lost > 0.005, good: lost <= 0.005 } },
      lost > 0.005 ? `−${money.ofUnits(lost)}` : "best",
    );
  if (share === null) return h("span", { class: "dim" }, "–");
  return h(
    "b",
    { class: { num: true, bad: share < 0.05, warn: share >= 0.05 && share < 0.25, good: share >= 0.25 } },
    `${percent(share, 0)} of the mix`,
  );
}
