// SPDX-License-Identifier: MIT
// What the visitor can do: actions and sizes, the next hand, the steps of a replay. Always at the same place.

import { h } from "../lib/dom.js";
import { icon } from "../parts/icons.js";
import { button } from "../parts/panels.js";
import { checkField } from "../parts/fields.js";

const OPENS = [2.5, 3, 4]; // times the bet that is raised, before the flop

export function controls(game) {
  if (game.replay) return replayControls(game);
  const { state } = game;
  if (!state)
    return bar(
      "ended",
      h("p", null, "This table is closed. Its hands can be replayed and reviewed."),
      button("Choose a table", () => game.toLobby(), { kind: "primary" }),
    );
  if (state.is_closed)
    return bar(
      "ended",
      h("p", null, `The table is closed: ${state.why_closed}.`),
      button("Choose a table", () => game.toLobby(), { kind: "primary" }),
    );
  if (game.isWaiting) return bar("waiting", h("p", { class: "dim" }, game.waitText));
  if (state.seen.is_over) return handEnd(game);
  return state.is_turn ? decision(game) : bar("waiting", h("p", { class: "dim" }, "Another player is to act."));
}

const bar = (kind, ...children) =>
  h("div", { class: `controls ${kind}`, key: kind, role: "group", "aria-label": "actions" }, children);

function handEnd(game) {
  const { state, money } = game;
  const won = state.seen.seats[state.seen.viewer].payoff;
  const text = won ? `You ${won > 0 ? "win" : "lose"} ${money.text(Math.abs(won))}` : "You break even";
  return bar(
    "over",
    h("p", { class: { result: true, good: won > 0, bad: won < 0 }, role: "status" }, text),
    state.is_done
      ? h("p", { class: "dim" }, "All hands of this table have been played.")
      : button("Next hand", () => game.deal(), { kind: "primary main", name: "play", title: "n" }),
    button("Replay", () => game.openReplay(state.hand), { name: "redo" }),
    button("Review", () => game.openReview(state.hand), { name: "target" }),
    state.is_done
      ? null
      : checkField({ label: "Deal by itself", value: game.isAuto, onchange: (value) => game.setAuto(value) }),
  );
}

/** The amounts with a name: shares of the pot, and before the flop multiples of the bet. */
function marksOf({ seen }) {
  const { bets, marks, word } = seen.controls;
  if (!bets) return [];
  const highest = Math.max(...seen.seats.map((each) => each.bet));
  const opens =
    seen.street === 0 && word === "raise to" ? OPENS.map((each) => [`${each}×`, Math.round(each * highest)]) : [];
  const named = marks.map(([text, chips]) => [text.replace("%", " %"), chips]);
  const room = opens.filter(([, chips]) => chips > bets[0] && chips < bets[1]);
  return room.length ? [...room, ...named.filter(([text]) => text === "pot" || text === "all-in")] : named;
}

function decision(game) {
  const { state, money } = game;
  const { buttons, bets, word } = state.seen.controls;
  const isPoker = "pot" in state.seen;
  const acts = buttons.map((each, place) => {
    const kind = kindOf(each.text);
    const key = isPoker ? ({ fold: "f", check: "c", call: "c" }[kind] ?? "r") : place < 9 ? String(place + 1) : "";
    return h(
      "button",
      {
        class: `act ${isPoker ? kind : "plain"}`,
        key: each.text,
        type: "button",
        "data-act": kind,
        title: key ? `key ${key}` : null,
        onclick: () => game.act(each.slot === null ? { amount: each.amount } : { slot: each.slot }),
      },
      capital(money.inText(each.text)),
    );
  });
  return bar(
    bets ? "turn with-bets" : isPoker ? "turn" : "turn many-choices",
    h("div", { class: "acts" }, acts),
    bets ? sizes(game, bets) : null,
    bets
      ? h(
          "button",
          {
            class: "act raise",
            key: "bet",
            type: "button",
            "data-act": "raise",
            title: "key r",
            onclick: () => game.act({ amount: game.amount }),
          },
          `${capital(word)} ${money.text(game.amount)}`,
        )
      : null,
  );
}

const kindOf = (text) => /^(fold|check|call)/.exec(text)?.[0] ?? "raise";
const capital = (text) => text[0].toUpperCase() + text.slice(1);

