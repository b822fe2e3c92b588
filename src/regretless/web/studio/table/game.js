// SPDX-License-Identifier: MIT
// One visitor at one table: the newest state, what is drawn of it, the replay, the review and the session.

import { plural } from "../lib/format.js";
import { store, stored } from "../lib/preferences.js";
import { keysOf } from "./controls.js";
import { leaveSeat, TableLink } from "./link.js";
import { Money } from "./money.js";
import { Motion } from "./motion.js";
import { framesOf, notesOf, sceneOf } from "./scenes.js";
import { chime } from "./sound.js";
import { handLines, replayLines, sentence, titled } from "./words.js";

const THINK_MILLISECONDS = 250; // before an answer that is not there is called thinking
const MOST_HANDS = 100; // listed
const PAUSE_MILLISECONDS = 2500; // after a hand, before the next one is dealt by itself

/** Brings a part of the page to where it can be seen, on screens that are too small for all. */
function bringUp(selector) {
  const isNarrow = matchMedia("(max-width: 999px)").matches;
  if (isNarrow) requestAnimationFrame(() => document.querySelector(selector)?.scrollIntoView({ block: "start" }));
}

export class Game {
  /** `opponents`: everybody who can sit at a table, in words; `onEnd()` goes back to the choice of a table. */
  constructor(page, seat, opponents, onEnd) {
    Object.assign(this, { page, opponents, onEnd });
    this.link = new TableLink(page, seat);
    this.motion = new Motion((scene) => this.show(scene));
    Object.assign(this, {
      state: null,
      scene: null,
      hands: [],
      session: { hands: 0, per_100: null, half_width: null, unit: "chips" },
    });
    Object.assign(this, {
      replay: null,
      review: null,
      amount: 0,
      typed: null,
      isWaiting: false,
      isThinking: false,
      waitSince: 0,
      turnSince: 0,
    });
    this.isAuto = stored("dealByItself", false);
  }

  /** Sits down at an open table. */
  async sit() {
    const state = await this.link.see();
    await this.readHands();
    this.link.version = state.version;
    this.take(state, { isQuiet: true });
    this.link.follow(
      (newer) => this.take(newer),
      () => this.gone(),
    );
    this.listen();
    this.page.every(1000, () => this.tick());
    this.page.onClose(() => this.stop());
  }

  /** Reads the session of a table that is closed; its last hand is on the table. */
  async look() {
    await this.readHands();
    this.listen();
    const last = this.hands.at(-1);
    if (last) await this.openReplay(last.hand, Infinity);
  }

  listen() {
    for (const [key, handler] of Object.entries(keysOf(this)))
      this.page.keys({ [key]: (event) => !this.isOver && handler(event) });
  }

  stop() {
    this.isOver = true;
    clearTimeout(this.dealing);
    this.motion.finish();
    this.link.end();
  }

  // What is drawn.

  get money() {
    return new Money(this.chipsPerUnit, this.session.unit);
  }

  get isPoker() {
    return "pot" in (this.state?.seen ?? this.replay?.steps[0].seen ?? {});
  }

  get gameText() {
    return (this.state?.seen ?? this.replay?.steps[0].seen)?.game ?? "";
  }

  /** Names by seat: yours is `You`, those of others are titles, numbered where one sits there twice. */
  names() {
    if (this.replay) return titled(this.replay.hand.players, this.replay.hand.seat, this.opponents);
    const bySeat = [...this.state.players].sort((a, b) => a.seat - b.seat);
    return titled(bySeat, this.state.seen.viewer, this.opponents);
  }

  /** The opponents at this table, in words. */
  get sitting() {
    const names = this.state
      ? this.state.players.filter((_, place) => place !== this.state.player).map((each) => each.name)
      : (this.hands.at(-1)?.players ?? []).map((each) => each.name);
    return names.map((name) => this.opponents.find((each) => each.name === name)).filter(Boolean);
  }

  /** Strategies and bots that a review can ask: those at the table first, then strategies of its game. */
  get reviewers() {
    const here = [...this.sitting].sort((a, b) => (a.kind === "strategy" ? 0 : 1) - (b.kind === "strategy" ? 0 : 1));
    const seats = this.state?.players.length ?? this.hands.at(-1)?.players.length;
    const others = this.opponents.filter(
      (each) => each.kind === "strategy" && each.game === this.gameText && each.seats === seats,
    );
    const bots = this.opponents.filter((each) => each.name === "pot-odds");
    return [...new Map([...here, ...others, ...bots].map((each) => [each.name, each])).values()];
  }

