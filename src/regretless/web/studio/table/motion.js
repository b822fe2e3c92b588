// SPDX-License-Identifier: MIT
// Motion at the table: only `transform` and `opacity` change, so a browser draws every frame. A run can be cut short.

import { chime } from "./sound.js";

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const EASE = "cubic-bezier(0.2, 0.7, 0.3, 1)";

/** Plays frames one after the other; `draw(scene)` draws one at once. A new run or `finish` ends the one before. */
export class Motion {
  constructor(draw) {
    this.draw = draw;
    this.run = 0;
    this.isMoving = false;
  }

  async play(frames, last) {
    const run = ++this.run;
    if (isStill() || document.hidden) return this.draw(last);
    this.isMoving = true;
    for (const each of frames) {
      this.draw(each.scene);
      await drawn();
      if (run !== this.run) return undefined;
      await moved(each);
      if (run !== this.run) return undefined;
    }
    this.isMoving = false;
    return this.draw(last);
  }

  /** Ends what moves; the caller draws the last scene. */
  finish() {
    this.run++;
    this.isMoving = false;
    const all = document.querySelector(".room")?.getAnimations({ subtree: true }) ?? [];
    for (const each of all) if (!(each instanceof CSSAnimation)) each.cancel();
  }
}

/** Resolves when the page has been drawn (the page draws in a microtask). */
const drawn = () => new Promise((resolve) => setTimeout(resolve, 0));

async function moved(frame) {
  const { milliseconds: duration } = frame;
  const room = document.querySelector(".room");
  if (!room) return;
  chime(frame.kind);
  const animations = (MOVES[frame.kind] ?? (() => []))(room, frame, duration);
  const ended = animations.map((each) => each.finished.catch(() => {})); // one that is cut short rejects
  await Promise.all([...ended, new Promise((resolve) => setTimeout(resolve, duration))]);
}

const MOVES = {
  deal(room, _, duration) {
    const middle = centre(room.querySelector(".middle"));
    const dealt = [...room.querySelectorAll(".held .card")];
    const each = duration * 0.45;
    return dealt.map((card, place) => {
      const delay = ((duration - each) * place) / dealt.length;
      const from = moveFrom(middle, card);
      return card.animate(
        [
          { transform: `${from} rotate(90deg) scale(0.7)`, opacity: 0 },
          { opacity: 1, offset: 0.3 },
          { transform: "none", opacity: 1 },
        ],
        { duration: each, delay, easing: EASE, fill: "backwards" },
      );
    });
  },
  bet(room, { seat }, duration) {
    const pile = room.querySelector(`[data-bet="${seat}"]`);
    return pile ? [flight(pile, centre(box(room, seat)), duration)] : [];
  },
  fold(room, { seat }, duration) {
    const middle = centre(room.querySelector(".middle"));
    return [...room.querySelectorAll(`[data-seat="${seat}"] .held .card`)].map((card) =>
      card.animate(
        [
          { transform: "none", opacity: 1 },
          { transform: moveFrom(middle, card, 0.5), opacity: 0 },
        ],
        { duration, easing: EASE },
      ),
    );
  },
  check(room, { seat }, duration) {
    const shown = seat === undefined ? null : box(room, seat);
    return shown
      ? [
          shown.animate([{ transform: "scale(1)" }, { transform: "scale(1.04)" }, { transform: "scale(1)" }], {
            duration,
          }),
        ]
      : [];
  },
  gather(room, _, duration) {
    const middle = centre(room.querySelector(".pots"));
    return [...room.querySelectorAll("[data-bet]")].map((pile) =>
      pile.animate([{ transform: "none" }, { transform: moveFrom(middle, pile), opacity: 0.6 }], {
        duration,
        easing: EASE,
        fill: "forwards",
      }),
    );
  },
  board(room, { from }, duration) {
    return [...room.querySelectorAll(".board .card")].slice(from).map((card, place) =>
      card.animate(
        [
          { transform: "translateY(-24px) rotateY(90deg)", opacity: 0 },
          { transform: "none", opacity: 1 },
        ],
        { duration: duration * 0.7, delay: place * duration * 0.1, easing: EASE, fill: "backwards" },
      ),
    );
  },
  show(room, _, duration) {
    return [...room.querySelectorAll(".seat:not(.own) .held .card:not(.back)")].map((card) =>
      card.animate([{ transform: "rotateY(90deg)" }, { transform: "none" }], {
        duration: duration * 0.6,
        easing: EASE,
      }),
    );
  },
  win(room, { winners }, duration) {
    const middle = centre(room.querySelector(".pots"));
    return winners.flatMap((seat) => {
      const pile = room.querySelector(`[data-won="${seat}"]`);
      return pile ? [flight(pile, middle, duration)] : [];
    });
  },
};

function flight(element, from, duration) {
  return element.animate(
    [
      { transform: moveFrom(from, element), opacity: 0.5 },
      { transform: "none", opacity: 1 },
    ],
    { duration, easing: EASE },
  );
}

const box = (room, seat) => room.querySelector(`[data-seat="${seat}"] .seat-box`);

function centre(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}

function moveFrom([x, y], element, share = 1) {
  const [toX, toY] = centre(element);
  return `translate(${((x - toX) * share).toFixed(1)}px, ${((y - toY) * share).toFixed(1)}px)`;
}
