// SPDX-License-Identifier: MIT
// One decision on a small table: seats, board, your cards, the line of play in words, the choices, and their grades.

import { h } from "../lib/dom.js";
import { amount, isKnown, number, percent, signed } from "../lib/format.js";
import { actionColours, mixBar } from "../parts/actions.js";
import { cards, cardText } from "../parts/cards.js";
import { icon } from "../parts/icons.js";

const FACING = { none: "nothing to call", bet: "facing a bet", raise: "facing a raise" };
const POT = { limped: "not raised", "single-raised": "single-raised pot", "3-bet": "3-bet pot", "4-bet": "4-bet pot" };

export function exercisePanel(practice) {
  const { exercise } = practice;
  return h(
    "section",
    { class: "exercise panel", "aria-label": "exercise", "data-line": exercise.line, "data-hand": exercise.hand },
    heading(exercise),
    felt(exercise),
    moves(exercise),
    h("div", { class: "practice-decision" }, prompt(practice), choices(practice), next(practice)),
    after(practice),
  );
}

function heading({ position, street, pot_kind: pot, facing }) {
  const isBlind = street === "preflop" && pot === "limped"; // the bet to answer is a blind
  const facts = isBlind ? "not raised yet" : [POT[pot], FACING[facing]].filter(Boolean).join(" · ");
  return h(
    "div",
    { class: "exercise-head" },
    h("h2", null, street ? `${street[0].toUpperCase()}${street.slice(1)}: you are ${position}` : `You are ${position}`),
    h("span", { class: "dim" }, facts),
  );
}

function felt(exercise) {
  const { seats, seat, board, pot, unit, hand, to_call: toCall } = exercise;
  const others = seats.map((each, place) => ({ ...each, place })).filter((each) => each.place !== seat);
  return h(
    "div",
    { class: "practice-felt" },
    h(
      "ul",
      { class: "practice-seats" },
      others.map((each) => seatBox(each, unit)),
    ),
    h(
      "div",
      { class: "practice-middle" },
      board ? cards(board, "large") : null,
      pot ? h("span", { class: "practice-pot num" }, `pot ${amount(pot, unit)}`) : null,
    ),
    h(
      "div",
      { class: "practice-own" },
      h("span", { class: "practice-hand", "aria-label": `your hand ${hand}`, role: "group" }, cards(hand, "huge")),
      h(
        "span",
        { class: "practice-own-text num" },
        h("b", null, seats[seat].name),
        isKnown(seats[seat].stack) ? h("span", null, `${amount(seats[seat].stack, unit)} behind`) : null,
        toCall ? h("span", null, `${amount(toCall, unit)} to call`) : null,
      ),
    ),
  );
}

function seatBox({ name, stack, bet, is_live: isLive, place }, unit) {
  return h(
    "li",
    { key: place, class: { "practice-seat": true, folded: !isLive } },
    h("b", null, name),
    h("span", { class: "num" }, isLive ? (isKnown(stack) ? amount(stack, unit) : "") : "folded"),
    bet ? h("span", { class: "practice-bet num" }, `bet ${amount(bet, unit)}`) : null,
  );
}

/** The line by streets, with the cards that came; folds in a row are one word. */
function moves({ moves: all, seats }) {
  const streets = [];
  let shown = 0; // letters of the board so far
  for (const { seat, text } of all) {
    if (seat >= 0) {
      streets.at(-1).acts.push({ name: seats[seat].name, text });
      continue;
    }
    const [street, board = ""] = text.split(/ (?=[^ ]+$)/);
    streets.push({ street, came: board.slice(shown), acts: [] });
    shown = board.length;
  }
  const played = streets.filter((each) => each.acts.length);
  if (!played.length) return h("p", { class: "practice-moves dim" }, "You are the first to act.");
  return h(
    "ol",
    { class: "practice-moves", "aria-label": "line of play" },
    played.map(({ street, came, acts }, place) =>
      h(
        "li",
        { key: place },
        street ? h("span", { class: "dim practice-street" }, `${street} `, cardText(came)) : null,
        foldsTogether(acts).map((each) =>
          h("span", { class: { "practice-act": true, folds: each.isFold } }, h("b", null, each.name), ` ${each.text}`),
        ),
      ),
    ),
  );
}