  show(scene) {
    this.scene = scene;
    this.page.redraw();
  }

  /** Lines of this hand: streets ({name: null}) and actions. */
  log() {
    return this.replay ? replayLines(this.replay, this.names()) : handLines(this.state.seen, this.names());
  }

  get clock() {
    return this.state?.is_turn && !this.replay && !this.isWaiting
      ? `${Math.floor((Date.now() - this.turnSince) / 1000)} s`
      : "";
  }

  /** The seat that thinks: the next one that can act, while the server has not answered. */
  get thinking() {
    if (!this.isThinking || !this.state || this.replay) return null;
    const { seats, viewer } = this.state.seen;
    for (let turn = 1; turn < seats.length; turn++) {
      const seat = (viewer + turn) % seats.length;
      if (seats[seat].is_live && seats[seat].stack !== 0) return seat;
    }
    return null;
  }

  get waitText() {
    return this.isThinking ? `Thinking, ${Math.round((Date.now() - this.waitSince) / 1000)} s` : "";
  }

  tick() {
    if (this.clock || this.isThinking) this.page.redraw();
  }

  // Playing.

  /** Shows a state that is newer: what happened since the last one moves, one after the other. */
  take(state, { isQuiet = false } = {}) {
    const old = this.state;
    const isNewHand = old?.hand !== state.hand;
    this.state = state;
    this.session = state.session;
    this.setAmount(state.seen.controls?.bets?.[0] ?? 0, { isQuiet: true });
    if (state.is_turn) this.turnSince = Date.now();
    if (state.is_closed) this.closed();
    if (this.replay) return this.page.redraw();
    const steps = this.newSteps(old, state);
    const last = { ...sceneOf({ seat: null, text: "", seen: state.seen }, notesOf(state.steps)) };
    if (isQuiet || (!isNewHand && steps.length < 2)) this.show(last);
    else this.move(framesOf(steps, { isDealt: isNewHand }), last);
    if (state.seen.is_over && (!old || !old.seen.is_over || isNewHand)) this.handOver(isQuiet);
    return undefined;
  }

  /** The steps that this page has not shown. */
  newSteps(old, state) {
    if (!old || old.hand !== state.hand) return state.steps;
    const key = (seen) => `${seen.pot} ${seen.actor} ${seen.street}`;
    const from = state.steps.findIndex((each) => key(each.seen) === key(old.seen));
    return from < 0 ? state.steps : state.steps.slice(from);
  }

  async move(frames, last) {
    await this.motion.play(frames, last);
    if (this.state?.is_turn && !this.motion.isMoving) chime("turn");
  }

  async act(action) {
    const { state } = this;
    if (this.isWaiting || !state?.is_turn) return;
    await this.ask(() => this.link.act({ ...action, version: state.version }));
  }

  async deal() {
    const { state } = this;
    clearTimeout(this.dealing);
    if (this.isWaiting || !state || !state.seen.is_over || state.is_done) return;
    this.replay = null;
    if (this.review?.hand === state.hand) this.review = null;
    await this.ask(() => this.link.deal(state.hand));
  }

  /** Waits for the server; whoever takes long is shown to think. */
  async ask(work) {
    this.motion.finish();
    this.isWaiting = true;
    this.waitSince = Date.now();
    const timer = setTimeout(() => {
      this.isThinking = true;
      this.page.redraw();
    }, THINK_MILLISECONDS);
    this.page.redraw();
    try {
      this.link.take(await work());
    } catch (error) {
      this.page.fail(error);
      if (error.status === 409) await this.page.act(() => this.link.look());
    } finally {
      clearTimeout(timer);
      Object.assign(this, { isWaiting: false, isThinking: false });
      this.page.redraw();
    }
  }

  setAuto(value) {
    this.isAuto = value;
    store("dealByItself", value);
    if (value) this.dealLater();
    else clearTimeout(this.dealing);
    this.page.redraw();
  }