function sizes(game, [least, most]) {
  const { money } = game;
  const inUnit = (chips) => Number((chips / money.perUnit).toFixed(4));
  return h(
    "div",
    { class: "bet-sizes" },
    h(
      "div",
      { class: "marks", role: "group", "aria-label": "sizes" },
      marksOf(game.state).map(([text, chips], place) =>
        h(
          "button",
          {
            key: text,
            type: "button",
            class: "mark",
            title: `key ${place + 1}`,
            "aria-pressed": String(game.amount === chips),
            onclick: () => game.setAmount(chips),
          },
          text,
        ),
      ),
    ),
    h(
      "div",
      { class: "amount" },
      h("input", {
        type: "range",
        class: "amount-slider",
        min: least,
        max: most,
        step: 1,
        value: String(game.amount),
        "aria-label": "bet size",
        "aria-valuetext": money.text(game.amount),
        oninput: (event) => game.setAmount(Number(event.target.value)),
        onkeydown: (event) => slide(event, game),
      }),
      h("input", {
        type: "number",
        class: "amount-number num",
        min: inUnit(least),
        max: inUnit(most),
        step: "any",
        inputmode: "decimal",
        "aria-label": `amount in ${money.name}`,
        value: game.typed ?? String(inUnit(game.amount)),
        oninput: (event) => game.typeAmount(event.target.value),
        onchange: () => game.typeAmount(null),
        onkeydown: (event) => event.key === "Enter" && game.act({ amount: game.amount }),
      }),
    ),
  );
}

/** Arrows move by half a big blind, so that a key is as useful as a drag. */
function slide(event, game) {
  const turn = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
  if (!turn) return;
  event.preventDefault();
  game.setAmount(game.amount + turn * Math.max(1, Math.round(game.money.gameUnit / 2)));
}

function replayControls(game) {
  const { at, steps, hand } = game.replay;
  const last = steps.length - 1;
  const go = (to, label, name) =>
    h(
      "button",
      {
        class: "button",
        type: "button",
        "aria-label": label,
        title: label,
        disabled: to === at || to < 0 || to > last,
        onclick: () => game.goTo(to),
      },
      icon(name),
    );
  return bar(
    "replaying",
    h("b", null, `Hand ${hand.hand + 1}`),
    h(
      "div",
      { class: "row" },
      go(0, "first step", "first"),
      go(at - 1, "back", "back"),
      go(at + 1, "forward", "forward"),
      go(last, "last step", "last"),
    ),
    h("p", { class: "replay-text num", role: "status", "data-step": at }, `${at} of ${last}: ${game.replayText()}`),
    button("Close replay", () => game.closeReplay(), { name: "close" }),
  );
}

/** Keys of a table; a letter acts also while chips still move. */
export function keysOf(game) {
  const handlers = {};
  for (const each of "fcranFCRAN") handlers[each] = () => press(game, each.toLowerCase());
  for (let place = 1; place <= 9; place++) handlers[place] = () => number(game, place - 1);
  const step = (by) => () => game.replay && game.goTo(game.replay.at + by);
  Object.assign(handlers, {
    ArrowLeft: step(-1),
    ArrowRight: step(1),
    Home: step(-1e6),
    End: step(1e6),
    Escape: () => game.replay && game.closeReplay(),
  });
  return handlers;
}

export const KEY_HELP = [
  ["f", "fold"],
  ["c", "check or call"],
  ["r", "bet or raise the amount"],
  ["a", "all-in"],
  ["1 … 9", "a size, or a choice in games without chips"],
  ["n", "next hand"],
  ["← →", "steps of a replay"],
  ["Esc", "close the replay"],
];

function press(game, key) {
  const { state } = game;
  if (!state || game.replay || game.isWaiting) return undefined;
  if (key === "n") return state.seen.is_over ? game.deal() : undefined;
  if (!state.is_turn || !("pot" in state.seen)) return undefined;
  const { buttons, bets } = state.seen.controls;
  const find = (kinds) => buttons.find((each) => kinds.includes(kindOf(each.text)));
  if (key === "f" || key === "c") {
    const found = find(key === "f" ? ["fold"] : ["check", "call"]);
    return found && game.act({ slot: found.slot });
  }
  if (bets && key === "r") return game.act({ amount: game.amount });
  const allIn = marksOf(state).find(([text]) => text === "all-in");
  if (bets) return allIn && game.act({ amount: allIn[1] });
  const single = find(["raise"]);
  return single && game.act({ amount: single.amount });
}

function number(game, place) {
  const { state } = game;
  if (!state?.is_turn || game.replay || game.isWaiting) return undefined;
  const { buttons } = state.seen.controls;
  if ("pot" in state.seen) {
    const mark = marksOf(state)[place];
    return mark && game.setAmount(mark[1]);
  }
  return buttons[place] && game.act({ slot: buttons[place].slot });
}