function foldsTogether(acts) {
  const found = [];
  for (const each of acts) {
    const last = found.at(-1);
    if (each.text === "fold" && last?.isFold) last.name += `, ${each.name}`;
    else found.push({ ...each, isFold: each.text === "fold" });
  }
  return found;
}

/** What is asked, and once it is answered how good that was. */
function prompt(practice) {
  const { exercise, answer } = practice;
  if (answer === null) return h("p", { class: "prompt", role: "status" }, "Your action?");
  const chosen = exercise.choices[answer];
  const best = exercise.choices[exercise.best];
  const { grade, colour, name } = gradeOf(chosen);
  const lost = costOf(chosen, chosen === best, exercise.unit);
  const better = chosen.is_good ? "" : `${isKnown(chosen.lost) ? "Best" : "Mostly"}: ${best.text}.`;
  return h(
    "p",
    { class: `prompt graded ${colour}`, role: "status", "data-grade": grade },
    icon(name, 20),
    h("b", null, ` ${grade}. `),
    h("span", null, `${lost} ${better}`),
  );
}

function costOf({ lost, lost_share: share, mix }, isBest, unit) {
  if (!isKnown(lost)) return `The strategy does it ${percent(mix, 0)} of the time.`;
  return isBest ? "" : `${amount(lost, unit)} lost, ${percent(share)} of the pot.`;
}

/** The grade of a choice in words: by the share of the pot that it loses, else by the mix. */
function gradeOf({ is_good: isGood, lost_share: share }) {
  if (isGood) return { grade: "Good", colour: "good", name: "check" };
  if (!isKnown(share)) return { grade: "Rare", colour: "warn", name: "warning" };
  if (share < 0.03) return { grade: "Small mistake", colour: "warn", name: "warning" };
  return share < 0.15
    ? { grade: "Mistake", colour: "bad", name: "close" }
    : { grade: "Blunder", colour: "bad", name: "close" };
}

function choices(practice) {
  const { exercise, answer } = practice;
  const colours = actionColours(exercise.choices);
  const isAsked = answer === null;
  return [
    isAsked
      ? null
      : mixBar(
          exercise.choices.map((each) => each.mix),
          colours,
          exercise.choices.map((each) => `${each.text} ${percent(each.mix, 0)}`).join(", "),
        ),
    h(
      "div",
      { class: "practice-answers", role: "group", "aria-label": "choices" },
      exercise.choices.map((each, place) =>
        h(
          "button",
          {
            key: each.word,
            type: "button",
            disabled: !isAsked,
            onclick: () => practice.choose(place),
            "data-word": each.word,
            class: { "practice-answer": true, chosen: answer === place, best: !isAsked && exercise.best === place },
            "aria-pressed": isAsked ? null : String(answer === place),
          },
          h("span", { class: "choice-colour", style: { background: colours[place] } }),
          h(
            "span",
            { class: "answer-text" },
            h("b", null, each.text),
            isAsked && place < 9 ? h("kbd", { class: "on-desktop" }, place + 1) : null,
          ),
          isAsked ? null : figures(each, exercise.best === place),
        ),
      ),
    ),
  ];
}

function figures({ mix, ev, lost }, isBest) {
  return h(
    "span",
    { class: "answer-figures num" },
    h("b", null, percent(mix, 0)),
    isKnown(ev) ? h("span", { class: "dim on-desktop" }, `EV ${number(ev)}`) : null,
    isKnown(lost)
      ? h("span", { class: isBest ? "good" : "dim" }, isBest ? "best" : signed(-lost))
      : isBest
        ? h("span", { class: "good" }, "most")
        : null,
  );
}

function next(practice) {
  if (practice.answer === null) return null;
  return h(
    "button",
    {
      class: "button primary practice-next",
      type: "button",
      onclick: () => practice.next(),
      ref: (element) => element.focus({ preventScroll: true }),
    },
    h("span", null, "Next"),
    h("kbd", { class: "on-desktop" }, "Enter"),
  );
}

function after(practice) {
  if (practice.answer === null) return null;
  const { exercise, page } = practice;
  return h(
    "div",
    { class: "practice-after" },
    h("a", { class: "button", href: practice.studyAddress(exercise) }, icon("search"), "Study this node"),
    page.query.line === undefined
      ? h("a", { class: "button", href: practice.spotAddress(exercise) }, icon("target"), "Only this spot")
      : null,
  );
}