  dealLater() {
    clearTimeout(this.dealing);
    this.dealing = setTimeout(() => {
      if (this.isAuto && !this.isOver && !this.replay && !this.review) this.page.act(() => this.deal());
    }, PAUSE_MILLISECONDS);
  }

  async handOver(isQuiet) {
    if (this.isAuto) this.dealLater();
    if (!isQuiet) await this.page.act(() => this.readHands());
    this.page.redraw();
  }

  /** Reads the hands that are not listed yet. */
  async readHands() {
    const last = () => this.hands.at(-1)?.hand ?? -1;
    const { hands, session, chips_per_unit: chipsPerUnit } = await this.link.hands(last());
    const known = last();
    this.hands = [...this.hands, ...hands.filter((each) => each.hand > known)].slice(-MOST_HANDS);
    Object.assign(this, { session, chipsPerUnit });
  }

  setAmount(chips, { isQuiet = false } = {}) {
    const [least, most] = this.state?.seen.controls?.bets ?? [0, 0];
    this.amount = Math.min(Math.max(Math.round(chips), least), most);
    this.typed = null;
    if (!isQuiet) this.page.redraw();
  }

  /** A number being typed stays as it is; null ends that. */
  typeAmount(text) {
    if (text === null) this.typed = null;
    else {
      const value = Number(text);
      if (text.trim() && Number.isFinite(value)) this.setAmount(value * this.money.perUnit, { isQuiet: true });
      this.typed = text;
    }
    this.page.redraw();
  }

  // Finished hands.

  async openReplay(hand, at = 0) {
    const { hand: played, steps } = await this.link.replay(hand);
    this.motion.finish();
    this.replay = { hand: played, steps, at: Math.min(at, steps.length - 1) };
    this.show(this.replayScene());
    bringUp(".room");
  }

  replayScene() {
    const { steps, at } = this.replay;
    return sceneOf(steps[at], notesOf(steps.slice(0, at + 1)));
  }

  /** Goes to a step; one step forward moves. */
  goTo(to) {
    const { steps, at } = this.replay;
    const wanted = Math.min(Math.max(to, 0), steps.length - 1);
    if (wanted === at) return;
    this.motion.finish();
    this.replay.at = wanted;
    if (wanted === at + 1) this.motion.play(framesOf(steps.slice(at, wanted + 1)), this.replayScene());
    else this.show(this.replayScene());
  }

  replayText() {
    const { steps, at } = this.replay;
    const { seat, text } = steps[at];
    return seat === null ? "the deal" : sentence(this.names()[seat], text, this.money);
  }

  closeReplay() {
    if (!this.state) return this.toLobby();
    this.motion.finish();
    this.replay = null;
    return this.show(sceneOf({ seat: null, text: "", seen: this.state.seen }, notesOf(this.state.steps)));
  }

  /** Reviews the session, or one hand of it, against a strategy. */
  async openReview(hand = null, name = this.reviewers[0]?.name) {
    clearTimeout(this.dealing);
    const kept = this.review?.name === name && this.review.count === this.session.hands ? this.review.decisions : null;
    const review = { hand, name, decisions: kept, count: this.session.hands };
    this.review = review;
    this.page.redraw();
    bringUp(".review-panel");
    if (kept) return;
    await this.page.act(async () => {
      const { decisions } = await this.link.review(name);
      review.decisions = decisions;
    });
    review.decisions ??= [];
    this.page.redraw();
  }

  closeReview() {
    this.review = null;
    this.page.redraw();
  }

  download() {
    return this.page.act(async () => {
      const text = await this.link.phhs();
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
      link.download = "hands.phhs";
      link.click();
      URL.revokeObjectURL(link.href);
    });
  }

  // The end.

  async leave() {
    if (this.state && !this.state.is_closed) await this.page.act(() => this.link.close());
    this.toLobby();
  }

  toLobby() {
    if (this.state) leaveSeat();
    this.stop();
    this.onEnd();
  }

  closed() {
    leaveSeat();
    clearTimeout(this.dealing);
  }

  gone() {
    this.link.end();
    this.take({
      ...this.state,
      version: this.link.version + 1,
      is_closed: true,
      is_turn: false,
      why_closed: "the server has closed it",
    });
  }

  get note() {
    return this.state ? `${plural(this.session.hands, "hand")} · ${this.money.session(this.session)}` : "";
  }
}
